//! An evaluation made ready for play: tables for what single pieces are worth, kept incrementally.

use super::{
    Accumulator, Evaluate, Layout, ONE, PawnMemory, PawnStructure, Role, Skeleton, Standard, WeightError,
    Weights, all_terms, hand_terms, piece_terms,
};
use crate::game::Observer;
use crate::moves::{Kind, Square};
use crate::side::Side;
use std::ops::Index;

/// Two 32-bit sums in one word, so that one multiplication and one addition serve both phases.
pub(super) type Packed = i64;

const fn pack(mg: i32, eg: i32) -> Packed {
    ((eg as i64) << 32) + mg as i64
}

const fn unpack(packed: Packed) -> (i32, i32) {
    (packed as i32, ((packed + 0x8000_0000) >> 32) as i32)
}

/// Kinds of the largest army and squares of the largest board, made powers of two.
const KINDS: usize = 16;
const SQUARES: usize = 128;

/// Where a piece on a square stands in the table of what pieces are worth.
#[inline(always)]
fn piece_index(side: Side, kind: Kind, square: Square) -> usize {
    (side.index() * KINDS + (kind as usize & (KINDS - 1))) * SQUARES + (square as usize & (SQUARES - 1))
}

/// The part of a position's score that follows the pieces through moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    packed: Packed,
    /// Value of both sides' pieces (neither pawns nor royal), centipawns.
    phase: i32,
}

/// Room for a game's own terms: a known number, so that an index which is known when compiling needs no check.
const OWN_TERMS: usize = 1024;

/// A game's evaluation with its weights in force.
#[derive(Clone, Debug)]
pub struct Evaluator<G: Evaluate> {
    game: G,
    standard: Standard,
    packed: Vec<Packed>,
    /// The weights of the game's own terms, from its first.
    own: Box<[Packed; OWN_TERMS]>,
    /// By [`piece_index`]: with gaps, so that no index needs to be checked.
    piece: Box<[Packed; 2 * KINDS * SQUARES]>,
    /// `[side][kind]`.
    hand: [[Packed; KINDS]; 2],
    phase: [i32; KINDS],
    full_phase: i32,
    values: [i32; KINDS],
}

impl<G: Evaluate> Evaluator<G> {
    /// The evaluation of `game` with its default weights.
    pub fn with_defaults(game: G) -> Result<Evaluator<G>, WeightError> {
        let weights = Weights::default_of(&game)?;
        Ok(Evaluator::new(game, &weights))
    }

    /// The evaluation of `game` with `weights`, which were read for its layout.
    pub fn new(game: G, weights: &Weights) -> Evaluator<G> {
        let (_, standard) = Layout::of(&game);
        let packed: Vec<Packed> =
            weights.pairs().iter().map(|p| pack(i32::from(p.mg), i32::from(p.eg))).collect();
        let squares = G::FILES * G::RANKS;
        let score = |terms: &dyn Fn(&mut Scorer<'_, [Packed]>)| {
            let mut scorer = Scorer::new(&packed[..], None);
            terms(&mut scorer);
            scorer.sum()
        };
        let mut piece = Box::new([0; 2 * KINDS * SQUARES]);
        let mut hand = [[0; KINDS]; 2];
        for side in Side::BOTH {
            for kind in 0..standard.kinds as Kind {
                for square in 0..squares {
                    piece[piece_index(side, kind, square)] =
                        score(&|acc| piece_terms::<G>(&standard, side, kind, square, acc));
                }
                if G::CAPS.drops {
                    hand[side.index()][kind as usize] =
                        score(&|acc| hand_terms(&standard, side, kind, 1, acc));
                }
            }
        }
        let middle = |term: usize| {
            let pair = weights.pairs()[term];
            (i32::from(pair.mg) + i32::from(pair.eg)) / 2
        };
        let mut values = [0; KINDS];
        let mut phase = [0; KINDS];
        for kind in 0..standard.kinds {
            let on_board = middle(standard.material + kind);
            values[kind] = on_board + if G::CAPS.drops { middle(standard.hand + kind) } else { 0 };
            if game.role(kind as Kind) == Role::Piece {
                phase[kind] = on_board.max(1);
            }
        }
        let terms = &packed[standard.own..];
        assert!(terms.len() <= OWN_TERMS, "a game has at most {OWN_TERMS} terms of its own");
        let mut own = Box::new([0; OWN_TERMS]);
        own[..terms.len()].copy_from_slice(terms);
        let mut evaluator =
            Evaluator { game, standard, packed, own, piece, hand, phase, full_phase: 1, values };
        let start = evaluator.sum(&evaluator.game.start());
        evaluator.full_phase = start.phase.max(1);
        evaluator
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What capturing a piece of each kind is worth, centipawns, midway between middle game and endgame:
    /// the enemy's loss and, with drops, what it then is in the capturer's hand.
    pub fn values(&self) -> &[i32; KINDS] {
        &self.values
    }

    /// The incremental part computed from scratch.
    pub fn sum(&self, state: &G::State) -> Sum {
        let mut watcher = self.watch(Sum::default());
        self.game.pieces(state, &mut |side, kind, square| watcher.put(side, kind, square));
        if G::CAPS.drops {
            for side in Side::BOTH {
                for kind in 0..self.standard.kinds as Kind {
                    watcher.hand(side, kind, i32::from(self.game.in_hand(state, side, kind)));
                }
            }
        }
        watcher.sum
    }

    /// An observer that keeps `sum` up to date through `Game::play`.
    #[inline]
    pub fn watch(&self, sum: Sum) -> Watcher<'_, G> {
        Watcher { evaluator: self, sum }
    }

    /// The score from the side to move's view, centipawns.
    #[inline]
    pub fn score(&self, state: &G::State, sum: &Sum) -> i32 {
        self.score_with(state, sum, None)
    }

    /// The same, for a search: what it sees of pawns and kings is remembered for the positions that follow.
    #[inline]
    pub fn score_remembering(&self, state: &G::State, sum: &Sum, pawns: &mut PawnMemory) -> i32 {
        self.score_with(state, sum, Some(pawns))
    }

    #[inline]
    fn score_with(&self, state: &G::State, sum: &Sum, pawns: Option<&mut PawnMemory>) -> i32 {
        let side = self.game.side_to_move(state);
        let mut scorer = Scorer::new(&*self.own, pawns);
        self.game.own_terms(state, &mut scorer);
        let tempo = i64::from(side.sign() * ONE) * self.packed[self.standard.tempo];
        side.sign() * self.blend(sum.packed + tempo + scorer.sum(), sum)
    }

    /// The score from the side to move's view, from scratch, by the terms the tuner sees.
    pub fn fresh_score(&self, state: &G::State) -> i32 {
        let mut scorer = Scorer::new(&self.packed[..], None);
        all_terms(&self.game, &self.standard, state, &mut scorer);
        self.game.side_to_move(state).sign() * self.blend(scorer.sum(), &self.sum(state))
    }

    /// The phase of the game: [`ONE`] with all pieces there, 0 with none.
    pub fn phase(&self, sum: &Sum) -> i32 {
        (sum.phase * ONE / self.full_phase).clamp(0, ONE)
    }

    #[inline]
    fn blend(&self, packed: Packed, sum: &Sum) -> i32 {
        let (mg, eg) = unpack(packed);
        let phase = i64::from(self.phase(sum));
        let one = i64::from(ONE);
        // Division rounds towards zero, so that the mirrored position has exactly the negated score.
        ((i64::from(mg) * phase + i64::from(eg) * (one - phase)) / (one * one)) as i32
    }
}

/// Adds weighted terms up.
struct Scorer<'a, W: ?Sized> {
    weights: &'a W,
    /// What occurs whole and what occurs in part: most terms occur whole, and need not be multiplied.
    whole: Packed,
    parts: Packed,
    pawns: Option<&'a mut PawnMemory>,
}

impl<'a, W: ?Sized> Scorer<'a, W> {
    #[inline(always)]
    fn new(weights: &'a W, pawns: Option<&'a mut PawnMemory>) -> Scorer<'a, W> {
        Scorer { weights, whole: 0, parts: 0, pawns }
    }

    /// In parts of [`ONE`].
    #[inline(always)]
    fn sum(&self) -> Packed {
        i64::from(ONE) * self.whole + self.parts
    }
}

impl<W: Index<usize, Output = Packed> + ?Sized> Accumulator for Scorer<'_, W> {
    #[inline(always)]
    fn add(&mut self, term: usize, side: Side, n: i32) {
        self.whole += i64::from(side.sign() * n) * self.weights[term];
    }

    #[inline(always)]
    fn add_fraction(&mut self, term: usize, side: Side, n: i32) {
        self.parts += i64::from(side.sign() * n) * self.weights[term];
    }

    #[inline(always)]
    fn skeleton(
        &mut self,
        skeleton: &Skeleton,
        look: impl FnOnce(&Skeleton, &mut Self) -> PawnStructure,
    ) -> PawnStructure {
        let weights = self.weights;
        let Some(memory) = &mut self.pawns else { return look(skeleton, self) };
        let (sum, structure) = memory.recall(skeleton, || {
            let mut apart = Scorer::new(weights, None);
            let structure = look(skeleton, &mut apart);
            (apart.sum(), structure)
        });
        self.parts += sum;
        structure
    }
}

/// Keeps a [`Sum`] up to date through a move.
pub struct Watcher<'a, G: Evaluate> {
    evaluator: &'a Evaluator<G>,
    /// The sum so far.
    pub sum: Sum,
}

impl<G: Evaluate> Observer for Watcher<'_, G> {
    #[inline]
    fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.sum.packed += self.evaluator.piece[piece_index(side, kind, square)];
        self.sum.phase += self.evaluator.phase[kind as usize & (KINDS - 1)];
    }

    #[inline]
    fn lift(&mut self, side: Side, kind: Kind, square: Square) {
        self.sum.packed -= self.evaluator.piece[piece_index(side, kind, square)];
        self.sum.phase -= self.evaluator.phase[kind as usize & (KINDS - 1)];
    }

    #[inline]
    fn hand(&mut self, side: Side, kind: Kind, n: i32) {
        self.sum.packed += i64::from(n) * self.evaluator.hand[side.index()][kind as usize & (KINDS - 1)];
        self.sum.phase += n * self.evaluator.phase[kind as usize & (KINDS - 1)];
    }
}
