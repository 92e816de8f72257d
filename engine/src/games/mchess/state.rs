//! A position: bitboards, mailbox, health, unmoved pawns, and the incremental hash key.

use super::geometry::pop;
use super::{KINDS, PAWN};
use crate::board::zobrist;
use crate::moves::{Kind, Square};
use crate::side::Side;

/// A position of MChess. Health is in milli-points (1 point = 1000), so it is exact.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Squares of each side's pieces.
    pub(super) sides: [u64; 2],
    /// Squares of each kind, of both sides.
    pub(super) kinds: [u64; KINDS],
    /// Squares of pawns that have not made a move of their own.
    pub(super) unmoved: u64,
    /// Keys of pieces, unmoved pawns and side to move, added up by exclusive or.
    places: u64,
    /// Health by square, each times its square's factor, added up.
    healths: u64,
    /// Health of all pieces of a kind together, by side.
    totals: [[i32; KINDS]; 2],
    /// Health by square; 0 where no piece is.
    health: [i32; 64],
    /// Kind by square; [`NOBODY`] where no piece is.
    board: [u8; 64],
    /// Plies since a pawn moved or a piece died.
    pub(super) clock: u16,
    /// The side to move.
    pub(super) side: Side,
    /// The full-move number.
    pub(super) full_move: u32,
}

const NOBODY: u8 = KINDS as u8;

impl State {
    pub(super) fn empty() -> State {
        State {
            sides: [0; 2],
            kinds: [0; KINDS],
            unmoved: 0,
            places: 0,
            healths: 0,
            totals: [[0; KINDS]; 2],
            health: [0; 64],
            board: [NOBODY; 64],
            clock: 0,
            side: Side::White,
            full_move: 1,
        }
    }

    /// Squares of a side's pieces, bit 0 for a1.
    #[inline(always)]
    pub fn of(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// Squares of a side's pieces of one kind.
    #[inline(always)]
    pub fn of_kind(&self, side: Side, kind: Kind) -> u64 {
        self.sides[side.index()] & self.kinds[usize::from(kind)]
    }

    /// All squares with a piece.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The kind on a square that is not empty.
    #[inline(always)]
    pub(super) fn kind_on(&self, square: Square) -> Kind {
        self.board[usize::from(square)]
    }

    /// Side and kind of the piece on a square, if there is one.
    pub fn at(&self, square: Square) -> Option<(Side, Kind)> {
        let kind = self.board[usize::from(square)];
        let side = if self.sides[0] >> square & 1 > 0 { Side::White } else { Side::Black };
        (kind != NOBODY).then_some((side, kind))
    }

    /// Health of the piece on a square, in milli-points; 0 on an empty square.
    #[inline(always)]
    pub fn health(&self, square: Square) -> i32 {
        self.health[usize::from(square)]
    }

    /// Health of all of a side's pieces of a kind together, in milli-points.
    #[inline(always)]
    pub fn total_health(&self, side: Side, kind: Kind) -> i32 {
        self.totals[side.index()][usize::from(kind)]
    }

    /// Pawns that have not made a move of their own and may go two squares.
    pub fn unmoved(&self) -> u64 {
        self.unmoved
    }

    #[inline(always)]
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square, health: i32) {
        let bit = 1 << square;
        self.sides[side.index()] |= bit;
        self.kinds[usize::from(kind)] |= bit;
        self.board[usize::from(square)] = kind;
        self.health[usize::from(square)] = health;
        self.totals[side.index()][usize::from(kind)] += health;
        self.places ^= zobrist::piece(side, kind, square);
        self.healths = self.healths.wrapping_add(weighed(square, health));
    }

    /// Takes the piece of a known side and kind off a square; gives its health.
    #[inline(always)]
    pub(super) fn lift(&mut self, side: Side, kind: Kind, square: Square) -> i32 {
        let bit = 1 << square;
        let health = self.health[usize::from(square)];
        self.sides[side.index()] ^= bit;
        self.kinds[usize::from(kind)] ^= bit;
        self.board[usize::from(square)] = NOBODY;
        self.health[usize::from(square)] = 0;
        self.totals[side.index()][usize::from(kind)] -= health;
        self.places ^= zobrist::piece(side, kind, square);
        self.healths = self.healths.wrapping_sub(weighed(square, health));
        health
    }

    /// Changes the health of the piece of a known side and kind on a square.
    #[inline(always)]
    pub(super) fn set_health(&mut self, side: Side, kind: Kind, square: Square, health: i32) {
        let change = health - self.health[usize::from(square)];
        self.health[usize::from(square)] = health;
        self.totals[side.index()][usize::from(kind)] += change;
        self.healths = self.healths.wrapping_add(weighed(square, change));
    }

    /// Turns the unmoved flag of a square over.
    #[inline(always)]
    pub(super) fn flip_unmoved(&mut self, square: Square) {
        self.unmoved ^= 1 << square;
        self.places ^= zobrist::extra(UNMOVED, square);
    }

    #[inline(always)]
    pub(super) fn flip_side(&mut self) {
        self.side = self.side.other();
        self.places ^= zobrist::BLACK_TO_MOVE;
    }

    /// The hash key of pieces, health, unmoved pawns and side to move.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        // The sum of healths has few low bits of its own; stirred, all bits of the key serve a table.
        self.places ^ stir(self.healths)
    }

    /// The key from scratch.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut fresh = State::empty();
        for side in Side::BOTH {
            let mut set = self.of(side);
            while set != 0 {
                let square = pop(&mut set);
                fresh.put(side, self.kind_on(square), square, self.health(square));
            }
        }
        let mut unmoved = self.unmoved;
        while unmoved != 0 {
            fresh.flip_unmoved(pop(&mut unmoved));
        }
        if self.side == Side::Black {
            fresh.flip_side();
        }
        fresh.key()
    }

    /// Colours exchanged, board turned over rank by rank.
    pub(super) fn mirrored(&self) -> State {
        let mut mirror = State::empty();
        for side in Side::BOTH {
            let mut set = self.of(side);
            while set != 0 {
                let square = pop(&mut set);
                mirror.put(side.other(), self.kind_on(square), square ^ 56, self.health(square));
            }
        }
        let mut unmoved = self.unmoved;
        while unmoved != 0 {
            mirror.flip_unmoved(pop(&mut unmoved) ^ 56);
        }
        if self.side == Side::White {
            mirror.flip_side();
        }
        mirror.clock = self.clock;
        mirror.full_move = self.full_move;
        mirror
    }

    /// Whether all pieces have the full health of their kind.
    pub(super) fn all_full(&self, full: &[i32; KINDS]) -> bool {
        (0..64).all(|square| match self.at(square) {
            Some((_, kind)) => self.health(square) == full[usize::from(kind)],
            None => true,
        })
    }

    /// Puts a pawn's unmoved flag wherever a pawn stands.
    pub(super) fn mark_all_unmoved(&mut self) {
        let mut pawns = self.kinds[usize::from(PAWN)] & !self.unmoved;
        while pawns != 0 {
            self.flip_unmoved(pop(&mut pawns));
        }
    }
}

/// Random factors make the sum of (factor x health) a universal hash of all healths together, which a
/// change of one health changes by one product.
#[inline(always)]
fn weighed(square: Square, health: i32) -> u64 {
    FACTORS[usize::from(square)].wrapping_mul(i64::from(health) as u64)
}

/// The output of SplitMix64: every bit of the sum reaches every bit of the key.
#[inline(always)]
fn stir(sum: u64) -> u64 {
    zobrist::split_mix(sum).1
}

/// A factor for each square's health; odd, so that no health is lost to a factor's zeros.
static FACTORS: [u64; 64] = {
    let mut all = zobrist::keys(0x4d43_6865_7373);
    let mut i = 0;
    while i < 64 {
        all[i] |= 1;
        i += 1;
    }
    all
};

/// The fact of [`zobrist::extra`] that a pawn on a square has not moved.
const UNMOVED: usize = 0;
