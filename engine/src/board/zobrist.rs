//! Hash keys: constants of the program, so that keys are the same on every machine and run.

use crate::moves::{Kind, Square};
use crate::side::Side;

/// SplitMix64 (Steele, Lea, Flood 2014): the state's next value and the output for it.
pub const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

/// `N` keys from `seed`.
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut all = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        (state, all[i]) = split_mix(state);
        i += 1;
    }
    all
}

static PIECES: [u64; 2 * 16 * 128] = keys(1);
static EXTRAS: [u64; 128 * 8] = keys(2);

/// Key of a piece on a square.
#[inline(always)]
pub fn piece(side: Side, kind: Kind, square: Square) -> u64 {
    PIECES[side.index() << 11 | (kind as usize & 15) << 7 | (square as usize & 127)]
}

/// Key of a fact about a square: castling rook, unmoved pawn, en-passant victim ... `fact` is below 8.
#[inline(always)]
pub fn extra(fact: usize, square: Square) -> u64 {
    EXTRAS[(fact & 7) << 7 | (square as usize & 127)]
}

/// Key of Black to move.
pub const BLACK_TO_MOVE: u64 = split_mix(3).1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_differ() {
        let mut all: Vec<u64> = PIECES.iter().chain(&EXTRAS).copied().chain([BLACK_TO_MOVE]).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), PIECES.len() + EXTRAS.len() + 1);
    }
}
