//! Games as text: Portable Game Notation (S. J. Edwards, 1994), for every game of the registry.
//!
//! Written in the standard's export format: the seven tag roster, `Variant`, `Options`, `SetUp` and `FEN`,
//! `Termination`; moves as [`super::san`] writes them, on lines of less than 80 columns. Read more freely:
//! many games in one text, comments, marks, variations (skipped), moves in long or UCI form.
//!
//! Where this goes beyond the standard: a game that both sides lose by a move rule has the result `0-0`.
//! A `0-0` in the moves is that result only if the game's `Result` tag says so and nothing of the game
//! follows; else it is castling (which is written `O-O` here). Results are looked for among the moves, never
//! in tags or comments, so a half-move clock in a FEN is none.

mod lexer;
mod read;
mod write;

pub use read::{PgnError, PgnReader};
pub use write::write_pgn;

use crate::moves::Move;
use crate::outcome::{GameResult, Termination};
use std::fmt;

/// One game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame<S> {
    /// Tags in order, but for those that the other fields give (`Result`, `Variant`, `Options`, `SetUp`,
    /// `FEN`, and `Termination` where it is one of [`Termination`]).
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: S,
    /// The moves, each legal in the position that the ones before lead to.
    pub moves: Vec<Move>,
    /// Evaluations, one a move or none at all.
    pub evals: Vec<Option<Eval>>,
    /// What the game came to.
    pub result: GameResult,
    /// Why it ended, where that is one of the reasons known here.
    pub termination: Option<Termination>,
}

impl<S> PgnGame<S> {
    /// The value of a tag in [`PgnGame::tags`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// An evaluation from White's view, as `[%eval ...]` comments have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to a forced win of White, negative for Black's.
    Mate(i32),
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Eval::Mate(n) => write!(f, "#{n}"),
            Eval::Centipawns(n) => {
                let sign = if n < 0 { "-" } else { "" };
                let n = n.unsigned_abs();
                write!(f, "{sign}{}.{:02}", n / 100, n % 100)
            }
        }
    }
}

impl Eval {
    /// Reads `0.35`, `-1.2`, `#3`, `#-3`, with or without a depth after a comma.
    fn parse(text: &str) -> Option<Eval> {
        let text = text.split(',').next()?.trim();
        if let Some(mate) = text.strip_prefix('#') {
            return mate.parse().ok().map(Eval::Mate);
        }
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |t: &str| !t.is_empty() && t.len() <= 7 && t.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(part) {
            return None;
        }
        let hundredths: i32 = format!("{part}0")[..2].parse().ok()?;
        let n = whole.parse::<i32>().ok()? * 100 + hundredths;
        Some(Eval::Centipawns(if negative { -n } else { n }))
    }
}

/// The tags that every game has, with their values where nothing is known.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_read_what_they_write() {
        for (eval, text) in [
            (Eval::Centipawns(35), "0.35"),
            (Eval::Centipawns(-5), "-0.05"),
            (Eval::Centipawns(-1234), "-12.34"),
            (Eval::Mate(3), "#3"),
            (Eval::Mate(-3), "#-3"),
        ] {
            assert_eq!(eval.to_string(), text);
            assert_eq!(Eval::parse(text), Some(eval));
        }
        assert_eq!(Eval::parse("1.2,18"), Some(Eval::Centipawns(120)));
        assert_eq!(Eval::parse("+3"), Some(Eval::Centipawns(300)));
        for text in ["", "-", "--1", "1.", ".5", "x", "#", "99999999.0", "1.é"] {
            assert_eq!(Eval::parse(text), None, "{text}");
        }
    }
}
