//! What a payoff matrix is worth to both players, when they offer draws and resignations as well as they can.
//!
//! Logged games become a Markov chain over ply and evaluation ([`Chain`]); on it the offers are a general-sum game
//! of two players with complete information, one decision at a time, which [`solve`] solves from the last ply
//! backwards: values and offers are subgame perfect (Selten 1965; the procedure is Zermelo's and Kuhn's). The
//! chain describes how the logged players move. So a solution says what the best offers are *given that play*;
//! whether players would move otherwise under another matrix only a new log can tell.

mod calibration;
mod chain;
mod game;
mod outlook;
mod policy;
#[cfg(test)]
mod tests;

pub use calibration::Forecast;
pub use chain::{BoardEnd, Chain, ChainSpec, Trace};
pub use game::{Book, Decision, OPEN, Solution, Terms, Utility, solve};
pub use outlook::Outlook;
pub use policy::{Policy, PolicyRow};

use engine::search::Score;
use engine::side::Side;
use thiserror::Error;

/// Why a chain or a policy cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OffersError {
    /// Edges out of order.
    #[error("edge {edge} comes after {before}, expected edges in ascending order")]
    Edges {
        /// The edge that is too small.
        edge: i32,
        /// The one before it.
        before: i32,
    },
    /// No game with an evaluation.
    #[error("no game has an evaluation to estimate from")]
    NoTraces,
    /// A bucket of no moves.
    #[error("a bucket holds 0 moves, expected at least 1")]
    EmptyBucket,
}

/// Classes of evaluations from White's view: forced losses, what lies below, between and above the edges, forced
/// wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bins {
    edges: Vec<i32>,
}

impl Bins {
    /// Bins with these edges in centipawns, in ascending order. A score on an edge belongs to the bin that is
    /// farther from zero, so that White and Black are treated alike.
    ///
    /// # Errors
    /// [`OffersError::Edges`].
    pub fn new(edges: Vec<i32>) -> Result<Bins, OffersError> {
        for pair in edges.windows(2) {
            if let [before, edge] = *pair
                && edge <= before
            {
                return Err(OffersError::Edges { edge, before });
            }
        }
        Ok(Bins { edges })
    }

    /// The edges in centipawns.
    pub fn edges(&self) -> &[i32] {
        &self.edges
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.edges.len() + 3
    }

    /// The bin of a score from White's view.
    pub fn of(&self, score: Score) -> usize {
        match score.mate_plies() {
            Some(plies) if plies < 0 || (plies == 0 && score.value() < 0) => 0,
            Some(_) => self.count() - 1,
            None => {
                let s = score.value();
                1 + self.edges.partition_point(|&e| if s < 0 { e < s } else { e <= s })
            }
        }
    }
}

impl Default for Bins {
    /// Half a pawn to twelve pawns on either side, each step about one and a half times the one before.
    fn default() -> Bins {
        let half = [50, 120, 220, 350, 550, 850, 1300];
        let edges = half.iter().rev().map(|e| -e).chain(half).collect();
        Bins { edges }
    }
}

/// Full-move number of the move made at a ply (plies from 0, White first).
pub(crate) fn move_number(ply: u32) -> u32 {
    ply / 2 + 1
}

/// Who moves at a ply.
pub(crate) fn mover(ply: u32) -> Side {
    if ply.is_multiple_of(2) { Side::White } else { Side::Black }
}
