//! Two players against each other: `equipoise match`.

mod support;

use std::path::Path;
use support::{assert_same, fail, run, succeed, write};
use tempfile::tempdir;

const ENGINE: &str = env!("CARGO_BIN_EXE_equipoise");

/// A strong player and a weak one, of a game that is soon over.
fn players(dir: &Path) {
    write(dir, "strong.toml", "game = \"chess484\"\nname = \"strong\"\nnodes = 150\n");
    write(dir, "weak.toml", "game = \"chess484\"\nname = \"weak\"\nkind = \"random\"\n");
}

/// The numbers of a line, whatever stands between them.
fn numbers(line: &str) -> Vec<f64> {
    let text = line.replace("Ptnml(0-2)", "");
    let split = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
    split.filter_map(|word| word.parse().ok()).collect()
}

#[track_caller]
fn line<'a>(out: &'a str, start: &str) -> &'a str {
    out.lines().find(|l| l.starts_with(start)).unwrap_or_else(|| panic!("no `{start}` in {out}"))
}

/// The block is fastchess's, line by line, and its figures agree with each other and with the log.
#[test]
fn the_report_block_is_the_one_that_scripts_read() {
    let dir = tempdir().unwrap();
    players(dir.path());
    let out = succeed(dir.path(), &["match", "strong.toml", "weak.toml", "--games", "20", "--out", "m"]);
    assert!(line(&out, "Results of ").starts_with("Results of strong vs weak (150 nodes - random moves, "));
    let elo = line(&out, "Elo: ");
    assert!(elo.contains(" +/- ") && elo.contains(", nElo: "), "{elo}");
    assert!(numbers(elo)[0] > 200.0, "{elo}");
    let los = line(&out, "LOS: ");
    assert!(los.contains(" %, DrawRatio: ") && los.contains(" %, PairsRatio: "), "{los}");
    let games = numbers(line(&out, "Games: "));
    assert!(line(&out, "Games: ").contains(", Draws: ") && line(&out, "Games: ").contains(", Points: "));
    assert_eq!(games[0], games[1] + games[2] + games[3]);
    assert_eq!(games[4], games[1] + games[3] / 2.0);
    let ptnml = line(&out, "Ptnml(0-2): [");
    assert!(ptnml.contains("], WL/DD Ratio: "), "{ptnml}");
    let pairs = &numbers(ptnml)[..5];
    assert_eq!(pairs.iter().sum::<f64>() * 2.0, games[0]);
    let points: f64 = pairs.iter().zip(0..).map(|(n, i)| n * f64::from(i) / 2.0).sum();
    assert_eq!(points, games[4], "{ptnml}");
    assert!(!out.contains("LLR: ") && !out.contains("SPRT"), "{out}");
    // The same block from the log alone.
    let block = |text: &str| {
        text.lines().skip_while(|l| !l.starts_with("Results")).take(5).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(block(&out), block(&succeed(dir.path(), &["check", "m"])));
    let json = succeed(
        dir.path(),
        &["match", "strong.toml", "weak.toml", "--games", "20", "--out", "m", "--resume", "--json"],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["wins"].as_f64(), Some(games[1]));
    assert_eq!(json["repeatable"], true);
}

/// The test ends the match at the same pair whatever the threads, and a match that goes on knows it.
#[test]
fn a_sequential_test_stops_at_the_same_pair_with_any_threads() {
    let dir = tempdir().unwrap();
    players(dir.path());
    let play = |out: &str, threads: &str, more: &[&str]| {
        let mut args = vec!["match", "strong.toml", "weak.toml", "--sprt", "0,50", "--seed", "9"];
        args.extend(["--threads", threads, "--out", out]);
        args.extend(more);
        succeed(dir.path(), &args)
    };
    let one = play("one", "1", &[]);
    let llr = line(&one, "LLR: ");
    assert!(llr.ends_with("(-2.94, 2.94) [0.00, 50.00]"), "{llr}");
    assert!(numbers(llr)[0] >= 2.94, "{llr}");
    let decided = line(&one, "SPRT: ").to_owned();
    assert!(decided.starts_with("SPRT: H1 accepted after "), "{decided}");
    let games = numbers(&decided)[1];
    let rows = std::fs::read_to_string(dir.path().join("one/games.csv")).unwrap().lines().count() - 1;
    assert_eq!(rows as f64, games, "{decided}");
    assert!(rows < 100, "{rows} games");
    play("three", "3", &[]);
    assert_same(&dir.path().join("one"), &dir.path().join("three"));
    // Cut, and gone on with.
    let path = dir.path().join("three/games.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let half: String = text.lines().take(1 + rows / 4 * 2).flat_map(|l| [l, "\n"]).collect();
    std::fs::write(&path, half).unwrap();
    play("three", "2", &["--resume"]);
    assert_same(&dir.path().join("one"), &dir.path().join("three"));
    // The other way round, H0; and too few games decide nothing.
    let args = ["match", "weak.toml", "strong.toml", "--sprt", "-10,10", "--out", "back"];
    let back = succeed(dir.path(), &args);
    assert!(line(&back, "SPRT: ").starts_with("SPRT: H0 accepted"), "{back}");
    let few = play("few", "2", &["--games", "2"]);
    assert_eq!(line(&few, "SPRT: "), "SPRT: not decided after 2 games");
}

/// Shards of an experiment with [sprt] are played whole; merged, the log ends where one process would end.
#[test]
fn merged_parts_end_where_the_test_does() {
    let dir = tempdir().unwrap();
    let text = "name = \"t\"\ngame = \"chess484\"\nseed = 4\ngames = 80\nmove_limit = 200\n\
        [sprt]\nelo0 = 0\nelo1 = 50\n[openings]\nmethod = \"random\"\nplies = 4\n\
        [[player]]\nname = \"a\"\nnodes = 100\n[[player]]\nname = \"b\"\nkind = \"random\"\n";
    write(dir.path(), "x.toml", text);
    let whole = succeed(dir.path(), &["run", "x.toml", "--out", "whole"]);
    assert!(whole.contains("SPRT: H1 accepted"), "{whole}");
    for shard in ["1/2", "2/2"] {
        succeed(dir.path(), &["run", "x.toml", "--out", &shard[..1], "--shard", shard]);
    }
    succeed(dir.path(), &["merge", "merged", "1", "2"]);
    assert_same(&dir.path().join("whole"), &dir.path().join("merged"));
}

/// A pair in which a game came to nothing does not count, and the block says so.
#[test]
fn unfinished_pairs_are_left_out_visibly() {
    let dir = tempdir().unwrap();
    players(dir.path());
    let mock = format!(
        "game = \"chess484\"\nname = \"mock\"\nkind = \"uci\"\nnodes = 10\nstart_timeout = 20\n\
         command = [{ENGINE:?}, \"mock-engine\", \"uci\", \"crash\", \"1\"]\n"
    );
    write(dir.path(), "mock.toml", &mock);
    let output = run(dir.path(), &["match", "strong.toml", "mock.toml", "--games", "4", "--out", "m"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("not repeatable"));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("\nleft out: 2 pairs with an unfinished game (*)\n"), "{out}");
    assert!(out.contains("\nnot repeatable: mock is another program\n"), "{out}");
    assert!(line(&out, "Games: ").starts_with("Games: 0, "), "{out}");
    assert!(line(&out, "Elo: ").starts_with("Elo: 0.00 +/- "), "{out}");
}

/// Another program, over both protocols, through whole games.
#[test]
fn other_programs_play_matches() {
    let dir = tempdir().unwrap();
    write(dir.path(), "ours.toml", "game = \"chess\"\nname = \"ours\"\nnodes = 200\n");
    for (kind, limit) in [("uci", "nodes = 20"), ("xboard", "depth = 1")] {
        let text = format!(
            "game = \"chess\"\nname = \"{kind}\"\nkind = \"{kind}\"\n{limit}\ncommand = [{ENGINE:?}, \"{kind}\"]\n"
        );
        write(dir.path(), "other.toml", &text);
        let out = succeed(dir.path(), &["match", "other.toml", "ours.toml", "--games", "2", "--out", kind]);
        assert!(out.contains("Games: 2, ") && !out.contains("left out"), "{out}");
    }
}

#[test]
fn files_that_do_not_go_together_are_refused() {
    let dir = tempdir().unwrap();
    players(dir.path());
    let refused = |text: &str, expected: &[&str]| {
        write(dir.path(), "other.toml", text);
        let error =
            fail(dir.path(), 2, &["match", "strong.toml", "other.toml", "--games", "2", "--out", "m"]);
        for part in expected {
            assert!(error.contains(part), "{error}");
        }
        assert!(!dir.path().join("m").exists());
    };
    let player = "name = \"o\"\nnodes = 10\n";
    refused(
        &format!("game = \"chess\"\n{player}"),
        &["other.toml is a player of chess", "strong.toml of chess484"],
    );
    refused("game = \"chess484\"\nname = \"strong\"\nnodes = 10\n", &["both players are named \"strong\""]);
    refused(&format!("game = \"chess484\"\nnoeds = 3\n{player}"), &["other.toml, line 2", "`nodes`?"]);
    refused("game = \"chess484\"\nname = \"o\"\n", &["other.toml, line 1", "`nodes`"]);
    refused(&format!("game = \"chess484\"\n{player}[options]\nx = \"1\"\n"), &["other.toml, line 4", "`x`"]);
    let missing = fail(dir.path(), 2, &["match", "strong.toml", "none.toml"]);
    assert!(missing.contains("cannot read the player file none.toml"), "{missing}");
    // Openings that both files state differently.
    let with = |plies: u32| {
        format!(
            "game = \"chess484\"\nname = \"p{plies}\"\nnodes = 5\n[openings]\nmethod = \"random\"\nplies = {plies}\n"
        )
    };
    write(dir.path(), "p3.toml", &with(3));
    write(dir.path(), "p4.toml", &with(4));
    let error = fail(dir.path(), 2, &["match", "p3.toml", "p4.toml"]);
    assert!(error.contains("p3.toml and p4.toml have different [openings]"), "{error}");
    succeed(dir.path(), &["match", "p3.toml", "strong.toml", "--games", "2", "--out", "one-states-them"]);
    let manifest = std::fs::read_to_string(dir.path().join("one-states-them/manifest.toml")).unwrap();
    assert!(manifest.contains("plies = 3"), "{manifest}");
    for wrong in ["10,0", "0", "a,b", "0,900"] {
        let error = fail(dir.path(), 2, &["match", "strong.toml", "weak.toml", "--sprt", wrong]);
        assert!(error.contains("ascending order") && error.contains(wrong), "{error}");
    }
    let error = fail(dir.path(), 2, &["match", "strong.toml", "weak.toml", "--games", "3"]);
    assert!(error.contains("expected an even number"), "{error}");
}

/// The first player's share of the points.
fn score(dir: &Path, first: &str, second: &str, games: &str) -> f64 {
    write(dir, "first.toml", &format!("game = \"chess484\"\nname = \"first\"\n{first}\n"));
    write(dir, "second.toml", &format!("game = \"chess484\"\nname = \"second\"\n{second}\n"));
    let out = format!("{first}{second}").replace(|c: char| !c.is_ascii_alphanumeric(), "");
    let json =
        succeed(dir, &["match", "first.toml", "second.toml", "--games", games, "--out", &out, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    json["score"].as_f64().unwrap()
}

/// Errors cost strength, the more the larger; a player of blunders alone is one of random moves.
#[test]
fn strength_falls_with_noise_and_blunders() {
    let dir = tempdir().unwrap();
    let sober = "nodes = 200";
    let against = |errors: &str| score(dir.path(), sober, &format!("nodes = 200\n{errors}"), "60");
    let (little, much) = (against("noise = 100"), against("noise = 1500"));
    assert!(much > 0.8 && little < much, "noise: {little}, {much}");
    let (few, many) = (against("blunder = 0.05"), against("blunder = 0.6"));
    assert!(many > 0.9 && few < many, "blunders: {few}, {many}");
    let blind = score(dir.path(), "nodes = 5\nblunder = 1", "kind = \"random\"", "100");
    assert!((0.35..0.65).contains(&blind), "{blind}");
}

/// Errors hang on the game's seed alone.
#[test]
fn errors_are_the_same_with_any_threads_and_others_with_another_seed() {
    let dir = tempdir().unwrap();
    write(dir.path(), "a.toml", "game = \"chess484\"\nname = \"a\"\nnodes = 60\nnoise = 150\n");
    write(dir.path(), "b.toml", "game = \"chess484\"\nname = \"b\"\nnodes = 60\nblunder = 0.3\n");
    let play = |out: &str, more: &[&str]| {
        let args = [&["match", "a.toml", "b.toml", "--games", "12", "--out", out], more].concat();
        succeed(dir.path(), &args);
        dir.path().join(out)
    };
    let one = play("one", &["--threads", "1"]);
    assert_same(&one, &play("three", &["--threads", "3"]));
    succeed(dir.path(), &["check", "one"]);
    let manifest = std::fs::read_to_string(one.join("manifest.toml")).unwrap();
    assert!(manifest.contains("noise = 150") && manifest.contains("blunder = 0.3"), "{manifest}");
    let other = play("other", &["--seed", "2"]);
    let games = |dir: &Path| std::fs::read_to_string(dir.join("games.csv")).unwrap();
    assert_ne!(games(&one), games(&other));
    write(dir.path(), "b.toml", "game = \"chess484\"\nname = \"b\"\nnodes = 60\nblunder = 1.5\n");
    let error = fail(dir.path(), 2, &["match", "a.toml", "b.toml"]);
    assert!(error.contains("`blunder` in the file is 1.5, expected a number from 0 to 1"), "{error}");
}

/// A ladder is a match a doubling, each a run of its own, and one table; it goes on where it was left.
#[test]
fn a_ladder_is_played_rung_by_rung() {
    let dir = tempdir().unwrap();
    let text = "name = \"steps\"\ngame = \"chess484\"\nseed = 3\ngames = 6\nmove_limit = 200\n[ladder]\nto = 80\n\
        [openings]\nmethod = \"random\"\nplies = 4\n[[player]]\nname = \"e\"\nnodes = 20\n";
    write(dir.path(), "x.toml", text);
    let dry = succeed(dir.path(), &["run", "x.toml", "--dry-run", "--out", "a"]);
    assert!(dry.contains("a/40-80") && !dir.path().join("a").exists(), "{dry}");
    let table = succeed(dir.path(), &["run", "x.toml", "--out", "a"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    let header = rows.iter().position(|r| r.first() == Some(&"nodes")).unwrap();
    assert_eq!((rows[header + 1][0], rows[header + 1][1]), ("40", "20"), "{table}");
    assert_eq!((rows[header + 2][0], rows[header + 2][1]), ("80", "40"), "{table}");
    let manifest = std::fs::read_to_string(dir.path().join("a/40-80/manifest.toml")).unwrap();
    assert!(manifest.contains("name = \"e-80\"") && manifest.contains("nodes = 80"), "{manifest}");
    succeed(dir.path(), &["check", "a/20-40"]);
    let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "a"]);
    assert!(error.contains("a holds matches of a ladder already; add --resume"), "{error}");
    // Without its second match and half of its first: the same again.
    let kept = dir.path().join("kept");
    std::fs::rename(dir.path().join("a/40-80"), &kept).unwrap();
    std::fs::write(dir.path().join("a/20-40/moves.csv"), "").unwrap();
    let again = succeed(dir.path(), &["run", "x.toml", "--out", "a", "--resume", "--threads", "1"]);
    assert_eq!(table, again);
    assert_same(&kept, &dir.path().join("a/40-80"));
    let json = succeed(dir.path(), &["run", "x.toml", "--out", "a", "--resume", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[1]["nodes"], &json[1]["games"]), (&80.into(), &6.into()));
    for (from, to, expected) in [
        ("to = 80", "to = 90", "not reached from nodes = 20 by doubling"),
        ("nodes = 20", "kind = \"random\"", "no search of ours"),
        ("[ladder]", "[sprt]\nelo0 = 0\nelo1 = 5\n[ladder]", "neither claims nor [sprt]"),
        ("games = 6", "games = 5", "expected an even number"),
    ] {
        write(dir.path(), "x.toml", &text.replace(from, to));
        let error = fail(dir.path(), 2, &["run", "x.toml", "--out", "b"]);
        assert!(error.contains(expected), "{error}");
    }
}
