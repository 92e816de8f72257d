//! Uneven armies: start arrays from which pieces were taken, for matches at odds.

mod array;
mod odds;

pub use array::Array;
pub use odds::{Odds, Piece, Pieces};

use anyhow::Result;
use engine::eval::{Evaluate, Role};

/// The kind that values are measured by: the pawn, or the first kind that plays its part.
///
/// # Errors
/// A game without any.
pub fn pawn<G: Evaluate>(game: &G) -> Result<usize> {
    let pieces = game.info().pieces;
    let named = pieces.iter().position(|p| p.name == "pawn");
    let alike = || (0..pieces.len()).find(|&kind| game.role(kind as u8) == Role::Pawn);
    named.or_else(alike).ok_or_else(|| anyhow::anyhow!("{} has no pawns to measure by", game.info().name))
}
