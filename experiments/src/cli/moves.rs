//! `equipoise moves`.

use super::{FenArgs, GameArgs, for_lines};
use anyhow::Result;
use clap::Args;
use engine::game::Game;
use engine::games::Visitor;
use engine::notation::legal_uci;
use std::io::Write;

#[derive(Args, Debug)]
pub struct MovesArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    fen: FenArgs,
    /// File of FENs, one a line (`-`: standard input): prints one line of moves a FEN
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    fens: Option<String>,
}

pub fn run(args: &MovesArgs, out: &mut dyn Write) -> Result<()> {
    args.game.with(List { args, out })
}

struct List<'a> {
    args: &'a MovesArgs,
    out: &'a mut dyn Write,
}

impl Visitor for List<'_> {
    type Output = Result<()>;

    fn visit<G: Game>(self, game: G) -> Result<()> {
        let Some(path) = &self.args.fens else {
            let state = self.args.fen.state(&game)?;
            for name in legal_uci(&game, &state) {
                writeln!(self.out, "{name}")?;
            }
            return Ok(());
        };
        for_lines(path, |line| {
            let state = game.parse_fen(line)?;
            writeln!(self.out, "{}", legal_uci(&game, &state).join(" "))?;
            // A program at the other end of a pipe may wait for this answer before its next line.
            self.out.flush()?;
            Ok(())
        })
    }
}
