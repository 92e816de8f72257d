//! Quiescence: captures are followed until the position is quiet enough to be evaluated.

use super::node::NodeKind;
use super::order::Picker;
use super::score::{INFINITE, MATE_BOUND, MAX_PLY};
use super::table::{Bound, Found, NO_EVAL};
use super::tree::Tree;
use super::{CheckSquares, Playable};
use crate::eval::Sum;
use crate::moves::{Flag, Kind, Move};

impl<G: Playable> Tree<G> {
    /// The score of a position `beyond` plies past the nominal depth, from the view of the side to move.
    pub(super) fn quiesce<K: NodeKind>(
        &mut self,
        state: &G::State,
        sum: &Sum,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        beyond: i32,
    ) -> i32 {
        self.pv.clear(ply);
        self.deepest = self.deepest.max(ply);
        let in_check = self.in_check(state, ply);
        if let Some(score) = self.settled(state, in_check, ply) {
            return score;
        }
        if !G::CAPS.captures || self.params.quiescence == 0 || ply >= MAX_PLY - 1 {
            return self.evaluate(state, sum);
        }

        let key = self.key();
        let found = self.table.probe(key, ply);
        if let Some(found) = found
            && !K::PV
            && self.params.table != 0
            && match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.score >= beta,
                Bound::Upper => found.score <= alpha,
                Bound::None => false,
            }
        {
            return found.score;
        }

        let first_alpha = alpha;
        let (mut best, mut raw) = (-INFINITE, NO_EVAL);
        if !in_check {
            raw = match found {
                Some(found) if found.eval != NO_EVAL => found.eval,
                _ => self.evaluate(state, sum),
            };
            best = match found {
                Some(f) if f.score.abs() < MATE_BOUND && f.bound == Bound::Lower => raw.max(f.score),
                Some(f) if f.score.abs() < MATE_BOUND && f.bound == Bound::Upper => raw.min(f.score),
                _ => raw,
            };
            if best >= beta {
                if found.is_none() {
                    let stand =
                        Found { best: Move::NONE, score: best, eval: raw, depth: 0, bound: Bound::Lower };
                    self.table.store(key, ply, stand);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand = best;

        let side = self.evaluator.game().side_to_move(state);
        let table_move = self.legal_table_move(state, found);
        let first_candidate = self.candidates.len();
        let mut picker = if in_check {
            Picker::all(self, side, ply, table_move)
        } else {
            let noisy = !table_move.is_none() && self.evaluator.game().facts(state, table_move).noisy;
            Picker::noisy(self, side, ply, if noisy { table_move } else { Move::NONE })
        };
        let mut best_move = Move::NONE;
        let mut count = 0;
        while let Some(candidate) = picker.next(self, state, &CheckSquares::UNKNOWN) {
            let (m, facts) = (candidate.m, candidate.facts);
            count += 1;
            if !in_check {
                if picker.at_bad_captures() {
                    break;
                }
                // Where captures feed hands, exchanges all over the board would go on for ever: past some plies
                // only what was just moved is taken back, or the dearest. Elsewhere that costs strength.
                let wanted = || {
                    ply > 0 && m.to() == self.stack[ply - 1].target
                        || facts.captured.is_some_and(|kind| self.is_dearest(kind))
                };
                if G::CAPS.drops && self.params.pruning != 0 && beyond >= self.params.recaptures && !wanted()
                {
                    continue;
                }
                if self.params.pruning != 0 && best > -MATE_BOUND {
                    let values = self.evaluator.values();
                    let mut gain = facts.captured.map_or(0, |kind| values[kind as usize]);
                    if matches!(m.flag(), Flag::Promotion | Flag::PawningPromotion) {
                        gain += (values[m.kind() as usize] - values[facts.mover as usize]).max(0);
                    }
                    let hope = stand + gain + self.params.delta;
                    // A royal victim has no value by exchange, and is worth everything.
                    let royal = facts.captured.is_some_and(|kind| values[kind as usize] == 0);
                    if hope <= alpha && !royal {
                        best = best.max(hope.min(alpha));
                        continue;
                    }
                }
            } else if best > -MATE_BOUND && !facts.noisy {
                // One way out of check has been found: quiet ways are looked at in the main search.
                picker.skip_quiets();
                if count > 2 {
                    continue;
                }
            }
            let mut next = state.clone();
            let Some(next_sum) = self.make(&mut next, sum, side, m, facts, ply) else { break };
            let score = if self.evaluator.game().side_to_move(&next) == side {
                self.quiesce::<K>(&next, &next_sum, alpha, beta, ply + 1, beyond + 1)
            } else {
                -self.quiesce::<K>(&next, &next_sum, -beta, -alpha, ply + 1, beyond + 1)
            };
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
                        break;
                    }
                }
            }
        }
        self.candidates.truncate(first_candidate);
        if self.stopped {
            return 0;
        }
        if in_check && count == 0 {
            return self.ended(state, ply).unwrap_or(0);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > first_alpha && K::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.store(key, ply, Found { best: best_move, score: best, eval: raw, depth: 0, bound });
        best
    }

    /// Whether no kind is worth more; a piece that has no price is.
    fn is_dearest(&self, kind: Kind) -> bool {
        let values = self.evaluator.values();
        let value = values[kind as usize];
        value == 0 || values.iter().all(|&v| v <= value)
    }
}
