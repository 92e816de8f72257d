//! `equipoise moves`.

use super::{FenArgs, GameArgs, for_lines};
use anyhow::Result;
use clap::Args;
use engine::game::Game;
use engine::games::Visitor;
use engine::notation::{legal_uci, parse_uci, san, with_slashed_ten};
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
    /// Write moves as people do (`Nf3`, `R@e5`), in the order of UCI
    #[arg(long)]
    san: bool,
    /// With --san: write rank 10 as `Ø`
    #[arg(long, requires = "san")]
    slashed_ten: bool,
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
            for name in self.names(&game, &state)? {
                writeln!(self.out, "{name}")?;
            }
            return Ok(());
        };
        for_lines(path, |line| {
            let state = game.parse_fen(line)?;
            writeln!(self.out, "{}", self.names(&game, &state)?.join(" "))?;
            // A program at the other end of a pipe may wait for this answer before its next line.
            self.out.flush()?;
            Ok(())
        })
    }
}

impl List<'_> {
    /// The legal moves as asked for.
    fn names<G: Game>(&self, game: &G, state: &G::State) -> Result<Vec<String>> {
        let names = legal_uci(game, state);
        if !self.args.san {
            return Ok(names);
        }
        let written = |uci: &String| {
            let text = san(game, state, parse_uci(game, state, uci)?);
            Ok(if self.args.slashed_ten { with_slashed_ten(&text) } else { text })
        };
        names.iter().map(written).collect()
    }
}
