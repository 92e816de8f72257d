//! Other programs as players: their faults end games, never runs.

mod support;

use std::path::Path;
use support::{fail, run, succeed, write};

const ENGINE: &str = env!("CARGO_BIN_EXE_equipoise");

/// An experiment between a small search and the program `command` (TOML, in brackets).
fn against(game: &str, kind: &str, command: &str, limit: &str, games: u32) -> String {
    format!(
        "name = \"external\"\ngame = \"{game}\"\nseed = 3\ngames = {games}\nmove_limit = 20\n\
         [openings]\nmethod = \"random\"\nplies = 4\n\
         [[player]]\nname = \"ours\"\nnodes = 50\n\
         [[player]]\nname = \"theirs\"\nkind = \"{kind}\"\ncommand = {command}\n{limit}\ntimeout = 2\nstart_timeout = 20\n"
    )
}

fn mock(tongue: &str, fault: &str, at: u32) -> String {
    format!("[{ENGINE:?}, \"mock-engine\", \"{tongue}\", \"{fault}\", \"{at}\"]")
}

/// Plays it and gives the column `termination` of all games.
fn terminations(experiment: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "x.toml", experiment);
    succeed(dir.path(), &["run", "x.toml", "--out", "out", "--threads", "1"]);
    let rows = rows(dir.path());
    succeed(dir.path(), &["check", "out"]);
    rows
}

fn rows(dir: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join("out/games.csv")).unwrap();
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|c| c == "termination").unwrap();
    lines.map(|l| l.split(',').nth(at).unwrap().to_owned()).collect()
}

#[test]
fn a_program_that_behaves_plays_whole_games() {
    for (kind, limit) in [("uci", "nodes = 50"), ("xboard", "depth = 1")] {
        for game in ["magi", "chess960"] {
            let ended = terminations(&against(game, kind, &format!("[{ENGINE:?}, \"{kind}\"]"), limit, 4));
            assert_eq!(ended.len(), 4);
            assert!(ended.iter().all(|t| !t.starts_with("fault")), "{kind} {game}: {ended:?}");
        }
    }
}

#[test]
fn each_fault_has_its_own_termination_and_the_run_goes_on() {
    for (kind, limit) in [("uci", "nodes = 50"), ("xboard", "depth = 1")] {
        for (fault, termination) in
            [("crash", "fault-crash"), ("illegal", "fault-illegal"), ("garbage", "fault-protocol")]
        {
            let ended = terminations(&against("magi", kind, &mock(kind, fault, 3), limit, 4));
            assert_eq!(ended.len(), 4, "{kind} {fault}");
            assert!(ended.iter().all(|t| t == termination), "{kind} {fault}: {ended:?}");
        }
    }
}

#[test]
fn a_program_that_stalls_is_not_waited_for() {
    for (kind, limit) in [("uci", "nodes = 50"), ("xboard", "depth = 1")] {
        let ended = terminations(&against("magi", kind, &mock(kind, "stall", 2), limit, 2));
        assert_eq!(ended, ["fault-hang"; 2], "{kind}");
    }
}

#[test]
fn what_cannot_play_at_all_is_refused_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |experiment: &str| {
        write(dir.path(), "x.toml", experiment);
        let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "out"]);
        std::fs::remove_dir_all(dir.path().join("out")).ok();
        error
    };
    let error = refused(&against("magi", "uci", "[\"/nonexistent/engine\"]", "nodes = 50", 2));
    assert!(error.contains("player `theirs`") && error.contains("cannot start"), "{error}");
    let error = refused(&against("magi", "uci", &mock("uci", "start-crash", 1), "nodes = 50", 2));
    assert!(error.contains("the program ended"), "{error}");
    let start_stall = against("magi", "uci", &mock("uci", "start-stall", 1), "nodes = 50", 2);
    let error = refused(&start_stall.replace("start_timeout = 20", "start_timeout = 1"));
    assert!(error.contains("no uciok in the time allowed"), "{error}");
    let ours = format!("[{ENGINE:?}, \"uci\"]");
    let error = refused(&against("magi", "uci", &ours, "nodes = 50\nvariant = \"xiangqi\"", 2));
    assert!(error.contains("does not play `xiangqi`"), "{error}");
    let error = refused(&against("magi", "uci", &ours, "nodes = 50\nset = { Hush = \"1\" }", 2));
    assert!(error.contains("no option `Hush`"), "{error}");
    let error = refused(&against("magi", "uci", &ours, "", 2));
    assert!(error.contains("`movetime`"), "{error}");
    let error = refused(&against("magi", "xboard", &ours, "nodes = 50", 2));
    assert!(error.contains("no node limit"), "{error}");
    let error = refused(&against("magi", "uci", "[]", "nodes = 50", 2));
    assert!(error.contains("the program and its arguments"), "{error}");
}

#[test]
fn a_run_with_another_program_says_that_it_cannot_be_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let ours = format!("[{ENGINE:?}, \"uci\"]");
    write(dir.path(), "x.toml", &against("magi", "uci", &ours, "depth = 1\nset = { Hash = \"1\" }", 2));
    let output = run(dir.path(), &["run", "x.toml", "--out", "out"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("`theirs`") && stderr.contains("not repeatable"), "{stderr}");
    let manifest = std::fs::read_to_string(dir.path().join("out/manifest.toml")).unwrap();
    assert!(manifest.contains("kind = \"uci\"") && manifest.contains("Hash = \"1\""), "{manifest}");
}
