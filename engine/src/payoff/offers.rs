//! Draw and resignation offers: at most one of each a game, whoever makes it.

use super::matrix::Matrix;
use crate::side::Side;
use std::fmt;
use thiserror::Error;

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// To call the game drawn.
    Draw,
    /// To lose at the price of the present band.
    Resignation,
}

impl fmt::Display for OfferKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draw => "draw",
            Self::Resignation => "resignation",
        })
    }
}

/// An offer as it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offer {
    /// Draw or resignation.
    pub kind: OfferKind,
    /// Who offered.
    pub by: Side,
    /// Full-move number at which it was made.
    pub move_number: u32,
    /// Index of the matrix's band that holds this move.
    pub band: usize,
}

/// The offers of one game so far.
///
/// A value, so that search and the offer game can hold as many as they like. The state does not know whose turn
/// it is: that an offer comes from the side to move, before its move, is the caller's to see to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OfferState {
    refused_draw: Option<Offer>,
    refused_resignation: Option<Offer>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    #[default]
    Playing,
    Pending(Offer),
    Accepted(Offer),
}

impl OfferState {
    /// No offers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Offers a draw.
    ///
    /// # Errors
    /// [`OfferError`] if the game's draw offer has been made, another offer waits for its answer, an offer has
    /// ended the game, or the move has no band.
    pub fn offer_draw(&mut self, matrix: &Matrix, by: Side, move_number: u32) -> Result<(), OfferError> {
        self.offer(matrix, OfferKind::Draw, by, move_number)
    }

    /// Offers to resign.
    ///
    /// # Errors
    /// As for [`OfferState::offer_draw`], for the game's resignation offer.
    pub fn offer_resignation(
        &mut self,
        matrix: &Matrix,
        by: Side,
        move_number: u32,
    ) -> Result<(), OfferError> {
        self.offer(matrix, OfferKind::Resignation, by, move_number)
    }

    fn offer(&mut self, matrix: &Matrix, kind: OfferKind, by: Side, at: u32) -> Result<(), OfferError> {
        match self.phase {
            Phase::Pending(offer) => return Err(OfferError::Unanswered { kind: offer.kind, by: offer.by }),
            Phase::Accepted(offer) => return Err(OfferError::Over { kind: offer.kind }),
            Phase::Playing => {}
        }
        if let Some(earlier) = self.refused(kind) {
            return Err(OfferError::Used { kind, by: earlier.by, move_number: earlier.move_number });
        }
        let band = matrix.band_at(at).ok_or(OfferError::NoBand { move_number: at })?;
        self.phase = Phase::Pending(Offer { kind, by, move_number: at, band });
        Ok(())
    }

    /// `side` takes the pending offer: the game is over.
    ///
    /// # Errors
    /// [`OfferError`] if no offer waits for an answer or it is the side's own.
    pub fn accept(&mut self, side: Side) -> Result<Offer, OfferError> {
        let offer = self.pending_for(side)?;
        self.phase = Phase::Accepted(offer);
        Ok(offer)
    }

    /// `side` turns the pending offer down: play goes on, and nobody can make an offer of that kind again.
    ///
    /// # Errors
    /// [`OfferError`] if no offer waits for an answer or it is the side's own.
    pub fn refuse(&mut self, side: Side) -> Result<Offer, OfferError> {
        let offer = self.pending_for(side)?;
        self.phase = Phase::Playing;
        match offer.kind {
            OfferKind::Draw => self.refused_draw = Some(offer),
            OfferKind::Resignation => self.refused_resignation = Some(offer),
        }
        Ok(offer)
    }

    fn pending_for(&self, side: Side) -> Result<Offer, OfferError> {
        match self.phase {
            Phase::Pending(offer) if offer.by == side => Err(OfferError::OwnOffer { kind: offer.kind, side }),
            Phase::Pending(offer) => Ok(offer),
            Phase::Playing | Phase::Accepted(_) => Err(OfferError::NothingOffered),
        }
    }

    /// Whether an offer of this kind can still be made in the game.
    pub fn is_open(&self, kind: OfferKind) -> bool {
        self.phase == Phase::Playing && self.refused(kind).is_none()
    }

    /// The offer of this kind that was refused, if one was.
    pub fn refused(&self, kind: OfferKind) -> Option<Offer> {
        match kind {
            OfferKind::Draw => self.refused_draw,
            OfferKind::Resignation => self.refused_resignation,
        }
    }

    /// The offer that waits for its answer.
    pub fn pending(&self) -> Option<Offer> {
        match self.phase {
            Phase::Pending(offer) => Some(offer),
            Phase::Playing | Phase::Accepted(_) => None,
        }
    }

    /// The offer that ended the game.
    pub fn accepted(&self) -> Option<Offer> {
        match self.phase {
            Phase::Accepted(offer) => Some(offer),
            Phase::Playing | Phase::Pending(_) => None,
        }
    }
}

/// Why an offer or an answer is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OfferError {
    /// One offer of each kind a game, counted for the game and not for the player.
    #[error("the game's one {kind} offer was made by {by} at move {move_number}")]
    Used {
        /// Kind of the second offer.
        kind: OfferKind,
        /// Who made the first.
        by: Side,
        /// Move of the first.
        move_number: u32,
    },
    /// An offer is answered at once.
    #[error("{by}'s {kind} offer has not been answered yet")]
    Unanswered {
        /// Kind of the pending offer.
        kind: OfferKind,
        /// Who made it.
        by: Side,
    },
    /// The game is over.
    #[error("an accepted {kind} offer has ended the game")]
    Over {
        /// Kind of the accepted offer.
        kind: OfferKind,
    },
    /// The move lies outside the matrix.
    #[error("move {move_number} belongs to no band of the matrix, so no offer can be made there")]
    NoBand {
        /// The move.
        move_number: u32,
    },
    /// Nothing to answer.
    #[error("there is no offer to answer")]
    NothingOffered,
    /// Only the opponent answers.
    #[error("{side} made the {kind} offer and cannot answer it")]
    OwnOffer {
        /// Kind of the pending offer.
        kind: OfferKind,
        /// Who made it.
        side: Side,
    },
}
