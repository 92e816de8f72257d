//! What a search does when asked: iterative deepening at the root, with limits, aspiration windows, several lines.

use super::node::{NonPv, Pv, Window};
use super::order::Picker;
use super::score::{INFINITE, MAX_PLY, Score};
use super::tree::{Frame, POLL_INTERVAL, Tree};
use super::{CheckSquares, Noise, Params, Playable, Search, StopSignal};
use crate::eval::{Evaluator, Sum};
use crate::game::MoveFacts;
use crate::moves::Move;
use crate::side::Side;

/// When to stop. Without any limit the search goes to its greatest depth.
#[derive(Clone, Default)]
pub struct Limits {
    /// Moves made at most, exactly kept.
    pub nodes: Option<u64>,
    /// Iterations at most.
    pub depth: Option<u32>,
    /// Stop when a win in at most so many moves is found.
    pub mate: Option<u32>,
    /// Lines wanted; 0 counts as 1.
    pub lines: usize,
    /// Root moves to look at; empty for all.
    pub only: Vec<Move>,
    /// Asked every few hundred nodes: the caller's clock.
    pub should_stop: Option<StopSignal>,
}

impl Limits {
    /// A node limit alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A depth limit alone.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }
}

/// News from a search: one line of a finished iteration.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub deepest: u32,
    /// Which of the lines wanted, the best being 1.
    pub line: usize,
    /// Its score, from the side to move's view.
    pub score: Score,
    /// Moves made so far.
    pub nodes: u64,
    /// Thousandths of the table in use.
    pub table_permille: u32,
    /// The line.
    pub pv: &'a [Move],
}

/// One of the lines wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// From the side to move's view.
    pub score: Score,
    /// The line, its first move the one the score belongs to.
    pub pv: Vec<Move>,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The best move; [`Move::NONE`] if there is no legal one.
    pub best: Move,
    /// From the side to move's view.
    pub score: Score,
    /// The line expected; begins with the best move.
    pub pv: Vec<Move>,
    /// The last iteration begun that changed the result.
    pub depth: u32,
    /// Moves made.
    pub nodes: u64,
    /// The lines wanted, the best first.
    pub lines: Vec<Line>,
}

/// A move at the root and what is known of it.
#[derive(Clone)]
pub(super) struct RootMove {
    m: Move,
    facts: MoveFacts,
    score: i32,
    /// Its score before the present pass, should that be broken off.
    last: i32,
    pv: Vec<Move>,
}

impl<G: Playable> Search<G> for Tree<G> {
    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    fn set_noise(&mut self, noise: Noise) {
        self.noise = noise;
    }

    fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn search(
        &mut self,
        state: &G::State,
        history: &[u64],
        limits: &Limits,
        report: &mut dyn FnMut(&Info<'_>),
    ) -> SearchResult {
        self.prepare(state, history, limits);
        let sum = self.evaluator.sum(state);
        let side = self.evaluator.game().side_to_move(state);
        self.list_root_moves(state, side, limits);
        if self.root_moves.is_empty() {
            let score = self.ended(state, 0).map_or(Score::ZERO, Score::from_raw);
            let (best, pv, lines) = (Move::NONE, Vec::new(), Vec::new());
            return SearchResult { best, score, pv, depth: 0, nodes: 0, lines };
        }
        let fallback = Score::centipawns(self.evaluate(state, &sum));
        let wanted = limits.lines.clamp(1, self.root_moves.len());
        let last = limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1);
        let mut reached = 0;
        for depth in 1..=last {
            self.root_depth = depth as usize;
            for index in 0..wanted {
                self.deepest = 0;
                self.aspire(state, &sum, side, index, depth as i32);
                let at = &self.root_moves[index];
                if self.stopped && at.score == -INFINITE {
                    break;
                }
                reached = depth;
                report(&Info {
                    depth,
                    deepest: self.deepest as u32,
                    line: index + 1,
                    score: Score::from_raw(at.score),
                    nodes: self.nodes,
                    table_permille: self.table.permille(),
                    pv: &at.pv,
                });
                if self.stopped {
                    break;
                }
            }
            if self.stopped || self.proven(wanted, depth, limits) {
                break;
            }
        }
        let line = |root: &RootMove| {
            let score = if root.score == -INFINITE { fallback } else { Score::from_raw(root.score) };
            let pv = if root.pv.is_empty() { vec![root.m] } else { root.pv.clone() };
            Line { score, pv }
        };
        let lines: Vec<Line> = self.root_moves[..wanted].iter().map(line).collect();
        SearchResult {
            best: self.root_moves[0].m,
            score: lines[0].score,
            pv: lines[0].pv.clone(),
            depth: reached,
            nodes: self.nodes,
            lines,
        }
    }
}

impl<G: Playable> Tree<G> {
    fn prepare(&mut self, state: &G::State, history: &[u64], limits: &Limits) {
        self.nodes = 0;
        self.node_limit = limits.nodes.unwrap_or(u64::MAX);
        self.checkpoint = self.node_limit.min(POLL_INTERVAL);
        self.should_stop.clone_from(&limits.should_stop);
        self.stopped = false;
        self.table.next_search();
        self.candidates.truncate(0);
        self.tried.clear();
        self.stack.fill(Frame::default());
        self.keys.clear();
        self.keys.extend_from_slice(history);
        let key = self.evaluator.game().key(state);
        if self.keys.last() != Some(&key) {
            self.keys.push(key);
        }
    }

    /// Lists the root's moves in the order in which any node would try them.
    fn list_root_moves(&mut self, state: &G::State, side: Side, limits: &Limits) {
        self.root_moves.clear();
        let found = self.table.probe(self.key(), 0);
        let table_move = self.legal_table_move(state, found);
        let mut picker = Picker::all(self, side, 0, table_move);
        while let Some(candidate) = picker.next(self, state, &CheckSquares::UNKNOWN) {
            if limits.only.is_empty() || limits.only.contains(&candidate.m) {
                let (m, facts) = (candidate.m, candidate.facts);
                self.root_moves.push(RootMove {
                    m,
                    facts,
                    score: -INFINITE,
                    last: -INFINITE,
                    pv: Vec::new(),
                });
            }
        }
        self.candidates.truncate(0);
    }

    /// Whether nothing would change any more: the win looked for is found, or the end is in sight of a
    /// search a good deal deeper than it.
    fn proven(&self, wanted: usize, depth: u32, limits: &Limits) -> bool {
        let score = Score::from_raw(self.root_moves[0].score);
        let Some(plies) = score.mate_plies() else { return false };
        let found =
            limits.mate.is_some_and(|moves| score.mate_moves().is_some_and(|m| m > 0 && m <= moves as i32));
        found || (wanted == 1 && limits.depth.is_none() && depth as i32 > 2 * plies.abs() + 4)
    }

    /// Searches the moves from `index` on with a window around their last score, opened as needed.
    fn aspire(&mut self, state: &G::State, sum: &Sum, side: Side, index: usize, depth: i32) {
        let last = self.root_moves[index].score;
        let mut width = self.params.aspiration;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && last.abs() < 10_000 {
            (alpha, beta) = (last - width, last + width);
        }
        let mut reduce = 0;
        loop {
            let window = Window { alpha, beta, depth: (depth - reduce).max(1), cut: false };
            let best = self.root(state, sum, side, index, window);
            self.root_moves[index..].sort_by_key(|r| std::cmp::Reverse(r.score));
            if self.stopped {
                return;
            }
            width *= 2;
            if best <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = if width > 800 { -INFINITE } else { best - width };
                reduce = 0;
            } else if best >= beta && beta < INFINITE {
                beta = if width > 800 { INFINITE } else { best + width };
                // The move is better than thought: confirm it at less cost.
                reduce = (reduce + self.params.reductions).min(2);
            } else {
                return;
            }
        }
    }

    /// One pass over the root's moves. Moves that do not raise alpha are left with the lowest score, so that
    /// sorting keeps their order.
    fn root(&mut self, state: &G::State, sum: &Sum, side: Side, index: usize, window: Window) -> i32 {
        let Window { mut alpha, beta, depth, .. } = window;
        let mut best = -INFINITE;
        self.stack[0].eval = self.evaluate(state, sum);
        for root in &mut self.root_moves[index..] {
            root.last = root.score;
            root.score = -INFINITE;
        }
        for i in index..self.root_moves.len() {
            let RootMove { m, facts, .. } = self.root_moves[i];
            let mut next = state.clone();
            let Some(next_sum) = self.make(&mut next, sum, side, m, facts, 0) else { break };
            let count = (i - index) as i32 + 1;
            let narrow = Window { alpha, beta: alpha + 1, depth: depth - 1, cut: true };
            let mut score = alpha + 1;
            if count > 1 {
                let mut reduced = depth - 1;
                if self.params.reductions != 0 && depth >= 3 && count > 4 && !facts.noisy {
                    reduced = (reduced - (self.reduction(depth, count) - 100).max(0) / 100).max(1);
                }
                score = self.child::<NonPv>(side, &next, &next_sum, Window { depth: reduced, ..narrow }, 1);
                if score > alpha && reduced < depth - 1 {
                    score = self.child::<NonPv>(side, &next, &next_sum, narrow, 1);
                }
            }
            if count == 1 || score > alpha {
                let open = Window { alpha, beta, depth: depth - 1, cut: false };
                score = self.child::<Pv>(side, &next, &next_sum, open, 1);
            }
            self.keys.pop();
            if self.stopped {
                break;
            }
            if count == 1 || score > alpha {
                let root = &mut self.root_moves[i];
                root.score = score;
                root.pv.clear();
                root.pv.push(m);
                root.pv.extend_from_slice(self.pv.line(1));
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if best == -INFINITE {
            // Broken off before the first move was through: the pass before stands.
            for root in &mut self.root_moves[index..] {
                root.score = root.last;
            }
        }
        best
    }
}
