//! The run that a claim compares with.

use crate::experiment::Experiment;
use anyhow::{Result, anyhow, bail};
use engine::games::Visitor;
use engine::search::Playable;
use std::fmt;

/// What the other run has to be; the rest (players, openings, limits) has to be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// Its game.
    pub game: String,
    /// Rule options it has to have.
    pub options: Vec<(String, String)>,
    /// The experiment's name, where that tells the two apart (other start positions).
    pub experiment: Option<String>,
    /// Whether it is the players in which the two differ: then the openings are the same, unit by unit.
    pub other_players: bool,
}

struct Resolve<'a>(&'a str);

impl Visitor for Resolve<'_> {
    type Output = Option<String>;
    fn visit<G: Playable>(self, game: G) -> Option<String> {
        let known = game.info().options.iter().any(|o| o.name == self.0);
        known.then(|| game.options().get(self.0).to_owned())
    }
}

/// The value of a rule option in a run.
pub(super) fn option(experiment: &Experiment, name: &str) -> Result<String> {
    let found = engine::games::with(&experiment.game, experiment.option_pairs(), Resolve(name))?;
    found.ok_or_else(|| anyhow!("{} has no option `{name}`", experiment.game))
}

impl Control {
    /// Whether `other` is the run that this asks for.
    ///
    /// # Errors
    /// An option that the game does not have.
    pub fn is(&self, other: &Experiment) -> Result<bool> {
        if self.game != other.game || self.experiment.as_ref().is_some_and(|name| *name != other.name) {
            return Ok(false);
        }
        for (name, value) in &self.options {
            if option(other, name)? != *value {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the two runs of one game have the same openings, unit by unit.
    pub fn is_paired(&self) -> bool {
        self.experiment.is_none() || self.other_players
    }

    /// Whether two runs differ in nothing but what the comparison is about.
    ///
    /// # Errors
    /// Players, openings or limits that differ.
    pub fn check(&self, run: &Experiment, other: &Experiment) -> Result<()> {
        if !self.other_players && run.players != other.players {
            bail!("{} and {} have other players: expected the same budgets", run.name, other.name);
        }
        if self.is_paired()
            && (run.openings != other.openings || self.other_players && run.seed != other.seed)
        {
            bail!("{} and {} have other openings: expected the same method", run.name, other.name);
        }
        if run.move_limit != other.move_limit {
            bail!("{} and {} have other move limits: expected the same", run.name, other.name);
        }
        Ok(())
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.experiment.as_deref().unwrap_or(&self.game))?;
        for (name, value) in &self.options {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}
