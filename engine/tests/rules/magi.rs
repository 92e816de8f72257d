//! Magi.

use crate::ask::{count, placement, rules};

/// A Magi position with no castling rights; `unmoved` is the last field.
fn fen(side: &str, pieces: &str, unmoved: &str) -> String {
    format!("{} {side} - - 0 1 {unmoved}", placement(10, pieces))
}

/// What is left of `moves` from and to these squares.
fn captures(fen: &str, uci: &str, from: &[&str], to: &[&str]) -> String {
    let magi = rules("magi");
    let mut moves = magi.moves(&magi.after(fen, uci));
    moves.retain(|m| from.iter().any(|f| m.starts_with(f)) && to.iter().any(|t| m.ends_with(t)));
    moves.join(" ")
}

#[test]
fn each_side_has_24_pieces_where_the_diagram_has_them() {
    let start = rules("magi").start();
    assert_eq!(
        start,
        "rnbcqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR w KQkq - 0 1 d3g3d8g8"
    );
    let (white, _) = start.split_once(' ').unwrap();
    for (letter, n) in
        [('K', 1), ('Q', 1), ('C', 1), ('W', 1), ('R', 2), ('B', 2), ('N', 2), ('D', 2), ('P', 12)]
    {
        assert_eq!((count(white, letter), count(white, letter.to_ascii_lowercase())), (n, n), "{letter}");
    }
}

#[test]
fn duke_goes_1_to_3_squares_along_rank_or_file_without_jumping() {
    let magi = rules("magi");
    let free = fen("w", "Ka1 kj10 De5", "-");
    assert_eq!(magi.from(&free, "e5"), "b5 c5 d5 e2 e3 e4 e6 e7 e8 f5 g5 h5");
    let stopped = fen("w", "Ka1 kj10 De5 Pe6 pg5 pb5 nd2 Pe3", "-");
    // Its own pawns stop it short, an enemy is taken and not passed.
    assert_eq!(magi.from(&stopped, "e5"), "b5 c5 d5 e4 f5 g5");
}

#[test]
fn cardinal_moves_as_a_bishop_or_one_square_along_rank_or_file() {
    let magi = rules("magi");
    let free = fen("w", "Ka10 kj1 Cc3", "-");
    assert_eq!(magi.from(&free, "c3"), "a1 a5 b2 b3 b4 c2 c4 d2 d3 d4 e1 e5 f6 g7 h8 i9 j10");
    let stopped = fen("w", "Ka10 kj1 Cc3 pc4 Pd3 pe5 Pb2", "-");
    assert_eq!(magi.from(&stopped, "c3"), "a5 b3 b4 c2 c4 d2 d4 e1 e5");
}

#[test]
fn wizard_steps_along_rank_or_file_jumps_two_diagonally_and_jumps_as_a_knight() {
    let magi = rules("magi");
    let free = fen("w", "Ka10 kj1 We5", "-");
    assert_eq!(magi.from(&free, "e5"), "c3 c4 c6 c7 d3 d5 d7 e4 e6 f3 f5 f7 g3 g4 g6 g7");
    // Nothing between stops a jump, and each way of moving captures.
    let crowded = fen("w", "Ka10 kj1 We5 Pd4 pd6 Pf4 pf6 nc3 ng7 re6 be4 nd7 Pf5", "-");
    assert_eq!(magi.from(&crowded, "e5"), "c3 c4 c6 c7 d3 d5 d7 e4 e6 f3 f7 g3 g4 g6 g7");
}

#[test]
fn king_queen_rook_bishop_and_knight_move_as_in_chess() {
    let magi = rules("magi");
    let lone = |piece: &str| magi.from(&fen("w", &format!("Ka9 kj2 {piece}e5"), "-"), "e5");
    assert_eq!(lone("N"), "c4 c6 d3 d7 f3 f7 g4 g6");
    assert_eq!(lone("R").split(' ').count(), 18);
    // a9 is the king's own square.
    assert_eq!(lone("B"), "a1 b2 b8 c3 c7 d4 d6 f4 f6 g3 g7 h2 h8 i1 i9 j10");
    assert_eq!(lone("Q").split(' ').count(), 18 + 16);
    assert_eq!(magi.from(&fen("w", "Ke5 kj2", "-"), "e5"), "d4 d5 d6 e4 e6 f4 f5 f6");
}

#[test]
fn pawn_goes_one_square_straight_forward_and_captures_one_square_diagonally_forward() {
    let magi = rules("magi");
    let open = fen("w", "Ka1 kj10 Pe5 pd6 pf6 pd4 pf4", "-");
    assert_eq!(magi.from(&open, "e5"), "d6 e6 f6");
    let shut = fen("w", "Ka1 kj10 Pe5 pe6 Pd6", "-");
    assert_eq!(magi.from(&shut, "e5"), "");
    let black = fen("b", "Ka1 kj10 pe6 Pd5 Pf5", "-");
    assert_eq!(magi.from(&black, "e6"), "d5 e5 f5");
}

#[test]
fn first_move_from_rank_2_is_1_2_or_3_squares_with_nothing_between_or_on_the_target() {
    let magi = rules("magi");
    let from = |pieces: &str| magi.from(&fen("w", &format!("Ka1 kj10 Pe2 {pieces}"), "-"), "e2");
    assert_eq!(from(""), "e3 e4 e5");
    assert_eq!(from("pe5"), "e3 e4");
    assert_eq!(from("pe4"), "e3");
    assert_eq!(from("Ne3"), "");
    assert_eq!(magi.from(&fen("b", "Ka1 kj10 pe9", "-"), "e9"), "e6 e7 e8");
}

#[test]
fn first_move_of_the_pawns_that_began_on_d3_and_g3_is_1_or_2_squares() {
    let magi = rules("magi");
    let start = magi.start();
    assert_eq!((magi.from(&start, "d3"), magi.from(&start, "g3")), ("d4 d5".into(), "g4 g5".into()));
    // The pawns behind them are shut in.
    assert_eq!((magi.from(&start, "d2"), magi.from(&start, "e2")), (String::new(), "e3 e4 e5".into()));
    let black = magi.after(&start, "e2e3");
    assert_eq!((magi.from(&black, "d8"), magi.from(&black, "g8")), ("d6 d7".into(), "g6 g7".into()));
}

#[test]
fn it_is_the_pawn_that_counts_not_the_square() {
    let magi = rules("magi");
    // Captured on to d3, or stepped d2-d3: it has moved and goes one square only.
    let capture = fen("w", "Ka1 kj10 Pc2 nd3", "-");
    let captured = magi.after(&capture, "c2d3 j10j9");
    assert_eq!(magi.from(&captured, "d3"), "d4");
    let step = fen("w", "Ka1 kj10 Pd2", "-");
    let stepped = magi.after(&step, "d2d3 j10j9");
    assert_eq!(magi.from(&stepped, "d3"), "d4");
    // The pawn that began there goes two.
    assert_eq!(magi.from(&fen("w", "Ka1 kj10 Pd3", "d3"), "d3"), "d4 d5");
}

#[test]
fn a_pawn_that_used_fewer_squares_than_allowed_moves_one_square_from_then_on() {
    let magi = rules("magi");
    let two = magi.after(&fen("w", "Ka1 kj10 Pe2", "-"), "e2e4 j10j9");
    assert_eq!(magi.from(&two, "e4"), "e5");
    let one = magi.after(&fen("w", "Ka1 kj10 Pe2", "-"), "e2e3 j10j9");
    assert_eq!(magi.from(&one, "e3"), "e4");
    let third = magi.after(&fen("w", "Ka1 kj10 Pd3", "d3"), "d3d4 j10j9");
    assert_eq!(magi.from(&third, "d4"), "d5");
}

#[test]
fn promotion_on_the_last_rank_is_compulsory_to_any_of_seven_pieces() {
    let magi = rules("magi");
    let white = fen("w", "Ka1 kj1 Pe9 rd10", "-");
    assert_eq!(
        magi.from(&white, "e9"),
        "d10b d10c d10d d10n d10q d10r d10w e10b e10c e10d e10n e10q e10r e10w"
    );
    let black = fen("b", "Ka10 kj10 pe2", "-");
    assert_eq!(magi.from(&black, "e2"), "e1b e1c e1d e1n e1q e1r e1w");
    for (letter, piece) in [("w", 'W'), ("c", 'C'), ("d", 'D'), ("q", 'Q')] {
        let after = magi.after(&white, &format!("e9e10{letter}"));
        assert_eq!((count(&after, piece), count(&after, 'P')), (1, 0), "{after}");
    }
}

#[test]
fn seed_example_black_b4_b5_against_c2_c4() {
    // b4 only in passing; b5 takes on c4 as pawns do.
    let position = fen("w", "Kf1 kf10 Pc2 pb4 pb5", "-");
    assert_eq!(captures(&position, "c2c4", &["b4", "b5"], &["c3", "c4", "c5"]), "b4c3 b5c4");
    let after = rules("magi").after(&position, "c2c4");
    assert!(after.contains(" b - c3 "), "{after}");
}

#[test]
fn seed_example_black_b4_b5_against_c2_c5() {
    // Both, in passing only.
    let position = fen("w", "Kf1 kf10 Pc2 pb4 pb5", "-");
    assert_eq!(captures(&position, "c2c5", &["b4", "b5"], &["c3", "c4", "c5"]), "b4c3 b5c4");
    let after = rules("magi").after(&position, "c2c5");
    assert!(after.contains(" b - c3c4 "), "{after}");
}

#[test]
fn seed_example_black_b4_b5_b6_against_c2_c5() {
    // b4 and b5 in passing, b6 as pawns do.
    let position = fen("w", "Kf1 kf10 Pc2 pb4 pb5 pb6", "-");
    assert_eq!(captures(&position, "c2c5", &["b4", "b5", "b6"], &["c3", "c4", "c5"]), "b4c3 b5c4 b6c5");
}

#[test]
fn seed_example_black_b3_b4_b5_against_c2_c5() {
    // b3 cannot.
    let position = fen("w", "Kf1 kf10 Pc2 pb3 pb4 pb5", "-");
    assert_eq!(captures(&position, "c2c5", &["b3", "b4", "b5"], &["c2", "c3", "c4", "c5"]), "b4c3 b5c4");
}

#[test]
fn seed_example_white_c6_c7_against_d8_d7_and_d8_d6() {
    let position = fen("b", "Kf1 kf10 pd8 Pc6 Pc7", "d8");
    let squares = ["d6", "d7", "d8"];
    // d8-d7: c7 in passing on d8, c6 takes on d7 as pawns do.
    assert_eq!(captures(&position, "d8d7", &["c6", "c7"], &squares), "c6d7 c7d8");
    // d8-d6: both in passing.
    assert_eq!(captures(&position, "d8d6", &["c6", "c7"], &squares), "c6d7 c7d8");
    let magi = rules("magi");
    assert!(magi.after(&position, "d8d7").contains(" w - d8 "));
    assert!(magi.after(&position, "d8d6").contains(" w - d7d8 "));
}

#[test]
fn one_step_from_d3_gives_the_square_it_came_from_as_target() {
    let magi = rules("magi");
    let position = fen("w", "Kf1 kf10 Pd3 pe4", "d3");
    let after = magi.after(&position, "d3d4");
    assert!(after.contains(" b - d3 "), "{after}");
    let taken = magi.after(&after, "e4d3");
    assert_eq!(taken, format!("{} w - - 0 2 -", placement(10, "Kf1 kf10 pd3")));
    // Two steps give both squares passed from rank 3 on.
    let two = fen("w", "Kf1 kf10 Pd3 pe4 pc5", "d3");
    assert!(magi.after(&two, "d3d5").contains(" b - d3d4 "));
}

#[test]
fn one_step_of_a_pawn_that_moved_before_gives_no_right() {
    let position = fen("w", "Kf1 kf10 Pd3 pe4", "-");
    assert!(rules("magi").after(&position, "d3d4").contains(" b - - "));
}

#[test]
fn c2_c3_gives_no_en_passant_right() {
    let magi = rules("magi");
    let position = fen("w", "Kf1 kf10 Pc2 pb3 pd3 pb4", "-");
    let after = magi.after(&position, "c2c3");
    assert!(after.contains(" b - - "), "{after}");
    assert_eq!(magi.from(&after, "b3"), "b2");
}

#[test]
fn a_first_move_that_captures_gives_no_right() {
    let magi = rules("magi");
    let position = fen("w", "Kf1 kf10 Pd3 ne4 pf5 pf4", "d3");
    let after = magi.after(&position, "d3e4");
    assert!(after.contains(" b - - "), "{after}");
}

#[test]
fn the_right_lasts_for_the_very_next_ply_only() {
    let magi = rules("magi");
    let position = fen("w", "Kf1 kf10 Pc2 pb4", "-");
    let later = magi.after(&position, "c2c5 f10f9 f1f2");
    assert_eq!(magi.from(&later, "b4"), "b3");
}

#[test]
fn the_pawn_that_moved_is_the_one_removed() {
    let magi = rules("magi");
    let position = fen("w", "Kf1 kf10 Pc2 pb4 pb5", "-");
    let low = magi.after(&position, "c2c5 b4c3");
    assert_eq!(low, format!("{} w - - 0 2 -", placement(10, "Kf1 kf10 pb5 pc3")));
    let high = magi.after(&position, "c2c5 b5c4");
    assert_eq!(high, format!("{} w - - 0 2 -", placement(10, "Kf1 kf10 pb4 pc4")));
}

#[test]
fn pawns_on_either_side_and_for_either_colour_can_take() {
    let magi = rules("magi");
    let white = magi.after(&fen("w", "Kf1 kf10 Pc2 pb4 pd4 pb5 pd5", "-"), "c2c5");
    let ep = |moves: Vec<String>, to: &[&str]| -> usize {
        moves.iter().filter(|m| to.iter().any(|t| m.ends_with(t)) && m.len() == 4 && &m[..1] != "c").count()
    };
    assert_eq!(ep(magi.moves(&white), &["c3", "c4"]), 4);
    let black = magi.after(&fen("b", "Kf1 kf10 pc9 Pb7 Pd7 Pb6 Pd6", "-"), "c9c6");
    assert!(black.contains(" w - c7c8 "), "{black}");
    assert_eq!(ep(magi.moves(&black), &["c7", "c8"]), 4);
}

const CASTLING: &str = "Kf1 Ra1 Rj1 kf10 ra10 rj10";

fn with_rights(pieces: &str, side: &str) -> String {
    format!("{} {side} KQkq - 0 1 -", placement(10, pieces))
}

#[test]
fn castling_moves_the_king_three_squares_and_the_rook_beside_him() {
    let magi = rules("magi");
    let white = with_rights(CASTLING, "w");
    let after = magi.after(&white, "f1i1");
    assert_eq!(after, format!("{} b kq - 1 1 -", placement(10, "Ki1 Ra1 Rh1 kf10 ra10 rj10")));
    let after = magi.after(&white, "f1c1");
    assert_eq!(after, format!("{} b kq - 1 1 -", placement(10, "Kc1 Rd1 Rj1 kf10 ra10 rj10")));
    let black = with_rights(CASTLING, "b");
    let after = magi.after(&black, "f10i10");
    assert_eq!(after, format!("{} w KQ - 1 2 -", placement(10, "Kf1 Ra1 Rj1 ki10 ra10 rh10")));
    let after = magi.after(&black, "f10c10");
    assert_eq!(after, format!("{} w KQ - 1 2 -", placement(10, "Kf1 Ra1 Rj1 kc10 rd10 rj10")));
}

#[test]
fn castling_wants_all_squares_between_king_and_rook_empty() {
    let magi = rules("magi");
    for (blocker, castles) in
        [("Nb1", "f1i1"), ("bb1", "f1i1"), ("Ne1", "f1i1"), ("Ng1", "f1c1"), ("nh1", "f1c1"), ("Ni1", "f1c1")]
    {
        let position = with_rights(&format!("{CASTLING} {blocker}"), "w");
        let moves = magi.moves(&position);
        let found: Vec<&String> = moves.iter().filter(|m| *m == "f1i1" || *m == "f1c1").collect();
        // A knight of Black on h1 or bishop on b1 attacks nothing that the other wing needs.
        assert_eq!(found, [castles], "{blocker}");
    }
}

#[test]
fn castling_is_barred_in_check_through_check_and_into_check_but_b1_may_be_attacked() {
    let magi = rules("magi");
    let castles = |attacker: &str| {
        let position = with_rights(&format!("{CASTLING} {attacker}"), "w");
        (magi.allows(&position, "f1i1"), magi.allows(&position, "f1c1"))
    };
    assert_eq!(castles(""), (true, true));
    assert_eq!(castles("rf5"), (false, false), "in check");
    assert_eq!(castles("rg5"), (false, true), "over g1");
    assert_eq!(castles("rh5"), (false, true), "over h1");
    assert_eq!(castles("ri5"), (false, true), "on to i1");
    assert_eq!(castles("rj5"), (true, true), "the rook is attacked");
    assert_eq!(castles("re5"), (true, false), "over e1");
    assert_eq!(castles("rd5"), (true, false), "over d1");
    assert_eq!(castles("rc5"), (true, false), "on to c1");
    assert_eq!(castles("rb5"), (true, true), "b1 may be attacked");
    assert_eq!(castles("ra5"), (true, true), "the rook is attacked");
}

#[test]
fn castling_wants_king_and_rook_unmoved() {
    let magi = rules("magi");
    let position = with_rights(CASTLING, "w");
    let king = magi.after(&position, "f1f2 f10f9 f2f1 f9f10");
    assert!(!magi.allows(&king, "f1i1") && !magi.allows(&king, "f1c1") && king.contains(" - - 4 "));
    let rook = magi.after(&position, "j1j2 a10a9 j2j1 a9a10");
    assert!(!magi.allows(&rook, "f1i1") && magi.allows(&rook, "f1c1"));
    assert!(rook.contains(" Qk - "), "{rook}");
    // A rook that is captured takes its right along, on both sides where rook takes rook.
    let taken = magi.after(&position, "j1j10");
    assert!(taken.contains(" b Qq - "), "{taken}");
}

#[test]
fn stalemate_is_a_draw_of_its_own_termination() {
    let stuck = fen("b", "kj10 Kh9 Qi8", "-");
    assert_eq!(rules("magi").end(&stuck, ""), "1/2-1/2 stalemate");
}

#[test]
fn checkmate_ends_the_game() {
    let mate = fen("b", "ka10 Ra5 Rb5 Ke1", "-");
    assert_eq!(rules("magi").end(&mate, ""), "1-0 checkmate");
}
