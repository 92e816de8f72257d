//! Bad input: one clear line, the right exit code, nothing overwritten.

mod support;

use std::path::Path;
use support::{equipoise, experiment, fail, succeed, write};
use tempfile::tempdir;

#[track_caller]
fn refuses(args: &[&str], expected: &[&str]) {
    let dir = tempdir().unwrap();
    let error = fail(dir.path(), 2, args);
    for part in expected {
        assert!(error.contains(part), "{args:?}: `{part}` is not in: {error}");
    }
}

#[test]
fn unknown_games_and_options_come_with_the_nearest_name() {
    refuses(&["moves", "magy"], &["unknown game `magy`", "did you mean `magi`?"]);
    refuses(&["perft", "magi", "1", "--set", "dead_position=drawn"], &["did you mean `dead_positions`?"]);
    refuses(&["perft", "magi", "1", "--set", "dead_positions=dran"], &["does not take `dran`", "drawn"]);
    refuses(
        &["perft", "magi", "1", "--set", "dead_positions"],
        &["`dead_positions` is not of the form option=value"],
    );
}

#[test]
fn malformed_positions_are_refused() {
    const REST: &str = "w KQkq - 0 1 d3g3d8g8";
    const BOARD: &str = "rnbcqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR";
    let cases = [
        (format!("{} {REST}", BOARD.replacen("10", "9", 1)), "9 squares wide"),
        (format!("{} {REST}", BOARD.replacen("10", "3K6", 1)), "king"),
        (format!("{} {REST}", BOARD.replace("RNBCQKWBNR", "1NBCQKWBNR")), "castling"),
        (format!("{BOARD} w KQkq e4 0 1 d3g3d8g8"), "e4"),
        (format!("{} {REST}", BOARD.replacen("10", "3x6", 1)), "`x`"),
        (format!("{BOARD} w KQkq - 0 1"), "fields"),
    ];
    for (fen, part) in &cases {
        refuses(&["moves", "magi", "--fen", fen], &[part]);
    }
}

#[test]
fn illegal_moves_are_refused() {
    refuses(&["play", "magi", "a2a6"], &["`a2a6` is not a legal move of magi"]);
    refuses(&["play", "magi", "nonsense"], &["`nonsense` is not a legal move"]);
}

#[track_caller]
fn refuses_file(text: &str, expected: &[&str]) {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", text);
    let error = fail(dir.path(), 2, &["run", "x.toml"]);
    for part in expected {
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }
    assert!(!dir.path().join("results").exists(), "nothing may be made for: {error}");
}

#[test]
fn experiment_files_are_refused_with_line_and_expectation() {
    let change = |from: &str, to: &str| experiment("").replace(from, to);
    refuses_file(&change("seed", "sead"), &["x.toml, line 3", "unknown key `sead`", "did you mean `seed`?"]);
    refuses_file(&change("games = 24", "games = \"many\""), &["line 4", "\"many\"", "a whole number"]);
    refuses_file(&change("games = 24", "games : 24"), &["x.toml, line 4"]);
    refuses_file(&change("\"magi\"\nseed", "\"magic\"\nseed"), &["line 2", "did you mean `magi`?"]);
    refuses_file(&change("\"random\"", "\"rando\""), &["line 9", "did you mean \"random\"?"]);
    refuses_file(&change("nodes = 60", "nodes = 0"), &["`nodes` in [[player]] number 1 is 0"]);
    refuses_file(&change("nodes = 60", ""), &["has no `nodes`"]);
    refuses_file(&change("\"magi-sample\"", "\"magi-sampel\""), &["did you mean \"magi-sample\"?"]);
    refuses_file(
        &change("move_rule = \"none\"", "move_rule = 150"),
        &["claim magi-draws is judged on games with"],
    );
    refuses_file(
        &change("method = \"random\"\nplies = 6", "method = \"fixed\""),
        &["the same game would be played again"],
    );
    refuses_file(
        &change("claims = \"magi\"", "claims = \"magi\"\nclaim_ids = [\"magi-drows\"]"),
        &["did you mean `magi-draws`?"],
    );
    let odd = change("games = 24", "games = 3") + "[[player]]\nname = \"two\"\nnodes = 9\n";
    refuses_file(&odd, &["games is 3, expected an even number"]);
    let same = experiment("") + "[[player]]\nname = \"one\"\nnodes = 9\n";
    refuses_file(&same, &["both players are named `one`"]);
    refuses_file(&(experiment("") + "[player.search]\nfutilty = 3\n"), &["did you mean `futility`?"]);
    refuses_file(&experiment("[options]\nmove_rule = true"), &["option move_rule is true"]);
}

#[test]
fn openings_that_run_out_are_said_to() {
    let dir = tempdir().unwrap();
    let text = experiment("").replace("plies = 6", "plies = 1").replace("games = 24", "games = 100");
    write(
        dir.path(),
        "x.toml",
        &text.replace("nodes = 60", "nodes = 1").replace("move_limit = 60", "move_limit = 2"),
    );
    let error = fail(dir.path(), 2, &["run", "x.toml"]);
    assert!(error.contains("no new opening for unit 39"), "{error}");
}

#[test]
fn a_folder_with_another_run_is_left_alone() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 2"));
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let before = std::fs::read(dir.path().join("a/games.csv")).unwrap();
    let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "a"]);
    assert!(error.contains("holds a run already; add --resume"), "{error}");
    let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "a", "--resume", "--seed", "9"]);
    assert!(error.contains("its seed is 7, and 9 was asked for"), "{error}");
    let other = experiment("").replace("games = 24", "games = 2").replace("nodes = 60", "nodes = 61");
    write(dir.path(), "y.toml", &other);
    let error = fail(dir.path(), 2, &["run", "y.toml", "--out", "a", "--resume"]);
    assert!(error.contains("differs from this one in `player`"), "{error}");
    assert_eq!(before, std::fs::read(dir.path().join("a/games.csv")).unwrap());
    // A folder of other things gets nothing, not even a lock.
    std::fs::create_dir(dir.path().join("mine")).unwrap();
    write(&dir.path().join("mine"), "thesis.txt", "text");
    let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "mine"]);
    assert!(error.contains("thesis.txt"), "{error}");
    assert_eq!(std::fs::read_dir(dir.path().join("mine")).unwrap().count(), 1);
    let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "b", "--resume"]);
    assert!(error.contains("there is no run in b to resume"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_nothing_is_exit_1() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 2"));
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let error = fail(dir.path(), 1, &["report", "a", "--out", "/proc/no/report.html"]);
    assert!(error.contains("cannot write /proc/no/report.html"), "{error}");
    let error = fail(dir.path(), 1, &["run", "x.toml", "--out", "/proc/run"]);
    assert!(error.contains("cannot make the folder /proc/run"), "{error}");
}

/// A log that stops taking rows in mid-run keeps its whole units and goes on when there is room again. The
/// shell's limit on the size of a file stands for the full disk: writes fail part of the way in both.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_loses_no_whole_unit() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment(""));
    succeed(dir.path(), &["run", "x.toml", "--out", "whole"]);
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" run x.toml --out full";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_equipoise")])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error: cannot write full/moves.csv: "), "{stderr}");
    succeed(dir.path(), &["run", "x.toml", "--out", "full", "--resume"]);
    support::assert_same(&dir.path().join("whole"), &dir.path().join("full"));
}

/// Edits one cell of a CSV file: the first row in which `column` is not empty.
fn edit(path: &Path, column: &str, value: &str) -> (usize, String) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = lines[0].split(',').position(|c| c == column).unwrap();
    let row = (1..lines.len()).find(|&r| !lines[r].split(',').nth(at).unwrap().is_empty()).unwrap_or(1);
    let mut cells: Vec<String> = lines[row].split(',').map(str::to_owned).collect();
    let old = std::mem::replace(&mut cells[at], value.to_owned());
    lines[row] = cells.join(",");
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
    (row, old)
}

#[test]
fn an_edited_log_is_refused_naming_file_and_row() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 4"));
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    succeed(dir.path(), &["check", "a"]);
    let cases = [
        ("games.csv", "winner", "nobody", "column `winner` is `nobody`"),
        ("games.csv", "result", "2-0", "column `result` is `2-0`"),
        ("games.csv", "termination", "repetition", "is logged as"),
        ("games.csv", "plies", "3", "plies is `3`"),
        ("games.csv", "moves", "1", "moves is `1`"),
        ("games.csv", "seed", "1", "seed is `1`"),
        ("games.csv", "unit_id", "9", "the run has no unit 9"),
        ("games.csv", "game_id", "3", "game_id is"),
        ("games.csv", "white", "nobody", "white is `nobody`"),
        ("games.csv", "options", "none", "options is `none`"),
        ("games.csv", "duplicate_of", "1", "duplicate_of"),
        ("games.csv", "eval_final", "high", "column `eval_final`"),
        ("games.csv", "draw_offer", "1:white:accepted:0:0", "draw offer"),
        ("moves.csv", "moves", "a1a1", "one evaluation"),
        ("metrics.csv", "captures", "99", "captures = `99`"),
    ];
    for (file, column, value, part) in cases {
        let path = dir.path().join("a").join(file);
        let original = std::fs::read(&path).unwrap();
        let (row, _) = edit(&path, column, value);
        let error = fail(dir.path(), 2, &["check", "a"]);
        assert!(error.contains(part), "{column}: `{part}` is not in: {error}");
        assert!(error.contains(".csv, row"), "{column} of row {row}: {error}");
        std::fs::write(&path, original).unwrap();
    }
    // Cut short, in the middle of a row and between rows.
    for file in ["games.csv", "moves.csv"] {
        let path = dir.path().join("a").join(file);
        let original = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &original[..original.len() - 30]).unwrap();
        fail(dir.path(), 2, &["check", "a"]);
        let rows: Vec<&str> = original.lines().collect();
        std::fs::write(&path, rows[..rows.len() - 1].join("\n") + "\n").unwrap();
        let error = fail(dir.path(), 2, &["check", "a"]);
        assert!(error.contains(file) && error.contains("row"), "{error}");
        std::fs::write(&path, original).unwrap();
    }
    succeed(dir.path(), &["check", "a"]);
    let error = fail(dir.path(), 2, &["check", "nowhere"]);
    assert!(error.contains("nowhere holds no run"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = equipoise()
        .args(["perft", "magi", "2", "--divide"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert!(output.status.success());
}

#[test]
fn require_speaks_by_exit_code() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 2"));
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let error = fail(dir.path(), 1, &["check", "a", "--require", "SUPPORTED"]);
    assert!(error.contains("magi-draws is UNDECIDED"), "{error}");
    let json = succeed(dir.path(), &["check", "a", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["claims"][0]["id"], "magi-control");
    assert_eq!(value["claims"][0]["verdict"], "SUPPORTED");
}
