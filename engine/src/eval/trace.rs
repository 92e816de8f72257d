//! An evaluation as the tuner sees it: which weights it uses, and how often.

use super::{Accumulator, Evaluate, Evaluator, ONE, Standard, all_terms};
use crate::side::Side;

/// How often each weight counts in one position, White's occurrences less Black's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// (weight, occurrences in units of 1 / [`ONE`]), by weight, none zero.
    pub counts: Vec<(u32, i32)>,
    /// The phase: [`ONE`] is all middle game, 0 all endgame.
    pub phase: i32,
}

impl Trace {
    /// The trace of a position.
    pub fn of<G: Evaluate>(evaluator: &Evaluator<G>, standard: &Standard, state: &G::State) -> Trace {
        let mut trace = Trace { counts: Vec::new(), phase: evaluator.phase(&evaluator.sum(state)) };
        all_terms(evaluator.game(), standard, state, &mut trace);
        trace.counts.sort_unstable();
        trace.counts.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        trace.counts.retain(|&(_, n)| n != 0);
        trace
    }

    /// The score it gives with `weights` (middle game, endgame), from White's view, centipawns: the
    /// evaluation before rounding.
    pub fn score(&self, weights: &[(f64, f64)]) -> f64 {
        let phase = f64::from(self.phase) / f64::from(ONE);
        let whole = |&(weight, n): &(u32, i32)| {
            let (mg, eg) = weights[weight as usize];
            (mg * phase + eg * (1.0 - phase)) * f64::from(n) / f64::from(ONE)
        };
        self.counts.iter().map(whole).sum()
    }
}

impl Accumulator for Trace {
    fn add_fraction(&mut self, term: usize, side: Side, n: i32) {
        self.counts.push((term as u32, side.sign() * n));
    }
}
