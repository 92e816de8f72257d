//! The pawns of both sides by themselves, set by set.

use super::generate::advances;
use super::variant::{PAWN, Variant, ahead, pawn_attacks, rank_from};
use super::{BitsOf, Position};
use crate::board::{Bits, Geometry};
use crate::eval::PawnStructure;
use crate::side::Side;

/// The pawns of a position, by side.
#[inline(always)]
pub(super) fn pawns_of<V: Variant>(pos: &Position<V>) -> [u128; 2] {
    Side::BOTH.map(|side| pos.of(side, PAWN).to_u128())
}

/// What there is to say of these pawns.
#[inline(never)]
pub(super) fn structure<V: Variant>(pawns: [u128; 2]) -> PawnStructure {
    let [white, black] = pawns.map(BitsOf::<V>::from_u128);
    let mut found = PawnStructure::default();
    let [white, black] = [Lot::new::<V::G>(Side::White, white), Lot::new::<V::G>(Side::Black, black)];
    white.compare::<V::G>(Side::White, &black, &mut found);
    black.compare::<V::G>(Side::Black, &white, &mut found);
    let empty = V::G::ALL.minus(white.pawns | black.pawns);
    for (side, lot) in [(Side::White, &white), (Side::Black, &black)] {
        let [_, two, three] = advances::<V>(side, lot.pawns, BitsOf::<V>::EMPTY, empty);
        found.two_steps += side.sign() as i8 * two.count() as i8;
        found.three_steps += side.sign() as i8 * three.count() as i8;
    }
    found
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
    fn new<G: Geometry<Bits = B>>(side: Side, pawns: B) -> Lot<B> {
        let [west, east] = pawn_attacks::<G>(side, pawns);
        let front = all_ahead::<G>(side, ahead::<G>(side, pawns));
        let back = all_ahead::<G>(side.other(), ahead::<G>(side.other(), pawns));
        Lot { pawns, attacks: (west | east) & G::ALL, front, back, span: beside::<G>(front) }
    }

    /// Adds what is to be said of the side's pawns against the enemy's.
    fn compare<G: Geometry<Bits = B>>(&self, side: Side, enemy: &Lot<B>, found: &mut PawnStructure) {
        let sign = side.sign() as i8;
        let files = self.front | self.back | self.pawns;
        let number = |set: B| sign * set.count() as i8;
        found.doubled += number(self.pawns & self.front);
        found.isolated += number(self.pawns.minus(beside::<G>(files)));
        found.phalanx += number(self.pawns & beside::<G>(self.pawns));
        for square in (self.pawns & self.attacks).squares() {
            found.supported[usize::from(rank_from::<G>(side, square)) - 1] += sign;
        }
        found.passed |= self.pawns.minus(enemy.front | enemy.span | self.back).to_u128();
        found.outposts |= self.attacks.minus(enemy.span).to_u128();
        found.files[side.index()] = (files & G::rank(0)).to_u128() as u16;
    }
}

/// The squares one file to the left and to the right.
#[inline(always)]
pub(super) fn beside<G: Geometry>(set: G::Bits) -> G::Bits {
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
