//! The command line. Each flag is defined once, here or in the module of its command.
//!
//! Results go to standard output, progress and log lines to standard error.

mod check;
mod compare;
mod contest;
mod export;
mod games;
mod import;
mod ladder;
mod merge;
mod moves;
mod new;
mod perft;
mod plan;
mod play;
mod quickstart;
mod race;
mod replay;
mod report;
mod run;
mod search;
mod sensitivity;
mod status;
mod submit;
mod table;
mod tune;
pub mod verdicts;

use crate::protocol::{self, Output};
use anyhow::{Context, Result};
use clap::{Args, CommandFactory, Parser, Subcommand};
use engine::game::Game;
use engine::games::Visitor;
use engine::options::parse_pair;
use std::io::{BufRead, BufReader, Write};

/// Self-play experiments on chess variants.
///
/// Without a command: the quick start, a first experiment of about a minute.
#[derive(Parser, Debug)]
#[command(name = "equipoise", version, about, max_term_width = 110)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Quick start: play it anew, whatever is there
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    threads: run::ThreadArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// The games, or one game's board, pieces and rule options
    Games(games::GamesArgs),
    /// Legal moves of a position in UCI, sorted
    Moves(moves::MovesArgs),
    /// The position after some moves, and how the game ended
    Play(play::PlayArgs),
    /// Count legal move sequences
    Perft(perft::PerftArgs),
    /// Search a position
    Search(search::SearchArgs),
    /// Fixed positions at fixed nodes: the engine's signature and speed
    Bench(search::BenchArgs),
    /// Before a run: games, hours on this machine, what its claims can hope for
    Plan(plan::PlanArgs),
    /// Play an experiment, log it, judge its claims
    Run(run::RunArgs),
    /// Two players of one game against each other, as a sequential test if wanted
    Match(contest::MatchArgs),
    /// Flip every rule that is a choice or a reconstruction: under how many readings verdicts hold
    Sensitivity(sensitivity::SensitivityArgs),
    /// The verdicts from a log, which is checked in full; plays nothing
    Check(check::CheckArgs),
    /// A game from a log, board by board or as PGN
    Replay(replay::ReplayArgs),
    /// Two runs' figures side by side, differences with intervals
    Compare(compare::CompareArgs),
    /// Games or positions of a run as PGN, EPD or CSV
    Export(export::ExportArgs),
    /// Games from a PGN file or from CSV files as a run, for check, report and replay
    Import(import::ImportArgs),
    /// One self-contained HTML page on one run or several
    Report(report::ReportArgs),
    /// Estimate and tune: evaluation weights from games, payoff matrices from logs
    Tune(tune::TuneArgs),
    /// Join the parts of a run
    Merge(merge::MergeArgs),
    /// A run's parts as the array job of a cluster, with their merge
    Submit(submit::SubmitArgs),
    /// How far runs are
    Status(status::StatusArgs),
    /// Print a commented template
    New(new::NewArgs),
    /// Speak UCI, over all games
    Uci,
    /// Speak XBoard's protocol; XBoard 4.9 shows the 10x10 games too
    Xboard,
    /// An engine that misbehaves on command
    #[command(hide = true)]
    MockEngine(MockArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// How the mock engine misbehaves.
#[derive(Args, Debug)]
struct MockArgs {
    /// The protocol
    #[arg(value_enum)]
    tongue: protocol::mock::Tongue,
    /// The fault
    #[arg(value_enum)]
    fault: protocol::mock::Fault,
    /// At which of its moves, from 1
    #[arg(default_value_t = 1)]
    at: u64,
}

/// A game and its rule options.
#[derive(Args, Debug)]
struct GameArgs {
    /// The game; `equipoise games` lists them
    game: String,
    #[command(flatten)]
    options: OptionArgs,
}

/// Rule options.
#[derive(Args, Debug)]
struct OptionArgs {
    /// Set a rule option; repeatable; `equipoise games show GAME` lists them. OPTION=@FILE takes data of one's own
    /// from a file, where an option has such
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    set: Vec<String>,
}

impl OptionArgs {
    /// The options given for `game`, data files read.
    fn pairs(&self, game: &str) -> Result<Vec<(String, String)>> {
        let read = |text: &String| {
            let (name, value) = parse_pair(text)?;
            let value = crate::data_option::expand(game, name, value, std::path::Path::new("."))?;
            Ok((name.to_owned(), value.into_owned()))
        };
        self.set.iter().map(read).collect()
    }
}

/// A position.
#[derive(Args, Debug)]
struct FenArgs {
    /// The position; the start position if left out
    #[arg(long)]
    fen: Option<String>,
}

/// Machine-readable output.
#[derive(Args, Debug)]
struct JsonArgs {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

impl GameArgs {
    /// Does something with the game.
    fn with<T>(&self, visitor: impl Visitor<Output = Result<T>>) -> Result<T> {
        let given = self.options.pairs(&self.game)?;
        engine::games::with(&self.game, given.iter().map(|(n, v)| (n.as_str(), v.as_str())), visitor)?
    }
}

impl FenArgs {
    /// The position in `game`.
    fn state<G: Game>(&self, game: &G) -> Result<G::State> {
        Ok(match &self.fen {
            Some(fen) => game.parse_fen(fen)?,
            None => game.start(),
        })
    }
}

/// Calls `f` for each line of a file (`-`: standard input) that is not empty; errors name the line.
fn for_lines(path: &str, mut f: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let reader: Box<dyn BufRead> = if path == "-" {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        Box::new(BufReader::new(std::fs::File::open(path).with_context(|| format!("cannot read {path}"))?))
    };
    for (number, line) in reader.lines().enumerate() {
        let at = || format!("{path}, line {}", number + 1);
        let line = line.with_context(at)?;
        let line = line.trim_end_matches('\r');
        if !line.trim().is_empty() {
            f(line).with_context(at)?;
        }
    }
    Ok(())
}

/// Runs a command line.
///
/// # Errors
/// What went wrong, in one line; [`crate::failure::exit_code`] gives the exit code.
pub fn run(cli: Cli) -> Result<()> {
    // The protocols write from two threads, so they must not find standard output locked.
    let talk = || (std::io::stdin().lock(), Output::new(std::io::stdout()));
    match &cli.command {
        Some(Command::Uci) => {
            let (input, output) = talk();
            protocol::uci::run(input, output);
            return Ok(());
        }
        Some(Command::Xboard) => {
            let (input, output) = talk();
            protocol::xboard::run(input, output);
            return Ok(());
        }
        Some(Command::MockEngine(args)) => {
            let (input, output) = talk();
            protocol::mock::run(input, &output, args.tongue, args.fault, args.at);
            return Ok(());
        }
        _ => {}
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let Some(command) = cli.command else {
        quickstart::run(cli.fresh, &cli.threads, &mut out)?;
        out.flush()?;
        return Ok(());
    };
    match command {
        Command::Games(args) => games::run(&args, &mut out)?,
        Command::Moves(args) => moves::run(&args, &mut out)?,
        Command::Play(args) => play::run(&args, &mut out)?,
        Command::Perft(args) => perft::run(&args, &mut out)?,
        Command::Search(args) => search::run(&args, &mut out)?,
        Command::Bench(args) => search::bench(&args, &mut out)?,
        Command::Plan(args) => plan::run(&args, &mut out)?,
        Command::Run(args) => run::run(&args, &mut out)?,
        Command::Match(args) => contest::run(&args, &mut out)?,
        Command::Sensitivity(args) => sensitivity::run(&args, &mut out)?,
        Command::Check(args) => check::run(&args, &mut out)?,
        Command::Replay(args) => replay::run(&args, &mut out)?,
        Command::Compare(args) => compare::run(&args, &mut out)?,
        Command::Export(args) => export::run(&args, &mut out)?,
        Command::Import(args) => import::run(&args, &mut out)?,
        Command::Report(args) => report::run(&args, &mut out)?,
        Command::Merge(args) => merge::run(&args, &mut out)?,
        Command::Submit(args) => submit::run(&args, &mut out)?,
        Command::Status(args) => status::run(&args, &mut out)?,
        Command::Tune(args) => tune::run(&args, &mut out)?,
        Command::New(args) => new::run(&args, &mut out)?,
        Command::Uci | Command::Xboard | Command::MockEngine(_) => {}
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "equipoise", &mut out);
        }
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_do_not_clash() {
        Cli::command().debug_assert();
    }
}
