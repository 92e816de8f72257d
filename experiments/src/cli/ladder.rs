//! `equipoise run` of an experiment with a ladder: its matches one after the other, and one table.

use super::run::{self, RunArgs};
use super::table;
use crate::contest::Contest;
use crate::decimals::signed;
use crate::experiment::{Experiment, Rung};
use crate::log::Shard;
use crate::session::{self, Choices};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Plays the ladder up to `top` nodes into folders within `dir`.
///
/// # Errors
/// What a run's are; folders that hold matches when nobody said to go on with them.
pub fn run(args: &RunArgs, experiment: &Experiment, top: u64, dir: &Path, out: &mut dyn Write) -> Result<()> {
    if args.shard != Shard::WHOLE {
        bail!("a ladder has no shards; each of its matches is a run of its own");
    }
    let rungs = experiment.rungs(top)?;
    if args.dry_run {
        for rung in &rungs {
            session::manifest(&rung.experiment, Shard::WHOLE, false)?;
        }
        let row = |r: &Rung| {
            let games = r.experiment.games.to_string();
            vec![
                (2 * r.nodes).to_string(),
                r.nodes.to_string(),
                games,
                dir.join(r.folder()).display().to_string(),
            ]
        };
        table::write(
            out,
            &["nodes", "against", "games", "folder"],
            &rungs.iter().map(row).collect::<Vec<_>>(),
        )?;
        eprintln!("nothing was played");
        return Ok(());
    }
    let begun = |r: &Rung| dir.join(r.folder()).join(crate::log::MANIFEST).exists();
    if !args.resume && rungs.iter().any(begun) {
        bail!("{} holds matches of a ladder already; add --resume to go on with it", dir.display());
    }
    let mut contests = Vec::new();
    for rung in &rungs {
        let (games, folder) = (rung.experiment.games, dir.join(rung.folder()));
        eprintln!("{} nodes against {}: {games} games", 2 * rung.nodes, rung.nodes);
        let choices = Choices { shard: Shard::WHOLE, keep_going: false, resume: begun(rung) };
        let (manifest, outcome) = run::play(&rung.experiment, &folder, choices, args.threads.count())?;
        run::account(&manifest, &outcome, &folder, &args.to_resume(dir))?;
        super::report::write(&folder)?;
        contests.extend(outcome.contest);
    }
    let steps: Vec<(&Rung, &Contest)> = rungs.iter().zip(&contests).collect();
    if args.json.json {
        let list: Vec<Value> = steps.iter().map(|(rung, contest)| as_json(rung, contest, dir)).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(());
    }
    print(experiment, &steps, out)?;
    writeln!(out, "\nlogs and reports: {}/NODES-NODES", dir.display())?;
    Ok(())
}

fn print(experiment: &Experiment, steps: &[(&Rung, &Contest)], out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}: {}, Elo per doubling of the nodes a move", experiment.name, experiment.game)?;
    let row = |(rung, contest): &(&Rung, &Contest)| {
        let elo = contest.elo();
        vec![
            (2 * rung.nodes).to_string(),
            rung.nodes.to_string(),
            signed(elo.value, 0),
            format!("{} to {}", signed(elo.interval.lower, 0), signed(elo.interval.upper, 0)),
            (2 * contest.pairs()).to_string(),
            (2 * contest.left_out()).to_string(),
        ]
    };
    let header = ["nodes", "against", "Elo", "95 % interval", "games", "left out (*)"];
    table::write(out, &header, &steps.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

fn as_json(rung: &Rung, contest: &Contest, dir: &Path) -> Value {
    let elo = contest.elo();
    json!({
        "nodes": 2 * rung.nodes,
        "against": rung.nodes,
        "elo": elo.value,
        "interval": [elo.interval.lower, elo.interval.upper],
        "games": 2 * contest.pairs(),
        "left_out": 2 * contest.left_out(),
        "folder": dir.join(rung.folder()).display().to_string(),
    })
}
