//! The conventions that all games share.

use crate::ask::{placement, rules};
use equipoise_engine::outcome::Termination;

fn chess(side: &str, pieces: &str, rest: &str) -> String {
    format!("{} {side} {rest}", placement(8, pieces))
}

fn ten(side: &str, pieces: &str, rest: &str) -> String {
    format!("{} {side} {rest}", placement(10, pieces))
}

#[test]
fn a_run_of_ten_empty_squares_is_10() {
    let game = rules("magi");
    let fen = ten("w", "Ka1 kj10", "- - 0 1 -");
    assert!(fen.contains("/10/10/"));
    assert_eq!(game.after(&fen, ""), fen);
    // Two runs that make ten are read, and written as one; a one and a nought apart are not ten.
    assert_eq!(game.after(&fen.replacen("/10/", "/55/", 1), ""), fen);
    assert!(game.error(&fen.replacen("/10/", "/1/", 1)).contains("1 squares wide"));
}

#[test]
fn squares_are_file_then_rank_up_to_10() {
    assert!(rules("magi").allows(&ten("w", "Ka9 kj1", "- - 0 1 -"), "a9a10"));
    assert!(rules("mageca").allows(&ten("b", "Ka1 kj9", "- - 0 1"), "j9j10"));
}

#[test]
fn promotion_in_uci_is_a_lower_case_letter() {
    assert!(rules("magi").allows(&ten("w", "Ka1 kj1 Pa9", "- - 0 1 -"), "a9a10q"));
    assert!(rules("chess").allows(&chess("b", "Ka8 kh8 pb2", "- - 0 1"), "b2b1n"));
}

#[test]
fn castling_in_uci_is_the_kings_move_in_chess_magi_and_mageca_and_king_onto_rook_elsewhere() {
    let eight = chess("w", "Ke1 Rh1 ke8", "K - 0 1");
    assert!(rules("chess").allows(&eight, "e1g1"));
    assert!(rules("chess960").allows(&eight, "e1h1") && !rules("chess960").allows(&eight, "e1g1"));
    for name in ["multi-chess", "chess484"] {
        assert!(rules(name).allows(&format!("{eight} -"), "e1h1"), "{name}");
    }
    assert!(rules("mageca").allows(&ten("w", "Kf1 Rj1 kf10", "K - 0 1"), "f1i1"));
    assert!(rules("magi").allows(&ten("w", "Kf1 Rj1 kf10", "K - 0 1 -"), "f1i1"));
}

#[test]
fn castling_field_is_x_fen() {
    let game = rules("chess960");
    // The outermost rook is K or Q, an inner one its file.
    let outer = chess("w", "Kd1 Ra1 Rf1 Rh1 kb8", "KQ - 0 1");
    assert_eq!(game.after(&outer, ""), outer);
    assert!(game.allows(&outer, "d1a1"));
    let inner = chess("w", "Kd1 Ra1 Re1 Rh1 kb8", "E - 0 1");
    assert_eq!(game.after(&inner, ""), inner);
    // A file letter for the outermost rook is read and written as K.
    assert_eq!(game.after(&chess("w", "Kd1 Rh1 ke8", "H - 0 1"), ""), chess("w", "Kd1 Rh1 ke8", "K - 0 1"));
}

#[test]
fn en_passant_field_lists_squares_only_where_a_pseudo_legal_capture_exists() {
    let game = rules("chess");
    assert!(game.after(&game.start(), "e2e4").contains(" - 0 1"));
    let beside = chess("w", "Ke1 ke8 Pe2 pd4", "- - 0 1");
    assert!(game.after(&beside, "e2e4").contains(" e3 "));
    // Pseudo-legal is enough: the capture here would bare the king.
    let pinned = chess("w", "Kh1 kd8 Pe2 pd4 Rd1", "- - 0 1");
    let after = game.after(&pinned, "e2e4");
    assert!(after.contains(" e3 ") && !game.allows(&after, "d4e3"));
    // In Magi a square is left out that no pawn can take on.
    let magi = rules("magi");
    assert!(magi.after(&ten("w", "Kf1 kf10 Pc2 pb5", "- - 0 1 -"), "c2c5").contains(" c4 "));
    assert!(magi.after(&ten("w", "Kf1 kf10 Pc2 pb4", "- - 0 1 -"), "c2c5").contains(" c3 "));
}

#[test]
fn fields_of_squares_are_in_order_of_rank_then_file() {
    let magi = rules("magi");
    let fen = ten("w", "Ka1 kj10 Pd3 Pg3 pd8 pg8", "- - 0 1 g8d3d8g3");
    assert!(magi.after(&fen, "").ends_with(" d3g3d8g8"));
    assert!(magi.after(&ten("w", "Kf1 kf10 Pc2 pb4 pd5", "- - 0 1 -"), "c2c5").contains(" c3c4 "));
}

#[test]
fn a_missing_extra_field_is_an_error_that_names_it() {
    let magi = ten("w", "Ka1 kj10", "- - 0 1");
    let error = rules("magi").error(&magi);
    assert!(error.contains("unmoved pawns") && error.contains(&magi), "{error}");
    let multi = chess("w", "Ka1 kh8", "- - 0 1");
    let error = rules("multi-chess").error(&multi);
    assert!(error.contains("actions to come") && error.contains(&multi), "{error}");
    let error = rules("mchess").error("7k/8/8/8/8/8/8/K7 w - - 0 1");
    assert!(error.contains("health"), "{error}");
}

#[test]
fn the_move_number_goes_up_after_blacks_move() {
    let game = rules("chess");
    let start = game.start();
    assert!(game.after(&start, "e2e4").ends_with(" 0 1"));
    assert!(game.after(&start, "e2e4 e7e5").ends_with(" 0 2"));
    assert!(game.after(&start, "e2e4 e7e5 g1f3 b8c6").ends_with(" 2 3"));
}

#[test]
fn draw_rules_end_nothing_in_perft() {
    let game = rules("chess");
    // A dead position, with the clock past its end.
    let dead = chess("w", "Ka1 kh8", "- - 120 90");
    assert_eq!((game.perft(&dead, 1), game.perft(&dead, 2)), (3, 9));
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let game = rules("chess");
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    assert_eq!(game.end(&game.start(), shuffle), "");
    let thrice = format!("{shuffle} {shuffle}");
    assert_eq!(game.end(&game.start(), &thrice), "1/2-1/2 repetition");
}

#[test]
fn positions_with_different_castling_rights_are_different() {
    let game = rules("chess");
    let start = chess("w", "Ke1 Rh1 ke8 Pa2 pa7", "K - 0 1");
    // The first occurrence still had the right: the third time on these squares is the second without it.
    let around = "h1g1 e8f8 g1h1 f8e8";
    assert_eq!(game.end(&start, &format!("{around} {around}")), "");
    assert_eq!(game.end(&start, &format!("{around} {around} h1g1")), "1/2-1/2 repetition");
}

#[test]
fn positions_with_different_available_en_passant_captures_are_different() {
    let game = rules("chess");
    let usable = chess("w", "Ke1 ke8 Pe2 pd4", "- - 0 1");
    let around = "e8e7 e1d1 e7e8 d1e1";
    // After e2e4 the capture is available once; twice more on the same squares without it are not three times the
    // same. The position a ply later comes for the third time.
    assert_eq!(game.end(&usable, &format!("e2e4 {around} {around}")), "");
    assert_eq!(game.end(&usable, &format!("e2e4 {around} {around} e8e7")), "1/2-1/2 repetition");
    // Where no pawn stands ready the first occurrence counts.
    let unusable = chess("w", "Ke1 ke8 Pe2 pa4", "- - 0 1");
    assert_eq!(game.end(&unusable, &format!("e2e4 {around} {around}")), "1/2-1/2 repetition");
}

#[test]
fn positions_with_different_unmoved_flags_are_different() {
    let magi = rules("magi");
    let pieces = placement(10, "Ka1 kj10 Pd3");
    assert_ne!(magi.key(&format!("{pieces} w - - 0 1 d3")), magi.key(&format!("{pieces} w - - 0 1 -")));
}

#[test]
fn a_hundred_plies_without_a_capture_or_pawn_move_are_a_draw() {
    for (name, fen) in [
        ("chess", chess("w", "Ka1 Rb1 kh8", "- - 98 80")),
        ("mageca", ten("w", "Ka1 Rb1 kj10", "- - 98 80")),
        ("magi", ten("w", "Ka1 Rb1 kj10", "- - 98 80 -")),
        ("multi-chess", chess("w", "Ka1 Rb1 kh8", "- - 98 80 -")),
    ] {
        let flight = if fen.starts_with("9k") { "j10i10" } else { "h8g8" };
        assert_eq!(rules(name).end(&fen, "b1c1"), "", "{name}");
        assert_eq!(rules(name).end(&fen, &format!("b1c1 {flight}")), "1/2-1/2 fifty-move", "{name}");
    }
    // A pawn move or a capture starts the count again.
    let game = rules("chess");
    assert!(game.after(&chess("w", "Ka1 Ph2 kh8", "- - 98 80"), "h2h3").ends_with(" 0 80"));
    assert!(game.after(&chess("w", "Ka1 Rh1 kg8 nh7", "- - 98 80"), "h1h7").ends_with(" 0 80"));
    assert!(game.after(&chess("w", "Ka1 Rb1 kh8", "- - 98 80"), "b1c1").ends_with(" 99 80"));
}

#[test]
fn checkmate_on_the_hundredth_ply_comes_first() {
    let game = rules("chess");
    let mate = chess("w", "Kg6 Ra1 kg8", "- - 99 80");
    assert_eq!(game.end(&mate, "a1a8"), "1-0 checkmate");
    assert_eq!(game.end(&mate, "a1b1"), "1/2-1/2 fifty-move");
}

#[test]
fn king_against_king_is_dead() {
    assert_eq!(rules("chess").end(&chess("w", "Ka1 kh8", "- - 0 1"), ""), "1/2-1/2 dead-position");
    assert_eq!(rules("magi").end(&ten("w", "Ka1 kj10", "- - 0 1 -"), ""), "1/2-1/2 dead-position");
    assert_eq!(rules("mageca").end(&ten("w", "Ka1 kj10", "- - 0 1"), ""), "1/2-1/2 dead-position");
}

#[test]
fn kings_with_colour_bound_pieces_on_one_square_colour_are_dead() {
    let end = |name: &str, fen: &str| {
        let names = ["chess", "magi", "mageca"];
        rules(names.into_iter().find(|n| *n == name).unwrap()).end(fen, "")
    };
    let dead = "1/2-1/2 dead-position";
    // c1, f4 and h8 are dark (as a1), d1 is not.
    assert_eq!(end("chess", &chess("w", "Ka2 kh7 Bc1 bf4 Bh8", "- - 0 1")), dead);
    assert_eq!(end("chess", &chess("w", "Ka2 kh7 Bc1 bf4 Bd1", "- - 0 1")), "");
    assert_eq!(end("mageca", &ten("w", "Ka2 kj9 Mc1 bf4 Bh8 me3", "- - 0 1")), dead);
    assert_eq!(end("mageca", &ten("w", "Ka2 kj9 Mc1 bf4 Md1", "- - 0 1")), "");
    assert_eq!(end("magi", &ten("w", "Ka2 kj9 Bc1 bf4", "- - 0 1 -")), dead);
    // A cardinal changes colour.
    assert_eq!(end("magi", &ten("w", "Ka2 kj9 Cc1 bf4", "- - 0 1 -")), "");
    // A pawn can become anything.
    assert_eq!(end("chess", &chess("w", "Ka2 kh7 Bc1 pf4", "- - 0 1")), "");
    assert_eq!(end("chess", &chess("w", "Ka2 kh7 Pf4", "- - 0 1")), "");
}

#[test]
fn dead_positions_are_played_on_by_option() {
    let game = rules("chess").with("dead_positions", "played");
    assert_eq!(game.end(&chess("w", "Ka1 kh8", "- - 0 1"), ""), "");
}

#[test]
fn terminations_are_named_as_the_rules_page_lists_them() {
    let names: Vec<&str> = Termination::ALL.iter().map(|t| t.name()).collect();
    let listed = "checkmate stalemate repetition fifty-move dead-position move-rule move-limit resignation \
                  draw-agreed monarchs-captured annihilation blocked fault-crash fault-hang fault-illegal \
                  fault-protocol";
    assert_eq!(names, listed.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn a1_is_dark_in_magi_and_light_in_mageca_where_the_queen_stands_on_her_colour() {
    // The engine calls a1's colour one and the other two; what the pages say of colours is where pieces stand:
    // Magi's queen e1 on dark, Mageca's on light, both the colour of a1.
    for name in ["magi", "mageca"] {
        let start = rules(name).start();
        let row = start.split(['/', ' ']).nth(9).unwrap();
        assert_eq!(row.find('Q').map(|file| file % 2), Some(0), "{name}: {row}");
    }
}
