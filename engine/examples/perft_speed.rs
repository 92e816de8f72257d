//! Perft with its speed: `perft_speed GAME DEPTH [FEN]`. Whole counts to stdout, time to stderr.

use equipoise_engine::games::{self, Visitor};
use equipoise_engine::perft::perft;
use equipoise_engine::search::Playable;
use std::process::ExitCode;
use std::time::Instant;

struct Perft {
    depth: u32,
    fen: Option<String>,
}

impl Visitor for Perft {
    type Output = Result<u64, String>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let state = match &self.fen {
            Some(fen) => game.parse_fen(fen).map_err(|e| e.to_string())?,
            None => game.start(),
        };
        Ok(perft(&game, &state, self.depth))
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let (game, depth, fen) = match args {
        [game, depth] => (game, depth, None),
        [game, depth, fen] => (game, depth, Some(fen.clone())),
        _ => return Err("usage: perft_speed GAME DEPTH [FEN]".to_owned()),
    };
    let depth = depth.parse().map_err(|_| format!("depth `{depth}`: a whole number was expected"))?;
    let start = Instant::now();
    let nodes = games::with(game, [], Perft { depth, fen }).map_err(|e| e.to_string())??;
    let seconds = start.elapsed().as_secs_f64();
    println!("nodes {nodes}");
    eprintln!("{seconds:.3} s, {:.2} million nodes/s", nodes as f64 / seconds / 1e6);
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
