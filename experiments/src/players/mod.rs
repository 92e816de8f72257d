//! Players: whatever chooses moves, behind one small trait, and how offers are decided.

mod engines;
mod external;
pub mod offers;

pub use engines::{BuiltIn, table_bytes};

use crate::experiment::PlayerSpec;
use anyhow::Result;
use engine::moves::Move;
use engine::outcome::Termination;
use engine::referee::Referee;
use engine::search::{Playable, Score};

/// What a player thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move it would play for the side to move.
    pub best: Move,
    /// Its evaluation from the side to move's view; `None` if it has none.
    pub score: Option<Score>,
    /// Nodes it took.
    pub nodes: u64,
}

/// A player that failed: the game ends as `*` with this termination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// One of the faults.
    pub termination: Termination,
    /// What happened, for the run's standard error.
    pub text: String,
}

/// A player. It is asked about positions with either side to move: the opponent's when an offer is to be
/// answered.
pub trait Player<G: Playable>: Send {
    /// Forgets everything before; `seed` is the source of whatever is random in the new game.
    fn new_game(&mut self, seed: u64);

    /// Thinks about the position now.
    ///
    /// # Errors
    /// A fault of the player, which ends the game.
    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault>;
}

/// Makes players; one is made for every worker.
pub trait Factory<G: Playable>: Sync {
    /// A player as `spec` has it.
    ///
    /// # Errors
    /// Settings that make no player.
    fn make(&self, game: &G, spec: &PlayerSpec) -> Result<Box<dyn Player<G>>>;
}
