//! Offers in play: who offers what and when, and what is accepted.

use crate::experiment::{OfferPolicy, Threshold};
use engine::payoff::{Matrix, OfferKind, OfferState};
use engine::search::Score;

/// What a policy may look at.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Full-move number of the move about to be made.
    pub move_number: u32,
    /// Plies played.
    pub ply: u32,
    /// The deciding player's own evaluation, from its own view; `None` if it has none.
    pub score: Option<Score>,
    /// Offers so far.
    pub offers: &'a OfferState,
    /// What the game is worth.
    pub matrix: &'a Matrix,
}

/// Decides offers for one player in one game. An equilibrium policy, which looks evaluations and plies up
/// in a solved table, is another implementation.
pub trait OfferStrategy: Send {
    /// Asked before each own move, once for each kind that is still open, draw first.
    fn offers(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool;

    /// Whether the opponent's offer is accepted.
    fn accepts(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool;
}

/// The strategy of a policy, fresh for a game.
pub fn strategy(policy: &OfferPolicy) -> Box<dyn OfferStrategy> {
    match policy {
        OfferPolicy::Never => Box::new(Never),
        OfferPolicy::Threshold(settings) => Box::new(ByThreshold { settings: *settings, lost_moves: 0 }),
    }
}

struct Never;

impl OfferStrategy for Never {
    fn offers(&mut self, _: OfferKind, _: &Situation<'_>) -> bool {
        false
    }
    fn accepts(&mut self, _: OfferKind, _: &Situation<'_>) -> bool {
        false
    }
}

struct ByThreshold {
    settings: Threshold,
    /// Own moves in a row at or below the resigning evaluation.
    lost_moves: u32,
}

impl OfferStrategy for ByThreshold {
    fn offers(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool {
        let Some(score) = now.score else { return false };
        let settings = &self.settings;
        match kind {
            OfferKind::Draw => {
                let even = settings.draw_within.is_some_and(|w| score.value().unsigned_abs() <= w);
                even && now.move_number >= settings.draw_from
            }
            OfferKind::Resignation => {
                let lost = settings.resign_at.is_some_and(|at| score.value() <= at);
                self.lost_moves = if lost { self.lost_moves + 1 } else { 0 };
                lost && self.lost_moves >= settings.resign_for
            }
        }
    }

    fn accepts(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool {
        let Some(score) = now.score else { return false };
        match kind {
            OfferKind::Draw => score.value() <= self.settings.accept_draw_at,
            OfferKind::Resignation => self.settings.play_on_at.is_none_or(|at| score.value() < at),
        }
    }
}
