//! The search for a matrix: bands and prices on a grid, chosen on one half of a log and valued on the other.

use super::Logged;
use super::figures::{Figures, chain};
use anyhow::{Result, anyhow, bail};
use engine::payoff::{Band, Matrix, MilliPoints};
use tuner::offers::{ChainSpec, Utility};

/// How much a designer cares: per hundredth of the stake, per hundredth of games, per move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Incentive for the side behind.
    pub incentive: f64,
    /// Decisive share.
    pub decisive: f64,
    /// Length; negative for short games.
    pub length: f64,
}

impl Weights {
    /// Reads `incentive=1,decisive=1,length=-0.5`; what is left out is 0.
    ///
    /// # Errors
    /// An unknown name, a value that is no number.
    pub fn parse(text: &str) -> Result<Weights> {
        let mut weights = Weights { incentive: 0.0, decisive: 0.0, length: 0.0 };
        for part in text.split(',') {
            let number =
                part.split_once('=').and_then(|(name, n)| Some((name.trim(), n.trim().parse().ok()?)));
            let number = number.filter(|(_, n): &(&str, f64)| n.is_finite());
            match number {
                Some(("incentive", n)) => weights.incentive = n,
                Some(("decisive", n)) => weights.decisive = n,
                Some(("length", n)) => weights.length = n,
                _ => bail!(
                    "`{part}` is no weight, expected incentive=N, decisive=N or length=N, joined by commas"
                ),
            }
        }
        Ok(weights)
    }

    /// The objective that is greater for better matrices.
    pub fn score(&self, goals: &Goals) -> f64 {
        self.incentive * goals.incentive + self.decisive * goals.decisive + self.length * goals.moves
    }
}

/// What a matrix comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goals {
    /// Incentive for the side behind in hundredths of the stake.
    pub incentive: f64,
    /// Decisive games in hundredths.
    pub decisive: f64,
    /// Full moves.
    pub moves: f64,
}

impl Goals {
    fn of(figures: &Figures, matrix: &Matrix) -> Goals {
        Goals {
            incentive: figures.incentive.unwrap_or(0.0) * 100.0 / matrix.spec().stake.to_f64(),
            decisive: figures.outlook.decisive * 100.0,
            moves: figures.outlook.moves,
        }
    }

    /// Whether it is at least as good as `other` in all three, shorter being better, and better in one.
    fn beats(&self, other: &Goals) -> bool {
        let gains =
            [self.incentive - other.incentive, self.decisive - other.decisive, other.moves - self.moves];
        gains.iter().all(|g| *g >= 0.0) && gains.iter().any(|g| *g > 0.0)
    }
}

/// A matrix of the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The matrix.
    pub matrix: Matrix,
    /// Its shape in words.
    pub shape: String,
    /// On the half it was chosen on.
    pub chosen: Goals,
}

/// First edges of the grid, in moves.
const EDGES: [u32; 8] = [25, 30, 35, 40, 45, 50, 55, 60];
/// Widths of the bands after the first, in moves.
const WIDTHS: [u32; 4] = [10, 15, 20, 25];
/// Prices of the first band below the stake, and falls from band to band, in twenty-fourths of the stake: half
/// points of twelve.
const FIRST: [u32; 3] = [0, 2, 4];
const STEPS: [u32; 4] = [1, 2, 3, 4];

/// The grid around a matrix: its stake, its other endings, its lowest price of a win.
///
/// # Errors
/// A move rule so early that no grid fits, or none.
pub fn grid(base: &Matrix) -> Result<Vec<(Matrix, String)>> {
    let spec = base.spec();
    let stake = spec.stake.milli();
    let floor = base.bands().last().map_or(stake, |band| band.winner.milli());
    let Some(limit) = spec.move_rule else {
        bail!("matrix {} has no move rule; the search needs one to know where the last band ends", spec.name);
    };
    let mut matrices = Vec::new();
    for edge in EDGES.into_iter().filter(|&edge| edge < limit) {
        for width in WIDTHS {
            for below in FIRST {
                for step in STEPS {
                    let first = stake - stake * below / 24;
                    let fall = stake * step / 24;
                    let mut bands = Vec::new();
                    let (mut from, mut to, mut price) = (1, edge, first.max(floor));
                    loop {
                        let last = to >= limit || price <= floor;
                        let to_points = |milli| {
                            MilliPoints::from_milli(milli).ok_or_else(|| anyhow!("{milli} milli-points"))
                        };
                        let end = if last { limit } else { to };
                        let (winner, loser) = (to_points(price)?, to_points(stake - price)?);
                        bands.push(Band { from, to: Some(end), winner, loser });
                        if last {
                            break;
                        }
                        (from, to, price) = (to + 1, to + width, price.saturating_sub(fall).max(floor));
                    }
                    let points = |milli: u32| f64::from(milli) / 1000.0;
                    let shape = format!(
                        "first band to {edge} at {}, then every {width} moves {} less",
                        points(first),
                        points(fall)
                    );
                    let mut spec = spec.clone();
                    (spec.bands, spec.reconstructed) = (bands, false);
                    matrices.push((Matrix::new(spec)?, shape));
                }
            }
        }
    }
    Ok(matrices)
}

/// The matrices of the grid, the best by `weights` first, as they do on the units given.
///
/// # Errors
/// No trace in the units.
pub fn search(
    spec: &ChainSpec,
    logged: &Logged,
    units: &[usize],
    grid: Vec<(Matrix, String)>,
    utility: Utility,
    weights: &Weights,
) -> Result<Vec<Candidate>> {
    let chain = chain(spec, logged, units)?;
    let valued = |(matrix, shape): (Matrix, String)| {
        let figures = Figures::of(&chain, logged, units, &matrix, utility)?;
        let chosen = Goals::of(&figures, &matrix);
        Ok(Candidate { matrix, shape, chosen })
    };
    let mut candidates: Vec<Candidate> = grid.into_iter().map(valued).collect::<Result<_>>()?;
    candidates.sort_by(|a, b| weights.score(&b.chosen).total_cmp(&weights.score(&a.chosen)));
    Ok(candidates)
}

/// Those that no other beats, in the order given.
pub fn front(candidates: &[Candidate]) -> Vec<&Candidate> {
    let beaten = |c: &Candidate| candidates.iter().any(|other| other.chosen.beats(&c.chosen));
    candidates.iter().filter(|c| !beaten(c)).collect()
}

/// What a matrix comes to on some units.
///
/// # Errors
/// No trace in the units.
pub fn goals(
    spec: &ChainSpec,
    logged: &Logged,
    units: &[usize],
    matrix: &Matrix,
    utility: Utility,
) -> Result<Goals> {
    let chain = chain(spec, logged, units)?;
    Ok(Goals::of(&Figures::of(&chain, logged, units, matrix, utility)?, matrix))
}
