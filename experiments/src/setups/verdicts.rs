//! What a table of set-ups decides: whether every start is balanced, and whether setting up second is worth something.

use crate::stats::equivalence::{Margins, tost_z};
use crate::stats::multiple::holm;
use crate::stats::{Interval, Verdict, normal_cdf, normal_quantile, two_sided_z};
use anyhow::Result;
use tuner::setups::{Half, Relocation, Table};

/// How the table's cells compare with their common mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// Whether each start's score is within the margin of the mean over all starts.
    pub verdict: Verdict,
    /// Starts shown to be within the margin, corrected for the number of starts.
    pub within: usize,
    /// Starts shown to be outside it, likewise.
    pub outside: usize,
    /// Starts.
    pub starts: usize,
    /// The mean over the starts, each counting the same.
    pub mean: f64,
    /// The start farthest from it.
    pub farthest: (usize, usize),
    /// Its difference from the mean.
    pub difference: f64,
    /// The 95 % interval of that difference, taken as if the start had been named before.
    pub interval: Interval,
    /// Games of each start that would probably (80 %) show all to be within, if in truth all are alike.
    pub games_needed: u64,
}

/// Tests each of `cells` against the mean of all: two one-sided tests (Schuirmann 1987), Holm's correction over the
/// cells at `level` for the whole. Nothing if a cell has fewer than two units.
///
/// # Errors
/// A margin that is none.
pub fn balance(
    table: &Table,
    cells: &[(usize, usize)],
    half: Half,
    margin: f64,
    level: f64,
) -> Result<Option<Balance>> {
    let margins = Margins::new(-margin, margin)?;
    let k = cells.len() as f64;
    let mut means = Vec::new();
    let mut errors = Vec::new();
    let mut units = 0;
    for &cell in cells {
        let sample = crate::stats::sample::Sample::of(table.units(cell, half));
        if sample.n < 2 {
            return Ok(None);
        }
        means.push(sample.mean);
        errors.push(sample.variance / sample.n as f64);
        units += sample.n;
    }
    if cells.is_empty() {
        return Ok(None);
    }
    let mean = means.iter().sum::<f64>() / k;
    let all: f64 = errors.iter().sum::<f64>() / (k * k);
    // A cell is itself part of the mean: its weight in the difference is 1 - 1/k.
    let error = |i: usize| (errors[i] * (1.0 - 2.0 / k) + all).max(0.0).sqrt();
    let inside: Vec<f64> =
        (0..cells.len()).map(|i| tost_z(means[i] - mean, error(i), margins).p_value()).collect();
    let beyond: Vec<f64> = (0..cells.len())
        .map(|i| if error(i) > 0.0 { normal_cdf((margin - (means[i] - mean).abs()) / error(i)) } else { 1.0 })
        .collect();
    let below = |p: Vec<f64>| holm(&p).into_iter().filter(|p| *p <= level).count();
    let (within, outside) = (below(inside), below(beyond));
    let farthest = (0..cells.len())
        .max_by(|&a, &b| (means[a] - mean).abs().total_cmp(&(means[b] - mean).abs()))
        .unwrap_or(0);
    let difference = means[farthest] - mean;
    let reach = two_sided_z(0.95) * error(farthest);
    // Each of k tests on both sides of the margin has to come out right.
    let z = normal_quantile(1.0 - level / k) + normal_quantile(1.0 - 0.2 / (2.0 * k));
    let now = (0..cells.len()).map(error).fold(0.0, f64::max);
    let games_needed = (units as f64 / k * (z * now / margin).powi(2)).ceil() as u64;
    let verdict = match (within == cells.len(), outside > 0) {
        (true, _) => Verdict::Supported,
        (_, true) => Verdict::Refuted,
        _ => Verdict::Undecided,
    };
    Ok(Some(Balance {
        verdict,
        within,
        outside,
        starts: cells.len(),
        mean,
        farthest: cells[farthest],
        difference,
        interval: Interval { lower: difference - reach, upper: difference + reach },
        games_needed,
    }))
}

/// Whether setting up second with knowledge is worth more than setting up at random: one-sided z tests of the gain
/// at `level` each way, on the half that nothing was chosen by.
pub fn choice(found: &Relocation, level: f64) -> (Verdict, Interval, f64) {
    let z = if found.gain_error > 0.0 { found.gain / found.gain_error } else { 0.0 };
    let p = normal_cdf(-z);
    let verdict = if p <= level {
        Verdict::Supported
    } else if normal_cdf(z) <= level {
        Verdict::Refuted
    } else {
        Verdict::Undecided
    };
    let reach = two_sided_z(0.95) * found.gain_error;
    (verdict, Interval { lower: found.gain - reach, upper: found.gain + reach }, p)
}

/// A verdict that has to hold whatever unfinished games would have come to.
pub fn both_ways(verdicts: &[Verdict]) -> Verdict {
    match verdicts.split_first() {
        Some((first, rest)) if rest.iter().all(|v| v == first) => *first,
        _ => Verdict::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn table(odd: f64, units: usize, seed: u64) -> Table {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut table = Table::new(3, 4);
        for cell in table.cells() {
            let p = if cell == (1, 2) { 0.5 + odd } else { 0.5 };
            (0..units).for_each(|_| table.push(cell, f64::from(u8::from(rng.random_bool(p)))));
        }
        table
    }

    fn judged(odd: f64, units: usize, seed: u64) -> Balance {
        let table = table(odd, units, seed);
        balance(&table, &table.cells(), Half::Both, 0.06, 0.05).unwrap().unwrap()
    }

    #[test]
    fn like_starts_are_balanced_when_there_are_games_enough_and_undecided_before() {
        let few = judged(0.0, 100, 1);
        assert_eq!((few.verdict, few.starts), (Verdict::Undecided, 12));
        // What it asks for is enough, and a third of that is not.
        assert!((1000..4000).contains(&few.games_needed), "{}", few.games_needed);
        let enough = judged(0.0, few.games_needed as usize, 2);
        assert_eq!((enough.verdict, enough.within), (Verdict::Supported, 12));
        assert_eq!(judged(0.0, few.games_needed as usize / 3, 3).verdict, Verdict::Undecided);
    }

    #[test]
    fn one_start_that_is_far_off_refutes() {
        let found = judged(0.2, 2000, 4);
        assert_eq!((found.verdict, found.outside, found.farthest), (Verdict::Refuted, 1, (1, 2)));
        assert!(found.interval.contains(0.2 * 11.0 / 12.0), "{:?}", found.interval);
    }

    /// Twelve starts on the very margin: none may be called balanced more often than the level says.
    #[test]
    fn the_whole_family_errs_at_the_level() {
        let wrong = (0..200)
            .filter(|&seed| judged(0.06 * 12.0 / 11.0, 3000, seed + 50).verdict == Verdict::Supported);
        // At most Binomial(200, 0.05): mean 10, standard deviation 3.1.
        assert!(wrong.count() <= 19);
    }

    #[test]
    fn too_few_units_are_no_verdict() {
        let table = table(0.0, 1, 1);
        assert_eq!(balance(&table, &table.cells(), Half::Both, 0.06, 0.05).unwrap(), None);
        assert!(balance(&table, &table.cells(), Half::Both, 0.0, 0.05).is_err());
    }

    #[test]
    fn a_gain_is_judged_on_both_sides() {
        let found = |gain: f64| Relocation {
            answers: vec![],
            column: 0,
            value: 0.0,
            random: 0.0,
            answering_random: 0.0,
            gain,
            gain_error: 0.02,
            answering_gain: 0.0,
            answering_error: 0.0,
        };
        let verdict = |gain| choice(&found(gain), 0.025).0;
        assert_eq!(
            [0.05, 0.02, 0.0, -0.05].map(verdict),
            [Verdict::Supported, Verdict::Undecided, Verdict::Undecided, Verdict::Refuted]
        );
        // scipy.stats.norm.sf(2.5)
        assert!((choice(&found(0.05), 0.025).2 - 0.006_209_665_325_776_132).abs() < 1e-9);
        assert_eq!(both_ways(&[Verdict::Supported, Verdict::Supported]), Verdict::Supported);
        assert_eq!(both_ways(&[Verdict::Supported, Verdict::Undecided]), Verdict::Undecided);
    }
}
