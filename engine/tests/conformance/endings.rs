//! Games come to an end, by exactly one termination.

use crate::rng::Rng;
use crate::sample::{choose, random_start};
use equipoise_engine::game::Game;
use equipoise_engine::outcome::{GameResult, Termination};
use equipoise_engine::referee::{Limits, Referee};
use std::collections::BTreeMap;

/// Full moves after which the harness stops a game.
const MOVE_LIMIT: u32 = 400;

/// Random games end within the limit, once, and the result goes with the termination. A game with the rule of
/// 100 plies never runs past it; a game that goes on to the limit is unfinished, not drawn.
pub fn random_games_end_once<G: Game>(game: &G, states: &[G::State]) {
    let mut rng = Rng::new(game.info().name);
    let limits = Limits { move_rule: None, move_limit: Some(MOVE_LIMIT) };
    let mut ends: BTreeMap<Termination, u32> = BTreeMap::new();
    let played = (states.len() / 10).clamp(5, 200);
    for _ in 0..played {
        let start = random_start(game, &mut rng);
        let eager = 1 + rng.below(8);
        let mut referee = Referee::new(game.clone(), start, limits);
        let mut moves = Vec::new();
        // An arrangement adds its own few plies.
        let most = 2 * MOVE_LIMIT + 4;
        let mut plies = 0;
        while referee.ending().is_none() {
            assert!(plies < most, "no end after {plies} plies");
            let state = referee.state().clone();
            let m = choose(game, &state, eager, &mut moves, &mut rng)
                .unwrap_or_else(|| panic!("no move and no end: {}", crate::at(game, &state)));
            referee.play(m);
            plies += 1;
            if let Some(limit) = G::CAPS.fifty_move_plies {
                assert!(game.clocks(referee.state()).0 <= limit);
            }
        }
        let Some(ending) = referee.ending() else { unreachable!() };
        assert_eq!(referee.ending(), Some(ending), "an end is an end");
        let expected = match ending.termination {
            Termination::Stalemate
            | Termination::Repetition
            | Termination::FiftyMove
            | Termination::DeadPosition => matches!(ending.result, GameResult::Draw),
            Termination::Checkmate
            | Termination::MonarchsCaptured
            | Termination::Annihilation
            | Termination::Blocked => {
                ending.result.winner().is_some() && game.ending(referee.state()) == Some(ending)
            }
            Termination::MoveLimit => ending.result == GameResult::Unknown,
            _ => false,
        };
        assert!(expected, "{ending:?}: {}", crate::at(game, referee.state()));
        *ends.entry(ending.termination).or_default() += 1;
    }
    let unfinished = ends.get(&Termination::MoveLimit).copied().unwrap_or(0);
    assert!(unfinished < played as u32, "no random game has an end of its own: {ends:?}");
}
