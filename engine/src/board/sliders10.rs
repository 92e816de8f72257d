//! Rook and bishop attacks on 10x10: line by line. A line's squares are gathered with `pext`, a table
//! of ten positions by 256 inner occupations gives what is seen, `pdep` spreads it back. The tables
//! take 25 KB and stay in the first caches; without BMI2, rays by obstruction difference.

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod gathered {
    use crate::board::gather::{pdep, pext};
    use crate::board::rays::ray;

    /// What is seen along a line of ten from a position on it, by the occupation of its eight inner squares: 256
    /// entries a position. Shorter lines use it too: squares that they lack are never occupied, and dropped by
    /// `pdep`.
    const fn seen_table() -> [u16; 4096] {
        let mut table = [0; 4096];
        let mut position = 0;
        while position < 10 {
            let mut inner = 0;
            while inner < 256 {
                table[position << 8 | inner] = (ray(position as u8, 2, (inner << 1) as u128, 10, 1)
                    | ray(position as u8, 6, (inner << 1) as u128, 10, 1))
                    as u16;
                inner += 1;
            }
            position += 1;
        }
        table
    }

    static SEEN: [u16; 4096] = seen_table();

    /// A line through a square, in halves of 64 bits.
    #[derive(Clone, Copy)]
    struct Line {
        low: u64,
        high: u64,
        /// The line without its first and its tenth square: what stands there hides nothing.
        inner_low: u64,
        inner_high: u64,
        /// Squares of `low` and of `inner_low`.
        split: u8,
        inner_split: u8,
        /// Where the table has what is seen from the square.
        seen: u16,
    }

    /// The four lines through a square, side by side in memory.
    #[derive(Clone, Copy)]
    struct Lines {
        file: Line,
        rank: Line,
        diagonal: Line,
        anti: Line,
    }

    const fn line(square: u8, up: usize, down: usize) -> Line {
        let below = ray(square, down, 0, 10, 10);
        let mask = below | ray(square, up, 0, 10, 10) | 1 << square;
        let mut inner = mask & (mask - 1);
        if mask.count_ones() == 10 {
            inner ^= 1 << (127 - mask.leading_zeros());
        }
        let (low, inner_low) = (mask as u64, inner as u64);
        Line {
            low,
            high: (mask >> 64) as u64,
            inner_low,
            inner_high: (inner >> 64) as u64,
            split: low.count_ones() as u8,
            inner_split: inner_low.count_ones() as u8,
            seen: (below.count_ones() as u16) << 8,
        }
    }

    static LINES: [Lines; 128] = {
        let none = Line { low: 0, high: 0, inner_low: 0, inner_high: 0, split: 0, inner_split: 0, seen: 0 };
        let mut all = [Lines { file: none, rank: none, diagonal: none, anti: none }; 128];
        let mut square = 0;
        while square < 100 {
            all[square as usize] = Lines {
                file: line(square, 0, 4),
                rank: line(square, 2, 6),
                diagonal: line(square, 1, 5),
                anti: line(square, 7, 3),
            };
            square += 1;
        }
        all
    };

    #[inline(always)]
    fn along(line: &Line, occupied: u128) -> u128 {
        let inner = pext(occupied as u64, line.inner_low)
            | pext((occupied >> 64) as u64, line.inner_high) << (line.inner_split & 63);
        let seen = SEEN[(line.seen as usize | inner as usize) & 4095] as u64;
        pdep(seen, line.low) as u128 | (pdep(seen >> (line.split & 63), line.high) as u128) << 64
    }

    #[inline(always)]
    pub fn rook(square: u8, occupied: u128) -> u128 {
        let lines = &LINES[square as usize & 127];
        along(&lines.file, occupied) | along(&lines.rank, occupied)
    }

    #[inline(always)]
    pub fn bishop(square: u8, occupied: u128) -> u128 {
        let lines = &LINES[square as usize & 127];
        along(&lines.diagonal, occupied) | along(&lines.anti, occupied)
    }
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
mod portable {
    use crate::board::rays::ray;

    /// The two halves of a line, below and above the square.
    #[derive(Clone, Copy)]
    struct Line {
        lower: u128,
        upper: u128,
    }

    const fn lines(up: usize, down: usize) -> [Line; 128] {
        let mut all = [Line { lower: 0, upper: 0 }; 128];
        let mut square = 0;
        while square < 100 {
            all[square] =
                Line { lower: ray(square as u8, down, 0, 10, 10), upper: ray(square as u8, up, 0, 10, 10) };
            square += 1;
        }
        all
    }

    static FILE: [Line; 128] = lines(0, 4);
    static RANK: [Line; 128] = lines(2, 6);
    static DIAGONAL: [Line; 128] = lines(1, 5);
    static ANTI: [Line; 128] = lines(7, 3);

    /// Obstruction difference, as on 8x8.
    #[inline(always)]
    fn along(line: &Line, occupied: u128) -> u128 {
        let lower = line.lower & occupied;
        let upper = line.upper & occupied;
        let from = u128::MAX << (127 - (lower | 1).leading_zeros());
        let to = (upper & upper.wrapping_neg()).wrapping_mul(2);
        (line.lower | line.upper) & to.wrapping_add(from)
    }

    pub fn rook(square: u8, occupied: u128) -> u128 {
        let s = square as usize & 127;
        along(&FILE[s], occupied) | along(&RANK[s], occupied)
    }

    pub fn bishop(square: u8, occupied: u128) -> u128 {
        let s = square as usize & 127;
        along(&DIAGONAL[s], occupied) | along(&ANTI[s], occupied)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub use gathered::{bishop, rook};
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub use portable::{bishop, rook};

#[cfg(test)]
mod tests {
    use crate::board::rays::slide;

    #[test]
    fn both_ways_equal_rays_walked_square_by_square() {
        let mut occupied = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834_u128;
        for round in 0..3_000_u32 {
            occupied = occupied.rotate_left(11).wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb)
                ^ occupied >> 57;
            let thin = occupied & occupied.rotate_left(round % 128) & ((1 << 100) - 1);
            for square in 0..100 {
                let rook = slide(square, 0, thin, 10, 10);
                let bishop = slide(square, 1, thin, 10, 10);
                assert_eq!((super::rook(square, thin), super::bishop(square, thin)), (rook, bishop));
                assert_eq!(
                    (super::portable::rook(square, thin), super::portable::bishop(square, thin)),
                    (rook, bishop)
                );
            }
        }
    }
}
