//! `equipoise match`.

use super::run::{self, ThreadArgs};
use crate::contest::Contest;
use crate::experiment::{Experiment, MAX_SEED, MatchTerms, PlayerFile, SprtSpec};
use crate::log::Shard;
use crate::session::Choices;
use crate::stats::sprt::Sprt;
use anyhow::Result;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Games of a match of fixed size.
const GAMES: u64 = 400;
/// Most games of a match that a sequential test ends.
const GAMES_WITH_TEST: u64 = 40_000;

#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The first player's file: `game`, `name` and what [[player]] of an experiment has
    first: PathBuf,
    /// The second player's file, of the same game
    second: PathBuf,
    /// Stop when one of two hypotheses on the first player's lead in normalised Elo is accepted
    /// (errors 5 % on either side)
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<SprtSpec>,
    /// Most games, an even number; 400 by default, 40,000 with --sprt
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    games: Option<u64>,
    /// Folder for the log; results/FIRST-vs-SECOND by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Go on with the match that is in the folder
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    json: super::JsonArgs,
}

/// Two hypotheses as the command line has them.
fn sprt(text: &str) -> Result<SprtSpec, String> {
    let most = Sprt::MAX_ELO;
    let wrong = || format!("expected two numbers from -{most} to {most} in ascending order, such as 0,10");
    let (a, b) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
    let spec = SprtSpec { elo0: number(a)?, elo1: number(b)? };
    spec.test().map(|_| spec).map_err(|_| wrong())
}

pub fn run(args: &MatchArgs, out: &mut dyn Write) -> Result<()> {
    let games = args.games.unwrap_or(if args.sprt.is_some() { GAMES_WITH_TEST } else { GAMES });
    let terms = MatchTerms { games, seed: args.seed, sprt: args.sprt };
    let experiment = PlayerFile::read(&args.first)?.against(PlayerFile::read(&args.second)?, terms)?;
    let dir = args.out.clone().unwrap_or_else(|| Path::new("results").join(&experiment.name));
    let choices = Choices { shard: Shard::WHOLE, keep_going: false, resume: args.resume };
    let (manifest, outcome) = run::play(&experiment, &dir, choices, args.threads.count())?;
    run::account(&manifest, &outcome, &dir, &args.to_resume(&dir))?;
    super::report::write(&dir)?;
    if args.json.json {
        let json = outcome.contest.as_ref().map(|contest| contest.to_json(&experiment));
        writeln!(out, "{}", serde_json::to_string_pretty(&json)?)?;
        return Ok(());
    }
    print(outcome.contest.as_ref(), &experiment, out)?;
    writeln!(out, "log: {0}   report: {0}/report.html", dir.display())?;
    Ok(())
}

impl MatchArgs {
    /// The command that goes on with this match.
    fn to_resume(&self, dir: &Path) -> String {
        let mut command = run::Line::new("match");
        command.word(&self.first.display().to_string());
        command.word(&self.second.display().to_string());
        command.flag("out", Some(dir.display()));
        command.flag("sprt", self.sprt.map(|s| format!("{},{}", s.elo0, s.elo1)));
        command.flag("games", self.games);
        command.flag("seed", (self.seed != 1).then_some(self.seed));
        command.flag("threads", self.threads.given());
        command.resume()
    }
}

/// Prints the report block of a run of two players between the lines that scripts look for.
pub fn print(contest: Option<&Contest>, experiment: &Experiment, out: &mut dyn Write) -> Result<()> {
    let Some(contest) = contest else { return Ok(()) };
    let rule = "-".repeat(50);
    writeln!(out, "{rule}")?;
    for line in contest.lines(experiment) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{rule}")?;
    Ok(())
}
