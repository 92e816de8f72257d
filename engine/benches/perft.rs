//! Speed of the move generators: perft of every game, and of chess beside cozy-chess.
//!
//! `cargo bench -p equipoise-engine --bench perft`. Both libraries count in bulk at the last ply, in
//! short segments by turns, on the thread's own processor time, so that whatever else the machine does
//! slows both alike. A figure is the best segment of a subject; a ratio is the median over the rounds. Without cargo's `--bench` (as a
//! test) everything runs once and shallowly.

use cozy_chess::Board;
use cpu_time::ThreadTime;
use equipoise_engine::game::Game;
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::perft::perft;
use equipoise_engine::search::Playable;
use std::hint::black_box;
use std::time::Duration;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MAGI_MIDDLE: &str =
    "rnbcqkwbnr/p2p2pQ1p/d8d/1p3p2p1/3pp5/1PpPPpP3/10/1DP5D1/P2P2PPPP/RNBC1KWBNR b KQkq e4 0 10 -";
const MAGECA_MIDDLE: &str =
    "rn1m1kmb1r/1b2p5/6n1p1/pqPp3p2/1P3pP2P/4P5/N4P4/5M3P/2PP2P3/R1B1QKMBNR w KQkq f7 0 19";

/// cozy-chess's own bulk count, as its example `perft` does it.
fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

/// Runs `f` and returns millions of its nodes a second.
fn speed(mut f: impl FnMut() -> u64) -> f64 {
    let start = ThreadTime::now();
    let nodes = black_box(f());
    nodes as f64 / start.elapsed().as_secs_f64().max(1e-9) / 1e6
}

fn best(speeds: &[f64]) -> f64 {
    speeds.iter().copied().fold(0.0, f64::max)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The least depth whose count takes `long`, and so many plies at most.
fn depth_for<G: Game>(game: &G, state: &G::State, long: Duration) -> u32 {
    for depth in 1..8 {
        let start = ThreadTime::now();
        black_box(perft(game, state, depth));
        if start.elapsed() >= long {
            return depth;
        }
    }
    8
}

struct Alone {
    fen: Option<&'static str>,
    rounds: usize,
    segment: Duration,
}

impl Visitor for Alone {
    type Output = Result<f64, String>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let state = match self.fen {
            Some(fen) => game.parse_fen(fen).map_err(|e| e.to_string())?,
            None => game.start(),
        };
        let depth = depth_for(&game, &state, self.segment);
        Ok(best(
            &(0..self.rounds).map(|_| speed(|| perft(&game, black_box(&state), depth))).collect::<Vec<_>>(),
        ))
    }
}

struct BesideCozy {
    fen: &'static str,
    depth: u32,
    rounds: usize,
}

impl Visitor for BesideCozy {
    /// Our best, its best, the median of the rounds' ratios.
    type Output = Result<(f64, f64, f64), String>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let state = game.parse_fen(self.fen).map_err(|e| e.to_string())?;
        let board = Board::from_fen(self.fen, false).map_err(|e| format!("`{}`: {e}", self.fen))?;
        let (mine, its) = (perft(&game, &state, self.depth), cozy_perft(&board, self.depth));
        if mine != its {
            return Err(format!(
                "`{}` depth {}: {mine} nodes here, {its} in cozy-chess",
                self.fen, self.depth
            ));
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            ours.push(speed(|| perft(&game, black_box(&state), self.depth)));
            theirs.push(speed(|| cozy_perft(black_box(&board), self.depth)));
        }
        let ratios = ours.iter().zip(&theirs).map(|(a, b)| a / b).collect();
        Ok((best(&ours), best(&theirs), median(ratios)))
    }
}

fn run(measuring: bool) -> Result<(), String> {
    let (rounds, segment) = if measuring { (40, Duration::from_millis(3)) } else { (1, Duration::ZERO) };
    for (name, fen, depth) in [("start", START, 5), ("kiwipete", KIWIPETE, 4)] {
        let depth = if measuring { depth } else { 2 };
        let (ours, its, ratio) =
            games::with("chess", [], BesideCozy { fen, depth, rounds }).map_err(|e| e.to_string())??;
        println!("chess {name:<9} {ours:7.1} M nodes/s   cozy-chess {its:7.1}   ratio {ratio:.2}");
    }
    let middles = [("magi", MAGI_MIDDLE), ("mageca", MAGECA_MIDDLE)];
    for info in games::ALL {
        let alone =
            |fen| games::with(info.name, [], Alone { fen, rounds, segment }).map_err(|e| e.to_string());
        println!("{:<15} {:7.1} M nodes/s", info.name, alone(None)??);
        for (_, fen) in middles.iter().filter(|(game, _)| *game == info.name) {
            println!("{:<15} {:7.1} M nodes/s", format!("{} middle", info.name), alone(Some(fen))??);
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match run(std::env::args().any(|arg| arg == "--bench")) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            std::process::ExitCode::FAILURE
        }
    }
}
