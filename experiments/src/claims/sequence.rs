//! One claim under sequential judgement: a mean, a difference of means or a ratio of means.

use super::{Observation, Relation};
use crate::stats::betting::{BettingTest, ConfidenceSequence, EquivalenceTest, Scale};
use crate::stats::{Direction, Interval, Verdict};
use anyhow::Result;

/// The test of one bound.
#[derive(Debug)]
pub struct Decider(Kind);

#[derive(Debug)]
enum Kind {
    Side(BettingTest),
    Margin(EquivalenceTest),
}

impl Decider {
    /// A test of a mean on `scale`.
    ///
    /// # Errors
    /// A threshold, margin or level out of range.
    pub fn new(scale: Scale, relation: Relation, threshold: f64, level: f64) -> Result<Decider> {
        let side = |direction| -> Result<Kind> {
            Ok(Kind::Side(BettingTest::new(scale.to_unit(threshold)?, level, direction)?))
        };
        Ok(Decider(match relation {
            Relation::Below => side(Direction::Below)?,
            Relation::Above => side(Direction::Above)?,
            Relation::Within(margin) => {
                let (low, high) = (scale.to_unit(threshold - margin)?, scale.to_unit(threshold + margin)?);
                Kind::Margin(EquivalenceTest::new(low, high, level)?)
            }
        }))
    }

    /// Takes the next value, on the scale from 0 to 1.
    ///
    /// # Errors
    /// A value outside it.
    pub fn push(&mut self, x: f64) -> Result<Verdict> {
        Ok(match &mut self.0 {
            Kind::Side(test) => test.push(x)?,
            Kind::Margin(test) => test.push(x)?,
        })
    }

    fn verdict(&self) -> Verdict {
        match &self.0 {
            Kind::Side(test) => test.verdict(),
            Kind::Margin(test) => test.verdict(),
        }
    }

    fn units_to_go(&self) -> Option<u64> {
        match &self.0 {
            Kind::Side(test) => test.units_to_go(),
            Kind::Margin(test) => test.units_to_go(),
        }
    }
}

/// The sequential test of a mean whose least and greatest values are known, with unfinished games entered at
/// their least value and at their greatest.
#[derive(Debug)]
pub struct MeanTest {
    scale: Scale,
    low: Decider,
    high: Decider,
    shown_low: ConfidenceSequence,
    shown_high: ConfidenceSequence,
}

impl MeanTest {
    /// A test of a mean between the ends of `range`.
    ///
    /// # Errors
    /// A threshold, margin or level out of range.
    pub fn new(range: (f64, f64), relation: Relation, threshold: f64, level: f64) -> Result<MeanTest> {
        let scale = Scale::new(range.0, range.1)?;
        let decider = || Decider::new(scale, relation, threshold, level);
        Ok(MeanTest {
            scale,
            low: decider()?,
            high: decider()?,
            shown_low: ConfidenceSequence::new(level)?,
            shown_high: ConfidenceSequence::new(level)?,
        })
    }

    /// Takes the next value.
    ///
    /// # Errors
    /// A value outside the range: a fault of this program.
    pub fn push(&mut self, seen: Observation) -> Result<Verdict> {
        let (low, high) = (self.scale.to_unit(seen.low)?, self.scale.to_unit(seen.high)?);
        self.shown_low.push(low)?;
        self.shown_high.push(high)?;
        let verdicts = (self.low.push(low)?, self.high.push(high)?);
        Ok(if verdicts.0 == verdicts.1 { verdicts.0 } else { Verdict::Undecided })
    }

    /// The mean so far with unfinished games at their least, and at their greatest.
    pub fn mean(&self) -> Option<(f64, f64)> {
        let mean = self.shown_low.mean().zip(self.shown_high.mean());
        mean.map(|(low, high)| (self.scale.from_unit(low), self.scale.from_unit(high)))
    }

    /// The interval that holds whichever way unfinished games are entered.
    pub fn interval(&self) -> Interval {
        let (low, high) = (self.shown_low.interval(), self.shown_high.interval());
        self.scale.interval(Interval { lower: low.lower.min(high.lower), upper: low.upper.max(high.upper) })
    }

    /// More values that would probably decide: both bounds have to.
    pub fn units_to_go(&self) -> Option<u64> {
        match (self.low.units_to_go(), self.high.units_to_go()) {
            (Some(a), Some(b)) if self.low.verdict() == self.high.verdict() => Some(a.max(b)),
            _ => None,
        }
    }
}

/// A confidence sequence for a ratio of means: every ratio on a grid is tested as a threshold, and those that
/// are rejected are out. Each test errs with probability `alpha`, and only that of the true ratio matters.
#[derive(Debug)]
pub struct RatioSequence {
    tests: Vec<(f64, BettingTest, BettingTest)>,
}

impl RatioSequence {
    /// Steps of the grid.
    const STEPS: u32 = 200;

    /// A sequence with error probability `alpha`.
    ///
    /// # Errors
    /// `alpha` out of range.
    pub fn new(alpha: f64) -> Result<RatioSequence> {
        let test = |i| -> Result<(f64, BettingTest, BettingTest)> {
            let threshold = f64::from(i) / f64::from(Self::STEPS);
            let test = || BettingTest::new(threshold, alpha, Direction::Above);
            Ok((threshold, test()?, test()?))
        };
        Ok(RatioSequence { tests: (0..=Self::STEPS).map(test).collect::<Result<_>>()? })
    }

    /// Takes a unit, given as a function of the threshold that it is tested against.
    ///
    /// # Errors
    /// A value outside [0, 1]: a fault of this program.
    pub fn push(&mut self, unit: impl Fn(f64) -> Option<Observation>) -> Result<()> {
        for (threshold, low, high) in &mut self.tests {
            if let Some(seen) = unit(*threshold) {
                low.push(seen.low)?;
                high.push(seen.high)?;
            }
        }
        Ok(())
    }

    /// The ratios that are not rejected, whichever way unfinished games are entered.
    pub fn interval(&self) -> Interval {
        let too_small = |t: &&(f64, BettingTest, BettingTest)| t.1.verdict() == Verdict::Supported;
        let too_large = |t: &&(f64, BettingTest, BettingTest)| t.2.verdict() == Verdict::Refuted;
        let lower = self.tests.iter().filter(too_small).map(|t| t.0).fold(0.0, f64::max);
        let upper = self.tests.iter().filter(too_large).map(|t| t.0).fold(1.0, f64::min);
        Interval { lower, upper: upper.max(lower) }
    }
}
