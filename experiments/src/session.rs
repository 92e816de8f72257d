//! A run from its experiment to its folder: start it or go on with it, then write what stands beside the log.

use crate::experiment::Experiment;
use crate::failure::disk;
use crate::fingerprint;
use crate::log::{Folder, Manifest, SUMMARY, Shard, TIMING};
use crate::metrics::ValueTable;
use crate::players::BuiltIn;
use crate::runner::{self, Outcome, Settings};
use anyhow::{Result, bail};
use engine::games::Visitor;
use engine::search::Playable;
use serde_json::json;
use std::path::Path;

/// What the caller may choose besides the experiment.
#[derive(Clone, Copy, Debug)]
pub struct Choices {
    /// The part of the run.
    pub shard: Shard,
    /// Play on when all claims are decided.
    pub keep_going: bool,
    /// Go on with the run that is in the folder.
    pub resume: bool,
}

/// The manifest a run would have.
///
/// # Errors
/// A game or an evaluation that cannot be set up.
pub fn manifest(experiment: &Experiment, shard: Shard, keep_going: bool) -> Result<Manifest> {
    engine::games::with(
        &experiment.game,
        experiment.option_pairs(),
        Describe { experiment, shard, keep_going },
    )?
}

struct Describe<'a> {
    experiment: &'a Experiment,
    shard: Shard,
    keep_going: bool,
}

impl Visitor for Describe<'_> {
    type Output = Result<Manifest>;

    fn visit<G: Playable>(self, game: G) -> Result<Manifest> {
        Ok(Manifest {
            program: format!("equipoise {}", env!("CARGO_PKG_VERSION")),
            shard: self.shard,
            rules: fingerprint::rules(&game),
            engine: fingerprint::engine(&game)?,
            values: ValueTable::rule_of_thumb(&game),
            keep_going: self.keep_going,
            experiment: self.experiment.clone(),
        })
    }
}

/// Starts or resumes a run in `dir` and plays it as far as it goes.
///
/// # Errors
/// A folder that holds another run, the disk, openings used up.
pub fn run(
    experiment: &Experiment,
    dir: &Path,
    choices: Choices,
    settings: &Settings<'_>,
) -> Result<(Manifest, Outcome)> {
    if experiment.is_imported() {
        bail!(
            "{} is an import of games that were played elsewhere: there is nothing to play",
            experiment.name
        );
    }
    let manifest = manifest(experiment, choices.shard, choices.keep_going)?;
    if choices.resume && !dir.exists() {
        bail!("there is no run in {} to resume", dir.display());
    }
    Folder::check_free(dir, choices.resume)?;
    let folder = Folder::take(dir)?;
    let there = folder.holds_run().then(|| Manifest::read(dir)).transpose()?;
    if let Some(there) = &there {
        same_run(there, &manifest, dir)?;
    }
    // A run that goes further than it was begun to is from here on the longer one.
    if there.is_none_or(|there| goes_further(&there, &manifest)) {
        manifest.write(&folder)?;
    }
    let outcome = engine::games::with(
        &experiment.game,
        experiment.option_pairs(),
        Run { manifest: &manifest, folder: &folder, settings },
    )??;
    let summary =
        serde_json::to_string_pretty(&outcome.summary.to_json(&outcome.standings, outcome.contest.as_ref()))?;
    folder.write(SUMMARY, &format!("{summary}\n"))?;
    let games = outcome.played_units * experiment.games_per_unit();
    let timing = json!({
        "seconds": outcome.seconds,
        "threads": settings.threads,
        "units_before": outcome.resumed_units,
        "units_played": outcome.played_units,
        "games_a_second": games as f64 / outcome.seconds.max(1e-9),
    });
    folder.write(TIMING, &format!("{}\n", serde_json::to_string_pretty(&timing)?))?;
    Ok((manifest, outcome))
}

struct Run<'a> {
    manifest: &'a Manifest,
    folder: &'a Folder,
    settings: &'a Settings<'a>,
}

impl Visitor for Run<'_> {
    type Output = Result<Outcome>;

    fn visit<G: Playable>(self, game: G) -> Result<Outcome> {
        runner::run(&game, self.manifest, self.folder, &BuiltIn::default(), self.settings)
    }
}

/// Whether the run that is asked for may have games that the one in the folder may not: its first games are the same.
fn goes_further(there: &Manifest, asked: &Manifest) -> bool {
    asked.experiment.games > there.experiment.games || asked.keep_going && !there.keep_going
}

/// Complains if the run in the folder is neither the one that is asked for nor the beginning of it.
fn same_run(there: &Manifest, asked: &Manifest, dir: &Path) -> Result<()> {
    let differs = |what: &str, there: &str, asked: &str| {
        format!("{} holds another run: its {what} is {there}, and {asked} was asked for", dir.display())
    };
    let (a, b) = (&there.experiment, &asked.experiment);
    let pairs = [
        ("experiment's name", a.name.clone(), b.name.clone()),
        ("game", a.game.clone(), b.game.clone()),
        ("seed", a.seed.to_string(), b.seed.to_string()),
        ("shard", there.shard.to_string(), asked.shard.to_string()),
        ("rules", there.rules.clone(), asked.rules.clone()),
        ("engine", there.engine.clone(), asked.engine.clone()),
        ("value table", format!("{:?}", there.values), format!("{:?}", asked.values)),
    ];
    for (what, there, asked) in &pairs {
        if there != asked {
            bail!("{}", differs(what, there, asked));
        }
    }
    let (before, mut after) = (a.to_toml(), b.to_toml());
    if let Some(games) = before.get("games") {
        after.insert("games".to_owned(), games.clone());
    }
    for key in before.keys().chain(after.keys()) {
        if before.get(key) != after.get(key) {
            bail!("{} holds another run: its [experiment] differs from this one in `{key}`", dir.display());
        }
    }
    if a.games > b.games {
        let error = differs("maximum of games", &a.games.to_string(), &b.games.to_string());
        bail!("{error}; it can be raised, not lowered");
    }
    if there.keep_going && !asked.keep_going {
        bail!("{} holds a run with --keep-going, which was left out", dir.display());
    }
    if a.games < b.games
        && let Some(claim) = b.claims.iter().find(|claim| claim.test.is_judged_once())
    {
        bail!(
            "{} holds a run of {} games, and claim {} is judged once, on all of them: {} games are a run of their \
             own, with another --out",
            dir.display(),
            a.games,
            claim.id,
            b.games
        );
    }
    Ok(())
}

/// Deletes the files of a run, and nothing else, so that it can be played afresh.
///
/// # Errors
/// The disk; a folder that another process writes to.
pub fn clear(dir: &Path) -> Result<()> {
    use crate::log::{GAMES, MANIFEST, METRICS, MOVES};
    if !dir.exists() {
        return Ok(());
    }
    let _folder = Folder::take(dir)?;
    // The manifest first: without it, what is left is no run.
    for name in [MANIFEST, GAMES, MOVES, METRICS, SUMMARY, TIMING, "report.html"] {
        let path = dir.join(name);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(disk("delete", &path, e)),
            _ => {}
        }
    }
    Ok(())
}
