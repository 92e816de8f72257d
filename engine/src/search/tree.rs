//! One search under way or between two: its tables, its stack, its counters.

use super::history::{Arrival, History};
use super::line::PvTable;
use super::noise::Noise;
use super::order::Candidates;
use super::root::RootMove;
use super::score::MAX_PLY;
use super::scores::Scores;
use super::table::Table;
use super::{Params, Playable, StopSignal};
use crate::eval::{Evaluator, PawnMemory, Weights};
use crate::game::MoveFacts;
use crate::moves::{Move, Square};

/// Nodes between two questions to the caller.
pub(super) const POLL_INTERVAL: u64 = 256;

/// What the search remembers of the move made at a ply of the present line.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) killers: [Move; 2],
    pub(super) eval: i32,
    pub(super) arrival: Arrival,
    pub(super) target: Square,
    pub(super) captured: bool,
    /// Whether it gave check, where that was asked before it was made.
    pub(super) checks: Option<bool>,
}

/// Reductions of late moves: `[depth][move count]`, hundredths of a ply.
type Reductions = [[i16; 64]; 64];

/// What [`super::Searcher`] stands for, compiled for one game.
pub struct Tree<G: Playable> {
    pub(super) evaluator: Evaluator<G>,
    pub(super) params: Params,
    pub(super) noise: Noise,
    pub(super) table: Table,
    pub(super) scores: Scores,
    pub(super) pawns: PawnMemory,
    pub(super) history: History,
    pub(super) reductions: Box<Reductions>,
    pub(super) stack: Vec<Frame>,
    /// Keys of the positions that may recur: the game's, then the present line's.
    pub(super) keys: Vec<u64>,
    pub(super) list: Vec<Move>,
    pub(super) candidates: Candidates,
    pub(super) tried: Vec<(Move, MoveFacts)>,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) pv: PvTable,
    pub(super) nodes: u64,
    pub(super) node_limit: u64,
    pub(super) root_depth: usize,
    pub(super) deepest: usize,
    pub(super) stopped: bool,
    /// Node count at which the limit is looked at, and the caller asked whether to stop.
    pub(super) checkpoint: u64,
    pub(super) should_stop: Option<StopSignal>,
}

impl<G: Playable> Tree<G> {
    /// See [`super::Searcher::with_weights`].
    pub(super) fn new(game: G, weights: &Weights, table_bytes: usize, params: Params) -> Tree<G> {
        let history = History::new(&game);
        Tree {
            evaluator: Evaluator::new(game, weights),
            reductions: reductions(&params),
            params,
            noise: Noise::default(),
            table: Table::new(table_bytes),
            scores: Scores::new(),
            pawns: PawnMemory::default(),
            history,
            stack: vec![Frame::default(); MAX_PLY + 2],
            keys: Vec::with_capacity(1024),
            list: Vec::with_capacity(512),
            candidates: Candidates::with_capacity(8192),
            tried: Vec::with_capacity(4096),
            root_moves: Vec::new(),
            pv: PvTable::new(),
            nodes: 0,
            node_limit: u64::MAX,
            root_depth: 0,
            deepest: 0,
            stopped: false,
            checkpoint: 0,
            should_stop: None,
        }
    }

    /// Counts one more move made; false, and the search is stopped, if the limit forbids it.
    #[inline]
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.checkpoint && self.must_stop() {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        let asked = || self.should_stop.as_ref().is_some_and(|stop| stop());
        if self.stopped || self.nodes >= self.node_limit || asked() {
            return true;
        }
        self.checkpoint = self.node_limit.min(self.nodes + POLL_INTERVAL);
        false
    }

    /// The key of the position at the end of the present line.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.keys.last().copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn reduction(&self, depth: i32, count: i32) -> i32 {
        i32::from(self.reductions[depth.clamp(0, 63) as usize][count.clamp(0, 63) as usize])
    }
}

/// Hundredths of the base-two logarithm of `n`, rounded down, in integers so that all machines agree.
pub(super) fn log2_hundredths(n: u64) -> i32 {
    if n < 2 {
        return 0;
    }
    // Fixed point with 32 fractional bits; each squaring yields one more binary digit.
    let whole = n.ilog2();
    let mut x = (u128::from(n) << 32) >> whole;
    let mut digits = 0u64;
    for _ in 0..16 {
        x = (x * x) >> 32;
        digits <<= 1;
        if x >= 2 << 32 {
            x >>= 1;
            digits |= 1;
        }
    }
    (whole as u64 * 100 + digits * 100 / 65_536) as i32
}

fn reductions(params: &Params) -> Box<Reductions> {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, cell) in row.iter_mut().enumerate().skip(1) {
            let logs = log2_hundredths(depth as u64) * log2_hundredths(count as u64) / 100;
            *cell = (params.reduction_base + params.reduction_slope * logs / 100) as i16;
        }
    }
    table
}
