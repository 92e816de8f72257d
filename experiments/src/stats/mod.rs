//! Statistics: pure functions on counts and columns. Nothing here reads a file or prints.
//!
//! Each function cites its source; each is held against published or independently computed figures in its
//! tests. Degenerate samples (empty, one unit, all alike) have stated answers; none of them is a NaN.

pub mod betting;
pub mod bootstrap;
pub mod entropy;
pub mod equivalence;
pub mod multiple;
pub mod pentanomial;
pub mod plan;
pub mod proportion;
pub mod sample;
pub mod sprt;
pub mod survival;

use statrs::distribution::{ContinuousCDF, Normal};

/// A closed interval of a quantity in that quantity's own unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lower: f64,
    /// Upper end, at least `lower`.
    pub upper: f64,
}

impl Interval {
    /// The interval of all shares, what a proportion's interval is before any data.
    pub const UNIT: Self = Self { lower: 0.0, upper: 1.0 };

    /// Whether `value` lies in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }

    /// Length of the interval.
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

/// The side of a threshold that a claim puts its quantity on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The claim says "less than the threshold".
    Below,
    /// The claim says "more than the threshold".
    Above,
}

/// What a test says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The claim's opposite is rejected.
    Supported,
    /// The claim itself is rejected.
    Refuted,
    /// Neither is.
    Undecided,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Supported => "SUPPORTED",
            Self::Refuted => "REFUTED",
            Self::Undecided => "UNDECIDED",
        })
    }
}

/// An argument outside the range in which a statistic is defined.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// An observation or a parameter lies outside its range, or is not a number.
    #[error("{what} is {value}, expected a number from {lower} to {upper}")]
    OutOfRange {
        /// What the value is, in words.
        what: &'static str,
        /// The value given.
        value: f64,
        /// Least value allowed.
        lower: f64,
        /// Greatest value allowed.
        upper: f64,
    },
    /// A value that has to be greater than another and is not.
    #[error("{what} is {value}, expected a number above {bound}")]
    NotAbove {
        /// What the value is, in words.
        what: &'static str,
        /// The value given.
        value: f64,
        /// What it has to exceed.
        bound: f64,
    },
    /// An error probability or a confidence level that is not strictly between 0 and 1.
    #[error("{what} is {value}, expected a number strictly between 0 and 1")]
    NotAProbability {
        /// What the value is, in words.
        what: &'static str,
        /// The value given.
        value: f64,
    },
}

fn in_range(what: &'static str, value: f64, lower: f64, upper: f64) -> Result<f64, StatsError> {
    if (lower..=upper).contains(&value) {
        Ok(value)
    } else {
        Err(StatsError::OutOfRange { what, value, lower, upper })
    }
}

fn probability(what: &'static str, value: f64) -> Result<f64, StatsError> {
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err(StatsError::NotAProbability { what, value }) }
}

/// Distribution function of the standard normal law.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// Quantile of the standard normal law; `p` is clamped to [0, 1] (the ends give infinities).
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p.clamp(0.0, 1.0))
}

/// The two-sided normal quantile of a confidence level: 1.96 for 0.95.
pub(crate) fn two_sided_z(confidence: f64) -> f64 {
    normal_quantile(0.5 + confidence / 2.0)
}

#[cfg(test)]
pub(crate) mod test_support {
    /// Fails unless `actual` is within `tolerance` of `expected`.
    #[track_caller]
    pub(crate) fn assert_close(actual: f64, expected: f64, tolerance: f64) {
        assert!(
            (actual - expected).abs() <= tolerance,
            "got {actual}, expected {expected} within {tolerance}"
        );
    }

    /// Whether the long checks run: `EQUIPOISE_FULL=1`.
    pub(crate) fn full_check() -> bool {
        std::env::var("EQUIPOISE_FULL").is_ok_and(|v| v == "1")
    }
}
