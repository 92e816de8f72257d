//! `equipoise perft`.

use super::{FenArgs, GameArgs};
use anyhow::Result;
use clap::Args;
use engine::game::Game;
use engine::games::Visitor;
use engine::perft;
use std::io::Write;
use std::time::Instant;

#[derive(Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Plies to look ahead
    depth: u32,
    #[command(flatten)]
    fen: FenArgs,
    /// Split the count by first move
    #[arg(long)]
    divide: bool,
}

pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<()> {
    args.game.with(Count { args, out })
}

struct Count<'a> {
    args: &'a PerftArgs,
    out: &'a mut dyn Write,
}

impl Visitor for Count<'_> {
    type Output = Result<()>;

    fn visit<G: Game>(self, game: G) -> Result<()> {
        let state = self.args.fen.state(&game)?;
        let start = Instant::now();
        let nodes = if self.args.divide && self.args.depth > 0 {
            let mut lines: Vec<(String, u64)> = perft::divide(&game, &state, self.args.depth)
                .into_iter()
                .map(|(m, nodes)| (game.uci(&state, m), nodes))
                .collect();
            lines.sort();
            for (name, nodes) in &lines {
                writeln!(self.out, "{name}: {nodes}")?;
            }
            lines.iter().map(|(_, nodes)| nodes).sum()
        } else {
            perft::perft(&game, &state, self.args.depth)
        };
        writeln!(self.out, "nodes {nodes}")?;
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("{seconds:.3} s, {:.1} million nodes a second", nodes as f64 / seconds.max(1e-9) / 1e6);
        Ok(())
    }
}
