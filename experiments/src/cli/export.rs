//! `equipoise export`.

use super::replay::record;
use crate::export::epd;
use crate::failure::disk;
use crate::log::{GameRow, LogReader, Manifest, MovesRow};
use crate::positions::{self, Choice};
use anyhow::{Context, Result};
use clap::Args;
use engine::games::Visitor;
use engine::notation::pgn::write_pgn;
use engine::notation::{parse_uci, san};
use engine::outcome::GameResult;
use engine::search::Playable;
use engine::side::Side;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The run's folder
    dir: PathBuf,
    #[command(flatten)]
    what: What,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// At most so many quiet positions of a game
    #[arg(long, value_name = "N", default_value_t = 8, requires = "positions")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    per_game: u64,
    /// Seed of the choice of positions; the run's own if left out
    #[arg(long, value_name = "N", requires = "positions")]
    seed: Option<u64>,
    /// Quiet positions as CSV instead of EPD
    #[arg(long, requires = "positions")]
    csv: bool,
}

/// What to export.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct What {
    /// All games as PGN
    #[arg(long)]
    pgn: bool,
    /// Every position after the opening, with move (sm), evaluation (ce), game (id) and result (c9)
    #[arg(long)]
    epd: bool,
    /// The first position of each game in which this side is quietly behind by 5 % of its army, if the other was not
    /// so before
    #[arg(long, value_name = "SIDE", value_parser = ["white", "black"])]
    behind: Option<String>,
    /// Quiet positions with results (c9), a few of each finished game, identical games once
    #[arg(long)]
    positions: bool,
}

pub fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<()> {
    let manifest = Manifest::read(&args.dir)?;
    let experiment = &manifest.experiment;
    let mut export = |out: &mut dyn Write| -> Result<Written> {
        engine::games::with(
            &experiment.game,
            experiment.option_pairs(),
            Export { args, manifest: &manifest, out },
        )?
    };
    let written = match &args.out {
        None => export(out)?,
        Some(path) => to_file(path, &mut export)?,
    };
    eprintln!("{}", written.text(args));
    Ok(())
}

/// Writes a file under another name, and gives it its own when all of it is there.
fn to_file(path: &Path, export: &mut dyn FnMut(&mut dyn Write) -> Result<Written>) -> Result<Written> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let file = File::create(&temporary).map_err(|e| disk("write", &temporary, e))?;
    let mut writer = BufWriter::new(file);
    let written = export(&mut writer).and_then(|written| {
        writer
            .flush()
            .and_then(|()| std::fs::rename(&temporary, path))
            .map_err(|e| disk("write", path, e))?;
        Ok(written)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// What was written, for a line on standard error.
#[derive(Default)]
struct Written {
    games: u64,
    positions: u64,
    unfinished: u64,
    identical: u64,
}

impl Written {
    fn text(&self, args: &ExportArgs) -> String {
        if args.what.pgn {
            return format!("{} games", self.games);
        }
        let mut text = format!("{} positions of {} games", self.positions, self.games);
        if self.unfinished > 0 {
            text += &format!("; {} unfinished games left out", self.unfinished);
        }
        if self.identical > 0 {
            text += &format!("; {} games identical to an earlier one left out", self.identical);
        }
        text
    }
}

struct Export<'a> {
    args: &'a ExportArgs,
    manifest: &'a Manifest,
    out: &'a mut dyn Write,
}

impl Visitor for Export<'_> {
    type Output = Result<Written>;

    fn visit<G: Playable>(mut self, game: G) -> Result<Written> {
        let mut written = Written::default();
        let values = self.manifest.values.by_kind(&game)?;
        let mut reader = LogReader::open(&self.args.dir, self.manifest.experiment.games_per_unit())?;
        if self.args.csv {
            self.csv(["game_id", "unit_id", "ply", "fen", "result", "eval"])?;
        }
        while let Some(unit) = reader.next_unit()? {
            let at = reader.at();
            for (row, metrics, moves) in &unit.games {
                let behind = metrics.get("first_behind");
                self.game(&game, &values, (row, behind), moves, &mut written)
                    .with_context(|| format!("{at}, game {}", row.game_id))?;
            }
        }
        Ok(written)
    }
}

impl Export<'_> {
    fn game<G: Playable>(
        &mut self,
        game: &G,
        values: &[i32],
        (row, behind): (&GameRow, &str),
        moves: &MovesRow,
        written: &mut Written,
    ) -> Result<()> {
        let what = &self.args.what;
        if what.positions && row.result == GameResult::Unknown {
            written.unfinished += 1;
            return Ok(());
        }
        if what.positions && row.duplicate_of.is_some() {
            written.identical += 1;
            return Ok(());
        }
        written.games += 1;
        if what.pgn {
            let record = record(game, row, moves)?;
            write!(self.out, "{}", write_pgn(game, &record)).map_err(|e| self.failed(e))?;
            return Ok(());
        }
        written.positions += match (&what.behind, what.epd) {
            (Some(side), _) => self.behind(game, side, (row, behind), moves)?,
            (None, true) => self.epd(game, row, moves)?,
            (None, false) => self.positions(game, values, row, moves)?,
        };
        Ok(())
    }

    /// The position that metrics.csv's `first_behind` (`side:ply:pawns`) tells of, if it is `side` that is behind.
    fn behind<G: Playable>(
        &mut self,
        game: &G,
        side: &str,
        (row, behind): (&GameRow, &str),
        moves: &MovesRow,
    ) -> Result<u64> {
        let Some((of, rest)) = behind.split_once(':').filter(|(of, _)| *of == side) else { return Ok(0) };
        let (ply, pawns) = rest.split_once(':').with_context(|| format!("first_behind is `{behind}`"))?;
        let plies: usize = ply.parse().with_context(|| format!("first_behind is `{behind}`"))?;
        let mut state = game.parse_fen(&row.start_fen).context("start_fen")?;
        for (index, uci) in moves.moves.iter().take(plies).enumerate() {
            let m = parse_uci(game, &state, uci).with_context(|| format!("ply {}", index + 1))?;
            game.play(&mut state, m, &mut ());
        }
        let id = format!("game {} ply {ply}: {of} behind by {pawns}", row.game_id);
        self.line(&epd::write(&game.fen(&state), &[("id", id, true)]))?;
        Ok(1)
    }

    /// Every position from the end of the opening on.
    fn epd<G: Playable>(&mut self, game: &G, row: &GameRow, moves: &MovesRow) -> Result<u64> {
        let mut state = game.parse_fen(&row.start_fen).context("start_fen")?;
        let mut count = 0;
        for ply in 0..=moves.moves.len() {
            let m = match moves.moves.get(ply) {
                Some(uci) => Some(parse_uci(game, &state, uci).with_context(|| format!("ply {}", ply + 1))?),
                None => None,
            };
            if ply >= row.opening_plies as usize {
                let mut operations = vec![("id", format!("game {} ply {ply}", row.game_id), true)];
                if let Some(m) = m {
                    operations.push(("sm", san(game, &state, m), false));
                }
                // Evaluations are logged from White's view; EPD has the view of the side to move.
                let sign = if game.side_to_move(&state) == Side::White { 1 } else { -1 };
                if let Some(eval) = moves.evals.get(ply).and_then(|e| e.parse::<i32>().ok()) {
                    operations.push(("ce", (sign * eval).to_string(), false));
                }
                operations.push(("c9", row.result.to_string(), true));
                self.line(&epd::write(&game.fen(&state), &operations))?;
                count += 1;
            }
            if let Some(m) = m {
                game.play(&mut state, m, &mut ());
            }
        }
        Ok(count)
    }

    /// A few quiet positions.
    fn positions<G: Playable>(
        &mut self,
        game: &G,
        values: &[i32],
        row: &GameRow,
        moves: &MovesRow,
    ) -> Result<u64> {
        let seed = self.args.seed.unwrap_or(self.manifest.experiment.seed);
        let choice = Choice { per_game: self.args.per_game as usize, seed };
        let mut chosen = positions::of_game(game, row, moves, values, choice, 0)?;
        chosen.sort_by_key(|(ply, _)| *ply);
        for (ply, state) in &chosen {
            let fen = game.fen(state);
            let result = row.result.to_string();
            let id = row.game_id;
            if self.args.csv {
                let eval = moves.evals.get(*ply).map_or("-", String::as_str);
                let ply = ply.to_string();
                self.csv([&id.to_string(), &row.unit_id.to_string(), &ply, &fen, &result, eval])?;
            } else {
                let id = format!("game {id} ply {ply}");
                self.line(&epd::write(&fen, &[("c9", result, true), ("id", id, true)]))?;
            }
        }
        Ok(chosen.len() as u64)
    }

    fn csv(&mut self, fields: [&str; 6]) -> Result<()> {
        let mut csv =
            csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
        csv.write_record(fields)?;
        let bytes = csv.into_inner().map_err(|e| e.into_error())?;
        self.out.write_all(&bytes).map_err(|e| self.failed(e))
    }

    fn line(&mut self, line: &str) -> Result<()> {
        writeln!(self.out, "{line}").map_err(|e| self.failed(e))
    }

    /// A write that failed: with the file's name, if there is one.
    fn failed(&self, error: std::io::Error) -> anyhow::Error {
        match &self.args.out {
            Some(path) => disk("write", path, error),
            None => error.into(),
        }
    }
}
