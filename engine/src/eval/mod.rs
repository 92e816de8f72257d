//! Evaluation: one definition of every term, read as a score by the search and as a trace by the tuner.
//!
//! A position's evaluation is linear in its weights: a sum over terms of (how often the term occurs for
//! White less how often for Black) times the term's weight, a pair of centipawn values between which the
//! phase of the game blends. Three kinds of terms make it up:
//!
//! - what one piece on one square (or in hand) is worth by itself, [`piece_terms`] and [`hand_terms`], which
//!   [`Evaluator`] turns into tables and the search keeps up to date move by move;
//! - the side to move's tempo;
//! - what a game adds of its own, [`Evaluate::own_terms`].
//!
//! All of them are written against [`Accumulator`], so that score and trace cannot differ.

mod evaluator;
mod layout;
mod pawns;
mod rule_of_thumb;
mod trace;
mod weights;

pub use evaluator::{Evaluator, Sum, Watcher};
pub use layout::{Layout, Standard, Term};
pub use pawns::{PawnMemory, PawnStructure, Skeleton};
pub use rule_of_thumb::centrality;
pub use trace::Trace;
pub use weights::{Pair, WeightError, Weights};

use crate::game::Game;
use crate::moves::{Kind, Square};
use crate::side::Side;

/// One whole occurrence of a term. Terms that occur in part (a wounded piece, a share of a zone) count in
/// fractions of this, so that everything stays in integers.
pub const ONE: i32 = 256;

/// Receives the terms of a position: as a score, or as a trace.
pub trait Accumulator {
    /// `n` whole occurrences of `term` for `side`.
    #[inline(always)]
    fn add(&mut self, term: usize, side: Side, n: i32) {
        self.add_fraction(term, side, n * ONE);
    }

    /// `n / ONE` occurrences of `term` for `side`.
    fn add_fraction(&mut self, term: usize, side: Side, n: i32);

    /// The terms of a position's pawns and kings by themselves, which `look` adds, and what else it says of them:
    /// one that adds up many positions may remember both.
    #[inline(always)]
    fn skeleton(
        &mut self,
        skeleton: &Skeleton,
        look: impl FnOnce(&Skeleton, &mut Self) -> PawnStructure,
    ) -> PawnStructure
    where
        Self: Sized,
    {
        look(skeleton, self)
    }
}

/// What evaluation needs to know of a game beyond its rules. Everything has a default, so that a game
/// plays sensibly with an empty implementation.
pub trait Evaluate: Game {
    /// The weights in force by default, as TOML; without any, the rule-of-thumb values of the layout.
    fn default_weights(&self) -> Option<&'static str> {
        None
    }

    /// A rough value in centipawns, from which rule-of-thumb weights are made (0 for a piece that is
    /// never exchanged).
    fn rough_value(&self, kind: Kind) -> i32 {
        match self.role(kind) {
            Role::Pawn => 100,
            Role::Piece => 400,
            Role::Royal => 0,
        }
    }

    /// What part `kind` plays in the game.
    fn role(&self, kind: Kind) -> Role {
        match self.info().pieces[kind as usize].name {
            "pawn" => Role::Pawn,
            "king" => Role::Royal,
            _ => Role::Piece,
        }
    }

    /// How much of the piece on a square is gone, in parts of [`ONE`]: health lost, where pieces have health.
    fn missing(&self, _state: &Self::State, _square: Square) -> i32 {
        0
    }

    /// The kind that a piece of `kind` becomes by promotion, where that is one kind: what the promotion is worth is
    /// then a difference of two values.
    fn grows_into(&self, _kind: Kind) -> Option<Kind> {
        None
    }

    /// Adds the game's own terms, with their rule-of-thumb weights, after the standard ones.
    fn own_layout(&self, _layout: &mut Layout) {}

    /// The game's own terms in a position, counted from the first of [`Evaluate::own_layout`]. They depend on nothing
    /// that the position's key leaves out: positions with the same key have the same score.
    fn own_terms<A: Accumulator>(&self, _state: &Self::State, _acc: &mut A) {}
}

/// The part a kind of piece plays, for rule-of-thumb weights and the phase of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Goes forward; does not count towards the phase.
    Pawn,
    /// Counts towards the phase by its value.
    Piece,
    /// Must not be lost; safe behind while there are pieces, active when they are gone.
    Royal,
}

/// The square seen from `side`: Black's board is turned over rank by rank.
#[inline]
pub fn relative_square<G: Game>(side: Side, square: Square) -> Square {
    match side {
        Side::White => square,
        Side::Black => (G::RANKS - 1 - square / G::FILES) * G::FILES + square % G::FILES,
    }
}

/// The terms of one piece on a square: its value and its place.
#[inline]
pub fn piece_terms<G: Game>(
    at: &Standard,
    side: Side,
    kind: Kind,
    square: Square,
    acc: &mut impl Accumulator,
) {
    acc.add(at.material + kind as usize, side, 1);
    acc.add(at.place::<G>(kind, relative_square::<G>(side, square)), side, 1);
}

/// The term of a piece in hand.
#[inline]
pub fn hand_terms(at: &Standard, side: Side, kind: Kind, n: i32, acc: &mut impl Accumulator) {
    acc.add(at.hand + kind as usize, side, n);
}

/// Every term of a position, computed from scratch: what the tuner reads, and what the incremental
/// score is tested against.
pub fn all_terms<G: Evaluate>(game: &G, at: &Standard, state: &G::State, acc: &mut impl Accumulator) {
    game.pieces(state, &mut |side, kind, square| piece_terms::<G>(at, side, kind, square, acc));
    if G::CAPS.drops {
        for side in Side::BOTH {
            for kind in 0..at.kinds as Kind {
                hand_terms(at, side, kind, game.in_hand(state, side, kind) as i32, acc);
            }
        }
    }
    acc.add(at.tempo, game.side_to_move(state), 1);
    game.own_terms(state, &mut OwnTerms { first: at.own, acc });
}

/// Counts a game's own terms from the first of all.
struct OwnTerms<'a, A> {
    first: usize,
    acc: &'a mut A,
}

impl<A: Accumulator> Accumulator for OwnTerms<'_, A> {
    #[inline(always)]
    fn add_fraction(&mut self, term: usize, side: Side, n: i32) {
        self.acc.add_fraction(self.first + term, side, n);
    }
}
