//! One search for all games.

mod exchange;

pub use exchange::Exchange;

use crate::eval::Evaluate;

/// A game that the search can play: rules, evaluation, exchanges. Implemented by itself.
pub trait Playable: Evaluate + Exchange {}

impl<G: Evaluate + Exchange> Playable for G {}
