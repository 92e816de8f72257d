//! What there is to say of a pawn structure by itself, and a memory for it: pawns move seldom, so that most
//! positions of a search have pawns that were looked at before.

/// Ranks of the largest board.
const RANKS: usize = 10;

/// The pawns of both sides, looked at without the pieces. Numbers are White's less Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PawnStructure {
    /// Passed pawns.
    pub passed: u128,
    /// Squares that a pawn defends and no enemy pawn can ever attack.
    pub outposts: u128,
    /// Files with a pawn of each side, bit 0 for file a.
    pub files: [u16; 2],
    /// Pawns behind another of their side.
    pub doubled: i8,
    /// Pawns without another of their side on a neighbouring file.
    pub isolated: i8,
    /// Pawns beside another of their side.
    pub phalanx: i8,
    /// Pawns that may go two squares at once because of the rank on which they stand, and three, no pawn being in the way.
    pub two_steps: i8,
    /// See `two_steps`.
    pub three_steps: i8,
    /// Pawns defended by pawns, by rank as their side counts, from 0.
    pub supported: [i8; RANKS],
}

/// Structures remembered: few enough to stay in a core's own cache.
const SIZE: usize = 1 << 10;

/// A structure and the pawns it belongs to, kept whole, so that no two can be mistaken for each other.
type Known = ([u128; 2], PawnStructure);

/// The pawn structures seen last, one a slot.
#[derive(Clone, Debug)]
pub struct PawnMemory(Box<[Known]>);

impl Default for PawnMemory {
    /// Of no pawns, about which there is nothing to say, all slots know.
    fn default() -> PawnMemory {
        PawnMemory(vec![Known::default(); SIZE].into_boxed_slice())
    }
}

impl PawnMemory {
    /// The structure of `pawns`, by side: remembered, or made.
    #[inline]
    pub fn recall(
        &mut self,
        pawns: [u128; 2],
        make: impl FnOnce([u128; 2]) -> PawnStructure,
    ) -> &PawnStructure {
        let known = &mut self.0[slot(pawns)];
        // Half by half: compared as one value, the pawns, just written, would be waited for.
        let [white, black] = [known.0[0] ^ pawns[0], known.0[1] ^ pawns[1]];
        if white | black != 0 {
            *known = (pawns, make(pawns));
        }
        &known.1
    }
}

/// By multiplication, which carries every pawn into the bits on top.
#[inline]
fn slot(pawns: [u128; 2]) -> usize {
    const ODD: [u64; 4] =
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];
    let [white, black] = pawns.map(|set| [set as u64, (set >> 64) as u64]);
    let halves = [white[0], white[1], black[0], black[1]];
    let sum = halves.iter().zip(ODD).fold(0_u64, |sum, (half, odd)| sum ^ half.wrapping_mul(odd));
    (sum >> (64 - SIZE.ilog2())) as usize
}
