//! Races between first moves, end to end.

mod support;

use std::path::Path;
use support::{fail, run, succeed, write};
use tempfile::TempDir;

const CLAIMS: &str = "game = \"chess\"\n\
    [[claim]]\nid = \"knights\"\nseed = \"0\"\nsentence = \"s\"\ntest = \"race\"\nmetric = \"first-squares\"\n\
    pieces = \"N\"\nof_best = 0.03\ncomparison = \"above\"\nthreshold = 1.0\n\
    [[claim]]\nid = \"moves\"\nseed = \"0\"\nsentence = \"s\"\ntest = \"race\"\nmetric = \"first-moves\"\n\
    of_best = 0.03\ncomparison = \"above\"\nthreshold = 0.0\ncontrol = { game = \"mageca\" }\n\
    [[claim]]\nid = \"draws\"\nseed = \"0\"\nsentence = \"s\"\ntest = \"sequence\"\nmetric = \"draw\"\n\
    comparison = \"below\"\nthreshold = 0.5\n";

fn experiment(games: u32, ids: &str, extra: &str) -> String {
    format!(
        "name = \"r\"\ngame = \"chess\"\nseed = 3\ngames = {games}\nmove_limit = 25\nclaims = \"c.toml\"\n\
         claim_ids = [{ids}]\n{extra}\n[race]\nrounds = 2\n[openings]\nmethod = \"random\"\nplies = 3\n\
         [[player]]\nname = \"one\"\nnodes = 12\n"
    )
}

fn folder(games: u32, ids: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "c.toml", CLAIMS);
    write(dir.path(), "r.toml", &experiment(games, ids, ""));
    dir
}

fn result(dir: &Path, out: &str) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(out).join("race.json")).unwrap()).unwrap()
}

#[test]
fn a_race_is_the_same_with_any_threads_and_goes_on_where_it_was() {
    let dir = folder(64, "\"knights\"");
    let dir = dir.path();
    let text = succeed(dir, &["run", "r.toml", "--out", "a", "--threads", "1"]);
    for expected in ["Nb1: ", "Ng1: ", "first-move entropy ", "knights  UNDECIDED", "the best"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    succeed(dir, &["run", "r.toml", "--out", "b", "--threads", "2"]);
    assert_eq!(result(dir, "a"), result(dir, "b"));
    // A round that is gone is played again, and nothing else.
    std::fs::remove_dir_all(dir.join("b/r/round-2")).unwrap();
    std::fs::remove_file(dir.join("b/race.json")).unwrap();
    let again = run(dir, &["run", "r.toml", "--out", "b", "--resume", "--json"]);
    let told = String::from_utf8_lossy(&again.stderr).matches(" games in ").count();
    assert_eq!((again.status.code(), told), (Some(0), 0));
    assert_eq!(result(dir, "a"), result(dir, "b"));
    let raced = &result(dir, "a")["races"][0];
    assert!((48..=64).contains(&raced["games"].as_u64().unwrap()), "{raced}");
    let message = fail(dir, 2, &["run", "r.toml", "--out", "a"]);
    assert!(message.contains("add --resume"), "{message}");
}

#[test]
fn two_games_are_raced_for_a_difference() {
    let dir = folder(480, "\"moves\"");
    let plan = succeed(dir.path(), &["run", "r.toml", "--dry-run"]);
    assert!(plan.contains("chess ") && plan.contains("mageca "), "{plan}");
    let json = succeed(dir.path(), &["run", "r.toml", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["races"][0]["groups"][0]["moves"], 20);
    assert_eq!(value["races"][1]["game"], "mageca");
    // Of each game at least the best counts, and at most all moves.
    let others = value["races"][1]["groups"][0]["moves"].as_i64().unwrap();
    assert_eq!(value["claims"][0]["interval"], format!("{} to {}", 1 - others, 19));
    assert_eq!(value["claims"][0]["verdict"], "UNDECIDED");
}

#[test]
fn what_is_no_race_is_refused() {
    let dir = folder(30, "\"moves\"");
    let message = fail(dir.path(), 2, &["run", "r.toml"]);
    assert!(message.contains("games is 30") && message.contains("at least 160"), "{message}");
    for (ids, extra, expected) in [
        ("\"draws\"", "", "claim draws is decided otherwise"),
        ("\"moves\"", "[ladder]\nto = 24\n", "neither [ladder] nor [sprt]"),
    ] {
        write(dir.path(), "bad.toml", &experiment(400, ids, extra));
        let message = fail(dir.path(), 2, &["run", "bad.toml"]);
        assert!(message.contains(expected), "{message}");
    }
    write(dir.path(), "bad.toml", &experiment(400, "\"moves\"", "").replace("rounds = 2", "rounds = 0"));
    assert!(fail(dir.path(), 2, &["run", "bad.toml"]).contains("rounds"));
    assert!(
        fail(dir.path(), 2, &["run", "r.toml", "--games", "400", "--shard", "1/2"]).contains("no shards")
    );
}
