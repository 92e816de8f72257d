//! A position of the family.

use super::variant::{BitsOf, KING, PAWN, Variant};
use crate::board::army::NO_PIECE;
use crate::board::{Bits, Geometry, zobrist};
use crate::game::Observer;
use crate::moves::{Kind, Square};
use crate::side::Side;
use std::fmt;
use std::hash::{Hash, Hasher};

/// No square.
pub const NOWHERE: Square = u8::MAX;

/// A wing: castling and its rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// Towards the last file.
    King = 0,
    /// Towards file a.
    Queen = 1,
}

impl Wing {
    /// Both wings.
    pub const BOTH: [Wing; 2] = [Wing::King, Wing::Queen];
}

/// A position: bitboards by side and by kind, and a mailbox beside them.
pub struct Position<V: Variant> {
    pub(super) sides: [BitsOf<V>; 2],
    pub(super) kinds: V::Sets,
    pub(super) mailbox: <V::G as Geometry>::Mailbox,
    pub(super) key: u64,
    /// Pawns on the third rank that began there and have not moved (only where the variant has them).
    pub(super) unmoved: BitsOf<V>,
    /// Squares whose piece carries a castling right: kings and rooks.
    pub(super) guarded: BitsOf<V>,
    /// Rooks that may still castle, by side and wing; [`NOWHERE`] for none.
    pub(super) rooks: [[Square; 2]; 2],
    /// The pawn that can be taken in passing now, if any enemy pawn stands ready to.
    pub(super) victim: Square,
    /// Where it can be taken: bit `i` for the square `i + 1` behind it.
    pub(super) passed: u8,
    pub(super) side: Side,
    /// Arrangement actions still to come.
    pub(super) arranging: u8,
    pub(super) clock: u16,
    pub(super) number: u32,
}

#[expect(
    clippy::non_canonical_clone_impl,
    reason = "each part is copied in place, the whole would be by `memcpy`"
)]
impl<V: Variant> Clone for Position<V> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Position {
            sides: self.sides,
            kinds: self.kinds,
            mailbox: self.mailbox,
            key: self.key,
            unmoved: self.unmoved,
            guarded: self.guarded,
            rooks: self.rooks,
            victim: self.victim,
            passed: self.passed,
            side: self.side,
            arranging: self.arranging,
            clock: self.clock,
            number: self.number,
        }
    }
}
impl<V: Variant> Copy for Position<V> {}

impl<V: Variant> PartialEq for Position<V> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.sides == other.sides
            && self.kinds == other.kinds
            && self.unmoved == other.unmoved
            && self.rooks == other.rooks
            && (self.victim, self.passed) == (other.victim, other.passed)
            && (self.side, self.arranging) == (other.side, other.arranging)
            && (self.clock, self.number) == (other.clock, other.number)
    }
}
impl<V: Variant> Eq for Position<V> {}

impl<V: Variant> Hash for Position<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key, self.clock, self.number).hash(state);
    }
}

impl<V: Variant> fmt::Debug for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::text::write_fen(self))
    }
}

impl<V: Variant> Position<V> {
    /// An empty board, White to move, move 1.
    pub(super) fn empty() -> Self {
        Position {
            sides: [BitsOf::<V>::EMPTY; 2],
            kinds: V::Sets::default(),
            mailbox: V::G::NO_PIECES,
            key: 0,
            unmoved: BitsOf::<V>::EMPTY,
            guarded: BitsOf::<V>::EMPTY,
            rooks: [[NOWHERE; 2]; 2],
            victim: NOWHERE,
            passed: 0,
            side: Side::White,
            arranging: 0,
            clock: 0,
            number: 1,
        }
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> BitsOf<V> {
        self.sides[0] | self.sides[1]
    }

    /// A side's pieces of one kind.
    #[inline(always)]
    pub fn of(&self, side: Side, kind: Kind) -> BitsOf<V> {
        self.kinds[kind as usize] & self.sides[side.index()]
    }

    /// A side's pieces.
    #[inline(always)]
    pub fn side(&self, side: Side) -> BitsOf<V> {
        self.sides[side.index()]
    }

    /// The side to move.
    #[inline(always)]
    pub fn to_move(&self) -> Side {
        self.side
    }

    /// A side's king.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Square {
        self.of(side, KING).first()
    }

    /// What stands on a square, or [`NO_PIECE`].
    #[inline(always)]
    pub fn at(&self, square: Square) -> Kind {
        V::G::at(&self.mailbox, square)
    }

    /// Pawns that have not moved from the third rank.
    #[inline(always)]
    pub fn unmoved(&self) -> BitsOf<V> {
        self.unmoved
    }

    #[inline(always)]
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square, observer: &mut impl Observer) {
        let bit = BitsOf::<V>::bit(square);
        self.sides[side.index()] ^= bit;
        self.kinds[kind as usize] ^= bit;
        V::G::set(&mut self.mailbox, square, kind);
        self.key ^= zobrist::piece(side, kind, square);
        observer.put(side, kind, square);
    }

    #[inline(always)]
    pub(super) fn lift(&mut self, side: Side, kind: Kind, square: Square, observer: &mut impl Observer) {
        let bit = BitsOf::<V>::bit(square);
        self.sides[side.index()] ^= bit;
        self.kinds[kind as usize] ^= bit;
        V::G::set(&mut self.mailbox, square, NO_PIECE);
        self.key ^= zobrist::piece(side, kind, square);
        observer.lift(side, kind, square);
    }

    /// Takes away the en-passant right of the ply before.
    #[inline(always)]
    pub(super) fn forget_victim(&mut self) {
        if self.victim != NOWHERE {
            self.key ^= passed_key(self.victim, self.passed);
            self.victim = NOWHERE;
            self.passed = 0;
        }
    }

    /// Gives a right to take `victim`'s pawn in passing on those of the `depth` squares behind it that
    /// an enemy pawn attacks; none if there is no such square.
    #[inline(always)]
    pub(super) fn expose(&mut self, side: Side, victim: Square, depth: u8) {
        let hunters = self.of(side.other(), PAWN);
        for i in 0..depth {
            let target = BitsOf::<V>::bit(super::variant::behind::<V::G>(side, victim, i + 1));
            let [west, east] = super::variant::pawn_attacks::<V::G>(side, target);
            if ((west | east) & hunters).any() {
                self.passed |= 1 << i;
            }
        }
        if self.passed != 0 {
            self.restore_victim(victim, self.passed);
        }
    }

    /// Gives the right to take `victim`'s pawn in passing on the squares `passed`.
    #[inline(always)]
    pub(super) fn restore_victim(&mut self, victim: Square, passed: u8) {
        self.victim = victim;
        self.passed = passed;
        self.key ^= passed_key(victim, passed);
    }

    /// Gives a castling right.
    pub(super) fn allow_castling(&mut self, side: Side, wing: Wing, rook: Square) {
        self.rooks[side.index()][wing as usize] = rook;
        self.key ^= castling_key(wing, rook);
        self.guarded |= BitsOf::<V>::bit(rook) | BitsOf::<V>::bit(self.king(side));
    }

    /// Takes away the rights whose king or rook stood on one of `squares`.
    #[cold]
    pub(super) fn drop_castling(&mut self, squares: BitsOf<V>, king_left: Option<Side>) {
        let mut guarded = BitsOf::<V>::EMPTY;
        for side in Side::BOTH {
            for wing in Wing::BOTH {
                let rook = self.rooks[side.index()][wing as usize];
                if rook == NOWHERE {
                    continue;
                }
                if king_left == Some(side) || squares.has(rook) {
                    self.rooks[side.index()][wing as usize] = NOWHERE;
                    self.key ^= castling_key(wing, rook);
                } else {
                    guarded |= BitsOf::<V>::bit(rook) | BitsOf::<V>::bit(self.king(side));
                }
            }
        }
        self.guarded = guarded;
    }

    /// Sets how many arrangement actions are to come.
    pub(super) fn set_arranging(&mut self, n: u8) {
        self.key ^= arranging_key(self.arranging) ^ arranging_key(n);
        self.arranging = n;
    }

    /// Sets the side to move.
    #[inline(always)]
    pub(super) fn set_side(&mut self, side: Side) {
        if side != self.side {
            self.key ^= zobrist::BLACK_TO_MOVE;
            self.side = side;
        }
    }

    /// The key computed from scratch.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = arranging_key(self.arranging);
        for side in Side::BOTH {
            self.sides[side.index()].each(|square| key ^= zobrist::piece(side, self.at(square), square));
            for wing in Wing::BOTH {
                let rook = self.rooks[side.index()][wing as usize];
                if rook != NOWHERE {
                    key ^= castling_key(wing, rook);
                }
            }
        }
        self.unmoved.each(|square| key ^= unmoved_key(square));
        if self.victim != NOWHERE {
            key ^= passed_key(self.victim, self.passed);
        }
        if self.side == Side::Black {
            key ^= zobrist::BLACK_TO_MOVE;
        }
        key
    }
}

/// Facts about squares in [`zobrist::extra`]: 0 castling king's wing, 1 queen's, 2 unmoved pawn,
/// 3 arrangement, 4-7 en passant by the squares passed.
fn castling_key(wing: Wing, rook: Square) -> u64 {
    zobrist::extra(wing as usize, rook)
}
pub(super) fn unmoved_key(square: Square) -> u64 {
    zobrist::extra(2, square)
}
fn arranging_key(n: u8) -> u64 {
    if n == 0 { 0 } else { zobrist::extra(3, n) }
}
/// One key for the victim and all its squares together: two single ones could cancel out.
fn passed_key(victim: Square, passed: u8) -> u64 {
    zobrist::extra(4 + passed as usize, victim)
}
