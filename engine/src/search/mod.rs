//! One search for all games: iterative deepening, principal variation search, quiescence.
//!
//! A node is a move made, in quiescence and in null moves too. With a node limit the result depends on
//! nothing but the position, its history, the settings and what was searched since [`Searcher::new_game`].

mod exchange;
mod history;
mod line;
mod node;
mod order;
mod params;
mod quiesce;
mod root;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use exchange::Exchange;
pub use params::{ParamError, ParamSpec, Params};
pub use root::{Info, Limits, Line, SearchResult};
pub use score::{MAX_PLY, Score};

use crate::eval::{Evaluate, Evaluator, WeightError, Weights};
use crate::game::MoveFacts;
use crate::moves::{Move, Square};
use history::{Arrival, History};
use line::PvTable;
use order::Candidate;
use root::RootMove;
use std::sync::Arc;
use table::Table;

/// A game that the search can play: rules, evaluation, exchanges. Implemented by itself.
pub trait Playable: Evaluate + Exchange {}

impl<G: Evaluate + Exchange> Playable for G {}

/// Asks the caller, who has a clock, whether to stop.
pub type StopSignal = Arc<dyn Fn() -> bool + Send + Sync>;

/// Nodes between two questions to the caller.
const POLL_INTERVAL: u64 = 256;

/// What the search remembers of the move made at a ply of the present line.
#[derive(Clone, Copy, Default)]
struct Frame {
    killers: [Move; 2],
    eval: i32,
    arrival: Arrival,
    target: Square,
    captured: bool,
    passed: bool,
}

/// Reductions of late moves: `[depth][move count]`, hundredths of a ply.
type Reductions = [[i16; 64]; 64];

/// A player's search: its tables are made once and used for many games.
pub struct Searcher<G: Playable> {
    evaluator: Evaluator<G>,
    params: Params,
    table: Table,
    history: History,
    reductions: Box<Reductions>,
    stack: Vec<Frame>,
    /// Keys of the positions that may recur: the game's, then the present line's.
    keys: Vec<u64>,
    list: Vec<Move>,
    candidates: Vec<Candidate>,
    tried: Vec<(Move, MoveFacts)>,
    root_moves: Vec<RootMove>,
    pv: PvTable,
    nodes: u64,
    node_limit: u64,
    root_depth: usize,
    deepest: usize,
    stopped: bool,
    /// Node count at which the limit is looked at, and the caller asked whether to stop.
    checkpoint: u64,
    should_stop: Option<StopSignal>,
}

impl<G: Playable> Searcher<G> {
    /// A search of `game` by its default weights, with a table of at most `table_bytes`.
    pub fn new(game: G, table_bytes: usize, params: Params) -> Result<Searcher<G>, WeightError> {
        let weights = Weights::default_of(&game)?;
        Ok(Searcher::with_weights(game, &weights, table_bytes, params))
    }

    /// A search of `game` by `weights`, which were read for its layout.
    pub fn with_weights(game: G, weights: &Weights, table_bytes: usize, params: Params) -> Searcher<G> {
        let history = History::new(&game);
        Searcher {
            evaluator: Evaluator::new(game, weights),
            reductions: reductions(&params),
            params,
            table: Table::new(table_bytes),
            history,
            stack: vec![Frame::default(); MAX_PLY + 2],
            keys: Vec::with_capacity(1024),
            list: Vec::with_capacity(512),
            candidates: Vec::with_capacity(8192),
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

    /// Forgets all games before, so that the next one depends on none of them.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    /// The game.
    pub fn game(&self) -> &G {
        self.evaluator.game()
    }

    /// The evaluation in force.
    pub fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    /// The settings in force.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Counts one more move made; false, and the search is stopped, if the limit forbids it.
    #[inline]
    fn enter(&mut self) -> bool {
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
    fn key(&self) -> u64 {
        self.keys.last().copied().unwrap_or(0)
    }

    #[inline]
    fn reduction(&self, depth: i32, count: i32) -> i32 {
        i32::from(self.reductions[depth.clamp(0, 63) as usize][count.clamp(0, 63) as usize])
    }
}

/// Hundredths of the base-two logarithm of `n`, rounded down, in integers so that all machines agree.
fn log2_hundredths(n: u64) -> i32 {
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
