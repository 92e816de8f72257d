//! What there is to say of pawns and kings by themselves, and a memory for it: they move seldom, so that most
//! positions of a search have pawns and kings that were looked at before.

use super::evaluator::Packed;
use crate::moves::Square;

/// The pawns and kings of both sides, by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skeleton {
    /// Sets of squares, each below 112: the largest board has 100, and a key's last bits hold the kings.
    pub pawns: [u128; 2],
    /// The square of each side's one king.
    pub kings: [Square; 2],
}

/// What terms that look at pieces too ask of a skeleton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PawnStructure {
    /// Passed pawns.
    pub passed: u128,
    /// Squares that a pawn defends and no enemy pawn can ever attack.
    pub outposts: u128,
    /// Squares that each side's pawns attack.
    pub attacks: [u128; 2],
    /// Each side's king and the squares about it.
    pub rings: [u128; 2],
    /// Files with a pawn of each side, bit 0 for file a.
    pub files: [u16; 2],
}

/// A skeleton, whole, so that no two can be mistaken for each other.
type Key = [u64; 4];

impl Skeleton {
    /// No skeleton's key is zero.
    #[inline(always)]
    fn key(&self) -> Key {
        let [white, black] = self.pawns;
        debug_assert!((white | black) >> 112 == 0);
        let kings = u64::from(self.kings[0]) << 8 | u64::from(self.kings[1]);
        let top = (kings + 1) << 48;
        [white as u64, (white >> 64) as u64 | top, black as u64, (black >> 64) as u64]
    }
}

/// Skeletons remembered: few enough to stay in a core's own cache.
const SIZE: usize = 1 << 10;

/// What is remembered of a skeleton.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: Key,
    structure: PawnStructure,
    /// Its terms, weighted and added up, in parts of [`ONE`](super::ONE).
    sum: Packed,
}

/// The skeletons seen last, one a slot. It holds for one set of weights.
#[derive(Clone, Debug)]
pub struct PawnMemory(Box<[Known]>);

impl Default for PawnMemory {
    fn default() -> PawnMemory {
        PawnMemory(vec![Known::default(); SIZE].into_boxed_slice())
    }
}

impl PawnMemory {
    /// The sum of a skeleton's terms and what else is to be said of it: remembered, or made.
    #[inline(always)]
    pub(super) fn recall(
        &mut self,
        skeleton: &Skeleton,
        make: impl FnOnce() -> (Packed, PawnStructure),
    ) -> (Packed, PawnStructure) {
        let key = skeleton.key();
        let known = &mut self.0[slot(key)];
        // Word by word: compared as one value, the key, just written, would be waited for.
        let differs = (0..key.len()).fold(0, |differs, i| differs | key[i] ^ known.key[i]);
        if differs != 0 {
            let (sum, structure) = make();
            *known = Known { key, structure, sum };
        }
        (known.sum, known.structure)
    }
}

/// By multiplication, which carries every pawn into the bits on top.
#[inline(always)]
fn slot(key: Key) -> usize {
    const ODD: [u64; 4] =
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];
    let sum = key.iter().zip(ODD).fold(0_u64, |sum, (word, odd)| sum ^ word.wrapping_mul(odd));
    (sum >> (64 - SIZE.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skeleton_is_known_by_its_pawns_and_its_kings() {
        let mut memory = PawnMemory::default();
        let mut asked = 0;
        let mut look = |skeleton: Skeleton| {
            asked += 1;
            let number = asked;
            memory.recall(&skeleton, || (number, PawnStructure::default())).0
        };
        let bare = Skeleton { pawns: [0, 0], kings: [0, 0] };
        assert_eq!(look(bare), 1, "nothing is known at first, not even of no pawns");
        assert_eq!(look(bare), 1);
        // Of all that differs in one thing, none is taken for another.
        let mut others = Vec::new();
        for square in 1..100 {
            others.push(Skeleton { kings: [square, 0], ..bare });
            others.push(Skeleton { kings: [0, square], ..bare });
            others.push(Skeleton { pawns: [1 << square, 0], ..bare });
            others.push(Skeleton { pawns: [0, 1 << square], ..bare });
        }
        let mut keys: Vec<Key> = others.iter().map(Skeleton::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), others.len());
        assert!(!keys.contains(&Key::default()));
        for (i, &other) in others.iter().enumerate() {
            assert_eq!(look(other), 3 + i as Packed);
        }
    }
}
