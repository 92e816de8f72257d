//! Rook and bishop attacks on 8x8: line by line, as on 10x10, in tables of 5 KB; without BMI2, rays by
//! obstruction difference.

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod gathered {
    use crate::board::gather::{pdep, pext};
    use crate::board::rays::ray;

    /// What is seen along a line of eight from `position`, by the occupation of its six inner squares.
    /// Shorter diagonals use it too: squares that they lack are never occupied, and dropped by `pdep`.
    const fn seen_table() -> [[u8; 64]; 8] {
        let mut table = [[0; 64]; 8];
        let mut position = 0;
        while position < 8 {
            let mut inner = 0;
            while inner < 64 {
                table[position][inner] = (ray(position as u8, 2, (inner << 1) as u128, 8, 1)
                    | ray(position as u8, 6, (inner << 1) as u128, 8, 1))
                    as u8;
                inner += 1;
            }
            position += 1;
        }
        table
    }

    static SEEN: [[u8; 64]; 8] = seen_table();

    #[derive(Clone, Copy)]
    struct Line {
        mask: u64,
        /// Where on the line the square is.
        position: u8,
    }

    const fn lines(up: usize, down: usize) -> [Line; 64] {
        let mut all = [Line { mask: 0, position: 0 }; 64];
        let mut square = 0;
        while square < 64 {
            let below = ray(square as u8, down, 0, 8, 8);
            let mask = below | ray(square as u8, up, 0, 8, 8) | 1 << square;
            all[square] = Line { mask: mask as u64, position: below.count_ones() as u8 };
            square += 1;
        }
        all
    }

    static FILE: [Line; 64] = lines(0, 4);
    static DIAGONAL: [Line; 64] = lines(1, 5);
    static ANTI: [Line; 64] = lines(7, 3);

    #[inline(always)]
    fn along(line: &Line, occupied: u64) -> u64 {
        let inner = (pext(occupied, line.mask) >> 1) as usize & 63;
        pdep(SEEN[line.position as usize & 7][inner] as u64, line.mask)
    }

    #[inline(always)]
    fn along_rank(square: u8, occupied: u64) -> u64 {
        let shift = (square & 56) as u32;
        let inner = (occupied >> (shift + 1)) as usize & 63;
        (SEEN[square as usize & 7][inner] as u64) << shift
    }

    #[inline(always)]
    pub fn rook(square: u8, occupied: u64) -> u64 {
        along(&FILE[square as usize & 63], occupied) | along_rank(square, occupied)
    }

    #[inline(always)]
    pub fn bishop(square: u8, occupied: u64) -> u64 {
        let s = square as usize & 63;
        along(&DIAGONAL[s], occupied) | along(&ANTI[s], occupied)
    }
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
mod portable {
    use crate::board::rays::ray;

    /// The two halves of a line, below and above the square.
    #[derive(Clone, Copy)]
    struct Line {
        lower: u64,
        upper: u64,
    }

    const fn lines(up: usize, down: usize) -> [Line; 64] {
        let mut all = [Line { lower: 0, upper: 0 }; 64];
        let mut square = 0;
        while square < 64 {
            all[square] = Line {
                lower: ray(square as u8, down, 0, 8, 8) as u64,
                upper: ray(square as u8, up, 0, 8, 8) as u64,
            };
            square += 1;
        }
        all
    }

    static FILE: [Line; 64] = lines(0, 4);
    static RANK: [Line; 64] = lines(2, 6);
    static DIAGONAL: [Line; 64] = lines(1, 5);
    static ANTI: [Line; 64] = lines(7, 3);

    /// Obstruction difference (G. Fillips): from the nearest blocker below to the nearest above.
    #[inline(always)]
    fn along(line: &Line, occupied: u64) -> u64 {
        let lower = line.lower & occupied;
        let upper = line.upper & occupied;
        let from = u64::MAX << (63 - (lower | 1).leading_zeros());
        let to = (upper & upper.wrapping_neg()).wrapping_mul(2);
        (line.lower | line.upper) & to.wrapping_add(from)
    }

    pub fn rook(square: u8, occupied: u64) -> u64 {
        let s = square as usize & 63;
        along(&FILE[s], occupied) | along(&RANK[s], occupied)
    }

    pub fn bishop(square: u8, occupied: u64) -> u64 {
        let s = square as usize & 63;
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
        let mut occupied = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..4_000_u32 {
            occupied = occupied.rotate_left(7).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ occupied >> 31;
            let thin = occupied & occupied.rotate_left(round % 64);
            for square in 0..64 {
                let rook = slide(square, 0, thin as u128, 8, 8) as u64;
                let bishop = slide(square, 1, thin as u128, 8, 8) as u64;
                assert_eq!((super::rook(square, thin), super::bishop(square, thin)), (rook, bishop));
                assert_eq!(
                    (super::portable::rook(square, thin), super::portable::bishop(square, thin)),
                    (rook, bishop)
                );
            }
        }
    }
}
