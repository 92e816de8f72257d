//! Leaps and whole lines of the 8x8 board, as tables.

use crate::moves::{Kind, Square};
use crate::side::Side;

/// A knight's targets.
pub(super) static KNIGHT: [u64; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
/// A king's targets.
pub(super) static KING: [u64; 64] =
    leaps(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
/// The squares diagonally forward of a pawn, by side.
pub(super) static PAWN: [[u64; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
/// Rank and file of a square, the square itself not among them.
pub(super) static CROSS: [u64; 64] = lines(false);
/// Both diagonals of a square, the square itself not among them.
pub(super) static DIAGONALS: [u64; 64] = lines(true);

/// The first rank of the board.
pub(super) const RANK_1: u64 = 0xff;
/// The last rank of the board.
pub(super) const RANK_8: u64 = RANK_1 << 56;
/// The first file of the board.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The last file of the board.
pub(super) const FILE_H: u64 = FILE_A << 7;

const fn leaps(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let (file, rank) = (square as i8 % 8 + steps[i].0, square as i8 / 8 + steps[i].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn lines(diagonal: bool) -> [u64; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (a, b): (usize, usize) = (i / 64, i % 64);
        let files = (a % 8).abs_diff(b % 8);
        let ranks = (a / 8).abs_diff(b / 8);
        let on_line = if diagonal { files == ranks } else { files == 0 || ranks == 0 };
        if a != b && on_line {
            table[a] |= 1 << b;
        }
        i += 1;
    }
    table
}

/// Steps of a king between two squares.
#[inline(always)]
pub(super) fn distance(a: u8, b: u8) -> usize {
    let files = (a & 7).abs_diff(b & 7);
    let ranks = (a >> 3).abs_diff(b >> 3);
    files.max(ranks) as usize
}

/// What a piece attacks with nothing in its way.
pub(super) fn reach(side: Side, kind: Kind, square: Square) -> Vec<Square> {
    let q = usize::from(square);
    let mut set = match kind {
        super::PAWN => PAWN[side.index()][q],
        super::KNIGHT => KNIGHT[q],
        super::BISHOP => DIAGONALS[q],
        super::ROOK => CROSS[q],
        super::QUEEN => CROSS[q] | DIAGONALS[q],
        _ => KING[q],
    };
    std::iter::from_fn(|| (set != 0).then(|| pop(&mut set))).collect()
}

/// Takes the lowest square out of a set; the set must not be empty.
#[inline(always)]
pub(super) fn pop(set: &mut u64) -> u8 {
    let square = set.trailing_zeros() as u8;
    *set &= *set - 1;
    square
}
