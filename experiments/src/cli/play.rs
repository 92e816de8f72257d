//! `equipoise play`.

use super::{FenArgs, GameArgs, for_lines};
use anyhow::Result;
use clap::Args;
use engine::game::Game;
use engine::games::Visitor;
use engine::notation::parse_uci;
use engine::referee::{Limits, Referee};
use std::io::Write;

#[derive(Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    fen: FenArgs,
    /// Moves in UCI
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// File of lines `FEN<TAB>move move ...` (`-`: standard input): one answer a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    lines: Option<String>,
}

pub fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<()> {
    args.game.with(Play { args, out })
}

struct Play<'a> {
    args: &'a PlayArgs,
    out: &'a mut dyn Write,
}

impl Visitor for Play<'_> {
    type Output = Result<()>;

    fn visit<G: Game>(self, game: G) -> Result<()> {
        let Some(path) = &self.args.lines else {
            let state = self.args.fen.state(&game)?;
            let answer = after(&game, state, self.args.moves.iter().map(String::as_str))?;
            writeln!(self.out, "{answer}")?;
            return Ok(());
        };
        for_lines(path, |line| {
            let (fen, moves) = line.split_once('\t').unwrap_or((line, ""));
            let answer = after(&game, game.parse_fen(fen)?, moves.split_whitespace())?;
            writeln!(self.out, "{answer}")?;
            // A program at the other end of a pipe may wait for this answer before its next line.
            self.out.flush()?;
            Ok(())
        })
    }
}

/// The FEN after `moves`, and after a tab the termination if the game is over.
fn after<'a, G: Game>(game: &G, state: G::State, moves: impl Iterator<Item = &'a str>) -> Result<String> {
    let mut referee = Referee::new(game.clone(), state, Limits::default());
    for text in moves {
        let m = parse_uci(game, referee.state(), text)?;
        referee.play(m);
    }
    let fen = game.fen(referee.state());
    Ok(match referee.ending() {
        Some(ending) => format!("{fen}\t{}", ending.termination),
        None => fen,
    })
}
