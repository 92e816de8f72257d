//! Claims decided by enumeration.

use crate::stats::Verdict;
use anyhow::{Result, bail};
use engine::game::Game;
use engine::side::Side;

/// What is enumerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exact {
    /// How many squares kinds of pieces control on an empty board, least and most over all squares.
    Control(Vec<Control>),
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
    pub const NAMES: [&str; 1] = ["control"];

    /// From the file's `metric` and `expect`.
    pub fn from_parts(name: &str, expect: &[&str]) -> Option<Exact> {
        let read = |text: &&str| {
            let (letter, range) = text.split_once(' ')?;
            let (least, most) = range.split_once('-')?;
            let mut chars = letter.chars();
            let letter = chars.next().filter(char::is_ascii_uppercase)?;
            let whole = chars.next().is_none();
            whole.then_some(Control { letter, least: least.parse().ok()?, most: most.parse().ok()? })
        };
        let list: Option<Vec<Control>> = expect.iter().map(read).collect();
        list.filter(|l| name == "control" && !l.is_empty()).map(Exact::Control)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Exact::Control(_) => "control",
        }
    }

    /// What is claimed, as the file has it.
    pub fn expectations(&self) -> Vec<String> {
        let Exact::Control(list) = self;
        list.iter().map(|c| format!("{} {}-{}", c.letter, c.least, c.most)).collect()
    }

    /// The verdict and what was found, in the form of [`Exact::expectations`].
    ///
    /// # Errors
    /// A letter that is no piece of the game.
    pub fn decide<G: Game>(&self, game: &G) -> Result<(Verdict, Vec<String>)> {
        let Exact::Control(list) = self;
        let mut found = Vec::new();
        for control in list {
            let Some(kind) = game.info().pieces.iter().position(|p| p.letter == control.letter) else {
                bail!("{} has no piece with the letter {}", game.info().name, control.letter);
            };
            let counts: Vec<usize> = game.reach(Side::White, kind as u8).iter().map(Vec::len).collect();
            let (Some(least), Some(most)) = (counts.iter().min(), counts.iter().max()) else {
                bail!("{} does not say what its pieces control", game.info().name);
            };
            found.push(format!("{} {least}-{most}", control.letter));
        }
        let verdict = if found == self.expectations() { Verdict::Supported } else { Verdict::Refuted };
        Ok((verdict, found))
    }
}
