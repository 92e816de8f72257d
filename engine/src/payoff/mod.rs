//! Magi's payoff: points by the move at which a game is won, and the offers that change them.
//!
//! A [`Matrix`] is data, read from a TOML file or built from a [`MatrixSpec`]; [`OfferState`] keeps the book on
//! draw and resignation offers; [`Matrix::points`] pays out a finished game. Source: Neal Meyer, *Magi*,
//! sections on stalemates, draws, resignations and the payoff matrix.
//!
//! Where the rules can be read in two ways the choice is data of the matrix (`checkmate_unoffered`,
//! `refused_draw_starts_bands`, `move_rule`). Two more choices are fixed here: a matrix may pay out less than its
//! stake, as the move rule's 0-0 does, and a later band may pay the loser no less and the winner no more.

mod matrix;
mod offers;
mod outcome;
mod points;
#[cfg(test)]
mod tests;
mod text;

pub use matrix::{Band, BandRef, CheckmateUnoffered, Matrix, MatrixError, MatrixSpec, Split};
pub use offers::{Offer, OfferError, OfferKind, OfferState};
pub use outcome::{Finish, PointsError};
pub use points::MilliPoints;
pub use text::ParseError;

/// The default matrix file, comments and all: the sample matrix of Magi's inventor, `[reconstructed]`.
pub const SAMPLE_TOML: &str = include_str!("../../../data/payoff/magi-sample.toml");

/// Reads [`SAMPLE_TOML`].
///
/// # Errors
/// None for the file this program is built with, as a test makes sure.
pub fn sample() -> Result<Matrix, ParseError> {
    SAMPLE_TOML.parse()
}
