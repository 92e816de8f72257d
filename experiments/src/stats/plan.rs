//! Planning: how many units a sequential test will need, by simulation before anything is played.

use super::betting::BettingTest;
use super::{Direction, StatsError, Verdict, in_range};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What simulated runs of a sequential test came to.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedStops {
    /// Runs simulated.
    pub runs: u64,
    /// Runs that ended in [`Verdict::Supported`].
    pub supported: u64,
    /// Runs that ended in [`Verdict::Refuted`].
    pub refuted: u64,
    /// Units each run took, in ascending order; an undecided run counts with the cap.
    pub units: Vec<u64>,
}

impl SimulatedStops {
    /// Mean number of units a run took (the cap for those that did not decide); 0 without runs.
    pub fn mean_units(&self) -> f64 {
        if self.units.is_empty() {
            return 0.0;
        }
        self.units.iter().sum::<u64>() as f64 / self.units.len() as f64
    }

    /// The number of units by which the given share of the runs had decided; nothing if that many did not.
    pub fn units_for(&self, share: f64) -> Option<u64> {
        let decided = self.supported + self.refuted;
        let wanted = (share.clamp(0.0, 1.0) * self.runs as f64).ceil().max(1.0) as u64;
        if wanted > decided { None } else { self.units.get(wanted as usize - 1).copied() }
    }

    /// The share of runs that supported the claim within the cap: the power of a run of that size.
    pub fn power(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.supported as f64 / self.runs as f64 }
    }
}

/// Simulates [`BettingTest`] on independent units that are 1 with probability `rate` and 0 otherwise, up to
/// `cap` units a run. Same seed, same answer (ChaCha8).
///
/// # Errors
/// `rate` or `threshold` not in [0, 1], `alpha` not strictly between 0 and 1.
pub fn simulate_stops(
    claim: (f64, Direction),
    alpha: f64,
    rate: f64,
    cap: u64,
    runs: u64,
    seed: u64,
) -> Result<SimulatedStops, StatsError> {
    let rate = in_range("rate", rate, 0.0, 1.0)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut stops = SimulatedStops { runs, supported: 0, refuted: 0, units: Vec::new() };
    for _ in 0..runs {
        let mut test = BettingTest::new(claim.0, alpha, claim.1)?;
        while test.decision().is_none() && test.count() < cap {
            test.push(f64::from(u8::from(rng.random_bool(rate))))?;
        }
        match test.verdict() {
            Verdict::Supported => stops.supported += 1,
            Verdict::Refuted => stops.refuted += 1,
            Verdict::Undecided => {}
        }
        stops.units.push(test.count());
    }
    stops.units.sort_unstable();
    Ok(stops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::{assert_close, full_check};

    /// Expected stopping times against a threshold of 5 %: about 400 units at a true 2 %, 1,130 at 3 %.
    #[test]
    fn expected_stopping_times() {
        let runs = if full_check() { 5000 } else { 500 };
        let at = |rate| simulate_stops((0.05, Direction::Below), 0.05, rate, 20_000, runs, 7).unwrap();
        let two = at(0.02);
        assert_close(two.mean_units(), 400.0, 40.0);
        assert!(two.power() >= 0.975, "{}", two.power());
        let three = at(0.03);
        assert_close(three.mean_units(), 1130.0, 150.0);
        assert!(three.units_for(0.8).unwrap() > three.units_for(0.5).unwrap());
    }

    #[test]
    fn shares_of_runs() {
        let stops = SimulatedStops { runs: 5, supported: 3, refuted: 1, units: vec![10, 20, 30, 40, 99] };
        assert_eq!([0.0, 0.2, 0.5, 0.8].map(|s| stops.units_for(s)), [10, 10, 30, 40].map(Some));
        assert_eq!(stops.units_for(0.9), None);
        assert_eq!((stops.power(), stops.mean_units()), (0.6, 39.8));
    }

    #[test]
    fn no_verdict_within_the_cap_is_counted_as_none() {
        let stops = simulate_stops((0.05, Direction::Below), 0.05, 0.05, 50, 20, 1).unwrap();
        assert_eq!(stops.supported, 0);
        assert_eq!(stops.units_for(1.0), None);
        assert_eq!(stops.units.len(), 20);
        let none = simulate_stops((0.05, Direction::Below), 0.05, 0.05, 50, 0, 1).unwrap();
        assert_eq!((none.mean_units(), none.power(), none.units_for(0.5)), (0.0, 0.0, None));
        assert!(simulate_stops((0.05, Direction::Below), 0.05, 1.5, 50, 1, 1).is_err());
    }
}
