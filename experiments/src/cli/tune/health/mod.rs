//! `equipoise tune health`: MChess's numbers by self-play.

mod measure;
mod report;

use super::batch::{Batch, Done};
use crate::cli::run::ThreadArgs;
use crate::cli::{GameArgs, JsonArgs};
use crate::experiment::MAX_SEED;
use crate::failure::{Interrupted, disk};
use crate::log::{Folder, write_whole};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use engine::games::Visitor;
use engine::games::mchess::Numbers;
use engine::options::Options;
use engine::search::Playable;
use measure::{Measure, Sheet};
use std::io::Write;
use std::path::{Path, PathBuf};
use tuner::evolve::{Gene, mutant};

/// The option that is tuned.
const OPTION: &str = "numbers";
/// What a folder holds besides its runs.
const PLAN: &str = "health.toml";
/// The tuned numbers.
const NUMBERS: &str = "numbers.toml";
/// Attempts at a mutant whose products are all exact.
const ATTEMPTS: usize = 200;

/// Find numbers for MChess (health, attack) under which the game is fair, every piece is worth having and games are
/// short.
///
/// Estimates, for each set of numbers it tries, White's score, the median length and what each kind of piece is worth,
/// from games of the engine against itself from random placements and from the same with one piece taken off. Sets
/// are mutants of the best so far, all measured on the same games' starts; the last is confirmed on fresh ones, with
/// intervals. A default run plays about 17,000 games, some minutes on two cores at 200 nodes a move.
#[derive(Args, Debug)]
pub struct HealthArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Generations of the search
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    generations: u16,
    /// New sets of numbers in each generation, beside the best so far
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=100))]
    mutants: u16,
    /// Games that measure a set: half with full armies, half with a piece less
    #[arg(long, value_name = "N", default_value_t = 240, value_parser = clap::value_parser!(u32).range(48..=1_000_000))]
    games: u32,
    /// Games that confirm the last set
    #[arg(long, value_name = "N", default_value_t = 4800, value_parser = clap::value_parser!(u32).range(48..=10_000_000))]
    confirm: u32,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// The median game is to take so many moves at most
    #[arg(long, value_name = "MOVES", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1000))]
    length: u32,
    /// White's score is to be within this of one half
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = margin)]
    margin: f64,
    /// Moves after which a game is broken off; it counts half
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    move_limit: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    /// Folder of the games and the result; results/health-SEED by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with what is in the folder
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    json: JsonArgs,
}

fn margin(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p: &f64| *p > 0.0 && *p < 0.5);
    number.ok_or_else(|| "expected a number above 0 and below 0.5".to_owned())
}

/// What is sought: maximum health of the six kinds in multiples of 5 points, attack of the four that have one.
fn genes() -> Vec<Gene> {
    let health = Gene { low: 50, high: 400, step: 5 };
    let attack = Gene { low: 1, high: 100, step: 1 };
    [[health; 6].as_slice(), &[attack; 4]].concat()
}

/// The kinds that have an attack, by number.
const ARMED: [usize; 4] = [0, 1, 3, 4];

fn values(numbers: &Numbers) -> Vec<u32> {
    numbers.health.iter().copied().chain(ARMED.map(|kind| numbers.attack[kind])).collect()
}

fn with_values(numbers: &Numbers, values: &[u32]) -> Numbers {
    let mut changed = numbers.clone();
    changed.health.copy_from_slice(&values[..6]);
    for (kind, value) in ARMED.into_iter().zip(&values[6..]) {
        changed.attack[kind] = *value;
    }
    changed
}

struct OptionsOf;

impl Visitor for OptionsOf {
    type Output = Result<Options>;
    fn visit<G: Playable>(self, game: G) -> Result<Options> {
        if game.info().options.iter().any(|o| o.name == OPTION && o.free.is_some()) {
            return Ok(game.options().clone());
        }
        bail!(
            "{} has no health to tune; expected a game with an option `{OPTION}`, such as mchess",
            game.info().name
        )
    }
}

/// The search with what it needs.
struct Search<'a> {
    args: &'a HealthArgs,
    dir: PathBuf,
    /// Options as given, the numbers apart.
    given: Vec<(String, String)>,
    start: Numbers,
}

pub fn run(args: &HealthArgs, out: &mut dyn Write) -> Result<()> {
    let options = args.game.with(OptionsOf)?;
    let start = Numbers::from_option(options.get(OPTION)).map_err(|e| anyhow!("{e}"))?;
    let mut given = args.game.options.pairs(&args.game.game)?;
    given.retain(|(name, _)| name != OPTION);
    let name = format!("health-{}", args.seed);
    let dir = args.out.clone().unwrap_or_else(|| Path::new("results").join(name));
    let search = Search { args, dir, given, start };
    search.claim_folder()?;
    let best = search.evolve()?;
    eprintln!("confirming {best}");
    let before = search.measure(&search.start, "start", args.confirm, 0)?;
    let after = search.measure(&best, "confirm", args.confirm, 0)?;
    let report =
        report::Report { args, given: &search.given, start: &search.start, best: &best, before, after };
    let path = search.dir.join(NUMBERS);
    write_whole(&path, &report.file())?;
    if args.json.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report.json())?)?;
        return Ok(());
    }
    report.text(out)?;
    writeln!(out, "\nnumbers: {0}; play by them with --set {OPTION}=@{0}", path.display())?;
    Ok(())
}

impl Search<'_> {
    /// The best set that the generations come to.
    fn evolve(&self) -> Result<Numbers> {
        let generations = usize::from(self.args.generations);
        let mut parent = self.start.clone();
        for generation in 0..generations {
            let mut best: Option<(f64, Numbers, Measure)> = None;
            for index in 0..=usize::from(self.args.mutants) {
                let numbers =
                    if index == 0 { parent.clone() } else { self.mutant(&parent, generation, index)? };
                let folder = format!("generation-{:03}/{index:02}", generation + 1);
                let measure = self.measure(&numbers, &folder, self.args.games, generation as u64 + 1)?;
                let loss = measure.loss(self.args.margin, self.args.length);
                if best.as_ref().is_none_or(|(least, _, _)| loss < *least) {
                    best = Some((loss, numbers, measure));
                }
            }
            let Some((loss, numbers, measure)) = best else { bail!("no set of numbers was measured") };
            eprintln!(
                "generation {} of {generations}: {numbers}, loss {loss:.2}, White {:.1} %, median {:.0} moves, \
                 least worth {:+.1} %",
                generation + 1,
                100.0 * measure.white.mean,
                measure.median(),
                100.0 * measure.worth.iter().map(|w| w.mean).fold(f64::INFINITY, f64::min)
            );
            parent = numbers;
        }
        Ok(parent)
    }

    /// A mutant whose products are all exact under the options: the game's own reader proves it.
    fn mutant(&self, parent: &Numbers, generation: usize, index: usize) -> Result<Numbers> {
        let generations = usize::from(self.args.generations);
        for attempt in 0..ATTEMPTS {
            let index = index + attempt * 1000;
            let child = mutant(&values(parent), &genes(), (generation, generations), index, self.args.seed);
            let numbers = with_values(parent, &child);
            let options = self.options(&numbers);
            let pairs = options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
            if engine::games::with(&self.args.game.game, pairs, OptionsOf).is_ok() {
                return Ok(numbers);
            }
        }
        bail!("no mutant of {parent} has exact products under these options")
    }

    fn options(&self, numbers: &Numbers) -> Vec<(String, String)> {
        let own = (OPTION.to_owned(), numbers.option_value());
        self.given.iter().cloned().chain([own]).collect()
    }

    /// Measures a set by about `games` games, in a folder of their own. Sheet 0 is for confirming; no other has its
    /// positions.
    fn measure(&self, numbers: &Numbers, folder: &str, games: u32, sheet: u64) -> Result<Measure> {
        let options = self.options(numbers);
        let pairs = options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        let units = games as usize / 4;
        let draw = DrawSheet { plain: units, odds: units / 6, seed: self.args.seed, sheet };
        let sheet = engine::games::with(&self.args.game.game, pairs, draw)??;
        let batch = Batch {
            name: format!("health-{}", folder.replace('/', "-")),
            game: &self.args.game.game,
            options: &options,
            seed: self.args.seed,
            nodes: self.args.nodes,
            move_limit: self.args.move_limit,
            fens: sheet.fens.clone(),
        };
        match batch.play(&self.dir.join(folder), self.args.threads.count())? {
            Done::All(games) => Ok(sheet.measure(&games)),
            Done::Interrupted(games) => {
                let place = self.dir.display();
                let text = format!(
                    "interrupted after {games} games of {folder}, all of them in {place}; to go on, give the same \
                     command with --resume (equipoise tune health {} ... --out {place} --resume)",
                    self.args.game.game
                );
                Err(Interrupted(text).into())
            }
        }
    }

    /// Makes the folder this search's, or sees that it is.
    fn claim_folder(&self) -> Result<()> {
        let a = self.args;
        let options: String =
            self.options(&self.start).iter().map(|(n, v)| format!("{n} = \"{v}\"\n")).collect();
        let text = format!(
            "# A search for numbers; its runs are in the folders beside.\n\
             game = \"{}\"\nseed = {}\ngenerations = {}\nmutants = {}\ngames = {}\nconfirm = {}\nnodes = {}\n\
             length = {}\nmargin = {}\nmove_limit = {}\n\n[options]\n{options}",
            a.game.game,
            a.seed,
            a.generations,
            a.mutants,
            a.games,
            a.confirm,
            a.nodes,
            a.length,
            a.margin,
            a.move_limit
        );
        let (path, place) = (self.dir.join(PLAN), self.dir.display());
        match std::fs::read_to_string(&path) {
            Ok(_) if !a.resume => {
                bail!("{place} holds a search already; add --resume to go on with it, or give another --out")
            }
            Ok(there) if there == text => Ok(()),
            Ok(there) => {
                let differs = there.lines().zip(text.lines()).find(|(x, y)| x != y);
                let (x, y) = differs.unwrap_or(("fewer lines", "more lines"));
                bail!("{place} holds another search: it has `{x}`, and `{y}` was asked for")
            }
            Err(_) if a.resume => bail!("there is no search in {place} to resume"),
            Err(_) => {
                Folder::check_free(&self.dir, false)?;
                std::fs::create_dir_all(&self.dir).map_err(|e| disk("make the folder", &self.dir, e))?;
                write_whole(&path, &text)
            }
        }
    }
}

struct DrawSheet {
    plain: usize,
    odds: usize,
    seed: u64,
    sheet: u64,
}

impl Visitor for DrawSheet {
    type Output = Result<Sheet>;
    fn visit<G: Playable>(self, game: G) -> Result<Sheet> {
        Sheet::draw(&game, self.plain, self.odds.max(2), self.seed, self.sheet)
    }
}
