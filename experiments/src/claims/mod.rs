//! Claims: the inventors' statements as hypotheses, each with what is measured, what it is compared with and
//! how it is decided, all written down before the run.

pub mod exact;
pub mod file;
mod judge;
mod metric;

pub use judge::{Judge, Standing};
pub use metric::{Metric, Observation};

use crate::experiment::Experiment;
use crate::stats::Direction;
use anyhow::{Result, bail};
use toml::{Table, Value};

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
}

/// How a claim is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// By enumeration; no games are needed.
    Exact(exact::Exact),
    /// By an anytime-valid sequence on the mean of a metric over units.
    Sequence {
        /// What is measured in a game, in [0, 1].
        metric: Metric,
        /// The side of the threshold the claim puts the mean on.
        direction: Direction,
        /// The threshold.
        threshold: f64,
        /// Probability of a wrong verdict.
        level: f64,
    },
}

impl Claim {
    /// Whether a run under `experiment` is one the claim can be judged on.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check_conditions(&self, experiment: &Experiment) -> Result<()> {
        if self.game != experiment.game {
            bail!("claim {} is about {}, not {}", self.id, self.game, experiment.game);
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
        Ok(())
    }

    /// The claim as a manifest has it: with its own level.
    pub fn to_toml(&self) -> Table {
        let mut t = Table::new();
        let mut put = |key: &str, value: Value| t.insert(key.to_owned(), value);
        let text = |s: &str| Value::String(s.to_owned());
        put("id", text(&self.id));
        put("game", text(&self.game));
        put("seed", text(&self.seed));
        put("sentence", text(&self.sentence));
        put("depends", Value::Array(self.depends.iter().map(|d| text(d)).collect()));
        if let Some(rule) = self.move_rule {
            put("move_rule", rule.map_or_else(|| text("none"), |n| Value::Integer(n.into())));
        }
        match &self.test {
            Test::Exact(exact) => {
                put("test", text("exact"));
                put("metric", text(exact.name()));
                put("expect", Value::Array(exact.expectations().iter().map(|e| text(e)).collect()));
                put("level", Value::Float(0.05));
            }
            Test::Sequence { metric, direction, threshold, level } => {
                put("test", text("sequence"));
                put("metric", text(metric.name()));
                if let Some((low, high)) = metric.within() {
                    let ends = [low, high].map(|n| Value::Integer(n as i64));
                    put("within", Value::Array(ends.to_vec()));
                }
                put("comparison", text(comparison(*direction)));
                put("threshold", Value::Float(*threshold));
                put("level", Value::Float(*level));
            }
        }
        t
    }
}

/// `below` or `above`.
pub fn comparison(direction: Direction) -> &'static str {
    match direction {
        Direction::Below => "below",
        Direction::Above => "above",
    }
}

#[cfg(test)]
mod tests;
