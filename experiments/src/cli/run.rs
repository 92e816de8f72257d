//! `equipoise run`, and what every command that plays shares.

use super::verdicts;
use crate::experiment::{self, Experiment, MAX_SEED};
use crate::failure::Interrupted;
use crate::log::{Manifest, Shard};
use crate::runner::{Outcome, Settings};
use crate::session::{self, Choices};
use anyhow::{Result, bail};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C once [`catch_interrupts`] was called.
pub static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// How much of the machine to use.
#[derive(Args, Debug)]
pub struct ThreadArgs {
    /// Games at a time; as many as there are processors by default. The log does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    pub fn count(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// The number, if it was given.
    pub fn given(&self) -> Option<u16> {
        self.threads
    }
}

#[derive(Args, Debug)]
pub struct RunArgs {
    /// The experiment file, or the name of a built-in one (01-quickstart)
    experiment: String,
    /// Folder for the log; results/NAME by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    /// Another seed than the file's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,
    /// Another maximum of games than the file's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Play only part I of N; `equipoise merge` joins the parts
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub(super) shard: Shard,
    /// Go on with the run that is in the folder
    #[arg(long)]
    pub(super) resume: bool,
    /// Play on to the maximum when all claims are decided
    #[arg(long)]
    keep_going: bool,
    /// Check everything, say what would be played, play nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    options: super::OptionArgs,
    #[command(flatten)]
    pub(super) json: super::JsonArgs,
}

pub fn run(args: &RunArgs, out: &mut dyn Write) -> Result<()> {
    let experiment = args.experiment()?;
    let dir = args.out.clone().unwrap_or_else(|| default_dir(&experiment, args.shard));
    if let Some(top) = experiment.ladder {
        return super::ladder::run(args, &experiment, top, &dir, out);
    }
    if let Some(race) = experiment.race {
        return super::race::run(args, &experiment, race, &dir, out);
    }
    if args.dry_run {
        let manifest = session::manifest(&experiment, args.shard, args.keep_going)?;
        write!(out, "{}", manifest.to_toml()?)?;
        let games = crate::runner::units_of(&manifest) * experiment.games_per_unit();
        eprintln!("at most {games} games into {}; nothing was played", dir.display());
        return Ok(());
    }
    let choices = Choices { shard: args.shard, keep_going: args.keep_going, resume: args.resume };
    let (manifest, outcome) = play(&experiment, &dir, choices, args.threads.count())?;
    let longer = args.longer(experiment, &dir);
    tell(&manifest, &outcome, &dir, &args.to_resume(&dir), longer.as_deref(), args.json.json, out)
}

impl RunArgs {
    fn experiment(&self) -> Result<Experiment> {
        let mut experiment = load(&self.experiment)?;
        for (name, value) in self.options.pairs(&experiment.game)? {
            experiment.set_option(&name, &value)?;
        }
        experiment.seed = self.seed.unwrap_or(experiment.seed);
        experiment.games = self.games.unwrap_or(experiment.games);
        experiment.check()?;
        Ok(experiment)
    }

    /// The command that goes on with this run.
    pub fn to_resume(&self, dir: &Path) -> String {
        self.command(dir, self.games).resume()
    }

    /// The command that goes on with this run to twice its games, if its openings suffice for them.
    fn longer(&self, mut experiment: Experiment, dir: &Path) -> Option<String> {
        experiment.games = experiment.games.checked_mul(2)?;
        experiment.check().ok()?;
        Some(self.command(dir, Some(experiment.games)).resume())
    }

    /// The command of this run, of so many games if they are not the file's.
    fn command(&self, dir: &Path, games: Option<u64>) -> Line {
        let mut command = Line::new("run");
        command.word(&self.experiment);
        command.flag("out", Some(dir.display()));
        command.flag("threads", self.threads.given());
        command.flag("seed", self.seed);
        command.flag("games", games);
        command.flag("shard", (self.shard != Shard::WHOLE).then_some(self.shard));
        for pair in &self.options.set {
            command.flag("set", Some(pair));
        }
        if self.keep_going {
            command.0 += " --keep-going";
        }
        command
    }
}

/// A command line of this program, quoted for a shell.
pub struct Line(String);

impl Line {
    /// A command without arguments.
    pub fn new(command: &str) -> Line {
        Line(format!("equipoise {command}"))
    }

    /// Adds an argument.
    pub fn word(&mut self, text: &str) {
        self.0.push(' ');
        self.0 += &quoted(text);
    }

    /// Adds a flag and its value, if there is one.
    pub fn flag(&mut self, name: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.0 += &format!(" --{name}");
            self.word(&value.to_string());
        }
    }

    /// The command as one that goes on with a run.
    pub fn resume(self) -> String {
        self.0 + " --resume"
    }
}

/// A word of a command line, quoted for a shell where it needs it.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The experiment of a file or a built-in name.
pub fn load(name: &str) -> Result<Experiment> {
    match experiment::built_in(name) {
        // A folder of that name (a run's, say) is no experiment file.
        Some(text) if !Path::new(name).is_file() => experiment::read(name, text, Path::new(".")),
        _ => experiment::read_file(Path::new(name)),
    }
}

fn default_dir(experiment: &Experiment, shard: Shard) -> PathBuf {
    let mut name = experiment.name.clone();
    if shard != Shard::WHOLE {
        name += &format!("-shard-{}-of-{}", shard.index, shard.count);
    }
    Path::new("results").join(name)
}

/// Has Ctrl-C set [`INTERRUPT`]; a second one ends the program at once.
pub fn catch_interrupts() {
    let second = || std::process::exit(i32::from(crate::failure::INTERRUPTED));
    // An error means that there is a handler already.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPT.swap(true, Ordering::SeqCst) {
            second();
        }
    });
}

/// Plays with Ctrl-C caught: the first stops the run in order, a second at once.
pub fn play(
    experiment: &Experiment,
    dir: &Path,
    choices: Choices,
    threads: usize,
) -> Result<(Manifest, Outcome)> {
    for player in experiment.players.iter().filter(|p| !p.is_repeatable()) {
        eprintln!("`{}` is another program: what it plays is not repeatable", player.name);
    }
    catch_interrupts();
    let settings = Settings { threads, interrupted: &INTERRUPT };
    session::run(experiment, dir, choices, &settings)
}

/// Says on standard error what was played.
///
/// # Errors
/// [`Interrupted`] with the command `to_resume`.
pub fn account(manifest: &Manifest, outcome: &Outcome, dir: &Path, to_resume: &str) -> Result<()> {
    if outcome.removed_bytes > 0 {
        eprintln!("{} bytes of a torn last unit were taken off", outcome.removed_bytes);
    }
    let played = outcome.played_units * manifest.experiment.games_per_unit();
    if played > 0 {
        let rate = played as f64 / outcome.seconds.max(1e-9);
        eprintln!("{played} games in {:.1} s, {rate:.1} a second", outcome.seconds);
    }
    if outcome.interrupted {
        let text = format!(
            "interrupted after {} games, all of them in {}; to go on: {to_resume}",
            outcome.summary.games,
            dir.display()
        );
        return Err(Interrupted(text).into());
    }
    Ok(())
}

/// Says how a run ended; where more games may decide a claim, that `longer` is the command for them.
///
/// # Errors
/// [`Interrupted`] with the command `to_resume`.
pub fn tell(
    manifest: &Manifest,
    outcome: &Outcome,
    dir: &Path,
    to_resume: &str,
    longer: Option<&str>,
    json: bool,
    out: &mut dyn Write,
) -> Result<()> {
    account(manifest, outcome, dir, to_resume)?;
    let verdicts = verdicts::all(dir, manifest, &outcome.standings)?;
    verdicts::print(manifest, &outcome.summary, outcome.contest.as_ref(), &verdicts, None, json, out)?;
    super::report::write(dir)?;
    if json {
        return Ok(());
    }
    writeln!(out, "\nlog: {0}   report: {0}/report.html", dir.display())?;
    if manifest.shard != Shard::WHOLE {
        writeln!(out, "this is part {}; join the parts with `equipoise merge`", manifest.shard)?;
    } else if let Some(longer) = longer
        && verdicts::may_be_decided(&verdicts)
    {
        writeln!(out, "for twice the games: {longer}")?;
    }
    Ok(())
}

/// Whether a run in `dir` can be gone on with as this experiment: for the quick start.
pub fn holds(dir: &Path) -> Result<bool> {
    if !dir.join(crate::log::MANIFEST).exists() {
        return Ok(false);
    }
    if Manifest::read(dir)?.shard != Shard::WHOLE {
        bail!("{} holds a part of a run", dir.display());
    }
    Ok(true)
}
