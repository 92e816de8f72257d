//! How well the chain foretells games it was not fitted to.

use super::figures::{chain, drawn};
use super::{Logged, LoggedGame};
use crate::stats::Interval;
use crate::stats::bootstrap::bootstrap;
use anyhow::Result;
use engine::payoff::Matrix;
use tuner::offers::{Chain, ChainSpec, Forecast, Outlook, Terms, Utility};

/// A state is looked at every so many plies of a game.
const EVERY: u32 = 20;
/// Classes of the predicted score.
const CLASSES: usize = 10;

/// A class of predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// States in it.
    pub states: usize,
    /// Mean predicted score of White.
    pub predicted: f64,
    /// White's mean score.
    pub actual: f64,
    /// Its interval, by the bootstrap over units.
    pub interval: Interval,
}

/// Predictions against results, the chain being fitted to the units with an even place in the log and held
/// against the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Games fitted to, games held out.
    pub games: [usize; 2],
    /// Classes from White's certain loss to his certain win; empty ones are left out.
    pub classes: Vec<Class>,
    /// Mean squared error of the predictions (Brier 1950).
    pub brier: f64,
    /// The same for predicting the mean result everywhere.
    pub brier_base: f64,
    /// Share of decisive games among those that ended on the board: foretold, found.
    pub decisive: (f64, f64),
    /// Mean moves of such games: foretold, found.
    pub moves: (f64, f64),
}

/// Places of a log's units: even ones, odd ones.
pub fn halves(logged: &Logged) -> [Vec<usize>; 2] {
    let all = 0..logged.units.len();
    [all.clone().step_by(2).collect(), all.skip(1).step_by(2).collect()]
}

/// Predictions and results of a game at the states looked at.
fn states(game: &LoggedGame, forecast: &Forecast) -> Vec<(f64, f64)> {
    let Some(score) = game.score else { return Vec::new() };
    let plies = (game.trace.first..).zip(&game.trace.bins).filter(|(ply, _)| ply.is_multiple_of(EVERY));
    plies.filter_map(|(ply, &bin)| Some((forecast.score(ply, usize::from(bin))?, score))).collect()
}

/// Holds the chain of one half against the games of the other.
///
/// # Errors
/// A half without games.
pub fn fit(spec: &ChainSpec, logged: &Logged, resamples: usize, seed: u64) -> Result<Fit> {
    let [fitted, held] = halves(logged);
    let chain = chain(spec, logged, &fitted)?;
    let rule = logged.manifest.experiment.limits().move_rule;
    let forecast = Forecast::of(&chain, rule.map_or(chain.end(), |rule| rule.saturating_mul(2)));
    let class = |p: f64| ((p * CLASSES as f64) as usize).min(CLASSES - 1);
    // One list a unit, so that units can be resampled whole.
    let by_unit: Vec<Vec<(f64, f64)>> = held
        .iter()
        .map(|&unit| logged.units[unit].iter().flat_map(|game| states(game, &forecast)).collect())
        .collect();
    let mean = |numbers: &mut dyn Iterator<Item = f64>| {
        let (sum, n) = numbers.fold((0.0, 0usize), |(sum, n), x| (sum + x, n + 1));
        (n > 0).then(|| sum / n as f64)
    };
    let all = || by_unit.iter().flatten();
    let mut classes = Vec::new();
    for i in 0..CLASSES {
        let inside = |s: &&(f64, f64)| class(s.0) == i;
        let Some(predicted) = mean(&mut all().filter(inside).map(|s| s.0)) else { continue };
        let actual = |units: &[usize]| {
            let states = units.iter().flat_map(|&u| &by_unit[u]).filter(inside);
            mean(&mut states.map(|s| s.1)).unwrap_or(f64::NAN)
        };
        let Some(b) = bootstrap(held.len() as u32, resamples, seed, actual) else { continue };
        let states = all().filter(inside).count();
        classes.push(Class { states, predicted, actual: b.estimate, interval: b.percentile(0.95) });
    }
    let base = mean(&mut all().map(|s| s.1)).unwrap_or(0.5);
    let error = |p: Option<f64>| mean(&mut all().map(|s| (p.unwrap_or(s.0) - s.1).powi(2))).unwrap_or(0.0);
    let (decisive, moves) = course(&chain, logged, &held)?;
    Ok(Fit {
        games: [drawn(logged, &fitted).count(), drawn(logged, &held).count()],
        classes,
        brier: error(None),
        brier_base: error(Some(base)),
        decisive,
        moves,
    })
}

/// Decisive share and mean length without offers, foretold and found.
fn course(chain: &Chain, logged: &Logged, held: &[usize]) -> Result<((f64, f64), (f64, f64))> {
    let matrix = match &logged.manifest.experiment.payoff {
        Some(matrix) => matrix.clone(),
        None => engine::payoff::sample()?.with_move_rule(None)?,
    };
    let foretold = without_offers(chain, &matrix);
    let ended: Vec<&LoggedGame> = drawn(logged, held).filter(|game| game.score.is_some()).collect();
    let n = (ended.len() as f64).max(1.0);
    let decisive = ended.iter().filter(|game| game.score != Some(0.5)).count() as f64 / n;
    let moves = ended.iter().map(|game| f64::from(game.moves)).sum::<f64>() / n;
    Ok(((foretold.decisive, decisive), (foretold.moves, moves)))
}

fn without_offers(chain: &Chain, matrix: &Matrix) -> Outlook {
    Outlook::of(chain, Terms { matrix, utility: Utility::Own }, None)
}
