use super::*;
use crate::stats::proportion::wilson;
use crate::stats::test_support::{assert_close, full_check};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Independent reimplementation in Python, f64, of the interval for x = (i * i % 7 == 1) and of the stopping
/// units below:
///
/// ```python
/// def capital(xs, m, up):
///     s, v, k, ks = 0.0, 0.0, 1.0, []
///     for t, x in enumerate(xs):
///         mu, var = (.5 + s) / (t + 1), (.25 + v) / (t + 1)
///         e = mu - m if up else m - mu
///         b = m if up else 1 - m
///         lam = e / (var + e * e + b * e) if e > 0 else 0
///         k *= 1 + lam * ((x - m) if up else (m - x)); ks.append(k)
///         s += x; v += (x - (.5 + s) / (t + 2)) ** 2
///     return ks
/// xs = [float(i * i % 7 == 1) for i in range(300)]
/// capital(xs[:40], .5, False)[-1], capital(xs[:40], .2, True)[-1]
/// lo = max(i for i in range(1001) if all(max(capital(xs, j / 1000, True)) >= 40 for j in range(i + 1)))
/// ```
#[test]
fn agrees_with_an_independent_reimplementation() {
    let mut sequence = ConfidenceSequence::new(0.05).unwrap();
    let mut test = BettingTest::new(0.5, 0.05, Direction::Below).unwrap();
    let mut against = BettingTest::new(0.5, 0.05, Direction::Above).unwrap();
    let mut low = BettingTest::new(0.2, 0.05, Direction::Above).unwrap();
    for i in 0..300_u32 {
        let x = f64::from(u8::from(i * i % 7 == 1));
        sequence.push(x).unwrap();
        test.push(x).unwrap();
        against.push(x).unwrap();
        low.push(x).unwrap();
        if i == 39 {
            assert_close(test.supporter.capital, PY_CAPITAL_BELOW, 1e-12 * PY_CAPITAL_BELOW);
            assert_close(low.supporter.capital, PY_CAPITAL_ABOVE, 1e-12 * PY_CAPITAL_ABOVE);
        }
    }
    assert_eq!(sequence.interval(), Interval { lower: PY_LOWER, upper: PY_UPPER });
    assert_eq!(test.decision(), Some(Decision { verdict: Verdict::Supported, units: PY_UNITS }));
    assert_eq!(against.decision(), Some(Decision { verdict: Verdict::Refuted, units: PY_UNITS }));
    assert_eq!(test.units_to_go(), Some(0));
}

const PY_LOWER: f64 = 0.204;
const PY_UPPER: f64 = 0.378;
const PY_CAPITAL_BELOW: f64 = 14.35192436599161;
const PY_CAPITAL_ABOVE: f64 = 0.7155444852579075;
const PY_UNITS: u64 = 54;

/// Misses of the sequence and of a Wilson interval, both looked at after every unit.
fn misses(mean: f64, runs: u32, units: u32, draw: impl Fn(&mut ChaCha8Rng) -> f64) -> (u32, u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(20_240_101);
    let (mut sequence_misses, mut wilson_misses) = (0, 0);
    for _ in 0..runs {
        let mut sequence = ConfidenceSequence::with_steps(0.05, 200).unwrap();
        let (mut ones, mut wilson_missed) = (0, false);
        for n in 1..=units {
            let x = draw(&mut rng);
            sequence.push(x).unwrap();
            ones += u64::from(x == 1.0);
            wilson_missed |= !wilson(ones, u64::from(n), 0.95, 1.0).contains(mean);
        }
        let interval = sequence.interval();
        // Running intersection: the last interval is inside all others. The mean itself is a candidate.
        sequence_misses += u32::from(!(interval.lower < mean && mean < interval.upper));
        wilson_misses += u32::from(wilson_missed);
    }
    (sequence_misses, wilson_misses)
}

#[test]
fn covers_under_continuous_looking_where_a_fixed_interval_does_not() {
    let (runs, units) = if full_check() { (2000, 2000) } else { (200, 400) };
    for mean in [0.02, 0.05, 0.5, 0.9] {
        let (sequence, fixed) = misses(mean, runs, units, |rng| f64::from(u8::from(rng.random_bool(mean))));
        assert!(sequence * 20 <= runs, "mean {mean}: {sequence} of {runs} missed");
        assert!(fixed * 10 > runs, "mean {mean}: the check is blind, Wilson missed only {fixed} of {runs}");
    }
    // Scores 0, 1/2, 1 with a mean of 0.55, and the uniform law.
    let (sequence, _) = misses(0.55, runs, units, |rng| {
        let u: f64 = rng.random();
        if u < 0.4 {
            1.0
        } else if u < 0.7 {
            0.5
        } else {
            0.0
        }
    });
    assert!(sequence * 20 <= runs, "scores: {sequence} of {runs} missed");
    let (sequence, _) = misses(0.5, runs, units, |rng| rng.random());
    assert!(sequence * 20 <= runs, "uniform: {sequence} of {runs} missed");
}

#[test]
fn wrong_verdicts_at_the_threshold_stay_under_alpha() {
    let runs = if full_check() { 2000 } else { 300 };
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut decided = 0;
    for _ in 0..runs {
        let mut test = BettingTest::new(0.05, 0.05, Direction::Below).unwrap();
        for _ in 0..3000 {
            test.push(f64::from(u8::from(rng.random_bool(0.05)))).unwrap();
        }
        decided += u32::from(test.decision().is_some());
    }
    assert!(decided * 20 <= runs, "{decided} of {runs} decided at the threshold itself");
}

#[test]
fn the_test_decides_exactly_when_the_interval_leaves_the_threshold() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for rate in [0.02, 0.2] {
        let mut sequence = ConfidenceSequence::new(0.05).unwrap();
        let mut test = BettingTest::new(0.05, 0.05, Direction::Below).unwrap();
        while test.verdict() == Verdict::Undecided {
            let x = f64::from(u8::from(rng.random_bool(rate)));
            let inside = sequence.interval();
            assert!(inside.lower < 0.05 && 0.05 < inside.upper);
            sequence.push(x).unwrap();
            test.push(x).unwrap();
        }
        let interval = sequence.interval();
        match test.verdict() {
            Verdict::Supported => assert!(interval.upper <= 0.05),
            _ => assert!(interval.lower >= 0.05),
        }
        assert_eq!(test.verdict(), if rate < 0.05 { Verdict::Supported } else { Verdict::Refuted });
    }
}

#[test]
fn a_verdict_is_frozen() {
    let mut test = BettingTest::new(0.5, 0.05, Direction::Below).unwrap();
    while test.push(0.0).unwrap() == Verdict::Undecided {}
    let decision = test.decision();
    assert!(decision.is_some_and(|d| d.verdict == Verdict::Supported && d.units < 20), "{decision:?}");
    for _ in 0..10_000 {
        test.push(1.0).unwrap();
    }
    assert_eq!(test.decision(), decision);
    assert_eq!(test.count(), decision.unwrap().units);
}

#[test]
fn degenerate_samples_have_defined_answers() {
    let empty = ConfidenceSequence::new(0.05).unwrap();
    assert_eq!((empty.interval(), empty.mean(), empty.count()), (Interval::UNIT, None, 0));
    for value in [0.0, 0.5, 1.0] {
        let mut sequence = ConfidenceSequence::new(0.05).unwrap();
        for n in 0..5000 {
            sequence.push(value).unwrap();
            let i = sequence.interval();
            assert!(i.contains(value) && i.lower.is_finite() && i.upper.is_finite(), "{value} {n} {i:?}");
        }
        assert!(sequence.interval().width() < 0.02, "{value}: {:?}", sequence.interval());
        assert!(!sequence.is_contradicted());
    }
    for threshold in [0.0, 1.0] {
        for direction in [Direction::Below, Direction::Above] {
            for value in [0.0, 0.5, 1.0] {
                let mut test = BettingTest::new(threshold, 0.05, direction).unwrap();
                for _ in 0..1000 {
                    test.push(value).unwrap();
                }
                let right = if value == threshold {
                    Verdict::Undecided
                } else if (threshold == 1.0) == (direction == Direction::Below) {
                    Verdict::Supported
                } else {
                    Verdict::Refuted
                };
                assert_eq!(test.verdict(), right, "{threshold} {direction:?} {value}");
                let _ = test.units_to_go();
            }
        }
    }
}

#[test]
fn a_drifting_mean_is_reported() {
    let mut sequence = ConfidenceSequence::new(0.05).unwrap();
    for i in 0..4000 {
        sequence.push(f64::from(u8::from(i >= 1000))).unwrap();
    }
    assert!(sequence.is_contradicted());
    let i = sequence.interval();
    assert!(i.lower <= i.upper);
}

#[test]
fn bad_arguments_are_refused_and_change_nothing() {
    for alpha in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(ConfidenceSequence::new(alpha).is_err());
        assert!(BettingTest::new(0.5, alpha, Direction::Below).is_err());
    }
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(BettingTest::new(bad, 0.05, Direction::Below).is_err());
        let mut sequence = ConfidenceSequence::new(0.05).unwrap();
        assert!(sequence.push(bad).is_err());
        assert_eq!(sequence.count(), 0);
        let mut test = BettingTest::new(0.5, 0.05, Direction::Below).unwrap();
        assert!(test.push(bad).is_err());
        assert_eq!(test.count(), 0);
    }
    assert!(EquivalenceTest::new(0.6, 0.4, 0.05).is_err());
    let message = BettingTest::new(1.5, 0.05, Direction::Below).unwrap_err().to_string();
    assert_eq!(message, "threshold is 1.5, expected a number from 0 to 1");
}

/// The estimate against what truly happens: of runs that follow it, about four in five decide in time.
#[test]
fn units_to_go_is_about_right() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let runs = 300;
    let mut in_time = 0;
    for _ in 0..runs {
        let mut test = BettingTest::new(0.3, 0.05, Direction::Below).unwrap();
        // A first part with exactly the true rate, so that the plug-in is right.
        for i in 0..50 {
            test.push(f64::from(u8::from(i % 5 == 4))).unwrap();
        }
        let more = test.units_to_go().unwrap();
        for _ in 0..more {
            test.push(f64::from(u8::from(rng.random_bool(0.2)))).unwrap();
        }
        in_time += u32::from(test.verdict() == Verdict::Supported);
    }
    assert!((210..=285).contains(&in_time), "{in_time} of {runs}");
}

#[test]
fn equivalence_needs_both_margins() {
    let run = |rate: f64, units: u32| {
        let mut rng = ChaCha8Rng::seed_from_u64(17);
        let mut test = EquivalenceTest::new(0.45, 0.55, 0.05).unwrap();
        for _ in 0..units {
            test.push(f64::from(u8::from(rng.random_bool(rate)))).unwrap();
        }
        test
    };
    let equal = run(0.5, 5000);
    assert_eq!(equal.verdict(), Verdict::Supported);
    let late = equal.decision().unwrap().units;
    assert!(late > 300, "{late}");
    assert_eq!(run(0.7, 5000).verdict(), Verdict::Refuted);
    assert_eq!(run(0.7, 5000).units_to_go(), Some(0));
    let short = run(0.5, 40);
    assert_eq!((short.verdict(), short.decision()), (Verdict::Undecided, None));
    assert!(short.units_to_go().is_some_and(|n| n > 100));
}

#[test]
fn scales_and_ratios() {
    let scale = Scale::new(-1.0, 1.0).unwrap();
    assert_eq!(scale.to_unit(0.0), Ok(0.5));
    assert_eq!(scale.from_unit(0.75), 0.5);
    assert_eq!(scale.interval(Interval::UNIT), Interval { lower: -1.0, upper: 1.0 });
    assert!(scale.to_unit(1.5).is_err());
    assert!(Scale::new(1.0, 1.0).is_err());
    assert!(Scale::new(f64::NAN, 1.0).is_err());
    // 19 of 20 is 95 % exactly, whatever the denominators of the units are.
    let units = [(4.0, 4.0), (0.0, 0.0), (9.0, 10.0), (6.0, 6.0)];
    let sum: f64 = units.iter().map(|&(n, d)| ratio_unit(n, d, 0.95, 20.0).unwrap()).sum();
    assert_close(sum / 4.0, 0.95, 1e-12);
    assert_close(ratio_unit(0.0, 20.0, 0.95, 20.0).unwrap(), 0.0, 1e-12);
    assert_close(ratio_unit(20.0, 20.0, 0.95, 20.0).unwrap(), 1.0, 1e-12);
    assert!(ratio_unit(5.0, 4.0, 0.95, 20.0).is_err());
    assert!(ratio_unit(1.0, 21.0, 0.95, 20.0).is_err());
}
