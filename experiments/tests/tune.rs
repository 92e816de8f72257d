//! The tuners, end to end.

mod support;

use support::{fail, run, succeed};
use tempfile::tempdir;

const QUICK: [&str; 6] = ["--games", "120", "--nodes", "60", "--plies", "6"];

/// Tunes from the rules of thumb, which even a few games of few nodes can better.
fn tune_eval(dir: &std::path::Path, extra: &[&str]) -> String {
    support::write(dir, "thumb.toml", &succeed(dir, &["new", "weights", "chess", "--rule-of-thumb"]));
    let mut args = vec!["tune", "eval", "chess", "--weights", "thumb.toml"];
    args.extend(QUICK);
    args.extend(extra);
    succeed(dir, &args)
}

#[test]
fn a_tuned_evaluation_is_repeatable_and_changes_play() {
    let dir = tempdir().unwrap();
    let first = tune_eval(dir.path(), &["--log", "a", "--out", "a.toml", "--threads", "1"]);
    let second = tune_eval(dir.path(), &["--log", "b", "--out", "b.toml", "--threads", "2"]);
    assert_eq!(first.replace("a.toml", "b.toml"), second);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read("a.toml"), read("b.toml"));
    for key in
        ["game = \"chess\"", "games = \"120\"", "seed = \"1\"", "held_out_loss", "program = \"equipoise "]
    {
        assert!(read("a.toml").contains(key), "{key}");
    }
    // From the log alone the same weights come out.
    let third = succeed(dir.path(), &["tune", "eval", "a", "--weights", "thumb.toml", "--out", "c.toml"]);
    assert_eq!(third.replace("c.toml", "b.toml"), second);
    // A player with the weights plays other games.
    let play = |out: &str, eval: &str| {
        let text = format!(
            "name = \"x\"\ngame = \"chess\"\nseed = 3\ngames = 2\nmove_limit = 40\n[openings]\nmethod = \"random\"\n\
             plies = 4\n[[player]]\nname = \"p\"\nnodes = 200\n{eval}"
        );
        support::write(dir.path(), "x.toml", &text);
        succeed(dir.path(), &["run", "x.toml", "--out", out]);
        read(&format!("{out}/moves.csv"))
    };
    assert_ne!(play("old", ""), play("new", "eval = \"a.toml\"\n"));
}

#[test]
fn weights_with_a_misspelt_or_missing_number_are_refused() {
    let dir = tempdir().unwrap();
    tune_eval(dir.path(), &["--log", "a", "--out", "a.toml"]);
    let text = std::fs::read_to_string(dir.path().join("a.toml")).unwrap();
    let try_with = |text: &str| {
        support::write(dir.path(), "w.toml", text);
        fail(dir.path(), 2, &["tune", "eval", "a", "--weights", "w.toml", "--out", "o.toml"])
    };
    let misspelt = try_with(&text.replacen("\nknight =", "\nknigght =", 1));
    assert!(
        misspelt.contains("w.toml") && misspelt.contains("did you mean `material.knight`?"),
        "{misspelt}"
    );
    let line = text.lines().find(|l| l.starts_with("knight =")).unwrap();
    let missing = try_with(&text.replacen(line, "", 1));
    assert!(missing.contains("no weight for the term `material.knight`"), "{missing}");
    let word = try_with(&text.replacen(line, "knight = [5, \"x\"]", 1));
    assert!(word.contains("material.knight") && word.contains("pair of whole centipawns"), "{word}");
}

#[test]
fn wrong_use_is_refused_before_anything_is_played() {
    let dir = tempdir().unwrap();
    let error = fail(dir.path(), 2, &["tune", "eval", "magy"]);
    assert!(
        error.contains("`magy` is neither a game (did you mean `magi`?) nor the folder of a run"),
        "{error}"
    );
    support::write(dir.path(), "there.toml", "");
    let error = fail(dir.path(), 2, &["tune", "eval", "magi", "--out", "there.toml"]);
    assert!(error.contains("there.toml is there already"), "{error}");
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    let error = fail(dir.path(), 2, &["tune", "eval", "empty"]);
    assert!(error.contains("empty holds no run"), "{error}");
    let error = fail(dir.path(), 2, &["tune", "eval", "empty", "--resume"]);
    assert!(error.contains("belong to self-play"), "{error}");
    let error = fail(dir.path(), 2, &["tune", "eval", "magi", "--set", "move_rul=true"]);
    assert!(error.contains("move_rule"), "{error}");
    assert!(!dir.path().join("results").exists());
    assert_eq!(run(dir.path(), &["tune"]).status.code(), Some(2));
}

const CLIMB: [&str; 13] = [
    "tune",
    "search",
    "magi",
    "--param",
    "futility",
    "--param",
    "late_moves",
    "--nodes",
    "40",
    "--pairs",
    "2",
    "--confirm",
    "8",
];

fn climb<'a>(out: &'a str, extra: &[&'a str]) -> Vec<&'a str> {
    let mut args = CLIMB.to_vec();
    args.extend(["--steps", "5", "--out", out]);
    args.extend(extra);
    args
}

#[test]
fn tuned_settings_are_repeatable_and_confirmed_on_fresh_openings() {
    let dir = tempdir().unwrap();
    let first = succeed(dir.path(), &climb("a", &["--threads", "1"]));
    let second = succeed(dir.path(), &climb("b", &["--threads", "3"]));
    assert_eq!(first, second);
    assert!(first.contains("futility ") && first.contains("Elo "), "{first}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read("a/spsa.toml"), read("b/spsa.toml"));
    assert_eq!(read("a/match/games.csv").lines().count(), 9);
    // A finished run that is resumed says the same again, and another run is not mixed up with it.
    assert_eq!(succeed(dir.path(), &climb("a", &["--resume"])), first);
    let error = fail(dir.path(), 2, &climb("a", &[]));
    assert!(error.contains("a/spsa.toml is there already; add --resume"), "{error}");
    let error = fail(dir.path(), 2, &climb("a", &["--resume", "--seed", "2"]));
    assert!(error.contains("holds another run") && error.contains("seed 2"), "{error}");
    let text = read("b/spsa.toml");
    let json = succeed(dir.path(), &climb("c", &["--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["settings"][0]["name"], "futility");
    assert_eq!(text, read("c/spsa.toml"));
    support::write(dir.path(), "c/spsa.toml", &text.replace("done = 5", "done = 6"));
    let error = fail(dir.path(), 2, &climb("c", &["--resume"]));
    assert!(error.contains("no place of this run"), "{error}");
}

#[test]
fn a_misspelt_setting_is_refused() {
    let dir = tempdir().unwrap();
    let error = fail(dir.path(), 2, &["tune", "search", "magi", "--param", "futilty"]);
    assert!(error.contains("did you mean `futility`?"), "{error}");
    let error = fail(dir.path(), 2, &["tune", "search", "magi", "--confirm", "3"]);
    assert!(error.contains("even number"), "{error}");
    assert!(!dir.path().join("results").exists());
}

#[test]
fn values_come_three_ways_and_are_repeatable() {
    let dir = tempdir().unwrap();
    let play = [
        "tune",
        "values",
        "chess",
        "--games",
        "80",
        "--nodes",
        "40",
        "--odds",
        "--odds-games",
        "20",
        "--log",
        "log",
        "--odds-log",
        "odds",
        "--resamples",
        "40",
    ];
    let first = succeed(dir.path(), &play);
    for text in ["queen ", "odds matches", "regression", "evaluation", "below 1/3", "White's edge"] {
        assert!(first.contains(text), "{text}: {first}");
    }
    assert!(!first.contains("king"), "{first}");
    let again = ["tune", "values", "log", "--nodes", "40", "--odds", "--odds-games", "20"];
    let mut again = again.to_vec();
    again.extend(["--odds-log", "odds", "--resamples", "40", "--threads", "1"]);
    assert_eq!(succeed(dir.path(), &again), first);
    again.push("--json");
    let json: serde_json::Value = serde_json::from_str(&succeed(dir.path(), &again)).unwrap();
    assert_eq!(json["unit_of_value"], "pawn");
    assert_eq!(json["values"][0]["piece"], "pawn");
    assert_eq!(json["values"][0]["odds"]["value"], 1.0);
    assert!(json["values"][1]["evaluation"].as_f64().unwrap() > 2.0);
    // Whoever is a queen down for some pawns has fewer pieces in every game of the match.
    let games = std::fs::read_to_string(dir.path().join("odds/queen/games.csv")).unwrap();
    assert_eq!(games.lines().count(), 21);
    assert!(
        games.lines().skip(1).all(|line| line.contains("rnb1kbnr") != line.contains("RNB1KBNR")),
        "{games}"
    );
}

const FEW: [&str; 8] = ["--games", "60", "--nodes", "30", "--resamples", "20", "--log", "log"];

fn values(dir: &std::path::Path, game: &str, extra: &[&str]) -> serde_json::Value {
    let mut args = vec!["tune", "values", game];
    args.extend(FEW);
    args.extend(extra);
    args.push("--json");
    serde_json::from_str(&succeed(dir, &args)).unwrap()
}

#[test]
fn an_echo_is_heard_beside_the_values_and_published_ones_stand_there() {
    let dir = tempdir().unwrap();
    let json = values(dir.path(), "chess", &["--echo", "--echo-log", "echo"]);
    assert_eq!(json["values"][3]["published"][0]["source"], "AlphaZero 2020");
    let changed = json["echo"]["values"].as_array().unwrap();
    let changes: Vec<i64> =
        changed.iter().map(|v| v["belief_changed_by_percent"].as_i64().unwrap()).collect();
    assert_eq!(changes.len(), 4);
    assert!(changes.iter().all(|c| c.abs() == 20), "{changes:?}");
    // The players of the echo's games have the weights so changed: a knight's are written in the manifest.
    let manifest = std::fs::read_to_string(dir.path().join("echo/manifest.toml")).unwrap();
    assert!(manifest.contains("other-beliefs") && manifest.contains("knight = ["), "{manifest}");
    let text = [
        "tune",
        "values",
        "log",
        "--games",
        "60",
        "--nodes",
        "30",
        "--resamples",
        "20",
        "--echo",
        "--echo-log",
        "echo",
    ];
    let text = succeed(dir.path(), &text);
    for part in
        ["belief changed by", "share of the change that came back", "published values", "Kaufman 1999"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn worth_is_shown_by_health_left_where_pieces_have_health() {
    let dir = tempdir().unwrap();
    let json = values(dir.path(), "mchess", &[]);
    let lines = json["values"].as_array().unwrap();
    let known = lines.iter().filter(|l| l["health"][1]["worth"]["value"].is_number()).count();
    assert!(known >= 3, "{json}");
    assert_eq!(lines[0]["health"][2]["left"], 0.1);
    assert!(json["echo"].is_null());
}

#[test]
fn odds_matches_value_pieces_in_hand() {
    let dir = tempdir().unwrap();
    let json = values(dir.path(), "martian-shogi", &["--odds", "--odds-games", "10", "--odds-log", "odds"]);
    let lines = json["values"].as_array().unwrap();
    assert_eq!(lines.len(), 24);
    // Each small and medium piece has one that it may become; large ones and chess's pawns have none or several.
    let evaluation =
        |name: &str| lines.iter().find(|l| l["piece"] == name).unwrap()["evaluation"].as_f64().unwrap();
    let size_ups = json["size_ups"].as_array().unwrap();
    assert_eq!(size_ups.len(), 8);
    let rook = size_ups.iter().find(|s| s["from"] == "squire").unwrap();
    assert_eq!(rook["to"], "rook");
    let gain = rook["evaluation"].as_f64().unwrap();
    assert!((gain - (evaluation("rook") - evaluation("squire"))).abs() < 1e-9, "{rook}");
    let squire = lines.iter().find(|l| l["piece"] == "squire in hand").unwrap();
    assert!(squire["odds"].is_object(), "{squire}");
    let games = std::fs::read_to_string(dir.path().join("odds/squire-in-hand/games.csv")).unwrap();
    assert!(games.lines().skip(1).all(|line| line.contains("[S] w") != line.contains("[s] w")), "{games}");
}
