//! The offer game of a payoff matrix, estimated from a log: reading traces, figures with intervals, how well the
//! estimate foretells other games, the search for a better matrix.

pub mod figures;
pub mod fit;
pub mod incentive;
pub mod search;
#[cfg(test)]
mod tests;
pub mod traces;

pub use figures::{Figures, winner_takes_all};
pub use traces::{Logged, LoggedGame};
