//! The bootstrap over units of evidence, seeded.
//!
//! A unit is resampled whole, with all its games, so their dependence survives (the cluster bootstrap; Davison
//! and Hinkley 1997, "Bootstrap Methods and their Application", 3.8).

use super::sample::quantile;
use super::{Interval, normal_cdf, normal_quantile, two_sided_z};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A statistic and its replicates.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// The statistic of all units, each once.
    pub estimate: f64,
    /// The statistic of each resample, in ascending order; those that are not numbers are left out.
    pub replicates: Vec<f64>,
    /// How many resamples had no defined statistic.
    pub undefined: usize,
}

/// Resamples `units` units with replacement `resamples` times. The statistic is given the positions of the units
/// drawn, `0..units`, as many as there are units; it may answer NaN where it is not defined. Same seed, same
/// answer, on every machine if the statistic is (ChaCha8).
///
/// Nothing without units, or if the statistic of all units is not a number.
pub fn bootstrap(
    units: u32,
    resamples: usize,
    seed: u64,
    mut statistic: impl FnMut(&[usize]) -> f64,
) -> Option<Bootstrap> {
    let mut drawn: Vec<usize> = (0..units as usize).collect();
    let estimate = if units == 0 { f64::NAN } else { statistic(&drawn) };
    if estimate.is_nan() {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut replicates = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        for place in &mut drawn {
            *place = rng.random_range(0..units) as usize;
        }
        replicates.push(statistic(&drawn));
    }
    replicates.retain(|r| !r.is_nan());
    replicates.sort_by(f64::total_cmp);
    let undefined = resamples - replicates.len();
    Some(Bootstrap { estimate, replicates, undefined })
}

/// The statistic with each unit left out in turn, for [`Bootstrap::bca`].
pub fn jackknife(units: u32, mut statistic: impl FnMut(&[usize]) -> f64) -> Vec<f64> {
    let all = 0..units as usize;
    all.clone()
        .map(|left_out| statistic(&all.clone().filter(|&i| i != left_out).collect::<Vec<_>>()))
        .filter(|value| !value.is_nan())
        .collect()
}

impl Bootstrap {
    /// Standard deviation of the replicates, the bootstrap's standard error; 0 below two replicates.
    pub fn standard_error(&self) -> f64 {
        super::sample::Sample::of(self.replicates.iter().copied()).variance.sqrt()
    }

    /// The percentile interval (Efron 1979, Annals of Statistics 7:1). The estimate alone without replicates.
    pub fn percentile(&self, confidence: f64) -> Interval {
        let tail = 0.5 - confidence / 2.0;
        self.between(tail, 1.0 - tail)
    }

    /// The bias-corrected and accelerated interval (Efron 1987, JASA 82:171), the acceleration from the
    /// [`jackknife`]. Falls back on the percentile interval where it is not defined (all replicates on one
    /// side of the estimate).
    pub fn bca(&self, jackknife: &[f64], confidence: f64) -> Interval {
        let n = self.replicates.len() as f64;
        // Ties count half, as in scipy.stats.bootstrap.
        let below = self.replicates.partition_point(|&r| r < self.estimate);
        let up_to = self.replicates.partition_point(|&r| r <= self.estimate);
        let bias = normal_quantile((below + up_to) as f64 / (2.0 * n).max(1.0));
        if !bias.is_finite() {
            return self.percentile(confidence);
        }
        let mean = jackknife.iter().sum::<f64>() / (jackknife.len() as f64).max(1.0);
        let cubes: f64 = jackknife.iter().map(|v| (mean - v).powi(3)).sum();
        let squares: f64 = jackknife.iter().map(|v| (mean - v).powi(2)).sum();
        let acceleration = if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 };
        let z = two_sided_z(confidence);
        let level = |z: f64| normal_cdf(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
        let (a, b) = (level(-z), level(z));
        if a.is_nan() || b.is_nan() { self.percentile(confidence) } else { self.between(a.min(b), a.max(b)) }
    }

    fn between(&self, low: f64, high: f64) -> Interval {
        Interval {
            lower: quantile(&self.replicates, low).unwrap_or(self.estimate),
            upper: quantile(&self.replicates, high).unwrap_or(self.estimate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::{assert_close, full_check};

    fn mean_of<'a>(values: &'a [f64]) -> impl FnMut(&[usize]) -> f64 + 'a {
        |drawn| drawn.iter().map(|&i| values[i]).sum::<f64>() / drawn.len() as f64
    }

    #[test]
    fn same_seed_same_replicates_other_seed_others() {
        let x: Vec<f64> = (0..30).map(|i| f64::from(i * i % 11)).collect();
        let run = |seed| bootstrap(30, 200, seed, mean_of(&x)).unwrap();
        assert_eq!(run(1), run(1));
        assert_ne!(run(1).replicates, run(2).replicates);
    }

    #[test]
    fn standard_error_of_a_mean_is_the_textbook_one() {
        let x: Vec<f64> = (0..50).map(|i| f64::from(i * 7 % 50)).collect();
        let b = bootstrap(50, 4000, 9, mean_of(&x)).unwrap();
        // The bootstrap's variance divides by n: sqrt((n^2 - 1) / 12 / n).
        assert_close(b.standard_error(), ((2500.0 - 1.0) / 12.0 / 50.0_f64).sqrt(), 0.06);
        assert_eq!(b.estimate, 24.5);
        assert!(b.percentile(0.95).contains(24.5));
    }

    /// The formula on fixed replicates, in Python with scipy.stats.norm and numpy.quantile:
    ///
    /// ```python
    /// r = np.sort([(i * 37 % 101) ** 1.5 for i in range(101)]); est = 343.0  # one of them
    /// j = np.array([280 + (i * 13 % 17) ** 1.3 for i in range(17)])
    /// z0 = norm.ppf(((r < est).mean() + (r <= est).mean()) / 2)
    /// d = j.mean() - j; a = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    /// lv = [norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in norm.ppf([.025, .975])]
    /// np.quantile(r, lv), np.quantile(r, [.025, .975])
    /// ```
    #[test]
    fn bca_agrees_with_an_independent_computation() {
        let mut replicates: Vec<f64> = (0..101).map(|i| f64::from(i * 37 % 101).powf(1.5)).collect();
        replicates.sort_by(f64::total_cmp);
        let left_out: Vec<f64> = (0..17).map(|i| 280.0 + f64::from(i * 13 % 17).powf(1.3)).collect();
        let b = Bootstrap { estimate: 343.0, replicates, undefined: 0 };
        let bca = b.bca(&left_out, 0.95);
        assert_close(bca.lower, BCA.0, 1e-6);
        assert_close(bca.upper, BCA.1, 1e-6);
        let percentile = b.percentile(0.95);
        assert_close(percentile.lower, BCA.2, 1e-6);
        assert_close(percentile.upper, BCA.3, 1e-6);
    }

    /// Units of two equal games: an interval over units covers, one over games would be too narrow.
    #[test]
    fn covers_with_dependent_games() {
        let runs = if full_check() { 2000 } else { 200 };
        let mut rng = ChaCha8Rng::seed_from_u64(77);
        let (mut over_units, mut over_games) = (0, 0);
        for seed in 0..runs {
            let units: Vec<f64> = (0..80).map(|_| f64::from(u8::from(rng.random_bool(0.4)))).collect();
            let games: Vec<f64> = units.iter().flat_map(|&u| [u, u]).collect();
            let by_unit = bootstrap(80, 400, seed, mean_of(&units)).unwrap();
            let by_game = bootstrap(160, 400, seed, mean_of(&games)).unwrap();
            over_units += u32::from(by_unit.percentile(0.95).contains(0.4));
            over_games += u32::from(by_game.percentile(0.95).contains(0.4));
        }
        let share = |count: u32| f64::from(count) / runs as f64;
        assert!((0.91..=0.98).contains(&share(over_units)), "{}", share(over_units));
        assert!(share(over_games) < 0.88, "{}", share(over_games));
    }

    #[test]
    fn degenerate_samples() {
        assert_eq!(bootstrap(0, 10, 1, |_| 1.0), None);
        assert_eq!(bootstrap(3, 10, 1, |_| f64::NAN), None);
        let one = bootstrap(1, 10, 1, |_| 2.0).unwrap();
        assert_eq!(one.percentile(0.95), Interval { lower: 2.0, upper: 2.0 });
        assert_eq!(one.bca(&jackknife(1, |_| f64::NAN), 0.95), Interval { lower: 2.0, upper: 2.0 });
        let none = bootstrap(3, 0, 1, |_| 2.0).unwrap();
        assert_eq!(none.percentile(0.95), Interval { lower: 2.0, upper: 2.0 });
        assert_eq!(none.bca(&[], 0.95), Interval { lower: 2.0, upper: 2.0 });
        // A ratio without a denominator in some resamples.
        let ratio = bootstrap(2, 50, 1, |drawn| if drawn == [1, 1] { f64::NAN } else { 1.0 }).unwrap();
        assert!(ratio.undefined > 0 && ratio.replicates.len() + ratio.undefined == 50);
    }

    const BCA: (f64, f64, f64, f64) = (2.86923747262, 954.575431516, 4.01228977373, 962.744855281);
}
