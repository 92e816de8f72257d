//! Mageca Chess.

use crate::ask::{count, placement, rules};

fn fen(side: &str, pieces: &str) -> String {
    format!("{} {side} - - 0 1", placement(10, pieces))
}

#[test]
fn the_array_has_20_pieces_a_side_queen_on_e1_light_king_on_f1() {
    let start = rules("mageca").start();
    assert_eq!(start, "rnbmqkmbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBMQKMBNR w KQkq - 0 1");
    for (letter, n) in [('K', 1), ('Q', 1), ('M', 2), ('R', 2), ('B', 2), ('N', 2), ('P', 10)] {
        let (placement, _) = start.split_once(' ').unwrap();
        assert_eq!((count(placement, letter), count(placement, letter.to_ascii_lowercase())), (n, n));
    }
    // a1 is light in Mageca, where a black square is at the right hand; so e1, four files on, is light.
    assert_eq!(start.split(['/', ' ']).nth(9).unwrap().find('Q'), Some(4));
}

#[test]
fn mageca_slides_to_the_2nd_or_4th_square_steps_and_leaps_diagonally() {
    let free = fen("w", "Ka9 kj2 Me5");
    assert_eq!(rules("mageca").from(&free, "e5"), "a5 c3 c5 c7 d4 d6 e1 e3 e7 e9 f4 f6 g3 g5 g7 i5");
}

#[test]
fn mageca_slides_over_empty_squares_only_takes_on_the_2nd_and_cannot_pass_it() {
    let game = rules("mageca");
    // North: the first square is taken. East: an enemy on the second. South: an own piece on the second. West: an
    // enemy on the third.
    let position = fen("w", "Ka9 kj1 Me5 Pe6 pg5 Pe3 pb5");
    let targets = game.from(&position, "e5");
    let lines: Vec<&str> = targets.split(' ').filter(|t| t.starts_with('e') || t.ends_with('5')).collect();
    assert_eq!(lines, ["c5", "g5"]);
    // The fourth is taken as well.
    assert!(game.from(&fen("w", "Ka9 kj1 Me5 pi5"), "e5").contains("i5"));
}

#[test]
fn mageca_leaps_diagonally_over_anything_to_an_empty_square_only() {
    let game = rules("mageca");
    let over = fen("w", "Ka9 kj1 Me5 Pf6 pd6 pg3 Pc3");
    let targets = game.from(&over, "e5");
    assert!(targets.contains("g7") && targets.contains("c7"), "{targets}");
    assert!(!targets.contains("g3") && !targets.contains("c3"), "{targets}");
    // It takes one square diagonally.
    assert!(targets.contains("d6") && !targets.contains("f6"), "{targets}");
}

#[test]
fn mageca_attacks_what_it_can_capture_no_more() {
    let game = rules("mageca");
    let check = |mageca: &str| game.in_check(&fen("b", &format!("Ka1 ke5 {mageca}")));
    for mageca in ["Md4", "Mf6", "Me3", "Me7", "Mc5", "Mg5", "Me1", "Me9", "Mi5"] {
        assert!(check(mageca), "{mageca}");
    }
    for mageca in ["Mc3", "Mg7", "Mc7", "Mg3", "Me4", "Me2", "Me8", "Md3"] {
        assert!(!check(mageca), "{mageca}");
    }
    // The king may stand where it could only leap.
    assert!(game.from(&fen("b", "Ka1 kd5 Mg7"), "d5").contains("e5"));
}

#[test]
fn knight_moves_and_takes_as_in_chess() {
    let game = rules("mageca");
    assert_eq!(game.from(&fen("w", "Ka10 kj1 Ne5"), "e5"), "c4 c6 d3 d7 f3 f7 g4 g6");
    assert!(game.from(&fen("w", "Ka10 kj1 Nb2 nd3 Pc4"), "b2").contains("d3"));
}

#[test]
fn knight_leaps_as_a_camel_from_the_16_corner_court_squares_only() {
    let game = rules("mageca");
    let files = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let mut courts = 0;
    for file in files {
        for rank in 1..=10 {
            let square = format!("{file}{rank}");
            let court = ["a", "b", "i", "j"].contains(&file) && [1, 2, 9, 10].contains(&rank);
            courts += u32::from(court);
            // Kings out of the way and out of check.
            let clear = |king: &str| {
                let (df, dr) = (
                    king.as_bytes()[1].abs_diff(file.as_bytes()[0]),
                    king[2..].parse::<u8>().unwrap().abs_diff(rank),
                );
                df + dr > 4
            };
            let pairs = ["Ka10 kj1", "Kj10 ka1", "Ke5 ke7", "Ka6 kj6", "Ke1 ke10"];
            let kings = pairs.into_iter().find(|pair| pair.split(' ').all(clear)).unwrap();
            let position = fen("w", &format!("{kings} N{square}"));
            let camel = game.from(&position, &square).split(' ').any(|to| {
                let file_of = |s: &str| s.as_bytes()[0] as i32;
                let rank_of = |s: &str| s[1..].parse::<i32>().unwrap();
                let (df, dr) = (file_of(to) - file_of(&square), rank_of(to) - rank_of(&square));
                (df.abs(), dr.abs()) == (1, 3) || (df.abs(), dr.abs()) == (3, 1)
            });
            assert_eq!(camel, court, "{square}");
        }
    }
    assert_eq!(courts, 16);
}

#[test]
fn the_camel_leap_goes_to_empty_squares_only_and_attacks_nothing() {
    let game = rules("mageca");
    let position = fen("w", "Kf1 kj10 Nb1 pc4 pa4");
    let targets = game.from(&position, "b1");
    assert_eq!(targets, "a3 c3 d2 e2");
    // No check by it: the king may stand a camel's leap away.
    assert!(!game.in_check(&fen("b", "Kf1 kc4 Nb1")));
    assert!(game.from(&fen("b", "Kf1 kc5 Nb1"), "c5").contains("c4"));
    // From the start it gives each knight more than its two squares.
    assert_eq!(game.from(&game.start(), "b1"), "a3 a4 c3 c4");
}

#[test]
fn pawns_go_up_to_3_squares_from_rank_2_and_up_to_2_from_rank_3_however_they_got_there() {
    let game = rules("mageca");
    let from = |side: &str, pieces: &str, square: &str| game.from(&fen(side, pieces), square);
    assert_eq!(from("w", "Ka1 kj10 Pe2", "e2"), "e3 e4 e5");
    assert_eq!(from("w", "Ka1 kj10 Pe3", "e3"), "e4 e5");
    assert_eq!(from("w", "Ka1 kj10 Pe4", "e4"), "e5");
    assert_eq!(from("b", "Ka1 kj10 pe9", "e9"), "e6 e7 e8");
    assert_eq!(from("b", "Ka1 kj10 pe8", "e8"), "e6 e7");
    assert_eq!(from("b", "Ka1 kj10 pe7", "e7"), "e6");
    // Stepped or captured on to rank 3, it still goes two.
    let stepped = game.after(&fen("w", "Ka1 kj10 Pe2"), "e2e3 j10j9");
    assert_eq!(game.from(&stepped, "e3"), "e4 e5");
    let captured = game.after(&fen("w", "Ka1 kj10 Pe2 nd3"), "e2d3 j10j9");
    assert_eq!(game.from(&captured, "d3"), "d4 d5");
    // Path and target empty.
    assert_eq!(from("w", "Ka1 kj10 Pe2 ne4", "e2"), "e3");
    assert_eq!(from("w", "Ka1 kj10 Pe3 ne5", "e3"), "e4");
}

#[test]
fn en_passant_by_a_pawn_directly_beside_the_arrived_pawn_only() {
    let game = rules("mageca");
    // 2-5: beside rank 5 takes on rank 4; beside rank 4 it was merely passed.
    let after = game.after(&fen("w", "Kf1 kf10 Pc2 pb5 pd4"), "c2c5");
    assert!(after.contains(" b - c4 "), "{after}");
    assert_eq!((game.from(&after, "b5"), game.from(&after, "d4")), ("b4 c4".into(), "d3".into()));
    let passed = game.after(&fen("w", "Kf1 kf10 Pc2 pb4 pd4"), "c2c5");
    assert!(passed.contains(" b - - "), "{passed}");
    // 2-4 and 3-5 likewise.
    assert!(game.after(&fen("w", "Kf1 kf10 Pc2 pb4"), "c2c4").contains(" b - c3 "));
    assert!(game.after(&fen("w", "Kf1 kf10 Pc3 pb5"), "c3c5").contains(" b - c4 "));
    // One step gives none.
    assert!(game.after(&fen("w", "Kf1 kf10 Pc3 pb4"), "c3c4").contains(" b - - "));
    // The captor lands directly behind it; the pawn is gone.
    let taken = game.after(&after, "b5c4");
    assert_eq!(taken, format!("{} w - - 0 2", placement(10, "Kf1 kf10 pc4 pd4")));
}

#[test]
fn taking_passed_pawns_too_is_an_option() {
    let game = rules("mageca").with("ep_passed", "true");
    let after = game.after(&fen("w", "Kf1 kf10 Pc2 pb5 pd4"), "c2c5");
    assert!(after.contains(" b - c3c4 "), "{after}");
    assert_eq!((game.from(&after, "b5"), game.from(&after, "d4")), ("b4 c4".into(), "c3 d3".into()));
}

#[test]
fn promotion_to_queen_rook_bishop_knight_or_mageca() {
    let game = rules("mageca");
    let position = fen("w", "Ka1 kj1 Pe9");
    assert_eq!(game.from(&position, "e9"), "e10b e10m e10n e10q e10r");
    let without = game.with("promote_to_mageca", "false");
    assert_eq!(without.from(&position, "e9"), "e10b e10n e10q e10r");
}

const CASTLING: &str = "Kf1 Ra1 Rj1 kf10 ra10 rj10";

fn with_rights(pieces: &str) -> String {
    format!("{} w KQkq - 0 1", placement(10, pieces))
}

#[test]
fn castling_moves_the_king_three_squares_and_the_rook_two_or_three() {
    let game = rules("mageca");
    let position = with_rights(CASTLING);
    let short = game.after(&position, "f1i1");
    assert!(short.starts_with(&placement(10, "Ki1 Ra1 Rh1 kf10 ra10 rj10")), "{short}");
    let long = game.after(&position, "f1c1");
    assert!(long.starts_with(&placement(10, "Kc1 Rd1 Rj1 kf10 ra10 rj10")), "{long}");
}

#[test]
fn castling_squares_count_as_attacked_with_the_king_lifted() {
    let game = rules("mageca");
    // A Mageca on c1 does not reach f1, but g1 once the king has left.
    let position = with_rights("Kf1 Rj1 Ra2 kf10 ra10 rj10 mc1").replace("KQkq", "Kkq");
    assert!(!game.in_check(&position));
    assert!(!game.allows(&position, "f1i1"));
    assert!(game.with("castling_lifts_king", "false").allows(&position, "f1i1"));
    // Otherwise as in chess.
    assert!(!game.allows(&with_rights(&format!("{CASTLING} rh5")), "f1i1"));
    assert!(!game.allows(&with_rights(&format!("{CASTLING} rf5")), "f1i1"));
    assert!(game.allows(&with_rights(&format!("{CASTLING} rb5")), "f1c1"));
}

#[test]
fn rank_10_is_read_as_a_slashed_zero_too() {
    use equipoise_engine::notation::with_slashed_ten;
    let game = rules("mageca");
    let position = with_rights(CASTLING).replace(" w ", " b ");
    assert_eq!(game.after(&position, "fØiØ"), game.after(&position, "f10i10"));
    let promotes = fen("w", "Ka1 kj1 Pe9");
    assert_eq!(game.after(&promotes, "e9eØq"), game.after(&promotes, "e9e10q"));
    assert_eq!(with_slashed_ten("f10i10"), "fØiØ");
}

#[test]
fn stalemate_is_half_a_point_each() {
    let stuck = fen("b", "kj10 Kh9 Qi8");
    assert_eq!(rules("mageca").end(&stuck, ""), "1/2-1/2 stalemate");
}
