//! PGN.

use crate::random::walk;
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::notation::pgn::{Eval, PgnError, PgnGame, PgnReader, write_pgn};
use equipoise_engine::outcome::{GameResult, Termination};
use equipoise_engine::search::Playable;
use equipoise_engine::side::Side;

/// What tests look at of a game that was read.
struct Seen {
    moves: String,
    fen: String,
    result: GameResult,
    termination: Option<Termination>,
    tags: Vec<(String, String)>,
    evals: Vec<Option<Eval>>,
}

struct Read<'a>(&'a str);

impl Visitor for Read<'_> {
    type Output = Vec<Result<Seen, PgnError>>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let see = |record: PgnGame<G::State>| {
            let mut state = record.start.clone();
            let mut moves = Vec::new();
            for &m in &record.moves {
                moves.push(game.uci(&state, m));
                game.play(&mut state, m, &mut ());
            }
            Seen {
                moves: moves.join(" "),
                fen: game.fen(&state),
                result: record.result,
                termination: record.termination,
                tags: record.tags,
                evals: record.evals,
            }
        };
        PgnReader::new(&game, self.0).map(|r| r.map(see)).collect()
    }
}

fn read(game: &str, text: &str) -> Vec<Result<Seen, PgnError>> {
    games::with(game, [], Read(text)).unwrap()
}

#[track_caller]
fn one(game: &str, text: &str) -> Seen {
    let mut all = read(game, text);
    assert_eq!(all.len(), 1, "games in {text}");
    all.remove(0).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn refused(game: &str, text: &str) -> String {
    match read(game, text).into_iter().find_map(Result::err) {
        Some(error) => error.to_string(),
        None => panic!("nothing is refused in {text}"),
    }
}

/// Anderssen's evergreen game and Morphy's at the opera, as collections have them: notes, variations,
/// marks, both kinds of castling, no empty line where one is due.
const COLLECTION: &str = r#"
% exported by hand
[Event "Berlin"]
[Site "Berlin GER"]
[Date "1852.??.??"]
[EventDate "?"]
[Round "?"]
[Result "1-0"]
[White "Adolf Anderssen"]
[Black "Jean Dufresne"]
[ECO "C52"]
[WhiteElo "?"]
[PlyCount "47"]

1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.b4 Bxb4 5.c3 Ba5 6.d4 exd4 7.O-O
d3 8.Qb3 Qf6 9.e5 Qg6 10.Re1 Nge7 11.Ba3 b5 12.Qxb5 Rb8 13.Qa4
Bb6 14.Nbd2 Bb7 15.Ne4 Qf5 16.Bxd3 Qh5 17.Nf6+ gxf6 18.exf6
Rg8 19.Rad1 Qxf3 20.Rxe7+ Nxe7 21.Qxd7+ Kxd7 22.Bf5+ Ke8
23.Bd7+ Kf8 24.Bxe7# 1-0
[Event "Paris (\"Opera\")"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {This is a weak move
already. -- Fischer} 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+ (5. Nc3 {or (so)}) 5... Kxd8 6. Nxe5) 5. Qxf3 dxe5
6. Bc4 Nf6 ?! 7. Qb3! Qe7 8. Nc3 c6 9. Bg5 ; a quiet move 1-0
9... b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. 0-0-0 Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 16. Qb8+!! {[%eval #1] the point} Nxb8 {[%clk 0:01:00]} 17. Rd8# 1-0
"#;

#[test]
fn collections_of_chess_are_read() {
    let games = read("chess", COLLECTION);
    let games: Vec<Seen> = games.into_iter().map(|g| g.unwrap_or_else(|e| panic!("{e}"))).collect();
    let [evergreen, opera] = &games[..] else { panic!("{} games", games.len()) };
    assert_eq!(evergreen.moves.split(' ').count(), 47);
    assert_eq!(evergreen.fen, "1r3kr1/pbpBBp1p/1b3P2/8/8/2P2q2/P4PPP/3R2K1 b - - 0 24");
    assert!(evergreen.evals.is_empty());
    let black = ("Black".to_owned(), "Jean Dufresne".to_owned());
    assert!(evergreen.tags.contains(&black) && evergreen.tags.iter().all(|(name, _)| name != "Result"));
    assert_eq!(opera.moves.split(' ').count(), 33);
    assert_eq!(opera.fen, "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17");
    assert_eq!(opera.tags[0].1, "Paris (\"Opera\")");
    assert_eq!(opera.evals.iter().position(Option::is_some), Some(30));
    assert_eq!(opera.evals[30], Some(Eval::Mate(1)));
    assert_eq!(opera.result, GameResult::Win(Side::White));
}

#[test]
fn a_fraction_in_a_fen_is_no_result() {
    // Clocks `1 1/2`-like texts, a placement that begins with 1, a player named by a score.
    let text = "[Event \"1/2-1/2\"]\n[White \"0-1\"]\n[FEN \"6k1/2p2ppp/8/8/8/8/8/R5K1 w - - 1 2\"]\n[Annotator \"1/2\"]\n\
                {1/2-1/2} 2. Ra8# 1-0";
    let game = one("chess", text);
    assert_eq!((game.moves.as_str(), game.result), ("a1a8", GameResult::Win(Side::White)));
    assert_eq!(one("chess", "1. e4 (1. d4 1/2-1/2) {0-1} e5 *").result, GameResult::Unknown);
    assert_eq!(one("chess", "1. e4 1/2-1/2").result, GameResult::Draw);
}

#[test]
fn double_zero_is_castling_or_the_result() {
    let castled = "[Result \"1-0\"]\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 1-0";
    assert!(one("chess", castled).moves.ends_with("e1g1 e8g8"));
    let both_lose = "[Result \"0-0\"]\n[Termination \"move-rule\"]\n1. e4 e6 0-0\n\n[Event \"next\"]\n*";
    let games = read("magi", both_lose);
    assert_eq!(games.len(), 2);
    let first = games[0].as_ref().unwrap();
    assert_eq!((first.moves.as_str(), first.result), ("e2e4 e9e6", GameResult::BothLose));
    assert_eq!(first.termination, Some(Termination::MoveRule));
    // Both meanings in one game.
    let both = "[Result \"0-0\"]\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 {[%eval 0.1]} 0-0 {[%eval 0.2]} 0-0";
    let game = one("chess", both);
    assert!(game.moves.ends_with("e1g1 e8g8") && game.result == GameResult::BothLose);
    assert_eq!(game.evals[7], Some(Eval::Centipawns(20)));
    assert_eq!(game.evals[6], Some(Eval::Centipawns(10)));
    // Without the tag it is castling, wherever it stands.
    let error = refused("chess", "[Result \"1-0\"]\n1. e4 e5 0-0");
    assert!(error.contains("ply 3, `0-0`: `0-0` is not a legal move"), "{error}");
}

#[test]
fn errors_say_which_game_line_ply_and_text() {
    let text =
        format!("{COLLECTION}\n[Event \"third\"]\n\n1. e4 e5\n2. Nf4 Nc6 1-0\n[Event \"fourth\"]\n1. d4 *\n");
    let games = read("chess", &text);
    assert_eq!(games.len(), 4);
    let error = games[2].as_ref().err().unwrap();
    let line = text.lines().position(|l| l.starts_with("2. Nf4")).unwrap() + 1;
    assert_eq!((error.game, error.line, error.ply, error.text.as_str()), (3, line, Some(3), "Nf4"));
    let shown = error.to_string();
    assert!(shown.starts_with(&format!("PGN game 3, line {line}, ply 3, `Nf4`: ")), "{shown}");
    assert!(shown.contains("did you mean `Nf3`"), "{shown}");
    assert_eq!(games[3].as_ref().unwrap().moves, "d2d4");

    for (text, part) in [
        ("1. e4 e5", "the game breaks off here"),
        ("[Event \"a\"]\n[Event \"b\"]\n*", "the game breaks off here"),
        ("[Result \"1-0\"]\n1. e4 0-1", "another result than tag Result has, `1-0`"),
        ("[Result \"won\"]\n1. e4 *", "tag Result is none of"),
        ("[White \"a\"]\n[White \"b\"]\n*", "tag White is given a second time"),
        ("[FEN \"8/8 w - - 0 1\"]\n*", "FEN field 1 (placement)"),
        ("[Variant \"Atomic\"]\n*", "read as chess, but tag Variant names another game"),
        ("[Options \"dead_positions=played\"]\n*", "played with dead_positions=played, but is read with"),
        ("[Options \"dead=played\"]\n*", "no option `dead`"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "the last position is 0-1 by checkmate"),
        ("1. e4 {so 1-0", "the comment has no closing `}`"),
        ("1. f3 e5 2. g4 Qh4# 3. e4 0-1", "`e4` is not a legal move"),
    ] {
        let error = refused("chess", text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn a_broken_game_does_not_take_the_next_one_along() {
    let games = read(
        "chess",
        "[Event \"a\"]\n1. e4 ) e5 *\n\n[Event \"b\"]\n1. d4 *\n\n[Event \"c\"]\n{never closed",
    );
    assert_eq!(games.len(), 3);
    assert!(games[0].is_err() && games[2].is_err());
    assert_eq!(games[1].as_ref().unwrap().moves, "d2d4");
    assert_eq!(games[2].as_ref().err().unwrap().game, 3);
}

#[test]
fn variant_names_are_read_loosely() {
    for name in ["multi-chess", "Multi-chess", "Chess57", "multi chess"] {
        let text = format!("[Variant \"{name}\"]\n1... Ke8~f8 Qd8~c8 *");
        assert_eq!(one("multi-chess", &text).moves, "e8f8 d8c8");
    }
    assert!(read("magi", "[Variant \"Standard\"]\n1. e4 *")[0].is_ok());
}

/// Writes some moves of a game.
struct Write<'a> {
    seed: u64,
    plies: usize,
    tags: &'a [(&'a str, &'a str)],
}

impl Visitor for Write<'_> {
    type Output = String;
    fn visit<G: Playable>(self, game: G) -> String {
        let moves = walk(&game, self.seed, self.plies);
        let record = PgnGame {
            tags: self.tags.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
            start: game.start(),
            evals: (0..moves.len() as i32).map(|i| (i > 2).then_some(Eval::Centipawns(i * 7 - 20))).collect(),
            moves,
            result: GameResult::Unknown,
            termination: Some(Termination::MoveLimit),
        };
        write_pgn(&game, &record)
    }
}

#[test]
fn text_is_in_the_export_format() {
    let tags = [("White", "a \"b\" \\ c\nd"), ("Event", "test"), ("Opening", "none")];
    let text = games::with("multi-chess", [], Write { seed: 1, plies: 8, tags: &tags }).unwrap();
    let expected = r#"[Event "test"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "a \"b\" \\ c d"]
[Black "?"]
[Result "*"]
[Variant "multi-chess"]
[Options "castling_threat=king-to-rook dead_positions=drawn"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 kqKQ"]
[Termination "move-limit"]
[Opening "none"]

"#;
    assert!(text.starts_with(expected), "{text}");
    let moves = &text[expected.len()..];
    assert!(moves.starts_with("1... Ke8~") && moves.ends_with(" *\n\n"), "{text}");
    assert!(moves.contains(" 1. Ke1~") && moves.contains(" {[%eval 0.01]} "), "{text}");
    let long = games::with("martian-shogi", [], Write { seed: 1, plies: 200, tags: &[] });
    for text in
        [long, games::with("magi", [], Write { seed: 1, plies: 200, tags: &[] })].into_iter().flatten()
    {
        let moves = text.split_once("\n\n").unwrap().1;
        assert!(moves.lines().count() > 20 && moves.lines().all(|l| l.len() < 80), "{text}");
        assert!(moves.lines().filter(|l| l.len() < 50).count() <= 2, "lines are filled: {text}");
    }
}

/// Random games of a game, written and read back together.
struct RoundTrip;

impl Visitor for RoundTrip {
    type Output = usize;
    fn visit<G: Playable>(self, game: G) -> usize {
        let name = game.info().name;
        let mut records = Vec::new();
        for seed in 0..8 {
            let moves = walk(&game, seed + 100, 40 * seed as usize);
            let mut state = game.start();
            // The second half of them begins in the middle.
            let skip = if seed % 2 == 0 { 0 } else { moves.len() / 2 };
            for &m in &moves[..skip] {
                game.play(&mut state, m, &mut ());
            }
            let start = state.clone();
            moves[skip..].iter().for_each(|&m| game.play(&mut state, m, &mut ()));
            let ending = game.ending(&state);
            let other = [GameResult::BothLose, GameResult::Draw, GameResult::Unknown][seed as usize % 3];
            let roster = ["Event", "Site", "Date", "Round", "White", "Black"];
            records.push(PgnGame {
                tags: roster.map(|t| (t.to_owned(), format!("{t} \"{seed}\" 1/2-1/2 \\"))).to_vec(),
                start,
                evals: if seed % 4 == 0 {
                    Vec::new()
                } else {
                    vec![Some(Eval::Mate(-3)); moves.len() - skip]
                },
                moves: moves[skip..].to_vec(),
                result: ending.map_or(other, |e| e.result),
                termination: ending.map(|e| e.termination),
            });
        }
        let text: String = records.iter().map(|r| write_pgn(&game, r)).collect();
        let again: Vec<_> =
            PgnReader::new(&game, &text).map(|r| r.unwrap_or_else(|e| panic!("{name}: {e}"))).collect();
        assert_eq!(again.len(), records.len(), "{name}");
        for (read, written) in again.iter().zip(&records) {
            assert_eq!(read, written, "{name}");
        }
        records.iter().map(|r| r.moves.len()).sum()
    }
}

#[test]
fn every_game_reads_the_pgn_it_writes() {
    for info in games::ALL {
        let plies = games::with(info.name, [], RoundTrip).unwrap();
        assert!(plies > 300, "{}: only {plies} plies", info.name);
    }
}
