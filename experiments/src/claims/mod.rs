//! Claims: the inventors' statements as hypotheses, each with what is measured, what it is compared with and
//! how it is decided, all written down before the run.

mod apart;
mod control;
mod development;
pub mod exact;
pub mod file;
mod judge;
mod metric;
mod odds;
mod sequence;
mod worth;
mod write;

pub use apart::Question;
pub use control::Control;
pub use development::{Development, Times};
pub use judge::{Judge, Standing};
pub use metric::{Metric, Observation};
pub use odds::{Odds, Phase, Shown, Unit};
pub use sequence::Decider;

use crate::experiment::{Experiment, Openings};
use crate::stats::{Interval, Verdict};
use anyhow::{Result, bail};
use std::fmt;

/// One claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its name.
    pub id: String,
    /// The game it is about.
    pub game: String,
    /// The document it comes from.
    pub seed: String,
    /// The claim in our own words.
    pub sentence: String,
    /// How it is decided.
    pub test: Test,
    /// Rules it depends on that are choices or reconstructions of this project.
    pub depends: Vec<String>,
    /// The move rule that must be in force, if that matters: `Some(None)` is "none".
    pub move_rule: Option<Option<u32>>,
    /// A move rule beside whose verdict a plain figure is given: the same games, as if those still running after this
    /// move had ended as 0-0.
    pub beside_rule: Option<u32>,
    /// Rule options that must be in force.
    pub options: Vec<(String, String)>,
}

/// How a claim is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// By enumeration; no games are needed.
    Exact(exact::Exact),
    /// By an anytime-valid sequence on the mean of a metric over units.
    Sequence {
        /// What is measured in a game.
        metric: Metric,
        /// How the mean, or the difference of means, lies to the threshold.
        relation: Relation,
        /// The threshold, in the metric's unit.
        threshold: f64,
        /// Probability of a wrong verdict.
        level: f64,
        /// The run whose mean is taken off, for a claim about a difference.
        control: Option<Control>,
    },
    /// By the restricted mean of a time that some games end before, at a size fixed before the run.
    RestrictedMean {
        /// What is waited for.
        development: Development,
        /// How the mean, or the difference of means, lies to the threshold.
        relation: Relation,
        /// The threshold, in moves.
        threshold: f64,
        /// Probability of a wrong verdict.
        level: f64,
        /// The run whose mean is taken off, for a claim about a difference.
        control: Option<Control>,
    },
    /// By a computation of its own, at a size fixed before.
    Apart {
        /// What is asked.
        question: Question,
        /// How the answer lies to the threshold.
        relation: Relation,
        /// The threshold, in the question's unit.
        threshold: f64,
        /// Probability of a wrong verdict.
        level: f64,
        /// The game whose answer is taken off, for a claim about a difference.
        control: Option<Control>,
    },
    /// By what pieces are worth in games from uneven armies, at a size fixed before the run.
    Odds(Odds),
}

/// How a claim puts a quantity to its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// Less than the threshold.
    Below,
    /// More than the threshold.
    Above,
    /// Less than the margin away from it, on either side.
    Within(f64),
}

impl Relation {
    /// The verdict of an interval: the claim is supported by one that lies where it says, and refuted by one that
    /// lies where it does not.
    pub fn judge(self, interval: Interval, threshold: f64) -> Verdict {
        let (low, high) = match self {
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

    /// Its name in claims files.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Below => "below",
            Relation::Above => "above",
            Relation::Within(_) => "within",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Test {
    /// The run it compares with, if it does.
    pub fn control(&self) -> Option<&Control> {
        match self {
            Test::Exact(_) | Test::Odds(_) => None,
            Test::Sequence { control, .. }
            | Test::RestrictedMean { control, .. }
            | Test::Apart { control, .. } => control.as_ref(),
        }
    }

    /// Probability of a wrong verdict; none for an enumeration.
    pub fn level(&self) -> Option<f64> {
        match self {
            Test::Exact(_) => None,
            Test::Sequence { level, .. } | Test::RestrictedMean { level, .. } | Test::Apart { level, .. } => {
                Some(*level)
            }
            Test::Odds(odds) => Some(odds.level),
        }
    }

    /// The threshold and how the claim lies to it; none for an enumeration.
    pub fn comparison(&self) -> Option<(Relation, f64)> {
        match self {
            Test::Exact(_) => None,
            Test::Sequence { relation, threshold, .. }
            | Test::RestrictedMean { relation, threshold, .. }
            | Test::Apart { relation, threshold, .. } => Some((*relation, *threshold)),
            Test::Odds(odds) => Some((odds.relation, odds.threshold)),
        }
    }

    /// Whether it is about shares, or differences of shares.
    pub fn is_share(&self) -> bool {
        match self {
            Test::Sequence { metric, .. } => metric.is_share(),
            Test::Apart { question, .. } => question.is_share(),
            _ => false,
        }
    }

    /// Whether it is decided by games from uneven armies.
    pub fn is_at_odds(&self) -> bool {
        matches!(self, Test::Odds(_))
    }

    /// Whether its size is fixed before the run, so that it says nothing before the end.
    pub fn has_fixed_size(&self) -> bool {
        matches!(self, Test::RestrictedMean { .. } | Test::Odds(_))
    }

    /// Whether it is judged once, on a whole run's log: more games after that would be a second look, which its level
    /// does not allow for.
    pub fn is_judged_once(&self) -> bool {
        match self {
            Test::Apart { question, .. } => question.is_of_a_log(),
            _ => self.has_fixed_size(),
        }
    }

    /// Whether a run may stop as soon as this is decided: not if another log or the whole of this one decides.
    pub fn can_stop_run(&self) -> bool {
        match self {
            Test::Exact(_) => true,
            Test::Sequence { control, .. } => control.is_none(),
            Test::RestrictedMean { .. } | Test::Odds(_) => false,
            Test::Apart { question, .. } => !question.is_of_a_log(),
        }
    }
}

impl Claim {
    /// Whether a figure with a move rule can stand beside the verdict: it is a share of games without one.
    pub fn has_beside(&self) -> bool {
        let plain = matches!(&self.test, Test::Sequence { metric, control: None, .. } if metric.is_share());
        plain && self.move_rule == Some(None)
    }

    /// Whether a run under `experiment` is one the claim can be judged on.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check_conditions(&self, experiment: &Experiment) -> Result<()> {
        if self.game != experiment.game {
            bail!("claim {} is about {}, not {}", self.id, self.game, experiment.game);
        }
        if self.test.is_at_odds() && !matches!(experiment.openings, Openings::File { .. }) {
            bail!("claim {} is judged on games from uneven armies ([openings] method = \"odds\")", self.id);
        }
        let rule = experiment.limits().move_rule;
        if let Some(wanted) = self.move_rule.filter(|wanted| *wanted != rule) {
            let name = |rule: Option<u32>| rule.map_or_else(|| "\"none\"".to_owned(), |n| n.to_string());
            bail!(
                "claim {} is judged on games with [payoff] move_rule = {}, and this run has {}",
                self.id,
                name(wanted),
                name(rule)
            );
        }
        for (name, value) in &self.options {
            let found = control::option(experiment, name)?;
            if found != *value {
                bail!("claim {} is judged on games with {name} = {value}, and this run has {found}", self.id);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_compare;
#[cfg(test)]
mod tests_odds;
#[cfg(test)]
pub(crate) mod tests_support;
