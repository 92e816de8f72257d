//! Text that is no position: the error quotes the input, says where it stands and what was expected.

use crate::ask::{placement, rules};

/// A game, a text, and what its error must name.
type Case<'a> = (&'static str, &'a str, &'a [&'a str]);

const CASES: &[Case<'_>] = &[
    // Widths and heights.
    (
        "chess",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["placement", "rank 7", "`ppppppppp`", "9 squares wide", "8 expected"],
    ),
    (
        "chess",
        "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["placement", "rank 7", "`ppppppp`", "7 squares wide"],
    ),
    (
        "chess",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["placement", "rank 6", "9 squares wide"],
    ),
    ("chess", "rnbqkbnr/pppppppp/08/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &["placement", "`0`", "rank 6"]),
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", &["placement", "7 ranks", "8 expected"]),
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["placement", "9 ranks", "8 expected"],
    ),
    (
        "mageca",
        "rnbmqkmbnr/pppppppppp/10/10/10/10/10/11/PPPPPPPPPP/RNBMQKMBNR w KQkq - 0 1",
        &["placement", "rank 3", "2 squares wide", "10 expected"],
    ),
    // Letters.
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPXPPP/RNBQKBNR w KQkq - 0 1",
        &["placement", "unknown letter `X`", "rank 2", "PKQRBN"],
    ),
    (
        "magi",
        "rnbmqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR w KQkq - 0 1 -",
        &["placement", "unknown letter `m`", "rank 10", "PKQRBNDCW"],
    ),
    (
        "mageca",
        "rnbmqkmbnr/pppppppppp/10/10/10/5é4/10/10/PPPPPPPPPP/RNBMQKMBNR w KQkq - 0 1",
        &["placement", "unknown letter `é`", "rank 5"],
    ),
    // Kings and pawns.
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w kq - 0 1",
        &["placement", "white has 2 kings", "exactly one"],
    ),
    (
        "chess",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        &["placement", "black has 0 kings", "exactly one"],
    ),
    ("chess", "Pnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", &["placement", "pawn", "a8"]),
    (
        "mageca",
        "rnbmqkmbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBMQKMBNp w Qkq - 0 1",
        &["placement", "pawn", "j1"],
    ),
    ("mchess", "k7/8/8/8/8/8/8/KK6 w - - 0 1 -", &["white has 2 kings", "at most one"]),
    // Side to move.
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1",
        &["side to move", "`white`", "`w` or `b`"],
    ),
    ("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", &["black is in check", "white is to move"]),
    // Castling rights.
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1",
        &["castling", "`KQkq`", "`K`", "without a rook"],
    ),
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1KNR w Qkq - 0 1",
        &["castling", "`Q`", "king is not on e1"],
    ),
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", &["castling", "`KQxq`", "`x`"]),
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1", &["castling", "`KK`", "second"]),
    (
        "mageca",
        "rnbmqkmbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBMQKMB1R w KQkqZ - 0 1",
        &["castling", "`Z`"],
    ),
    ("chess960", "4k3/8/8/8/8/8/8/RN1K4 w B - 0 1", &["castling", "`B`", "without a rook"]),
    ("chess960", "4k3/8/8/8/8/4K3/8/R6R w K - 0 1", &["castling", "`K`", "first rank"]),
    ("multi-chess", "4k3/8/8/8/8/8/8/3K3R w Q - 0 1 -", &["castling", "`Q`", "without a rook"]),
    // En passant.
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", &["en passant", "`e6`", "no black pawn has just passed e6"]),
    ("chess", "4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 1", &["en passant", "`e5`", "no black pawn"]),
    ("chess", "4k3/8/8/8/8/8/8/4K3 w - i9 0 1", &["en passant", "`i9`", "square"]),
    ("magi", "5k4/10/10/10/10/1p8/1pP7/10/10/5K4 b - c3c5 0 1 -", &["en passant", "`c3c5`"]),
    ("mchess", "k7/8/8/8/8/8/8/K7 w - e3 0 1 -", &["en passant", "`e3`", "`-` was expected"]),
    // Clocks.
    ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - x 1", &["half-move clock", "`x`", "whole number"]),
    ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - -1 1", &["half-move clock", "`-1`"]),
    ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - +1 1", &["half-move clock", "`+1`"]),
    ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 0", &["move number", "`0`", "from 1"]),
    (
        "chess",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 99999999999999999999",
        &["move number", "`99999999999999999999`"],
    ),
    // Fields too few and too many.
    ("chess", "4k3/8/8/8/8/8/8/R3K3 w - -", &["4 fields", "6 were expected", "half-move clock"]),
    ("chess", "", &["0 fields", "6 were expected"]),
    ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -", &["7 fields", "6 were expected"]),
    ("magi", "5k4/10/10/10/10/10/10/10/10/R4K4 w - - 0 1", &["6 fields", "7 were expected", "unmoved pawns"]),
    ("multi-chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["6 fields", "7 were expected", "actions to come"]),
    // Magi's unmoved pawns.
    (
        "magi",
        "5k4/10/10/10/10/10/10/10/10/R4K4 w - - 0 1 d3",
        &["unmoved pawns", "`d3`", "no pawn that began on d3"],
    ),
    (
        "magi",
        "5k4/10/10/10/10/10/10/4P5/10/R4K4 w - - 0 1 e3",
        &["unmoved pawns", "`e3`", "no pawn that began on e3"],
    ),
    ("magi", "5k4/10/10/10/10/10/10/3P6/10/R4K4 w - - 0 1 d3d3", &["unmoved pawns", "`d3d3`", "twice"]),
    ("magi", "5k4/10/10/10/10/10/10/3P6/10/R4K4 w - - 0 1 d", &["unmoved pawns", "`d`", "square"]),
    // Multi-chess's actions.
    ("multi-chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 Qk", &["actions to come", "`Qk`", "`kqKQ`"]),
    (
        "multi-chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 kqKQ",
        &["actions to come", "black acts now", "white"],
    ),
    (
        "multi-chess",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 qKQ",
        &["no arrangement", "rnb1kbnr"],
    ),
    ("multi-chess", "rnbqbknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 KQ", &["no arrangement"]),
    // Martian Shogi's board is part of its field.
    (
        "martian-shogi",
        "[lbkkblm/sveppevs/8/8/8/8/SVEPPEVS/MLBKKBLM[] w - 0 1",
        &["placement with hands", "`[lbkkblm/", "1 ranks were found", "8 expected"],
    ),
    // MChess's health.
    ("mchess", "k7/8/8/8/8/8/8/K7 w - - 0 1 250", &["health", "`250`", "1 values", "2 pieces"]),
    ("mchess", "k7/8/8/8/8/8/8/K7 w - - 0 1 250,-1", &["health", "`-1`", "negative"]),
];

#[test]
fn each_wrong_text_is_refused_with_the_field_and_what_was_expected() {
    for (game, text, wanted) in CASES {
        let error = rules(game).error(text);
        for part in *wanted {
            assert!(error.contains(part), "{game}: `{text}`\n  error: {error}\n  should name: {part}");
        }
    }
}

#[test]
fn the_same_texts_without_their_mistakes_are_read() {
    for (game, fen) in [
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("chess", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1"),
        ("magi", "5k4/10/10/10/10/1pP7/1p8/10/10/5K4 b - c3c4 0 1 -"),
        ("magi", "5k4/10/10/10/10/10/10/3P6/10/R4K4 w - - 0 1 d3"),
        ("multi-chess", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -"),
        ("mchess", "k7/8/8/8/8/8/8/K7 w - - 0 1 250,249.5"),
    ] {
        assert_eq!(rules(game).after(fen, ""), fen);
    }
}

#[test]
fn an_illegal_move_is_refused_with_the_text_the_position_and_the_nearest_move() {
    use equipoise_engine::games::{self, Visitor};
    use equipoise_engine::notation::parse_uci;
    use equipoise_engine::search::Playable;
    struct Refused(&'static str);
    impl Visitor for Refused {
        type Output = String;
        fn visit<G: Playable>(self, game: G) -> String {
            parse_uci(&game, &game.start(), self.0).unwrap_err().to_string()
        }
    }
    let error = |text| games::with("magi", [], Refused(text)).unwrap();
    for text in ["e2e6", "", "e2", "e2e4q", "♞", "a10a11"] {
        let message = error(text);
        assert!(message.contains(&format!("`{text}`")) && message.contains("magi"), "{message}");
        assert!(message.contains("rnbcqkwbnr/"), "{message}");
    }
    assert!(error("e2e6").contains("did you mean `e2e"), "{}", error("e2e6"));
}

#[test]
fn placements_in_these_tests_are_written_as_fen() {
    assert_eq!(placement(8, "Ka1 kh8 Pe4"), "7k/8/8/8/4P3/8/8/K7");
    assert_eq!(placement(10, "Ka1 kj10"), "9k/10/10/10/10/10/10/10/10/K9");
}
