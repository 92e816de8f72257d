//! Times to an event that some games end before: Kaplan-Meier and the restricted mean.

use super::{Interval, two_sided_z};

/// One observed time: of the event, or of the last look if it had not come by then (censored).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// Time, 0 or more (move numbers, say).
    pub time: f64,
    /// Whether the event came at that time.
    pub event: bool,
}

/// A restricted mean survival time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestrictedMean {
    /// Mean of the smaller of the event's time and the horizon.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl RestrictedMean {
    /// Normal interval of the mean.
    pub fn interval(&self, confidence: f64) -> Interval {
        let half = if self.error > 0.0 { two_sided_z(confidence) * self.error } else { 0.0 };
        Interval { lower: self.mean - half, upper: self.mean + half }
    }
}

/// Mean of min(time of the event, `horizon`): the area under the Kaplan-Meier curve (Kaplan and Meier 1958,
/// JASA 53:457) up to the horizon, with the variance by Greenwood's formula (Irwin 1949; Klein and Moeschberger
/// 2003, "Survival Analysis", 4.5). Events come before censorings of the same time.
///
/// After the last observation the curve stays as it is (Gill's convention). Observations with a time that is
/// negative or not a number are left out. Nothing without observations or with a horizon that is not positive.
pub fn restricted_mean(observations: &[Observation], horizon: f64) -> Option<RestrictedMean> {
    let mut sorted: Vec<Observation> = observations.iter().copied().filter(|o| o.time >= 0.0).collect();
    if sorted.is_empty() || horizon.is_nan() || horizon <= 0.0 || horizon.is_infinite() {
        return None;
    }
    sorted.sort_by(|a, b| a.time.total_cmp(&b.time));
    // Event times within the horizon: (time, events, at risk).
    let mut steps: Vec<(f64, f64, f64)> = Vec::new();
    for (index, o) in sorted.iter().enumerate().filter(|(_, o)| o.event && o.time <= horizon) {
        match steps.last_mut() {
            Some(step) if step.0 == o.time => step.1 += 1.0,
            _ => {
                let first = sorted[..index].iter().rposition(|p| p.time < o.time).map_or(0, |i| i + 1);
                steps.push((o.time, 1.0, (sorted.len() - first) as f64));
            }
        }
    }
    let mut survival = 1.0;
    let mut before = 0.0;
    let mut areas = Vec::with_capacity(steps.len() + 1);
    for &(time, events, at_risk) in &steps {
        areas.push(survival * (time - before));
        survival *= 1.0 - events / at_risk;
        before = time;
    }
    areas.push(survival * (horizon - before));
    let mean: f64 = areas.iter().sum();
    // Area still to come after each step, and its share of the variance.
    let (mut to_come, mut variance) = (0.0, 0.0);
    for (&(_, events, at_risk), area) in steps.iter().zip(&areas[1..]).rev() {
        to_come += area;
        if at_risk > events {
            variance += to_come * to_come * events / (at_risk * (at_risk - events));
        }
    }
    Some(RestrictedMean { mean, error: variance.sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    fn column(times: &[f64], events: &[bool]) -> Vec<Observation> {
        times.iter().zip(events).map(|(&time, &event)| Observation { time, event }).collect()
    }

    #[test]
    fn without_censoring_it_is_the_plain_mean() {
        let x = column(&[3.0, 9.0, 6.0, 50.0], &[true; 4]);
        let r = restricted_mean(&x, 40.0).unwrap();
        assert_close(r.mean, (3.0 + 9.0 + 6.0 + 40.0) / 4.0, 1e-12);
    }

    #[test]
    fn agrees_with_an_independent_computation() {
        // The 6-MP arm of Freireich et al. 1963, the textbook example (Klein and Moeschberger, table 1.2);
        // literals: restricted mean to 30 weeks and its error from statsmodels.duration.survfunc.SurvfuncRight
        // by numpy integration.
        let times = [
            10., 7., 32., 23., 22., 6., 16., 34., 32., 25., 11., 20., 19., 6., 17., 35., 6., 13., 9., 6., 10.,
        ];
        let events = [1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0].map(|e| e == 1);
        let r = restricted_mean(&column(&times, &events), 30.0).unwrap();
        assert_close(r.mean, RMST.0, 1e-9);
        assert_close(r.error, RMST.1, 1e-9);
        let i = r.interval(0.95);
        assert_close(i.width(), 2.0 * 1.959_963_984_540_054 * RMST.1, 1e-8);
    }

    #[test]
    fn degenerate_columns() {
        assert_eq!(restricted_mean(&[], 40.0), None);
        let one = column(&[5.0], &[true]);
        for horizon in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(restricted_mean(&one, horizon), None);
        }
        assert_eq!(restricted_mean(&one, 40.0), Some(RestrictedMean { mean: 5.0, error: 0.0 }));
        // Never seen: all of the horizon.
        let censored = column(&[5.0, 7.0], &[false, false]);
        assert_eq!(restricted_mean(&censored, 40.0), Some(RestrictedMean { mean: 40.0, error: 0.0 }));
        assert_eq!(restricted_mean(&column(&[f64::NAN], &[true]), 40.0), None);
    }

    const RMST: (f64, f64) = (21.04649859944, 2.243801951559);
}
