//! Equivalence in runs of a fixed size: two one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and
//! Biopharmaceutics 15:657). That a difference is not significant is never evidence of balance; these are.

use super::sample::{Sample, students_t};
use super::{StatsError, in_range, normal_cdf};
use statrs::distribution::ContinuousCDF;

/// The two one-sided tests of "the quantity lies between the margins".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tost {
    /// p value of the test against "at or below the lower margin".
    pub p_lower: f64,
    /// p value of the test against "at or above the upper margin".
    pub p_upper: f64,
}

impl Tost {
    /// p value of equivalence: the larger of the two.
    pub fn p_value(&self) -> f64 {
        self.p_lower.max(self.p_upper)
    }

    /// No evidence either way, the answer where there is no variance to judge by.
    const NOTHING: Self = Self { p_lower: 1.0, p_upper: 1.0 };

    fn from_cdf(estimate: f64, error: f64, margins: Margins, cdf: impl Fn(f64) -> f64) -> Self {
        if error > 0.0 {
            Self {
                p_lower: cdf((margins.low - estimate) / error),
                p_upper: cdf((estimate - margins.high) / error),
            }
        } else {
            Self::NOTHING
        }
    }
}

/// The margins of equivalence, stated before the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margins {
    low: f64,
    high: f64,
}

impl Margins {
    /// Margins in ascending order.
    ///
    /// # Errors
    /// Margins that are not finite or not in ascending order.
    pub fn new(low: f64, high: f64) -> Result<Self, StatsError> {
        let low = in_range("lower margin", low, f64::MIN, f64::MAX)?;
        let high = in_range("upper margin", high, low, f64::MAX)?;
        if high > low {
            Ok(Self { low, high })
        } else {
            Err(StatsError::NotAbove { what: "upper margin", value: high, bound: low })
        }
    }
}

/// Two one-sided z tests from an estimate and its standard error. Without a positive error both p are 1.
pub fn tost_z(estimate: f64, error: f64, margins: Margins) -> Tost {
    Tost::from_cdf(estimate, error, margins, normal_cdf)
}

/// Two one-sided t tests of a mean. Both p are 1 if the sample shows no variance (fewer than two values, or
/// all alike).
pub fn tost_one_sample(sample: Sample, margins: Margins) -> Tost {
    students_t(sample.n as f64 - 1.0).map_or(Tost::NOTHING, |law| {
        Tost::from_cdf(sample.mean, sample.standard_error(), margins, |t| law.cdf(t))
    })
}

/// Two one-sided t tests of a difference of means, first minus second, for unequal variances with the Welch-
/// Satterthwaite degrees of freedom (Welch 1947, Biometrika 34:28). Both p are 1 if there is no variance or a
/// sample has fewer than two values.
pub fn tost_two_sample(first: Sample, second: Sample, margins: Margins) -> Tost {
    if first.n < 2 || second.n < 2 {
        return Tost::NOTHING;
    }
    let (a, b) = (first.variance / first.n as f64, second.variance / second.n as f64);
    let freedom = (a + b).powi(2) / (a * a / (first.n - 1) as f64 + b * b / (second.n - 1) as f64);
    students_t(freedom).map_or(Tost::NOTHING, |law| {
        Tost::from_cdf(first.mean - second.mean, (a + b).sqrt(), margins, |t| law.cdf(t))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    const A: [f64; 8] = [0.5, 0.75, 0.5, 0.25, 0.5, 1.0, 0.5, 0.25];
    const B: [f64; 6] = [0.5, 0.5, 0.25, 0.75, 0.5, 0.5];

    #[test]
    fn agree_with_statsmodels() {
        // d = statsmodels.stats.weightstats.DescrStatsW(A); d.ttost_mean(.3, .7)
        let one = tost_one_sample(Sample::of(A), Margins::new(0.3, 0.7).unwrap());
        assert_close(one.p_lower, TOST_ONE.0, 1e-9);
        assert_close(one.p_upper, TOST_ONE.1, 1e-9);
        // statsmodels.stats.weightstats.ttost_ind(A, B, -.3, .3, usevar="unequal")
        let two = tost_two_sample(Sample::of(A), Sample::of(B), Margins::new(-0.3, 0.3).unwrap());
        assert_close(two.p_lower, TOST_TWO.0, 1e-9);
        assert_close(two.p_upper, TOST_TWO.1, 1e-9);
        assert_eq!(two.p_value(), two.p_lower.max(two.p_upper));
        // scipy.stats.norm.cdf([(-.05 - .01) / .02, (.01 - .05) / .02])
        let z = tost_z(0.01, 0.02, Margins::new(-0.05, 0.05).unwrap());
        assert_close(z.p_lower, TOST_Z.0, 1e-9);
        assert_close(z.p_upper, TOST_Z.1, 1e-9);
    }

    #[test]
    fn no_variance_is_no_evidence() {
        let margins = Margins::new(-1.0, 1.0).unwrap();
        let alike = Sample::of([0.0, 0.0, 0.0]);
        for t in [
            tost_z(0.0, 0.0, margins),
            tost_z(0.0, f64::NAN, margins),
            tost_one_sample(Sample::of([]), margins),
            tost_one_sample(Sample::of([0.0]), margins),
            tost_one_sample(alike, margins),
            tost_two_sample(alike, alike, margins),
            tost_two_sample(alike, Sample::of([0.1]), margins),
        ] {
            assert_eq!(t, Tost::NOTHING);
        }
        assert!(Margins::new(1.0, 1.0).is_err());
        assert!(Margins::new(f64::NAN, 1.0).is_err());
    }

    #[test]
    fn a_wide_interval_is_not_equivalence_though_the_difference_is_not_significant() {
        let t = tost_z(0.0, 0.1, Margins::new(-0.05, 0.05).unwrap());
        assert!(t.p_value() > 0.3);
    }

    const TOST_ONE: (f64, f64) = (0.01671241005162, 0.04770867372445);
    const TOST_TWO: (f64, f64) = (0.00518653075254, 0.01490303545448);
    const TOST_Z: (f64, f64) = (0.00134989803163, 0.02275013194818);
}
