//! The verdicts: units in order, each sequential claim frozen at its first crossing.

use super::development::{self, Times};
use super::odds::{Armies, Shown};
use super::sequence::{MeanTest, RatioSequence};
use super::{Claim, Observation, Test};
use crate::experiment::Experiment;
use crate::log::UnitRows;
use crate::stats::{Interval, Verdict};
use anyhow::{Result, bail};
use engine::outcome::{GameResult, Termination};
use std::collections::VecDeque;

/// Judges all claims of a run that rest on its games.
#[derive(Debug)]
pub struct Judge {
    claims: Vec<Course>,
    /// Other runs announced so far.
    others: usize,
    /// Whether a claim beside these is decided by the whole log.
    whole_log: bool,
}

/// One claim under judgement.
#[derive(Debug)]
struct Course {
    claim: Claim,
    kind: Kind,
    units: u64,
    unfinished: u64,
    /// The figure with a move rule: games it holds of, games.
    beside: (u64, u64),
    /// Which of the other runs it is compared with, once there is one.
    against: Option<usize>,
    settled: Option<(Verdict, u64)>,
}

#[derive(Debug)]
enum Kind {
    Sequence(Box<Sequence>),
    Development(Box<[Times; 2]>),
    Odds(Box<Armies>),
}

#[derive(Debug)]
struct Sequence {
    test: MeanTest,
    /// For a ratio: its own interval, and the two sums.
    ratio: Option<(RatioSequence, (u64, u64))>,
    /// Values of this run and of the other that wait for their partners. A partner is the same unit where the
    /// two runs are of one game, else the next one in line.
    waiting: [VecDeque<Option<Observation>>; 2],
}

/// Where a claim stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The claim.
    pub claim: Claim,
    /// The verdict; frozen once it is not [`Verdict::Undecided`].
    pub verdict: Verdict,
    /// Units read that the claim is about, up to the decision; pairs of units for a comparison of two runs.
    pub units: u64,
    /// Units among them with an unfinished game; for a time, times without an answer.
    pub unfinished: u64,
    /// The mean so far, with unfinished games at their least and at their greatest.
    pub mean: Option<(f64, f64)>,
    /// The interval that holds whichever way unfinished games are entered, at the claim's own level.
    pub interval: Interval,
    /// More units that would probably decide (of a claim on worths: units of another run); `None` where that cannot
    /// be said.
    pub to_go: Option<u64>,
    /// The figure with the claim's move rule beside it, of all games of the log: games it holds of, games. Nothing
    /// for a claim without one.
    pub beside: Option<(u64, u64)>,
    /// Whether it was compared with another run: never for a claim that needs none.
    pub compared: bool,
    /// For a claim on worths: each of them, those that are claimed first. The mean and the interval are of the one
    /// named by `hangs_on`.
    pub worths: Vec<Shown>,
    /// Which of the worths the verdict hangs on.
    pub hangs_on: Option<String>,
}

impl Judge {
    /// A judge of the claims that rest on games.
    ///
    /// # Errors
    /// A threshold or level out of range.
    pub fn new(claims: &[Claim]) -> Result<Judge> {
        let mut list = Vec::new();
        for claim in claims {
            if let Some(kind) = Kind::of(claim)? {
                list.push(Course {
                    claim: claim.clone(),
                    kind,
                    units: 0,
                    unfinished: 0,
                    beside: (0, 0),
                    against: None,
                    settled: None,
                });
            }
        }
        let of_a_log = |c: &Claim| matches!(&c.test, Test::Apart { question, .. } if question.is_of_a_log());
        Ok(Judge { claims: list, others: 0, whole_log: claims.iter().any(of_a_log) })
    }

    /// Takes the next unit of the run in order.
    ///
    /// # Errors
    /// A metric outside its range: a fault of this program.
    pub fn push(&mut self, unit: &UnitRows) -> Result<()> {
        self.claims.iter_mut().try_for_each(|c| c.push(unit, 0))
    }

    /// Says that units of another run will come, to be compared with those of `run`; tells how many claims
    /// wait for such a run.
    ///
    /// # Errors
    /// A run that differs in more than the comparison is about; a second one for the same claim.
    pub fn expect(&mut self, run: &Experiment, other: &Experiment) -> Result<usize> {
        self.others += 1;
        let mut found = 0;
        for course in &mut self.claims {
            let Some(control) = course.claim.test.control() else { continue };
            if !control.is(other)? {
                continue;
            }
            control.check(run, other)?;
            if course.against.is_some() {
                bail!(
                    "claim {}: {control} is there twice, expected one run to compare with",
                    course.claim.id
                );
            }
            course.against = Some(self.others);
            found += 1;
        }
        Ok(found)
    }

    /// Takes the next unit of the other run that was last announced.
    ///
    /// # Errors
    /// A metric outside its range: a fault of this program.
    pub fn push_other(&mut self, unit: &UnitRows) -> Result<()> {
        let mut waiting = self.claims.iter_mut().filter(|c| c.against == Some(self.others));
        waiting.try_for_each(|c| c.push(unit, 1))
    }

    /// Whether no claim rests on games.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Whether there are claims and nothing that is still to come could change any verdict.
    pub fn all_decided(&self) -> bool {
        let done = |c: &Course| c.settled.is_some() && c.claim.test.can_stop_run();
        !self.claims.is_empty() && !self.whole_log && self.claims.iter().all(done)
    }

    /// Where the claims stand, in their order.
    pub fn standings(&self) -> Vec<Standing> {
        self.claims.iter().map(Course::standing).collect()
    }
}

impl Kind {
    fn of(claim: &Claim) -> Result<Option<Kind>> {
        Ok(match &claim.test {
            Test::Exact(_) | Test::Apart { .. } => None,
            Test::Sequence { metric, relation, threshold, level, control } => {
                let most = metric.greatest();
                let range = if control.is_some() { (-most, most) } else { (0.0, most) };
                let ratio = match metric.is_ratio() {
                    true => Some((RatioSequence::new(*level)?, (0, 0))),
                    false => None,
                };
                Some(Kind::Sequence(Box::new(Sequence {
                    test: MeanTest::new(range, *relation, *threshold, *level)?,
                    ratio,
                    waiting: [VecDeque::new(), VecDeque::new()],
                })))
            }
            Test::RestrictedMean { .. } => Some(Kind::Development(Box::default())),
            Test::Odds(_) => Some(Kind::Odds(Box::new(Armies::of(&claim.game)?))),
        })
    }
}

impl Course {
    /// Takes a unit of this run (0) or of the other (1).
    fn push(&mut self, unit: &UnitRows, run: usize) -> Result<()> {
        self.push_beside(unit);
        if self.settled.is_some() {
            return Ok(());
        }
        match (&mut self.kind, &self.claim.test) {
            (Kind::Development(times), Test::RestrictedMean { development, .. }) => {
                times[run].push(unit, *development);
                Ok(())
            }
            (Kind::Odds(armies), _) => {
                self.units += 1;
                self.unfinished += u64::from(armies.push(unit));
                Ok(())
            }
            (Kind::Sequence(_), Test::Sequence { control: None, .. }) => match self.value(unit)? {
                Some(seen) => self.take(seen),
                None => Ok(()),
            },
            (Kind::Sequence(_), Test::Sequence { control: Some(control), .. }) => {
                let paired = control.game == self.claim.game && control.is_paired();
                let seen = self.value(unit)?;
                if let Kind::Sequence(sequence) = &mut self.kind
                    && (seen.is_some() || paired)
                {
                    sequence.waiting[run].push_back(seen);
                }
                self.compare()
            }
            _ => Ok(()),
        }
    }

    /// Counts the games of a unit as they would be with the claim's move rule.
    fn push_beside(&mut self, unit: &UnitRows) {
        let (Test::Sequence { metric, threshold, .. }, Some(rule)) =
            (&self.claim.test, self.claim.beside_rule)
        else {
            return;
        };
        for (game, metrics, _) in &unit.games {
            let mut cut = game.clone();
            if game.moves > rule {
                (cut.result, cut.termination) = (GameResult::BothLose, Termination::MoveRule);
                cut.moves = rule;
            }
            // One that the harness broke off before the rule could is left out.
            let seen = metric.observe(&cut, metrics, *threshold).filter(|o| o.low == o.high);
            if let Some(seen) = seen {
                self.beside = (self.beside.0 + u64::from(seen.low > 0.5), self.beside.1 + 1);
            }
        }
    }

    /// The mean over the games of a unit that the metric is about.
    fn value(&mut self, unit: &UnitRows) -> Result<Option<Observation>> {
        let (Test::Sequence { metric, threshold, .. }, Kind::Sequence(sequence)) =
            (&self.claim.test, &mut self.kind)
        else {
            return Ok(None);
        };
        let mean = |threshold: f64| {
            let seen: Vec<Observation> =
                unit.games.iter().filter_map(|(g, m, _)| metric.observe(g, m, threshold)).collect();
            let games = seen.len() as f64;
            (!seen.is_empty()).then(|| Observation {
                low: seen.iter().map(|o| o.low).sum::<f64>() / games,
                high: seen.iter().map(|o| o.high).sum::<f64>() / games,
            })
        };
        if let Some((interval, sums)) = &mut sequence.ratio {
            interval.push(mean)?;
            for (_, metrics, _) in &unit.games {
                let (part, whole) = metric.parts(metrics);
                (sums.0, sums.1) = (sums.0 + part, sums.1 + whole);
            }
        }
        Ok(mean(*threshold))
    }

    /// Takes the differences of all values that have found their partners.
    fn compare(&mut self) -> Result<()> {
        while let Kind::Sequence(sequence) = &mut self.kind {
            let [ours, theirs] = &mut sequence.waiting;
            if self.settled.is_some() || ours.is_empty() || theirs.is_empty() {
                return Ok(());
            }
            if let (Some(Some(a)), Some(Some(b))) = (ours.pop_front(), theirs.pop_front()) {
                self.take(Observation { low: a.low - b.high, high: a.high - b.low })?;
            }
        }
        Ok(())
    }

    fn take(&mut self, seen: Observation) -> Result<()> {
        let Kind::Sequence(sequence) = &mut self.kind else { return Ok(()) };
        self.units += 1;
        self.unfinished += u64::from(seen.low != seen.high);
        let verdict = sequence.test.push(seen)?;
        if verdict != Verdict::Undecided {
            self.settled = Some((verdict, self.units));
        }
        Ok(())
    }

    fn standing(&self) -> Standing {
        let mut standing = Standing {
            claim: self.claim.clone(),
            verdict: self.settled.map_or(Verdict::Undecided, |(verdict, _)| verdict),
            units: self.settled.map_or(self.units, |(_, units)| units),
            unfinished: self.unfinished,
            mean: None,
            interval: Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY },
            to_go: None,
            beside: self.claim.beside_rule.map(|_| self.beside),
            compared: self.against.is_some(),
            worths: Vec::new(),
            hangs_on: None,
        };
        match (&self.kind, &self.claim.test) {
            (Kind::Sequence(sequence), _) => {
                standing.mean = sequence.test.mean();
                standing.interval = sequence.test.interval();
                standing.to_go = sequence.test.units_to_go();
                if let Some((interval, (part, whole))) = &sequence.ratio {
                    let ratio = (*whole > 0).then(|| *part as f64 / *whole as f64);
                    standing.mean = ratio.map(|r| (r, r));
                    standing.interval = interval.interval();
                }
            }
            (
                Kind::Development(times),
                Test::RestrictedMean { development, relation, threshold, level, control },
            ) => {
                let [ours, theirs] = times.as_ref();
                standing.units = ours.units();
                standing.unfinished = ours.censored + theirs.censored;
                let mean = |times: &Times| times.mean(*development);
                let estimate = match control {
                    None => mean(ours),
                    Some(_) => mean(ours)
                        .zip(mean(theirs))
                        .map(|((a, error), (b, other))| (a - b, (error * error + other * other).sqrt())),
                };
                if let Some(estimate) = estimate {
                    let never = ours.never(*development).filter(|_| control.is_none());
                    let (verdict, interval) = match never {
                        Some(whole) => {
                            development::decide_never(whole, *development, *relation, *threshold, *level)
                        }
                        None => development::decide(estimate, *relation, *threshold, *level),
                    };
                    standing.verdict = verdict;
                    standing.interval = interval;
                    standing.mean = Some((estimate.0, estimate.0));
                }
            }
            (Kind::Odds(armies), Test::Odds(odds)) => {
                let judged = armies.judge(odds, self.units);
                standing.verdict = judged.verdict;
                standing.to_go = judged.units_needed;
                if let Some(weakest) = judged.worths.get(judged.weakest) {
                    standing.mean = weakest.value.map(|value| (value, value));
                    standing.interval = weakest.interval.unwrap_or(standing.interval);
                    standing.hangs_on = Some(weakest.name.clone());
                }
                standing.worths = judged.worths;
            }
            (Kind::Development(_) | Kind::Odds(_), _) => {}
        }
        standing
    }
}
