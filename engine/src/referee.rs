//! The rules that need history: repetition, the fifty-move rule, dead positions, move limits.

use crate::game::Game;
use crate::outcome::{Ending, GameResult, Termination};

/// Limits on the length of a game, besides the game's own rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// A game still running after this full move is complete is `0-0` by `move-rule` (Magi's 150 moves).
    pub move_rule: Option<u32>,
    /// A game still running after this full move is complete is `*` by `move-limit`: the harness's own.
    pub move_limit: Option<u32>,
}

/// A game in progress: the position, and the keys of all positions since they last could recur.
#[derive(Clone, Debug)]
pub struct Referee<G: Game> {
    game: G,
    start: G::State,
    moves: Vec<crate::moves::Move>,
    state: G::State,
    keys: Vec<u64>,
    limits: Limits,
}

impl<G: Game> Referee<G> {
    /// A game from `state` on.
    pub fn new(game: G, state: G::State, limits: Limits) -> Referee<G> {
        let keys = vec![game.key(&state)];
        Referee { game, start: state.clone(), moves: Vec::new(), state, keys, limits }
    }

    /// The position it began from.
    pub fn start(&self) -> &G::State {
        &self.start
    }

    /// All moves made, the first first.
    pub fn moves(&self) -> &[crate::moves::Move] {
        &self.moves
    }

    /// The position now.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Keys of the positions that may still recur, oldest first, the present one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: crate::moves::Move) {
        self.game.play(&mut self.state, m, &mut ());
        self.moves.push(m);
        if G::CAPS.clock_bounds_repetition && self.game.clocks(&self.state).0 == 0 {
            self.keys.clear();
        }
        self.keys.push(self.game.key(&self.state));
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        self.keys.last().map_or(0, |last| self.keys.iter().filter(|k| *k == last).count())
    }

    /// The ending, if the game is over. What the position alone decides (checkmate) comes before the
    /// draws, they come before the limits.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.game.ending(&self.state) {
            return Some(ending);
        }
        if self.game.is_dead(&self.state) {
            return Some(Ending::draw(Termination::DeadPosition));
        }
        if self.occurrences() >= 3 {
            return Some(Ending::draw(Termination::Repetition));
        }
        let (clock, full_move) = self.game.clocks(&self.state);
        if G::CAPS.fifty_move_plies.is_some_and(|plies| clock >= plies) {
            return Some(Ending::draw(Termination::FiftyMove));
        }
        // The number goes up when Black has moved: move m is complete once it is above m.
        if self.limits.move_rule.is_some_and(|m| full_move > m) {
            return Some(Ending { result: GameResult::BothLose, termination: Termination::MoveRule });
        }
        if self.limits.move_limit.is_some_and(|m| full_move > m) {
            return Some(Ending { result: GameResult::Unknown, termination: Termination::MoveLimit });
        }
        None
    }
}
