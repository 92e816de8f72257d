//! Principal variations of all plies of the present line.

use super::score::MAX_PLY;
use crate::moves::Move;

/// For each ply the best line found from it, in a triangle flattened to a square.
pub(super) struct PvTable {
    moves: Vec<Move>,
    lengths: [usize; MAX_PLY + 2],
}

const WIDTH: usize = MAX_PLY + 1;

impl PvTable {
    pub fn new() -> PvTable {
        PvTable { moves: vec![Move::NONE; WIDTH * (MAX_PLY + 2)], lengths: [0; MAX_PLY + 2] }
    }

    /// Nothing is known from `ply` on.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The best line from `ply` is `m` and then the best line from the next ply.
    pub fn extend(&mut self, ply: usize, m: Move) {
        let length = self.lengths[ply + 1].min(WIDTH - 1);
        let next = (ply + 1) * WIDTH;
        self.moves[ply * WIDTH] = m;
        self.moves.copy_within(next..next + length, ply * WIDTH + 1);
        self.lengths[ply] = length + 1;
    }

    /// The best line from `ply`.
    pub fn line(&self, ply: usize) -> &[Move] {
        &self.moves[ply * WIDTH..ply * WIDTH + self.lengths[ply]]
    }
}
