//! Text: squares, FEN, UCI, and errors that quote the input.

mod fen;
pub mod pgn;
mod san;

pub use fen::{
    FenError, Placement, number_field, parse_placement, side_field, split_fields, write_placement,
};
pub use san::{SanError, parse_move, san, with_slashed_ten};

use crate::game::{Game, Which};
use crate::moves::{Move, Square};
use crate::options::nearest;

/// `a1`, `j10`: the name of a square on a board `files` wide.
pub fn square_name(square: Square, files: u8) -> String {
    format!("{}{}", (b'a' + square % files) as char, square / files + 1)
}

/// Reads one square from the front of `text`, ranks read greedily; gives it and the rest.
pub fn parse_square(text: &str, files: u8, ranks: u8) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = chars.next()?.to_ascii_lowercase();
    let file = (file as u32).checked_sub('a' as u32).filter(|f| *f < files as u32)? as u8;
    let rest = chars.as_str();
    // `Ø` is Mageca's own way to write rank 10.
    if let Some(after) = rest.strip_prefix('Ø').filter(|_| ranks == 10) {
        return Some((9 * files + file, after));
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (1..=digits.min(2)).rev().find_map(|n| {
        let rank: u8 = rest[..n].parse().ok()?;
        (rank >= 1 && rank <= ranks && !rest.starts_with('0'))
            .then(|| ((rank - 1) * files + file, &rest[n..]))
    })
}

/// A text that is no legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a legal move of {game} in `{fen}`{}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default())]
pub struct MoveError {
    /// What was given.
    pub text: String,
    /// The game.
    pub game: String,
    /// The position.
    pub fen: String,
    /// The nearest legal move, if one is near.
    pub nearest: Option<String>,
}

/// Reads a legal move in UCI.
pub fn parse_uci<G: Game>(game: &G, state: &G::State, text: &str) -> Result<Move, MoveError> {
    let mut list = Vec::new();
    game.generate(state, Which::All, &mut list);
    let wanted = text.trim().replace('Ø', "10");
    list.iter().copied().find(|&m| game.uci(state, m) == wanted).ok_or_else(|| {
        let names: Vec<String> = list.iter().map(|&m| game.uci(state, m)).collect();
        MoveError {
            text: text.to_owned(),
            game: game.info().name.to_owned(),
            fen: game.fen(state),
            nearest: nearest(&wanted, names.iter().map(String::as_str)),
        }
    })
}

/// All legal moves in UCI, sorted.
pub fn legal_uci<G: Game>(game: &G, state: &G::State) -> Vec<String> {
    let mut list = Vec::new();
    game.generate(state, Which::All, &mut list);
    let mut names: Vec<String> = list.iter().map(|&m| game.uci(state, m)).collect();
    names.sort_unstable();
    names
}

/// The board as text for a terminal: ranks from the top, `.` for an empty square, files below.
pub fn draw<G: Game>(game: &G, state: &G::State) -> String {
    let mut cells = vec!['.'; G::FILES as usize * G::RANKS as usize];
    game.pieces(state, &mut |side, kind, square| {
        let letter = game.info().pieces[kind as usize].letter;
        cells[square as usize] = match side {
            crate::side::Side::White => letter,
            crate::side::Side::Black => letter.to_ascii_lowercase(),
        };
    });
    let mut text = String::new();
    for rank in (0..G::RANKS as usize).rev() {
        text += &format!("{:>3} ", rank + 1);
        for file in 0..G::FILES as usize {
            text.push(' ');
            text.push(cells[rank * G::FILES as usize + file]);
        }
        text.push('\n');
    }
    text += "    ";
    for file in 0..G::FILES {
        text.push(' ');
        text.push((b'a' + file) as char);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_read_greedily() {
        assert_eq!(parse_square("a10q", 10, 10), Some((90, "q")));
        assert_eq!(parse_square("c3c4", 10, 10), Some((22, "c4")));
        assert_eq!(parse_square("aØ", 10, 10), Some((90, "")));
        assert_eq!(parse_square("a10", 8, 8), Some((0, "0")));
        assert_eq!(parse_square("k1", 10, 10), None);
        assert_eq!(parse_square("a0", 10, 10), None);
        assert_eq!(parse_square("é1", 10, 10), None);
        assert_eq!(square_name(99, 10), "j10");
    }
}
