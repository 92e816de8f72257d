//! `equipoise` without arguments: the quick start.

use super::run::{ThreadArgs, holds, load, play, tell};
use crate::log::Shard;
use crate::session::{self, Choices};
use anyhow::Result;
use std::io::Write;
use std::path::Path;

const NAME: &str = "01-quickstart";
const DIR: &str = "results/quickstart";

pub fn run(fresh: bool, threads: &ThreadArgs, out: &mut dyn Write) -> Result<()> {
    let experiment = load(NAME)?;
    let dir = Path::new(DIR);
    if fresh {
        session::clear(dir)?;
    }
    let before = holds(dir)?;
    if before {
        eprintln!("going on with what is in {DIR} (--fresh plays it anew)");
    } else {
        eprintln!(
            "playing at most {} games of {} into {DIR}: about a minute on two cores",
            experiment.games, experiment.game
        );
    }
    let choices = Choices { shard: Shard::WHOLE, keep_going: false, resume: before };
    let (manifest, outcome) = play(&experiment, dir, choices, threads.count())?;
    if before && outcome.played_units == 0 && !outcome.interrupted {
        eprintln!("the run is finished: nothing was played again");
    }
    tell(&manifest, &outcome, dir, "equipoise", None, false, out)?;
    writeln!(
        out,
        "\nAn undecided claim needs more games than a quick start has: the last column says about how many.\n\
         Next:\n  \
         open {DIR}/report.html\n  \
         equipoise replay {DIR} 1               a game, board by board\n  \
         equipoise check {DIR}                  the verdicts again, from the log alone\n  \
         equipoise new experiment {}          a commented experiment file to change\n  \
         equipoise games                        the other games",
        experiment.game
    )?;
    Ok(())
}
