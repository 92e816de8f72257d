//! `equipoise tune eval`.

use super::self_play::SelfPlayArgs;
use crate::cli::JsonArgs;
use crate::failure::Failed;
use crate::log::write_whole;
use crate::positions::{Choice, Logs, Tally};
use crate::random::{Domain, generator, shuffle};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use engine::eval::{Evaluator, Layout, Pair, Trace, Weights};
use engine::games::Visitor;
use engine::search::Playable;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tuner::texel::{self, Fit, Prior, Samples, Settings, Weight};

/// One unit in so many is held out.
const HELD_OUT: u64 = 5;
/// Weights shown that moved furthest.
const SHOWN: usize = 12;

/// Fit the weights of a game's evaluation to results
///
/// Estimates all weights of the evaluation: those under which sigma = 1 / (1 + exp(-K E)) predicts results best
/// (Texel's method), held near the weights that it starts from. It learns from quiet positions of runs' logs, or
/// of games that it plays against itself first; one unit in five is held out and says when to stop. Fitting
/// takes seconds, a thousand games of self-play take minutes; they can be interrupted and resumed.
///
/// What comes out is a weights file (`eval = "FILE"` of a player). It is better only if it wins a match against
/// the old weights.
#[derive(Args, Debug)]
pub struct EvalArgs {
    #[command(flatten)]
    source: SelfPlayArgs,
    /// File to write; GAME-tuned.toml by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Weights to start from, and to play with; the game's own by default
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Positions a game at most
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..))]
    positions: u16,
    /// Percent of a training position's target that is its search's opinion instead of the result
    #[arg(long, value_name = "PERCENT", default_value_t = 30, value_parser = clap::value_parser!(u8).range(..=100))]
    blend: u8,
    /// How far a weight is expected to move, in centipawns: less holds it closer to where it was
    #[arg(long, value_name = "CP", default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..=1000))]
    spread: u16,
    /// Passes over the positions at most
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(1..))]
    passes: u16,
    #[command(flatten)]
    json: JsonArgs,
}

pub fn run(args: &EvalArgs, out: &mut dyn Write) -> Result<()> {
    let start = match &args.weights {
        Some(path) => Some(
            std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the weights {}", path.display()))?,
        ),
        None => None,
    };
    if let Some(path) = args.out.as_ref().filter(|path| path.exists()) {
        bail!("{} is there already; give another file with --out", path.display());
    }
    let logs = args.source.logs("eval", start.as_deref())?;
    let experiment = &logs.first()?.experiment;
    let target = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}-tuned.toml", experiment.game)));
    if target.exists() {
        bail!("{} is there already; give another file with --out", target.display());
    }
    let visitor = Tune { args, logs: &logs, start: start.as_deref(), target: &target };
    let tuned = engine::games::with(&experiment.game, experiment.option_pairs(), visitor)??;
    if args.json.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&tuned.to_json(&target))?)?;
    } else {
        tuned.print(&target, out)?;
    }
    Ok(())
}

struct Tune<'a> {
    args: &'a EvalArgs,
    logs: &'a Logs,
    start: Option<&'a str>,
    target: &'a Path,
}

/// What came out.
struct Tuned {
    game: String,
    tally: Tally,
    held_out: usize,
    k: f64,
    passes: usize,
    best_pass: usize,
    loss: [f64; 2],
    /// Name, weights before, weights after; the furthest first.
    moved: Vec<(String, Pair, Pair)>,
}

/// Positions to learn from and positions to stop by.
struct Split {
    training: Samples,
    held_out: Samples,
    tally: Tally,
    training_games: f64,
}

impl Visitor for Tune<'_> {
    type Output = Result<Tuned>;

    fn visit<G: Playable>(self, game: G) -> Result<Tuned> {
        let (layout, _) = Layout::of(&game);
        let weights = match (self.start, &self.args.weights) {
            (Some(text), Some(path)) => {
                Weights::parse(&layout, text).with_context(|| path.display().to_string())?
            }
            _ => Weights::default_of(&game)?,
        };
        let start: Vec<Weight> = weights.pairs().iter().map(|p| [f64::from(p.mg), f64::from(p.eg)]).collect();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.args.source.threads.count())
            .build()
            .map_err(|e| anyhow!("cannot start {} threads: {e}", self.args.source.threads.count()))?;
        let (k, split) = self.read(&game, &weights, &start, &pool)?;
        let (fit, passes) = self.fit::<G>(&layout, &start, k, &split, &pool);
        let rounded = |w: &Weight| Pair::new(w[0].round() as i32, w[1].round() as i32);
        let pairs: Vec<Pair> = fit.weights.iter().map(rounded).collect();
        let after: Vec<Weight> = pairs.iter().map(|p| [f64::from(p.mg), f64::from(p.eg)]).collect();
        let loss = [fit.loss_before, pool.install(|| texel::loss(&split.held_out, &after, k))];
        if fit.best_pass == 0 || loss[1] >= loss[0] {
            let (games, positions) = (split.tally.games, split.tally.positions);
            return Err(Failed(format!(
                "no weights were written: after {passes} passes over {positions} positions of {games} games \
                 the loss on held-out games had not fallen below {:.6}; play more games",
                loss[0]
            ))
            .into());
        }
        let mut moved: Vec<(String, Pair, Pair)> = Vec::new();
        for (i, (before, after)) in weights.pairs().iter().zip(&pairs).enumerate() {
            if before != after {
                moved.push((layout.name_of(i), *before, *after));
            }
        }
        moved.sort_by_key(|(_, a, b)| std::cmp::Reverse((a.mg - b.mg).abs().max((a.eg - b.eg).abs())));
        let tuned = Tuned {
            game: game.info().name.to_owned(),
            tally: split.tally,
            held_out: split.held_out.len(),
            k,
            passes,
            best_pass: fit.best_pass,
            loss,
            moved,
        };
        let weights = Weights::from_pairs(&layout, pairs)
            .ok_or_else(|| anyhow!("the layout of the weights changed"))?;
        let about = self.about(&game, &tuned)?;
        let about: Vec<(&str, &str)> = about.iter().map(|(key, text)| (*key, text.as_str())).collect();
        write_whole(self.target, &weights.to_toml(&layout, &about))?;
        Ok(tuned)
    }
}

impl Tune<'_> {
    /// K, and the positions: shuffled, so that a batch is not one game's.
    fn read<G: Playable>(
        &self,
        game: &G,
        weights: &Weights,
        start: &[Weight],
        pool: &rayon::ThreadPool,
    ) -> Result<(f64, Split)> {
        let evaluator = Evaluator::new(game.clone(), weights);
        let (_, standard) = Layout::of(game);
        let choice = Choice { per_game: self.args.positions.into(), seed: self.args.source.seed };
        let mut all: Vec<(u64, Trace, f64, Option<i32>)> = Vec::new();
        let tally = self.logs.each(game, choice, &mut |quiet| {
            let trace = Trace::of(&evaluator, &standard, quiet.state);
            all.push((quiet.unit, trace, quiet.result, quiet.eval));
            Ok(())
        })?;
        shuffle(&mut generator(self.args.source.seed, Domain::Order, 0, 0), &mut all);
        let is_held_out = |unit: u64| unit.is_multiple_of(HELD_OUT);
        let mut held_out = Samples::default();
        let mut plain = Samples::default();
        for (unit, trace, result, _) in &all {
            if is_held_out(*unit) { &mut held_out } else { &mut plain }.push(trace, *result);
        }
        if held_out.is_empty() || plain.is_empty() {
            bail!(
                "{} quiet positions in {} games with a result are too few to fit and to hold some out",
                tally.positions,
                tally.games
            );
        }
        let k = pool.install(|| texel::fit_k(&plain, start));
        let blend = f64::from(self.args.blend) / 100.0;
        let mut training = Samples::default();
        for (_, trace, result, eval) in all.iter().filter(|(unit, ..)| !is_held_out(*unit)) {
            let opinion = |cp: i32| 1.0 / (1.0 + libm::exp(-k * f64::from(cp)));
            training.push(trace, result + blend * (eval.map_or(*result, opinion) - result));
        }
        let training_games = tally.games as f64 * (1.0 - 1.0 / HELD_OUT as f64);
        Ok((k, Split { training, held_out, tally, training_games }))
    }

    fn fit<G: Playable>(
        &self,
        layout: &Layout,
        start: &[Weight],
        k: f64,
        split: &Split,
        pool: &rayon::ThreadPool,
    ) -> (Fit, usize) {
        let half = usize::from(G::FILES.div_ceil(2));
        // Places are half boards, files mirrored; every other table is a line.
        let line = |name: &str| if name.starts_with("place.") { half } else { 1 };
        let shapes: Vec<_> =
            layout.terms().iter().map(|t| (t.first, t.rule_of_thumb.len(), line(&t.name))).collect();
        let prior = Prior::of_tables(&shapes, start, self.args.spread.into(), split.training_games);
        let settings = Settings { k, passes: self.args.passes.into(), patience: 8, rate: 2.0 };
        let (started, mut passes) = (Instant::now(), 0);
        let mut last = started;
        let fit = pool.install(|| {
            texel::fit(&split.training, &split.held_out, start, &prior, settings, &mut |pass| {
                passes = pass.number;
                if last.elapsed().as_secs() >= 10 {
                    last = Instant::now();
                    eprintln!(
                        "pass {}: loss {:.6} in training, {:.6} held out",
                        pass.number, pass.training, pass.held_out
                    );
                }
                true
            })
        });
        let seconds = started.elapsed().as_secs_f64();
        let positions = passes * (split.training.len() + split.held_out.len());
        eprintln!(
            "{passes} passes in {seconds:.1} s, {:.2} million positions a second on {} threads ({:.0} terms a \
             position)",
            positions as f64 / seconds.max(1e-9) / 1e6,
            pool.current_num_threads(),
            split.training.entries() as f64 / split.training.len() as f64,
        );
        (fit, passes)
    }

    /// Where the weights come from, for the file.
    fn about<G: Playable>(&self, game: &G, tuned: &Tuned) -> Result<Vec<(&'static str, String)>> {
        let experiment = &self.logs.first()?.experiment;
        let players: Vec<String> = experiment.players.iter().map(|p| p.name.clone()).collect();
        let nodes = experiment.players.iter().find_map(|p| match p.kind {
            crate::experiment::PlayerKind::Search { nodes, .. } => Some(nodes.to_string()),
            _ => None,
        });
        let from = match &self.args.weights {
            Some(path) => path.display().to_string(),
            None => "the game's own".to_owned(),
        };
        Ok(vec![
            ("tuned", "mean (R - sigma)^2 at quiet positions, by `equipoise tune eval`".to_owned()),
            ("program", format!("equipoise {}", env!("CARGO_PKG_VERSION"))),
            ("game", tuned.game.clone()),
            ("options", game.options().to_string()),
            ("games", tuned.tally.games.to_string()),
            ("players", players.join(", ")),
            ("nodes", nodes.unwrap_or_else(|| "other programs'".to_owned())),
            ("games_seed", experiment.seed.to_string()),
            ("seed", self.args.source.seed.to_string()),
            ("positions", tuned.tally.positions.to_string()),
            ("from", from),
            ("blend", format!("{} %", self.args.blend)),
            ("spread", format!("{} cp", self.args.spread)),
            ("k", format!("{:.6} per centipawn", tuned.k)),
            ("held_out_loss", format!("{:.6} before, {:.6} after", tuned.loss[0], tuned.loss[1])),
        ])
    }
}

impl Tuned {
    fn print(&self, target: &Path, out: &mut dyn Write) -> Result<()> {
        let Tally { games, unfinished, positions } = self.tally;
        writeln!(out, "{}: {positions} quiet positions of {games} games", self.game)?;
        if unfinished > 0 {
            writeln!(out, "{unfinished} games without a result (*) were left out")?;
        }
        writeln!(out, "K is {:.6} per centipawn", self.k)?;
        writeln!(
            out,
            "mean (R - sigma)^2 on {} positions held out: {:.6} before, {:.6} after (pass {} of {})\n",
            self.held_out, self.loss[0], self.loss[1], self.best_pass, self.passes
        )?;
        let pair = |p: &Pair| format!("[{}, {}]", p.mg, p.eg);
        let rows: Vec<Vec<String>> = self
            .moved
            .iter()
            .take(SHOWN)
            .map(|(name, before, after)| vec![name.clone(), pair(before), pair(after)])
            .collect();
        crate::cli::table::write(out, &["moved furthest", "before", "after"], &rows)?;
        writeln!(out, "\nweights: {} ({} weights moved)", target.display(), self.moved.len())?;
        writeln!(out, "better on paper; a match against the old weights decides")?;
        Ok(())
    }

    fn to_json(&self, target: &Path) -> serde_json::Value {
        let moved = self
            .moved
            .iter()
            .map(|(name, a, b)| json!({ "weight": name, "before": [a.mg, a.eg], "after": [b.mg, b.eg] }));
        json!({
            "game": self.game,
            "games": self.tally.games,
            "unfinished": self.tally.unfinished,
            "positions": self.tally.positions,
            "positions_held_out": self.held_out,
            "k_per_centipawn": self.k,
            "loss_before": self.loss[0],
            "loss_after": self.loss[1],
            "passes": self.passes,
            "best_pass": self.best_pass,
            "file": target.display().to_string(),
            "moved": moved.collect::<Vec<_>>(),
        })
    }
}
