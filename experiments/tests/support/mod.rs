//! What the end-to-end tests share: the binary, folders, a small experiment.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The binary under test.
pub fn equipoise() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_equipoise"));
    command.env_remove("EQUIPOISE_FULL");
    command
}

/// Runs the binary in `dir`.
pub fn run(dir: &Path, args: &[&str]) -> Output {
    equipoise().current_dir(dir).args(args).output().expect("the binary starts")
}

/// Runs the binary, which must succeed, and gives its standard output.
#[track_caller]
pub fn succeed(dir: &Path, args: &[&str]) -> String {
    let output = run(dir, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?} failed ({}): {stderr}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// Runs the binary, which must fail with `code` and one line, which is given.
#[track_caller]
pub fn fail(dir: &Path, code: i32, args: &[&str]) -> String {
    let output = run(dir, args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    let errors: Vec<&str> = stderr.lines().filter(|l| l.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{args:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    errors[0].to_owned()
}

/// A small experiment: quick games that end in many ways.
pub fn experiment(extra: &str) -> String {
    format!(
        "name = \"small\"\ngame = \"magi\"\nseed = 7\ngames = 24\nmove_limit = 60\nclaims = \"magi\"\n{extra}\n\
         [openings]\nmethod = \"random\"\nplies = 6\n\
         [payoff]\nmatrix = \"magi-sample\"\nmove_rule = \"none\"\n\
         [[player]]\nname = \"one\"\nnodes = 60\n"
    )
}

/// Writes a file into `dir` and gives its path.
pub fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path
}

/// The files of a run that must be the same bytes however it was played.
pub const FILES: [&str; 5] = ["manifest.toml", "games.csv", "moves.csv", "metrics.csv", "summary.json"];

/// Fails unless two runs' folders hold the same bytes.
#[track_caller]
pub fn assert_same(a: &Path, b: &Path) {
    for name in FILES {
        let read = |dir: &Path| std::fs::read(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(read(a) == read(b), "{name} differs between {} and {}", a.display(), b.display());
    }
}

/// Whether the long checks run.
pub fn full_check() -> bool {
    std::env::var("EQUIPOISE_FULL").is_ok_and(|v| v == "1")
}
