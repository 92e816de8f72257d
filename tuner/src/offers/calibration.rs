//! What the chain foretells of a game without offers: to be held against games it was not fitted to.

use super::chain::{BoardEnd, Chain};
use engine::side::Side;

/// White's expected score (a draw or an unfinished game is a half) in each state of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    first: u32,
    bins: usize,
    /// `[ply][bin]`.
    scores: Vec<f64>,
}

impl Forecast {
    /// Foretells games that end at ply `end` at the latest.
    pub fn of(chain: &Chain, end: u32) -> Forecast {
        let (first, bins) = (chain.first().min(end), chain.bins().count());
        let mut scores = vec![0.5; ((end - first) as usize + 1) * bins];
        for ply in (first..end).rev() {
            let at = (ply - first) as usize * bins;
            let (now, later) = scores.split_at_mut(at + bins);
            for bin in 0..bins {
                let (to_bins, to_ends) = chain.next(ply, bin);
                let on = to_bins.iter().zip(&*later).map(|(p, score)| p * score).sum::<f64>();
                let over = BoardEnd::ALL.into_iter().zip(to_ends).map(|(end, p)| match end {
                    BoardEnd::Win(Side::White) => *p,
                    BoardEnd::Win(Side::Black) => 0.0,
                    BoardEnd::Stalemate | BoardEnd::Draw => p / 2.0,
                });
                now[at + bin] = on + over.sum::<f64>();
            }
        }
        Forecast { first, bins, scores }
    }

    /// White's expected score in a state; nothing for a ply that the chain does not have.
    pub fn score(&self, ply: u32, bin: usize) -> Option<f64> {
        let ply = ply.checked_sub(self.first)? as usize;
        (bin < self.bins).then(|| self.scores.get(ply * self.bins + bin).copied()).flatten()
    }
}
