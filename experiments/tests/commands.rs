//! The commands that answer about one position or one game.

mod support;

use std::io::Write;
use std::process::Stdio;
use support::{equipoise, succeed};
use tempfile::tempdir;

fn answer(args: &[&str]) -> String {
    succeed(tempdir().unwrap().path(), args)
}

fn answer_to(input: &str, args: &[&str]) -> String {
    let mut child = equipoise()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn moves_are_sorted_one_a_line() {
    let moves = answer(&["moves", "chess"]);
    let lines: Vec<&str> = moves.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!((lines[0], lines[19]), ("a2a3", "h2h4"));
    let both = answer_to(&format!("{START}\n\n{START}\n"), &["moves", "chess", "--fens", "-"]);
    assert_eq!(both.lines().count(), 2);
    assert_eq!(both.lines().next().unwrap(), lines.join(" "));
}

#[test]
fn play_gives_the_position_and_the_termination() {
    let mate = answer(&["play", "chess", "f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(mate, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\tcheckmate\n");
    let lines = answer_to(&format!("{START}\te2e4\n{START}\t\n"), &["play", "chess", "--lines", "-"]);
    assert_eq!(lines, format!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n{START}\n"));
}

#[test]
fn perft_ends_with_the_count() {
    assert_eq!(answer(&["perft", "chess", "3"]), "nodes 8902\n");
    let divided = answer(&["perft", "chess", "2", "--divide"]);
    assert_eq!(divided.lines().count(), 21);
    assert!(divided.starts_with("a2a3: 20\n") && divided.ends_with("nodes 400\n"));
    assert_eq!(answer(&["perft", "chess", "0"]), "nodes 1\n");
}

#[test]
fn search_speaks_uci() {
    let text = answer(&["search", "chess", "--nodes", "2000"]);
    assert!(text.lines().next().unwrap().starts_with("info depth 1 "), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    let mate = answer(&["search", "chess", "--nodes", "2000", "--fen", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"]);
    assert!(mate.contains("score mate 1") && mate.ends_with("bestmove a1a8\n"), "{mate}");
}

#[test]
fn bench_is_repeatable() {
    let bench = || -> serde_json::Value {
        let args = ["bench", "magi", "--positions", "2", "--nodes", "2000", "--json"];
        serde_json::from_str(&answer(&args)).unwrap()
    };
    let (a, b) = (bench(), bench());
    assert_eq!(a[0]["signature"], b[0]["signature"]);
    assert_eq!(a[0]["nodes"], b[0]["nodes"]);
}

#[test]
fn games_are_described() {
    let list: serde_json::Value = serde_json::from_str(&answer(&["games", "--json"])).unwrap();
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"magi") && names.contains(&"mchess"), "{names:?}");
    for name in names {
        let text = answer(&["games", "show", name]);
        assert!(text.contains("a b c"), "{text}");
    }
    let court = "10/B9/K9/3k6/10/10/10/10/10/10 w - - 0 1";
    assert!(answer(&["moves", "mageca", "--fen", court, "--san", "--slashed-ten"]).contains("\nBbØ\n"));
    let magi = answer(&["games", "show", "magi"]);
    assert!(magi.contains("choice") && magi.contains("reconstructed"), "{magi}");
}

#[test]
fn templates_are_valid_for_every_game() {
    let dir = tempdir().unwrap();
    let list: serde_json::Value = serde_json::from_str(&answer(&["games", "--json"])).unwrap();
    for game in list.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        support::write(dir.path(), "x.toml", &answer(&["new", "experiment", name]));
        let plan = succeed(dir.path(), &["run", "x.toml", "--dry-run"]);
        assert!(plan.contains(&format!("game = \"{name}\"")), "{plan}");
        support::write(dir.path(), "c.toml", &answer(&["new", "claims", name]));
        let with_claims =
            answer(&["new", "experiment", name]).replace("# claims = \"claims.toml\"", "claims = \"c.toml\"");
        support::write(dir.path(), "y.toml", &with_claims);
        let plan = succeed(dir.path(), &["run", "y.toml", "--dry-run"]);
        assert!(plan.contains("[[experiment.claim]]"), "{plan}");
        support::write(dir.path(), "w.toml", &answer(&["new", "weights", name, "--rule-of-thumb"]));
        let with_weights =
            answer(&["new", "experiment", name]).replace("nodes = 1000", "nodes = 1000\neval = \"w.toml\"");
        support::write(dir.path(), "z.toml", &with_weights);
        let plan = succeed(dir.path(), &["run", "z.toml", "--dry-run"]);
        assert!(plan.contains("[material]"), "{plan}");
    }
    // The weights in force are those of the repository's file, but for what it says about itself.
    let weights = |text: &str| text.split_once("\n[material]").unwrap().1.to_owned();
    let in_force = answer(&["new", "weights", "chess"]);
    assert_eq!(weights(&in_force), weights(include_str!("../../data/eval/chess.toml")));
    assert!(answer(&["new", "matrix", "magi"]).contains("bands"));
}

#[test]
fn games_of_a_log_are_replayed() {
    let dir = tempdir().unwrap();
    support::write(dir.path(), "x.toml", &support::experiment("").replace("games = 24", "games = 2"));
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let boards = succeed(dir.path(), &["replay", "a", "2"]);
    assert!(boards.starts_with("game 2: one ") && boards.contains("\nply 7: 4. "), "{boards}");
    let pgn = succeed(dir.path(), &["replay", "a", "2", "--pgn"]);
    assert!(pgn.contains("[Variant \"magi\"]") && pgn.contains("\n\n1. "), "{pgn}");
    assert!(pgn.contains(" {[%eval ") && !pgn.contains("{[%eval -]}"), "{pgn}");
    let error = support::fail(dir.path(), 2, &["replay", "a", "77"]);
    assert!(error.contains("a has no game 77; it has 2 games"), "{error}");
}

#[test]
fn completions_are_printed() {
    assert!(answer(&["completions", "bash"]).contains("equipoise"));
}
