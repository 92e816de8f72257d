//! Set-ups and numbers by self-play, end to end: small, interrupted by nothing, gone on with, repeatable.

mod support;

use serde_json::Value;
use std::path::Path;
use support::{fail, succeed};

const SETUP: [&str; 10] =
    ["tune", "setup", "mchess", "--games", "96", "--nodes", "30", "--move-limit", "60", "--json"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn setup(dir: &Path, extra: &[&str]) -> String {
    succeed(dir, &[&SETUP, extra].concat())
}

#[test]
fn set_ups_are_compared_and_the_comparison_can_be_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let whole = setup(dir.path(), &["--out", "a", "--threads", "1"]);
    let found = json(&whole);
    assert_eq!((found["games"].as_u64(), found["setups"].as_array().map(Vec::len)), (Some(96), Some(4)));
    let mixture = found["equilibrium"]["sides"][0]["mixture"].as_array().unwrap();
    let shares: f64 = mixture.iter().map(|s| s["share"]["value"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{shares}");
    // A round's run taken away is played again to the same figures, on any number of threads.
    std::fs::remove_dir_all(dir.path().join("a/round-3")).unwrap();
    assert_eq!(setup(dir.path(), &["--out", "a", "--resume", "--threads", "2"]), whole);
    // Each round is a run like any other.
    assert!(succeed(dir.path(), &["check", "a/round-1"]).contains("mchess"));
    let message = fail(dir.path(), 2, &[&SETUP[..], &["--out", "a"]].concat());
    assert!(message.contains("--resume"), "{message}");
    let message = fail(dir.path(), 2, &[&SETUP[..], &["--out", "a", "--resume", "--seed", "2"]].concat());
    assert!(message.contains("`seed = 1`") && message.contains("`seed = 2`"), "{message}");
}

#[test]
fn arrays_that_are_seen_get_both_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["tune", "setup", "multi-chess", "--games", "256", "--nodes", "10", "--move-limit", "30"];
    let text = succeed(dir.path(), &args);
    for part in ["choice   ", "balance  ", "of 57 starts", "RNBBKQNR", "value to White"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(dir.path().join("results/setup-multi-chess-1/result.json").exists());
}

#[test]
fn wrong_use_of_setup_is_told_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let message = fail(dir.path(), 2, &["tune", "setup", "magi"]);
    assert!(message.contains("do not choose set-ups"), "{message}");
    let message = fail(dir.path(), 2, &["tune", "setup", "multi-chess", "--games", "100"]);
    assert!(message.contains("at least 256"), "{message}");
    std::fs::write(dir.path().join("own.toml"), "one = \"8/PPPPPPPP/RNBQKBNR\"\ntwo = \"8/8/8\"\n").unwrap();
    let message = fail(dir.path(), 2, &["tune", "setup", "mchess", "--setups", "own.toml"]);
    assert!(message.contains("set-up two: `8/8/8`"), "{message}");
}

const HEALTH: [&str; 15] = [
    "tune",
    "health",
    "mchess",
    "--generations",
    "2",
    "--mutants",
    "2",
    "--games",
    "48",
    "--confirm",
    "96",
    "--nodes",
    "20",
    "--move-limit",
    "60",
];

#[test]
fn numbers_are_searched_for_and_the_file_is_played_by() {
    let dir = tempfile::tempdir().unwrap();
    let text = succeed(dir.path(), &[&HEALTH[..], &["--out", "h"]].concat());
    assert!(text.contains("a bishop is worth") && text.contains("h/numbers.toml"), "{text}");
    let file = std::fs::read_to_string(dir.path().join("h/numbers.toml")).unwrap();
    assert!(file.contains("[provenance]") && file.contains("--seed 1"), "{file}");
    // Every product is exact, or this would be refused; and the numbers are those that were found.
    let line = text.lines().find_map(|l| l.strip_prefix("found ")).unwrap();
    let shown = |numbers: &str| succeed(dir.path(), &["games", "show", "mchess", "--set", numbers]);
    assert_eq!(shown("numbers=@h/numbers.toml"), shown(&format!("numbers={line}")));
    std::fs::remove_dir_all(dir.path().join("h/generation-002")).unwrap();
    let again = succeed(dir.path(), &[&HEALTH[..], &["--out", "h", "--resume"]].concat());
    assert_eq!(again, text);
    let message = fail(dir.path(), 2, &["tune", "health", "magi"]);
    assert!(message.contains("magi has no health to tune"), "{message}");
}
