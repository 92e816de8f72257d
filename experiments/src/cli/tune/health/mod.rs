//! `equipoise tune health`: MChess's numbers by self-play.

mod measure;
mod report;

use super::batch::{Batch, Done};
use super::keep::{KeepArgs, claim, share};
use crate::cli::GameArgs;
use crate::decimals::signed;
use crate::experiment::MAX_SEED;
use crate::failure::Interrupted;
use crate::log::write_whole;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use engine::games::Visitor;
use engine::games::mchess::Numbers;
use engine::options::Options;
use engine::search::Playable;
use measure::{Measure, Sheet};
use std::io::Write;
use std::path::PathBuf;
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
/// intervals. A default run plays about 17,000 games, two or three minutes of one core at 200 nodes a move.
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
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    margin: f64,
    /// Moves after which a game is broken off; it counts half
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    move_limit: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    #[command(flatten)]
    keep: KeepArgs,
}

impl HealthArgs {
    /// What a search is, by the names of its flags; the game's options apart.
    fn settings(&self) -> [(&'static str, String); 9] {
        [
            ("seed", self.seed.to_string()),
            ("generations", self.generations.to_string()),
            ("mutants", self.mutants.to_string()),
            ("games", self.games.to_string()),
            ("confirm", self.confirm.to_string()),
            ("nodes", self.nodes.to_string()),
            ("length", self.length.to_string()),
            ("margin", self.margin.to_string()),
            ("move-limit", self.move_limit.to_string()),
        ]
    }
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
    let dir = args.keep.dir(&format!("health-{}-{}", args.game.game, args.seed));
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
    if args.keep.json.json {
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
                 least worth {} %",
                generation + 1,
                100.0 * measure.white.mean,
                measure.median(),
                signed(100.0 * measure.worth.iter().map(|w| w.mean).fold(f64::INFINITY, f64::min), 1)
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
        match batch.play(&self.dir.join(folder), self.args.keep.threads.count())? {
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
        let game = &self.args.game.game;
        let mut text =
            format!("# A search for numbers; its runs are in the folders beside.\ngame = \"{game}\"\n");
        for (name, value) in self.args.settings() {
            text += &format!("{name} = {value}\n");
        }
        text += "\n[options]\n";
        for (name, value) in self.options(&self.start) {
            text += &format!("{name} = \"{value}\"\n");
        }
        claim(&self.dir, PLAN, "search", &text, self.args.keep.resume)
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
