//! Principal variation search below the root.

use super::Playable;
use super::history::Arrival;
use super::order::Picker;
use super::score::{INFINITE, MATE, MATE_BOUND, MAX_PLY};
use super::table::{Bound, Found, NO_EVAL};
use super::tree::Tree;
use crate::eval::Sum;
use crate::game::MoveFacts;
use crate::moves::Move;
use crate::outcome::{GameResult, Termination};
use crate::side::Side;

/// Whether a node lies on a line that may become the principal variation: known when compiling.
pub(super) trait NodeKind {
    /// Whether it may.
    const PV: bool;
}

/// A node searched with an open window.
pub(super) struct Pv;
/// A node searched with a window of nothing, to see on which side of it the score lies.
pub(super) struct NonPv;

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const PV: bool = false;
}

/// A window and how deep to look.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    /// Whether the node is expected to fail high.
    pub cut: bool,
}

impl<G: Playable> Tree<G> {
    /// Searches the position a move led to, from the view of `mover`, who made it. The same side may be to
    /// move again: scores are negated only when it is not.
    #[inline]
    pub(super) fn child<K: NodeKind>(
        &mut self,
        mover: Side,
        state: &G::State,
        sum: &Sum,
        window: Window,
        ply: usize,
    ) -> i32 {
        let Window { alpha, beta, .. } = window;
        if self.evaluator.game().side_to_move(state) == mover {
            self.descend::<K>(state, sum, window, ply)
        } else {
            -self.descend::<K>(state, sum, Window { alpha: -beta, beta: -alpha, ..window }, ply)
        }
    }

    /// Searches a node, or where no depth is left, quiescence: told apart before either is entered.
    #[inline(always)]
    fn descend<K: NodeKind>(&mut self, state: &G::State, sum: &Sum, window: Window, ply: usize) -> i32 {
        match window.depth > 0 {
            true => self.node::<K>(state, sum, window, ply),
            false => self.quiesce::<K>(state, sum, window.alpha, window.beta, ply, 0),
        }
    }

    /// The last two arrivals before the move to be made at `ply`.
    #[inline]
    pub(super) fn earlier(&self, ply: usize) -> [Arrival; 2] {
        let before = |n: usize| ply.checked_sub(n).map_or(0, |p| self.stack[p].arrival);
        [before(1), before(2)]
    }

    /// Whether the side to move is in check after what was played at the ply before, which may know.
    #[inline(always)]
    pub(super) fn in_check(&self, state: &G::State, ply: usize) -> bool {
        G::CAPS.check && self.stack[ply - 1].checks.unwrap_or_else(|| self.evaluator.game().in_check(state))
    }

    /// The score of a position that is decided or drawn without looking further, if it is.
    #[inline(always)]
    pub(super) fn settled(&mut self, state: &G::State, in_check: bool, ply: usize) -> Option<i32> {
        let game = self.evaluator.game();
        if !G::CAPS.check
            && let Some(score) = self.ended(state, ply)
        {
            return Some(score);
        }
        if self.stack[ply - 1].captured && game.is_dead(state) {
            return Some(0);
        }
        if self.repeats(state, ply) {
            return Some(0);
        }
        if let Some(plies) = G::CAPS.fifty_move_plies
            && game.clocks(state).0 >= plies
        {
            // A checkmate given on that very ply comes first.
            return Some(if in_check { self.ended(state, ply).unwrap_or(0) } else { 0 });
        }
        None
    }

    /// The score of a position that is over by itself, from the view of the side to move.
    pub(super) fn ended(&self, state: &G::State, ply: usize) -> Option<i32> {
        let game = self.evaluator.game();
        let ending = game.ending(state)?;
        let side = game.side_to_move(state);
        Some(match ending.result {
            GameResult::Win(winner) if winner == side => MATE - ply as i32,
            GameResult::Win(_) => ply as i32 - MATE,
            _ if ending.termination == Termination::Stalemate => -self.params.stalemate,
            _ => 0,
        })
    }

    /// Whether the position has occurred before: once since the search began, or twice in all.
    fn repeats(&self, state: &G::State, ply: usize) -> bool {
        let Some((&key, before)) = self.keys.split_last() else { return false };
        let span = match G::CAPS.clock_bounds_repetition {
            true => before.len().min(usize::from(self.evaluator.game().clocks(state).0)),
            false => before.len(),
        };
        let mut seen = false;
        for (distance, &earlier) in (1..).zip(before[before.len() - span..].iter().rev()) {
            if earlier == key {
                if seen || distance < ply {
                    return true;
                }
                seen = true;
            }
        }
        false
    }

    /// The evaluation from the side to move's view, fading as a draw by the move count comes near.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, state: &G::State, sum: &Sum) -> i32 {
        let key = self.evaluator.game().key(state);
        let mut score = match self.scores.get(key) {
            Some(score) => score,
            None => self.evaluate_afresh(state, sum, key),
        };
        if let Some(plies) = G::CAPS.fifty_move_plies {
            let clock = i32::from(self.evaluator.game().clocks(state).0.min(plies));
            let full = 2 * i32::from(plies);
            score = score * (full - clock) / full;
        }
        if self.noise.deviation != 0 {
            score += self.noise.error(key);
        }
        score.clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    /// The evaluation of a position that was not met lately.
    #[inline(never)]
    fn evaluate_afresh(&mut self, state: &G::State, sum: &Sum, key: u64) -> i32 {
        let score = self.evaluator.score_remembering(state, sum, &mut self.pawns);
        self.scores.put(key, score);
        score
    }

    /// Searches a position from the view of the side to move, at least one ply deep; fail-soft.
    fn node<K: NodeKind>(&mut self, state: &G::State, sum: &Sum, window: Window, ply: usize) -> i32 {
        self.pv.clear(ply);
        self.deepest = self.deepest.max(ply);
        let Window { mut alpha, mut beta, mut depth, cut } = window;
        let side = self.evaluator.game().side_to_move(state);
        let in_check = self.in_check(state, ply);
        if let Some(score) = self.settled(state, in_check, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(state, sum);
        }
        // No line from here can be better than winning at once or worse than having lost.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }

        let key = self.key();
        let found = self.table.probe(key, ply);
        if let Some(found) = found
            && !K::PV
            && self.params.table != 0
            && found.depth >= depth
            && match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.score >= beta,
                Bound::Upper => found.score <= alpha,
                Bound::None => false,
            }
        {
            return found.score;
        }
        let table_move = self.legal_table_move(state, found);

        let raw = match found {
            _ if in_check => NO_EVAL,
            Some(found) if found.eval != NO_EVAL => found.eval,
            _ => self.evaluate(state, sum),
        };
        self.stack[ply].eval = raw;
        let improving = !in_check && ply >= 2 && raw > self.stack[ply - 2].eval;
        // A score from the table says more than the evaluation, on the side that its bound allows.
        let eval = match found {
            Some(f) if !in_check && f.score.abs() < MATE_BOUND => match f.bound {
                Bound::Exact => f.score,
                Bound::Lower => raw.max(f.score),
                Bound::Upper => raw.min(f.score),
                Bound::None => raw,
            },
            _ => raw,
        };
        self.stack[ply + 1].killers = [Move::NONE; 2];

        if self.params.reductions != 0 && depth >= 4 && table_move.is_none() && (K::PV || cut) {
            depth -= 1;
        }
        if !K::PV
            && !in_check
            && let Some(score) =
                self.prune_node(state, sum, Window { alpha, beta, depth, cut }, ply, eval, improving)
        {
            return score;
        }

        let (mut best, mut best_move) = (-INFINITE, Move::NONE);
        let (first_candidate, first_tried) = (self.candidates.len(), self.tried.len());
        let mut picker = Picker::all(self, side, ply, table_move);
        let check_squares = self.evaluator.game().check_squares(state);
        let (mut count, first_alpha) = (0, alpha);
        while let Some(candidate) = picker.next(self, state, &check_squares) {
            let (m, facts) = (candidate.m, candidate.facts);
            count += 1;
            let mut reduction = self.reduction(depth, count);
            let checks = self.evaluator.game().gives_check_from(state, &check_squares, m, facts);
            if self.params.pruning != 0 && best > -MATE_BOUND && !K::PV && !checks {
                let late = self.params.late_moves + depth * depth;
                if !facts.noisy {
                    let reached = (depth - reduction / 100).max(0);
                    let hopeless = !in_check
                        && reached <= 8
                        && raw + self.params.futility_base + self.params.futility * reached <= alpha;
                    if hopeless || count > (if improving { late } else { late / 2 }) {
                        if self.params.checks != 0 {
                            picker.skip_to_checks::<G>();
                        } else {
                            picker.skip_quiets();
                        }
                        continue;
                    }
                    if depth <= 5 && candidate.rank < -self.params.history_pruning * depth {
                        continue;
                    }
                    if !self.exchange_at_least(state, m, -self.params.exchange_quiet * reached) {
                        continue;
                    }
                } else if picker.at_bad_captures()
                    && depth <= 6
                    && !self.exchange_at_least(state, m, -self.params.exchange_noisy * depth)
                {
                    continue;
                }
            }

            let mut next = state.clone();
            let Some(next_sum) = self.make(&mut next, sum, side, m, facts, ply) else { break };
            self.stack[ply].checks = Some(checks);
            let extend = checks && self.params.extensions != 0 && ply < 2 * self.root_depth;
            let new_depth = depth - 1 + i32::from(extend);
            let narrow = Window { alpha, beta: alpha + 1, depth: new_depth, cut: !cut };
            let mut score = alpha + 1;
            if depth >= 2 && count > 1 + 2 * i32::from(K::PV) && self.params.reductions != 0 {
                if facts.noisy {
                    reduction = if picker.at_bad_captures() { reduction / 2 } else { 0 };
                } else {
                    reduction -= 100 * (candidate.rank.min(16_384) / self.params.reduction_history.max(1));
                    reduction -= 100 * i32::from(self.is_killer(ply, m));
                }
                reduction += 100 * i32::from(cut) + 50 * i32::from(!improving)
                    - 100 * i32::from(K::PV)
                    - 100 * i32::from(checks || in_check);
                let reduced = (new_depth - reduction / 100).clamp(1, new_depth.max(1));
                score = self.child::<NonPv>(
                    side,
                    &next,
                    &next_sum,
                    Window { depth: reduced, cut: true, ..narrow },
                    ply + 1,
                );
                if score > alpha && reduced < new_depth {
                    score = self.child::<NonPv>(side, &next, &next_sum, narrow, ply + 1);
                }
            } else if !K::PV || count > 1 {
                score = self.child::<NonPv>(side, &next, &next_sum, narrow, ply + 1);
            }
            if K::PV && (count == 1 || score > alpha) {
                let open = Window { alpha, beta, depth: new_depth, cut: false };
                score = self.child::<Pv>(side, &next, &next_sum, open, ply + 1);
            }
            self.keys.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = m;
                    if K::PV {
                        self.pv.extend(ply, m);
                    }
                    if score >= beta {
                        self.reward(side, m, facts, depth, ply, first_tried);
                        break;
                    }
                }
            }
            self.tried.push((m, facts));
        }
        self.candidates.truncate(first_candidate);
        self.tried.truncate(first_tried);
        if self.stopped {
            return 0;
        }
        if count == 0 {
            return self.ended(state, ply).unwrap_or(0);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > first_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.store(key, ply, Found { best: best_move, score: best, eval: raw, depth, bound });
        best
    }

    /// Gives a node up without trying its moves, where static evaluation decides it.
    fn prune_node(
        &mut self,
        state: &G::State,
        sum: &Sum,
        window: Window,
        ply: usize,
        eval: i32,
        improving: bool,
    ) -> Option<i32> {
        if self.params.pruning == 0 {
            return None;
        }
        let Window { alpha, beta, depth, .. } = window;
        let margin = self.params.reverse_futility * (depth - i32::from(improving)).max(0);
        if depth <= self.params.reverse_futility_depth && eval - margin >= beta && eval < MATE_BOUND {
            return Some((eval + beta) / 2);
        }
        let hopeless = self.params.razoring * (depth * depth + 1);
        if G::CAPS.captures && depth <= 3 && eval + hopeless <= alpha {
            let score = self.quiesce::<NonPv>(state, sum, alpha, alpha + 1, ply, 0);
            if self.stopped || score <= alpha {
                return Some(score);
            }
            self.pv.clear(ply);
        }
        None
    }

    /// Makes a move in `next`, a copy of the position, if the node limit allows one more.
    #[inline]
    pub(super) fn make(
        &mut self,
        next: &mut G::State,
        sum: &Sum,
        side: Side,
        m: Move,
        facts: MoveFacts,
        ply: usize,
    ) -> Option<Sum> {
        if !self.enter() {
            return None;
        }
        let mut watcher = self.evaluator.watch(*sum);
        self.evaluator.game().play(next, m, &mut watcher);
        let sum = watcher.sum;
        self.keys.push(self.evaluator.game().key(next));
        let frame = &mut self.stack[ply];
        frame.arrival = self.history.arrival(side, facts.mover, m);
        frame.captured = facts.captured.is_some();
        frame.target = m.to();
        frame.checks = None;
        Some(sum)
    }

    /// The table's move, if it is legal here: two positions may share a key.
    pub(super) fn legal_table_move(&mut self, state: &G::State, found: Option<Found>) -> Move {
        match found {
            Some(Found { best, .. }) if !best.is_none() => {
                self.list.clear();
                if self.evaluator.game().is_legal(state, best, &mut self.list) { best } else { Move::NONE }
            }
            _ => Move::NONE,
        }
    }

    pub(super) fn exchange_at_least(&self, state: &G::State, m: Move, threshold: i32) -> bool {
        self.evaluator.game().exchange_at_least(state, m, self.evaluator.values(), threshold)
    }

    /// Remembers that `m` cut, and that what was tried before it did not.
    fn reward(&mut self, side: Side, m: Move, facts: MoveFacts, depth: i32, ply: usize, first_tried: usize) {
        let bonus = 16 * depth * depth + 32 * depth;
        let earlier = self.earlier(ply);
        if facts.noisy {
            self.history.update_noisy(facts, m, bonus);
        } else {
            let killers = &mut self.stack[ply].killers;
            if killers[0] != m {
                *killers = [m, killers[0]];
            }
            self.history.update_quiet(side, facts.mover, m, earlier, bonus);
        }
        for i in first_tried..self.tried.len() {
            let (other, other_facts) = self.tried[i];
            if other_facts.noisy {
                self.history.update_noisy(other_facts, other, -bonus);
            } else if !facts.noisy {
                self.history.update_quiet(side, other_facts.mover, other, earlier, -bonus);
            }
        }
    }
}
