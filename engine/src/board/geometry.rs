//! The two boards, behind one trait.

use super::bits::Bits;
use super::rays::between;
use super::{sliders8, sliders10};
use crate::moves::{Kind, Square};
use std::fmt::Debug;
use std::hash::Hash;

/// What one kind of piece reaches from one square of an empty board, split by how it gets there.
/// On 10x10 an entry is one cache line.
#[derive(Clone, Copy, Default, Debug)]
pub struct Reach<B> {
    /// Squares along rank and file at which it may stop, nothing in between.
    pub rook: B,
    /// The same along the diagonals.
    pub bishop: B,
    /// Squares it leaps to, moving or capturing.
    pub leap: B,
    /// Squares it leaps to only if they are empty.
    pub quiet: B,
}

/// A board's size and everything that depends on it.
pub trait Geometry: Copy + Send + Sync + 'static {
    /// Its sets of squares.
    type Bits: Bits;
    /// A kind or [`NO_PIECE`](super::army::NO_PIECE) for every square.
    type Mailbox: Copy + Eq + Hash + Debug + Send + Sync + AsRef<[u8]>;
    /// One kind's [`Reach`] from every square.
    type Table: Clone + Debug + Send + Sync + 'static;
    /// Files.
    const FILES: u8;
    /// Ranks.
    const RANKS: u8;
    /// All squares.
    const ALL: Self::Bits;
    /// An empty board.
    const NO_PIECES: Self::Mailbox;

    /// What a rook on `square` sees: up to and including the first occupied square each way.
    fn rook(square: Square, occupied: Self::Bits) -> Self::Bits;
    /// What a bishop sees, likewise.
    fn bishop(square: Square, occupied: Self::Bits) -> Self::Bits;
    /// Squares strictly between two squares on one line; none if they are on no line.
    fn between(a: Square, b: Square) -> Self::Bits;
    /// One square's entry of a table.
    fn reach(table: &Self::Table, square: Square) -> &Reach<Self::Bits>;
    /// A table by a function of the square.
    fn table(f: impl Fn(Square) -> Reach<Self::Bits>) -> Self::Table;
    /// What stands on a square.
    fn at(mailbox: &Self::Mailbox, square: Square) -> u8;
    /// Puts something on a square.
    fn set(mailbox: &mut Self::Mailbox, square: Square, piece: Kind);

    /// The squares of a rank (0-based).
    #[inline(always)]
    fn rank(rank: u8) -> Self::Bits {
        Self::Bits::from_u128(((1_u128 << Self::FILES) - 1) << (rank as u32 * Self::FILES as u32))
    }
    /// The squares of a file (0-based).
    #[inline(always)]
    fn file(file: u8) -> Self::Bits {
        let mut bits = 0_u128;
        let mut rank = 0;
        while rank < Self::RANKS {
            bits |= 1 << (rank * Self::FILES + file);
            rank += 1;
        }
        Self::Bits::from_u128(bits)
    }
    /// The squares of the colour of a1.
    #[inline(always)]
    fn dark() -> Self::Bits {
        let mut bits = 0_u128;
        let mut square = 0;
        while square < Self::FILES * Self::RANKS {
            if (square % Self::FILES + square / Self::FILES) % 2 == 0 {
                bits |= 1 << square;
            }
            square += 1;
        }
        Self::Bits::from_u128(bits)
    }
    /// The square with the board turned over rank by rank.
    #[inline(always)]
    fn flip(square: Square) -> Square {
        (Self::RANKS - 1 - square / Self::FILES) * Self::FILES + square % Self::FILES
    }
}

macro_rules! geometry {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $side:expr, $squares:expr, $between:ident, $sliders:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        static $between: [[$bits; $squares]; $squares] = {
            let mut all = [[0; $squares]; $squares];
            let mut a = 0;
            while a < $side * $side {
                let mut b = 0;
                while b < $side * $side {
                    all[a][b] = between(a as u8, b as u8, $side, $side) as $bits;
                    b += 1;
                }
                a += 1;
            }
            all
        };

        impl Geometry for $name {
            type Bits = $bits;
            // Padded to a power of two, so that a masked square needs no bounds check; so are the tables.
            type Mailbox = [u8; $squares];
            type Table = [Reach<$bits>; $squares];
            const FILES: u8 = $side;
            const RANKS: u8 = $side;
            const ALL: $bits = <$bits>::MAX >> ($squares - $side * $side);
            const NO_PIECES: Self::Mailbox = [super::army::NO_PIECE; $squares];

            #[inline(always)]
            fn rook(square: Square, occupied: $bits) -> $bits {
                $sliders::rook(square, occupied)
            }
            #[inline(always)]
            fn bishop(square: Square, occupied: $bits) -> $bits {
                $sliders::bishop(square, occupied)
            }
            #[inline(always)]
            fn between(a: Square, b: Square) -> $bits {
                $between[a as usize & ($squares - 1)][b as usize & ($squares - 1)]
            }
            #[inline(always)]
            fn reach(table: &Self::Table, square: Square) -> &Reach<$bits> {
                &table[square as usize & ($squares - 1)]
            }
            fn table(f: impl Fn(Square) -> Reach<$bits>) -> Self::Table {
                let mut table = [Reach::default(); $squares];
                for square in 0..$side * $side {
                    table[square as usize] = f(square);
                }
                table
            }
            #[inline(always)]
            fn at(mailbox: &Self::Mailbox, square: Square) -> u8 {
                mailbox[square as usize & ($squares - 1)]
            }
            #[inline(always)]
            fn set(mailbox: &mut Self::Mailbox, square: Square, piece: Kind) {
                mailbox[square as usize & ($squares - 1)] = piece;
            }
        }
    };
}

geometry!(
    /// 8x8 in a `u64`.
    Board8, u64, 8, 64, BETWEEN8, sliders8
);
geometry!(
    /// 10x10 packed in a `u128`.
    Board10, u128, 10, 128, BETWEEN10, sliders10
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_the_board() {
        assert_eq!((Board8::ALL, Board10::ALL.count()), (u64::MAX, 100));
        assert_eq!(Board10::rank(9) & Board10::file(9), u128::bit(99));
        assert_eq!((Board8::dark().count(), Board10::dark().count()), (32, 50));
        assert_eq!((Board10::flip(0), Board8::flip(63)), (90, 7));
        assert_eq!(Board10::between(0, 99).count(), 8);
        assert_eq!(Board10::between(0, 12), 0);
    }
}
