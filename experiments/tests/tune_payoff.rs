//! `tune payoff` end to end: figures from a log, the same again with the same seed, matrices that load.

mod support;

use support::{experiment, fail, succeed, write};
use tempfile::tempdir;

#[test]
fn a_run_is_valued_and_searched_and_the_tuned_matrix_is_played_for() {
    let dir = tempdir().unwrap();
    write(dir.path(), "small.toml", &experiment(""));
    succeed(dir.path(), &["run", "small.toml", "--out", "log", "--keep-going"]);
    let args = ["tune", "payoff", "log", "--resamples", "5", "--search", "tuned.toml"];
    let text = succeed(dir.path(), &args);
    for part in
        ["magi-sample", "magi-16", "incentive for the side behind", "foretold for White", "Search: 384"]
    {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    let tuned = std::fs::read_to_string(dir.path().join("tuned.toml")).unwrap();
    assert!(tuned.contains("seed 7") && tuned.contains("weights incentive=1"), "provenance:\n{tuned}");
    assert_eq!(text, succeed(dir.path(), &args), "same seed, same figures");
    assert_eq!(tuned, std::fs::read_to_string(dir.path().join("tuned.toml")).unwrap());
    // The file is a matrix like any other, here for experiments and for the command itself.
    let with = experiment("").replace("matrix = \"magi-sample\"", "matrix = \"tuned.toml\"");
    write(dir.path(), "with.toml", &with);
    succeed(dir.path(), &["run", "with.toml", "--out", "new", "--games", "2"]);
    let json = succeed(
        dir.path(),
        &[
            "tune",
            "payoff",
            "log",
            "--matrix",
            "tuned.toml",
            "--resamples",
            "2",
            "--utility",
            "difference",
            "--json",
        ],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["matrices"][0]["matrix"], "magi-sample-tuned");
    assert_eq!(json["utility"], "difference");
    let sum = json["matrices"][0]["figures"]["sum"]["value"].as_f64().unwrap();
    assert!((0.0..=12.000_001).contains(&sum), "{sum}");
}

#[test]
fn wrong_use_is_named() {
    let dir = tempdir().unwrap();
    let error = fail(dir.path(), 2, &["tune", "payoff", "nowhere"]);
    assert!(error.contains("nowhere holds no run"), "{error}");
    let error = fail(dir.path(), 2, &["tune", "payoff", "nowhere", "--matrix", "magi-sampel"]);
    assert!(error.contains("`magi-sampel` is no matrix") && error.contains("\"magi-sample\""), "{error}");
    let random = experiment("").replace("nodes = 60", "kind = \"random\"").replace("claims = \"magi\"\n", "");
    write(dir.path(), "random.toml", &random);
    succeed(dir.path(), &["run", "random.toml", "--out", "blind", "--games", "2"]);
    let error = fail(dir.path(), 2, &["tune", "payoff", "blind"]);
    assert!(error.contains("no game has an evaluation"), "{error}");
}

/// Engines really play by solved offers: offers appear in the log, which checks, and another matrix means other
/// offers from the same openings.
#[test]
fn solved_offers_are_played_and_change_with_the_matrix() {
    let dir = tempdir().unwrap();
    // Long enough to end on the board: without endings nothing is worth offering.
    let experiment = |extra: &str| {
        experiment(extra).replace("move_limit = 60", "move_limit = 300").replace("games = 24", "games = 12")
    };
    write(dir.path(), "small.toml", &experiment(""));
    succeed(dir.path(), &["run", "small.toml", "--out", "log", "--keep-going"]);
    let played = |matrix: &str| {
        let file = format!("{matrix}-offers.toml");
        let solve = ["tune", "payoff", "log", "--matrix", matrix, "--resamples", "0", "--policy", &file];
        succeed(dir.path(), &solve);
        let text = experiment("")
            .replace("claims = \"magi\"\n", "")
            .replace("matrix = \"magi-sample\"\nmove_rule = \"none\"", &format!("matrix = \"{matrix}\""))
            + &format!("[player.offers]\npolicy = \"equilibrium\"\nfile = \"{file}\"\n");
        write(dir.path(), &format!("{matrix}.toml"), &text);
        let out = format!("{matrix}-log");
        succeed(dir.path(), &["run", &format!("{matrix}.toml"), "--out", &out]);
        // The manifest holds the offers themselves; the log follows from the moves.
        std::fs::remove_file(dir.path().join(&file)).unwrap();
        succeed(dir.path(), &["check", &out]);
        let games = std::fs::read_to_string(dir.path().join(out).join("games.csv")).unwrap();
        let mut reader = csv::Reader::from_reader(games.as_bytes());
        let header = reader.headers().unwrap().clone();
        let at = |name: &str| header.iter().position(|h| h == name).unwrap();
        let (draw, resign) = (at("draw_offer"), at("resign_offer"));
        let rows = reader.records().map(|r| r.unwrap());
        rows.map(|r| (r[draw].to_owned(), r[resign].to_owned())).collect::<Vec<_>>()
    };
    let (sample, other) = (played("magi-sample"), played("magi-16"));
    let made = |offers: &[(String, String)]| offers.iter().filter(|o| **o != Default::default()).count();
    assert!(made(&sample) > 0 && made(&other) > 0, "{sample:?}\n{other:?}");
    assert_ne!(sample, other, "the same offers under both matrices");
    // Offers belong to their matrix.
    let text = std::fs::read_to_string(dir.path().join("magi-sample-log/manifest.toml")).unwrap();
    assert!(text.contains("policy = \"equilibrium\""));
    succeed(dir.path(), &["tune", "payoff", "log", "--resamples", "0", "--policy", "p.toml"]);
    let wrong = experiment("") + "[player.offers]\npolicy = \"equilibrium\"\nfile = \"p.toml\"\n";
    write(dir.path(), "wrong.toml", &wrong);
    let error = fail(dir.path(), 2, &["run", "wrong.toml", "--out", "w"]);
    assert!(error.contains("solved for matrix magi-sample with move rule 150"), "{error}");
    let missing = wrong.replace("file = \"p.toml\"\n", "");
    write(dir.path(), "missing.toml", &missing);
    let error = fail(dir.path(), 2, &["run", "missing.toml", "--out", "w"]);
    assert!(error.contains("equipoise tune payoff --policy"), "{error}");
}
