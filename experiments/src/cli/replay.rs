//! `equipoise replay`.

use crate::log::{GameRow, LogReader, Manifest, MovesRow};
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::game::Game;
use engine::games::Visitor;
use engine::notation::pgn::{Eval, PgnGame, write_pgn};
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

    fn pgn<G: Playable>(self, game: &G) -> Result<()> {
        write!(self.out, "{}", write_pgn(game, &record(game, self.row, self.moves)?))?;
        Ok(())
    }
}

/// A logged game as PGN has it.
pub fn record<G: Game>(game: &G, row: &GameRow, moves: &MovesRow) -> Result<PgnGame<G::State>> {
    let start = game.parse_fen(&row.start_fen).context("start_fen")?;
    let mut state = start.clone();
    let mut list = Vec::with_capacity(moves.moves.len());
    for (ply, uci) in moves.moves.iter().enumerate() {
        let m = parse_uci(game, &state, uci).with_context(|| format!("ply {}", ply + 1))?;
        game.play(&mut state, m, &mut ());
        list.push(m);
    }
    let tags = [
        ("Event", "equipoise".to_owned()),
        ("Round", row.unit_id.to_string()),
        ("White", row.white.clone()),
        ("Black", row.black.clone()),
        ("GameId", row.game_id.to_string()),
    ];
    Ok(PgnGame {
        tags: tags.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        start,
        moves: list,
        evals: moves.evals.iter().map(|text| eval(text)).collect(),
        result: row.result,
        termination: Some(row.termination),
    })
}

/// A logged evaluation: centipawns, `#n`, or `-` for none.
fn eval(text: &str) -> Option<Eval> {
    match text.strip_prefix('#') {
        Some(moves) => moves.parse().ok().map(Eval::Mate),
        None => text.parse().ok().map(Eval::Centipawns),
    }
}
