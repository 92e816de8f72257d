//! The tuners, end to end.

mod support;

use support::{fail, run, succeed};
use tempfile::tempdir;

const QUICK: [&str; 6] = ["--games", "60", "--nodes", "60", "--plies", "6"];

fn tune_eval(dir: &std::path::Path, extra: &[&str]) -> String {
    let mut args = vec!["tune", "eval", "magi"];
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
        ["game = \"magi\"", "games = \"60\"", "seed = \"1\"", "held_out_loss", "program = \"equipoise "]
    {
        assert!(read("a.toml").contains(key), "{key}");
    }
    // From the log alone the same weights come out.
    let third = succeed(dir.path(), &["tune", "eval", "a", "--out", "c.toml"]);
    assert_eq!(third.replace("c.toml", "b.toml"), second);
    // A player with the weights plays other games.
    let play = |out: &str, eval: &str| {
        let text = format!(
            "name = \"x\"\ngame = \"magi\"\nseed = 3\ngames = 2\nmove_limit = 40\n[openings]\nmethod = \"random\"\n\
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
    let misspelt = try_with(&text.replacen("\nduke =", "\ndukke =", 1));
    assert!(misspelt.contains("w.toml") && misspelt.contains("did you mean `material.duke`?"), "{misspelt}");
    let line = text.lines().find(|l| l.starts_with("duke =")).unwrap();
    let missing = try_with(&text.replacen(line, "", 1));
    assert!(missing.contains("no weight for the term `material.duke`"), "{missing}");
    let word = try_with(&text.replacen(line, "duke = [5, \"x\"]", 1));
    assert!(word.contains("material.duke") && word.contains("pair of whole centipawns"), "{word}");
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
