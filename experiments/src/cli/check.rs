//! `equipoise check`.

use super::verdicts::{self, Verdicted};
use crate::card::Card;
use crate::claims::{self, Judge};
use crate::contest::Contest;
use crate::experiment::Experiment;
use crate::failure::Failed;
use crate::log::{LogReader, Manifest, Shard, UnitRows};
use crate::summary::Summary;
use crate::verify::Verifier;
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::games::Visitor;
use engine::search::Playable;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The run's folder
    dir: PathBuf,
    /// Judge the claims of this file (or built-in name) instead of the run's own
    #[arg(long, value_name = "FILE")]
    claims: Option<String>,
    /// Folder of a run to compare with, for claims about a difference; may be repeated
    #[arg(long, value_name = "DIR")]
    control: Vec<PathBuf>,
    /// Fail (exit 1) unless every claim has this verdict
    #[arg(long, value_name = "VERDICT", value_parser = ["SUPPORTED", "REFUTED", "UNDECIDED"])]
    require: Option<String>,
    #[command(flatten)]
    json: super::JsonArgs,
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<()> {
    let mut manifest = Manifest::read(&args.dir)?;
    if let Some(name) = &args.claims {
        let text = match claims::file::built_in(name) {
            Some(text) => text.to_owned(),
            None => std::fs::read_to_string(name)
                .with_context(|| format!("cannot read the claims file {name}"))?,
        };
        let all = claims::file::read(name, &text)?;
        let mut chosen = claims::file::choose(all, &manifest.experiment.game, None)?;
        chosen.retain(|claim| match claim.check_conditions(&manifest.experiment) {
            Ok(()) => true,
            Err(why) => {
                eprintln!("left out: {why:#}");
                false
            }
        });
        manifest.experiment.claims = chosen;
    }
    let (summary, mut judge, card, contest) = read(&args.dir, &manifest)?;
    for dir in &args.control {
        compare(&mut judge, &manifest.experiment, dir)?;
    }
    let standings = judge.standings();
    let verdicts = verdicts::all(&args.dir, &manifest, &standings)?;
    let contest = contest.as_ref();
    verdicts::print(&manifest, &summary, contest, &verdicts, Some(&card), args.json.json, out)?;
    out.flush()?;
    match &args.require {
        Some(wanted) => require(&verdicts, wanted),
        None => Ok(()),
    }
}

fn require(verdicts: &[Verdicted], wanted: &str) -> Result<()> {
    let others: Vec<String> = verdicts
        .iter()
        .filter(|v| v.verdict.to_string() != wanted)
        .map(|v| format!("{} is {}", v.claim.id, v.verdict))
        .collect();
    if verdicts.is_empty() {
        return Err(Failed(format!("{wanted} was required, and there are no claims")).into());
    }
    if others.is_empty() {
        return Ok(());
    }
    Err(Failed(format!("{wanted} was required: {}", others.join(", "))).into())
}

/// Reads and checks a whole log.
///
/// # Errors
/// What does not add up, with file and row.
pub(super) fn read(dir: &Path, manifest: &Manifest) -> Result<(Summary, Judge, Card, Option<Contest>)> {
    let (mut summary, mut judge) = (Summary::default(), Judge::new(&manifest.experiment.claims)?);
    let mut card = Card::new()?;
    let mut contest = Contest::of(&manifest.experiment)?;
    units(dir, manifest, &mut |unit| {
        summary.push(unit);
        card.push(unit)?;
        if let Some(contest) = &mut contest {
            contest.push(unit);
        }
        judge.push(unit)
    })?;
    card.enumerate(&manifest.experiment)?;
    Ok((summary, judge, card, contest))
}

/// Reads the log in `dir` as the one that claims of `run` are compared with.
fn compare(judge: &mut Judge, run: &Experiment, dir: &Path) -> Result<()> {
    let manifest = Manifest::read(dir)?;
    if manifest.shard != Shard::WHOLE {
        bail!("{} holds a part of a run, expected a whole one", dir.display());
    }
    let name = &manifest.experiment.name;
    if judge.expect(run, &manifest.experiment).with_context(|| dir.display().to_string())? == 0 {
        bail!("no claim is about a comparison with {} ({name})", dir.display());
    }
    units(dir, &manifest, &mut |unit| judge.push_other(unit))
}

/// Hands on the units of a log, checked.
///
/// # Errors
/// What does not add up, with file and row; what `take` says.
pub(super) fn units(
    dir: &Path,
    manifest: &Manifest,
    take: &mut dyn FnMut(&UnitRows) -> Result<()>,
) -> Result<()> {
    let experiment = &manifest.experiment;
    engine::games::with(&experiment.game, experiment.option_pairs(), Check { dir, manifest, take })?
}

struct Check<'a> {
    dir: &'a Path,
    manifest: &'a Manifest,
    take: &'a mut dyn FnMut(&UnitRows) -> Result<()>,
}

impl Visitor for Check<'_> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let mut reader = LogReader::open(self.dir, self.manifest.experiment.games_per_unit())?;
        let mut verifier = Verifier::new(&game, self.manifest)?;
        while let Some(unit) = verifier.next(&mut reader)? {
            (self.take)(&unit)?;
        }
        Ok(())
    }
}
