//! Games and positions out of a run and in again.

mod support;

use std::path::Path;
use support::{experiment, fail, succeed, write};
use tempfile::{TempDir, tempdir};

/// A folder with a small run in `run`.
fn with_run() -> TempDir {
    let dir = tempdir().unwrap();
    // Long enough for most games to end.
    let text =
        experiment("").replace("move_limit = 60", "move_limit = 250").replace("games = 24", "games = 12");
    write(dir.path(), "x.toml", &text);
    succeed(dir.path(), &["run", "x.toml", "--out", "run"]);
    dir
}

fn rows(path: &Path) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).collect()
}

/// A column of games.csv by name.
fn column(path: &Path, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let at = reader.headers().unwrap().iter().position(|h| h == name).unwrap();
    reader.records().map(|r| r.unwrap()[at].to_owned()).collect()
}

#[test]
fn quiet_positions_carry_the_result_of_their_game() {
    let dir = with_run();
    let results = column(&dir.path().join("run/games.csv"), "result");
    let args = ["export", "run", "--positions", "--csv", "--per-game", "3", "--out", "q.csv"];
    assert_eq!(succeed(dir.path(), &args), "");
    let csv = rows(&dir.path().join("q.csv"));
    let epd = succeed(dir.path(), &["export", "run", "--positions", "--per-game", "3"]);
    assert!(csv.len() > 20 && csv.len() == epd.lines().count(), "{}", csv.len());
    let mut of_game = vec![0; results.len() + 1];
    for (row, line) in csv.iter().zip(epd.lines()) {
        let game: usize = row[0].parse().unwrap();
        of_game[game] += 1;
        assert_eq!(row[4], results[game - 1], "{row:?}");
        assert_ne!(&row[4], "*");
        // The EPD line: the same position, and the result in c9 alone.
        assert_eq!(line, format!("{} c9 \"{}\"; id \"game {game} ply {}\";", &row[3], &row[4], &row[2]));
        // The position stands in the game where it says it does.
        let moves = column(&dir.path().join("run/moves.csv"), "moves");
        let start = column(&dir.path().join("run/games.csv"), "start_fen");
        let ply: usize = row[2].parse().unwrap();
        let played: Vec<&str> = moves[game - 1].split(' ').take(ply).collect();
        let fen = start[game - 1].as_str();
        let args: Vec<&str> = ["play", "magi", "--fen", fen].into_iter().chain(played).collect();
        let there = succeed(dir.path(), &args);
        assert_eq!(there.trim_end().split('\t').next().unwrap(), &row[3], "game {game} ply {ply}");
    }
    assert!(of_game.iter().all(|n| *n <= 3));
    // The choice is a function of the seed.
    assert_eq!(epd, succeed(dir.path(), &["export", "run", "--positions", "--per-game", "3", "--seed", "7"]));
    assert_ne!(epd, succeed(dir.path(), &["export", "run", "--positions", "--per-game", "3", "--seed", "8"]));
}

#[test]
fn exported_positions_are_openings_of_experiments() {
    let dir = with_run();
    succeed(dir.path(), &["export", "run", "--positions", "--out", "q.epd"]);
    let text =
        experiment("").replace("method = \"random\"\nplies = 6", "method = \"file\"\nfile = \"q.epd\"");
    write(dir.path(), "y.toml", &text.replace("games = 24", "games = 4"));
    succeed(dir.path(), &["run", "y.toml", "--out", "again"]);
    let lines = std::fs::read_to_string(dir.path().join("q.epd")).unwrap();
    for fen in column(&dir.path().join("again/games.csv"), "start_fen") {
        assert!(lines.contains(&format!("{fen} c9 ")), "{fen}");
    }
    succeed(dir.path(), &["check", "again"]);
}

#[test]
fn every_position_after_the_opening_is_exported() {
    let dir = with_run();
    let epd = succeed(dir.path(), &["export", "run", "--epd"]);
    let moves = column(&dir.path().join("run/moves.csv"), "moves");
    let expected: usize = moves.iter().map(|m| m.split(' ').count() - 6 + 1).sum();
    assert_eq!(epd.lines().count(), expected);
    let first = epd.lines().next().unwrap();
    assert!(first.contains(" id \"game 1 ply 6\"; sm ") && first.contains("; ce "), "{first}");
}

#[test]
fn exports_that_make_no_sense_are_refused() {
    let dir = tempdir().unwrap();
    let error = fail(dir.path(), 2, &["export", "nowhere", "--pgn"]);
    assert!(error.contains("nowhere holds no run"), "{error}");
    for args in [
        &["export", "run"][..],
        &["export", "run", "--pgn", "--epd"],
        &["export", "run", "--pgn", "--csv"],
        &["export", "run", "--pgn", "--per-game", "3"],
    ] {
        assert_eq!(support::run(dir.path(), args).status.code(), Some(2), "{args:?}");
    }
}

/// `GameId`s, results and moves of an exported PGN come back, and what follows from the moves is the same.
#[test]
fn games_go_out_as_pgn_and_come_in_again() {
    let dir = with_run();
    succeed(dir.path(), &["export", "run", "--pgn", "--out", "g.pgn"]);
    let set = ["--set", "move_rule=false"];
    let args = [&["import", "g.pgn", "--game", "magi", "--out", "back"], &set[..]].concat();
    let said = succeed(dir.path(), &args);
    assert!(said.starts_with("12 games of magi"), "{said}");
    for (file, name) in [
        ("games.csv", "result"),
        ("games.csv", "termination"),
        ("games.csv", "plies"),
        ("games.csv", "moves"),
        ("games.csv", "start_fen"),
        ("games.csv", "duplicate_of"),
        ("moves.csv", "moves"),
        ("moves.csv", "evals"),
        ("metrics.csv", "max_deficit_white"),
        ("metrics.csv", "checks"),
        ("metrics.csv", "promotions"),
    ] {
        let of = |folder: &str| column(&dir.path().join(folder).join(file), name);
        assert_eq!(of("run"), of("back"), "{name}");
    }
    let checked = succeed(dir.path(), &["check", "back", "--claims", "magi"]);
    assert!(checked.contains("magi-draws") && checked.contains("12 games of magi"), "{checked}");
    succeed(dir.path(), &["report", "back"]);
    let status = succeed(dir.path(), &["status", "back"]);
    assert!(status.contains("12"), "{status}");
    assert!(succeed(dir.path(), &["replay", "back", "3"]).contains("game 3: one"));
    let page = std::fs::read_to_string(dir.path().join("back/report.html")).unwrap();
    assert!(page.contains("not ours: the games come from g.pgn"));
    // The same through the CSV files.
    let args = [&["import", "run/games.csv", "--game", "magi", "--out", "csv"], &set[..]].concat();
    succeed(dir.path(), &args);
    succeed(dir.path(), &["check", "csv"]);
    let results = |folder: &str| column(&dir.path().join(folder).join("games.csv"), "termination");
    assert_eq!(results("run"), results("csv"));
}

const HUMAN: &str = "[Event \"Club\"]\n[White \"Ann, \"\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\
    [Termination \"Time forfeit\"]\n\n1. e4 {best by test} e5 2. Nf3 $1 (2. f4 exf4) Nc6 0-1\n\n\
    [Event \"Club\"]\n[White \"Cy\"]\n[Black \"Di\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [Event \"Club\"]\n[White \"Ed\"]\n[Black \"Flo\"]\n[Result \"1-0\"]\n\n\
    1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 1-0\n\n\
    [Event \"Club\"]\n[White \"Gus\"]\n[Black \"Hal\"]\n[Result \"1/2-1/2\"]\n\
    [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 1 2\"]\n[SetUp \"1\"]\n\n2. e3 1/2-1/2\n";

#[test]
fn games_of_people_come_in() {
    let dir = tempdir().unwrap();
    write(dir.path(), "club.pgn", HUMAN);
    let said = succeed(dir.path(), &["import", "club.pgn", "--game", "chess"]);
    assert!(said.contains("4 games of chess (4 unique) in results/import-club"), "{said}");
    assert!(said.contains("2 entered as resigned, 1 as drawn by agreement, 0 as broken off"), "{said}");
    assert!(said.contains("(the file says: time forfeit 1)"), "{said}");
    assert!(said.contains("1 games went on after a draw that nobody claimed"), "{said}");
    let games = dir.path().join("results/import-club/games.csv");
    assert_eq!(column(&games, "termination"), ["resignation", "checkmate", "resignation", "draw-agreed"]);
    assert_eq!(column(&games, "result"), ["0-1", "0-1", "1-0", "1/2-1/2"]);
    assert_eq!(column(&games, "unit_id"), ["1", "2", "3", "4"]);
    assert_eq!(column(&games, "white")[1..], ["Cy", "Ed", "Gus"]);
    let checked = succeed(dir.path(), &["check", "results/import-club"]);
    assert!(checked.contains("White won 1, Black 2, drawn 1"), "{checked}");
    let json = succeed(dir.path(), &["check", "results/import-club", "--json"]);
    assert!(json.contains("\"resignation\": 2"), "{json}");
    // It is no run of ours: nothing can be played.
    let manifest = std::fs::read_to_string(dir.path().join("results/import-club/manifest.toml")).unwrap();
    assert!(manifest.contains("method = \"imported\""), "{manifest}");
    let text = manifest
        .split("[experiment]")
        .nth(1)
        .unwrap()
        .split("[values]")
        .next()
        .unwrap()
        .replace("experiment.", "");
    write(dir.path(), "again.toml", &text);
    let error = fail(dir.path(), 2, &["run", "again.toml", "--out", "again"]);
    assert!(error.contains("there is nothing to play"), "{error}");
}

#[test]
fn what_contradicts_the_moves_is_refused() {
    let dir = tempdir().unwrap();
    for (from, to, expected) in [
        ("Qh4# 0-1\n", "Qh4# 1-0\n", "PGN game 2"),
        ("2. g4 Qh4#", "2. g4 Qh9#", "PGN game 2, line 14, ply 4, `Qh9#`"),
        ("[Termination \"Time forfeit\"]", "[Termination \"checkmate\"]", "PGN game 1 (Ann, \" against Bob)"),
        ("4k3/8", "4x3/8", "PGN game 4"),
        ("[Event \"Club\"]\n[White \"Cy\"]", "[Event \"x\"]\n[Variant \"Magi\"]", "PGN game 2"),
    ] {
        let mut text = HUMAN.replacen(from, to, 1);
        assert_ne!(text, HUMAN, "{from}");
        if to.contains("1-0") {
            text = text.replacen("[Result \"0-1\"]\n\n1. f3", "[Result \"1-0\"]\n\n1. f3", 1);
        }
        write(dir.path(), "bad.pgn", &text);
        let error = fail(dir.path(), 2, &["import", "bad.pgn", "--game", "chess", "--out", "bad"]);
        assert!(error.contains(expected), "{error}");
        assert!(!dir.path().join("bad").exists(), "nothing is left of it");
    }
    write(dir.path(), "empty.pgn", "\n");
    let error = fail(dir.path(), 2, &["import", "empty.pgn", "--game", "chess", "--out", "bad"]);
    assert!(error.contains("holds no game"), "{error}");
    let error = fail(dir.path(), 2, &["import", "none.pgn", "--game", "chess", "--out", "bad"]);
    assert!(error.contains("there is no such file"), "{error}");
}

#[test]
fn tables_from_elsewhere_need_results_and_moves_that_agree() {
    let dir = tempdir().unwrap();
    let games = "result,white,plies,termination\n0-1,x,4,checkmate\n1/2-1/2,y,2,\n";
    let moves = "moves\nf2f3 e7e5 g2g4 d8h4\ne2e4 e7e5\n";
    let import = |games: &str, moves: &str| {
        write(dir.path(), "games.csv", games);
        write(dir.path(), "moves.csv", moves);
        support::run(dir.path(), &["import", "games.csv", "--game", "chess", "--out", "out"])
    };
    assert!(import(games, moves).status.success());
    succeed(dir.path(), &["check", "out"]);
    assert_eq!(column(&dir.path().join("out/games.csv"), "termination"), ["checkmate", "draw-agreed"]);
    for (from, to, expected) in [
        ("0-1,x,4", "0-1,x,5", "games.csv, row 1: column `plies` is `5`, expected `4`"),
        (
            "0-1,x",
            "1-0,x",
            "games.csv, row 1: the game is given as 1-0 by checkmate, and its moves come to 0-1",
        ),
        ("y,2,", "y,2,stalemate", "games.csv, row 2: the game is given as 1/2-1/2 by stalemate"),
        ("1/2-1/2,y", "1/2,y", "games.csv, row 2: column `result` is `1/2`"),
        ("result,", "outcome,", "games.csv: no column `result`"),
        ("\n1/2-1/2,y,2,", "", "ends at row 1, but moves.csv goes on"),
    ] {
        std::fs::remove_dir_all(dir.path().join("out")).ok();
        let output = import(&games.replacen(from, to, 1), moves);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn the_first_position_behind_is_an_opening_of_experiments() {
    let dir = with_run();
    let dir = dir.path();
    let of = |side: &str| succeed(dir, &["export", "run", "--behind", side]).lines().count();
    let columns = column(&dir.join("run/metrics.csv"), "first_behind");
    let logged = |side: &str| columns.iter().filter(|c| c.starts_with(side)).count();
    assert_eq!((of("white"), of("black")), (logged("white"), logged("black")));
    assert!(of("white") + of("black") > 0);
    let side = if of("white") > 0 { "white" } else { "black" };
    let first = succeed(dir, &["export", "run", "--behind", side]).lines().next().unwrap().to_owned();
    assert!(first.contains(&format!(": {side} behind by ")), "{first}");
    std::fs::write(dir.join("behind.epd"), first).unwrap();
    write(
        dir,
        "again.toml",
        "name = \"again\"\ngame = \"magi\"\nseed = 1\ngames = 1\nmove_limit = 300\n[openings]\nmethod = \"file\"\n\
         file = \"behind.epd\"\n[[player]]\nname = \"one\"\nnodes = 20\n",
    );
    succeed(dir, &["run", "again.toml"]);
}
