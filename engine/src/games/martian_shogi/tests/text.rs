//! FEN and its refusals.

use super::{at, game};
use crate::game::Game;
use crate::notation::parse_uci;
use proptest::prelude::*;

const START: &str = "mlbkkblm/sveppevs/8/8/8/8/SVEPPEVS/MLBKKBLM[] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1";

fn refusal(options: &str, fen: &str) -> String {
    game(options).parse_fen(fen).map_or_else(|e| e.to_string(), |_| "read".to_owned())
}

#[test]
fn the_stash_is_derived() {
    let game = game("");
    let with = game.parse_fen(START);
    assert_eq!(game.parse_fen(&START.replace("1.1.5/1.1.5/1.1.5/1.5.1", "-")), with);
    assert_eq!(with.map(|s| game.fen(&s)).as_deref(), Ok(START));
}

#[test]
fn a_stash_that_contradicts_is_an_error() {
    let expected = "FEN field 3 (stash) is `1.1.5/1.1.5/1.1.5/1.5.2`: board and hands leave \
                    `1.1.5/1.1.5/1.1.5/1.5.1` of the set";
    let text = refusal("", &START.replace("1.5.1", "1.5.2"));
    assert!(text.starts_with(expected), "{text}");
    // Hands count as well as the board.
    assert!(refusal("", &START.replace("[]", "[R]")).contains("leave `1.1.5/1.1.5/1.1.5/1.4.1`"));
    for stash in ["1.1.5", "1,1,5/1.1.5/1.1.5/1.5.1", "5.1.1/5.1.1/5.1.1/1.5.1", "x", "--"] {
        assert!(refusal("", &START.replace("1.1.5/1.1.5/1.1.5/1.5.1", stash)).contains("field 3 (stash)"));
    }
}

#[test]
fn hands_are_written_in_order_whites_first() {
    let game = game("");
    let state = at(&game, "k7/8/8/8/8/8/8/K7[spKgPSVEPRBLMKCDG]", 'w');
    assert!(game.fen(&state).contains("[GDCKKMLBRPPEVSgps]"), "{}", game.fen(&state));
}

#[test]
fn wrong_fields_are_named() {
    let cases = [
        ("w 1.1", "w  1.1", "read"),
        (" 0 1", " 0", "has 4 fields; 5 were expected: placement with hands, side to move, stash,"),
        (" 0 1", " 0 1 d2e2", "has 6 fields; 5 were expected"),
        ("[]", "", "field 1 (placement with hands)"),
        ("[]", "[", "in brackets at its end"),
        ("[]", "]", "in brackets at its end"),
        ("[]", "[]x", "in brackets at its end"),
        ("[]", "[q]", "field 1 (hands) is `q`: unknown letter `q`; pieces are GDCKMLBRPEVS"),
        ("[]", "[[]", "unknown letter `[`"),
        ("[]", "[é]", "unknown letter `é`"),
        ("mlbk", "mlbq", "unknown letter `q` in rank 8"),
        ("/8/8/8/8/", "/8/8/8/", "7 ranks were found, 8 expected"),
        ("/8/8/8/8/", "/8/8/9/8/", "rank 4 (`9`) is 9 squares wide"),
        (" w ", " W ", "field 2 (side to move) is `W`"),
        (" 0 1", " -1 1", "field 4 (half-move clock)"),
        (" 0 1", " 65536 1", "field 4 (half-move clock)"),
        (" 0 1", " 0 0", "field 5 (move number)"),
        (" 0 1", " 0 +1", "field 5 (move number)"),
    ];
    for (from, to, expected) in cases {
        assert!(START.contains(from));
        let text = refusal("", &START.replacen(from, to, 1));
        assert!(text.contains(expected), "{to}: {text}");
    }
}

#[test]
fn more_than_the_set_holds_is_no_position() {
    let six = "k7/8/8/8/8/8/RRR5/K7[RRr] w - 0 1";
    assert!(
        refusal("", six).ends_with("6 pieces on the board and in hand are a rook; the set has 5"),
        "{}",
        refusal("", six)
    );
    let full = "RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRRR";
    let hands = "R".repeat(300);
    assert!(refusal("", &format!("{full}[{hands}] w - 0 1")).contains("the set has 5"));
}

#[test]
fn without_any_monarch_there_is_no_position() {
    let none = "r7/8/8/8/8/8/8/R7[Kk] w - 0 1";
    assert!(refusal("", none).ends_with("neither side has a monarch left"));
    assert_eq!(refusal("hand_monarch_saves=true", none), "read");
    assert_eq!(refusal("", "r7/8/8/8/8/8/8/K7[] w - 0 1"), "read", "a won position");
}

#[test]
fn the_sixth_field_belongs_to_its_option() {
    let option = "pawn_double_first_move=true";
    let text = refusal(option, START);
    assert!(text.contains("has 5 fields; 6 were expected") && text.ends_with("unmoved pawns"), "{text}");
    let with = |field: &str| refusal(option, &format!("{START} {field}"));
    for field in ["-", "d2e2d7e7", "e7", "e7d2"] {
        assert_eq!(with(field), "read", "{field}");
    }
    assert!(with("d3").contains("field 6 (unmoved pawns) is `d3`: no Pawn on d3 can be unmoved"));
    assert!(with("c2").contains("no Pawn on c2"), "a Peasant");
    assert!(with("d2d2").contains("d2 is there twice"));
    assert!(with("d2-").contains("at `-` a square was expected"));
    assert!(with("d9").contains("at `d9` a square was expected"));
    // A White Pawn far from home has moved.
    let far = "k7/8/8/8/8/3P4/8/K7[] w - 0 1 d3";
    assert!(refusal(option, far).contains("its owner's two nearest ranks"));
    // In order of rank, then file.
    let game = game(option);
    let state = game.parse_fen(&format!("{START} e7e2d7")).expect("a position");
    assert!(game.fen(&state).ends_with(" 0 1 e2d7e7"));
}

#[test]
fn a_wrong_move_is_refused_with_the_nearest() {
    let game = game("");
    let state = at(&game, "k7/8/8/8/8/8/8/K6R[P]", 'w');
    let error = parse_uci(&game, &state, "p@e5").map_err(|e| e.to_string());
    assert!(error.is_err_and(|e| e.contains("`p@e5` is not a legal move of martian-shogi")));
    assert!(parse_uci(&game, &state, "P@e5").is_ok());
}

proptest! {
    /// Text never panics.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,90}", cut in 0..75_usize, option in any::<bool>()) {
        let game = game(if option { "pawn_double_first_move=true" } else { "" });
        let _ = game.parse_fen(&text);
        let mut near = START.to_owned();
        near.replace_range(cut..(cut + 3).min(near.len()), &text.chars().take(4).collect::<String>());
        if let Ok(state) = game.parse_fen(&near) {
            prop_assert_eq!(game.parse_fen(&game.fen(&state)), Ok(state));
        }
    }
}
