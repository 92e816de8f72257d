//! `equipoise replay`.

use crate::log::{GameRow, LogReader, Manifest, MovesRow};
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::games::Visitor;
use engine::notation::{draw, parse_uci};
use engine::search::Playable;
use engine::side::Side;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The run's folder
    dir: PathBuf,
    /// The game's number
    game_id: u64,
    /// Print PGN instead of boards
    #[arg(long)]
    pgn: bool,
}

pub fn run(args: &ReplayArgs, out: &mut dyn Write) -> Result<()> {
    let manifest = Manifest::read(&args.dir)?;
    let experiment = &manifest.experiment;
    let (game, moves) = find(&args.dir, &manifest, args.game_id)?;
    engine::games::with(
        &experiment.game,
        experiment.option_pairs(),
        Replay { pgn: args.pgn, row: &game, moves: &moves, out },
    )?
}

/// One game of a log.
pub fn find(dir: &Path, manifest: &Manifest, game_id: u64) -> Result<(GameRow, MovesRow)> {
    let mut reader = LogReader::open(dir, manifest.experiment.games_per_unit())?;
    let mut games = 0;
    while let Some(unit) = reader.next_unit()? {
        for (game, _, moves) in unit.games {
            if game.game_id == game_id {
                return Ok((game, moves));
            }
            games += 1;
        }
    }
    bail!("{} has no game {game_id}; it has {games} games", dir.display())
}

struct Replay<'a> {
    pgn: bool,
    row: &'a GameRow,
    moves: &'a MovesRow,
    out: &'a mut dyn Write,
}

impl Visitor for Replay<'_> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, game: G) -> Result<()> {
        if self.pgn { self.pgn(&game) } else { self.boards(&game) }
    }
}

impl Replay<'_> {
    fn boards<G: Playable>(self, game: &G) -> Result<()> {
        let (row, out) = (self.row, self.out);
        let mut state = game.parse_fen(&row.start_fen).context("start_fen")?;
        writeln!(
            out,
            "game {}: {} {} {}, {}\n",
            row.game_id, row.white, row.result, row.black, row.termination
        )?;
        write!(out, "{}", draw(game, &state))?;
        for (ply, (uci, eval)) in self.moves.moves.iter().zip(&self.moves.evals).enumerate() {
            let m = parse_uci(game, &state, uci).with_context(|| format!("ply {}", ply + 1))?;
            let (side, number) = (game.side_to_move(&state), game.clocks(&state).1);
            let dots = if side == Side::White { "." } else { "..." };
            game.play(&mut state, m, &mut ());
            writeln!(out, "\nply {}: {number}{dots} {uci}  [{eval}]", ply + 1)?;
            write!(out, "{}", draw(game, &state))?;
        }
        for (kind, offer) in [("draw", &row.draw_offer), ("resignation", &row.resign_offer)] {
            if let Some(offer) = offer {
                writeln!(out, "\n{kind} offer: {offer}")?;
            }
        }
        Ok(())
    }

    /// PGN with the moves in UCI, as the field writes variants without an agreed short notation.
    fn pgn<G: Playable>(self, game: &G) -> Result<()> {
        let (row, out) = (self.row, self.out);
        let mut state = game.parse_fen(&row.start_fen).context("start_fen")?;
        for (tag, value) in [
            ("Event", "equipoise"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", &row.unit_id.to_string()),
            ("White", &row.white),
            ("Black", &row.black),
            ("Result", pgn_result(&row.result.to_string())),
            ("Variant", &row.game),
            ("SetUp", "1"),
            ("FEN", &row.start_fen),
            ("Termination", row.termination.name()),
        ] {
            writeln!(out, "[{tag} \"{value}\"]")?;
        }
        writeln!(out)?;
        let mut line = String::new();
        let mut words = Vec::new();
        for (ply, uci) in self.moves.moves.iter().enumerate() {
            let m = parse_uci(game, &state, uci).with_context(|| format!("ply {}", ply + 1))?;
            match game.side_to_move(&state) {
                Side::White => words.push(format!("{}.", game.clocks(&state).1)),
                Side::Black if ply == 0 => words.push(format!("{}...", game.clocks(&state).1)),
                Side::Black => {}
            }
            words.push(uci.clone());
            game.play(&mut state, m, &mut ());
        }
        words.push(pgn_result(&row.result.to_string()).to_owned());
        for word in words {
            if line.len() + word.len() + 1 > 79 {
                writeln!(out, "{}", line.trim_end())?;
                line.clear();
            }
            line += &word;
            line.push(' ');
        }
        writeln!(out, "{}\n", line.trim_end())?;
        Ok(())
    }
}

/// PGN knows four results; a game that neither side won and that is no draw is none of them.
fn pgn_result(result: &str) -> &str {
    if result == "0-0" { "*" } else { result }
}
