//! The order in which a node's moves are tried: the table's move, good captures, quiet moves, bad captures.
//! Each group is generated only when the ones before it did not cut.

use super::history::{Arrival, History};
use super::tree::Tree;
use super::{CheckSquares, Playable};
use crate::eval::Evaluator;
use crate::game::{MoveFacts, Which};
use crate::moves::{Flag, Move};
use crate::side::Side;

/// A move with what ordering knows of it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub m: Move,
    pub facts: MoveFacts,
    /// Higher is tried earlier; for a quiet move its history.
    pub rank: i32,
}

/// The candidates of all nodes of the present line, each node's at the end of those before. Ranks lie by
/// themselves, so that the highest is found many at a time.
#[derive(Default)]
pub(super) struct Candidates {
    moves: Vec<(Move, MoveFacts)>,
    ranks: Vec<i32>,
}

impl Candidates {
    /// With room for `n`.
    pub fn with_capacity(n: usize) -> Candidates {
        Candidates { moves: Vec::with_capacity(n), ranks: Vec::with_capacity(n) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Forgets those from `first` on.
    pub fn truncate(&mut self, first: usize) {
        self.moves.truncate(first);
        self.ranks.truncate(first);
    }

    fn get(&self, at: usize) -> Candidate {
        let (m, facts) = self.moves[at];
        Candidate { m, facts, rank: self.ranks[at] }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.moves.swap(a, b);
        self.ranks.swap(a, b);
    }

    /// The first of the highest rank among those from `first` on.
    fn best(&self, first: usize) -> Option<usize> {
        let ranks = &self.ranks[first..];
        let highest = ranks.iter().copied().fold(i32::MIN, i32::max);
        ranks.iter().position(|&rank| rank == highest).map(|i| first + i)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    ListNoisy,
    Noisy,
    ListQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Added to the rank of killers, so that they come before other quiet moves.
const KILLER: i32 = 1 << 20;

/// What being a killer adds to a rank.
#[inline(always)]
fn killer_bonus(killers: [Move; 2], m: Move) -> i32 {
    match m {
        _ if m == killers[0] => KILLER,
        _ if m == killers[1] => KILLER / 2,
        _ => 0,
    }
}

/// Hands out a node's moves one by one. Its candidates lie at the end of the searcher's shared list.
pub(super) struct Picker {
    stage: Stage,
    table: Move,
    killers: [Move; 2],
    earlier: [Arrival; 2],
    side: Side,
    first: usize,
    at: usize,
    bad: usize,
    quiets: bool,
    /// Of the quiet moves left, only those that give check.
    only_checks: bool,
    /// What a capture must gain by exchange to be tried early.
    threshold: i32,
}

impl Picker {
    /// All moves of a node at `ply`; `table` is legal or none.
    pub fn all<G: Playable>(s: &Tree<G>, side: Side, ply: usize, table: Move) -> Picker {
        Picker {
            stage: Stage::Table,
            table,
            killers: s.stack[ply].killers,
            earlier: s.earlier(ply),
            side,
            first: s.candidates.len(),
            at: s.candidates.len(),
            bad: s.candidates.len(),
            quiets: true,
            only_checks: false,
            threshold: 0,
        }
    }

    /// Only captures and promotions that do not lose material by exchange.
    pub fn noisy<G: Playable>(s: &Tree<G>, side: Side, ply: usize, table: Move) -> Picker {
        Picker { quiets: false, ..Picker::all(s, side, ply, table) }
    }

    /// Leaves out the quiet moves from here on.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
        if self.stage == Stage::Quiet {
            self.stage = Stage::BadNoisy;
            self.at = self.first;
        }
    }

    /// Leaves out the quiet moves from here on that do not give check.
    pub fn skip_to_checks<G: Playable>(&mut self) {
        if G::CAPS.check {
            self.only_checks = true;
        } else {
            self.skip_quiets();
        }
    }

    /// The next move. `squares` are looked at only after [`skip_to_checks`](Self::skip_to_checks).
    pub fn next<G: Playable>(
        &mut self,
        s: &mut Tree<G>,
        state: &G::State,
        squares: &CheckSquares,
    ) -> Option<Candidate> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListNoisy;
                    if !self.table.is_none() {
                        let facts = s.evaluator.game().facts(state, self.table);
                        let rank = self.rank_of(&s.evaluator, &s.history, self.table, facts);
                        return Some(Candidate { m: self.table, facts, rank });
                    }
                }
                Stage::ListNoisy => {
                    self.list(s, state, Which::Noisy);
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.best(s, state) {
                    Some(candidate) => {
                        let values = s.evaluator.values();
                        let game = s.evaluator.game();
                        if game.exchange_at_least(state, candidate.m, values, self.threshold) {
                            return Some(candidate);
                        }
                        // `at` has moved past it: keep it in front for the last stage.
                        s.candidates.swap(self.bad, self.at - 1);
                        self.bad += 1;
                    }
                    None if self.quiets => self.stage = Stage::ListQuiet,
                    None => {
                        self.at = self.first;
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::ListQuiet => {
                    self.list(s, state, Which::Quiet);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.only_checks => {
                    if let Some(candidate) = self.next_check(s, state, squares) {
                        return Some(candidate);
                    }
                    self.at = self.first;
                    self.stage = Stage::BadNoisy;
                }
                Stage::Quiet => match self.best(s, state) {
                    Some(candidate) => return Some(candidate),
                    None => {
                        self.at = self.first;
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::BadNoisy => {
                    if self.at < self.bad {
                        self.at += 1;
                        return Some(s.candidates.get(self.at - 1));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The next of the remaining candidates, as they lie, that gives check.
    fn next_check<G: Playable>(
        &mut self,
        s: &Tree<G>,
        state: &G::State,
        squares: &CheckSquares,
    ) -> Option<Candidate> {
        let game = s.evaluator.game();
        let rest = &s.candidates.moves[self.at..];
        let i = rest.iter().position(|&(m, facts)| game.gives_check_from(state, squares, m, facts))?;
        self.at += i + 1;
        Some(s.candidates.get(self.at - 1))
    }

    /// Whether the moves handed out now lose material by exchange.
    pub fn at_bad_captures(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Makes candidates of some of the moves, without the table's.
    fn list<G: Playable>(&mut self, s: &mut Tree<G>, state: &G::State, which: Which) {
        let Tree { evaluator, list, candidates, history, .. } = s;
        let game = evaluator.game();
        list.clear();
        game.generate(state, which, list);
        if !self.table.is_none()
            && let Some(i) = list.iter().position(|&m| m == self.table)
        {
            list.remove(i);
        }
        let first = candidates.len();
        if which == Which::Quiet {
            let (killers, promise) = (self.killers, history.quiets(self.side, self.earlier));
            // A capture is never quiet: what stands on the target need not be asked.
            let quiet = |m| MoveFacts { captured: None, noisy: false, ..game.facts(state, m) };
            candidates.moves.extend(list.iter().map(|&m| (m, quiet(m))));
            let rank = |m, facts: MoveFacts| promise.of::<G>(facts.mover, m) + killer_bonus(killers, m);
            candidates.ranks.extend(candidates.moves[first..].iter().map(|&(m, facts)| rank(m, facts)));
        } else {
            candidates.moves.extend(list.iter().map(|&m| (m, game.facts(state, m))));
            let rank = |m, facts| self.rank_of(evaluator, history, m, facts);
            candidates.ranks.extend(candidates.moves[first..].iter().map(|&(m, facts)| rank(m, facts)));
        }
    }

    #[inline]
    fn rank_of<G: Playable>(
        &self,
        evaluator: &Evaluator<G>,
        history: &History,
        m: Move,
        facts: MoveFacts,
    ) -> i32 {
        if facts.noisy {
            return noisy_rank(evaluator.values(), history, m, facts);
        }
        history.quiets(self.side, self.earlier).of::<G>(facts.mover, m) + killer_bonus(self.killers, m)
    }

    /// Takes the best of the remaining candidates. The table is far away: what it knows of the position that the
    /// move leads to is on its way while the move is looked at and made.
    fn best<G: Playable>(&mut self, s: &mut Tree<G>, state: &G::State) -> Option<Candidate> {
        let best = s.candidates.best(self.at)?;
        s.candidates.swap(self.at, best);
        self.at += 1;
        let candidate = s.candidates.get(self.at - 1);
        if let Some(key) = s.evaluator.game().key_foreseen(state, candidate.m, candidate.facts) {
            s.table.fetch(key);
        }
        Some(candidate)
    }
}

/// Most valuable victim first, then by what such captures have done.
#[inline]
fn noisy_rank(values: &[i32; 16], history: &History, m: Move, facts: MoveFacts) -> i32 {
    let victim = facts.captured.map_or(0, |kind| values[kind as usize]);
    let promotion = match m.flag() {
        Flag::Promotion | Flag::PawningPromotion => values[m.kind() as usize] - values[facts.mover as usize],
        _ => 0,
    };
    16 * (victim + promotion) - values[facts.mover as usize] + history.noisy(facts, m)
}

impl<G: Playable> Tree<G> {
    /// Whether a candidate is a killer of its node.
    pub(super) fn is_killer(&self, ply: usize, m: Move) -> bool {
        self.stack[ply].killers.contains(&m)
    }
}
