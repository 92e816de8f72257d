//! FEN and UCI: what is written, and what is refused with which words.

use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a2b2c2d2e2f2g2h2a7b7c7d7e7f7g7h7 - 0 1 -";

fn error(fen: &str) -> String {
    game(&[]).parse_fen(fen).unwrap_err().to_string()
}

#[test]
fn health_is_written_in_points_without_trailing_zeros() {
    let game = game(&[]);
    for health in ["250,0,100,250", "250,0.001,99.5,250", "249.95,100,100,250", "0,0,0,0"] {
        let fen = format!("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 {health}");
        assert_eq!(game.fen(&read(&game, &fen)), fen);
    }
}

#[test]
fn only_a_dash_stands_for_full_health() {
    let game = game(&[]);
    assert_eq!(game.fen(&read(&game, START)), START);
    assert!(
        error("7k/8/8/8/8/8/8/K7 w - - 0 1 250,250")
            .contains("all pieces have full health: `-` was expected")
    );
}

#[test]
fn the_number_set_decides_what_full_is() {
    let mut numbers = super::super::Numbers::first();
    numbers.health[usize::from(super::super::KING)] = 300;
    let options = Options::resolve(INFO.name, INFO.options, []).unwrap();
    let strong = MChess::with_numbers(options, numbers).unwrap();
    let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1 300,299.5";
    assert_eq!(strong.fen(&read(&strong, fen)), fen);
    assert!(error(fen).contains("`300` of the king on h8 is above its maximum, 250"));
}

#[test]
fn health_errors_name_the_value_the_piece_and_the_square() {
    let fen = |health: &str| format!("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 {health}");
    for (health, problem) in [
        ("250,-1,100,250", "`-1` of the pawn on d5 is negative"),
        ("250,100.001,100,250", "`100.001` of the pawn on d5 is above its maximum, 100"),
        ("250,99999999999,100,250", "`99999999999` of the pawn on d5"),
        ("250,1,100", "3 values were found for 4 pieces"),
        ("250,1,100,250,1", "5 values were found for 4 pieces"),
        ("250,1.0001,100,250", "`1.0001` of the pawn on d5 is no number of points"),
        ("250,x,100,250", "`x` of the pawn on d5 is no number of points"),
        ("250,,100,250", "`` of the pawn on d5 is no number of points"),
        ("250,1.,100,250", "`1.` of the pawn on d5 is no number of points"),
        ("250,1.50,100,250", "`1.50` of the pawn on d5 is to be written `1.5`"),
        ("250,01,100,250", "`01` of the pawn on d5 is to be written `1`"),
    ] {
        let message = error(&fen(health));
        assert!(message.contains(problem), "{health}: {message}");
        assert!(message.contains("FEN field 7 (health)"), "{message}");
    }
}

#[test]
fn a_missing_health_field_is_named() {
    let message = error("7k/8/8/8/8/8/8/K7 w - - 0 1");
    assert!(message.contains("FEN field 7 (health)") && message.contains("missing"), "{message}");
    assert!(error("7k/8/8/8/8/8/8/K7 w - - 0").contains("has 5 fields; 7 were expected"));
}

#[test]
fn impossible_positions_are_refused() {
    for (fen, problem) in [
        ("P6k/8/8/8/8/8/8/K7 w - - 0 1 -", "the white pawn on a8 is on its own last rank"),
        ("7k/8/8/8/8/8/8/K6p w - - 0 1 -", "the black pawn on h1 is on its own last rank"),
        ("7k/8/8/8/8/8/8/KK6 w - - 0 1 -", "white has 2 kings"),
        ("6kk/8/8/8/8/8/8/K7 w - - 0 1 -", "black has 2 kings"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 -", "there is no piece on the board"),
        ("7k/8/8/8/8/Q7/QQQQQQQQ/KQQQQQQQ w - - 0 1 -", "white has 17 pieces; at most 16"),
    ] {
        assert!(error(fen).contains(problem), "{fen}: {}", error(fen));
    }
    // A side without a king, or without any piece, is a position like others.
    for fen in [
        "8/p7/8/8/8/8/8/K7 w - - 0 1 -",
        "8/8/8/8/8/8/8/K7 b - - 0 1 -",
        "p6k/8/8/8/8/8/8/KP6 w b1a8 - 0 1 -",
    ] {
        assert_eq!(game(&[]).fen(&read(&game(&[]), fen)), fen);
    }
}

#[test]
fn unmoved_pawns_are_squares_with_pawns_by_rank_then_file() {
    for (unmoved, problem) in [
        ("e5", "no pawn stands on e5"),
        ("a1", "no pawn stands on a1"),
        ("d5e4", "e4 is out of order"),
        ("e4e4", "e4 is out of order"),
        ("e9", "`e9` does not begin with a square"),
        ("e4-", "`-` does not begin with a square"),
        ("KQkq", "`KQkq` does not begin with a square"),
    ] {
        let message = error(&format!("7k/8/8/3p4/4P3/8/8/K7 w {unmoved} - 0 1 -"));
        assert!(message.contains(problem), "{unmoved}: {message}");
    }
}

#[test]
fn other_fields_are_checked() {
    for (fen, problem) in [
        ("7k/8/8/8/8/8/8/K7 x - - 0 1 -", "`w` or `b` was expected"),
        ("7k/8/8/8/8/8/8/K7 w - e3 0 1 -", "MChess has no en passant"),
        ("7k/8/8/8/8/8/8/K7 w - - -1 1 -", "half-move clock"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 0 -", "full move"),
        ("7k/8/8/8/8/8/8/D7 w - - 0 1 -", "unknown letter `D`"),
        ("7k/8/8/8/8/8/8 w - - 0 1 -", "7 ranks were found"),
    ] {
        assert!(error(fen).contains(problem), "{fen}: {}", error(fen));
    }
}

#[test]
fn an_illegal_move_is_refused_with_the_nearest() {
    let game = game(&[]);
    let state = read(&game, "7k/8/8/3n4/4P3/8/8/K7 w - - 0 1 -");
    let message = parse_uci(&game, &state, "exd5").unwrap_err().to_string();
    assert!(
        message.contains("`exd5` is not a legal move of mchess") && message.contains("`e4xd5`"),
        "{message}"
    );
}
