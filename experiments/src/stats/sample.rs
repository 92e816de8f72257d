//! Moments of a column of numbers, and the interval of its mean.

use super::Interval;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Size, mean and variance of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Number of values.
    pub n: u64,
    /// Mean; 0 without values.
    pub mean: f64,
    /// Unbiased variance (divided by n - 1); 0 below two values.
    pub variance: f64,
}

impl Sample {
    /// The moments of the values, summed in their order (Welford 1962, Technometrics 4:419).
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut n, mut mean, mut squares) = (0_u64, 0.0, 0.0);
        for x in values {
            n += 1;
            let before = x - mean;
            mean += before / n as f64;
            squares += before * (x - mean);
        }
        Self { n, mean, variance: if n < 2 { 0.0 } else { squares / (n - 1) as f64 } }
    }

    /// Standard error of the mean; 0 below two values.
    pub fn standard_error(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.variance / self.n as f64).sqrt() }
    }

    /// Student's interval for the mean (Student 1908, Biometrika 6:1). Nothing below two values.
    pub fn mean_interval(&self, confidence: f64) -> Option<Interval> {
        let law = students_t((self.n as f64) - 1.0)?;
        let half = law.inverse_cdf((0.5 + confidence / 2.0).clamp(0.0, 1.0)) * self.standard_error();
        // With no variance an infinite quantile would give a NaN.
        let half = if self.variance > 0.0 { half } else { 0.0 };
        Some(Interval { lower: self.mean - half, upper: self.mean + half })
    }
}

/// The interval for the difference of two means, first minus second, with unequal variances (Welch 1947,
/// Biometrika 34:28). Nothing if a sample has less than two values.
pub fn welch_interval(first: &Sample, second: &Sample, confidence: f64) -> Option<Interval> {
    if first.n < 2 || second.n < 2 {
        return None;
    }
    let difference = first.mean - second.mean;
    let part = |s: &Sample| s.variance / s.n as f64;
    let (a, b) = (part(first), part(second));
    if a + b <= 0.0 {
        return Some(Interval { lower: difference, upper: difference });
    }
    let weight = a * a / (first.n - 1) as f64 + b * b / (second.n - 1) as f64;
    let law = students_t((a + b) * (a + b) / weight)?;
    let half = law.inverse_cdf((0.5 + confidence / 2.0).clamp(0.0, 1.0)) * (a + b).sqrt();
    Some(Interval { lower: difference - half, upper: difference + half })
}

/// The standard t law; nothing without a positive number of degrees of freedom.
pub(crate) fn students_t(freedom: f64) -> Option<StudentsT> {
    if freedom > 0.0 { StudentsT::new(0.0, 1.0, freedom).ok() } else { None }
}

/// The quantile of a column in ascending order by linear interpolation between the neighbours (Hyndman and Fan
/// 1996, The American Statistician 50:361, type 7). Nothing for an empty column.
pub fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (a, b) = (sorted[below.min(last)], sorted[(below + 1).min(last)]);
    Some(if a == b { a } else { a + (b - a) * (place - below as f64) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    #[test]
    fn moments_and_interval_agree_with_scipy() {
        // scipy.stats.t.interval(.95, 6, np.mean(x), scipy.stats.sem(x))
        let s = Sample::of([41.0, 77.0, 52.5, 150.0, 33.0, 88.0, 60.0]);
        assert_close(s.mean, 71.642857142857, 1e-9);
        assert_close(s.variance, 1561.7261904762, 1e-6);
        let i = s.mean_interval(0.95).unwrap();
        assert_close(i.lower, 35.0941725436, 1e-6);
        assert_close(i.upper, 108.1915417421, 1e-6);
    }

    #[test]
    fn differences_of_means_agree_with_scipy() {
        // scipy.stats.ttest_ind(a, b, equal_var=False).confidence_interval(.95)
        let a = Sample::of([41.0, 77.0, 52.5, 150.0, 33.0, 88.0, 60.0]);
        let b = Sample::of([30.0, 45.5, 61.0, 38.0, 52.0]);
        let i = welch_interval(&a, &b, 0.95).unwrap();
        assert_close(i.lower, -10.72500087329309, 1e-6);
        assert_close(i.upper, 63.410715159007374, 1e-6);
        let alike = Sample::of([2.0, 2.0]);
        assert_eq!(welch_interval(&alike, &alike, 0.95), Some(Interval { lower: 0.0, upper: 0.0 }));
        assert_eq!(welch_interval(&a, &Sample::of([1.0]), 0.95), None);
    }

    #[test]
    fn degenerate_columns() {
        let empty = Sample::of([]);
        assert_eq!((empty.n, empty.mean, empty.variance, empty.mean_interval(0.95)), (0, 0.0, 0.0, None));
        assert_eq!(Sample::of([3.0]).mean_interval(0.95), None);
        let alike = Sample::of([2.0, 2.0, 2.0]);
        assert_eq!(alike.mean_interval(0.95), Some(Interval { lower: 2.0, upper: 2.0 }));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7.0], 0.9), Some(7.0));
    }

    #[test]
    fn quantiles_agree_with_numpy() {
        // numpy.quantile([1, 2, 4, 8], [0, .1, .5, .75, 1])
        let x = [1.0, 2.0, 4.0, 8.0];
        for (p, q) in [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.75, 5.0), (1.0, 8.0)] {
            assert_close(quantile(&x, p).unwrap(), q, 1e-12);
        }
    }
}
