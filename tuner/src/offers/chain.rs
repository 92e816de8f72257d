//! The Markov chain that logged games are taken to be drawn from.

use super::{Bins, OffersError, move_number, mover};
use engine::side::Side;
use std::collections::BTreeMap;

/// How a game ends on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardEnd {
    /// A side wins.
    Win(Side),
    /// The side that moved last stalemates the other.
    Stalemate,
    /// Any other draw.
    Draw,
}

impl BoardEnd {
    /// How many there are, each with a column after the bins'.
    pub(super) const COUNT: usize = 4;
    /// All of them, in the order of their columns.
    pub(super) const ALL: [BoardEnd; Self::COUNT] =
        [BoardEnd::Win(Side::White), BoardEnd::Win(Side::Black), BoardEnd::Stalemate, BoardEnd::Draw];

    fn column(self) -> usize {
        match self {
            BoardEnd::Win(side) => side.index(),
            BoardEnd::Stalemate => 2,
            BoardEnd::Draw => 3,
        }
    }
}

/// One logged game: the bin of the evaluation before each move, from the first move that has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Ply of the first bin, counted from White's first move (0).
    pub first: u32,
    /// Bins, one a ply.
    pub bins: Vec<u8>,
    /// What followed the last of them; `None` where the log does not know (an accepted offer, a limit, a fault).
    pub end: Option<BoardEnd>,
}

/// What the estimate rests on besides the games.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainSpec {
    /// Classes of evaluations.
    pub bins: Bins,
    /// Full moves over which the chain keeps its probabilities.
    pub bucket_moves: u32,
    /// Weight, in observations, of what was found in the bucket before (in the first: over all plies).
    pub prior: f64,
}

impl Default for ChainSpec {
    fn default() -> ChainSpec {
        ChainSpec { bins: Bins::default(), bucket_moves: 8, prior: 10.0 }
    }
}

/// Probabilities of the next bin or the ending, by bucket of moves, side to move and bin.
///
/// Estimated from frequencies, each bucket shrunk to the one before it, so that thinly visited late moves
/// inherit from earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    bins: Bins,
    bucket_moves: u32,
    buckets: usize,
    /// `[bucket][side][bin][bins, then endings]`.
    probabilities: Vec<f64>,
    /// (ply, bin, share of games that start there).
    starts: Vec<(u32, usize, f64)>,
    end: u32,
}

impl Chain {
    /// Estimates the chain; a trace may be given more than once (a resample).
    ///
    /// # Errors
    /// [`OffersError::NoTraces`] if no trace has a bin, [`OffersError::EmptyBucket`].
    pub fn fit<'a>(
        spec: &ChainSpec,
        traces: impl IntoIterator<Item = &'a Trace> + Clone,
    ) -> Result<Chain, OffersError> {
        let bins = spec.bins.count();
        if spec.bucket_moves == 0 {
            return Err(OffersError::EmptyBucket);
        }
        let end = traces.clone().into_iter().map(|t| t.first + t.bins.len() as u32).max().unwrap_or(0);
        let mut chain = Chain {
            bins: spec.bins.clone(),
            bucket_moves: spec.bucket_moves,
            buckets: end.div_ceil(2 * spec.bucket_moves).max(1) as usize,
            probabilities: Vec::new(),
            starts: Vec::new(),
            end,
        };
        let columns = bins + BoardEnd::COUNT;
        let mut counts = vec![0.0; chain.buckets * 2 * bins * columns];
        let mut starts = BTreeMap::new();
        let mut games = 0.0;
        for trace in traces {
            let Some(&first) = trace.bins.first() else { continue };
            games += 1.0;
            *starts.entry((trace.first, usize::from(first))).or_insert(0.0) += 1.0;
            let next = trace.bins.iter().skip(1).map(|&bin| Some(usize::from(bin)));
            let last = trace.end.map(|end| bins + end.column());
            for ((ply, &bin), column) in (trace.first..).zip(&trace.bins).zip(next.chain([last])) {
                if let Some(column) = column {
                    counts[chain.row(ply, usize::from(bin)) + column] += 1.0;
                }
            }
        }
        if games == 0.0 {
            return Err(OffersError::NoTraces);
        }
        chain.starts = starts.into_iter().map(|((ply, bin), n)| (ply, bin, n / games)).collect();
        chain.shrink(&mut counts, spec.prior);
        chain.probabilities = counts;
        Ok(chain)
    }

    /// From counts to probabilities.
    fn shrink(&self, counts: &mut [f64], prior: f64) {
        let (bins, columns) = (self.bins.count(), self.bins.count() + BoardEnd::COUNT);
        let block = 2 * bins * columns;
        let mut before = vec![0.0; block];
        for bucket in counts.chunks(block) {
            for (sum, n) in before.iter_mut().zip(bucket) {
                *sum += n;
            }
        }
        for (index, row) in before.chunks_mut(columns).enumerate() {
            let total: f64 = row.iter().sum();
            if total > 0.0 {
                row.iter_mut().for_each(|n| *n /= total);
            } else {
                // Nothing was ever seen to follow: the evaluation stays where it is.
                row[index % bins] = 1.0;
            }
        }
        for bucket in counts.chunks_mut(block) {
            for (row, before) in bucket.chunks_mut(columns).zip(before.chunks_mut(columns)) {
                let weight = row.iter().sum::<f64>() + prior;
                if weight > 0.0 {
                    for (n, p) in row.iter_mut().zip(before.iter_mut()) {
                        *n = (*n + prior * *p) / weight;
                        *p = *n;
                    }
                } else {
                    row.copy_from_slice(before);
                }
            }
        }
    }

    fn row(&self, ply: u32, bin: usize) -> usize {
        let bucket = ((move_number(ply) - 1) / self.bucket_moves) as usize;
        let bins = self.bins.count();
        let row = (bucket.min(self.buckets - 1) * 2 + mover(ply).index()) * bins + bin;
        row * (bins + BoardEnd::COUNT)
    }

    /// Probabilities of what follows a ply: each bin, then White wins, Black wins, stalemate, other draw.
    pub fn next(&self, ply: u32, bin: usize) -> (&[f64], &[f64]) {
        let (row, bins) = (self.row(ply, bin), self.bins.count());
        self.probabilities[row..row + bins + BoardEnd::COUNT].split_at(bins)
    }

    /// Where games start: (ply, bin, share).
    pub fn starts(&self) -> &[(u32, usize, f64)] {
        &self.starts
    }

    /// First ply at which a game can start.
    pub fn first(&self) -> u32 {
        self.starts.iter().map(|s| s.0).min().unwrap_or(0)
    }

    /// The ply after the last one that any logged game has.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Classes of evaluations.
    pub fn bins(&self) -> &Bins {
        &self.bins
    }
}
