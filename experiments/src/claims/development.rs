//! Claims on how fast the centre is developed: a time that some games end before.

use super::Relation;
use crate::log::UnitRows;
use crate::stats::bootstrap::jackknife;
use crate::stats::proportion::clopper_pearson_upper;
use crate::stats::survival::{Observation, restricted_mean};
use crate::stats::{Interval, Verdict, two_sided_z};

/// The move by which half of a side's pawns have passed its fourth rank, up to a horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Development {
    /// Last move looked at.
    pub horizon: u64,
}

/// What one log shows: two times a game, in units.
#[derive(Clone, Debug, Default)]
pub struct Times {
    units: Vec<Vec<Observation>>,
    /// Times that came to an end without the event before the horizon.
    pub censored: u64,
}

impl Times {
    /// Takes a unit. A side whose pawns were captured too early to get there, and one whose game ended first,
    /// are censored: looked at up to that move, with no answer.
    pub fn push(&mut self, unit: &UnitRows, development: Development) {
        let mut times = Vec::new();
        for (game, metrics, _) in &unit.games {
            for (half, lost) in
                [("centre_half_white", "centre_lost_white"), ("centre_half_black", "centre_lost_black")]
            {
                let read = |column| metrics.get(column).parse::<f64>().ok();
                let time = match (read(half), read(lost)) {
                    (Some(time), _) => Observation { time, event: true },
                    (None, Some(time)) => Observation { time, event: false },
                    (None, None) => Observation { time: f64::from(game.moves), event: false },
                };
                self.censored += u64::from(!time.event && time.time < development.horizon as f64);
                times.push(time);
            }
        }
        self.units.push(times);
    }

    /// If nobody got there by the horizon: how many units have a time that was looked at up to it. Then every
    /// estimate of spread is 0, and only their number says anything.
    pub fn never(&self, development: Development) -> Option<u64> {
        let horizon = development.horizon as f64;
        let got_there = self.units.iter().flatten().any(|o| o.event && o.time <= horizon);
        let whole = self.units.iter().filter(|unit| unit.iter().any(|o| o.time >= horizon)).count() as u64;
        (!got_there && whole > 0).then_some(whole)
    }

    /// Units taken.
    pub fn units(&self) -> u64 {
        self.units.len() as u64
    }

    /// The restricted mean and its standard error, by the jackknife over units: the times of a game depend on
    /// each other.
    pub fn mean(&self, development: Development) -> Option<(f64, f64)> {
        let horizon = development.horizon as f64;
        let of = |chosen: &[usize]| {
            let times: Vec<Observation> =
                chosen.iter().flat_map(|&i| self.units[i].iter().copied()).collect();
            restricted_mean(&times, horizon).map_or(f64::NAN, |r| r.mean)
        };
        let all: Vec<usize> = (0..self.units.len()).collect();
        let mean = of(&all);
        let n = u32::try_from(self.units.len()).ok().filter(|n| *n >= 2)?;
        let left_out = jackknife(n, of);
        let centre = left_out.iter().sum::<f64>() / f64::from(n);
        let squares: f64 = left_out.iter().map(|x| (x - centre) * (x - centre)).sum();
        let error = (squares * f64::from(n - 1) / f64::from(n)).sqrt();
        (mean.is_finite() && error.is_finite()).then_some((mean, error))
    }
}

/// The verdict of a normal interval at `level` on an estimate and its standard error. An error of zero is a
/// sample too small or too much alike to say anything.
pub fn decide(
    (mean, error): (f64, f64),
    relation: Relation,
    threshold: f64,
    level: f64,
) -> (Verdict, Interval) {
    let half = two_sided_z(1.0 - level) * error;
    let interval = Interval { lower: mean - half, upper: mean + half };
    if error > 0.0 {
        (by_interval(interval, relation, threshold), interval)
    } else {
        (Verdict::Undecided, interval)
    }
}

/// The verdict where none of `whole` units saw the event by the horizon: the chance of it is below Clopper and
/// Pearson's bound at level / 2, and the mean at least the horizon's share that the others keep.
pub fn decide_never(
    whole: u64,
    development: Development,
    relation: Relation,
    threshold: f64,
    level: f64,
) -> (Verdict, Interval) {
    let horizon = development.horizon as f64;
    let chance = clopper_pearson_upper(0, whole, 1.0 - level / 2.0);
    let interval = Interval { lower: horizon * (1.0 - chance), upper: horizon };
    (by_interval(interval, relation, threshold), interval)
}

/// The verdict of an interval: SUPPORTED if the whole of it bears the claim out, REFUTED if none of it does.
pub fn by_interval(interval: Interval, relation: Relation, threshold: f64) -> Verdict {
    let (low, high) = match relation {
        Relation::Below => (f64::NEG_INFINITY, threshold),
        Relation::Above => (threshold, f64::INFINITY),
        Relation::Within(margin) => (threshold - margin, threshold + margin),
    };
    if interval.lower > low && interval.upper < high {
        Verdict::Supported
    } else if interval.upper < low || interval.lower > high {
        Verdict::Refuted
    } else {
        Verdict::Undecided
    }
}
