//! `equipoise status`.

use super::{JsonArgs, table};
use crate::log::{GAMES, Manifest};
use crate::runner::units_of;
use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct StatusArgs {
    /// Folders of runs or of parts of a run
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

pub fn run(args: &StatusArgs, out: &mut dyn Write) -> Result<()> {
    let mut rows = Vec::new();
    for dir in &args.dirs {
        let manifest = Manifest::read(dir)?;
        let most = units_of(&manifest) * manifest.experiment.games_per_unit();
        rows.push((dir.display().to_string(), manifest, games(dir)?, most));
    }
    if args.json.json {
        let list: Vec<_> = rows
            .iter()
            .map(|(dir, m, games, most)| {
                json!({"folder": dir, "experiment": m.experiment.name, "shard": m.shard.to_string(),
                       "games": games, "most": most})
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(());
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(dir, m, games, most)| {
            vec![dir, m.experiment.name, m.shard.to_string(), games.to_string(), most.to_string()]
        })
        .collect();
    table::write(out, &["folder", "experiment", "part", "games", "at most"], &rows)?;
    Ok(())
}

/// Games in a log that may be growing: whole rows.
fn games(dir: &Path) -> Result<u64> {
    let path = dir.join(GAMES);
    let Ok(file) = std::fs::File::open(&path) else { return Ok(0) };
    let mut reader = BufReader::new(file);
    let (mut rows, mut line) = (0, Vec::new());
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).with_context(|| format!("cannot read {}", path.display()))?;
        if line.last() != Some(&b'\n') {
            return Ok(u64::saturating_sub(rows, 1));
        }
        rows += 1;
    }
}
