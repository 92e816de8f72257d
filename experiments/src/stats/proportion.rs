//! Proportions: intervals for one, differences of two, and the power of a fixed-size test.
//!
//! Counts are of units of evidence (openings), not of games, wherever a unit has several games; where only
//! game counts are at hand, [`design_effect`] says how much less they weigh.

use super::{Direction, Interval, normal_cdf, normal_quantile, two_sided_z};
use statrs::distribution::{Beta, ContinuousCDF};
use statrs::function::beta::beta_reg;

/// Wilson's score interval for a proportion (Wilson 1927, JASA 22:209; recommended by Brown, Cai and DasGupta
/// 2001, Statistical Science 16:101).
///
/// `effect` is the design effect: the sample counts as `n / effect` independent observations (Kish 1965;
/// Korn and Graubard 1998). 1 for independent observations; less than 1 is taken as 1. An empty sample gives
/// the whole unit interval.
pub fn wilson(successes: u64, n: u64, confidence: f64, effect: f64) -> Interval {
    if n == 0 {
        return Interval::UNIT;
    }
    let share = successes.min(n) as f64 / n as f64;
    let weight = n as f64 / effect.max(1.0);
    let z = two_sided_z(confidence);
    let z2 = z * z;
    let centre = (share + z2 / (2.0 * weight)) / (1.0 + z2 / weight);
    let half =
        z / (1.0 + z2 / weight) * (share * (1.0 - share) / weight + z2 / (4.0 * weight * weight)).sqrt();
    // At the ends the formula gives 0 and 1 exactly but for rounding.
    Interval {
        lower: if successes == 0 { 0.0 } else { (centre - half).max(0.0) },
        upper: if successes >= n { 1.0 } else { (centre + half).min(1.0) },
    }
}

/// The design effect of clustered observations: the variance of the share by the ratio estimator over
/// clusters, divided by that of as many independent observations (Kish 1965, "Survey Sampling", 5.4; Rao and
/// Scott 1992, Biometrics 48:577).
///
/// Each cluster is (successes, observations). Below two clusters, or with no variance to divide by, it is 1.
pub fn design_effect(clusters: &[(u64, u64)]) -> f64 {
    let successes: u64 = clusters.iter().map(|c| c.0).sum();
    let n: u64 = clusters.iter().map(|c| c.1).sum();
    let count = clusters.len() as f64;
    if clusters.len() < 2 || n == 0 || successes == 0 || successes >= n {
        return 1.0;
    }
    let share = successes as f64 / n as f64;
    let squares: f64 = clusters.iter().map(|&(s, m)| (s as f64 - share * m as f64).powi(2)).sum();
    let clustered = count / (count - 1.0) * squares / (n as f64 * n as f64);
    clustered / (share * (1.0 - share) / n as f64)
}

/// Clopper and Pearson's exact two-sided interval (Biometrika 1934, 26:404): half the error on each side.
/// An empty sample gives the whole unit interval.
pub fn clopper_pearson(successes: u64, n: u64, confidence: f64) -> Interval {
    let side = 0.5 + confidence / 2.0;
    Interval {
        lower: clopper_pearson_lower(successes, n, side),
        upper: clopper_pearson_upper(successes, n, side),
    }
}

/// Clopper and Pearson's exact one-sided upper bound: the true share is below it with the given confidence.
/// 1 for an empty sample.
pub fn clopper_pearson_upper(successes: u64, n: u64, confidence: f64) -> f64 {
    if successes >= n {
        return 1.0;
    }
    beta_quantile(successes as f64 + 1.0, (n - successes) as f64, confidence)
}

/// Clopper and Pearson's exact one-sided lower bound: the true share is above it with the given confidence.
/// 0 for an empty sample.
pub fn clopper_pearson_lower(successes: u64, n: u64, confidence: f64) -> f64 {
    1.0 - clopper_pearson_upper(n - successes.min(n), n, confidence)
}

/// Quantile of the beta law with shapes of at least 1.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    match Beta::new(a, b) {
        Ok(law) if p > 0.0 && p < 1.0 => law.inverse_cdf(p),
        _ => p.clamp(0.0, 1.0),
    }
}

/// P(X <= k) for X binomial(n, p), p strictly between 0 and 1 (through the incomplete beta function, as in
/// Abramowitz and Stegun 26.5.24).
pub(crate) fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if k >= n { 1.0 } else { beta_reg((n - k) as f64, k as f64 + 1.0, 1.0 - p) }
}

/// The most successes in `n` with which the one-sided Clopper-Pearson test at level `alpha` still supports
/// "the share is below `threshold`"; nothing if not even 0 does.
fn critical_count(n: u64, threshold: f64, alpha: f64) -> Option<u64> {
    // The bound is below the threshold exactly when P(X <= k | threshold) < alpha, which is increasing in k.
    if n == 0 || binomial_cdf(0, n, threshold) >= alpha {
        return None;
    }
    let (mut good, mut bad) = (0, n);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if binomial_cdf(middle, n, threshold) < alpha {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

/// The probability that the one-sided Clopper-Pearson test with `n` observations supports the claim that the
/// share is on the given side of `threshold`, when it truly is `rate`.
///
/// Exact, from the binomial law. Thresholds or rates of 0 and 1 give 0 or 1 as the test then never or always
/// supports.
pub fn power(n: u64, threshold: f64, direction: Direction, rate: f64, alpha: f64) -> f64 {
    let (threshold, rate) = match direction {
        Direction::Below => (threshold, rate),
        Direction::Above => (1.0 - threshold, 1.0 - rate),
    };
    if !(threshold > 0.0 && threshold < 1.0) {
        return 0.0;
    }
    match critical_count(n, threshold, alpha) {
        None => 0.0,
        Some(_) if rate <= 0.0 => 1.0,
        Some(_) if rate >= 1.0 => 0.0,
        Some(k) => binomial_cdf(k, n, rate),
    }
}

/// The sample size from which on the one-sided Clopper-Pearson test has at least the wanted power, for good.
///
/// The power of an exact test is a saw-tooth in `n`, so the first `n` that reaches the power is not an honest
/// plan; this is one more than the last `n` that misses it. Nothing if the true `rate` is not on the claimed
/// side of the threshold, an argument is out of range, or more than ten million observations would be needed.
pub fn sample_size(threshold: f64, direction: Direction, rate: f64, alpha: f64, wanted: f64) -> Option<u64> {
    let gap = match direction {
        Direction::Below => threshold - rate,
        Direction::Above => rate - threshold,
    };
    let valid = [alpha, wanted, threshold].iter().all(|p| *p > 0.0 && *p < 1.0);
    if !valid || !(0.0..=1.0).contains(&rate) || gap.is_nan() || gap <= 0.0 {
        return None;
    }
    // Normal approximation, then room for the discreteness: a tooth is about 1/threshold wide.
    let spread = -normal_quantile(alpha) * (threshold * (1.0 - threshold)).sqrt()
        + normal_quantile(wanted) * (rate * (1.0 - rate)).sqrt();
    let tooth = 1.0 / threshold.min(1.0 - threshold);
    let far = (spread / gap).powi(2) * 1.15 + 10.0 * tooth;
    if far > 1e7 {
        return None;
    }
    let mut n = far.ceil() as u64;
    while n > 0 && power(n, threshold, direction, rate, alpha) >= wanted {
        n -= 1;
    }
    Some(n + 1)
}

/// Newcombe's interval for the difference of two independent proportions, first minus second: the square-and-
/// add combination of two Wilson intervals, method 10 of Newcombe 1998 (Statistics in Medicine 17:873).
///
/// Each sample is (successes, observations). With an empty sample the interval is as wide as the other one
/// leaves it, at most [-1, 1].
pub fn newcombe_difference(first: (u64, u64), second: (u64, u64), confidence: f64) -> Interval {
    let share = |(s, n): (u64, u64)| if n == 0 { 0.5 } else { s as f64 / n as f64 };
    let (p, q) = (share(first), share(second));
    let a = wilson(first.0, first.1, confidence, 1.0);
    let b = wilson(second.0, second.1, confidence, 1.0);
    let d = p - q;
    Interval {
        lower: (d - (p - a.lower).hypot(b.upper - q)).max(-1.0),
        upper: (d + (a.upper - p).hypot(q - b.lower)).min(1.0),
    }
}

/// Result of a z test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZTest {
    /// The statistic, in standard errors; positive if the first sample is larger.
    pub z: f64,
    /// Two-sided p value.
    pub p_value: f64,
}

/// The two-proportion z test with pooled variance, which is the score test of equal proportions (Agresti 2013,
/// "Categorical Data Analysis", 3.2). Samples are (successes, observations).
///
/// Without any evidence (an empty sample, or no variance at all) z is 0 and p is 1.
pub fn two_proportion_z(first: (u64, u64), second: (u64, u64)) -> ZTest {
    let (n, m) = (first.1 as f64, second.1 as f64);
    let pooled = (first.0 + second.0) as f64 / (n + m);
    let variance = pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m);
    if first.1 == 0 || second.1 == 0 || variance <= 0.0 {
        return ZTest { z: 0.0, p_value: 1.0 };
    }
    let z = (first.0 as f64 / n - second.0 as f64 / m) / variance.sqrt();
    ZTest { z, p_value: (2.0 * normal_cdf(-z.abs())).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    #[test]
    fn wilson_agrees_with_statsmodels() {
        // statsmodels.stats.proportion.proportion_confint(k, n, 0.05, method="wilson")
        for (k, n, lower, upper) in WILSON {
            let i = wilson(k, n, 0.95, 1.0);
            assert_close(i.lower, lower, 1e-9);
            assert_close(i.upper, upper, 1e-9);
        }
        assert_eq!(wilson(0, 0, 0.95, 1.0), Interval::UNIT);
        // A design effect of 2 is half the sample.
        assert_eq!(wilson(20, 200, 0.95, 2.0), wilson(10, 100, 0.95, 1.0));
    }

    /// Exact coverage, by summing the binomial law: about 95 % for Wilson, at least 95 % for Clopper-Pearson.
    #[test]
    fn coverage() {
        let coverage = |n: u64, p: f64, interval: fn(u64, u64) -> Interval| -> f64 {
            let mass = |k: u64| binomial_cdf(k, n, p) - if k == 0 { 0.0 } else { binomial_cdf(k - 1, n, p) };
            (0..=n).filter(|&k| interval(k, n).contains(p)).map(mass).sum()
        };
        for (n, p) in [(400, 0.5), (400, 0.3), (1000, 0.1), (3000, 0.05)] {
            let of_wilson = coverage(n, p, |k, n| wilson(k, n, 0.95, 1.0));
            assert!((0.94..=0.96).contains(&of_wilson), "Wilson, n {n}, p {p}: {of_wilson}");
            let exact = coverage(n, p, |k, n| clopper_pearson(k, n, 0.95));
            assert!((0.95..=0.97).contains(&exact), "Clopper-Pearson, n {n}, p {p}: {exact}");
        }
    }

    #[test]
    fn clopper_pearson_agrees_with_statsmodels() {
        // statsmodels.stats.proportion.proportion_confint(k, n, 0.05, method="beta")
        for (k, n, lower, upper) in CLOPPER_PEARSON {
            let i = clopper_pearson(k, n, 0.95);
            assert_close(i.lower, lower, 1e-8);
            assert_close(i.upper, upper, 1e-8);
        }
        assert_eq!(clopper_pearson(0, 0, 0.95), Interval::UNIT);
    }

    #[test]
    fn fifty_nine_games_without_a_draw_are_the_first_to_bound_them_below_five_per_cent() {
        assert!(clopper_pearson_upper(0, 58, 0.95) > 0.05);
        // The rule of three made exact: 1 - 0.05^(1/59).
        assert_close(clopper_pearson_upper(0, 59, 0.95), 1.0 - 0.05_f64.powf(1.0 / 59.0), 1e-9);
        assert!(clopper_pearson_upper(0, 59, 0.95) < 0.05);
        assert_close(clopper_pearson_lower(59, 59, 0.95), 0.05_f64.powf(1.0 / 59.0), 1e-9);
    }

    #[test]
    fn sample_sizes_for_eighty_per_cent_power_against_five_per_cent() {
        // Independent: k = largest with scipy.stats.binom.cdf(k, n, .05) < .05; last n with
        // binom.cdf(k, n, rate) < .8, plus one.
        for (rate, n) in [(0.02, 286), (0.03, 694), (0.04, 2869)] {
            assert_eq!(sample_size(0.05, Direction::Below, rate, 0.05, 0.8), Some(n), "rate {rate}");
            let mirrored = sample_size(0.95, Direction::Above, 1.0 - rate, 0.05, 0.8);
            assert_eq!(mirrored, Some(n), "mirrored rate {rate}");
            assert!(power(n - 1, 0.05, Direction::Below, rate, 0.05) < 0.8);
            assert!(power(n, 0.05, Direction::Below, rate, 0.05) >= 0.8);
        }
        assert_eq!(sample_size(0.05, Direction::Below, 0.0, 0.05, 0.8), Some(59));
        assert_eq!(sample_size(0.05, Direction::Below, 0.05, 0.05, 0.8), None);
        assert_eq!(sample_size(0.05, Direction::Above, 0.02, 0.05, 0.8), None);
        assert_eq!(sample_size(0.05, Direction::Below, f64::NAN, 0.05, 0.8), None);
    }

    #[test]
    fn power_is_the_exact_probability_and_its_size_stays_under_alpha() {
        // scipy.stats.binom.cdf(8, 286, .02)
        assert_close(power(286, 0.05, Direction::Below, 0.02, 0.05), POWER_286, 1e-9);
        for n in [59, 100, 286, 1000] {
            assert!(power(n, 0.05, Direction::Below, 0.05, 0.05) < 0.05);
        }
        assert_eq!(power(58, 0.05, Direction::Below, 0.0, 0.05), 0.0);
        assert_eq!(power(59, 0.05, Direction::Below, 0.0, 0.05), 1.0);
    }

    #[test]
    fn newcombe_agrees_with_his_table() {
        // Newcombe 1998, table II, method 10: contrasts (a) 56/70 - 48/80, (b) 9/10 - 3/10, (c) 6/7 - 2/7,
        // (d) 5/56 - 0/29, (g) 10/10 - 0/10 (four decimals printed).
        for (first, second, lower, upper) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let i = newcombe_difference(first, second, 0.95);
            assert_close(i.lower, lower, 6e-5);
            assert_close(i.upper, upper, 6e-5);
        }
        let empty = newcombe_difference((0, 0), (0, 0), 0.95);
        assert!(empty.lower < -0.7 && empty.upper > 0.7);
    }

    #[test]
    fn z_test_agrees_with_statsmodels() {
        // statsmodels.stats.proportion.proportions_ztest([56, 48], [70, 80])
        let t = two_proportion_z((56, 70), (48, 80));
        assert_close(t.z, Z_TEST.0, 1e-9);
        assert_close(t.p_value, Z_TEST.1, 1e-9);
        for (a, b) in [((0, 0), (3, 4)), ((0, 5), (0, 7)), ((5, 5), (7, 7))] {
            assert_eq!(two_proportion_z(a, b), ZTest { z: 0.0, p_value: 1.0 });
        }
    }

    #[test]
    fn design_effect_of_copies_is_their_number() {
        // Each observation entered twice: asymptotically half the information, exactly 2 * n/(n-1).
        let copies: Vec<(u64, u64)> = (0..100).map(|i| if i < 30 { (2, 2) } else { (0, 2) }).collect();
        assert_close(design_effect(&copies), 2.0 * 100.0 / 99.0, 1e-12);
        // Pairs that always split one to one leave nothing to chance.
        assert_eq!(design_effect(&[(1, 2), (1, 2), (1, 2)]), 0.0);
        for degenerate in [&[][..], &[(1, 2)], &[(0, 2), (0, 2)], &[(2, 2), (2, 2)], &[(0, 0), (0, 0)]] {
            assert_eq!(design_effect(degenerate), 1.0);
        }
    }

    const WILSON: [(u64, u64, f64, f64); 7] = [
        (0, 59, 0.0, 0.0611293705268),
        (1, 10, 0.0178762130951, 0.404150026795),
        (7, 120, 0.0285410100002, 0.115525920336),
        (60, 120, 0.411938705411, 0.588061294589),
        (493, 1000, 0.462099407404, 0.523954167214),
        (120, 120, 0.968980833581, 1.0),
        (3, 100000, 1.02027585445e-05, 8.82080492518e-05),
    ];

    const CLOPPER_PEARSON: [(u64, u64, f64, f64); 7] = [
        (0, 59, 0.0, 0.0606089009503),
        (1, 10, 0.00252857854446, 0.445016117028),
        (7, 120, 0.0237720237905, 0.116498379646),
        (60, 120, 0.40736926744, 0.59263073256),
        (493, 1000, 0.461572862754, 0.524468457734),
        (120, 120, 0.969727027423, 1.0),
        (3, 100000, 6.18676395892e-06, 8.76702025664e-05),
    ];
    const POWER_286: f64 = 0.876915105809;
    const Z_TEST: (f64, f64) = (2.65017195126, 0.0080450813682);
}
