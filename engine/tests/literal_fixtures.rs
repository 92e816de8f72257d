//! Holds the literal implementation against every fixture, and against the inventors' own examples.

mod literal;

use literal::Options;
use serde_json::Value;

/// Perft lines with more leaves than this are left out of an ordinary run, which keeps it to seconds; with
/// `EQUIPOISE_FULL=1` in the environment every line is counted.
const MOST_LEAVES: u64 = 5_000_000;

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn strings(value: &Value) -> Vec<&str> {
    let items = value.as_array().expect("a list");
    items.iter().map(|item| item.as_str().expect("text")).collect()
}

/// Every line of `perft-GAME.tsv` up to the cut.
fn perft(game: &str) {
    let most = if std::env::var_os("EQUIPOISE_FULL").is_some() { u64::MAX } else { MOST_LEAVES };
    let text = fixture(&format!("perft-{game}.tsv"));
    let lines: Vec<(&str, u32, u64)> = text
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let depth = fields[1].parse().expect("a depth");
            (fields[0], depth, fields[2].parse().expect("a count"))
        })
        .filter(|&(_, _, leaves)| leaves <= most)
        .collect();
    assert!(lines.len() > 20, "perft-{game}.tsv has lost its lines");
    for &(fen, depth, leaves) in &lines {
        let counted = literal::perft(game, fen, depth, &Options::default());
        assert_eq!(counted, leaves, "{game} at depth {depth} from {fen}");
    }
}

/// Every line of `positions-GAME.jsonl`.
fn positions(game: &str) {
    let options = Options::default();
    let text = fixture(&format!("positions-{game}.jsonl"));
    let mut ended = 0;
    for line in text.lines() {
        let object: Value = serde_json::from_str(line).expect("a JSON object");
        let fen = object["fen"].as_str().expect("a FEN");
        assert_eq!(literal::round_trip(game, fen, &options), fen);
        assert_eq!(literal::legal_moves(game, fen, &options), strings(&object["moves"]), "{game} {fen}");
        for (uci, after) in object["next"].as_object().expect("moves and FENs") {
            let played = literal::play(game, fen, uci, &options);
            assert_eq!(Some(played.as_str()), after.as_str(), "{game} {fen} {uci}");
        }
        let outcome = literal::outcome(game, fen, &options);
        assert_eq!(outcome.is_some(), strings(&object["moves"]).is_empty(), "{game} {fen}");
        if let Some(expected) = object.get("outcome") {
            assert_eq!(outcome, expected.as_str(), "{game} {fen}");
        }
        ended += u32::from(outcome.is_some());
    }
    assert_eq!(text.lines().count(), 300);
    assert!(ended > 0, "no finished game among positions-{game}.jsonl");
}

/// A test of each kind for each game, so that they run side by side and say which game failed.
macro_rules! fixtures {
    ($($module:ident $game:literal)*) => {
        $(mod $module {
            #[test]
            fn perft() {
                super::perft($game);
            }

            #[test]
            fn positions() {
                super::positions($game);
            }

            #[test]
            fn start_is_the_first_perft_position() {
                let text = super::fixture(concat!("perft-", $game, ".tsv"));
                assert!(text.starts_with(&format!("{}\t1\t", super::literal::start($game))));
            }
        })*
    };
}

fixtures! {
    magi "magi"
    mageca "mageca"
    chess "chess"
    chess960 "chess960"
    multi_chess "multi-chess"
    chess484 "chess484"
    martian_shogi "martian-shogi"
    mchess "mchess"
}

#[test]
fn mchess_examples() {
    let examples: Value = serde_json::from_str(&fixture("mchess-examples.json")).expect("JSON");
    for (list, numbers, at_least) in [("examples", "hot", 40), ("default_examples", "first", 12)] {
        let options = Options::of(&[("numbers", numbers)]);
        let list = examples[list].as_array().expect("a list");
        assert!(list.len() >= at_least, "{} examples", list.len());
        for example in list {
            let text = |key: &str| example[key].as_str().expect("text");
            let after = literal::play("mchess", text("before"), text("move"), &options);
            assert_eq!(after, text("after"), "{}", text("name"));
            let outcome = literal::outcome("mchess", &after, &options);
            assert_eq!(outcome, example["outcome"].as_str(), "{}", text("name"));
        }
    }
}

/// The captures that are legal for Black after White's move, or the reverse.
fn captures_after(fen: &str, uci: &str, of_pawns_on: &[&str], to: &[&str]) -> Vec<String> {
    let options = Options::default();
    let after = literal::play("magi", fen, uci, &options);
    let mut moves = literal::legal_moves("magi", &after, &options);
    moves.retain(|m| {
        of_pawns_on.iter().any(|from| m.starts_with(from)) && to.iter().any(|to| m.ends_with(to))
    });
    moves
}

/// The examples that Magi's inventor gives for en passant.
#[test]
fn magi_en_passant_examples() {
    let c = ["c3", "c4", "c5"];
    let two = "5k4/10/10/10/10/1p8/1p8/10/2P7/5K4 w - - 0 1 -";
    assert_eq!(captures_after(two, "c2c4", &["b4", "b5"], &c), ["b4c3", "b5c4"]);
    assert_eq!(captures_after(two, "c2c5", &["b4", "b5"], &c), ["b4c3", "b5c4"]);
    let high = "5k4/10/10/10/1p8/1p8/1p8/10/2P7/5K4 w - - 0 1 -";
    assert_eq!(captures_after(high, "c2c5", &["b4", "b5", "b6"], &c), ["b4c3", "b5c4", "b6c5"]);
    let low = "5k4/10/10/10/10/1p8/1p8/1p8/2P7/5K4 w - - 0 1 -";
    assert_eq!(captures_after(low, "c2c5", &["b3", "b4", "b5"], &c), ["b4c3", "b5c4"]);
    let black = "5k4/10/3p6/2P7/2P7/10/10/10/10/5K4 b - - 0 1 d8";
    let d = ["d6", "d7", "d8"];
    assert_eq!(captures_after(black, "d8d7", &["c6", "c7"], &d), ["c6d7", "c7d8"]);
    assert_eq!(captures_after(black, "d8d6", &["c6", "c7"], &d), ["c6d7", "c7d8"]);
}

/// What the field says and which pawn goes.
#[test]
fn magi_en_passant_takes_the_pawn_that_moved() {
    let options = Options::default();
    let fen = "5k4/10/10/10/10/1p8/1p8/10/2P7/5K4 w - - 0 1 -";
    let after = literal::play("magi", fen, "c2c5", &options);
    assert_eq!(after, "5k4/10/10/10/10/1pP7/1p8/10/10/5K4 b - c3c4 0 1 -");
    assert_eq!(
        literal::play("magi", &after, "b4c3", &options),
        "5k4/10/10/10/10/1p8/10/2p7/10/5K4 w - - 0 2 -"
    );
    let one_step = "5k4/10/10/10/10/10/4p5/3P6/10/5K4 w - - 0 1 d3";
    assert_eq!(
        literal::play("magi", one_step, "d3d4", &options),
        "5k4/10/10/10/10/10/3Pp5/10/10/5K4 b - d3 0 1 -"
    );
    let moved_before = one_step.replace("d3", "-");
    assert_eq!(
        literal::play("magi", &moved_before, "d3d4", &options),
        "5k4/10/10/10/10/10/3Pp5/10/10/5K4 b - - 0 1 -"
    );
}

#[test]
fn mageca_passed_pawns_capture_only_with_the_option() {
    let fen = "5k4/10/10/10/10/3p6/3p6/10/2P7/5K4 w - - 0 1";
    let passed = Options::of(&[("ep_passed", "true")]);
    let without = literal::play("mageca", fen, "c2c5", &Options::default());
    assert_eq!(without, "5k4/10/10/10/10/2Pp6/3p6/10/10/5K4 b - c4 0 1");
    let with = literal::play("mageca", fen, "c2c5", &passed);
    assert_eq!(with, "5k4/10/10/10/10/2Pp6/3p6/10/10/5K4 b - c3c4 0 1");
    assert_eq!(
        literal::play("mageca", &with, "d4c3", &passed),
        "5k4/10/10/10/10/3p6/10/2p7/10/5K4 w - - 0 2"
    );
    assert!(literal::legal_moves("mageca", &without, &passed).contains(&"d5c4".to_string()));
}

/// A bishop that sees only b1 stops castling by Multi-chess's own sentence, not by Chess960's rule.
#[test]
fn castling_threat_to_the_square_beside_the_rook() {
    let fen = "4k3/8/8/8/8/3b4/8/R3K3 w Q - 0 1 -";
    let castles = |value: &str| {
        let options = Options::of(&[("castling_threat", value)]);
        literal::legal_moves("multi-chess", fen, &options).contains(&"e1a1".to_string())
    };
    assert!(castles("king-path"));
    assert!(!castles("king-to-rook"));
    let options = Options::of(&[("castling_threat", "king-to-rook")]);
    let six = fen.trim_end_matches(" -");
    assert!(literal::legal_moves("chess960", six, &options).contains(&"e1a1".to_string()));
    assert!(literal::legal_moves("chess", six, &options).contains(&"e1c1".to_string()));
}

/// The arrangement phase ends in the number of start positions that the inventor states.
#[test]
fn arrangements() {
    let options = Options::default();
    assert_eq!(literal::perft("multi-chess", &literal::start("multi-chess"), 4, &options), 57);
    assert_eq!(literal::perft("chess484", &literal::start("chess484"), 4, &options), 484);
}

/// A Martian Shogi position without its stash, and one Squire in the hand of White.
const MARTIAN: &str = "4k3/8/V7/8/8/8/3P4/4K2S[S] w - 0 1";

fn martian(pairs: &[(&str, &str)], fen: &str) -> Vec<String> {
    literal::legal_moves("martian-shogi", fen, &Options::of(pairs))
}

#[test]
fn martian_options_take_away() {
    let all = martian(&[], MARTIAN);
    assert!(all.contains(&"S@a8".to_string()) && all.contains(&"a6b7+".to_string()));
    let easier = martian(&[("drops", "false")], MARTIAN);
    assert!(!easier.iter().any(|m| m.contains('@')) && easier.contains(&"a6b7+".to_string()));
    let easiest = martian(&[("drops", "false"), ("promotion", "false")], MARTIAN);
    assert!(easiest.contains(&"a6b7".to_string()) && !easiest.iter().any(|m| m.contains('+')));
    let took = literal::play(
        "martian-shogi",
        "4k3/8/8/8/8/2e5/3P4/4K3[] w - 3 1",
        "d2c3",
        &Options::of(&[("drops", "false")]),
    );
    assert_eq!(took, "4k3/8/8/8/8/2P5/8/4K3[E] b 4.5.5/4.5.5/5.5.5/5.5.3 0 1");
}

#[test]
fn martian_options_add() {
    assert!(!martian(&[], MARTIAN).contains(&"h1g1".to_string()));
    assert!(martian(&[("squire_sideways", "true")], MARTIAN).contains(&"h1g1".to_string()));

    let double = [("pawn_double_first_move", "true")];
    let fen = format!("{MARTIAN} d2");
    assert!(martian(&double, &fen).contains(&"d2d4".to_string()));
    assert!(!martian(&double, &format!("{MARTIAN} -")).contains(&"d2d4".to_string()));
    assert!(!martian(&[], MARTIAN).contains(&"d2d4".to_string()));
    let capture = "4k3/8/8/8/3p4/8/3P4/4K3[] w - 0 1 d2";
    assert!(martian(&double, capture).contains(&"d2d4".to_string()));
    let blocked = "4k3/8/8/8/8/3p4/3P4/4K3[] w - 0 1 d2";
    assert!(!martian(&double, blocked).contains(&"d2d4".to_string()));
    let after = literal::play("martian-shogi", &fen, "d2d3", &Options::of(&double));
    assert_eq!(after, "4k3/8/V7/8/8/3P4/8/4K2S[S] b 4.5.5/5.5.5/4.5.5/3.5.3 1 1 -");
}

#[test]
fn martian_side_without_an_action_is_blocked() {
    let outcome = |fen: &str| literal::outcome("martian-shogi", fen, &Options::default());
    let shut_in = "KE6/VE6/8/8/8/8/8/k7[] w - 0 1";
    assert_eq!(outcome(shut_in), Some("blocked"));
    assert_eq!(outcome(&shut_in.replace(" w ", " b ")), None);
    let with_drop = shut_in.replace("[]", "[E]");
    assert_eq!(outcome(&with_drop), None);
    let without_monarch = shut_in.replace('K', "E");
    assert_eq!(outcome(&without_monarch), Some("monarchs-captured"));
}
