//! Sums of pieces' values, as claims name them, and armies as logs show them.

use crate::armies::{Array, pawn};
use anyhow::{Context, Result};
use engine::eval::Role;
use engine::games::Visitor;
use engine::search::Playable;
use engine::side::Side;
use std::fmt;

/// A sum of values: `M - N/2 - R/2`, `army/2 - Q` (half of the start array's worth less a queen's), `@S - S` (a piece
/// in hand less one on the board).
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    text: String,
    terms: Vec<(Term, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    Piece { letter: char, in_hand: bool },
    Army,
}

impl Sum {
    /// Reads a sum; nothing if it is none.
    pub fn parse(text: &str) -> Option<Sum> {
        let mut terms = Vec::new();
        let plain: String = text.chars().filter(|c| *c != ' ').collect();
        let mut rest = plain.as_str();
        while !rest.is_empty() {
            let minus = rest.starts_with('-');
            match rest.strip_prefix(['-', '+']) {
                Some(after) => rest = after,
                None if terms.is_empty() => {}
                None => return None,
            }
            let (many, after) = number(rest)?;
            let (term, after) = term(after)?;
            let (parts, after) = match after.strip_prefix('/') {
                Some(divisor) => {
                    number(divisor).filter(|(n, _)| divisor.starts_with(char::is_numeric) && *n > 0.0)?
                }
                None => (1.0, after),
            };
            terms.push((term, if minus { -many / parts } else { many / parts }));
            rest = after;
        }
        (!terms.is_empty()).then(|| Sum { text: text.to_owned(), terms })
    }

    /// So much of each kind on the board, then in hand; nothing if the game has no such piece.
    pub fn of_kinds(&self, known: &Known) -> Option<Vec<f64>> {
        let kinds = known.letters.len();
        let mut sum = vec![0.0; 2 * kinds];
        for &(term, n) in &self.terms {
            match term {
                Term::Army => known.army.iter().enumerate().for_each(|(kind, there)| sum[kind] += n * there),
                Term::Piece { letter, in_hand } => {
                    let kind = known.letters.iter().position(|l| *l == letter)?;
                    sum[kind + if in_hand { kinds } else { 0 }] += n;
                }
            }
        }
        Some(sum)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A number of at most four digits, 1 if there is none, and what follows.
fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    match end {
        0 => Some((1.0, text)),
        1..=4 => Some((text[..end].parse().ok()?, &text[end..])),
        _ => None,
    }
}

fn term(text: &str) -> Option<(Term, &str)> {
    if let Some(after) = text.strip_prefix("army") {
        return Some((Term::Army, after));
    }
    let letter = text.strip_prefix('@').unwrap_or(text);
    let first = letter.chars().next().filter(char::is_ascii_uppercase)?;
    Some((Term::Piece { letter: first, in_hand: letter.len() < text.len() }, &letter[1..]))
}

/// What claims on worths need to know of a game.
#[derive(Clone, Debug)]
pub struct Known {
    letters: Vec<char>,
    /// White's start array by kind, royal pieces apart.
    army: Vec<f64>,
    /// Kinds besides pawns, and how many of them both sides' start array has.
    pieces: Vec<bool>,
    full: usize,
    /// The kind that values are measured by.
    pub pawn: usize,
}

/// A start array as one number a kind: on the board, then in hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// White's pieces less Black's.
    pub by_kind: Vec<f64>,
    /// Whether half of the pieces besides pawns, or more, are gone: an endgame.
    pub late: bool,
}

impl Known {
    /// What there is to know of the game with this name.
    ///
    /// # Errors
    /// No such game, or one without pawns.
    pub fn of(game: &str) -> Result<Known> {
        engine::games::with(game, [], Describe)?
    }

    /// The letters of the game's pieces.
    pub fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Reads a position's placement and hands: letters, White's in upper case.
    pub fn lead(&self, fen: &str) -> Lead {
        let kinds = self.letters.len();
        let mut lead = Lead { by_kind: vec![0.0; 2 * kinds], late: false };
        let (mut in_hand, mut left) = (false, 0);
        for c in fen.split(' ').next().unwrap_or_default().chars() {
            in_hand |= c == '[';
            let Some(kind) = self.letters.iter().position(|l| *l == c.to_ascii_uppercase()) else { continue };
            left += usize::from(self.pieces[kind] && !in_hand);
            lead.by_kind[kind + if in_hand { kinds } else { 0 }] +=
                if c.is_ascii_uppercase() { 1.0 } else { -1.0 };
        }
        lead.late = 2 * left <= self.full;
        lead
    }
}

struct Describe;

impl Visitor for Describe {
    type Output = Result<Known>;

    fn visit<G: Playable>(self, game: G) -> Result<Known> {
        let info = game.info();
        let array = Array::of_start(&game)
            .with_context(|| format!("the start array of {} is not one letter a piece", info.name))?;
        let kinds = || 0..info.pieces.len() as u8;
        let count = |side, kind| array.squares(side, kind).len();
        let pieces: Vec<bool> = kinds().map(|kind| game.role(kind) != Role::Pawn).collect();
        let there = kinds().filter(|kind| pieces[usize::from(*kind)]);
        Ok(Known {
            letters: info.pieces.iter().map(|p| p.letter).collect(),
            army: kinds()
                .map(
                    |kind| if game.role(kind) == Role::Royal { 0.0 } else { count(Side::White, kind) as f64 },
                )
                .collect(),
            full: there.map(|kind| count(Side::White, kind) + count(Side::Black, kind)).sum(),
            pieces,
            pawn: pawn(&game)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_term_by_term() {
        let chess = Known::of("chess").unwrap();
        let of = |text: &str| Sum::parse(text).unwrap().of_kinds(&chess);
        // Kinds of chess: P K Q R B N.
        let on_board = |kinds: [f64; 6]| Some(kinds.into_iter().chain([0.0; 6]).collect::<Vec<_>>());
        assert_eq!(of("B - N/2 - R/2"), on_board([0.0, 0.0, 0.0, -0.5, 1.0, -0.5]));
        assert_eq!(of("army/2-Q"), on_board([4.0, 0.0, -0.5, 1.0, 1.0, 1.0]));
        assert_eq!(of("-2P+3N/4"), on_board([-2.0, 0.0, 0.0, 0.0, 0.0, 0.75]));
        assert_eq!(of("M"), None);
        assert_eq!(of("@N").unwrap()[11], 1.0);
        for text in ["", "B N", "B -", "B/", "B/0", "b", "12345B", "B//2", "@", "B - é", "army army"] {
            assert_eq!(Sum::parse(text), None, "{text}");
        }
    }

    #[test]
    fn leads_are_counted_from_text() {
        let shogi = Known::of("martian-shogi").unwrap();
        let at = |letter| shogi.letters().iter().position(|l| *l == letter).unwrap();
        let lead =
            shogi.lead("mlbkkblm/sveppevs/8/8/8/8/1VEPPEVS/MLBKKBLM[Vs] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1");
        let mut expected = vec![0.0; 24];
        expected[at('S')] = -1.0;
        expected[12 + at('V')] = 1.0;
        expected[12 + at('S')] = -1.0;
        assert_eq!(lead, Lead { by_kind: expected, late: false });
        let chess = Known::of("chess").unwrap();
        assert!(!chess.lead("rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1").late);
        assert!(chess.lead("r1bqkb1r/8/8/8/8/8/8/R3K3 w - - 0 1").late);
    }
}
