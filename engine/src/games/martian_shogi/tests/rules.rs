//! Every sentence of the rules.

use super::{after, at, game, listed, moves};
use crate::game::{Game, Which};
use crate::games::martian_shogi::kinds::MONARCH;
use crate::games::martian_shogi::{INFO, MartianShogi, MoveTable};
use crate::moves::Move;
use crate::notation::{legal_uci, parse_uci};
use crate::outcome::{Ending, GameResult, Termination};
use crate::referee::{Limits, Referee};
use crate::side::Side;

/// Targets of a White piece on d4 with no one in its way; promotions are another sentence.
fn from_d4(game: &MartianShogi, letter: char) -> String {
    let all = moves(game, &at(game, &format!("7k/8/8/8/3{letter}4/8/8/7K[]"), 'w'), "d4");
    all.split(' ').filter(|target| !target.ends_with('+')).collect::<Vec<_>>().join(" ")
}

#[test]
fn twelve_kinds_five_of_each_in_all_sixty() {
    assert_eq!(INFO.pieces.len(), 12);
    let letters: String = INFO.pieces.iter().map(|p| p.letter).collect();
    assert_eq!(letters, "GDCKMLBRPEVS");
    let game = game("");
    let start = game.start();
    assert_eq!(start.stash.total() + start.occupied().count_ones(), 60);
}

#[test]
fn the_array_and_white_first() {
    let game = game("");
    let start = game.start();
    let fen = "mlbkkblm/sveppevs/8/8/8/8/SVEPPEVS/MLBKKBLM[] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1";
    assert_eq!(game.fen(&start), fen);
    assert_eq!(game.parse_fen(fen).as_ref(), Ok(&start));
    assert_eq!(game.side_to_move(&start), Side::White);
    assert_eq!(start.of(Side::White, MONARCH).count_ones(), 2);
}

#[test]
fn each_piece_moves_by_the_table() {
    let game = game("");
    let expected = [
        ('P', "c5 d5 e5"),
        ('M', "c3 c4 c5 d3 d5 e3 e4 e5"),
        ('G', "a7 b6 c3 c4 c5 d3 d5 d6 d7 d8 e3 e4 e5 f6 g7 h8"),
        ('E', "d5"),
        ('L', "c4 d1 d2 d3 d5 d6 d7 d8 e4"),
        ('D', "a4 b4 c3 c4 c5 d1 d2 d3 d5 d6 d7 d8 e3 e4 e5 f4 g4 h4"),
        ('V', "a7 b6 c5 e5 f6 g7 h8"),
        ('B', "a1 a7 b2 b6 c3 c5 e3 e5 f2 f6 g1 g7 h8"),
        ('C', "a1 a7 b2 b6 c3 c4 c5 d3 d5 e3 e4 e5 f2 f6 g1 g7 h8"),
        ('S', "d5 d6 d7 d8"),
        ('R', "a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4"),
        ('K', "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 d8 e3 e4 e5 f2 f4 f6 g1 g4 g7 h4 h8"),
    ];
    for (letter, targets) in expected {
        assert_eq!(from_d4(&game, letter), targets, "{letter}");
    }
}

#[test]
fn black_moves_the_other_way() {
    let game = game("");
    let state = at(&game, "k7/8/8/8/3p1s2/v7/8/7K[]", 'b');
    assert_eq!(moves(&game, &state, "d4"), "c3 d3 e3");
    assert_eq!(moves(&game, &state, "f4"), "f1 f1+ f2 f2+ f3");
    assert_eq!(moves(&game, &state, "a3"), "b2 b2+ c1 c1+");
}

#[test]
fn no_small_piece_moves_back_or_sideways_so_all_are_stuck_on_the_far_rank() {
    let game = game("");
    for letter in "PEVS".chars() {
        let state = at(&game, &format!("3{letter}3k/8/8/8/8/8/8/7K[]"), 'w');
        assert_eq!(moves(&game, &state, "d8"), "", "{letter}");
    }
}

#[test]
fn a_sideways_squire_would_be_a_lancer_without_its_backward_move() {
    let sideways = game("squire_sideways=true");
    let squire = from_d4(&sideways, 'S');
    assert_eq!(squire, "c4 d5 d6 d7 d8 e4");
    assert_eq!(from_d4(&game(""), 'L').replace("d1 d2 d3 ", ""), squire);
    // It then isn't stuck on the far rank, and it may capture sideways.
    let state = at(&sideways, "2pS3k/8/8/8/8/8/8/7K[]", 'w');
    assert_eq!(moves(&sideways, &state, "d8"), "c8 e8");
}

#[test]
fn no_jumping_and_no_capture_of_own_pieces() {
    let game = game("");
    // Rook d4: an enemy on d6 can be taken and not passed, an own Pawn on b4 neither.
    let state = at(&game, "7k/3p4/3p4/8/1P1R4/8/8/7K[]", 'w');
    assert_eq!(moves(&game, &state, "d4"), "c4 d1 d2 d3 d5 d6 e4 f4 g4 h4");
}

#[test]
fn moves_capture_as_they_move() {
    let game = game("");
    let state = at(&game, "7k/8/8/2ppp3/3P4/8/8/7K[]", 'w');
    assert_eq!(moves(&game, &state, "d4"), "c5 d5 e5");
    let facts = |m: Move| game.facts(&state, m);
    let mut list = Vec::new();
    game.generate(&state, Which::Noisy, &mut list);
    list.retain(|m| m.from() == 27);
    assert_eq!(list.len(), 3);
    assert!(list.iter().all(|&m| facts(m).captured == Some(8) && facts(m).mover == 8 && facts(m).noisy));
}

#[test]
fn a_captured_piece_goes_to_the_capturers_hand_as_it_is() {
    let game = game("");
    let state = at(&game, "3d3k/8/8/8/3R4/8/8/7K[]", 'w');
    let next = after(&game, &state, "d4d8");
    // A Duke stays a Duke (no demotion), and is White's now; the stash is as it was.
    assert_eq!(game.fen(&next), "3R3k/8/8/8/8/8/8/7K[D] b 5.5.5/5.5.4/5.5.5/5.4.3 0 9");
    assert_eq!(game.in_hand(&next, Side::White, 1), 1);
    assert_eq!(moves(&game, &after(&game, &next, "h8h7"), "D@").split(' ').count(), 61);
}

#[test]
fn drops_on_any_vacant_square_at_any_rank_never_promoted() {
    let game = game("");
    let state = at(&game, "7k/3r4/8/8/8/8/8/7K[PRr]", 'w');
    let vacant = 64 - 3;
    for letter in ["P@", "R@"] {
        let targets = moves(&game, &state, letter);
        assert_eq!(targets.split(' ').count(), vacant, "{letter}");
        assert!(targets.contains("a1") && targets.contains("d8") && !targets.contains('+'));
        assert!(!targets.contains("d7") && !targets.contains("h1"));
    }
    let next = after(&game, &state, "P@a8");
    assert_eq!(game.fen(&next), "P6k/3r4/8/8/8/8/8/7K[Rr] b 4.5.5/5.5.5/5.5.5/5.2.3 0 9");
    // The opponent drops from his own hand only.
    let black: Vec<String> = legal_uci(&game, &next).into_iter().filter(|m| m.contains('@')).collect();
    assert!(black.len() == 60 && black.iter().all(|m| m.starts_with("R@")));
}

#[test]
fn promotion_is_optional_and_exchanges_with_the_stash() {
    let game = game("");
    let state = at(&game, "7k/8/S7/8/8/8/8/7K[]", 'w');
    assert_eq!(moves(&game, &state, "a6"), "a7 a7+ a8 a8+");
    let plain = after(&game, &state, "a6a7");
    assert_eq!(game.fen(&plain), "7k/S7/8/8/8/8/8/7K[] b 5.5.5/5.5.5/5.5.5/4.5.3 8 9");
    let promoted = after(&game, &state, "a6a7+");
    assert_eq!(game.fen(&promoted), "7k/R7/8/8/8/8/8/7K[] b 5.5.5/5.5.5/5.5.5/5.4.3 0 9");
}

#[test]
fn each_small_and_medium_piece_becomes_the_next_size_of_its_colour_large_pieces_stay() {
    let game = game("");
    for (letter, becomes) in "PEVSMLBR".chars().zip("MLBRGDCK".chars()) {
        // From c6 every kind reaches c7 or d7.
        let state = at(&game, &format!("7k/8/2{letter}5/8/8/8/8/7K[]"), 'w');
        let promotions = moves(&game, &state, "c6");
        let to = promotions.split(' ').find(|t| t.ends_with('+')).unwrap_or_else(|| panic!("{letter}"));
        let next = game.fen(&after(&game, &state, &format!("c6{to}")));
        assert!(next.contains(becomes) && !next.contains(letter), "{letter}: {next}");
    }
    for letter in "GDCK".chars() {
        let state = at(&game, &format!("7k/8/2{letter}5/8/8/8/8/7K[]"), 'w');
        assert!(!moves(&game, &state, "c6").contains('+'), "{letter}");
    }
}

#[test]
fn only_moves_from_the_six_nearest_ranks_into_the_last_two_promote() {
    let game = game("");
    // Within the last two ranks: no.
    let within = at(&game, "7k/R7/8/8/8/8/8/7K[]", 'w');
    assert!(moves(&game, &within, "a7").starts_with("a1 a2"));
    assert!(!moves(&game, &within, "a7").contains('+'));
    // Backed out and in again: yes.
    let out = after(&game, &within, "a7a6 h8g8");
    assert_eq!(moves(&game, &out, "a6a"), "1 2 3 4 5 7 7+ 8 8+");
    // Not on the sixth rank.
    let fifth = at(&game, "7k/8/8/P7/8/8/8/7K[]", 'w');
    assert_eq!(moves(&game, &fifth, "a5"), "a6 b6");
    // Black's last two are ranks 2 and 1.
    let black = at(&game, "7k/8/8/8/8/e7/8/7K[]", 'b');
    assert_eq!(moves(&game, &black, "a3"), "a2 a2+");
}

#[test]
fn a_promotion_needs_the_next_size_in_the_stash() {
    let game = game("");
    // All five Musketeers are in use: on the board and in hands alike.
    let state = at(&game, "m6k/8/3P4/8/8/8/8/m6K[MMm]", 'w');
    assert_eq!(moves(&game, &state, "d6"), "c7 d7 e7");
    // A captured piece goes to the hand, not to the stash: taking a Musketeer frees none.
    let taking = at(&game, "7k/3m4/3P4/8/8/8/8/m6K[MMm]", 'w');
    assert_eq!(moves(&game, &taking, "d6"), "c7 d7 e7");
    // One left is enough.
    let left = at(&game, "7k/3m4/3P4/8/8/8/8/7K[MMm]", 'w');
    assert_eq!(moves(&game, &left, "d6"), "c7 c7+ d7 d7+ e7 e7+");
    // The old pyramid of a promotion can be drawn on again at once.
    let chain = at(&game, "7k/8/3ME3/8/8/8/8/7K[MMMM]", 'w');
    assert!(moves(&game, &chain, "d6").contains("d7+"));
    assert_eq!(after(&game, &chain, "d6d7+").stash.of(4), 1);
}

#[test]
fn a_rook_becomes_a_monarch_that_counts_like_any_other() {
    let game = game("");
    let state = at(&game, "k7/8/7R/8/8/8/8/r6K[]", 'w');
    let two = after(&game, &state, "h6h7+");
    assert_eq!(two.of(Side::White, MONARCH).count_ones(), 2);
    let one = after(&game, &two, "a1h1");
    assert_eq!(game.ending(&one), None);
}

#[test]
fn a_dropped_monarch_counts_like_any_other() {
    let game = game("");
    let state = at(&game, "k7/8/8/8/8/8/8/r6K[K]", 'w');
    let one = after(&game, &state, "K@d5 a1h1");
    assert_eq!(game.ending(&one), None);
    assert_eq!(after(&game, &state, "K@d5").of(Side::White, MONARCH).count_ones(), 2);
}

#[test]
fn up_to_ten_monarchs_but_five_in_the_set() {
    let game = game("");
    // All five Monarchs are White's but one; it is taken last.
    let state = at(&game, "k7/8/8/8/8/8/8/KKK4K[]", 'w');
    assert_eq!(state.stash.of(3), 0);
    let won = after(&game, &state, "a1a8");
    assert_eq!(game.ending(&won), Some(Ending::win(Side::White, Termination::MonarchsCaptured)));
    assert_eq!(won.hands[0].of(3), 1);
}

#[test]
fn there_is_no_check() {
    let game = game("");
    // Ignoring the attack on the last Monarch, and walking it into one, are legal.
    let state = at(&game, "k7/8/8/8/8/8/P7/r6K[]", 'w');
    assert!(!game.in_check(&state));
    assert!(legal_uci(&game, &state).contains(&"a2a3".to_owned()));
    assert!(moves(&game, &state, "h1").contains("g1"));
    let lost = after(&game, &state, "a2a3 a1h1");
    assert_eq!(game.ending(&lost), Some(Ending::win(Side::Black, Termination::MonarchsCaptured)));
}

#[test]
fn a_won_position_has_no_moves() {
    let game = game("");
    let won = after(&game, &at(&game, "k7/8/8/8/8/8/8/K7[P]", 'w'), "a1a8");
    for which in [Which::All, Which::Noisy, Which::Quiet] {
        assert_eq!(listed(&game, &won, which), [""; 0]);
    }
    assert_eq!(game.count(&won), 0);
    // Also if it is the winner's turn, as a FEN may have it.
    let other = at(&game, "8/8/8/8/8/8/8/K7[P]", 'w');
    assert_eq!(
        (game.count(&other), game.ending(&other).map(|e| e.result)),
        (0, Some(GameResult::Win(Side::White)))
    );
}

#[test]
fn capturing_one_of_two_monarchs_wins_nothing() {
    let game = game("");
    let state = at(&game, "k6k/8/8/8/8/8/8/K7[]", 'w');
    let next = after(&game, &state, "a1a8");
    assert_eq!(game.ending(&next), None);
    assert_eq!(
        game.ending(&after(&game, &next, "h8a8")).map(|e| e.result),
        Some(GameResult::Win(Side::Black))
    );
}

#[test]
fn monarchs_in_hand_do_not_save() {
    let state = |game: &MartianShogi| after(game, &at(game, "k7/8/8/8/8/8/8/K7[k]", 'w'), "a1a8");
    let plain = game("");
    let ending = Ending::win(Side::White, Termination::MonarchsCaptured);
    assert_eq!(plain.ending(&state(&plain)), Some(ending));
    // The other reading.
    let saving = game("hand_monarch_saves=true");
    assert_eq!(saving.ending(&state(&saving)), None);
    assert_eq!(saving.count(&state(&saving)), 63);
    // White's own hand saves Black nothing.
    let spent = at(&saving, "8/8/8/8/8/8/8/K7[K]", 'b');
    assert_eq!(saving.ending(&spent), Some(ending));
}

#[test]
fn a_side_without_any_legal_action_loses() {
    // A Monarch in the corner behind Peasants that stand before each other.
    const BLOCKED: &str = "KE6/EE6/8/8/8/8/8/7k";
    let loss = Some(Ending::win(Side::Black, Termination::Blocked));
    let plain = game("");
    let state = at(&plain, &format!("{BLOCKED}[p]"), 'w');
    assert_eq!((plain.count(&state), plain.ending(&state)), (0, loss));
    // The same for a side that could not drop; the opponent is not blocked.
    assert_eq!(plain.ending(&at(&plain, &format!("{BLOCKED}[]"), 'b')), None);
    // A piece in hand is an action, but only with drops.
    assert_eq!(plain.ending(&at(&plain, &format!("{BLOCKED}[P]"), 'w')), None);
    let no_drops = game("drops=false");
    assert_eq!(no_drops.ending(&at(&no_drops, &format!("{BLOCKED}[P]"), 'w')), loss);
    // The other reading.
    let draw = game("blocked=draw");
    let state = at(&draw, &format!("{BLOCKED}[]"), 'w');
    assert_eq!(draw.ending(&state), Some(Ending::draw(Termination::Blocked)));
}

#[test]
fn captured_monarchs_come_before_blocked() {
    let game = game("blocked=draw");
    // White has nothing to move and no Monarch.
    let state = at(&game, "1E6/8/8/8/8/8/8/7k[]", 'w');
    assert_eq!(game.ending(&state), Some(Ending::win(Side::Black, Termination::MonarchsCaptured)));
}

#[test]
fn the_third_occurrence_is_a_draw_even_across_captures_and_drops() {
    let game = game("");
    let mut referee = Referee::new(game.clone(), at(&game, "k7/8/8/8/8/8/8/7K[]", 'w'), Limits::default());
    for text in "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8".split(' ') {
        assert_eq!(referee.ending(), None, "before {text}");
        referee.play(parse_uci(&game, referee.state(), text).expect("legal"));
    }
    assert_eq!(referee.ending(), Some(Ending::draw(Termination::Repetition)));

    // Two captures and two drops come back to the same position, with the clock at 0 all the way.
    let mut referee =
        Referee::new(game.clone(), at(&game, "3r3r/k7/8/8/8/8/8/1K1R4[]", 'w'), Limits::default());
    for round in 1..=2 {
        for text in ["d1d8", "h8d8", "R@d1", "R@h8"] {
            assert_eq!(referee.ending(), None);
            referee.play(parse_uci(&game, referee.state(), text).expect("legal"));
            assert_eq!(game.clocks(referee.state()).0, 0);
        }
        assert_eq!(referee.occurrences(), 1 + round);
    }
    assert_eq!(referee.ending(), Some(Ending::draw(Termination::Repetition)));
}

#[test]
fn the_clock_goes_to_nought_on_capture_drop_and_promotion_only() {
    let game = game("");
    let state = at(&game, "k2p4/8/6E1/8/8/8/8/K2R4[P]", 'w');
    let clock = |m: &str| game.clocks(&after(&game, &state, m));
    assert_eq!(clock("a1a2"), (8, 9));
    assert_eq!(clock("g6g7"), (8, 9));
    assert_eq!(clock("g6g7+"), (0, 9));
    assert_eq!(clock("d1d8"), (0, 9));
    assert_eq!(clock("P@a2"), (0, 9));
    assert_eq!(clock("d1d2 a8b8"), (9, 10));
}

#[test]
fn without_drops_captured_pieces_still_sit_in_the_hand() {
    let game = game("drops=false");
    let state = at(&game, "k2p4/8/6E1/8/8/8/8/K2R4[P]", 'w');
    assert!(!legal_uci(&game, &state).iter().any(|m| m.contains('@')));
    assert!(moves(&game, &state, "g6").contains('+'), "promotion stays");
    let next = after(&game, &state, "d1d8");
    assert!(game.fen(&next).contains("[PP]"));
    assert_eq!(game.count(&next), legal_uci(&game, &next).len() as u64);
}

#[test]
fn a_lot_easier_has_neither_drops_nor_promotion() {
    let game = game("drops=false promotion=false");
    let state = at(&game, "k7/8/6E1/8/8/8/8/K2R4[P]", 'w');
    assert!(legal_uci(&game, &state).iter().all(|m| m.len() == 4));
    assert_eq!(moves(&game, &state, "g6"), "g7");
}

#[test]
fn an_unmoved_pawn_goes_two_over_an_empty_square_and_may_capture_there() {
    let game = game("pawn_double_first_move=true");
    let start = game.start();
    assert!(game.fen(&start).ends_with(" 0 1 d2e2d7e7"));
    assert_eq!(moves(&game, &start, "d2"), "c3 d3 d4 e3");
    let state = |placement: &str, unmoved: &str| {
        game.parse_fen(&format!("{placement} w - 0 1 {unmoved}")).expect("a position")
    };
    let capture = state("k7/8/8/8/3p4/8/3P4/K7[]", "d2");
    assert_eq!(moves(&game, &capture, "d2"), "c3 d3 d4 e3");
    assert_eq!(game.facts(&capture, Move::plain(11, 27)).captured, Some(8));
    assert!(game.fen(&after(&game, &capture, "d2d4")).contains("[P]"));
    let blocked = state("k7/8/8/8/8/3p4/3P4/K7[]", "d2");
    assert_eq!(moves(&game, &blocked, "d2"), "c3 d3 e3");
    let own = state("k7/8/8/8/3P4/8/3P4/K7[]", "d2");
    assert_eq!(moves(&game, &own, "d2"), "c3 d3 e3");
    // Not without the flag, and not without the option.
    assert_eq!(moves(&game, &state("k7/8/8/8/8/8/3P4/K7[]", "-"), "d2"), "c3 d3 e3");
    let plain = super::game("");
    assert_eq!(moves(&plain, &plain.start(), "d2"), "c3 d3 e3");
}

#[test]
fn a_pawn_that_moved_was_dropped_or_is_gone_is_not_unmoved() {
    let game = game("pawn_double_first_move=true");
    let start = game.start();
    let next = after(&game, &start, "d2c3 e7e5");
    assert!(game.fen(&next).ends_with(" e2d7"), "{}", game.fen(&next));
    // Taken on its square: the flag goes with it, also when another Pawn is dropped there.
    let taken = game.parse_fen("k7/8/8/8/8/8/3Pr3/K7[P] b - 0 1 d2").expect("a position");
    let taken = after(&game, &taken, "e2d2 a1b2 d2d3 P@d2 a8b8");
    assert!(game.fen(&taken).ends_with(" -"));
    assert_eq!(moves(&game, &taken, "d2"), "c3 d3 e3");
    // Positions that differ in the flags only are not the same.
    let with = game.parse_fen("k7/8/8/8/8/8/3P4/K7[] w - 0 1 d2").expect("a position");
    let without = game.parse_fen("k7/8/8/8/8/8/3P4/K7[] w - 0 1 -").expect("a position");
    assert_ne!(game.key(&with), game.key(&without));
}

#[test]
fn noisy_moves_are_captures_and_promotions() {
    let game = game("");
    let state = at(&game, "k2p4/6p1/6E1/8/8/8/8/K2R4[P]", 'w');
    assert_eq!(
        listed(&game, &state, Which::Noisy),
        ["a1a8", "a1g7", "d1d7+", "d1d8", "d1d8+", "g6g7", "g6g7+"]
    );
    assert!(listed(&game, &state, Which::Quiet).contains(&"P@b1".to_owned()));
    let drop = Move::drop(1, 8);
    assert!(!game.facts(&state, drop).noisy && game.facts(&state, drop).mover == 8);
}

#[test]
fn the_position_is_the_same_only_with_the_same_hands() {
    let game = game("");
    let key = |hands: &str| game.key(&at(&game, &format!("k7/8/8/8/8/8/8/K7[{hands}]"), 'w'));
    let keys = ["", "P", "PP", "p", "pp", "Pp", "E", "PE", "PPE"].map(key);
    let mut distinct = keys.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), keys.len());
    let black = game.key(&at(&game, "k7/8/8/8/8/8/8/K7[]", 'b'));
    assert_ne!(black, key(""));
}

#[test]
fn another_reading_of_the_lost_table_is_an_option() {
    let cautious = game("move_table=cautious");
    assert_eq!(from_d4(&cautious, 'L'), "c4 d3 d5 d6 d7 d8 e4");
    assert_eq!(from_d4(&cautious, 'G'), "c3 c4 c5 d3 d5 d6 d7 d8 e3 e4 e5");
    assert_eq!(from_d4(&cautious, 'K'), from_d4(&game(""), 'K'));
}

#[test]
fn a_designers_table_is_played_without_touching_code() {
    let text = "[moves]\n".to_owned()
        + &INFO.pieces.iter().map(|p| format!("{} = {{ B = \"2\" }}\n", p.name)).collect::<String>();
    let table = MoveTable::parse(&text).expect("a table");
    let backward = MartianShogi::with_table(game("").options().clone(), &table);
    // What names the game's options names the table, and from the name alone the same game is built.
    let line = backward.options().get("move_table");
    assert_eq!(line, ["00200"; 12].join("-"));
    let again = game(&format!("move_table={line}"));
    assert_eq!((again.options(), again.start()), (backward.options(), backward.start()));
    let state = at(&backward, "7k/8/8/8/3R4/8/8/7K[]", 'w');
    assert_eq!(legal_uci(&backward, &state), ["d4d2", "d4d3"]);
    // Pieces that only go back are blocked at home.
    assert_eq!(
        backward.ending(&at(&backward, "7k/8/8/8/8/8/8/7K[]", 'w')),
        Some(Ending::win(Side::Black, Termination::Blocked))
    );
}
