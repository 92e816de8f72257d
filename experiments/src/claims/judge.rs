//! The sequential verdicts: units in order, each claim frozen at its first crossing.

use super::{Claim, Observation, Test};
use crate::log::UnitRows;
use crate::stats::betting::{BettingTest, ConfidenceSequence};
use crate::stats::{Interval, Verdict};
use anyhow::Result;

/// Judges all claims of a run that rest on its games.
#[derive(Debug)]
pub struct Judge {
    claims: Vec<Sequence>,
}

/// One claim under judgement.
#[derive(Debug)]
struct Sequence {
    claim: Claim,
    /// Unfinished games entered at their least value, and at their greatest.
    low: BettingTest,
    high: BettingTest,
    shown_low: ConfidenceSequence,
    shown_high: ConfidenceSequence,
    units: u64,
    unfinished: u64,
    settled: Option<(Verdict, u64)>,
}

/// Where a claim stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The claim.
    pub claim: Claim,
    /// The verdict; frozen once it is not [`Verdict::Undecided`].
    pub verdict: Verdict,
    /// Units read, up to the decision.
    pub units: u64,
    /// Units among them with an unfinished game.
    pub unfinished: u64,
    /// The mean so far, with unfinished games at their least and at their greatest.
    pub mean: Option<(f64, f64)>,
    /// The interval that holds whichever way unfinished games are entered, at the claim's own level.
    pub interval: Interval,
    /// More units that would probably decide; `None` where that cannot be said.
    pub to_go: Option<u64>,
}

impl Judge {
    /// A judge of the claims that rest on games.
    ///
    /// # Errors
    /// A threshold or level out of range.
    pub fn new(claims: &[Claim]) -> Result<Judge> {
        let mut list = Vec::new();
        for claim in claims {
            if let Test::Sequence { direction, threshold, level, .. } = claim.test {
                let test = || BettingTest::new(threshold, level, direction);
                let shown = || ConfidenceSequence::new(level);
                list.push(Sequence {
                    claim: claim.clone(),
                    low: test()?,
                    high: test()?,
                    shown_low: shown()?,
                    shown_high: shown()?,
                    units: 0,
                    unfinished: 0,
                    settled: None,
                });
            }
        }
        Ok(Judge { claims: list })
    }

    /// Takes the next unit in order.
    ///
    /// # Errors
    /// A metric outside its range: a fault of this program.
    pub fn push(&mut self, unit: &UnitRows) -> Result<()> {
        self.claims.iter_mut().filter(|c| c.settled.is_none()).try_for_each(|c| c.push(unit))
    }

    /// Whether there are claims and all are decided.
    pub fn all_decided(&self) -> bool {
        !self.claims.is_empty() && self.claims.iter().all(|c| c.settled.is_some())
    }

    /// Where the claims stand, in their order.
    pub fn standings(&self) -> Vec<Standing> {
        self.claims.iter().map(Sequence::standing).collect()
    }
}

impl Sequence {
    fn push(&mut self, unit: &UnitRows) -> Result<()> {
        let Test::Sequence { metric, .. } = self.claim.test else { return Ok(()) };
        let seen: Vec<Observation> = unit.games.iter().map(|(g, m, _)| metric.observe(g, m)).collect();
        let games = seen.len().max(1) as f64;
        let low = seen.iter().map(|o| o.low).sum::<f64>() / games;
        let high = seen.iter().map(|o| o.high).sum::<f64>() / games;
        self.units += 1;
        self.unfinished += u64::from(low != high);
        self.shown_low.push(low)?;
        self.shown_high.push(high)?;
        let verdicts = (self.low.push(low)?, self.high.push(high)?);
        if verdicts.0 == verdicts.1 && verdicts.0 != Verdict::Undecided {
            self.settled = Some((verdicts.0, self.units));
        }
        Ok(())
    }

    fn standing(&self) -> Standing {
        let (low, high) = (self.shown_low.interval(), self.shown_high.interval());
        // The more distant answer of the two: both tests have to decide.
        let to_go = match (self.low.units_to_go(), self.high.units_to_go()) {
            (Some(a), Some(b)) if self.low.verdict() == self.high.verdict() => Some(a.max(b)),
            _ => None,
        };
        Standing {
            claim: self.claim.clone(),
            verdict: self.settled.map_or(Verdict::Undecided, |(verdict, _)| verdict),
            units: self.settled.map_or(self.units, |(_, units)| units),
            unfinished: self.unfinished,
            mean: self.shown_low.mean().zip(self.shown_high.mean()),
            interval: Interval { lower: low.lower.min(high.lower), upper: low.upper.max(high.upper) },
            to_go,
        }
    }
}
