//! The parts of FEN that all games share, and its errors.

use crate::moves::{Kind, Square};
use crate::side::Side;

/// Why a text is no position. Each says what was read and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error("FEN `{fen}` has {found} fields; {expected} were expected: {names}")]
    Fields {
        /// The text.
        fen: String,
        /// Fields found.
        found: usize,
        /// Fields expected.
        expected: usize,
        /// Names of the expected fields.
        names: &'static str,
    },
    /// A field cannot be read.
    #[error("FEN field {number} ({name}) is `{text}`: {problem}")]
    Field {
        /// 1-based position of the field.
        number: usize,
        /// Its name.
        name: &'static str,
        /// Its text.
        text: String,
        /// What is wrong and what was expected.
        problem: String,
    },
    /// The fields can be read, but the position breaks the rules of the game.
    #[error("FEN `{fen}` is no position of the game: {problem}")]
    Position {
        /// The text.
        fen: String,
        /// What is wrong.
        problem: String,
    },
}

impl FenError {
    /// A field that cannot be read.
    pub fn field(number: usize, name: &'static str, text: &str, problem: impl Into<String>) -> FenError {
        FenError::Field { number, name, text: text.to_owned(), problem: problem.into() }
    }

    /// A position that breaks the rules.
    pub fn position(fen: &str, problem: impl Into<String>) -> FenError {
        FenError::Position { fen: fen.to_owned(), problem: problem.into() }
    }
}

/// Splits a FEN into exactly as many fields as `names` (comma-separated) has.
pub fn split_fields<'a>(fen: &'a str, names: &'static str) -> Result<Vec<&'a str>, FenError> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let expected = names.split(", ").count();
    if fields.len() == expected {
        Ok(fields)
    } else {
        Err(FenError::Fields { fen: fen.to_owned(), found: fields.len(), expected, names })
    }
}

/// What stands on the board: (side, kind, square), from a8 (a10) along the ranks as written.
pub type Placement = Vec<(Side, Kind, Square)>;

/// Reads the placement field on a board of `files` x `ranks`; `letters` are the upper-case piece letters
/// in order of kind.
pub fn parse_placement(text: &str, files: u8, ranks: u8, letters: &[char]) -> Result<Placement, FenError> {
    let error = |problem: String| FenError::field(1, "placement", text, problem);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ranks as usize {
        return Err(error(format!("{} ranks were found, {ranks} expected", rows.len())));
    }
    let mut placement = Vec::new();
    for (row, rank) in rows.iter().zip((0..ranks).rev()) {
        let mut file = 0_usize;
        let mut chars = row.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_ascii_digit() {
                let mut run = c as usize - '0' as usize;
                if run == 1 && files >= 10 && chars.peek() == Some(&'0') {
                    chars.next();
                    run = 10;
                }
                if run == 0 {
                    return Err(error(format!(
                        "`0` in rank {}: a run of empty squares is at least 1",
                        rank + 1
                    )));
                }
                file += run;
            } else {
                let upper = c.to_ascii_uppercase();
                let Some(kind) = letters.iter().position(|&l| l == upper) else {
                    let known: String = letters.iter().collect();
                    return Err(error(format!(
                        "unknown letter `{c}` in rank {}; pieces are {known}",
                        rank + 1
                    )));
                };
                let side = if c == upper { Side::White } else { Side::Black };
                if file < files as usize {
                    placement.push((side, kind as Kind, rank * files + file as u8));
                }
                file += 1;
            }
        }
        if file != files as usize {
            return Err(error(format!(
                "rank {} (`{row}`) is {file} squares wide, {files} expected",
                rank + 1
            )));
        }
    }
    Ok(placement)
}

/// Writes the placement field; `at` gives the FEN letter on a square.
pub fn write_placement(files: u8, ranks: u8, at: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            match at(rank * files + file) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(letter);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// Reads the side-to-move field.
pub fn side_field(number: usize, text: &str) -> Result<Side, FenError> {
    match text {
        "w" => Ok(Side::White),
        "b" => Ok(Side::Black),
        _ => Err(FenError::field(number, "side to move", text, "`w` or `b` was expected")),
    }
}

/// Reads a clock field: a whole number from `low` to `high`.
pub fn number_field(
    number: usize,
    name: &'static str,
    text: &str,
    low: u32,
    high: u32,
) -> Result<u32, FenError> {
    text.parse::<u32>()
        .ok()
        .filter(|n| text.bytes().all(|b| b.is_ascii_digit()) && (low..=high).contains(n))
        .ok_or_else(|| {
            FenError::field(number, name, text, format!("a whole number from {low} to {high} was expected"))
        })
}
