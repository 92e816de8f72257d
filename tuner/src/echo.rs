//! How much of an estimate is an echo of what the players believed: the same estimate from games of players whose
//! beliefs were changed, against the change.

use crate::logistic::Interval;

/// One quantity, estimated under the old belief and under the new, on the scale of logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// Logarithm of new belief over old.
    pub put_in: f64,
    /// Logarithm of new estimate over old.
    pub came_out: f64,
    /// Standard error of `came_out`.
    pub error: f64,
}

/// The share of a change of belief that comes back as a change of the estimate, with its interval: the slope of a
/// weighted regression through the origin. 0 is no echo, 1 nothing but echo. `z` is the normal quantile; nothing if
/// no belief was changed. Errors are taken as independent of each other.
pub fn echo(shifts: &[Shift], z: f64) -> Option<(f64, Interval)> {
    let known = || shifts.iter().filter(|s| s.error > 0.0 && s.came_out.is_finite());
    let sum = |of: &dyn Fn(&Shift) -> f64| known().map(|s| of(s) / (s.error * s.error)).sum::<f64>();
    let information = sum(&|s| s.put_in * s.put_in);
    if information.is_nan() || information <= 0.0 {
        return None;
    }
    let slope = sum(&|s| s.put_in * s.came_out) / information;
    let reach = z / information.sqrt();
    Some((slope, Interval { lower: slope - reach, upper: slope + reach }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_planted_echo_comes_back_with_the_stated_coverage() {
        let (n, planted) = (4000, 0.3);
        let mut held = 0;
        for seed in 0..n {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let shifts: Vec<Shift> = (0..6)
                .map(|kind| {
                    let put_in = if kind % 2 == 0 { libm::log(1.2) } else { libm::log(0.8) };
                    let error = 0.05 + 0.02 * f64::from(kind);
                    // Twelve uniform numbers less six are nearly normal.
                    let noise: f64 = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
                    Shift { put_in, came_out: planted * put_in + error * noise, error }
                })
                .collect();
            let (_, interval) = echo(&shifts, 1.959_963_984_540_054).unwrap();
            held += u32::from((interval.lower..=interval.upper).contains(&planted));
        }
        let share = f64::from(held) / n as f64;
        assert!((0.94..=0.96).contains(&share), "{share}");
    }

    #[test]
    fn without_a_change_there_is_nothing_to_hear() {
        let still = Shift { put_in: 0.0, came_out: 0.1, error: 0.1 };
        let lost = Shift { put_in: 0.2, came_out: f64::NAN, error: 0.1 };
        assert_eq!(echo(&[still, lost], 2.0), None);
        assert_eq!(echo(&[], 2.0), None);
    }
}
