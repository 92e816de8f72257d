//! Offers in play: who offers what and when, and what is accepted.

use crate::experiment::{OfferPolicy, SolvedOffers, Threshold};
use engine::payoff::{Matrix, OfferKind, OfferState};
use engine::search::Score;
use engine::side::Side;
use tuner::offers::{Book, Decision};

/// What a policy may look at.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Who decides.
    pub side: Side,
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

/// Decides offers for one player in one game.
pub trait OfferStrategy: Send {
    /// Asked before each own move, once for each kind that is still open, draw first.
    fn offers(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool;

    /// Whether the opponent's offer is accepted.
    fn accepts(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool;
}

/// The strategy of a policy, fresh for a game.
pub fn strategy(policy: &OfferPolicy) -> Box<dyn OfferStrategy + '_> {
    match policy {
        OfferPolicy::Never => Box::new(Never),
        OfferPolicy::Threshold(settings) => Box::new(ByThreshold { settings: *settings, lost_moves: 0 }),
        OfferPolicy::Equilibrium(solved) => Box::new(Solved(solved)),
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

/// Looks up what is best in a solved table.
struct Solved<'a>(&'a SolvedOffers);

impl Solved<'_> {
    fn decision(&self, to_move: Side, now: &Situation<'_>) -> Decision {
        let policy = &self.0.policy;
        let book = Book::of(now.matrix, now.offers, now.move_number);
        let bin = now.score.map(|score| policy.bins.of(score.white_view(now.side)));
        match (book, bin) {
            (Some(book), Some(bin)) => policy.decision(now.move_number, to_move, bin, book),
            _ => Decision::default(),
        }
    }
}

impl OfferStrategy for Solved<'_> {
    fn offers(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool {
        self.decision(now.side, now).offers(kind)
    }

    fn accepts(&mut self, kind: OfferKind, now: &Situation<'_>) -> bool {
        self.decision(now.side.other(), now).accepts(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Threshold {
        Threshold {
            resign_at: Some(-500),
            resign_for: 2,
            play_on_at: Some(2000),
            draw_within: Some(10),
            draw_from: 40,
            accept_draw_at: -50,
        }
    }

    #[test]
    fn thresholds_are_kept() {
        let matrix = engine::payoff::sample().unwrap();
        let offers = OfferState::new();
        let threshold = OfferPolicy::Threshold(settings());
        let mut policy = strategy(&threshold);
        let at = |move_number, score: Option<i32>| Situation {
            side: Side::White,
            move_number,
            ply: 2 * move_number,
            score: score.map(Score::centipawns),
            offers: &offers,
            matrix: &matrix,
        };
        let resigns = |policy: &mut Box<dyn OfferStrategy + '_>, cp| {
            policy.offers(OfferKind::Resignation, &at(30, Some(cp)))
        };
        // Two lost moves in a row; a better one between starts the count again.
        assert!(!resigns(&mut policy, -600) && !resigns(&mut policy, -400));
        assert!(!resigns(&mut policy, -500) && resigns(&mut policy, -501));
        assert!(!policy.offers(OfferKind::Draw, &at(39, Some(0))), "too early");
        assert!(policy.offers(OfferKind::Draw, &at(40, Some(-10))));
        assert!(!policy.offers(OfferKind::Draw, &at(40, Some(11))));
        assert!(policy.accepts(OfferKind::Draw, &at(40, Some(-50))));
        assert!(!policy.accepts(OfferKind::Draw, &at(40, Some(-49))));
        assert!(policy.accepts(OfferKind::Resignation, &at(40, Some(1999))));
        assert!(!policy.accepts(OfferKind::Resignation, &at(40, Some(2000))));
        // A mate in sight is worth playing for.
        let mate = Situation { score: Some(Score::win_in(5)), ..at(40, None) };
        assert!(!policy.accepts(OfferKind::Resignation, &mate));
        // Without an evaluation, nothing.
        assert!(!policy.offers(OfferKind::Draw, &at(40, None)));
        assert!(!policy.accepts(OfferKind::Draw, &at(40, None)));
        let mut never = strategy(&OfferPolicy::Never);
        assert!(!never.offers(OfferKind::Resignation, &at(40, Some(-9999))));
        assert!(!never.accepts(OfferKind::Draw, &at(40, Some(-9999))));
    }

    /// A table in which White, a pawn or more behind before move 46, offers to resign and Black accepts; read from
    /// both sides of the board.
    #[test]
    fn solved_offers_are_looked_up_from_the_deciders_own_side() {
        use tuner::offers::{Bins, Policy, PolicyRow, Utility};
        let matrix = engine::payoff::sample().unwrap();
        let bins = Bins::new(vec![-100]).unwrap();
        let mut cells = vec![Decision::default(); Book::COUNT * bins.count()];
        cells[1] = Decision::from_bits(4 + 8).unwrap();
        let rows = vec![PolicyRow { side: Side::White, from: 1, to: 45, cells }];
        let solved = SolvedOffers {
            matrix: matrix.clone(),
            utility: Utility::Own,
            provenance: String::new(),
            policy: Policy { bins, rows },
        };
        let policy = OfferPolicy::Equilibrium(Box::new(solved));
        let mut policy = strategy(&policy);
        let offers = OfferState::new();
        let mut refused = OfferState::new();
        refused.offer_draw(&matrix, Side::White, 3).unwrap();
        refused.refuse(Side::Black).unwrap();
        let at = |side, move_number, cp: i32, offers| Situation {
            side,
            move_number,
            ply: 2 * move_number,
            score: Some(Score::centipawns(cp)),
            offers,
            matrix: &matrix,
        };
        let (white, black, resignation) = (Side::White, Side::Black, OfferKind::Resignation);
        assert!(policy.offers(resignation, &at(white, 45, -100, &offers)));
        assert!(policy.accepts(resignation, &at(black, 45, 100, &offers)));
        assert!(!policy.accepts(resignation, &at(black, 45, -100, &offers)), "White is ahead");
        assert!(!policy.offers(resignation, &at(white, 45, -99, &offers)));
        assert!(!policy.offers(resignation, &at(white, 46, -100, &offers)), "no row");
        assert!(!policy.offers(resignation, &at(black, 45, -100, &offers)), "a row of White's");
        assert!(!policy.offers(OfferKind::Draw, &at(white, 45, -100, &offers)));
        assert!(!policy.offers(resignation, &at(white, 45, -100, &refused)), "another book");
    }
}
