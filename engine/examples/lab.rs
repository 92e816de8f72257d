//! For work on the search: duels between settings, the bench, one position's iterations. One binary, as
//! compiling the search for every game takes its time.
//!
//!     cargo build --profile dev-fast -p equipoise-engine --example lab
//!     lab duel magi nodes=1000,100 games=200 a.futility=120 threads=2
//!     lab bench [GAME]
//!     lab look GAME FEN NODES [hash=MIB] [PARAM=VALUE]...
//!
//! A duel is played from paired random openings at fixed nodes and gives Elo with its error. Its keys:
//! `nodes=A,B`, `games`, `plies` (random opening), `seed`, `threads`, `set.OPTION=VALUE`, `a.PARAM=VALUE`,
//! `b.PARAM=VALUE`, `a.weights=FILE`, `b.weights=FILE`.

use equipoise_engine::bench;
use equipoise_engine::eval::{Layout, Weights};
use equipoise_engine::game::{Game, Which};
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::outcome::GameResult;
use equipoise_engine::referee::{Limits as GameLimits, Referee};
use equipoise_engine::search::{Chosen, Limits, Params, Playable, Searcher};
use equipoise_engine::side::Side;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What a player is.
#[derive(Clone, Default)]
struct Player {
    nodes: u64,
    settings: Chosen,
    weights: Option<String>,
}

struct Duel {
    players: [Player; 2],
    games: u64,
    plies: usize,
    seed: u64,
    threads: u64,
}

/// Wins, draws and losses of the first player, and counts for speed.
#[derive(Default)]
struct Tally {
    outcome: [u64; 3],
    pairs: Vec<f64>,
    terminations: BTreeMap<String, u64>,
    plies: u64,
    nodes: u64,
    depth: [u64; 2],
    moves: [u64; 2],
}

impl Visitor for Duel {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: G) -> Result<(), String> {
        let tally = Mutex::new(Tally::default());
        let next = AtomicU64::new(0);
        let started = Instant::now();
        let (layout, _) = Layout::of(&game);
        let mut weights = Vec::new();
        for player in &self.players {
            weights.push(match &player.weights {
                Some(file) => {
                    let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
                    Weights::parse(&layout, &text).map_err(|e| format!("{file}: {e}"))?
                }
                None => Weights::default_of(&game).map_err(|e| e.to_string())?,
            });
        }
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut searchers = [0, 1].map(|i| {
                        let params = self.players[i].settings.params(&game);
                        Searcher::with_weights(game.clone(), &weights[i], 2 << 20, params)
                    });
                    loop {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if 2 * pair >= self.games {
                            break;
                        }
                        self.play_pair(pair, &mut searchers, &tally);
                    }
                });
            }
        });
        let tally = tally.into_inner().map_err(|e| e.to_string())?;
        tally.print(started.elapsed().as_secs_f64(), self.threads);
        Ok(())
    }
}

impl Duel {
    fn play_pair<G: Playable>(&self, pair: u64, searchers: &mut [Searcher<G>; 2], tally: &Mutex<Tally>) {
        let game = searchers[0].game().clone();
        let opening = self.opening(&game, pair);
        let mut points = 0.0;
        for first in 0..2 {
            for searcher in searchers.iter_mut() {
                searcher.new_game();
            }
            let mut referee = opening.clone();
            let (mut plies, mut nodes, mut depth, mut moves) = (0, 0, [0; 2], [0; 2]);
            let ending = loop {
                if let Some(ending) = referee.ending() {
                    break ending;
                }
                let white = game.side_to_move(referee.state()) == Side::White;
                let who = if white { first } else { 1 - first };
                let limits = Limits::nodes(self.players[who].nodes);
                let result = searchers[who].search(referee.state(), referee.keys(), &limits, &mut |_| {});
                nodes += result.nodes;
                depth[who] += u64::from(result.depth);
                moves[who] += 1;
                plies += 1;
                referee.play(result.best);
            };
            let won = match ending.result {
                GameResult::Win(side) => Some((side == Side::White) == (first == 0)),
                _ => None,
            };
            let Ok(mut tally) = tally.lock() else { return };
            let (index, point) = match won {
                Some(true) => (0, 1.0),
                None => (1, 0.5),
                Some(false) => (2, 0.0),
            };
            points += point;
            tally.outcome[index] += 1;
            *tally.terminations.entry(format!("{}", ending.termination)).or_default() += 1;
            tally.plies += plies;
            tally.nodes += nodes;
            for i in 0..2 {
                tally.depth[i] += depth[i];
                tally.moves[i] += moves[i];
            }
        }
        if let Ok(mut tally) = tally.lock() {
            tally.pairs.push(points / 2.0);
        }
    }

    /// A game after some random moves, not over.
    fn opening<G: Game>(&self, game: &G, pair: u64) -> Referee<G> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed.wrapping_mul(1_000_003).wrapping_add(pair));
        let limits = GameLimits { move_rule: None, move_limit: Some(250) };
        loop {
            let mut referee = Referee::new(game.clone(), game.start(), limits);
            for _ in 0..self.plies {
                let mut list = Vec::new();
                game.generate(referee.state(), Which::All, &mut list);
                if list.is_empty() {
                    break;
                }
                referee.play(list[rng.random_range(0..list.len())]);
            }
            if referee.ending().is_none() {
                return referee;
            }
        }
    }
}

impl Tally {
    fn print(&self, seconds: f64, threads: u64) {
        let [w, d, l] = self.outcome.map(|n| n as f64);
        let pairs = self.pairs.len().max(1) as f64;
        let mean = self.pairs.iter().sum::<f64>() / pairs;
        let variance = self.pairs.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (pairs - 1.0).max(1.0);
        let error = 1.96 * (variance / pairs).sqrt();
        let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
        println!(
            "+{w} ={d} -{l}  score {:.1} % +- {:.1}  elo {:.0} [{:.0}, {:.0}]",
            100.0 * mean,
            100.0 * error,
            elo(mean),
            elo(mean - error),
            elo(mean + error)
        );
        println!("{:?}", self.terminations);
        let games = (w + d + l).max(1.0);
        println!(
            "{:.1} plies a game, depth {:.2} against {:.2}, {:.0} nodes/s a thread, {:.2} games/s, {seconds:.1} s",
            self.plies as f64 / games,
            self.depth[0] as f64 / self.moves[0].max(1) as f64,
            self.depth[1] as f64 / self.moves[1].max(1) as f64,
            self.nodes as f64 / seconds / threads as f64,
            games / seconds,
        );
    }
}

struct Look {
    fen: String,
    nodes: u64,
    hash: usize,
    settings: Chosen,
}

impl Visitor for Look {
    type Output = Result<(), String>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let state = game.parse_fen(&self.fen).map_err(|e| e.to_string())?;
        let params = self.settings.params(&game);
        let mut searcher = Searcher::new(game.clone(), self.hash << 20, params).map_err(|e| e.to_string())?;
        searcher.search(&state, &[], &Limits::nodes(self.nodes), &mut |info| {
            let (mut line, mut text) = (state.clone(), String::new());
            for &m in info.pv {
                text += &format!(" {}", game.uci(&line, m));
                game.play(&mut line, m, &mut ());
            }
            println!(
                "{:>3}/{:<3} {:>8} {:>6} {text}",
                info.depth,
                info.deepest,
                info.nodes,
                info.score.to_string()
            );
        });
        Ok(())
    }
}

fn look(args: &[String]) -> Result<(), String> {
    let [name, fen, nodes, rest @ ..] = args else { return Err("look GAME FEN NODES".to_owned()) };
    let (mut settings, mut hash) = (Chosen::default(), 8);
    for arg in rest {
        let (key, value) = arg.split_once('=').ok_or(format!("`{arg}` is not key=value"))?;
        let value: i32 = value.parse().map_err(|e| format!("`{arg}`: {e}"))?;
        match key {
            "hash" => hash = value.max(1) as usize,
            _ => settings.set(key, value).map_err(|e| e.to_string())?,
        }
    }
    let nodes = nodes.parse().map_err(|e| format!("`{nodes}`: {e}"))?;
    games::with(name, [], Look { fen: fen.clone(), nodes, hash, settings }).map_err(|e| e.to_string())?
}

struct RunBench;

impl Visitor for RunBench {
    type Output = Result<bench::Bench, String>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        bench::run(&game, Params::of(&game), bench::POSITIONS, bench::NODES).map_err(|e| e.to_string())
    }
}

fn run_bench(wanted: Option<&str>) -> Result<(), String> {
    for info in games::ALL.iter().filter(|i| wanted.is_none_or(|w| w == i.name)) {
        let started = Instant::now();
        let bench = games::with(info.name, [], RunBench).map_err(|e| e.to_string())??;
        let seconds = started.elapsed().as_secs_f64();
        println!("{:<14} {:>12}  {:>10.0} nodes/s", info.name, bench.signature, bench.nodes as f64 / seconds);
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((command, rest)) if command == "duel" => duel(rest),
        Some((command, rest)) if command == "look" => look(rest),
        Some((command, rest)) if command == "bench" => run_bench(rest.first().map(String::as_str)),
        _ => Err("usage: lab duel|look|bench ...".to_owned()),
    }
}

fn duel(args: &[String]) -> Result<(), String> {
    let (name, args) = args.split_first().ok_or("usage: duel GAME [key=value]...")?;
    let player = Player { nodes: 1000, ..Player::default() };
    let mut duel = Duel { players: [player.clone(), player], games: 100, plies: 6, seed: 1, threads: 1 };
    let mut options = Vec::new();
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or(format!("`{arg}` is not key=value"))?;
        let number = || value.parse::<u64>().map_err(|e| format!("`{arg}`: {e}"));
        match key.split_once('.') {
            Some(("set", option)) => options.push((option.to_owned(), value.to_owned())),
            Some((who @ ("a" | "b"), param)) => {
                let player = &mut duel.players[usize::from(who == "b")];
                if param == "weights" {
                    player.weights = Some(value.to_owned());
                } else {
                    let value = value.parse().map_err(|e| format!("`{arg}`: {e}"))?;
                    player.settings.set(param, value).map_err(|e| e.to_string())?;
                }
            }
            _ => match key {
                "nodes" => {
                    let (a, b) = value.split_once(',').unwrap_or((value, value));
                    for (player, text) in duel.players.iter_mut().zip([a, b]) {
                        player.nodes = text.parse().map_err(|e| format!("`{arg}`: {e}"))?;
                    }
                }
                "games" => duel.games = number()?,
                "plies" => duel.plies = number()? as usize,
                "seed" => duel.seed = number()?,
                "threads" => duel.threads = number()?,
                _ => return Err(format!("unknown key `{key}`")),
            },
        }
    }
    let given = options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    games::with(name, given, duel).map_err(|e| e.to_string())?
}
