//! `equipoise search` and `equipoise bench`.

use super::{FenArgs, GameArgs, JsonArgs, OptionArgs, table};
use anyhow::Result;
use clap::Args;
use engine::bench;
use engine::games::{ALL, Visitor};
use engine::referee::{Limits as GameLimits, Referee};
use engine::search::{Limits, Params, Playable, Searcher};
use serde_json::json;
use std::io::Write;
use std::time::Instant;

/// Size of the table of a search of so many nodes: an entry of 16 bytes for each, from 1 MiB to 1 GiB. More would
/// lie idle, and a large table is a slow one.
fn table_bytes(nodes: u64) -> usize {
    nodes.saturating_mul(16).clamp(1 << 20, 1 << 30).next_power_of_two() as usize
}

#[derive(Args, Debug)]
pub struct SearchArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    fen: FenArgs,
    /// Moves made at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Best lines to show
    #[arg(long, value_name = "N", default_value_t = 1)]
    lines: usize,
}

pub fn run(args: &SearchArgs, out: &mut dyn Write) -> Result<()> {
    args.game.with(Search { args, out })
}

struct Search<'a> {
    args: &'a SearchArgs,
    out: &'a mut dyn Write,
}

impl Visitor for Search<'_> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, game: G) -> Result<()> {
        let state = self.args.fen.state(&game)?;
        let referee = Referee::new(game.clone(), state.clone(), GameLimits::default());
        let mut searcher = Searcher::new(game.clone(), table_bytes(self.args.nodes), Params::of(&game))?;
        let limits = Limits { lines: self.args.lines, ..Limits::nodes(self.args.nodes) };
        let started = Instant::now();
        let several = self.args.lines > 1;
        let mut lines = Vec::new();
        let found = searcher.search(referee.state(), referee.keys(), &limits, &mut |info| {
            let seconds = started.elapsed().as_secs_f64();
            let score = match info.score.mate_moves() {
                Some(moves) => format!("mate {moves}"),
                None => format!("cp {}", info.score.value()),
            };
            let mut at = state.clone();
            let mut pv = String::new();
            for &m in info.pv {
                pv += &format!(" {}", game.uci(&at, m));
                game.play(&mut at, m, &mut ());
            }
            let multi = if several { format!(" multipv {}", info.line) } else { String::new() };
            lines.push(format!(
                "info depth {} seldepth {}{multi} score {score} nodes {} nps {:.0} hashfull {} time {:.0} pv{pv}",
                info.depth,
                info.deepest,
                info.nodes,
                info.nodes as f64 / seconds.max(1e-6),
                info.table_permille,
                seconds * 1000.0,
            ));
        });
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        let best = if found.best.is_none() { "(none)".to_owned() } else { game.uci(&state, found.best) };
        writeln!(self.out, "bestmove {best}")?;
        Ok(())
    }
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The game; all games if left out
    game: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// Positions
    #[arg(long, value_name = "N", default_value_t = bench::POSITIONS)]
    positions: usize,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = bench::NODES)]
    nodes: u64,
    #[command(flatten)]
    json: JsonArgs,
}

pub fn bench(args: &BenchArgs, out: &mut dyn Write) -> Result<()> {
    let names: Vec<&str> = match &args.game {
        Some(name) => vec![name],
        None => ALL.iter().map(|info| info.name).collect(),
    };
    let mut rows = Vec::new();
    for name in names {
        let given = args.options.pairs(name)?;
        let given = given.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        let (result, seconds) = engine::games::with(name, given, Bench(args))??;
        rows.push((name.to_owned(), result, result.nodes as f64 / seconds.max(1e-9)));
    }
    if args.json.json {
        let list: Vec<_> = rows
            .iter()
            .map(|(name, b, nps)| json!({"game": name, "signature": b.signature, "nodes": b.nodes, "nps": nps.round()}))
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
        return Ok(());
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(name, b, nps)| vec![name, b.signature.to_string(), b.nodes.to_string(), format!("{nps:.0}")])
        .collect();
    table::write(out, &["game", "signature", "nodes", "nodes a second"], &rows)?;
    Ok(())
}

struct Bench<'a>(&'a BenchArgs);

impl Visitor for Bench<'_> {
    type Output = Result<(bench::Bench, f64)>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let started = Instant::now();
        let result = bench::run(&game, Params::of(&game), self.0.positions, self.0.nodes)?;
        Ok((result, started.elapsed().as_secs_f64()))
    }
}
