//! Static exchange: what a capture comes to when both sides go on capturing on its square. And checks,
//! told before they are given.

use crate::game::{Game, MoveFacts};
use crate::moves::{Move, Square};

/// From where the side to move would give check, found once for all moves of a position.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// By kind: squares, as bits, on which a piece that arrives gives check.
    pub by_kind: [u128; 16],
    /// Squares that may uncover a check by being left: whoever goes from there must be asked by itself.
    pub veiled: u128,
}

/// Whether `square` is in `set`: of a set this wide, one half at a time.
#[inline(always)]
fn has(set: u128, square: Square) -> bool {
    let half = if square & 64 == 0 { set as u64 } else { (set >> 64) as u64 };
    half >> (square & 63) & 1 == 1
}

impl CheckSquares {
    /// Every move must be asked by itself.
    pub const UNKNOWN: CheckSquares = CheckSquares { by_kind: [0; 16], veiled: u128::MAX };
}

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

    /// Squares that give check, if the game can tell them all at once.
    fn check_squares(&self, _state: &Self::State) -> CheckSquares {
        CheckSquares::UNKNOWN
    }

    /// [`gives_check`](Self::gives_check), where the position's [`check_squares`](Self::check_squares)
    /// and the move's facts are known.
    #[inline(always)]
    fn gives_check_from(
        &self,
        state: &Self::State,
        squares: &CheckSquares,
        m: Move,
        facts: MoveFacts,
    ) -> bool {
        if !Self::CAPS.check {
            return false;
        }
        if m.is_plain() && !has(squares.veiled, m.from()) {
            has(squares.by_kind[facts.mover as usize & 15], m.to())
        } else {
            self.gives_check(state, m)
        }
    }
}
