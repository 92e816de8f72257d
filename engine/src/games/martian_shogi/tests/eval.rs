//! Evaluation and static exchange.

use super::random::{OPTIONS, random_games};
use super::{at, game};
use crate::eval::{Evaluate, Evaluator, Layout, ONE, Trace, Weights};
use crate::game::{Game, Which};
use crate::games::martian_shogi::{MartianShogi, State};
use crate::moves::{Flag, Move, Square};
use crate::notation::parse_uci;
use crate::outcome::Termination;
use crate::search::Exchange;

/// Values that differ, so that "the cheapest" is one kind.
const VALUES: [i32; 16] = [500, 560, 480, 900, 260, 280, 320, 430, 110, 70, 140, 120, 0, 0, 0, 0];

#[test]
fn the_incremental_score_is_the_fresh_one_and_the_mirror_negates_it() {
    for options in OPTIONS {
        let game = game(options);
        let evaluator = Evaluator::with_defaults(game.clone()).expect("weights for every option");
        let (layout, standard) = Layout::of(&game);
        let weights = Weights::default_of(&game).expect("weights for every option");
        let pairs: Vec<(f64, f64)> =
            weights.pairs().iter().map(|p| (f64::from(p.mg), f64::from(p.eg))).collect();
        assert_eq!(Weights::parse(&layout, &weights.to_toml(&layout, &[])), Ok(weights));
        random_games(&game, 4, |state| {
            let sum = evaluator.sum(state);
            let score = evaluator.score(state, &sum);
            assert_eq!(score, evaluator.fresh_score(state));
            let mirror = game.mirrored(state).expect("every position has a mirror");
            assert_eq!(evaluator.score(&mirror, &evaluator.sum(&mirror)), score);
            let trace = Trace::of(&evaluator, &standard, state).score(&pairs);
            let white = f64::from(score * game.side_to_move(state).sign());
            assert!((trace - white).abs() < 1.0, "{trace} {white} {state:?}");
        });
    }
}

#[test]
fn the_last_monarch_en_prise_decides() {
    let game = game("");
    let evaluator = Evaluator::with_defaults(game.clone()).expect("weights");
    let score = |placement: &str, side| {
        let state = at(&game, placement, side);
        evaluator.score(&state, &evaluator.sum(&state))
    };
    // Black is far ahead, but the Squire takes the last Monarch.
    assert!(score("k4rrr/8/8/8/8/8/8/S6K[rr]", 'w') > 1000);
    assert!(score("k4rrr/8/8/8/8/8/8/S6K[rr]", 'b') > 1000, "Black's rook takes first");
    assert!(score("kk3rrr/8/8/8/8/8/6E1/S6K[rr]", 'w') < 0, "another is left");
}

/// How often a term of one weight counts for White less for Black.
fn occurrences(placement: &str, side: char, term: &str) -> i32 {
    let game = game("");
    let evaluator = Evaluator::with_defaults(game.clone()).expect("weights");
    let (layout, standard) = Layout::of(&game);
    let index = layout.terms().iter().find(|t| t.name == term).expect("a term").first as u32;
    let trace = Trace::of(&evaluator, &standard, &at(&game, placement, side));
    trace.counts.iter().find(|(weight, _)| *weight == index).map_or(0, |(_, n)| n / ONE)
}

#[test]
fn terms_count_what_they_say() {
    // The last Monarch on a8 has a7, b7, b8 round it; the Bishop guards b7, the Rook holds b8.
    let corner = "kr6/8/b7/8/8/8/8/KK6";
    assert_eq!(occurrences(&format!("{corner}[P]"), 'w', "last_monarch.room_for_drops"), 1);
    assert_eq!(occurrences(&format!("{corner}[]"), 'w', "last_monarch.room_for_drops"), 0);
    assert_eq!(occurrences(&format!("{corner}[]"), 'w', "last_monarch.alone"), -1);
    // A Squire on the file: it sees a7 and a8, the Monarch if it may move, else only attacked.
    let squire = "k7/8/8/8/8/8/S7/5KK1[]";
    assert_eq!(occurrences(squire, 'w', "last_monarch.near_small"), 1);
    assert_eq!(occurrences(squire, 'w', "last_monarch.en_prise"), 1);
    assert_eq!(occurrences(squire, 'b', "last_monarch.attacked"), 1);
    assert_eq!(occurrences(squire, 'w', "mobility.squire"), 6);
    assert_eq!(occurrences(squire, 'w', "promotion.ready"), 1);
    // With a second Monarch neither is the last.
    let two = "kk6/8/8/8/8/8/S7/5KK1[]";
    assert_eq!(occurrences(two, 'w', "last_monarch.en_prise"), 0);
    assert_eq!(occurrences(two, 'w', "monarch.attacked"), 1);
    // A Pawn attacks a Rook that a Bishop guards; a General on its own is attacked by a Rook.
    let threats = "kk6/8/3b4/4r3/3P4/8/2R4g/KK6[]";
    assert_eq!(occurrences(threats, 'w', "threat.by_smaller"), 2);
    assert_eq!(occurrences(threats, 'b', "threat.unguarded"), 1);
    assert_eq!(occurrences("7k/8/8/8/8/8/8/KK6[PPEgk]", 'w', "drops.kinds"), 0);
    assert_eq!(occurrences("7k/8/8/8/8/8/8/KK6[PPEG]", 'w', "drops.kinds"), 3);
}

/// What the side to move gains by capturing on a square with the cheapest piece each time; `None` if a
/// last Monarch falls, which is another sentence.
fn gain(game: &MartianShogi, state: &State, to: Square) -> Option<i32> {
    if game.ending(state).is_some_and(|e| e.termination == Termination::MonarchsCaptured) {
        return None;
    }
    let mut list = Vec::new();
    game.generate(state, Which::Noisy, &mut list);
    let captures = list.into_iter().filter(|m| m.to() == to && m.flag() == Flag::Plain);
    let cheapest = captures.min_by_key(|&m| VALUES[game.facts(state, m).mover as usize]);
    cheapest.map_or(Some(0), |m| worth(game, state, m).map(|worth| worth.max(0)))
}

/// What a move comes to on its target square.
fn worth(game: &MartianShogi, state: &State, m: Move) -> Option<i32> {
    let facts = game.facts(state, m);
    let mut next = state.clone();
    game.play(&mut next, m, &mut ());
    let promotion = match m.flag() {
        Flag::Promotion => VALUES[m.kind() as usize] - VALUES[facts.mover as usize],
        _ => 0,
    };
    let captured = facts.captured.map_or(0, |kind| VALUES[kind as usize]);
    Some(captured + promotion - gain(game, &next, m.to())?)
}

#[test]
fn exchanges_equal_captures_played_out() {
    let mut asked = 0;
    let game = game("");
    random_games(&game, 12, |state| {
        let mut list = Vec::new();
        game.generate(state, Which::All, &mut list);
        for m in list.into_iter().step_by(3) {
            let Some(worth) = worth(&game, state, m) else { continue };
            for (threshold, expected) in [(worth, true), (worth + 1, false)] {
                let found = game.exchange_at_least(state, m, &VALUES, threshold);
                assert_eq!(found, expected, "{} {threshold} in {}", game.uci(state, m), game.fen(state));
            }
            asked += 1;
        }
    });
    assert!(asked > 5_000, "{asked}");
}

#[test]
fn taking_the_last_monarch_is_worth_everything() {
    let game = game("");
    let state = at(&game, "k7/r7/8/8/8/8/8/R6K[]", 'w');
    let state2 = at(&game, "k7/pr6/8/8/8/8/8/B6K[]", 'w');
    let ask = |state: &State, m: &str, threshold| {
        let m = parse_uci(&game, state, m).expect("legal");
        game.exchange_at_least(state, m, &VALUES, threshold)
    };
    assert!(ask(&state, "a1a7", 0) && ask(&state, "a1a7+", 0));
    assert!(!ask(&state2, "a1b2", 1));
    let last = at(&game, "kr6/8/8/8/8/8/8/R6K[]", 'w');
    assert!(ask(&last, "a1a8", 20_000));
    let other = at(&game, "kr5k/8/8/8/8/8/8/R6K[]", 'w');
    assert!(!ask(&other, "a1a8", 20_000));
}

#[test]
fn a_piece_grows_into_the_next_size_of_its_colour_where_pieces_are_promoted() {
    let (pawn, musketeer, general) = (8, 4, 0);
    let with = game("");
    assert_eq!((with.grows_into(pawn), with.grows_into(musketeer)), (Some(musketeer), Some(general)));
    assert_eq!(with.grows_into(general), None);
    assert_eq!(game("drops=false promotion=false").grows_into(pawn), None);
}
