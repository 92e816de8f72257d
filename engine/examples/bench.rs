//! The bench of one game or all: signature and nodes per second.
//!
//!     cargo run --release --example bench -- [GAME]

use equipoise_engine::bench::{self, Bench};
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::search::{Params, Playable};
use std::time::Instant;

struct Run;

impl Visitor for Run {
    type Output = Result<Bench, String>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        bench::run(&game, Params::default(), bench::POSITIONS, bench::NODES).map_err(|e| e.to_string())
    }
}

fn main() -> Result<(), String> {
    let wanted = std::env::args().nth(1);
    for info in games::ALL.iter().filter(|i| wanted.as_deref().is_none_or(|w| w == i.name)) {
        let started = Instant::now();
        let bench = games::with(info.name, [], Run).map_err(|e| e.to_string())??;
        let seconds = started.elapsed().as_secs_f64();
        println!("{:<14} {:>12}  {:>10.0} nodes/s", info.name, bench.signature, bench.nodes as f64 / seconds);
    }
    Ok(())
}
