//! Multi-chess and Chess484.

use crate::ask::{Rules, placement, rules};
use std::collections::BTreeSet;

/// The 8 arrays of a side, files a to h, as the rules list them.
const ARRAYS: [&str; 8] =
    ["RNBQKBNR", "RNBBKQNR", "RNBKQBNR", "RNQKBBNR", "RNKQBBNR", "RNKBBQNR", "RNQBBKNR", "RNBBQKNR"];

fn start() -> String {
    rules("multi-chess").start()
}

/// All positions after the four actions, as (White's array, Black's array in capitals), by way of actions.
fn arranged(game: &Rules) -> Vec<(String, String)> {
    let mut layer = vec![game.start()];
    for _ in 0..4 {
        layer =
            layer.iter().flat_map(|fen| game.moves(fen).into_iter().map(|m| game.after(fen, &m))).collect();
    }
    let row = |fen: &String, n: usize| fen.split([' ', '/']).nth(n).unwrap().to_ascii_uppercase();
    layer.iter().map(|fen| (row(fen, 7), row(fen, 0))).collect()
}

fn play(pieces: &str, side: &str, castling: &str) -> String {
    format!("{} {side} {castling} - 0 1 -", placement(8, pieces))
}

#[test]
fn actions_come_in_the_order_black_king_black_queen_white_king_white_queen() {
    let game = rules("multi-chess");
    assert_eq!(start(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 kqKQ");
    let mut fen = start();
    for (action, side, left) in
        [("e8e8", "b", "qKQ"), ("d8d8", "w", "KQ"), ("e1e1", "w", "Q"), ("d1d1", "w", "-")]
    {
        fen = game.after(&fen, action);
        let fields: Vec<&str> = fen.split(' ').collect();
        assert_eq!((fields[1], fields[6]), (side, left), "after {action}");
    }
    // Then White makes the first move, on move 1 with the clock at 0.
    assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -");
    assert!(game.allows(&fen, "e2e4"));
}

#[test]
fn king_action_swaps_with_queen_or_either_bishop_or_passes() {
    assert_eq!(rules("multi-chess").moves(&start()), ["e8c8", "e8d8", "e8e8", "e8f8"]);
    let swapped = rules("multi-chess").after(&start(), "e8f8");
    assert!(swapped.starts_with("rnbqbknr/"), "{swapped}");
}

#[test]
fn queen_action_swaps_with_either_bishop_wherever_it_stands_or_passes_never_with_the_king() {
    let game = rules("multi-chess");
    // From the standard array a swap with one bishop puts both on one colour (c8 light, d8 dark, f8 dark): d8-f8
    // keeps them unlike.
    let passed = game.after(&start(), "e8e8");
    assert_eq!(game.moves(&passed), ["d8d8", "d8f8"]);
    // A bishop that the king's swap put on e8 is a partner too.
    let king_f8 = game.after(&start(), "e8f8");
    assert_eq!(game.moves(&king_f8), ["d8c8", "d8e8"]);
}

#[test]
fn bishops_stand_on_unlike_colours_after_the_queens_action() {
    for (white, black) in arranged(&rules("multi-chess")) {
        for array in [white, black] {
            let bishops: Vec<usize> =
                array.char_indices().filter(|(_, c)| *c == 'B').map(|(i, _)| i % 2).collect();
            assert_ne!(bishops[0], bishops[1], "{array}");
        }
    }
}

#[test]
fn king_to_f8_makes_a_queen_swap_necessary() {
    // The inventor's own example: the king on f8, the relocatee on e8, so the queen must swap with a bishop.
    let game = rules("multi-chess");
    let example = game.after(&start(), "e8f8");
    assert!(!game.allows(&example, "d8d8"));
    assert_eq!(game.moves(&example), ["d8c8", "d8e8"]);
}

#[test]
fn the_inventors_example_white_king_c1_relocatee_e1_queen_stays_on_d1() {
    let game = rules("multi-chess");
    let fen = game.after(&start(), "e8f8 d8c8 e1c1 d1d1");
    assert_eq!(fen, "rnqbbknr/pppppppp/8/8/8/8/PPPPPPPP/RNKQBBNR w KQkq - 0 1 -");
}

#[test]
fn white_may_not_bring_about_a_mirrored_position_passing_included() {
    let game = rules("multi-chess");
    // Black has swapped king and queen; White, having done so, may not leave the queen.
    let fen = game.after(&start(), "e8d8 e8e8 e1d1");
    assert!(!game.allows(&fen, "e1e1"));
    // Both standard is allowed.
    let standard = game.after(&start(), "e8e8 d8d8 e1e1");
    assert!(game.allows(&standard, "d1d1"));
    for (white, black) in arranged(&game) {
        assert!(white != black || white == ARRAYS[0], "{white}");
    }
}

#[test]
fn an_action_after_which_no_permitted_array_can_be_reached_is_illegal() {
    let game = rules("multi-chess");
    // Every legal action can be completed.
    let mut layer = vec![start()];
    for _ in 0..4 {
        layer =
            layer.iter().flat_map(|fen| game.moves(fen).into_iter().map(|m| game.after(fen, &m))).collect();
        assert!(layer.iter().all(|fen| !game.moves(fen).is_empty()));
    }
}

#[test]
fn each_side_has_the_eight_arrays() {
    let pairs = arranged(&rules("multi-chess"));
    let listed: BTreeSet<&str> = ARRAYS.into_iter().collect();
    let white: BTreeSet<&str> = pairs.iter().map(|(white, _)| white.as_str()).collect();
    let black: BTreeSet<&str> = pairs.iter().map(|(_, black)| black.as_str()).collect();
    assert_eq!((&white, &black), (&listed, &listed));
}

#[test]
fn there_are_57_start_positions() {
    let game = rules("multi-chess");
    let pairs = arranged(&game);
    assert_eq!(pairs.len(), 57, "each is reached in one way");
    assert_eq!(pairs.iter().collect::<BTreeSet<_>>().len(), 8 * 8 - 8 + 1);
    assert_eq!(game.perft(&start(), 4), 57);
}

#[test]
fn chess484_swaps_with_any_piece_but_the_rooks_and_has_22_arrays_and_484_pairs() {
    let game = rules("chess484");
    assert_eq!(game.moves(&game.start()), ["e8b8", "e8c8", "e8d8", "e8e8", "e8f8", "e8g8"]);
    let pairs = arranged(&game);
    let white: BTreeSet<&String> = pairs.iter().map(|(white, _)| white).collect();
    assert_eq!((white.len(), pairs.iter().collect::<BTreeSet<_>>().len()), (22, 484));
    // Mirrored ones are allowed; bishops stand on unlike colours, the queen never swapped with the king.
    assert!(pairs.iter().filter(|(white, black)| white == black).count() == 22);
    for array in white {
        let bishops: Vec<usize> =
            array.char_indices().filter(|(_, c)| *c == 'B').map(|(i, _)| i % 2).collect();
        assert_ne!(bishops[0], bishops[1], "{array}");
        assert!(array.starts_with('R') && array.ends_with('R'), "{array}");
    }
}

#[test]
fn swapping_is_not_moving_the_rights_stay() {
    for moves in ["e8c8 d8d8 e1f1 d1e1", "e8d8 e8e8 e1e1 d1d1"] {
        let fen = rules("multi-chess").after(&start(), moves);
        assert!(fen.contains(" w KQkq "), "{fen}");
    }
}

#[test]
fn king_ends_on_g_or_c_and_rook_on_f_or_d_wherever_the_king_began() {
    let game = rules("multi-chess");
    for (king, east, west) in [
        ("c", "Kg1 Rf1 Ra1", "Kc1 Rd1 Rh1"),
        ("d", "Kg1 Rf1 Ra1", "Kc1 Rd1 Rh1"),
        ("e", "Kg1 Rf1 Ra1", "Kc1 Rd1 Rh1"),
        ("f", "Kg1 Rf1 Ra1", "Kc1 Rd1 Rh1"),
    ] {
        let position = play(&format!("K{king}1 Ra1 Rh1 ke8"), "w", "KQ");
        let to_east = game.after(&position, &format!("{king}1h1"));
        assert_eq!(to_east, format!("{} b - - 1 1 -", placement(8, &format!("{east} ke8"))), "{king}");
        let to_west = game.after(&position, &format!("{king}1a1"));
        assert_eq!(to_west, format!("{} b - - 1 1 -", placement(8, &format!("{west} ke8"))), "{king}");
    }
}

#[test]
fn a_king_that_starts_on_c_castles_there_by_moving_the_rook_alone() {
    let game = rules("multi-chess");
    let position = play("Kc1 Ra1 Rh1 ke8", "w", "KQ");
    let after = game.after(&position, "c1a1");
    assert_eq!(after, format!("{} b - - 1 1 -", placement(8, "Kc1 Rd1 Rh1 ke8")));
    // In Chess484 on g as well.
    let position = play("Kg1 Ra1 Rh1 ke8", "w", "KQ");
    let after = rules("chess484").after(&position, "g1h1");
    assert_eq!(after, format!("{} b - - 1 1 -", placement(8, "Kg1 Rf1 Ra1 ke8")));
}

#[test]
fn castling_wants_every_square_between_and_up_to_both_targets_empty() {
    let game = rules("multi-chess");
    // The king on f1 goes to c1 over e1 and d1, the rook from a1 over b1 and c1 to d1.
    for blocker in ["Nb1", "Nc1", "Nd1", "Ne1"] {
        let position = play(&format!("Kf1 Ra1 Rh1 ke8 {blocker}"), "w", "KQ");
        assert!(!game.allows(&position, "f1a1"), "{blocker}");
    }
    // The king on c1 castles to g1: f1 and g1 are targets beyond nothing between.
    for blocker in ["Nd1", "Ne1", "Nf1", "Ng1"] {
        let position = play(&format!("Kc1 Ra1 Rh1 ke8 {blocker}"), "w", "KQ");
        assert!(!game.allows(&position, "c1h1"), "{blocker}");
    }
    // Going west with the king on c1 the rook's target d1 lies on his other side.
    assert!(!game.allows(&play("Kc1 Ra1 Rh1 ke8 Nd1", "w", "KQ"), "c1a1"));
    assert!(game.allows(&play("Kc1 Ra1 Rh1 ke8 Ne1", "w", "KQ"), "c1a1"));
}

#[test]
fn the_king_is_not_in_check_and_crosses_or_lands_on_no_attacked_square() {
    let game = rules("multi-chess");
    let castles = |attacker: &str| {
        let position = play(&format!("Kd1 Ra1 Rh1 kb8 {attacker}"), "w", "KQ");
        (game.allows(&position, "d1h1"), game.allows(&position, "d1a1"))
    };
    assert_eq!(castles(""), (true, true));
    assert_eq!(castles("rd5"), (false, false));
    assert_eq!(castles("re5"), (false, true));
    assert_eq!(castles("rf5"), (false, true));
    assert_eq!(castles("rg5"), (false, true));
    assert_eq!(castles("rc5"), (true, false));
    assert_eq!(castles("rh5"), (true, true));
    assert_eq!(castles("ra5"), (true, true));
}

#[test]
fn no_square_between_king_and_rook_is_attacked_which_adds_b1_by_default() {
    let position = play("Ke1 Ra1 Rh1 ke8 rb5", "w", "KQ");
    let game = rules("multi-chess");
    assert!(!game.allows(&position, "e1a1"));
    assert!(game.with("castling_threat", "king-path").allows(&position, "e1a1"));
    // Chess960's own rule is the king's path.
    let six_fields = position.strip_suffix(" -").unwrap();
    assert!(rules("chess960").allows(six_fields, "e1a1"));
    assert!(rules("chess").allows(six_fields, "e1c1"));
    // A king that stays on c1 while the rook passes b1: likewise.
    let rook_alone = play("Kc1 Ra1 Rh1 kf8 rb5", "w", "KQ");
    assert!(!game.allows(&rook_alone, "c1a1"));
    assert!(game.with("castling_threat", "king-path").allows(&rook_alone, "c1a1"));
}

#[test]
fn a_rook_that_shielded_the_kings_target_may_not_leave_it_bare() {
    // After castling west the king on c1 would face the queen on b1, which the rook on... a1 behind: Chess960's
    // own trap, with the rook between queen and target.
    let position = format!("{} w Q - 0 1", placement(8, "Kc1 Rb1 qa1 ke8")).replace(" Q ", " B ");
    assert!(!rules("chess960").allows(&position, "c1b1"));
}

#[test]
fn neither_king_nor_rook_has_moved() {
    let game = rules("multi-chess");
    let position = play("Kc1 Ra1 Rh1 ke8", "w", "KQ");
    let moved = game.after(&position, "h1h2 e8e7 h2h1 e7e8");
    assert!(!game.allows(&moved, "c1h1") && game.allows(&moved, "c1a1"));
    assert!(moved.contains(" w Q - "), "{moved}");
}

#[test]
fn the_randomised_form_is_uniform_over_the_pairs_that_are_not_barred() {
    use equipoise_engine::games::{self, Visitor};
    use equipoise_engine::search::Playable;
    struct Pairs;
    impl Visitor for Pairs {
        type Output = BTreeSet<String>;
        fn visit<G: Playable>(self, game: G) -> BTreeSet<String> {
            use equipoise_engine::game::Setups;
            let Setups::PerSide(n) = game.setups() else { panic!("each side draws its own") };
            let pairs = (0..n).flat_map(|w| (0..n).map(move |b| (w, b)));
            pairs.filter_map(|(w, b)| game.setup(w, b)).map(|state| game.fen(&state)).collect()
        }
    }
    for (name, wanted) in [("multi-chess", 57), ("chess484", 484)] {
        let drawn = games::with(name, [], Pairs).unwrap();
        let game = rules(name);
        let mut reached = vec![game.start()];
        for _ in 0..4 {
            reached =
                reached.iter().flat_map(|f| game.moves(f).into_iter().map(|m| game.after(f, &m))).collect();
        }
        assert_eq!(drawn.len(), wanted);
        assert_eq!(drawn, reached.into_iter().collect());
    }
}
