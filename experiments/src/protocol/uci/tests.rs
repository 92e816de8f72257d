//! Conversations.

use super::*;
use crate::protocol::output::testing::Captured;
use crate::protocol::session::Setup;

/// The answers to `lines`.
fn talk(lines: &[&str]) -> String {
    let captured = Captured::default();
    run(lines.join("\n").as_bytes(), captured.output());
    captured.text()
}

fn best(text: &str) -> Vec<&str> {
    text.lines().filter_map(|l| l.strip_prefix("bestmove ")).map(|l| l.split(' ').next().unwrap()).collect()
}

#[test]
fn the_handshake() {
    let text = talk(&["uci", "isready"]);
    assert!(text.starts_with("id name Equipoise "), "{text}");
    assert!(text.ends_with("uciok\nreadyok\n"), "{text}");
}

#[test]
fn a_legal_move_in_every_game() {
    for info in engine::games::ALL {
        let variant = format!("setoption name UCI_Variant value {}", info.name);
        let text = talk(&[&variant, "position startpos", "go nodes 2000"]);
        let session = open(&Setup { game: info.name.to_owned(), ..Setup::default() }).unwrap();
        let best = best(&text);
        assert!(best.len() == 1 && session.legal().iter().any(|m| m == best[0]), "{}: {text}", info.name);
    }
}

#[test]
fn an_unknown_variant_plays_nothing_until_a_known_one_is_set() {
    let text = talk(&[
        "setoption name UCI_Variant value xiangqi",
        "go depth 1",
        "position startpos moves e2e4",
        "go depth 1",
        "setoption name UCI_Variant value chess",
        "go depth 1",
        "position startpos",
        "go depth 1",
    ]);
    assert!(text.contains("info string error: unknown game `xiangqi`"), "{text}");
    let moves = best(&text);
    assert_eq!(moves[..3], ["0000"; 3], "{text}");
    assert!(moves.len() == 4 && moves[3] != "0000", "{text}");
}

#[test]
fn a_bad_position_plays_nothing() {
    for bad in [
        "position startpos moves e2e4 e7e4",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
        "position fen",
        "position",
        "position somewhere",
    ] {
        let text = talk(&["position startpos moves d2d4", bad, "go depth 2"]);
        assert_eq!(best(&text), ["0000"], "{bad}: {text}");
        assert!(text.starts_with("info string error: "), "{bad}: {text}");
    }
    let text = talk(&["position startpos moves e2e4 e7e4"]);
    assert!(text.contains("`e7e4` is not a legal move"), "{text}");
}

#[test]
fn chess960_castles_as_king_takes_rook() {
    let fen = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let text = talk(&["setoption name UCI_Chess960 value true", fen, "go perft 1"]);
    assert!(text.contains("\ne1h1: 1\n") && text.contains("\ne1a1: 1\n"), "{text}");
    let text = talk(&[fen, "go perft 1"]);
    assert!(text.contains("\ne1g1: 1\n") && text.contains("\ne1c1: 1\n"), "{text}");
}

#[test]
fn several_lines_are_numbered() {
    let text = talk(&["setoption name MultiPV value 3", "go depth 3"]);
    for line in 1..=3 {
        assert!(text.contains("info depth 3 seldepth ") && text.contains(&format!(" multipv {line} ")));
    }
}

#[test]
fn only_the_moves_wanted_are_searched() {
    let text = talk(&["go depth 3 searchmoves a2a3 h2h3"]);
    assert!(["a2a3", "h2h3"].contains(&best(&text)[0]), "{text}");
    let text = talk(&["go depth 3 searchmoves a2a5"]);
    assert_eq!(best(&text), ["0000"]);
    assert!(text.contains("`a2a5` is not a legal move"), "{text}");
}

#[test]
fn a_mate_is_found_and_a_lost_position_answered() {
    let text = talk(&["position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "go mate 1"]);
    assert!(text.contains("score mate 1 ") && best(&text) == ["a1a8"], "{text}");
    let text = talk(&["position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "go depth 3"]);
    assert_eq!(text, "info depth 0 score mate 0\nbestmove 0000\n");
}

#[test]
fn perft_counts() {
    let text = talk(&["go perft 4"]);
    assert!(text.contains("e2e4: 13160\n") && text.ends_with("Nodes searched: 197281\n"), "{text}");
}

#[test]
fn weights_from_a_file_are_checked_and_used() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("with space.toml");
    std::fs::write(&path, "[material]\nking = [1, 2]\n").unwrap();
    let set = format!("setoption name EvalFile value {}", path.display());
    let text = talk(&[&set, "go depth 1"]);
    assert!(text.contains("these are no weights for chess"), "{text}");
    assert!(text.contains("with space.toml"), "{text}");
    assert_eq!(best(&text), ["0000"]);
}

/// A game's own weights as a file, the queen's value changed.
struct WithoutQueen;

impl engine::games::Visitor for WithoutQueen {
    type Output = String;

    fn visit<G: engine::search::Playable>(self, game: G) -> String {
        let (layout, _) = engine::eval::Layout::of(&game);
        let text = engine::eval::Weights::default_of(&game).unwrap().to_toml(&layout, &[]);
        let line = text.lines().find(|l| l.starts_with("queen = [") && l.ends_with(']')).unwrap();
        text.replacen(line, "queen = [-2000, -2000]", 1)
    }
}

#[test]
fn weights_from_a_file_reach_the_search() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("weights.toml");
    std::fs::write(&path, engine::games::with("chess", [], WithoutQueen).unwrap()).unwrap();
    let set = format!("setoption name EvalFile value {}", path.display());
    let ahead = "position fen 4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let sign = |text: &str| text.contains("score cp -");
    assert!(!sign(&talk(&[ahead, "go depth 1"])));
    let text = talk(&[&set, ahead, "go depth 1"]);
    assert!(sign(&text), "{text}");
    let text = talk(&[&set, "setoption name EvalFile value <empty>", ahead, "go depth 1"]);
    assert!(!sign(&text), "{text}");
}

#[test]
fn an_endless_search_holds_its_move_until_it_is_stopped() {
    let text =
        talk(&["position fen 7k/8/6QK/8/8/8/8/8 w - - 0 1", "go infinite", "isready", "stop", "isready"]);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what} in {text}"));
    assert!(at("readyok") < at("bestmove") && at("bestmove") < text.rfind("readyok").unwrap(), "{text}");
    let text = talk(&["go ponder wtime 100 btime 100", "ponderhit"]);
    assert_eq!(best(&text).len(), 1, "{text}");
    let text = talk(&["go infinite"]);
    assert_eq!(best(&text).len(), 1, "{text}");
}

#[test]
fn options_do_not_lose_the_position() {
    let text = talk(&["position startpos moves e2e4", "setoption name Hash value 1", "d"]);
    assert!(text.contains("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"), "{text}");
    let text = talk(&["position startpos moves e2e4", "setoption name UCI_Variant value magi", "d"]);
    assert!(text.contains("Fen: rnbcqkwbnr/"), "{text}");
}

#[test]
fn unknown_words_are_skipped() {
    let text =
        talk(&["joho isready", "", "setoption", "setoption name", "setoption value 3", "stop", "ponderhit"]);
    assert!(text.contains("readyok"), "{text}");
    assert!(!text.contains("bestmove"), "{text}");
}

mod fuzz {
    use super::talk;
    use proptest::prelude::*;

    /// Half-sensible lines: known words and numbers in any order, so that parsers get past their first word.
    fn line() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            4 => proptest::sample::select(vec![
                "uci", "isready", "setoption", "name", "value", "ucinewgame", "position", "startpos", "fen",
                "moves", "go", "depth", "nodes", "movetime", "wtime", "btime", "movestogo", "mate", "perft",
                "searchmoves", "ponder", "stop", "ponderhit", "d", "UCI_Variant", "UCI_Chess960", "Hash",
                "MultiPV", "EvalFile", "magi", "mchess", "chess", "true", "e2e4", "e7e5", "a1a1", "0", "1",
                "2", "-1", "999999999999999999999", "w", "KQkq", "-", "8/8/8/8/8/8/8/8",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "é", "magi.move_rule", "search.table",
            ]).prop_map(str::to_owned),
            1 => "[ -~]{0,12}",
            1 => "\\PC{0,4}",
        ];
        proptest::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn no_line_is_the_end(lines in proptest::collection::vec(line(), 0..12)) {
            // Whatever runs is stopped; perft and searches with a limit are kept small by `stop`.
            let mut all: Vec<&str> = Vec::new();
            for l in &lines {
                if !l.contains("quit") && !l.contains("bench") {
                    all.push(l);
                    all.push("stop");
                }
            }
            all.push("isready");
            prop_assert!(talk(&all).trim_end().ends_with("readyok"));
        }
    }
}

/// Errors of judgement and slips of the hand: the same in the same conversation, others in the next game.
#[test]
fn a_fallible_engine_errs_alike() {
    const GAMES: usize = 12;
    let game = ["ucinewgame", "position startpos", "go nodes 300"];
    let played = |options: &[&str]| -> Vec<String> {
        let lines: Vec<&str> =
            options.iter().copied().chain(std::iter::repeat_n(game, GAMES).flatten()).collect();
        best(&talk(&lines)).into_iter().map(str::to_owned).collect()
    };
    let different = |moves: &[String]| moves.iter().collect::<std::collections::HashSet<_>>().len();
    let sound = played(&[]);
    assert_eq!((sound.len(), different(&sound)), (GAMES, 1));
    for options in [&["setoption name blunder value 1"][..], &["setoption name noise value 200"]] {
        let moves = played(options);
        assert_eq!(moves.len(), GAMES);
        assert!(different(&moves) > 2, "{options:?}: {moves:?}");
        assert_eq!(moves, played(options), "{options:?}");
    }
    let text = talk(&["setoption name blunder value 2"]);
    assert!(text.contains("a share from 0 to 1 was expected"), "{text}");
}
