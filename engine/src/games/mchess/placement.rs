//! Free placement: a side's 16 pieces anywhere on its three ranks, by number, by name or as text.

use super::state::State;
use super::{INFO, KINDS, MChess};
use crate::moves::Kind;
use crate::options::nearest;
use crate::side::Side;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Squares a side may place its pieces on.
const SQUARES: usize = 24;
/// How many pieces of each kind a side places, then the empty squares.
const COUNTS: [u64; KINDS + 1] = [8, 2, 2, 2, 1, 1, 8];
const EMPTY: u8 = KINDS as u8;

/// The number of placements of a side: 24! / (8! 8! 2! 2! 2!).
pub const PLACEMENTS: u64 = 47_706_179_320_800;

const SETUPS: &str = include_str!("../../../../data/mchess/setups.toml");

/// One side's placement, from its own side of the board: a piece kind or nothing on each of 24 squares,
/// its first rank first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement([u8; SQUARES]);

/// Why a placement is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacementError {
    /// No placement has this number.
    #[error("there is no placement {0}: the numbers go from 0 to {max}", max = PLACEMENTS - 1)]
    Index(u64),
    /// The text cannot be read.
    #[error("`{text}` is no placement: {problem}")]
    Text {
        /// What was given.
        text: String,
        /// What is wrong and what was expected.
        problem: String,
    },
    /// No set-up has this name.
    #[error("no set-up is named `{name}`{}; there are {}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default(), .known.join(", "))]
    Unknown {
        /// What was given.
        name: String,
        /// The nearest known name, if one is near.
        nearest: Option<String>,
        /// All names.
        known: Vec<String>,
    },
}

impl Placement {
    /// The placement of number `index`, from 0 to [`PLACEMENTS`] - 1: each has exactly one number, so a
    /// uniform number gives a uniform placement.
    pub fn nth(index: u64) -> Result<Placement, PlacementError> {
        if index >= PLACEMENTS {
            return Err(PlacementError::Index(index));
        }
        let mut counts = COUNTS;
        let (mut index, mut ways) = (index, PLACEMENTS);
        let mut squares = [EMPTY; SQUARES];
        for (square, left) in squares.iter_mut().zip((1..=SQUARES as u64).rev()) {
            for (kind, count) in counts.iter_mut().enumerate() {
                // Of the arrangements of what is left, count/left begin with this kind.
                let begin = ways * *count / left;
                if index < begin {
                    *square = kind as u8;
                    ways = begin;
                    *count -= 1;
                    break;
                }
                index -= begin;
            }
        }
        Ok(Placement(squares))
    }

    /// The number of this placement: the inverse of [`Placement::nth`].
    pub fn index(&self) -> u64 {
        let mut counts = COUNTS;
        let (mut index, mut ways) = (0, PLACEMENTS);
        for (&here, left) in self.0.iter().zip((1..=SQUARES as u64).rev()) {
            let here = usize::from(here);
            index += counts[..here].iter().map(|count| ways * count / left).sum::<u64>();
            ways = ways * counts[here] / left;
            counts[here] -= 1;
        }
        index
    }

    /// The named set-ups, by name.
    pub fn named() -> BTreeMap<String, Placement> {
        let texts: BTreeMap<String, String> =
            toml::from_str(SETUPS).expect("the embedded set-ups are read by a test");
        let read = |text: String| text.parse().expect("the embedded set-ups are read by a test");
        texts.into_iter().map(|(name, text)| (name, read(text))).collect()
    }

    /// The set-up of this name.
    pub fn by_name(name: &str) -> Result<Placement, PlacementError> {
        let all = Placement::named();
        all.get(name).copied().ok_or_else(|| PlacementError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, all.keys().map(String::as_str)),
            known: all.keys().cloned().collect(),
        })
    }

    /// The pieces: kind and square, as White places them (a1 = 0, rank by rank).
    pub fn pieces(&self) -> impl Iterator<Item = (Kind, u8)> + '_ {
        self.0.iter().zip(0..).filter(|(kind, _)| **kind != EMPTY).map(|(kind, square)| (*kind, square))
    }
}

/// Third rank first, as FEN would write the lower three ranks: `8/PPPPPPPP/RNBQKBNR`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = crate::notation::write_placement(8, 3, |square| {
            INFO.pieces.get(usize::from(self.0[usize::from(square)])).map(|piece| piece.letter)
        });
        f.write_str(&text)
    }
}

impl FromStr for Placement {
    type Err = PlacementError;
    fn from_str(text: &str) -> Result<Placement, PlacementError> {
        let error = |problem: String| PlacementError::Text { text: text.to_owned(), problem };
        let letters: Vec<char> = INFO.pieces.iter().map(|p| p.letter).collect();
        let pieces =
            crate::notation::parse_placement(text, 8, 3, &letters).map_err(|e| error(e.to_string()))?;
        let mut squares = [EMPTY; SQUARES];
        for (side, kind, square) in pieces {
            if side == Side::Black {
                return Err(error("capitals were expected for both sides".to_owned()));
            }
            squares[usize::from(square)] = kind;
        }
        for (kind, piece) in INFO.pieces.iter().enumerate() {
            let found = squares.iter().filter(|&&s| usize::from(s) == kind).count() as u64;
            if found != COUNTS[kind] {
                return Err(error(format!("{found} of the {} {}s were found", COUNTS[kind], piece.name)));
            }
        }
        Ok(Placement(squares))
    }
}

impl MChess {
    /// The position in which White has placed his pieces by `white`, Black hers by `black` turned over rank
    /// by rank; no pawn has moved, White is to move.
    pub fn placed(&self, white: &Placement, black: &Placement) -> State {
        placed(&self.rules.tables.health, white, black)
    }
}

pub(super) fn placed(health: &[i32; KINDS], white: &Placement, black: &Placement) -> State {
    let mut state = State::empty();
    for (side, placement, turn) in [(Side::White, white, 0), (Side::Black, black, 56)] {
        for (kind, square) in placement.pieces() {
            state.put(side, kind, square ^ turn, health[usize::from(kind)]);
        }
    }
    state.mark_all_unmoved();
    state
}
