//! Runs end to end: the same bytes for any number of threads, after any interruption, from any shards.

mod support;

use std::path::Path;
use std::time::Duration;
use support::{assert_same, experiment, fail, full_check, run, succeed, write};
use tempfile::tempdir;

const PAIR: &str = "name = \"pair\"\ngame = \"chess\"\nseed = 3\ngames = 12\nmove_limit = 40\n\
    [openings]\nmethod = \"random\"\nplies = 4\n\
    [payoff]\nmatrix = \"winner-takes-all\"\nmove_rule = \"none\"\n\
    [[player]]\nname = \"a\"\nnodes = 40\n[player.offers]\npolicy = \"threshold\"\nresign_at = -300\n\
    draw_within = 30\ndraw_from = 10\naccept_draw_at = 10\n\
    [[player]]\nname = \"b\"\nnodes = 40\n[player.offers]\npolicy = \"threshold\"\nresign_at = -300\nplay_on_at = 600\n\
    accept_draw_at = 0\n";

#[test]
fn one_and_two_threads_write_the_same_bytes() {
    let dir = tempdir().unwrap();
    for (name, text) in [("small.toml", experiment("")), ("pair.toml", PAIR.to_owned())] {
        write(dir.path(), name, &text);
        for threads in ["1", "2", "5"] {
            let out = format!("{name}-{threads}");
            succeed(dir.path(), &["run", name, "--out", &out, "--threads", threads]);
            assert_same(&dir.path().join(format!("{name}-1")), &dir.path().join(&out));
        }
        // Everything in the log follows from the moves.
        succeed(dir.path(), &["check", &format!("{name}-1")]);
    }
    let pairs = std::fs::read_to_string(dir.path().join("pair.toml-1/games.csv")).unwrap();
    assert!(pairs.contains(":accepted:") && pairs.contains(":refused:"), "offers of both fates:\n{pairs}");
    assert!(pairs.contains(",a,b,") && pairs.contains(",b,a,"), "colours exchanged");
}

#[test]
fn another_seed_plays_other_games() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment(""));
    succeed(dir.path(), &["run", "x.toml", "--out", "a", "--games", "4"]);
    succeed(dir.path(), &["run", "x.toml", "--out", "b", "--games", "4", "--seed", "8"]);
    let moves = |name: &str| std::fs::read_to_string(dir.path().join(name).join("moves.csv")).unwrap();
    assert_ne!(moves("a"), moves("b"));
}

/// Kills a run with SIGKILL after `delay`; gives whether it was still running.
#[cfg(unix)]
fn kill_after(dir: &Path, args: &[&str], delay: Duration) -> bool {
    let mut child = support::equipoise()
        .current_dir(dir)
        .args(args)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(delay);
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

#[cfg(unix)]
#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment(""));
    succeed(dir.path(), &["run", "x.toml", "--out", "whole"]);
    let delays: &[u64] =
        if full_check() { &[5, 20, 40, 60, 80, 100, 150, 200, 300, 400] } else { &[40, 150] };
    for &delay in delays {
        let out = format!("killed-{delay}");
        let args = ["run", "x.toml", "--out", &out, "--threads", "2"];
        kill_after(dir.path(), &args, Duration::from_millis(delay));
        // Killed again while resuming, then let through.
        let resume = ["run", "x.toml", "--out", &out, "--threads", "1", "--resume"];
        kill_after(dir.path(), &resume, Duration::from_millis(delay));
        std::fs::create_dir_all(dir.path().join(&out)).unwrap();
        succeed(dir.path(), &resume);
        assert_same(&dir.path().join("whole"), &dir.path().join(&out));
    }
}

/// Whatever byte the writer was killed at, in whichever file.
#[test]
fn a_log_torn_anywhere_is_repaired() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 6"));
    succeed(dir.path(), &["run", "x.toml", "--out", "whole"]);
    let whole = dir.path().join("whole");
    for name in ["games.csv", "moves.csv", "metrics.csv"] {
        let bytes = std::fs::read(whole.join(name)).unwrap();
        let step = if full_check() { bytes.len() / 40 } else { bytes.len() / 4 };
        for keep in (0..bytes.len()).step_by(step.max(1)) {
            let torn = dir.path().join("torn");
            let _ = std::fs::remove_dir_all(&torn);
            std::fs::create_dir(&torn).unwrap();
            for file in ["manifest.toml", "games.csv", "moves.csv", "metrics.csv"] {
                std::fs::copy(whole.join(file), torn.join(file)).unwrap();
            }
            std::fs::write(torn.join(name), &bytes[..keep]).unwrap();
            succeed(dir.path(), &["run", "x.toml", "--out", "torn", "--resume"]);
            assert_same(&whole, &torn);
        }
    }
}

#[test]
fn shards_merge_to_the_same_bytes() {
    let dir = tempdir().unwrap();
    for (name, text) in [("small.toml", experiment("")), ("pair.toml", PAIR.to_owned())] {
        write(dir.path(), name, &text);
        let whole = format!("{name}-whole");
        succeed(dir.path(), &["run", name, "--out", &whole]);
        for shard in ["1/3", "2/3", "3/3"] {
            let out = format!("{name}-{}", &shard[..1]);
            succeed(dir.path(), &["run", name, "--out", &out, "--shard", shard]);
            succeed(dir.path(), &["check", &out]);
        }
        let part = |i: u32| format!("{name}-{i}");
        let merged = format!("{name}-merged");
        // In any order.
        succeed(dir.path(), &["merge", &merged, &part(2), &part(3), &part(1)]);
        assert_same(&dir.path().join(&whole), &dir.path().join(&merged));
        let error = fail(dir.path(), 2, &["merge", "again", &part(2), &part(3), &part(3)]);
        assert!(error.contains("part 1/3 is missing"), "{error}");
        assert!(!dir.path().join("again").exists());
    }
}

#[test]
fn a_finished_run_is_shown_and_not_played_again() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 3"));
    let first = succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let before = std::fs::read(dir.path().join("a/games.csv")).unwrap();
    let again = succeed(dir.path(), &["run", "x.toml", "--out", "a", "--resume"]);
    assert_eq!(first, again);
    assert_eq!(before, std::fs::read(dir.path().join("a/games.csv")).unwrap());
}

/// More games for a run that has ended: what it would have been, had it been begun with so many.
#[test]
fn a_run_can_be_made_longer() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let sequential = "claim_ids = [\"magi-draws\", \"magi-length\"]";
    write(dir, "x.toml", &experiment(sequential));
    write(dir, "once.toml", &experiment("claim_ids = [\"magi-draws\", \"magi-incentive\"]"));
    for part in ["1/1", "2/3"] {
        let out = format!("long-{}", &part[..1]);
        let whole = format!("whole-{}", &part[..1]);
        succeed(dir, &["run", "x.toml", "--out", &whole, "--shard", part]);
        let text = succeed(dir, &["run", "x.toml", "--out", &out, "--games", "9", "--shard", part]);
        let longer = format!("for twice the games: equipoise run x.toml --out {out} --games 18 --resume");
        assert_eq!(text.contains(&longer), part == "1/1", "{text}");
        succeed(dir, &["run", "x.toml", "--out", &out, "--resume", "--shard", part]);
        assert_same(&dir.join(&whole), &dir.join(&out));
        succeed(dir, &["check", &out]);
    }
    // Decided and ended early, a run may play on; what it has played on it has.
    let decided = experiment("claim_ids = [\"magi-control\"]");
    write(dir, "decided.toml", &decided);
    succeed(dir, &["run", "decided.toml", "--out", "more"]);
    succeed(dir, &["run", "decided.toml", "--out", "more", "--keep-going", "--resume"]);
    succeed(dir, &["run", "decided.toml", "--out", "all", "--keep-going"]);
    assert_same(&dir.join("all"), &dir.join("more"));
    let before = std::fs::read(dir.join("more/manifest.toml")).unwrap();
    let error = fail(dir, 2, &["run", "decided.toml", "--out", "more", "--resume"]);
    assert!(error.contains("more holds a run with --keep-going, which was left out"), "{error}");
    let fewer = ["run", "decided.toml", "--out", "more", "--keep-going", "--games", "20", "--resume"];
    let error = fail(dir, 2, &fewer);
    assert!(error.contains("is 24, and 20 was asked for; it can be raised, not lowered"), "{error}");
    let other = ["run", "x.toml", "--out", "more", "--keep-going", "--games", "30", "--resume"];
    let error = fail(dir, 2, &other);
    assert!(error.contains("its [experiment] differs from this one in `claim"), "{error}");
    assert_eq!(before, std::fs::read(dir.join("more/manifest.toml")).unwrap());
    // Where the openings are used up, there is nothing to go on with.
    let fixed = experiment("claim_ids = [\"magi-draws\"]").replace("\"random\"\nplies = 6", "\"fixed\"");
    write(dir, "fixed.toml", &fixed.replace("games = 24", "games = 1"));
    let text = succeed(dir, &["run", "fixed.toml"]);
    assert!(text.contains("UNDECIDED") && !text.contains("for twice the games"), "{text}");
    // A claim that is judged on all games together is judged once.
    let text = succeed(dir, &["run", "once.toml", "--out", "once", "--games", "4"]);
    assert!(!text.contains("for twice the games"), "{text}");
    let error = fail(dir, 2, &["run", "once.toml", "--out", "once", "--resume"]);
    assert!(
        error.contains("once holds a run of 4 games, and claim magi-incentive is judged once"),
        "{error}"
    );
}

/// Ctrl-C: exit 130, whole units in the log, and the command that resumes.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("nodes = 60", "nodes = 4000"));
    let child = support::equipoise()
        .current_dir(dir.path())
        .args(["run", "x.toml", "--out", "a", "--seed", "5"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let manifest = dir.path().join("a/manifest.toml");
    for _ in 0..600 {
        if manifest.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(200));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("equipoise run x.toml --out a --seed 5 --resume"), "{stderr}");
    succeed(dir.path(), &["check", "a"]);
}

#[test]
fn the_quick_start_goes_on_with_what_is_there() {
    // The whole quick start is a minute of playing: the long check does it, this one looks at a finished run.
    let dir = tempdir().unwrap();
    if full_check() {
        let first = succeed(dir.path(), &[]);
        assert!(first.contains("magi-control") && first.contains("report.html"), "{first}");
        let before = std::fs::read(dir.path().join("results/quickstart/games.csv")).unwrap();
        let rows = before.iter().filter(|b| **b == b'\n').count() - 1;
        assert!(rows >= 300, "{rows} games");
        succeed(dir.path(), &[]);
        assert_eq!(before, std::fs::read(dir.path().join("results/quickstart/games.csv")).unwrap());
    } else {
        let out = run(dir.path(), &["run", "01-quickstart", "--dry-run"]);
        assert!(out.status.success());
        assert!(String::from_utf8_lossy(&out.stdout).contains("games = 320"));
        assert!(!dir.path().join("results").exists());
    }
}

/// A built-in experiment is found by its name though a folder, perhaps an earlier run's, is called the same.
#[test]
fn a_folder_does_not_hide_a_built_in_experiment() {
    let dir = tempdir().unwrap();
    std::fs::create_dir(dir.path().join("01-quickstart")).unwrap();
    let out = succeed(dir.path(), &["run", "01-quickstart", "--dry-run"]);
    assert!(out.contains("games = 320"), "{out}");
}

/// Two players with the same settings play the same game with either colour: found, marked, kept.
#[test]
fn identical_games_are_marked_and_kept() {
    let dir = tempdir().unwrap();
    let twins = "name = \"twins\"\ngame = \"chess\"\nseed = 3\ngames = 6\nmove_limit = 8\n\
        [openings]\nmethod = \"random\"\nplies = 4\n\
        [[player]]\nname = \"a\"\nnodes = 40\n[[player]]\nname = \"b\"\nnodes = 40\n";
    write(dir.path(), "x.toml", twins);
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let games = std::fs::read_to_string(dir.path().join("a/games.csv")).unwrap();
    let marks: Vec<&str> = games.lines().skip(1).map(|l| l.rsplit(',').next().unwrap()).collect();
    assert_eq!(marks, ["", "1", "", "3", "", "5"]);
    let checked: serde_json::Value =
        serde_json::from_str(&succeed(dir.path(), &["check", "a", "--json"])).unwrap();
    assert_eq!((&checked["games"], &checked["duplicate_games"]), (&6.into(), &3.into()));
}

/// Two processes never write one log.
#[test]
fn a_folder_in_use_is_refused() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment("").replace("games = 24", "games = 2"));
    std::fs::create_dir(dir.path().join("a")).unwrap();
    let lock = std::fs::File::create(dir.path().join("a/.lock")).unwrap();
    lock.lock().unwrap();
    let error = fail(dir.path(), 1, &["run", "x.toml", "--out", "a"]);
    assert!(error.contains("another process is writing to a"), "{error}");
    lock.unlock().unwrap();
    succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
}

/// Every game, from every kind of opening that it has: played, and found in order by `check`.
#[test]
fn every_game_is_played_from_every_kind_of_opening() {
    let dir = tempdir().unwrap();
    let list = succeed(dir.path(), &["games", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    for game in list.as_array().unwrap() {
        let game = game["name"].as_str().unwrap();
        for (i, openings) in [
            "method = \"random\"\nplies = 5",
            "method = \"random\"\nplies = 4\nbalance = 400\nbalance_nodes = 50",
            "method = \"temperature\"\nplies = 3\nnodes = 5\nscale = 60",
            "method = \"setups\"\nplies = 2",
        ]
        .iter()
        .enumerate()
        {
            let text = format!(
                "name = \"x\"\ngame = \"{game}\"\nseed = 2\ngames = 3\nmove_limit = 40\n[openings]\n{openings}\n\
                 [[player]]\nname = \"e\"\nnodes = 30\n"
            );
            write(dir.path(), "x.toml", &text);
            let out = format!("{game}-{i}");
            succeed(dir.path(), &["run", "x.toml", "--out", &out]);
            succeed(dir.path(), &["check", &out]);
            let moves = std::fs::read_to_string(dir.path().join(&out).join("moves.csv")).unwrap();
            let mut openings: Vec<&str> =
                moves.lines().skip(1).map(|l| l.split_once(',').unwrap().1).collect();
            openings.sort_unstable();
            openings.dedup();
            assert_eq!(openings.len(), 3, "{game}, {openings:?}");
        }
    }
}

/// Units whose two games exchange set-ups, and games in which the first player is always White.
#[test]
fn other_units_of_evidence_are_logged_and_checked() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let setups = "name = \"setups\"\ngame = \"mchess\"\nseed = 5\ngames = 12\nmove_limit = 60\nclaims = \"mchess\"\n\
        [openings]\nmethod = \"setups\"\nexchange = true\n[[player]]\nname = \"a\"\nnodes = 30\n";
    let fixed = format!("colours = \"fixed\"\n{}", PAIR.replace("\"pair\"", "\"fixed\""));
    for (name, text) in [("setups.toml", setups.to_owned()), ("fixed.toml", fixed)] {
        write(dir, name, &text);
        for threads in ["1", "3"] {
            succeed(
                dir,
                &["run", name, "--out", &format!("{name}-{threads}"), "--threads", threads, "--keep-going"],
            );
        }
        assert_same(&dir.join(format!("{name}-1")), &dir.join(format!("{name}-3")));
        succeed(dir, &["run", name, "--out", &format!("{name}-1"), "--resume", "--keep-going"]);
        succeed(dir, &["check", &format!("{name}-1")]);
    }
    let column = |run: &str, name: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_path(dir.join(run).join("games.csv")).unwrap();
        let at = reader.headers().unwrap().iter().position(|h| h == name).unwrap();
        reader.records().map(|r| r.unwrap()[at].to_owned()).collect()
    };
    let (units, starts) = (column("setups.toml-1", "unit_id"), column("setups.toml-1", "start_fen"));
    assert_eq!(units.len(), 12);
    assert!(units.chunks(2).zip(starts.chunks(2)).all(|(u, s)| u[0] == u[1] && s[0] != s[1]), "{starts:?}");
    assert!(column("fixed.toml-1", "white").iter().all(|w| w == "a"));
    assert_eq!(column("fixed.toml-1", "unit_id").last().map(String::as_str), Some("12"));
}

/// The figure with a move rule, and what no log of this kind decides, stand in the report of `check`.
#[test]
fn a_check_tells_what_stands_beside_and_what_decides_elsewhere() {
    let dir = tempdir().unwrap();
    write(dir.path(), "small.toml", &experiment(""));
    succeed(dir.path(), &["run", "small.toml", "--out", "small", "--keep-going"]);
    let text = succeed(dir.path(), &["check", "small"]);
    assert!(text.contains("magi-draws with a rule of 150 moves (0-0 after it): "), "{text}");
    assert!(text.contains("a run of at least 100 units"), "{text}");
    assert!(text.contains("First-move entropy"), "{text}");
    let json = succeed(dir.path(), &["check", "small", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let claim = value["claims"].as_array().unwrap().iter().find(|c| c["id"] == "magi-draws").unwrap();
    assert_eq!(claim["with_move_rule"]["moves"], 150);
}
