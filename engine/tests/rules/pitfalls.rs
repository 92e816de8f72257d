//! Where move generators for these boards go wrong.

use crate::ask::{placement, rules};

fn magi(side: &str, pieces: &str) -> String {
    format!("{} {side} - - 0 1 -", placement(10, pieces))
}

#[test]
fn a_wizards_two_square_diagonal_check_cannot_be_blocked() {
    let game = rules("magi");
    // e5 to g7 over f6: the rook could go to f6, but there is nothing to block.
    let jump = magi("b", "Ka1 kg7 We5 rf10");
    assert!(game.in_check(&jump));
    assert!(!game.moves(&jump).iter().any(|m| m.starts_with("f10")));
    // Taking the wizard answers it.
    assert!(game.allows(&magi("b", "Ka1 kg7 We5 re10"), "e10e5"));
    // A bishop's check over the same squares is blocked.
    assert_eq!(game.from(&magi("b", "Ka1 kg7 Be5 rf10"), "f10"), "f6");
    // A piece between is no shield, and so not pinned: with the wizard aside the rook goes anywhere.
    assert!(game.in_check(&magi("b", "Ka1 kg7 We5 rf6")));
    assert_eq!(game.from(&magi("b", "Ka1 kg7 We5 rf6"), "f6"), "");
    assert!(game.from(&magi("b", "Ka1 kg8 We5 rf6"), "f6").contains("a6"));
}

#[test]
fn a_dukes_check_ends_at_three_squares() {
    let game = rules("magi");
    assert!(game.in_check(&magi("b", "Ka1 ke8 De5")));
    assert!(!game.in_check(&magi("b", "Ka1 ke9 De5")));
}

#[test]
fn a_dukes_pin_ends_at_three_squares() {
    let game = rules("magi");
    // The rook on e7 is pinned by a duke three squares from the king, not by one four squares away.
    assert_eq!(game.from(&magi("b", "Ka1 ke8 re7 De5"), "e7"), "e5 e6");
    assert!(game.from(&magi("b", "Ka1 ke9 re7 De5"), "e7").contains("a7"));
}

#[test]
fn a_king_flees_from_a_duke_to_distance_four() {
    let game = rules("magi");
    // In check from e5 on e8: e9 is out of its reach although it is on the line.
    assert_eq!(game.from(&magi("b", "Ka1 ke8 De5"), "e8"), "d7 d8 d9 e9 f7 f8 f9");
    // From a rook he cannot.
    assert_eq!(game.from(&magi("b", "Ka1 ke8 Re5"), "e8"), "d7 d8 d9 f7 f8 f9");
}

#[test]
fn a_dukes_check_from_three_squares_can_be_blocked_on_both_squares_between() {
    let game = rules("magi");
    assert_eq!(game.from(&magi("b", "Kh1 ke8 De5 ra6 rj7"), "a6"), "e6");
    assert_eq!(game.from(&magi("b", "Kh1 ke8 De5 ra6 rj7"), "j7"), "e7");
}

#[test]
fn an_en_passant_capture_that_bares_the_own_king_is_illegal() {
    let game = rules("magi");
    // After c2-c4 both pawns leave rank 4 at once.
    let rank = magi("w", "Ki1 ka4 pb4 Pc2 Rj4");
    assert!(!game.allows(&game.after(&rank, "c2c4"), "b4c3"));
    assert!(game.allows(&game.after(&magi("w", "Ki1 ka5 pb4 Pc2 Rj4"), "c2c4"), "b4c3"));
    // The victim on c5 alone shields the king on a5 from the rook: the capture on c3 takes it away two ranks off.
    let victim = format!("{} b - c3 0 1 -", placement(10, "Ki1 ka5 pb4 Pc5 Rj5"));
    assert!(!game.allows(&victim, "b4c3"));
    assert!(game.allows(&format!("{} b - c3 0 1 -", placement(10, "Ki1 ka6 pb4 Pc5 Rj5")), "b4c3"));
}

#[test]
fn a_victim_with_two_targets_that_gives_check_can_be_taken_on_both() {
    let game = rules("magi");
    // The pawn on c5 attacks the king on d6; it goes either way.
    let position = game.after(&magi("w", "Ki1 kd6 pb4 pb5 Pc2"), "c2c5");
    assert!(game.in_check(&position));
    let moves = game.moves(&position);
    assert!(moves.contains(&"b4c3".to_owned()) && moves.contains(&"b5c4".to_owned()), "{moves:?}");
    assert!(!moves.contains(&"b4b3".to_owned()));
}

#[test]
fn a_pinned_pawn_takes_in_passing_only_along_the_pin() {
    let game = rules("magi");
    // Pinned on the diagonal e2-a6 (king a6, bishop e2): b5 may go to c4, along it.
    let along = game.after(&magi("w", "Ki1 ka6 pb5 Pc2 Be2"), "c2c5");
    assert!(game.allows(&along, "b5c4"));
    // Pinned on the file: it may not.
    let across = game.after(&magi("w", "Ki1 kb9 pb5 Pc2 Rb2"), "c2c5");
    assert!(!game.allows(&across, "b5c4"));
}

#[test]
fn unmoved_flags_are_cleared_on_leaving() {
    let game = rules("magi");
    let start = game.start();
    assert!(game.after(&start, "d3d4").ends_with(" g3d8g8"));
    assert!(game.after(&start, "d3d4 g8g6").ends_with(" g3d8"));
    // Leaving by a capture counts as well.
    let capture = format!("{} w - - 0 1 d3", placement(10, "Ka1 kj10 Pd3 pe4"));
    assert!(game.after(&capture, "d3e4").ends_with(" 0 1 -"));
}

#[test]
fn unmoved_flags_are_cleared_on_capture() {
    let game = rules("magi");
    let taken = format!("{} b - - 0 1 d3", placement(10, "Ka1 kj10 Pd3 nf4"));
    let after = game.after(&taken, "f4d3");
    assert!(after.ends_with(" 0 2 -"), "{after}");
    // The pawn that takes back on d3 has moved.
    let recaptured = format!("{} b - - 0 1 d3", placement(10, "Ka1 kj10 Pd3 Pc2 nf4"));
    let after = game.after(&recaptured, "f4d3 c2d3 j10j9");
    assert_eq!(game.from(&after, "d3"), "d4");
}

#[test]
fn unmoved_flags_are_part_of_the_position() {
    let game = rules("magi");
    let pieces = placement(10, "Ka1 kj10 Pd3 Pg3");
    let keys: Vec<String> =
        ["-", "d3", "g3", "d3g3"].iter().map(|u| game.key(&format!("{pieces} w - - 0 1 {u}"))).collect();
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{keys:?}");
    }
}

#[test]
fn en_passant_keys_do_not_cancel_out() {
    let game = rules("magi");
    // One pawn that passed two squares: with both, either, none of them usable.
    let pieces = placement(10, "Ka1 kj10 Pc5 pb4 pb5");
    let one_pawn = ["-", "c3", "c4", "c3c4"].map(|field| format!("{pieces} b - {field} 0 1 -"));
    // Two pawns side by side, either of which may just have moved.
    let pieces = placement(10, "Ka1 kj10 Pc4 Pe4 pd4");
    let two_pawns = ["-", "c3", "e3"].map(|field| format!("{pieces} b - {field} 0 1 -"));
    for set in [&one_pawn[..], &two_pawns[..]] {
        let keys: Vec<String> = set.iter().map(|fen| game.key(fen)).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{set:?}");
        }
    }
}

#[test]
fn squares_passed_by_two_pawns_are_refused() {
    let text = format!("{} b - c3e3 0 1 -", placement(10, "Ka1 kj10 Pc4 Pe4 pd4"));
    assert!(rules("magi").error(&text).contains("`c3e3`"));
}

#[test]
fn an_en_passant_field_that_no_pawn_can_use_is_dropped() {
    let unusable = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(rules("chess").after(unusable, ""), unusable.replace("e3", "-"));
}

#[test]
fn a_king_in_check_does_not_flee_along_the_line_of_the_checker() {
    let game = rules("mageca");
    // The Mageca on e4 checks on e8 with d, e5-e7 empty; the king lifted, it does not reach e9 (fifth square).
    let position = format!("{} b - - 0 1", placement(10, "Ka1 ke8 Me4"));
    assert!(game.in_check(&position));
    assert!(game.from(&position, "e8").split(' ').any(|t| t == "e9"));
    // From e6 it checks at two squares and, the king gone, reaches e10 at four but not e9 at three.
    let near = format!("{} b - - 0 1", placement(10, "Ka1 ke8 Me6"));
    assert_eq!(game.from(&near, "e8"), "d8 d9 e7 e9 f8 f9");
    let far = format!("{} b - - 0 1", placement(10, "Ka1 ke9 Me7"));
    assert!(game.in_check(&far) && game.from(&far, "e9").contains("e10"));
}

#[test]
fn a_magecas_check_from_four_squares_is_blocked_on_each_square_between() {
    let game = rules("mageca");
    for square in ["e5", "e6", "e7"] {
        let rook = format!("a{}", &square[1..]);
        let position = format!("{} b - - 0 1", placement(10, &format!("Kj1 ke8 Me4 r{rook}")));
        assert_eq!(game.from(&position, &rook), square);
    }
    // A piece on the second square both blocks the fourth and can be taken.
    let second = format!("{} w - - 0 1", placement(10, "Ka1 kj10 Me4 pe6"));
    assert_eq!(game.from(&second, "e4"), "a4 c2 c4 c6 d3 d5 e2 e6 f3 f5 g2 g4 g6 i4");
}

#[test]
fn a_mageca_pins_along_its_slide_only_at_its_distances() {
    let game = rules("mageca");
    // Four squares from king to Mageca: the rook between is pinned; at three squares nothing is.
    let pinned = format!("{} b - - 0 1", placement(10, "Ka1 ke8 re6 Me4"));
    assert_eq!(game.from(&pinned, "e6"), "e4 e5 e7");
    let free = format!("{} b - - 0 1", placement(10, "Ka1 ke7 re6 Me4"));
    assert!(game.from(&free, "e6").contains("a6"));
    // Two pieces between: no pin.
    let two = format!("{} b - - 0 1", placement(10, "Ka1 ke8 re6 ne7 Me4"));
    assert!(game.from(&two, "e6").contains("a6"));
}
