//! Moves, volleys and endings under the default options.

use super::*;
use crate::outcome::{GameResult, Termination};
use crate::referee::{Limits, Referee};
use crate::side::Side;
use serde_json::Value;

const EXAMPLES: &str = include_str!("../../../../tests/fixtures/mchess-examples.json");

/// An independent program's examples: each the rule that its name says.
#[test]
fn examples_of_the_literal_implementation() {
    let file: Value = serde_json::from_str(EXAMPLES).unwrap();
    let mut checked = 0;
    for (key, numbers) in [("examples", "hot"), ("default_examples", "first")] {
        let game = game(&[("numbers", numbers)]);
        for example in file[key].as_array().unwrap() {
            let text = |key: &str| example[key].as_str().unwrap();
            let name = text("name");
            assert_eq!(after(&game, text("before"), text("move")), text("after"), "{name}");
            let ending = game.ending(&read(&game, text("after")));
            assert_eq!(ending.map(|e| e.termination.name()), example["outcome"].as_str(), "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 55);
}

#[test]
fn white_moves_first_from_the_standard_array() {
    let game = game(&[]);
    let start = game.start();
    assert_eq!(
        game.fen(&start),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a2b2c2d2e2f2g2h2a7b7c7d7e7f7g7h7 - 0 1 -"
    );
    assert_eq!(game.side_to_move(&start), Side::White);
}

#[test]
fn no_move_captures_and_only_pawning_displaces() {
    let game = game(&[]);
    let fen = "k7/8/8/1p1p1p2/4Q3/2N2B2/4R3/4K3 w - - 0 1 -";
    // Enemies on b5, d5 and f5 stop the queen, and the knight has no move to b5 or d5.
    assert_eq!(moves_from(&game, fen, "c3"), ["a2", "a4", "b1", "d1"]);
    let queen = moves_from(&game, fen, "e4");
    assert!(queen.iter().all(|to| !["d5", "f5", "c6", "g6"].contains(&to.as_str())), "{queen:?}");
    assert!(legal_uci(&game, &read(&game, fen)).iter().all(|m| !m.contains('x')));
}

#[test]
fn pawn_goes_one_square_forward_if_empty() {
    let game = game(&[]);
    assert_eq!(moves_from(&game, "k7/8/8/8/8/4P3/8/K7 w - - 0 1 -", "e3"), ["e4"]);
    assert!(moves_from(&game, "k7/8/8/8/4n3/4P3/8/K7 w - - 0 1 -", "e3").is_empty());
    assert_eq!(moves_from(&game, "k7/8/8/4p3/8/8/8/K7 b - - 0 1 -", "e5"), ["e4"]);
}

#[test]
fn pawns_own_first_move_may_be_two_wherever_it_was_placed() {
    let game = game(&[]);
    for (fen, from, to) in [
        ("k7/8/8/8/8/8/8/K3P3 w e1 - 0 1 -", "e1", ["e2", "e3"]),
        ("k7/8/8/8/8/4P3/8/K7 w e3 - 0 1 -", "e3", ["e4", "e5"]),
        ("k3p3/8/8/8/8/8/8/K7 b e8 - 0 1 -", "e8", ["e6", "e7"]),
    ] {
        assert_eq!(moves_from(&game, fen, from), to, "{fen}");
    }
    // Both squares must be empty.
    assert_eq!(moves_from(&game, "k7/8/8/8/4n3/8/4P3/K7 w e2 - 0 1 -", "e2"), ["e3"]);
    assert!(moves_from(&game, "k7/8/8/8/8/4n3/4P3/K7 w e2 - 0 1 -", "e2").is_empty());
    // Its own first move: afterwards the flag is gone, and there is no second double step.
    let later = after(&game, "k7/8/8/8/8/8/4P3/K7 w e2 - 0 1 -", "e2e3 a8a7");
    assert_eq!(moves_from(&game, &later, "e3"), ["e4"]);
}

#[test]
fn pawning_swaps_with_an_enemy_diagonally_forward_and_costs_it_two_fifths() {
    let game = game(&[]);
    let fen = "k7/8/8/3n1q2/4P3/8/8/K7 w - - 5 1 -";
    assert_eq!(moves_from(&game, fen, "e4"), ["e5", "xd5", "xf5"]);
    // 40 % of 175 is 70; the pawn on f5 attacks nobody; a pawn move sets the clock to 0.
    assert_eq!(after(&game, fen, "e4xf5"), "k7/8/8/3n1P2/4q3/8/8/K7 b - - 0 1 250,150,100,105,250");
    // Files do not wrap round the edge, own pieces are not displaced.
    assert_eq!(moves_from(&game, "k7/8/8/7n/n7/P7/1N6/K7 w - - 0 1 -", "a3"), Vec::<String>::new());
    assert!(
        legal_uci(&game, &read(&game, "k7/8/8/1N6/P7/8/8/K7 w - - 0 1 -")).iter().all(|m| !m.contains('x'))
    );
}

#[test]
fn kings_are_displaced_and_die_as_others() {
    let game = game(&[]);
    let fen = "r7/8/8/3k4/4P3/8/8/K7 w - - 0 1 200,99,100,250";
    assert_eq!(after(&game, fen, "e4xd5"), "r7/8/8/3P4/8/8/8/K7 b - - 0 1 -");
}

#[test]
fn displaced_enemy_pawn_keeps_its_unmoved_flag_and_may_go_two_from_there() {
    let game = game(&[]);
    let fen = after(&game, "k7/8/8/3p4/4P3/8/8/K7 w e4d5 - 0 1 -", "e4xd5");
    assert_eq!(fen, "k7/8/8/3P4/4p3/8/8/K7 b e4 - 0 1 250,100,60,250");
    assert_eq!(moves_from(&game, &fen, "e4"), ["e2", "e3"]);
    // The pawning pawn's own flag is used up; so is that of a displaced pawn that dies.
    let dead = after(&game, "k7/8/8/3p4/4P3/8/8/K7 w e4d5 - 0 1 250,39,100,250", "e4xd5");
    assert_eq!(dead, "k7/8/8/3P4/8/8/8/K7 b - - 0 1 -");
}

#[test]
fn knight_and_king_step_to_empty_squares() {
    let game = game(&[]);
    assert_eq!(moves_from(&game, "k7/8/8/8/8/1n6/2P5/N7 w - - 0 1 -", "a1"), Vec::<String>::new());
    assert_eq!(moves_from(&game, "k7/8/8/8/8/8/PP6/KN6 w - - 0 1 -", "a1"), Vec::<String>::new());
    assert_eq!(moves_from(&game, "k7/8/8/8/8/8/8/K7 w - - 0 1 -", "a1"), ["a2", "b1", "b2"]);
    // No check: the king may step next to the other king and into any attack; no castling.
    assert_eq!(moves_from(&game, "8/8/8/8/8/1k6/8/K6r w - - 0 1 -", "a1"), ["a2", "b1", "b2"]);
    assert!(
        moves_from(&game, "k7/8/8/8/8/8/8/R3K2R w - - 0 1 -", "e1").iter().all(|m| m != "g1" && m != "c1")
    );
}

#[test]
fn sliders_go_any_distance_over_empty_squares() {
    let game = game(&[]);
    assert_eq!(moves_from(&game, "k7/8/8/8/3n4/8/1B6/K7 w - - 0 1 -", "b2"), ["a3", "c1", "c3"]);
    assert_eq!(moves_from(&game, "k7/8/1P6/8/8/1R1n4/1P6/K7 w - - 0 1 -", "b3"), ["a3", "b4", "b5", "c3"]);
    assert_eq!(moves_from(&game, "k7/8/8/8/8/8/8/K6Q w - - 0 1 -", "h1").len(), 6 + 7 + 6);
}

#[test]
fn there_is_no_en_passant() {
    let game = game(&[]);
    let fen = after(&game, "k7/3p4/8/4P3/8/8/8/K7 b d7 - 0 1 -", "d7d5");
    assert_eq!(moves_from(&game, &fen, "e5"), ["e6"]);
}

#[test]
fn pawn_on_the_last_rank_becomes_a_new_piece_at_full_health_that_acts_at_once() {
    let game = game(&[]);
    let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1 250,1,250";
    assert_eq!(moves_from(&game, fen, "a7"), ["a8b", "a8n", "a8q", "a8r"]);
    // Rook: 10 from a8 along the rank; 250 - 10.
    assert_eq!(after(&game, fen, "a7a8r"), "R6k/8/8/8/8/8/8/K7 b - - 0 1 200,240,250");
    // Queen at distance 7: 20 x 2/8 = 5.
    assert_eq!(after(&game, fen, "a7a8q"), "Q6k/8/8/8/8/8/8/K7 b - - 0 1 175,245,250");
    let pawning = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1 150,250,1,250";
    assert_eq!(
        moves_from(&game, pawning, "a7"),
        ["a8b", "a8n", "a8q", "a8r", "xb8b", "xb8n", "xb8q", "xb8r"]
    );
    assert_eq!(after(&game, pawning, "a7xb8n"), "1N5k/n7/8/8/8/8/8/K7 b - - 0 1 150,250,90,250");
    let two = "7k/8/P7/8/8/8/8/K7 w a6 - 0 1 -";
    assert_eq!(moves_from(&game, two, "a6"), ["a7", "a8b", "a8n", "a8q", "a8r"]);
}

#[test]
fn enemy_pawn_on_its_own_last_rank_becomes_a_queen_that_can_be_hit() {
    let game = game(&[]);
    let fen = "K6k/8/8/8/8/8/3p4/R3P3 w e1 - 0 1 250,250,1,200,100";
    // Rook a1 hits the new queen for 10; the 40 % is gone with the pawn.
    assert_eq!(after(&game, fen, "e1xd2"), "K6k/8/8/8/8/8/3P4/R3q3 b - - 0 1 250,250,100,200,165");
    let flag = "K6k/8/8/8/8/8/3p4/4P3 w e1d2 - 0 1 -";
    assert_eq!(after(&game, flag, "e1xd2"), "K6k/8/8/8/8/8/3P4/4q3 b - - 0 1 -");
}

#[test]
fn every_piece_acts_not_only_the_one_that_moved_and_only_the_movers() {
    let game = game(&[]);
    // White's rook a4 hits h4 although the king moved; black's rook h4 does nothing in White's turn.
    assert_eq!(health_after(&game, "6k1/8/8/8/R6r/8/8/K7 w - - 0 1 -", "a1b1"), "250,200,190,250");
}

#[test]
fn all_damage_is_summed_first_and_applied_after() {
    let game = game(&[]);
    // The near rook dies to the king, yet stands in the queen's way to the far one in the same turn.
    let fen = "6k1/8/8/8/8/Q1r4r/8/1K6 w - - 0 1 250,175,20,200,250";
    assert_eq!(after(&game, fen, "b1b2"), "6k1/8/8/8/8/Q6r/1K6/8 b - - 0 1 -");
}

#[test]
fn queen_hits_the_first_piece_in_each_direction_if_it_is_an_enemy() {
    let game = game(&[]);
    // d4 at 3 steps: 15; h1 behind own g1: nothing.
    let fen = "7k/8/8/8/3r4/8/1P6/K2Q2Pn w - - 0 1 -";
    assert_eq!(health_after(&game, fen, "a1a2"), "250,185,250,100,175,100,150");
}

#[test]
fn bishop_has_no_attack_and_is_not_buffed_by_itself() {
    let game = game(&[]);
    assert_eq!(
        health_after(&game, "k7/8/8/8/8/2n5/1B6/K7 w - - 0 1 249,150,125,250", "a1a2"),
        "249,150,250,125"
    );
    // Two bishops on one diagonal buff what is on it twice: 20 x 2.2 = 44.
    let fen = "7k/8/8/5n2/3N4/8/1B6/B6K w - - 0 1 -";
    assert_eq!(health_after(&game, fen, "h1h2"), "250,106,150,125,250,125");
}

#[test]
fn three_bishops_after_promotion_add_up() {
    let game = game(&[]);
    // Knight d4 on the diagonals of a1, b2 and g7: 20 x (1 + 3 x 0.6) = 56.
    let fen = "7k/6B1/8/5n2/3N4/8/1B6/B6K w - - 0 1 -";
    assert!(health_after(&game, fen, "h1h2").contains(",94,"));
}

#[test]
fn king_heals_adjacent_own_pieces_not_himself_not_above_maximum() {
    let game = game(&[]);
    let fen = "7k/8/8/8/3PKN2/8/P7/8 w - - 0 1 250,90,200,145,50";
    assert_eq!(health_after(&game, fen, "e4e3"), "250,98,150,200,50");
    // A second mover's turn heals again, up to the maximum.
    let twice = after(&game, fen, "e4e3 h8h7 e3e4");
    assert!(twice.ends_with(" 250,100,200,150,50"), "{twice}");
}

#[test]
fn rook_damage_beside_a_shield_is_taken_whole_by_rooks() {
    let game = game(&[]);
    // Rook d1 hits rook d5 (not shielded by d8) and rook d8 for 10 each, knight d3 for 10 of which both
    // rooks take 4: 200 - 14 each, 150 - 2.
    let fen = "k2r4/8/8/3r4/8/3n4/8/K2R4 w - - 0 1 -";
    assert_eq!(health_after(&game, fen, "a1a2"), "250,186,186,148,250,200");
}

#[test]
fn exactly_zero_lives_and_acts() {
    let game = game(&[]);
    let fen = "7k/8/8/3p4/4P3/8/8/K7 w - - 3 9 250,15,100,250";
    let next = after(&game, fen, "a1a2");
    assert_eq!(next, "7k/8/8/3p4/4P3/8/K7/8 b - - 4 9 250,0,100,250");
    assert_eq!(health_after(&game, &next, "h8h7"), "250,0,85,250");
    // The next blow of any size takes it below zero: a death sets the half-move clock to 0.
    assert_eq!(after(&game, &next, "h8h7 a2a1"), "8/7k/8/8/4P3/8/8/K7 b - - 0 10 250,85,250");
}

#[test]
fn annihilation_wins_for_the_mover() {
    let game = game(&[]);
    let state = read(&game, &after(&game, "8/8/8/3k4/4P3/8/8/K7 w - - 0 1 10,100,250", "a1a2"));
    let ending = game.ending(&state).unwrap();
    assert_eq!(
        (ending.result, ending.termination),
        (GameResult::Win(Side::White), Termination::Annihilation)
    );
    assert!(list(&game, &state, Which::All).is_empty());
    assert_eq!(game.count(&state), 0);
}

#[test]
fn blocked_wins_for_the_mover() {
    let game = game(&[]);
    let state = read(&game, "k7/p7/P7/8/8/8/8/7K b - - 0 1 -");
    assert_eq!(game.ending(&state), None);
    let state = read(&game, "kb6/pp6/PP6/8/8/8/8/7K b - - 0 1 -");
    assert_eq!(game.ending(&state), None, "pawning is a move");
    let state = read(&game, "8/8/8/7p/7P/8/8/7K b - - 0 1 -");
    let ending = game.ending(&state).unwrap();
    assert_eq!((ending.result, ending.termination), (GameResult::Win(Side::White), Termination::Blocked));
}

#[test]
fn annihilation_comes_before_blocked() {
    let game = game(&[]);
    let state = read(&game, "8/8/8/8/8/8/8/K7 b - - 0 1 -");
    assert_eq!(game.ending(&state).unwrap().termination, Termination::Annihilation);
}

/// Plays moves with all rules that need history.
fn referee(fen: &str, moves: &str, limits: Limits) -> Option<Termination> {
    let game = game(&[]);
    let state = read(&game, fen);
    let mut referee = Referee::new(game, state, limits);
    for text in moves.split_whitespace() {
        assert_eq!(referee.ending(), None, "before {text}");
        let m = parse_uci(referee.game(), referee.state(), text).unwrap_or_else(|e| panic!("{e}"));
        referee.play(m);
    }
    referee.ending().map(|e| e.termination)
}

#[test]
fn third_occurrence_is_a_draw_health_included() {
    let round = "a1a2 h8h7 a2a1 h7h8 ";
    let bishops = "b6k/8/8/8/8/8/8/K6B w - - 0 1 -";
    assert_eq!(referee(bishops, &round.repeat(2), Limits::default()), Some(Termination::Repetition));
    // The rooks wound each other: the same squares, but never the same position.
    let rooks = "r6k/8/8/8/R7/8/8/1K6 w - - 0 1 -";
    assert_eq!(referee(rooks, &"b1b2 h8h7 b2b1 h7h8 ".repeat(3), Limits::default()), None);
}

#[test]
fn repetition_comes_before_the_move_limit() {
    let limits = Limits { move_limit: Some(4), ..Limits::default() };
    let bishops = "b6k/8/8/8/8/8/8/K6B w - - 0 1 -";
    let moves = "a1a2 h8h7 a2a1 h7h8 ".repeat(2);
    assert_eq!(referee(bishops, &moves, limits), Some(Termination::Repetition));
    let moves = "a1a2 h8h7 a2a3 h7h6 a3a4 h6h5 a4a5 h5h4";
    assert_eq!(referee(bishops, moves, limits), Some(Termination::MoveLimit));
}

#[test]
fn half_move_clock_starts_again_on_a_pawn_move_or_a_death_only() {
    let game = game(&[]);
    let clock = |fen: &str, m: &str| game.clocks(&read(&game, &after(&game, fen, m))).0;
    let fen = "7k/8/8/3n4/4P3/8/8/K7 w - - 7 9 -";
    assert_eq!(clock(fen, "a1a2"), 8);
    assert_eq!(clock(fen, "e4e5"), 0);
    assert_eq!(clock(fen, "e4xd5"), 0);
    assert_eq!(clock("7k/8/8/3n4/4P3/8/8/K7 w - - 7 9 250,14,100,250", "a1a2"), 0);
}
