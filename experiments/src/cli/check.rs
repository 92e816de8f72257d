//! `equipoise check`.

use super::verdicts::{self, Verdicted};
use crate::claims::{self, Judge, Standing};
use crate::failure::Failed;
use crate::log::{LogReader, Manifest};
use crate::summary::Summary;
use crate::verify::Verifier;
use anyhow::{Context, Result};
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
        manifest.experiment.claims = claims::file::choose(all, &manifest.experiment.game, None)?;
        for claim in &manifest.experiment.claims {
            claim.check_conditions(&manifest.experiment)?;
        }
    }
    let (summary, standings) = read(&args.dir, &manifest)?;
    let verdicts = verdicts::all(&manifest, &standings)?;
    verdicts::print(&manifest, &summary, &verdicts, args.json.json, out)?;
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
pub fn read(dir: &Path, manifest: &Manifest) -> Result<(Summary, Vec<Standing>)> {
    let experiment = &manifest.experiment;
    engine::games::with(&experiment.game, experiment.option_pairs(), Check { dir, manifest })?
}

struct Check<'a> {
    dir: &'a Path,
    manifest: &'a Manifest,
}

impl Visitor for Check<'_> {
    type Output = Result<(Summary, Vec<Standing>)>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let mut reader = LogReader::open(self.dir, self.manifest.experiment.games_per_unit())?;
        let mut verifier = Verifier::new(&game, self.manifest)?;
        let mut judge = Judge::new(&self.manifest.experiment.claims)?;
        let mut summary = Summary::default();
        while let Some(unit) = verifier.next(&mut reader)? {
            judge.push(&unit)?;
            summary.push(&unit);
        }
        Ok((summary, judge.standings()))
    }
}
