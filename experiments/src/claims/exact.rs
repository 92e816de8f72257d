//! Claims decided by enumeration.

use crate::stats::Verdict;
use anyhow::{Result, bail};
use engine::game::{Game, Which};
use engine::moves::{Flag, Kind, Square};
use engine::side::Side;
use std::collections::HashSet;

/// What is enumerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exact {
    /// How many squares kinds of pieces control on an empty board, least and most over all squares.
    Control(Vec<Control>),
    /// How many pawns a piece or pawn of their own side defends in the array, of how many: `20 of 20`.
    Defended(String),
    /// Kinds (letters) that stay on squares of one colour wherever they go: on which colours each can be found.
    Colour(Vec<char>),
    /// How many positions the arrangement phase leads to.
    Starts(u64),
}

/// The claimed range of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    letter: char,
    least: usize,
    most: usize,
}

impl Exact {
    /// Names in claims files.
    pub const NAMES: [&str; 4] = ["control", "defended-pawns", "one-colour", "starts"];

    /// From the file's `metric` and `expect`.
    pub fn from_parts(name: &str, expect: &[&str]) -> Option<Exact> {
        match (name, expect) {
            (_, []) => None,
            ("control", _) => {
                let read = |text: &&str| {
                    let (letter, range) = text.split_once(' ')?;
                    let (least, most) = range.split_once('-')?;
                    let letter = piece(letter)?;
                    Some(Control { letter, least: least.parse().ok()?, most: most.parse().ok()? })
                };
                expect.iter().map(read).collect::<Option<_>>().map(Exact::Control)
            }
            ("defended-pawns", [text]) => {
                let (some, all) = text.split_once(" of ")?;
                let numbers = some.parse::<u32>().is_ok() && all.parse::<u32>().is_ok();
                numbers.then(|| Exact::Defended((*text).to_owned()))
            }
            ("one-colour", _) => {
                let read = |text: &&str| piece(text.strip_suffix(" one colour")?);
                expect.iter().map(read).collect::<Option<_>>().map(Exact::Colour)
            }
            ("starts", [number]) => number.parse().ok().map(Exact::Starts),
            _ => None,
        }
    }

    /// What `expect` looks like, for a message.
    pub fn example(name: &str) -> &'static str {
        match name {
            "control" => "a list such as [\"D 6-12\", \"W 5-16\"]",
            "defended-pawns" => "a list such as [\"20 of 20\"]",
            "one-colour" => "a list such as [\"M one colour\"]",
            _ => "a list such as [\"57\"]",
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Exact::Control(_) => "control",
            Exact::Defended(_) => "defended-pawns",
            Exact::Colour(_) => "one-colour",
            Exact::Starts(_) => "starts",
        }
    }

    /// What is claimed, as the file has it.
    pub fn expectations(&self) -> Vec<String> {
        match self {
            Exact::Control(list) => {
                list.iter().map(|c| format!("{} {}-{}", c.letter, c.least, c.most)).collect()
            }
            Exact::Defended(text) => vec![text.clone()],
            Exact::Colour(list) => list.iter().map(|letter| format!("{letter} one colour")).collect(),
            Exact::Starts(number) => vec![number.to_string()],
        }
    }

    /// The verdict and what was found, in the form of [`Exact::expectations`].
    ///
    /// # Errors
    /// A letter that is no piece of the game.
    pub fn decide<G: Game>(&self, game: &G) -> Result<(Verdict, Vec<String>)> {
        let found = match self {
            Exact::Control(list) => {
                list.iter().map(|c| control(game, c.letter)).collect::<Result<Vec<_>>>()?
            }
            Exact::Defended(_) => {
                let (some, all) = defended(game)?;
                vec![format!("{some} of {all}")]
            }
            Exact::Colour(list) => {
                let colour = |letter: &char| {
                    let both = leaves_its_colour(game, *letter)?;
                    Ok(format!("{letter} {}", if both { "both colours" } else { "one colour" }))
                };
                list.iter().map(colour).collect::<Result<Vec<_>>>()?
            }
            Exact::Starts(_) => vec![starts(game).to_string()],
        };
        let verdict = if found == self.expectations() { Verdict::Supported } else { Verdict::Refuted };
        Ok((verdict, found))
    }
}

fn piece(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    chars.next().is_none().then_some(letter)
}

fn kind_of<G: Game>(game: &G, letter: char) -> Result<Kind> {
    match game.info().pieces.iter().position(|p| p.letter == letter) {
        Some(kind) => Ok(kind as Kind),
        None => bail!("{} has no piece with the letter {letter}", game.info().name),
    }
}

fn control<G: Game>(game: &G, letter: char) -> Result<String> {
    let counts: Vec<usize> = game.reach(Side::White, kind_of(game, letter)?).iter().map(Vec::len).collect();
    let (Some(least), Some(most)) = (counts.iter().min(), counts.iter().max()) else {
        bail!("{} does not say what its pieces control", game.info().name);
    };
    Ok(format!("{letter} {least}-{most}"))
}

/// Pieces by square, as the placement field of a FEN.
fn placement<G: Game>(pieces: &[(Side, Kind, Square)], game: &G) -> String {
    let mut text = String::new();
    for rank in (0..G::RANKS).rev() {
        let mut empty = 0;
        for square in rank * G::FILES..(rank + 1) * G::FILES {
            let Some((side, kind, _)) = pieces.iter().find(|(_, _, s)| *s == square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            let letter = game.info().pieces[*kind as usize].letter;
            text.push(if *side == Side::White { letter } else { letter.to_ascii_lowercase() });
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

/// The position with these pieces and nothing else remembered; for games whose FEN has the usual six fields.
fn position<G: Game>(game: &G, pieces: &[(Side, Kind, Square)], side: Side) -> Result<G::State> {
    let fen = format!("{} {} - - 0 1", placement(pieces, game), side.letter());
    Ok(game.parse_fen(&fen)?)
}

/// (defended pawns, pawns) in the array: a pawn is defended if a legal move would retake on its square, were it
/// an enemy's pawn.
fn defended<G: Game>(game: &G) -> Result<(usize, usize)> {
    let pawn = kind_of(game, 'P')?;
    let mut array = Vec::new();
    game.pieces(&game.start(), &mut |side, kind, square| array.push((side, kind, square)));
    let mut counts = (0, 0);
    for &(side, kind, square) in array.iter().filter(|(_, kind, _)| *kind == pawn) {
        let mut pieces = array.clone();
        pieces.retain(|p| p.2 != square);
        pieces.push((side.other(), kind, square));
        let state = position(game, &pieces, side)?;
        let mut list = Vec::new();
        game.generate(&state, Which::All, &mut list);
        counts.0 += usize::from(list.iter().any(|m| m.to() == square));
        counts.1 += 1;
    }
    Ok(counts)
}

/// Whether a piece has a move, on a board empty but for the kings, to a square of the other colour: from any
/// square, the kings in either pair of opposite corners.
fn leaves_its_colour<G: Game>(game: &G, letter: char) -> Result<bool> {
    let (kind, king) = (kind_of(game, letter)?, kind_of(game, 'K')?);
    let dark = |square: Square| (square / G::FILES + square % G::FILES) % 2;
    let last = G::FILES * G::RANKS - 1;
    for corners in [(0, last), (G::FILES - 1, last + 1 - G::FILES)] {
        for square in (0..=last).filter(|s| *s != corners.0 && *s != corners.1) {
            let pieces =
                [(Side::White, king, corners.0), (Side::Black, king, corners.1), (Side::White, kind, square)];
            // Black's king may stand in check there, which no position with White to move may have.
            let Ok(state) = position(game, &pieces, Side::White) else { continue };
            let mut list = Vec::new();
            game.generate(&state, Which::All, &mut list);
            let own = list.iter().filter(|m| m.from() == square);
            if own.into_iter().any(|m| dark(m.to()) != dark(square)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Positions in which the arrangement phase can end.
fn starts<G: Game>(game: &G) -> u64 {
    let (mut open, mut seen, mut ends) = (vec![game.start()], HashSet::new(), 0);
    while let Some(state) = open.pop() {
        if !seen.insert(game.fen(&state)) {
            continue;
        }
        let mut list = Vec::new();
        game.generate(&state, Which::All, &mut list);
        list.retain(|m| m.flag() == Flag::Arrange);
        ends += u64::from(list.is_empty());
        for m in list {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            open.push(next);
        }
    }
    ends
}
