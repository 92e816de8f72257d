//! One packed move for all games.

use std::fmt;

/// A piece's kind within its game: an index into [`crate::game::Info::pieces`].
pub type Kind = u8;
/// A square: `rank * files + file`, a1 = 0.
pub type Square = u8;

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Flag {
    /// A plain move or capture.
    Plain = 0,
    /// Becomes a piece of kind [`Move::kind`] on arrival.
    Promotion = 1,
    /// Puts a piece of kind [`Move::kind`] from hand on the target; `from` equals `to`.
    Drop = 2,
    /// Castling; `from` is the king's square, `to` the own rook's.
    Castle = 3,
    /// A pawn captured in passing; `to` is where the capturer lands.
    EnPassant = 4,
    /// Swaps places with the piece on the target (an arrangement action; `from == to` is a pass).
    Arrange = 5,
    /// Swaps places with an enemy piece and wounds it (MChess's pawning).
    Pawning = 6,
    /// Pawning on to the last rank: swaps, then becomes [`Move::kind`].
    PawningPromotion = 7,
}

/// A move packed in 21 bits: from (7), to (7), kind (4), flag (3).
///
/// It has a meaning only in a position of its game; [`Move::NONE`] (all zero, a1a1 plain) is no legal
/// move in any game and stands for "no move".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Move(u32);

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// A plain move or capture.
    #[inline]
    pub const fn plain(from: Square, to: Square) -> Move {
        Move(from as u32 | (to as u32) << 7)
    }

    /// A move with a flag and, where the flag wants one, a piece kind (else 0).
    #[inline]
    pub const fn new(flag: Flag, from: Square, to: Square, kind: Kind) -> Move {
        Move(from as u32 | (to as u32) << 7 | (kind as u32) << 14 | (flag as u32) << 18)
    }

    /// A promotion to `kind`.
    #[inline]
    pub const fn promotion(from: Square, to: Square, kind: Kind) -> Move {
        Move::new(Flag::Promotion, from, to, kind)
    }

    /// A drop of `kind` from hand.
    #[inline]
    pub const fn drop(to: Square, kind: Kind) -> Move {
        Move::new(Flag::Drop, to, to, kind)
    }

    /// The square the moving piece leaves (the target itself for a drop).
    #[inline]
    pub const fn from(self) -> Square {
        (self.0 & 127) as Square
    }

    /// The target square (the own rook's for castling).
    #[inline]
    pub const fn to(self) -> Square {
        (self.0 >> 7 & 127) as Square
    }

    /// The kind promoted to or dropped; 0 where the flag wants none.
    #[inline]
    pub const fn kind(self) -> Kind {
        (self.0 >> 14 & 15) as Kind
    }

    /// What the move does besides moving.
    #[inline]
    pub const fn flag(self) -> Flag {
        match self.0 >> 18 & 7 {
            0 => Flag::Plain,
            1 => Flag::Promotion,
            2 => Flag::Drop,
            3 => Flag::Castle,
            4 => Flag::EnPassant,
            5 => Flag::Arrange,
            6 => Flag::Pawning,
            _ => Flag::PawningPromotion,
        }
    }

    /// Whether its flag is [`Flag::Plain`].
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.0 >> 18 == 0
    }

    /// Whether this is [`Move::NONE`].
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The packed bits, for tables.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move of packed bits (as [`Move::bits`] gave them).
    #[inline]
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits & 0x1f_ffff)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({}->{} kind {})", self.flag(), self.from(), self.to(), self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive_packing() {
        for bits in 0..8 {
            let flag = Move::from_bits(bits << 18).flag();
            assert_eq!(flag as u32, bits);
            let m = Move::new(flag, 99, 127, 13);
            assert_eq!((m.from(), m.to(), m.kind(), m.flag()), (99, 127, 13, flag));
            assert_eq!(Move::from_bits(m.bits()), m);
        }
        assert!(Move::NONE.is_none() && !Move::plain(0, 1).is_none());
    }
}
