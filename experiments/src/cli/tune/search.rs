//! `equipoise tune search`.

use super::keep::KeepArgs;
use super::self_play::{Terms, player};
use crate::cli::GameArgs;
use crate::cli::run::{self as runs, INTERRUPT};
use crate::contest::Contest;
use crate::experiment::{Experiment, MAX_SEED, PlayerKind};
use crate::failure::Interrupted;
use crate::log::{Manifest, Shard, UnitRows, write_whole};
use crate::metrics::ValueTable;
use crate::openings::{Opening, Source};
use crate::players::BuiltIn;
use crate::runner::Workshop;
use crate::session::Choices;
use crate::tables;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use engine::games::Visitor;
use engine::search::{ParamSpec, Params, Playable};
use rayon::prelude::*;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tuner::spsa::{Axis, Spsa};

/// Settings tuned if none is named: the margins and reductions that decide most of the tree.
const USUAL: [&str; 6] =
    ["reverse_futility", "futility", "futility_base", "late_moves", "reduction_base", "reduction_slope"];
/// Added to the seed for the openings of the confirming match.
const FRESH: u64 = 1_000_003;

/// Tune settings of the search by self-play
///
/// Estimates the settings with which the search plays best at a node budget, by simultaneous perturbation (SPSA).
/// It learns from pairs of games that it plays between settings a little up and a little down, and then plays
/// a match of the result against the defaults on fresh openings: only that match counts. Time grows with steps
/// x pairs x 2 + confirming games (minutes for the default at 500 nodes); the state is saved after each step, so
/// it can be interrupted and resumed.
///
/// The settings, their defaults and bounds are those of `[player.search]` in an experiment file.
#[derive(Args, Debug)]
pub struct SearchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// A setting to tune; repeatable; six that matter most by default
    #[arg(long = "param", value_name = "NAME")]
    params: Vec<String>,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    steps: u64,
    /// Pairs of games a step
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pairs: u64,
    /// Size of the last steps (fishtest's r_end, whose usual 0.002 is for far longer runs)
    #[arg(long, value_name = "R", default_value_t = 0.02, value_parser = rate)]
    rate: f64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Random plies that games begin with
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Games of the confirming match, an even number; 0 for none
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = even)]
    confirm: u64,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED - FRESH))]
    seed: u64,
    #[command(flatten)]
    keep: KeepArgs,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(r) if r > 0.0 && r <= 1.0 => Ok(r),
        _ => Err("expected a number above 0, at most 1".to_owned()),
    }
}

fn even(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(n) if n.is_multiple_of(2) && n <= 1_000_000 => Ok(n),
        _ => Err("expected an even number up to 1000000".to_owned()),
    }
}

pub fn run(args: &SearchArgs, out: &mut dyn Write) -> Result<()> {
    let mut specs = args.specs()?;
    // Game and options, before anything is written.
    let game = args.terms().experiment("check", vec![player("a", 1)])?;
    let defaults = engine::games::with(&game.game, game.option_pairs(), DefaultsOf)?;
    for spec in &mut specs {
        spec.default = defaults.iter().find(|(name, _)| *name == spec.name).map_or(spec.default, |d| d.1);
    }
    let dir = args.dir();
    let state = State { path: dir.join("spsa.toml"), recipe: args.recipe(&specs) };
    let axes = specs.iter().map(|s| Axis::usual(s.min, s.max, s.default, args.rate)).collect();
    let spsa = state.begin(Spsa::new(axes, args.steps, args.seed), args.keep.resume)?;
    runs::catch_interrupts();
    let experiment = args.experiment(&specs, args.seed, args.steps * args.pairs * 2, &spsa)?;
    let visitor = Climb { args, specs: &specs, state: &state, spsa, experiment: &experiment };
    let spsa = engine::games::with(&experiment.game, experiment.option_pairs(), visitor)??;
    let values = spsa.values();
    let confirmed = match args.confirm {
        0 => None,
        _ => Some(args.confirm(&specs, &values, &dir.join("match"))?),
    };
    args.tell(&specs, &values, confirmed.as_ref(), out)
}

impl SearchArgs {
    fn dir(&self) -> PathBuf {
        self.keep.dir(&format!("tune-search-{}-{}", self.game.game, self.seed))
    }

    fn specs(&self) -> Result<Vec<ParamSpec>> {
        let usual = USUAL.map(str::to_owned);
        let names: &[String] = if self.params.is_empty() { &usual } else { &self.params };
        let mut specs: Vec<ParamSpec> = Vec::new();
        for name in names {
            let spec = Params::spec(name)?;
            if specs.iter().any(|s| s.name == spec.name) {
                bail!("--param {name} is given twice");
            }
            specs.push(*spec);
        }
        Ok(specs)
    }

    fn terms(&self) -> Terms<'_> {
        let (game, set) = (self.game.game.as_str(), self.game.options.set.as_slice());
        Terms { game, set, seed: self.seed, games: 2, plies: self.plies }
    }

    /// All that a state belongs to: another recipe is another run.
    fn recipe(&self, specs: &[ParamSpec]) -> String {
        let names: Vec<&str> = specs.iter().map(|s| s.name).collect();
        format!(
            "{} {} params {} steps {} pairs {} rate {} nodes {} plies {} seed {}",
            self.game.game,
            self.game.options.set.join(" "),
            names.join(","),
            self.steps,
            self.pairs,
            self.rate,
            self.nodes,
            self.plies,
            self.seed
        )
    }

    /// Two players of the same search, their settings to be filled in.
    fn experiment(&self, specs: &[ParamSpec], seed: u64, games: u64, spsa: &Spsa) -> Result<Experiment> {
        let players = vec![player("tuned", self.nodes), player("default", self.nodes)];
        let mut experiment = Terms { seed, games, ..self.terms() }
            .experiment(&format!("tune-search-{}", self.game.game), players)?;
        set(&mut experiment, 0, specs, &spsa.values())?;
        Ok(experiment)
    }

    /// The match of the result against the defaults, from openings that no step has seen.
    fn confirm(&self, specs: &[ParamSpec], values: &[i32], dir: &Path) -> Result<Contest> {
        let players = vec![player("tuned", self.nodes), player("default", self.nodes)];
        let terms = Terms { seed: self.seed + FRESH, games: self.confirm, ..self.terms() };
        let mut experiment = terms.experiment(&format!("tune-search-{}-match", self.game.game), players)?;
        set(&mut experiment, 0, specs, values)?;
        eprintln!("confirming match of {} games into {}", self.confirm, dir.display());
        let resume = dir.join(crate::log::MANIFEST).exists();
        let choices = Choices { shard: Shard::WHOLE, keep_going: false, resume };
        let (_, outcome) = runs::play(&experiment, dir, choices, self.keep.threads.count())?;
        if outcome.interrupted {
            return Err(self.interrupted(&format!("after {} games of the match", outcome.summary.games)));
        }
        outcome.contest.ok_or_else(|| anyhow!("{} is no log of two players", dir.display()))
    }

    fn interrupted(&self, at: &str) -> anyhow::Error {
        let text = format!(
            "interrupted {at}, all kept in {}; to go on, give the same command with --resume: \
             equipoise tune search {} ... --resume",
            self.dir().display(),
            self.game.game
        );
        Interrupted(text).into()
    }

    fn tell(
        &self,
        specs: &[ParamSpec],
        values: &[i32],
        confirmed: Option<&Contest>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let elo = confirmed.map(|c| (c.elo(), c.results().games(), c.results().counts()));
        if self.keep.json.json {
            let settings = specs.iter().zip(values).map(|(s, v)| {
                json!({ "name": s.name, "default": s.default, "tuned": v, "min": s.min, "max": s.max })
            });
            let text = json!({
                "game": self.game.game,
                "steps": self.steps,
                "pairs": self.pairs,
                "nodes": self.nodes,
                "seed": self.seed,
                "settings": settings.collect::<Vec<_>>(),
                "match": elo.map(|(e, [w, d, l], counts)| json!({
                    "wins": w, "draws": d, "losses": l, "pentanomial": counts,
                    "elo": e.value, "elo_lower": e.interval.lower, "elo_upper": e.interval.upper,
                })),
            });
            writeln!(out, "{}", serde_json::to_string_pretty(&text)?)?;
            return Ok(());
        }
        let rows: Vec<Vec<String>> = specs
            .iter()
            .zip(values)
            .map(|(s, v)| {
                vec![
                    s.name.to_owned(),
                    s.default.to_string(),
                    v.to_string(),
                    format!("{} to {}", s.min, s.max),
                ]
            })
            .collect();
        crate::cli::table::write(out, &["setting", "default", "tuned", "bounds"], &rows)?;
        let Some((elo, [w, d, l], counts)) = elo else {
            writeln!(out, "\nnot confirmed: --confirm 0 left the match out")?;
            return Ok(());
        };
        writeln!(
            out,
            "\ntuned against default on fresh openings: +{w} ={d} -{l}, pairs {counts:?}\n\
             Elo {:.1} [{:.1}, {:.1}] (95 %)",
            elo.value, elo.interval.lower, elo.interval.upper
        )?;
        if elo.interval.lower > 0.0 {
            writeln!(out, "better; in an experiment file, for the player:\n\n[player.search]")?;
            for (spec, value) in specs.iter().zip(values) {
                writeln!(out, "{} = {value}", spec.name)?;
            }
        } else if elo.interval.upper < 0.0 {
            writeln!(out, "worse than the defaults: keep those")?;
        } else {
            writeln!(out, "no difference shown: keep the defaults, or play more steps and a longer match")?;
        }
        Ok(())
    }
}

/// Gives player `index` of the experiment its settings.
fn set(experiment: &mut Experiment, index: usize, specs: &[ParamSpec], values: &[i32]) -> Result<()> {
    let kind = experiment.players.get_mut(index).map(|p| &mut p.kind);
    let Some(PlayerKind::Search { settings, .. }) = kind else { bail!("the experiment has no such player") };
    for (spec, value) in specs.iter().zip(values) {
        settings.set(spec.name, *value)?;
    }
    Ok(())
}

/// The file a run is kept in.
struct State {
    path: PathBuf,
    recipe: String,
}

impl State {
    fn begin(&self, spsa: Spsa, resume: bool) -> Result<Spsa> {
        let name = self.path.display().to_string();
        if !self.path.exists() {
            if resume {
                bail!("there is no {name} to resume");
            }
            let folder = self.path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)
                .map_err(|e| crate::failure::disk("make the folder", folder, e))?;
            return Ok(spsa);
        }
        if !resume {
            bail!(
                "{name} is there already; add --resume to go on with it, or give another folder with --out"
            );
        }
        let text = std::fs::read_to_string(&self.path).with_context(|| format!("cannot read {name}"))?;
        let (done, theta) = tables::Source { name: &name, text: &text }.read(|t| {
            let recipe = t.required_text("run")?;
            if recipe != self.recipe {
                bail!("{name} holds another run (`{recipe}`), and `{}` was asked for", self.recipe);
            }
            let numbers =
                t.required_text("theta")?.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
            let theta = numbers.map_err(|_| t.wrong("theta", "numbers between blanks"))?;
            Ok((t.required_whole("done", 0, u64::MAX >> 1)?, theta))
        })?;
        let wrong = || anyhow!("{name}: `done` and `theta` are no place of this run");
        spsa.resumed(done, theta).ok_or_else(wrong)
    }

    fn save(&self, spsa: &Spsa) -> Result<()> {
        // Shortest digits that read back to the same numbers.
        let theta: Vec<String> = spsa.theta().iter().map(f64::to_string).collect();
        let mut t = toml::Table::new();
        t.insert("run".into(), self.recipe.clone().into());
        t.insert("done".into(), (spsa.done() as i64).into());
        t.insert("theta".into(), theta.join(" ").into());
        write_whole(&self.path, &toml::to_string(&t)?)
    }
}

/// The settings that a game is played by.
struct DefaultsOf;

impl Visitor for DefaultsOf {
    type Output = Vec<(&'static str, i32)>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        Params::of(&game).values()
    }
}

struct Climb<'a> {
    args: &'a SearchArgs,
    specs: &'a [ParamSpec],
    state: &'a State,
    spsa: Spsa,
    experiment: &'a Experiment,
}

impl Visitor for Climb<'_> {
    type Output = Result<Spsa>;

    fn visit<G: Playable>(mut self, game: G) -> Result<Spsa> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.args.keep.threads.count())
            .build()
            .map_err(|e| anyhow!("cannot start the threads: {e}"))?;
        let mut source = Source::new(game.clone(), self.experiment)?;
        // Openings are drawn in order, so that a resumed run plays the ones that the whole run would.
        for _ in 0..self.spsa.done() * self.args.pairs {
            source.draw()?;
        }
        let mut last = Instant::now();
        while !self.spsa.is_over() {
            let openings: Vec<Opening<G::State>> =
                (0..self.args.pairs).map(|_| source.draw()).collect::<Result<_>>()?;
            let result = pool.install(|| self.step(&game, &openings))?;
            let Some(result) = result else {
                return Err(self.args.interrupted(&format!("after {} steps", self.spsa.done())));
            };
            self.spsa.update(result);
            self.state.save(&self.spsa)?;
            if last.elapsed() >= Duration::from_secs(10) {
                last = Instant::now();
                let values = self.specs.iter().zip(self.spsa.theta());
                let values: Vec<String> = values.map(|(s, x)| format!("{} {x:.1}", s.name)).collect();
                eprintln!("step {} of {}: {}", self.spsa.done(), self.args.steps, values.join(", "));
            }
        }
        Ok(self.spsa)
    }
}

impl Climb<'_> {
    /// Games won less lost by the upper settings; nothing if interrupted. Units with a game that came to nothing
    /// count as level.
    fn step<G: Playable>(&self, game: &G, openings: &[Opening<G::State>]) -> Result<Option<f64>> {
        let probe = self.spsa.probe();
        let mut experiment = self.experiment.clone();
        set(&mut experiment, 0, self.specs, &probe.plus)?;
        set(&mut experiment, 1, self.specs, &probe.minus)?;
        let manifest = Manifest {
            program: String::new(),
            shard: Shard::WHOLE,
            rules: String::new(),
            engine: String::new(),
            values: ValueTable::rule_of_thumb(game),
            keep_going: false,
            experiment,
        };
        let factory = BuiltIn::default();
        let workshop = Workshop::new(game, &manifest, &factory)?;
        let first = self.spsa.done() * self.args.pairs + 1;
        let stop = || INTERRUPT.load(Ordering::Relaxed);
        let play = |(index, opening): (usize, &Opening<G::State>)| {
            workshop.play(first + index as u64, opening, &stop)
        };
        let units: Vec<Option<UnitRows>> =
            openings.par_iter().enumerate().map(play).collect::<Result<Vec<_>>>()?;
        let Some(mut contest) = Contest::of(&manifest.experiment)? else {
            bail!("the experiment has not two players")
        };
        for unit in units {
            let Some(unit) = unit else { return Ok(None) };
            contest.push(&unit);
        }
        let [won, _, lost] = contest.results().games();
        Ok(Some(won as f64 - lost as f64))
    }
}
