//! The generalised sequential probability ratio test of one player against another, on units of two games.
//!
//! The log-likelihood ratio is fishtest's (`server/fishtest/stats/LLRcalc.py`, `LLR_logistic` and
//! `LLR_normalized`): the exact multinomial maximum-likelihood estimates under both hypotheses, from counts in
//! which an empty class stands for 0.001. Theory: Van den Bergh, "A practical introduction to the GSPRT" /
//! "Comments on Normalized Elo", www.cantate.be/Fishtest/support_MLE_multinomial.pdf (proposition 1.1) and
//! normalized_elo_practical.pdf (section 4.1).
//!
//! The test may stop a match and so decides what a log holds: logarithms come from libm, roots from bisection,
//! so that every machine stops at the same unit.

use super::{StatsError, in_range, probability};

/// Elo a normalised Elo of one t-value is worth per game: 800 / ln 10.
pub(crate) const NORMALISED_ELO_PER_T: f64 = 347.435_585_522_601_46;

/// What stands for an empty class, as in fishtest.
pub(crate) const EMPTY_CLASS: f64 = 1e-3;

/// The unit in which the hypotheses are stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EloModel {
    /// Logistic Elo: the expected score is 1 / (1 + 10^(-elo/400)).
    Logistic,
    /// Normalised Elo: the mean's distance from 1/2 in standard deviations of a game, times 800 / ln 10.
    Normalised,
}

/// A test of "the first player is `elo0` stronger" against "`elo1` stronger".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtState {
    /// The ratio is between the bounds.
    Continue,
    /// Down to the lower bound: `elo0` is accepted.
    AcceptH0,
    /// Up to the upper bound: `elo1` is accepted.
    AcceptH1,
}

impl Sprt {
    /// Largest hypothesis on either side, in Elo; beyond it the iteration for normalised Elo has no starting
    /// point (the uniform law stops bracketing it at 231).
    pub const MAX_ELO: f64 = 200.0;

    /// A test with error probabilities `alpha` (accepting `elo1` when `elo0` is true) and `beta` (the reverse).
    ///
    /// # Errors
    /// Hypotheses beyond [`MAX_ELO`](Self::MAX_ELO) or not in ascending order, error probabilities not strictly
    /// between 0 and 1 or with a sum of 1 or more.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, StatsError> {
        let elo0 = in_range("elo0", elo0, -Self::MAX_ELO, Self::MAX_ELO)?;
        let elo1 = in_range("elo1", elo1, elo0, Self::MAX_ELO)?;
        if elo1 <= elo0 {
            return Err(StatsError::NotAbove { what: "elo1", value: elo1, bound: elo0 });
        }
        let alpha = probability("alpha", alpha)?;
        let beta = probability("beta", beta)?;
        probability("alpha + beta", alpha + beta)?;
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// Lower and upper bound of the log-likelihood ratio (Wald 1945): ln(beta / (1 - alpha)) and
    /// ln((1 - beta) / alpha).
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// The log-likelihood ratio of the hypotheses after units with these results, in the order
    /// LL, LD, WL+DD, WD, WW. 0 without units; always finite.
    pub fn llr(&self, units: [u64; 5]) -> f64 {
        // A unit's score is the mean of two games, so its standard deviation is smaller by the root of two.
        self.llr_of(units, std::f64::consts::SQRT_2)
    }

    fn llr_of<const N: usize>(&self, counts: [u64; N], t_scale: f64) -> f64 {
        if counts.iter().all(|&c| c == 0) {
            return 0.0;
        }
        let law = Law::from_counts(counts);
        let under = |elo: f64| match self.model {
            EloModel::Logistic => law.with_mean(1.0 / (1.0 + libm::exp10(-elo / 400.0))),
            EloModel::Normalised => law.with_t_value(elo / NORMALISED_ELO_PER_T * t_scale),
        };
        let (p0, p1) = (under(self.elo0), under(self.elo1));
        let jumps = p0.iter().zip(&p1).zip(&law.shares);
        law.total * jumps.map(|((p0, p1), share)| share * (libm::log(*p1) - libm::log(*p0))).sum::<f64>()
    }

    /// Where the test stands after units with these results.
    pub fn state(&self, units: [u64; 5]) -> SprtState {
        let (lower, upper) = self.bounds();
        match self.llr(units) {
            llr if llr >= upper => SprtState::AcceptH1,
            llr if llr <= lower => SprtState::AcceptH0,
            _ => SprtState::Continue,
        }
    }
}

/// An empirical law on the scores 0, 1/(N-1), ..., 1, empty classes filled up.
pub(crate) struct Law<const N: usize> {
    /// Sum of the filled counts.
    pub(crate) total: f64,
    /// Share of each class.
    pub(crate) shares: [f64; N],
}

impl<const N: usize> Law<N> {
    pub(crate) fn from_counts(counts: [u64; N]) -> Self {
        let filled = counts.map(|c| if c == 0 { EMPTY_CLASS } else { c as f64 });
        let total: f64 = filled.iter().sum();
        Self { total, shares: filled.map(|c| c / total) }
    }

    fn score(class: usize) -> f64 {
        class as f64 / (N - 1) as f64
    }

    /// Mean and variance of the score under class probabilities.
    pub(crate) fn moments(shares: &[f64; N]) -> (f64, f64) {
        let mean: f64 = shares.iter().enumerate().map(|(i, p)| p * Self::score(i)).sum();
        let square = |i| (Self::score(i) - mean) * (Self::score(i) - mean);
        let variance = shares.iter().enumerate().map(|(i, p)| p * square(i)).sum();
        (mean, variance)
    }

    /// Maximum-likelihood law with the given mean (proposition 1.1).
    fn with_mean(&self, mean: f64) -> [f64; N] {
        self.tilted(std::array::from_fn(|i| Self::score(i) - mean)).unwrap_or(self.shares)
    }

    /// Maximum-likelihood law with the given t-value (mean - 1/2) / deviation (section 4.1): a fixed-point
    /// iteration from the uniform law.
    fn with_t_value(&self, t: f64) -> [f64; N] {
        let mut shares = [1.0 / N as f64; N];
        // It takes two to six rounds; a lopsided sample of a million may dither at 1e-7 instead of ending.
        for _ in 0..50 {
            let (mean, variance) = Self::moments(&shares);
            let deviation = variance.sqrt();
            let constraint = std::array::from_fn(|i| {
                let z = (Self::score(i) - mean) / deviation;
                Self::score(i) - 0.5 - t * deviation * (1.0 + z * z) / 2.0
            });
            let Some(next) = self.tilted(constraint) else { break };
            let change = shares.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            shares = next;
            if change < 1e-9 {
                break;
            }
        }
        shares
    }

    /// The law p_i = share_i / (1 + x c_i) with sum p_i c_i = 0; nothing if the c_i have one sign only.
    fn tilted(&self, constraint: [f64; N]) -> Option<[f64; N]> {
        let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && greatest > 0.0) {
            return None;
        }
        // The secular equation's left side falls from +inf to -inf between the poles.
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        loop {
            let x = low + (high - low) / 2.0;
            if x <= low || x >= high {
                break;
            }
            let value: f64 = constraint.iter().zip(&self.shares).map(|(c, p)| p * c / (1.0 + x * c)).sum();
            if value > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        // Of the two neighbours, one may be a pole.
        let x = if low == -1.0 / greatest { high } else { low };
        let mut tilted = self.shares;
        for (p, c) in tilted.iter_mut().zip(&constraint) {
            *p /= 1.0 + x * c;
        }
        Some(tilted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::{assert_close, full_check};
    use EloModel::{Logistic, Normalised};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// `doctest::Approx(x).epsilon(0.01)`.
    #[track_caller]
    fn approx(actual: f64, expected: f64) {
        assert_close(actual, expected, 0.01 * (1.0 + expected.abs()));
    }

    #[test]
    fn golden_pentanomials_of_fastchess() {
        // Disservin/fastchess, app/tests/sprt_test.cpp: Stats(LL, LD, WL, DD, WD, WW).
        approx(sprt(0.0, 2.0, Normalised).llr([365, 16618, 36029 + 200, 16974, 390]), 2.25);
        approx(sprt(-1.75, 0.25, Normalised).llr([127, 4883, 10311 + 401, 5150, 104]), 3.01);
        approx(sprt(0.0, 5.0, Normalised).llr([0, 0, 0, 0, 5550]), 111.82);
        approx(sprt(0.5, 2.5, Logistic).llr([223, 9863, 20279 + 1000, 10037, 246]), -3.07);
        approx(sprt(0.0, 2.0, Logistic).llr([871, 26175, 55003 + 980, 26678, 821]), -4.98);
    }

    #[test]
    fn golden_trinomials_of_fastchess() {
        // The same file: Stats(wins, losses, draws).
        let llr = |s: Sprt, wins, losses, draws| s.llr_of([losses, draws, wins], 1.0);
        approx(llr(sprt(0.0, 2.0, Normalised), 36433, 36027, 68692), 0.92);
        approx(llr(sprt(-1.75, 0.25, Normalised), 10871, 10650, 20431), 2.30);
        approx(llr(sprt(0.0, 10.0, Normalised), 4250, 0, 0), 120.56);
        approx(llr(sprt(0.5, 2.5, Logistic), 21404, 21184, 40708), -1.57);
        approx(llr(sprt(0.0, 2.0, Logistic), 57433, 57030, 106593), -2.59);
    }

    #[test]
    fn agrees_with_an_independent_computation() {
        // The same equations in Python with scipy.optimize.brentq (xtol=1e-15); the counts are those of
        // fishtest's stat_util.py self-test and of OpenBench's stats.py, whose own test says 2.94168.
        let close = |actual, expected| assert_close(actual, expected, 1e-6);
        close(sprt(-3.0, 1.0, Logistic).llr([10789, 19328, 33806, 19402, 10543]), 2.1310678118);
        close(sprt(0.2, 0.9, Logistic).llr([39, 2226, 31451, 2412, 40]), 2.1625425800);
        close(sprt(0.764, 3.439, Normalised).llr([39, 2226, 31451, 2412, 40]), 2.1629408696);
        close(sprt(0.5, 2.5, Normalised).llr([39, 8843, 26675, 9240, 44]), 2.9416752080);
        close(sprt(0.0, 5.0, Normalised).llr([0, 0, 0, 0, 104]), 2.0949545276);
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = sprt(0.0, 5.0, Logistic).bounds();
        assert_close(lower, -2.944_438_979_166_44, 1e-12);
        assert_close(upper, 2.944_438_979_166_44, 1e-12);
        let s = sprt(0.0, 5.0, Normalised);
        assert_eq!(s.state([0, 0, 0, 0, 5550]), SprtState::AcceptH1);
        assert_eq!(s.state([5550, 0, 0, 0, 0]), SprtState::AcceptH0);
        assert_eq!(s.state([0, 0, 1, 0, 0]), SprtState::Continue);
    }

    #[test]
    fn degenerate_samples_end_and_are_finite() {
        for model in [Logistic, Normalised] {
            for (elo0, elo1) in [(0.0, 5.0), (-5.0, 0.0), (-200.0, 200.0), (0.0, 100.0), (199.0, 200.0)] {
                let test = sprt(elo0, elo1, model);
                assert_eq!(test.llr([0; 5]), 0.0);
                assert_eq!(test.state([0; 5]), SprtState::Continue);
                for class in 0..5 {
                    for n in [1, 2, 1000, 1_000_000] {
                        let mut units = [0; 5];
                        units[class] = n;
                        let llr = test.llr(units);
                        assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {units:?}: {llr}");
                        if class == 0 {
                            assert!(llr < 0.0, "{model:?} {elo0} {elo1} {units:?}: {llr}");
                        }
                        if class == 4 {
                            assert!(llr > 0.0, "{model:?} {elo0} {elo1} {units:?}: {llr}");
                        }
                    }
                }
            }
        }
        // All drawn: midway between the hypotheses nothing is said either way.
        for model in [Logistic, Normalised] {
            assert_close(sprt(-5.0, 5.0, model).llr([0, 0, 1000, 0, 0]), 0.0, 1e-6);
        }
    }

    #[test]
    fn estimates_meet_their_constraints() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..2000 {
            let scale = rng.random_range(1..5000_u64);
            let counts: [u64; 5] =
                std::array::from_fn(|_| if rng.random_bool(0.3) { 0 } else { rng.random_range(0..scale) });
            let law = Law::from_counts(counts);
            let mean = rng.random_range(0.25..0.75);
            let p = law.with_mean(mean);
            assert_close(p.iter().sum(), 1.0, 1e-9);
            assert_close(Law::moments(&p).0, mean, 1e-9);
            let t = rng.random_range(-0.8..0.8);
            let p = law.with_t_value(t);
            let (mean, variance) = Law::moments(&p);
            assert_close((mean - 0.5) / variance.sqrt(), t, 1e-5);
        }
    }

    /// Matches simulated under each hypothesis: the wrong one is accepted in about 5 % of them.
    #[test]
    fn error_rates() {
        let runs = if full_check() { 2000 } else { 200 };
        let test = sprt(0.0, 30.0, Logistic);
        let mut rng = ChaCha8Rng::seed_from_u64(30);
        for (elo, wrong) in [(0.0, SprtState::AcceptH1), (30.0, SprtState::AcceptH0)] {
            // 40 % draws, games independent.
            let win = 1.0 / (1.0 + libm::exp10(-elo / 400.0)) - 0.2;
            let mut errors = 0;
            for _ in 0..runs {
                let mut units = [0; 5];
                while test.state(units) == SprtState::Continue {
                    let mut game = || match rng.random::<f64>() {
                        u if u < win => 2,
                        u if u < win + 0.4 => 1,
                        _ => 0,
                    };
                    units[game() + game()] += 1;
                }
                errors += u32::from(test.state(units) == wrong);
            }
            let share = f64::from(errors) / f64::from(runs);
            assert!((0.01..=0.075).contains(&share), "at {elo} Elo: {share}");
        }
    }

    #[test]
    fn mirrored_results_give_the_mirrored_ratio() {
        for model in [Logistic, Normalised] {
            let (there, back) = (sprt(0.0, 5.0, model), sprt(-5.0, 0.0, model));
            let units = [3, 40, 120, 61, 7];
            let mut mirrored = units;
            mirrored.reverse();
            assert_close(there.llr(units), -back.llr(mirrored), 1e-9);
        }
    }

    #[test]
    fn bad_arguments_are_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 0.0, 0.05, 0.05),
            (5.0, 5.0, 0.05, 0.05),
            (0.0, 500.0, 0.05, 0.05),
            (f64::NAN, 5.0, 0.05, 0.05),
            (0.0, f64::NAN, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, 1.0),
            (0.0, 5.0, 0.5, 0.5),
        ] {
            assert!(Sprt::new(elo0, elo1, alpha, beta, Logistic).is_err(), "{elo0} {elo1} {alpha} {beta}");
        }
    }
}
