//! Static exchange: what a capture comes to when both sides go on capturing on its square.

use crate::game::Game;
use crate::moves::Move;

/// What the search asks a game about exchanges.
pub trait Exchange: Game {
    /// Whether the exchange that `m` begins leaves the mover at least `threshold` better off, the pieces
    /// being worth `values` (by kind, centipawns), both sides capturing with the cheapest piece and
    /// stopping when it suits them.
    ///
    /// Where a game gives nothing better, the moved piece is assumed never to be recaptured.
    fn exchange_at_least(&self, state: &Self::State, m: Move, values: &[i32; 16], threshold: i32) -> bool {
        let gain = self.facts(state, m).captured.map_or(0, |kind| values[kind as usize]);
        gain >= threshold
    }

    /// Whether a legal move gives check, told before it is made. Never where there is no check.
    fn gives_check(&self, state: &Self::State, m: Move) -> bool {
        Self::CAPS.check && {
            let mut next = state.clone();
            self.play(&mut next, m, &mut ());
            self.in_check(&next)
        }
    }
}
