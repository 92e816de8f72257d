//! `equipoise merge`.

use super::{report, verdicts};
use crate::log::{Folder, LogReader, LogWriter, Manifest, SUMMARY, Shard, UnitRows};
use crate::runner::Ledger;
use anyhow::{Result, bail};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Folder for the whole run
    out: PathBuf,
    /// Folders of all its parts
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    json: super::JsonArgs,
}

pub fn run(args: &MergeArgs, out: &mut dyn Write) -> Result<()> {
    let (whole, mut parts) = open(&args.parts)?;
    Folder::check_free(&args.out, false)?;
    let folder = Folder::take(&args.out)?;
    whole.write(&folder)?;
    let mut writer = LogWriter::open(&folder)?;
    let mut ledger = Ledger::new(&whole)?;
    for unit in 1..=whole.experiment.units() {
        let part = ((unit - 1) % parts.len() as u64) as usize;
        let Some(mut rows) = next(&mut parts[part], unit)? else {
            eprintln!("part {} ends before unit {unit}: the whole run ends there", part + 1);
            break;
        };
        // A part cannot know the games of the others.
        for (game, _, moves) in &mut rows.games {
            game.duplicate_of = ledger.duplicates.note(game, moves);
        }
        ledger.take(&rows)?;
        writer.append(&rows)?;
        // As the run would have ended, had one process played it.
        if ledger.is_decided() {
            break;
        }
    }
    writer.sync()?;
    let standings = ledger.judge.standings();
    let contest = ledger.contest.as_ref();
    let json = serde_json::to_string_pretty(&ledger.summary.to_json(&standings, contest))?;
    folder.write(SUMMARY, &format!("{json}\n"))?;
    let all = verdicts::all(&args.out, &whole, &standings)?;
    verdicts::print(&whole, &ledger.summary, contest, &all, None, args.json.json, out)?;
    report::write(&args.out)?;
    if args.json.json {
        return Ok(());
    }
    writeln!(out, "\nlog: {0}   report: {0}/report.html", args.out.display())?;
    Ok(())
}

/// The manifest of the whole run, and a reader for each part in order.
fn open(dirs: &[PathBuf]) -> Result<(Manifest, Vec<LogReader>)> {
    let mut manifests = Vec::new();
    for dir in dirs {
        let manifest = Manifest::read(dir)?;
        if manifest.shard.count != dirs.len() as u64 {
            bail!(
                "{} is part {} and {} folders were given; expected all parts",
                dir.display(),
                manifest.shard,
                dirs.len()
            );
        }
        manifests.push((manifest, dir));
    }
    manifests.sort_by_key(|(m, _)| m.shard.index);
    let whole = Manifest { shard: Shard::WHOLE, ..manifests[0].0.clone() };
    for (i, (manifest, dir)) in manifests.iter().enumerate() {
        if manifest.shard.index != i as u64 + 1 {
            bail!("part {}/{} is missing, or another is given twice", i + 1, manifests.len());
        }
        if (Manifest { shard: Shard::WHOLE, ..manifest.clone() }) != whole {
            bail!("{} is part of another run than {}", dir.display(), manifests[0].1.display());
        }
    }
    let per_unit = whole.experiment.games_per_unit();
    let readers = manifests.iter().map(|(_, dir)| LogReader::open(dir, per_unit)).collect::<Result<_>>()?;
    Ok((whole, readers))
}

fn next(reader: &mut LogReader, unit: u64) -> Result<Option<UnitRows>> {
    let rows = reader.next_unit()?;
    match &rows {
        Some(rows) if rows.unit_id != unit => {
            bail!("{}: unit {unit} was expected, and unit {} is there", reader.at(), rows.unit_id)
        }
        _ => Ok(rows),
    }
}
