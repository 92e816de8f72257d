//! What a matrix does to games, each figure with an interval from the bootstrap over units.

use super::{Logged, LoggedGame};
use crate::stats::Interval;
use crate::stats::bootstrap::bootstrap;
use crate::stats::sample::{Sample, quantile};
use anyhow::{Result, anyhow};
use engine::payoff::{Band, Matrix, MilliPoints};
use tuner::offers::{Chain, ChainSpec, OPEN, Outlook, Solution, Terms, Utility, solve};

/// A matrix's figures. Points are in points of its own stake, shares are of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Expected course of games from the start.
    pub outlook: Outlook,
    /// Points to the side behind less its points under winner takes all, at the same states; nothing if no side
    /// ever is behind. A state counts once a game and band, the first time a side is behind in the band.
    pub incentive: Option<f64>,
    /// The same for each band's states alone.
    pub by_band: Vec<Option<f64>>,
}

/// The matrix that pays the whole stake for every win and else as `matrix`.
///
/// # Errors
/// None for a matrix that was checked.
pub fn winner_takes_all(matrix: &Matrix) -> Result<Matrix> {
    let mut spec = matrix.spec().clone();
    spec.name = format!("{}, winner takes all", spec.name);
    spec.bands = vec![Band { from: 1, to: spec.move_rule, winner: spec.stake, loser: MilliPoints::ZERO }];
    Ok(Matrix::new(spec)?)
}

/// Games drawn from a log by the numbers of their units.
pub(super) fn drawn<'a>(
    logged: &'a Logged,
    units: &'a [usize],
) -> impl Iterator<Item = &'a LoggedGame> + Clone {
    units.iter().filter_map(|&unit| logged.units.get(unit)).flatten()
}

/// The chain of some units of a log.
///
/// # Errors
/// No trace among them.
pub fn chain(spec: &ChainSpec, logged: &Logged, units: &[usize]) -> Result<Chain> {
    Ok(Chain::fit(spec, drawn(logged, units).map(|game| &game.trace))?)
}

impl Figures {
    /// The figures of a matrix on a chain, the states behind being those of the units drawn.
    ///
    /// # Errors
    /// None for a matrix that was checked.
    pub fn of(
        chain: &Chain,
        logged: &Logged,
        units: &[usize],
        matrix: &Matrix,
        utility: Utility,
    ) -> Result<Figures> {
        let terms = Terms { matrix, utility };
        let solution = solve(chain, terms);
        let plain = winner_takes_all(matrix)?;
        let control = solve(chain, Terms { matrix: &plain, utility });
        let outlook = Outlook::of(chain, terms, Some(&solution));
        let mut sums = vec![(0.0, 0u32); matrix.bands().len()];
        for game in drawn(logged, units) {
            first_behind(game, matrix, &solution, &control, &mut sums);
        }
        let mean = |(sum, n): (f64, u32)| (n > 0).then(|| sum / f64::from(n));
        let total = sums.iter().fold((0.0, 0), |all, band| (all.0 + band.0, all.1 + band.1));
        Ok(Figures { outlook, incentive: mean(total), by_band: sums.into_iter().map(mean).collect() })
    }

    /// The figures in a row, those that are missing as NaN: what intervals are taken of.
    fn row(&self) -> Vec<f64> {
        let o = &self.outlook;
        let mut row = vec![
            o.points[0],
            o.points[1],
            o.points[0] + o.points[1],
            o.edge(),
            self.incentive.unwrap_or(f64::NAN),
            o.offered,
            o.resigned,
            o.agreed,
            o.decisive,
            o.moves,
            o.entropy,
            o.unfinished,
        ];
        row.extend(self.by_band.iter().map(|b| b.unwrap_or(f64::NAN)));
        row
    }

    /// Names of the figures in a [`Measured`]; bands follow.
    pub const NAMES: [&str; 12] = [
        "points to White",
        "points to Black",
        "sum",
        "first player's edge",
        "incentive for the side behind",
        "games with an offer",
        "resigned",
        "draw agreed",
        "decisive",
        "moves",
        "entropy of points (bits)",
        "unfinished",
    ];
}

/// Adds what the first state behind in each band is worth more than under the control.
fn first_behind(
    game: &LoggedGame,
    matrix: &Matrix,
    solution: &Solution,
    control: &Solution,
    sums: &mut [(f64, u32)],
) {
    let mut done = None;
    for ((ply, side), &bin) in (game.trace.first..).zip(&game.behind).zip(&game.trace.bins) {
        let (Some(side), Some(band)) = (side, matrix.band_at(ply / 2 + 1)) else { continue };
        if done == Some(band) {
            continue;
        }
        let value = |s: &Solution| s.value(ply, usize::from(bin), OPEN).map(|v| v[side.index()]);
        if let (Some(ours), Some(theirs)) = (value(solution), value(control)) {
            sums[band] = (sums[band].0 + ours - theirs, sums[band].1 + 1);
            done = Some(band);
        }
    }
}

/// Figures with intervals: in the order of [`Figures::NAMES`], then the incentive by band.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The estimates from all units; NaN where no side was ever behind.
    pub estimates: Vec<f64>,
    /// 95 % percentile intervals over units.
    pub intervals: Vec<Interval>,
    /// Standard errors: the replicates' standard deviations.
    pub errors: Vec<f64>,
}

impl Measured {
    /// An estimate and its interval by name.
    pub fn get(&self, name: &str) -> Option<(f64, Interval)> {
        let at = Figures::NAMES.iter().position(|n| *n == name)?;
        Some((*self.estimates.get(at)?, *self.intervals.get(at)?))
    }

    /// The incentive by band with its standard error.
    pub fn band_errors(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let from = Figures::NAMES.len();
        self.estimates[from..].iter().copied().zip(self.errors[from..].iter().copied())
    }

    /// The incentive by band.
    pub fn bands(&self) -> impl Iterator<Item = (f64, Interval)> + '_ {
        let from = Figures::NAMES.len();
        self.estimates[from..].iter().copied().zip(self.intervals[from..].iter().copied())
    }
}

/// How figures are measured.
#[derive(Clone, Debug)]
pub struct Measure<'a> {
    /// The chain's settings.
    pub spec: &'a ChainSpec,
    /// What players maximise.
    pub utility: Utility,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// Its seed.
    pub seed: u64,
    /// Confidence of the intervals.
    pub confidence: f64,
}

impl Measure<'_> {
    /// The figures of each matrix over the units given: chain and games are resampled together, so a resample is
    /// the same for all matrices. `tick` is called after each.
    ///
    /// # Errors
    /// No trace in the units.
    pub fn all(
        &self,
        logged: &Logged,
        units: &[usize],
        matrices: &[Matrix],
        mut tick: impl FnMut(),
    ) -> Result<Vec<Measured>> {
        let mut rows: Vec<Vec<Vec<f64>>> = Vec::new();
        let mut failure = None;
        let mut one = |drawn: &[usize]| -> Result<()> {
            let drawn: Vec<usize> = drawn.iter().map(|&i| units[i]).collect();
            let chain = chain(self.spec, logged, &drawn)?;
            let figures = |m| Figures::of(&chain, logged, &drawn, m, self.utility).map(|f| f.row());
            rows.push(matrices.iter().map(figures).collect::<Result<_>>()?);
            tick();
            Ok(())
        };
        // The bootstrap is of one number; the rows beside it are what is wanted.
        let done = bootstrap(units.len() as u32, self.resamples, self.seed, |drawn| {
            failure = one(drawn).err().or(failure.take());
            0.0
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let mut rows = rows.into_iter();
        let (Some(_), Some(first)) = (done, rows.next()) else {
            return Err(anyhow!("no units to estimate from"));
        };
        let replicates: Vec<Vec<Vec<f64>>> = rows.collect();
        let tail = 0.5 - self.confidence / 2.0;
        let measured = first.into_iter().enumerate().map(|(m, estimates)| {
            let column = |i: usize| -> Vec<f64> {
                replicates.iter().map(|r| r[m][i]).filter(|v| !v.is_nan()).collect()
            };
            let interval = |i: usize| {
                let mut column = column(i);
                column.sort_by(f64::total_cmp);
                let at = |p| quantile(&column, p).unwrap_or(estimates[i]);
                Interval { lower: at(tail), upper: at(1.0 - tail) }
            };
            let intervals = (0..estimates.len()).map(interval).collect();
            let errors = (0..estimates.len()).map(|i| Sample::of(column(i)).variance.sqrt()).collect();
            Measured { estimates, intervals, errors }
        });
        Ok(measured.collect())
    }
}
