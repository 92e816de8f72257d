//! The evaluation: the same however it is reached, and the same for both sides.

use crate::at;
use crate::moves::{Changes, list};
use equipoise_engine::eval::{Evaluate, Evaluator, PawnMemory, Sum};
use equipoise_engine::game::{Game, Which};
use equipoise_engine::moves::Kind;
use equipoise_engine::perft::perft;
use equipoise_engine::side::Side;
use std::collections::BTreeMap;

fn evaluator<G: Evaluate>(game: &G) -> Evaluator<G> {
    Evaluator::with_defaults(game.clone()).unwrap_or_else(|e| panic!("{e}"))
}

/// The score from White's view.
fn for_white<G: Evaluate>(evaluator: &Evaluator<G>, state: &G::State) -> i32 {
    evaluator.game().side_to_move(state).sign() * evaluator.score(state, &evaluator.sum(state))
}

/// With colours exchanged and the board turned over, where the game has such a position: the same number of
/// moves two plies deep, the same end, the negated score; turned over twice it is the position itself.
pub fn mirror_has_the_same_tree_and_the_negated_score<G: Evaluate>(game: &G, states: &[G::State]) {
    let evaluator = evaluator(game);
    let mut mirrors = 0;
    for state in states {
        let Some(mirror) = game.mirrored(state) else { continue };
        mirrors += 1;
        assert_eq!(game.mirrored(&mirror).as_ref(), Some(state), "{}", at(game, state));
        assert_ne!(game.side_to_move(&mirror), game.side_to_move(state));
        assert_eq!(game.key(&mirror), game.fresh_key(&mirror), "{}", at(game, state));
        assert_eq!(game.parse_fen(&game.fen(&mirror)).as_ref(), Ok(&mirror), "{}", at(game, state));
        assert_eq!(perft(game, &mirror, 2), perft(game, state, 2), "{}", at(game, state));
        assert_eq!(game.in_check(&mirror), game.in_check(state), "{}", at(game, state));
        let [end, mirrored] = [state, &mirror].map(|s| game.ending(s));
        assert_eq!(end.map(|e| e.termination), mirrored.map(|e| e.termination), "{}", at(game, state));
        let winner = |e: Option<equipoise_engine::outcome::Ending>| e.and_then(|e| e.result.winner());
        assert_eq!(winner(end), winner(mirrored).map(Side::other), "{}", at(game, state));
        assert_eq!(game.is_dead(&mirror), game.is_dead(state), "{}", at(game, state));
        assert_eq!(for_white(&evaluator, &mirror), -for_white(&evaluator, state), "{}", at(game, state));
    }
    assert!(mirrors * 2 > states.len(), "only {mirrors} of {} positions have a mirror", states.len());
}

/// The sum kept through a move is the sum from scratch, and the score from it the score by the tuner's terms, whatever a
/// search remembers of the positions before.
pub fn score_is_kept<G: Evaluate>(game: &G, states: &[G::State]) {
    let evaluator = evaluator(game);
    let mut memory = PawnMemory::default();
    for state in states {
        let before: Sum = evaluator.sum(state);
        assert_eq!(evaluator.score(state, &before), evaluator.fresh_score(state), "{}", at(game, state));
        for m in list(game, state, Which::All) {
            let mut next = state.clone();
            let mut watcher = evaluator.watch(before);
            game.play(&mut next, m, &mut watcher);
            assert_eq!(watcher.sum, evaluator.sum(&next), "{m:?}: {}", at(game, state));
            let remembering = evaluator.score_remembering(&next, &watcher.sum, &mut memory);
            assert_eq!(remembering, evaluator.score(&next, &watcher.sum), "{m:?}: {}", at(game, state));
        }
    }
}

/// An observer that follows a move knows the board and the hands after it.
pub fn observer_sees_every_change<G: Game>(game: &G, states: &[G::State]) {
    let kinds = game.info().pieces.len() as Kind;
    let hands = |state: &G::State| -> BTreeMap<(Side, Kind), i32> {
        let all = Side::BOTH.into_iter().flat_map(|side| (0..kinds).map(move |kind| (side, kind)));
        all.map(|(side, kind)| ((side, kind), i32::from(game.in_hand(state, side, kind)))).collect()
    };
    for state in states {
        for m in list(game, state, Which::All) {
            let mut next = state.clone();
            let mut changes = Changes::default();
            game.play(&mut next, m, &mut changes);
            // Counted by piece and square: a capture lifts and puts on one square in an order of its own.
            let mut count: BTreeMap<_, i32> = BTreeMap::new();
            game.pieces(state, &mut |side, kind, square| {
                *count.entry((side, kind, square)).or_default() += 1
            });
            changes.put.iter().for_each(|&piece| *count.entry(piece).or_default() += 1);
            changes.lifted.iter().for_each(|&piece| *count.entry(piece).or_default() -= 1);
            game.pieces(&next, &mut |side, kind, square| {
                *count.entry((side, kind, square)).or_default() -= 1
            });
            assert!(count.values().all(|&n| n == 0), "{m:?}: {count:?}: {}", at(game, state));
            let mut held = hands(state);
            changes.hands.iter().for_each(|&(side, kind, n)| *held.entry((side, kind)).or_default() += n);
            assert_eq!(held, hands(&next), "{m:?}: {}", at(game, state));
        }
    }
}
