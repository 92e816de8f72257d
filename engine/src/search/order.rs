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

/// Bits of a key that hold a candidate's number within its node. No position has so many moves, whatever its FEN and its
/// table of moves say: `k` pieces have at most `k * (100 - k)` targets on 100 squares (on 64, where a piece may arrive in
/// two ways, `2 * k * (64 - k)`), and promotions and drops add some hundreds.
const NUMBER_BITS: u32 = 12;
const NUMBER: i32 = (1 << NUMBER_BITS) - 1;
/// Ranks stay within plus and minus this, so that a key holds them.
const RANK_LIMIT: i32 = (1 << (31 - NUMBER_BITS)) - 1;
/// The key of what is no candidate, or none any more: lower than any other.
const TAKEN: i32 = i32::MIN;

/// A candidate's rank above its number, the lower number being the higher: the highest key names the first of the best.
#[inline(always)]
fn key(rank: i32, number: usize) -> i32 {
    debug_assert!(rank.abs() <= RANK_LIMIT && number <= NUMBER as usize);
    rank << NUMBER_BITS | (NUMBER - number as i32)
}

/// What fills a node's last eight up.
const NOBODY: (Move, MoveFacts) = (Move::NONE, MoveFacts { mover: 0, captured: None, noisy: false });

/// The candidates of all nodes of the present line, each node's at the end of those before, in whole eights. Keys lie
/// by themselves, so that the highest is found eight at a time.
#[derive(Default)]
pub(super) struct Candidates {
    moves: Vec<[(Move, MoveFacts); 8]>,
    keys: Vec<[i32; 8]>,
}

impl Candidates {
    /// With room for `n`.
    pub fn with_capacity(n: usize) -> Candidates {
        Candidates { moves: Vec::with_capacity(n / 8), keys: Vec::with_capacity(n / 8) }
    }

    /// How many places are in use, a multiple of eight.
    pub fn len(&self) -> usize {
        8 * self.moves.len()
    }

    /// Forgets those from `first` on, a multiple of eight.
    pub fn truncate(&mut self, first: usize) {
        self.moves.truncate(first / 8);
        self.keys.truncate(first / 8);
    }

    /// Adds candidates of the node whose first one is `first`.
    #[inline(always)]
    fn list(
        &mut self,
        first: usize,
        moves: &[Move],
        facts: impl Fn(Move) -> MoveFacts,
        rank: impl Fn(Move, MoveFacts) -> i32,
    ) {
        let (start, eights) = (self.moves.len(), moves.len().div_ceil(8));
        self.moves.resize(start + eights, [NOBODY; 8]);
        self.keys.resize(start + eights, [TAKEN; 8]);
        let known = self.moves[start..].as_flattened_mut().iter_mut();
        let keys = self.keys[start..].as_flattened_mut().iter_mut();
        for (((&m, known), place), number) in moves.iter().zip(known).zip(keys).zip(8 * start - first..) {
            let facts = facts(m);
            *known = (m, facts);
            *place = key(rank(m, facts), number);
        }
    }

    /// One candidate as it stands; its rank is lost once it was taken.
    fn get(&self, at: usize) -> Candidate {
        let (m, facts) = self.moves[at / 8][at % 8];
        Candidate { m, facts, rank: self.keys[at / 8][at % 8] >> NUMBER_BITS }
    }

    /// The best of those from `at` on, in the node whose first is `first`: changes places with the one at `at`.
    #[inline(always)]
    fn take_best(&mut self, first: usize, at: usize) -> Option<Candidate> {
        let highest = self.keys[at / 8..].as_flattened().iter().copied().fold(TAKEN, i32::max);
        if highest == TAKEN {
            return None;
        }
        let best = first + (NUMBER - (highest & NUMBER)) as usize;
        let displaced = self.keys[at / 8][at % 8];
        self.keys[best / 8][best % 8] = displaced & !NUMBER | highest & NUMBER;
        self.keys[at / 8][at % 8] = TAKEN;
        let (m, facts) = self.swap(at, best);
        Some(Candidate { m, facts, rank: highest >> NUMBER_BITS })
    }

    /// Exchanges two places, without their keys; gives what now stands at `a`.
    #[inline(always)]
    fn swap(&mut self, a: usize, b: usize) -> (Move, MoveFacts) {
        let (was, is) = (self.moves[a / 8][a % 8], self.moves[b / 8][b % 8]);
        self.moves[b / 8][b % 8] = was;
        self.moves[a / 8][a % 8] = is;
        is
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
const KILLER: i32 = 1 << 18;

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
    /// Where those listed last end.
    end: usize,
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
            end: s.candidates.len(),
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
    #[inline(always)]
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
                        return Some(self.unlisted(s, state, self.table));
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

    /// A legal move with what ordering knows of it.
    fn unlisted<G: Playable>(&self, s: &Tree<G>, state: &G::State, m: Move) -> Candidate {
        let facts = s.evaluator.game().facts(state, m);
        let candidate = Candidate { m, facts, rank: self.rank_of(&s.evaluator, &s.history, m, facts) };
        announce(s, state, candidate);
        candidate
    }

    /// The next of the remaining candidates, as they lie, that gives check.
    fn next_check<G: Playable>(
        &mut self,
        s: &Tree<G>,
        state: &G::State,
        squares: &CheckSquares,
    ) -> Option<Candidate> {
        let game = s.evaluator.game();
        let rest = &s.candidates.moves.as_flattened()[self.at..self.end];
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
        self.at = candidates.len();
        self.end = self.at + list.len();
        if which == Which::Quiet {
            let (killers, promise) = (self.killers, history.quiets(self.side, self.earlier));
            // A capture is never quiet: what stands on the target need not be asked.
            let facts = |m| MoveFacts { captured: None, noisy: false, ..game.facts(state, m) };
            let rank = |m, facts: MoveFacts| promise.of::<G>(facts.mover, m) + killer_bonus(killers, m);
            candidates.list(self.first, list, facts, rank);
        } else {
            let values = evaluator.values();
            let rank = |m, facts| noisy_rank(values, history, m, facts);
            candidates.list(self.first, list, |m| game.facts(state, m), rank);
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

    /// Takes the best of the remaining candidates.
    #[inline(always)]
    fn best<G: Playable>(&mut self, s: &mut Tree<G>, state: &G::State) -> Option<Candidate> {
        let candidate = match self.end - self.at {
            0 => return None,
            1 => s.candidates.get(self.at),
            _ => s.candidates.take_best(self.first, self.at)?,
        };
        self.at += 1;
        announce(s, state, candidate);
        Some(candidate)
    }
}

/// The table is far away: what it knows of the position that the move leads to is on its way while the move is looked at
/// and made.
#[inline(always)]
fn announce<G: Playable>(s: &Tree<G>, state: &G::State, candidate: Candidate) {
    if let Some(key) = s.evaluator.game().key_foreseen(state, candidate.m, candidate.facts) {
        s.table.fetch(key);
    }
}

/// Most valuable victim first, then by what such captures have done.
#[inline(always)]
fn noisy_rank(values: &[i32; 16], history: &History, m: Move, facts: MoveFacts) -> i32 {
    let victim = facts.captured.map_or(0, |kind| values[kind as usize & 15]);
    let promotion = match m.flag() {
        Flag::Promotion | Flag::PawningPromotion => {
            values[m.kind() as usize] - values[facts.mover as usize & 15]
        }
        _ => 0,
    };
    let rank = 16 * (victim + promotion) - values[facts.mover as usize & 15] + history.noisy(facts, m);
    rank.clamp(-RANK_LIMIT, RANK_LIMIT)
}

impl<G: Playable> Tree<G> {
    /// Whether a candidate is a killer of its node.
    pub(super) fn is_killer(&self, ply: usize, m: Move) -> bool {
        self.stack[ply].killers.contains(&m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_best_first_and_each_once() {
        let mut candidates = Candidates::default();
        let facts = |_| MoveFacts { mover: 3, captured: None, noisy: false };
        let list: Vec<Move> = (0..21).map(|to| Move::plain(100, to)).collect();
        // A node before it has three: the next begins with an eight of its own.
        candidates.list(0, &list[..3], facts, |_, _| RANK_LIMIT);
        let first = candidates.len();
        assert_eq!(first, 8);
        let ranks: Vec<i32> = (0..21).map(|i| [-RANK_LIMIT, 7, RANK_LIMIT, -1, i][i as usize % 5]).collect();
        candidates.list(first, &list, facts, |m, _| ranks[usize::from(m.to())]);
        let mut taken = Vec::new();
        while let Some(found) = candidates.take_best(first, first + taken.len()) {
            assert_eq!(found.rank, ranks[usize::from(found.m.to())]);
            taken.push(found);
        }
        assert!(taken.is_sorted_by_key(|found| -found.rank));
        assert_eq!(taken[0].m, list[2], "the first of equals");
        let mut moves: Vec<Move> = taken.iter().map(|found| found.m).collect();
        moves.sort_unstable();
        assert_eq!(moves, list);
        candidates.truncate(first);
        assert_eq!(candidates.len(), first);
    }
}
