//! Tunes a game's evaluation on its own games: self-play, then logistic regression on the quiet positions.
//!
//!     cargo run --profile dev-fast -p equipoise-tuner --example tune_eval -- magi games=4000 out=magi.toml
//!
//! `games`, `nodes`, `plies` (random opening), `seed`, `threads`, `weights=FILE` (to play and begin with),
//! `rate`, `epochs`, `pull`, `blend` (per cent of the target that is the search's opinion).

use engine::eval::{Layout, Pair, Trace, Weights};
use engine::game::Which;
use engine::games::{self, Visitor};
use engine::outcome::GameResult;
use engine::referee::{Limits as GameLimits, Referee};
use engine::search::{Limits, Params, Playable, Searcher};
use engine::side::Side;
use equipoise_tuner::texel::{self, Sample, Settings};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

struct Tune {
    games: u64,
    nodes: u64,
    plies: usize,
    seed: u64,
    threads: u64,
    weights: Option<String>,
    out: String,
    rate: f64,
    epochs: usize,
    pull: f64,
    blend: f64,
}

impl Visitor for Tune {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: G) -> Result<(), String> {
        let (layout, _) = Layout::of(&game);
        let weights = match &self.weights {
            Some(file) => {
                let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
                Weights::parse(&layout, &text).map_err(|e| format!("{file}: {e}"))?
            }
            None => Weights::default_of(&game).map_err(|e| e.to_string())?,
        };
        let positions = Mutex::new(Vec::new());
        let next = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut searcher =
                        Searcher::with_weights(game.clone(), &weights, 2 << 20, Params::default());
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games {
                            break;
                        }
                        let played = self.play(&mut searcher, number);
                        if let Ok(mut positions) = positions.lock() {
                            positions.push((number, played));
                        }
                    }
                });
            }
        });
        let mut played = positions.into_inner().map_err(|e| e.to_string())?;
        played.sort_by_key(|(number, _)| *number);
        let start: Vec<f64> =
            weights.pairs().iter().flat_map(|p| [f64::from(p.mg), f64::from(p.eg)]).collect();
        let all = played.iter().flat_map(|(_, game)| game.iter());
        let all: Vec<Sample> = all.map(|(trace, result, _)| Sample::of_trace(trace, *result)).collect();
        let positions = all.len();
        let scale = texel::fit_scale(&all, &start);
        drop(all);
        eprintln!("{positions} positions, scale {scale:.0}");
        // Every tenth game is held out: positions of one game share its result.
        let (mut training, mut held_out) = (Vec::new(), Vec::new());
        for (number, game) in played {
            for (trace, result, score) in game {
                let opinion = 1.0 / (1.0 + (-score / scale).exp());
                let blend = if number % 10 == 9 { 0.0 } else { self.blend };
                let target = result * (1.0 - blend) + opinion * blend;
                let list = if number % 10 == 9 { &mut held_out } else { &mut training };
                list.push(Sample::of_trace(&trace, target));
            }
        }
        training.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));

        // First each table as a whole, stretched or shrunk; then single weights, held back by their number.
        let mut group = Vec::new();
        for (factor, term) in layout.terms().iter().enumerate() {
            for pair in &weights.pairs()[term.first..term.first + term.rule_of_thumb.len()] {
                group.push((f64::from(pair.mg), 2 * factor as u32));
                group.push((f64::from(pair.eg), 2 * factor as u32 + 1));
            }
        }
        let tie = |samples: &[Sample]| samples.iter().map(|s| s.tied(&group)).collect::<Vec<_>>();
        let factors = vec![1.0; 2 * layout.terms().len()];
        let settings = Settings { scale, epochs: self.epochs, rate: 0.03 };
        let tables = {
            let (training, held_out) = (tie(&training), tie(&held_out));
            texel::fit(&training, &held_out, &factors, &vec![1e-5; factors.len()], settings)
        };
        eprintln!("tables: loss {:.5} -> {:.5}", tables.loss_before, tables.loss_after);
        let stretched: Vec<f64> =
            group.iter().map(|&(share, factor)| share * tables.weights[factor as usize]).collect();
        let settings = Settings { scale, epochs: self.epochs, rate: self.rate };
        let mut pull = Vec::new();
        for term in layout.terms() {
            let n = term.rule_of_thumb.len();
            let each = self.pull / 10_000.0 * if n > 1 { 10.0 } else { 1.0 };
            pull.extend(std::iter::repeat_n(each, 2 * n));
        }
        let fit = texel::fit(&training, &held_out, &stretched, &pull, settings);
        eprintln!("weights: loss {:.5} -> {:.5}", fit.loss_before, fit.loss_after);
        let chosen = if fit.loss_after < fit.loss_before { &fit.weights } else { &stretched };
        let pair = |w: &[f64]| Pair::new(w[0].round() as i32, w[1].round() as i32);
        let pairs = chosen.chunks(2).map(pair).collect();
        let tuned = Weights::from_pairs(&layout, pairs).ok_or("layout changed")?;
        let how = format!(
            "logistic regression on {} quiet positions of {} own games at {} nodes a move",
            positions, self.games, self.nodes
        );
        std::fs::write(&self.out, tuned.to_toml(&layout, &[("tuned", &how)])).map_err(|e| e.to_string())
    }
}

impl Tune {
    /// Plays a game with itself; gives the quiet positions, the result and what the search thought.
    fn play<G: Playable>(&self, searcher: &mut Searcher<G>, number: u64) -> Vec<(Trace, f64, f64)> {
        let game = searcher.game().clone();
        let (_, standard) = Layout::of(&game);
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let limits = GameLimits { move_rule: None, move_limit: Some(200) };
        let mut referee = Referee::new(game.clone(), game.start(), limits);
        let mut list = Vec::new();
        searcher.new_game();
        let mut found = Vec::new();
        let mut plies = 0;
        let opening = self.plies + rng.random_range(0..2);
        let ending = loop {
            if let Some(ending) = referee.ending() {
                break ending;
            }
            let state = referee.state().clone();
            list.clear();
            game.generate(&state, Which::All, &mut list);
            plies += 1;
            let random = plies <= opening || rng.random_range(0..60) == 0;
            let mut best = list[rng.random_range(0..list.len())];
            if !random {
                let result = searcher.search(&state, referee.keys(), &Limits::nodes(self.nodes), &mut |_| {});
                best = result.best;
                let sharp = game.facts(&state, best).noisy || G::CAPS.check && game.in_check(&state);
                if !sharp && result.score.value().abs() < 1500 && rng.random_range(0..2) > 0 {
                    let white = result.score.white_view(game.side_to_move(&state)).value();
                    found.push((Trace::of(searcher.evaluator(), &standard, &state), f64::from(white)));
                }
            }
            referee.play(best);
        };
        let result = match ending.result {
            GameResult::Win(Side::White) => 1.0,
            GameResult::Win(Side::Black) => 0.0,
            _ => 0.5,
        };
        found.into_iter().map(|(trace, score)| (trace, result, score)).collect()
    }
}

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let name = args.next().ok_or("usage: tune_eval GAME [key=value]...")?;
    let mut tune = Tune {
        games: 2000,
        nodes: 500,
        plies: 6,
        seed: 1,
        threads: 1,
        weights: None,
        out: format!("{name}.toml"),
        rate: 3.0,
        epochs: 40,
        pull: 0.0003,
        blend: 0.2,
    };
    let mut options = Vec::new();
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or(format!("`{arg}` is not key=value"))?;
        let number = || value.parse::<f64>().map_err(|e| format!("`{arg}`: {e}"));
        match key {
            "games" => tune.games = number()? as u64,
            "nodes" => tune.nodes = number()? as u64,
            "plies" => tune.plies = number()? as usize,
            "seed" => tune.seed = number()? as u64,
            "threads" => tune.threads = number()? as u64,
            "epochs" => tune.epochs = number()? as usize,
            "rate" => tune.rate = number()?,
            "pull" => tune.pull = number()?,
            "blend" => tune.blend = number()? / 100.0,
            "weights" => tune.weights = Some(value.to_owned()),
            "out" => tune.out = value.to_owned(),
            _ => match key.strip_prefix("set.") {
                Some(option) => options.push((option.to_owned(), value.to_owned())),
                None => return Err(format!("unknown key `{key}`")),
            },
        }
    }
    let given = options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    games::with(&name, given, tune).map_err(|e| e.to_string())?
}
