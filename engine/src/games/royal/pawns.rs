//! What pawns and kings say by themselves, whatever pieces stand about.

use super::eval::PawnTerm;
use super::generate::advances;
use super::variant::{PAWN, Variant, ahead, pawn_attacks, rank_from};
use super::{BitsOf, Position, Royal};
use crate::board::army::Army;
use crate::board::{Bits, Geometry};
use crate::eval::{Accumulator, PawnStructure, Skeleton};
use crate::moves::Square;
use crate::side::Side;

/// The pawns and kings of a position.
#[inline(always)]
pub(super) fn skeleton<V: Variant>(pos: &Position<V>) -> Skeleton {
    Skeleton {
        pawns: Side::BOTH.map(|side| pos.of(side, PAWN).to_u128()),
        kings: Side::BOTH.map(|side| pos.king(side)),
    }
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// Adds the terms of pawns and kings, and says what other terms ask of them.
    #[inline(never)]
    pub(super) fn pawns_and_kings<Acc: Accumulator>(skeleton: &Skeleton, acc: &mut Acc) -> PawnStructure {
        let [white, black] = skeleton.pawns.map(BitsOf::<V>::from_u128);
        let white = Lot::new::<V::G>(Side::White, white);
        let black = Lot::new::<V::G>(Side::Black, black);
        let mut found = PawnStructure::default();
        // Each side by name and not in a loop: which way its pawns go is then known when compiling.
        Self::skeleton_of(Side::White, skeleton.kings, &white, &black, &mut found, acc);
        Self::skeleton_of(Side::Black, skeleton.kings, &black, &white, &mut found, acc);
        found
    }

    /// One side's share of it.
    #[inline(always)]
    fn skeleton_of<Acc: Accumulator>(
        side: Side,
        kings: [Square; 2],
        own: &Lot<BitsOf<V>>,
        enemy: &Lot<BitsOf<V>>,
        found: &mut PawnStructure,
        acc: &mut Acc,
    ) {
        let passed = own.pawns.minus(enemy.front | enemy.span | own.back);
        let ring = around::<V::G>(BitsOf::<V>::bit(kings[side.index()]));
        found.passed |= passed.to_u128();
        found.outposts |= own.attacks.minus(enemy.span).to_u128();
        found.attacks[side.index()] = own.attacks.to_u128();
        found.rings[side.index()] = ring.to_u128();
        found.files[side.index()] = own.on_files::<V::G>();
        Self::pawns(side, own, enemy, acc);
        Self::passed_pawns(side, passed, kings, acc);
        Self::king_among_pawns(side, kings[side.index()], ring, own, enemy, acc);
    }

    /// A side's pawns: doubled, isolated, side by side, defended by one another, free to go two or three squares.
    #[inline(always)]
    fn pawns<Acc: Accumulator>(side: Side, own: &Lot<BitsOf<V>>, enemy: &Lot<BitsOf<V>>, acc: &mut Acc) {
        let empty = V::G::ALL.minus(own.pawns | enemy.pawns);
        let mut add = |term: usize, set: BitsOf<V>| acc.add(term, side, set.count() as i32);
        let [_, two, three] = advances::<V>(side, own.pawns, BitsOf::<V>::EMPTY, empty);
        add(Self::AT.steps, two);
        if V::PAWN_REACH >= 3 {
            add(Self::AT.steps + 1, three);
        }
        let about = beside::<V::G>(own.front | own.back | own.pawns);
        add(Self::AT.pawn + PawnTerm::Doubled as usize, own.pawns & own.front);
        add(Self::AT.pawn + PawnTerm::Isolated as usize, own.pawns.minus(about));
        add(Self::AT.pawn + PawnTerm::Phalanx as usize, own.pawns & beside::<V::G>(own.pawns));
        for square in (own.pawns & own.attacks).squares() {
            acc.add(Self::AT.supported + rank_index::<V::G>(side, square), side, 1);
        }
    }

    /// A side's passed pawns: how far they are, how near the kings are.
    #[inline(always)]
    fn passed_pawns<Acc: Accumulator>(side: Side, passed: BitsOf<V>, kings: [Square; 2], acc: &mut Acc) {
        for square in passed.squares() {
            let rank = rank_index::<V::G>(side, square);
            acc.add(Self::AT.passed + rank, side, 1);
            let stakes = rank as i32 - i32::from(V::G::RANKS) / 3;
            if stakes > 0 {
                let target = ahead::<V::G>(side, BitsOf::<V>::bit(square)).first();
                let near = |side: Side| steps::<V::G>(kings[side.index()], target).min(6);
                acc.add(Self::AT.own_king, side, stakes * near(side));
                acc.add(Self::AT.enemy_king, side, stakes * near(side.other()));
            }
        }
    }

    /// The pawns before a side's king; the files about it that have none of its pawns, and those that have no pawn
    /// at all.
    #[inline(always)]
    fn king_among_pawns<Acc: Accumulator>(
        side: Side,
        king: Square,
        ring: BitsOf<V>,
        own: &Lot<BitsOf<V>>,
        enemy: &Lot<BitsOf<V>>,
        acc: &mut Acc,
    ) {
        let wall = ahead::<V::G>(side, ring) | ring;
        let front = (wall & own.pawns).count().min(6) as usize;
        acc.add(Self::AT.shelter + front, side, 1);
        let board = (1_u16 << V::G::FILES) - 1;
        let about = (0b111 << (king % V::G::FILES) >> 1) & board;
        let bare = about & !own.on_files::<V::G>();
        let open = bare & !enemy.on_files::<V::G>();
        acc.add(Self::AT.king_file, side, bare.count_ones() as i32);
        acc.add(Self::AT.king_file + 1, side, open.count_ones() as i32);
    }
}

/// One side's pawns.
struct Lot<B> {
    pawns: B,
    attacks: B,
    /// Squares ahead of them on their files, and behind them.
    front: B,
    back: B,
    /// Squares that they attack or may yet come to attack.
    span: B,
}

impl<B: Bits> Lot<B> {
    #[inline(always)]
    fn new<G: Geometry<Bits = B>>(side: Side, pawns: B) -> Lot<B> {
        let [west, east] = pawn_attacks::<G>(side, pawns);
        let front = all_ahead::<G>(side, ahead::<G>(side, pawns));
        let back = all_ahead::<G>(side.other(), ahead::<G>(side.other(), pawns));
        Lot { pawns, attacks: (west | east) & G::ALL, front, back, span: beside::<G>(front) }
    }

    /// The files they are on, bit 0 for file a.
    #[inline(always)]
    fn on_files<G: Geometry<Bits = B>>(&self) -> u16 {
        ((self.front | self.back | self.pawns) & G::rank(0)).to_u128() as u16
    }
}

/// A square's rank as its side counts, from 0.
#[inline(always)]
pub(super) fn rank_index<G: Geometry>(side: Side, square: Square) -> usize {
    usize::from(rank_from::<G>(side, square)) - 1
}

/// The set and all squares next to it.
#[inline(always)]
fn around<G: Geometry>(set: G::Bits) -> G::Bits {
    let row = set | beside::<G>(set);
    (row | row.up(G::FILES as u32) | row.down(G::FILES as u32)) & G::ALL
}

/// Steps a king needs from one square to another.
fn steps<G: Geometry>(a: Square, b: Square) -> i32 {
    let file = (a % G::FILES).abs_diff(b % G::FILES);
    let rank = (a / G::FILES).abs_diff(b / G::FILES);
    i32::from(file.max(rank))
}

/// The squares one file to the left and to the right.
#[inline(always)]
fn beside<G: Geometry>(set: G::Bits) -> G::Bits {
    set.minus(G::file(0)).down(1) | set.minus(G::file(G::FILES - 1)).up(1)
}

/// The set and all squares ahead of it.
#[inline(always)]
fn all_ahead<G: Geometry>(side: Side, mut set: G::Bits) -> G::Bits {
    let files = G::FILES as u32;
    let shift = |set: G::Bits, ranks: u32| match side {
        Side::White => set.up(ranks * files),
        Side::Black => set.down(ranks * files),
    };
    set |= shift(set, 1);
    set |= shift(set, 2);
    set |= shift(set, 4);
    if G::RANKS > 8 {
        set |= shift(set, 8);
    }
    set & G::ALL
}
