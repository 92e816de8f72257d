//! From the end of a game to its two numbers.

use super::matrix::{CheckmateUnoffered, Matrix, Split};
use super::offers::{Offer, OfferKind, OfferState};
use super::points::MilliPoints;
use crate::outcome::{Ending, GameResult, Termination};
use crate::side::Side;
use thiserror::Error;

/// The end of a game as the matrix has to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Result and termination.
    pub ending: Ending,
    /// Who made the last move; in a stalemate, the side that gave it.
    pub last_mover: Side,
    /// Full-move number of the last move. An accepted resignation counts at the move of its offer instead.
    pub move_number: u32,
}

impl Matrix {
    /// Points to White and to Black.
    ///
    /// `None` for a game that came to nothing the rules know: the harness's limit, a fault. Wins on the board
    /// are paid as checkmates, draws on the board other than stalemate as draws.
    ///
    /// # Errors
    /// [`PointsError`] if the ending and the offers contradict each other, or a win lies outside the bands.
    pub fn points(&self, finish: &Finish, offers: &OfferState) -> Result<Option<Split>, PointsError> {
        let termination = finish.ending.termination;
        check_offers(termination, offers)?;
        if is_outside_the_rules(termination) {
            return Ok(None);
        }
        let split = match finish.ending.result {
            GameResult::Unknown => return Ok(None),
            GameResult::BothLose => (MilliPoints::ZERO, MilliPoints::ZERO),
            GameResult::Draw if termination == Termination::Stalemate => {
                seen_from_white(finish.last_mover, self.spec().stalemate)
            }
            GameResult::Draw => self.spec().draw,
            GameResult::Win(winner) => match offers.accepted() {
                Some(offer) if offer.by == winner => {
                    return Err(PointsError::ResignedAndWon { side: winner });
                }
                Some(offer) => seen_from_white(winner, self.band_price(offer.move_number)?),
                None => seen_from_white(winner, self.checkmate_price(finish.move_number, offers)?),
            },
        };
        Ok(Some(split))
    }

    /// What a checkmate at a move pays the winner and the loser, after the offers refused so far.
    ///
    /// # Errors
    /// [`PointsError::NoBand`] if the move lies outside the bands.
    pub fn checkmate_price(&self, move_number: u32, offers: &OfferState) -> Result<Split, PointsError> {
        let banded = self.band_price(move_number)?;
        let whole = (self.spec().stake, MilliPoints::ZERO);
        let unoffered = match self.spec().checkmate_unoffered {
            CheckmateUnoffered::Full => whole,
            CheckmateUnoffered::Banded => banded,
        };
        Ok(match self.offer_in_force(offers) {
            None => unoffered,
            Some(offer) if self.band_at(move_number) == Some(offer.band) => whole,
            Some(_) => banded,
        })
    }

    /// What an accepted resignation at a move pays the winner and the loser.
    ///
    /// # Errors
    /// [`PointsError::NoBand`] if the move lies outside the bands.
    pub fn band_price(&self, move_number: u32) -> Result<Split, PointsError> {
        let band = self.band_at(move_number).and_then(|index| self.bands().get(index));
        band.map(|band| (band.winner, band.loser)).ok_or(PointsError::NoBand { move_number })
    }

    /// The refused offer that sets the price of a checkmate. A refused resignation goes before a refused draw,
    /// whichever came first: the rules state its effect without conditions, the draw's only by reference to it.
    fn offer_in_force(&self, offers: &OfferState) -> Option<Offer> {
        let draw = offers.refused(OfferKind::Draw).filter(|_| self.spec().refused_draw_starts_bands);
        offers.refused(OfferKind::Resignation).or(draw)
    }
}

fn check_offers(termination: Termination, offers: &OfferState) -> Result<(), PointsError> {
    let accepted = offers.accepted().map(|offer| offer.kind);
    let by_offer = match termination {
        Termination::Resignation => Some(OfferKind::Resignation),
        Termination::DrawAgreed => Some(OfferKind::Draw),
        _ => None,
    };
    if accepted == by_offer { Ok(()) } else { Err(PointsError::OffersDisagree { termination, accepted }) }
}

fn is_outside_the_rules(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::MoveLimit
            | Termination::FaultCrash
            | Termination::FaultHang
            | Termination::FaultIllegal
            | Termination::FaultProtocol
    )
}

fn seen_from_white(first: Side, (to_first, to_other): Split) -> Split {
    match first {
        Side::White => (to_first, to_other),
        Side::Black => (to_other, to_first),
    }
}

/// Why a finished game cannot be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PointsError {
    /// A win outside the bands.
    #[error("move {move_number} belongs to no band of the matrix")]
    NoBand {
        /// The move.
        move_number: u32,
    },
    /// The ending says one thing and the offers another.
    #[error("the game ended by {termination} but {}", accepted_text(*.accepted))]
    OffersDisagree {
        /// How the game is said to have ended.
        termination: Termination,
        /// Kind of the offer that was accepted, if one was.
        accepted: Option<OfferKind>,
    },
    /// The side that resigned is down as the winner.
    #[error("{side}'s resignation was accepted, yet {side} is named the winner")]
    ResignedAndWon {
        /// The side.
        side: Side,
    },
}

fn accepted_text(accepted: Option<OfferKind>) -> String {
    match accepted {
        Some(kind) => format!("a {kind} offer was accepted"),
        None => "no offer of that kind was accepted".to_owned(),
    }
}
