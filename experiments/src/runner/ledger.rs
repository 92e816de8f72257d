//! What a log is fed to, in the order of units: whatever needs to know the past.

use crate::claims::Judge;
use crate::contest::Contest;
use crate::duplicates::Duplicates;
use crate::log::{Manifest, UnitRows};
use crate::summary::Summary;
use anyhow::Result;

/// Figures, claims and contest of a log so far, and whether they end the run.
pub struct Ledger {
    /// The claims that rest on games.
    pub judge: Judge,
    /// Figures.
    pub summary: Summary,
    /// Games that were played before.
    pub duplicates: Duplicates,
    /// The first player against the second, if there are two.
    pub contest: Option<Contest>,
    stop_when_decided: bool,
}

impl Ledger {
    /// The ledger of an empty log.
    ///
    /// # Errors
    /// A test that cannot be set up.
    pub fn new(manifest: &Manifest) -> Result<Ledger> {
        Ok(Ledger {
            judge: Judge::new(&manifest.experiment.claims)?,
            summary: Summary::default(),
            duplicates: Duplicates::default(),
            contest: Contest::of(&manifest.experiment)?,
            // A part of a run does not see the units between its own: the merged log is cut instead.
            stop_when_decided: !manifest.keep_going && manifest.shard.count == 1,
        })
    }

    /// Takes the next unit.
    ///
    /// # Errors
    /// A metric outside its range: a fault of this program.
    pub fn take(&mut self, unit: &UnitRows) -> Result<()> {
        self.judge.push(unit)?;
        self.summary.push(unit);
        if let Some(contest) = &mut self.contest {
            contest.push(unit);
        }
        Ok(())
    }

    /// Whether the run ends here: something was to be decided, and all of it is.
    pub fn is_decided(&self) -> bool {
        let claims = (!self.judge.is_empty()).then(|| self.judge.all_decided());
        let contest = self.contest.as_ref().and_then(Contest::is_decided);
        let all = [claims, contest];
        self.stop_when_decided && all.iter().flatten().count() > 0 && all.iter().flatten().all(|d| *d)
    }
}
