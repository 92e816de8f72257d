//! `submit`: with a stand-in for Slurm's `sbatch` that runs what it is sent.

#![cfg(unix)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use support::{assert_same, equipoise, experiment, fail, succeed, write};
use tempfile::TempDir;

/// Runs each task of an array twice, as after a requeue, then what depends on it.
const SBATCH: &str = "#!/bin/sh\n\
    echo \"$@\" >> sbatch.txt\n\
    cat > job.sh\n\
    case \"$*\" in\n\
    *--array=1-3*) for i in 1 2 3 3; do SLURM_ARRAY_TASK_ID=$i sh job.sh > /dev/null 2>&1 || exit 1; done; echo '7;here';;\n\
    *--dependency=afterok:7\\ *) sh job.sh > merged.txt || exit 1; echo 'Submitted batch job 8';;\n\
    *) echo 'sbatch: error: what is this' >&2; exit 1;;\n\
    esac\n";

fn with_sbatch(text: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    let path = write(dir.path(), "sbatch", text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    write(dir.path(), "small.toml", &experiment(""));
    dir
}

fn go(dir: &Path, shards: &str) -> std::process::Output {
    let path = format!("{}:{}", dir.display(), std::env::var("PATH").unwrap_or_default());
    let args = ["submit", "--slurm", "small.toml", "--shards", shards, "--go", "--out", "a run"];
    equipoise().current_dir(dir).env("PATH", path).args(args).output().unwrap()
}

#[test]
fn parts_and_their_merge_are_the_whole_run() {
    let dir = with_sbatch(SBATCH);
    let sent = go(dir.path(), "3");
    assert!(sent.status.success(), "{}", String::from_utf8_lossy(&sent.stderr));
    assert!(String::from_utf8_lossy(&sent.stdout).contains("Submitted batch job 8"));
    succeed(dir.path(), &["run", "small.toml", "--out", "whole", "--keep-going"]);
    let merged = dir.path().join("a run");
    for name in ["games.csv", "moves.csv", "metrics.csv"] {
        let read = |dir: &Path| std::fs::read(dir.join(name)).unwrap();
        let whole = read(&dir.path().join("whole"));
        assert!(whole.starts_with(&read(&merged)), "{name}");
    }
    // The same as a merge by hand.
    let parts: Vec<String> = (1..=3).map(|i| format!("a run-shards/{i}")).collect();
    succeed(dir.path(), &["merge", "by-hand", &parts[0], &parts[1], &parts[2]]);
    assert_same(&merged, &dir.path().join("by-hand"));
}

#[test]
fn without_go_the_script_is_printed_and_nothing_sent() {
    let dir = with_sbatch(SBATCH);
    let script = succeed(dir.path(), &["submit", "--slurm", "small.toml", "--shards", "4", "--threads", "2"]);
    for expected in [
        "#!/bin/sh\n",
        "--array=1-4 --cpus-per-task=2",
        "--shard \"$SLURM_ARRAY_TASK_ID/4\" --threads 2",
        "--dependency=afterok:",
        " merge results/small results/small-shards/1 ",
    ] {
        assert!(script.contains(expected), "{expected}: {script}");
    }
    assert!(!dir.path().join("sbatch.txt").exists());
}

#[test]
fn what_cannot_be_sent_is_said() {
    let dir = with_sbatch(SBATCH);
    let message = fail(dir.path(), 2, &["submit", "--slurm", "small.toml", "--shards", "25"]);
    assert!(message.contains("--shards 25") && message.contains("24 units"), "{message}");
    let message = fail(dir.path(), 2, &["submit", "--slurm", "20-ladder-magi", "--shards", "2"]);
    assert!(message.contains("many runs"), "{message}");
    let refused = go(dir.path(), "2");
    let text = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text.contains("the jobs were not sent: sbatch: error: what is this"), "{text}");
}
