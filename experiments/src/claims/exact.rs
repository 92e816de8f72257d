//! Claims decided by enumeration.

use crate::stats::Verdict;
use anyhow::{Result, bail};
use engine::exact;
use engine::game::Game;
use engine::moves::Kind;
use engine::side::Side;

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
    /// Kinds (letters) that with their king alone never checkmate a lone king, in the game's order of pieces.
    LoneDraws(String),
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
    pub const NAMES: [&str; 5] = ["control", "defended-pawns", "one-colour", "starts", "lone-draws"];

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
            ("lone-draws", [letters]) => {
                let all = letters.chars().all(|c| c.is_ascii_uppercase());
                all.then(|| Exact::LoneDraws((*letters).to_owned()))
            }
            _ => None,
        }
    }

    /// What `expect` looks like, for a message.
    pub fn example(name: &str) -> &'static str {
        match name {
            "control" => "a list such as [\"D 6-12\", \"W 5-16\"]",
            "defended-pawns" => "a list such as [\"20 of 20\"]",
            "one-colour" => "a list such as [\"M one colour\"]",
            "lone-draws" => "a list such as [\"BN\"]",
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
            Exact::LoneDraws(_) => "lone-draws",
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
            Exact::LoneDraws(letters) => vec![letters.clone()],
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
                let king = kind_of(game, 'K')?;
                let colour = |letter: &char| {
                    let one = exact::is_colour_bound(game, kind_of(game, *letter)?, king);
                    Ok(format!("{letter} {}", if one { "one colour" } else { "both colours" }))
                };
                list.iter().map(colour).collect::<Result<Vec<_>>>()?
            }
            Exact::Starts(_) => vec![exact::starts(game).to_string()],
            Exact::LoneDraws(_) => vec![lone_draws(game)?],
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
    let Some((least, most)) = exact::control_range(game, kind_of(game, letter)?) else {
        bail!("{} does not say what its pieces control", game.info().name);
    };
    Ok(format!("{letter} {least}-{most}"))
}

/// (defended pawns, pawns) in the array, of both sides.
fn defended<G: Game>(game: &G) -> Result<(usize, usize)> {
    let pawn = kind_of(game, 'P')?;
    let of_side = |side| exact::unguarded(game, &game.start(), side, pawn);
    Ok(Side::BOTH
        .map(of_side)
        .iter()
        .fold((0, 0), |(some, all), (bare, pawns)| (some + pawns - bare.len(), all + pawns)))
}

/// The letters of the pieces with which no position of king and piece against king is checkmate.
fn lone_draws<G: Game>(game: &G) -> Result<String> {
    let (pawn, king) = (kind_of(game, 'P')?, kind_of(game, 'K')?);
    let pieces = game.info().pieces.iter().zip(0..).filter(|(_, kind)| *kind != pawn && *kind != king);
    let never = pieces.filter(|(_, kind)| exact::lone_piece(game, *kind, king, true).mates == 0);
    Ok(never.map(|(piece, _)| piece.letter).collect())
}
