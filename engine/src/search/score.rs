//! Scores: centipawns or mates, and how they are written.

use crate::side::Side;
use std::fmt;

/// Deepest line the search follows, in plies.
pub const MAX_PLY: usize = 120;
/// The raw score of a win here and now.
pub(super) const MATE: i32 = 32_000;
/// Raw scores beyond this tell wins with their distance.
pub(super) const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
/// Above all scores.
pub(super) const INFINITE: i32 = MATE + 1;

/// A score from a stated side's view: centipawns, or a forced win (by the game's own rule: checkmate,
/// Monarchs captured, annihilation, blocked) with its distance in plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// A draw, or an even position.
    pub const ZERO: Score = Score(0);

    pub(super) fn from_raw(raw: i32) -> Score {
        Score(raw)
    }

    /// A score in centipawns, held within what is no mate.
    pub fn centipawns(value: i32) -> Score {
        Score(value.clamp(1 - MATE_BOUND, MATE_BOUND - 1))
    }

    /// A win for the viewing side after `plies` more plies (0: the game is won).
    pub fn win_in(plies: u32) -> Score {
        Score(MATE - plies.min(MAX_PLY as u32) as i32)
    }

    /// A loss for the viewing side after `plies` more plies.
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// Plies to the end, positive for a win and negative for a loss, if the score is a mate.
    pub fn mate_plies(self) -> Option<i32> {
        match self.0 {
            s if s > MATE_BOUND => Some(MATE - s),
            s if s < -MATE_BOUND => Some(-(MATE + s)),
            _ => None,
        }
    }

    /// Moves to the end: n for a win on the side's n-th move from here, -n for a loss, if it is a mate.
    pub fn mate_moves(self) -> Option<i32> {
        self.mate_plies().map(|plies| plies.signum() * (plies.abs() + 1) / 2)
    }

    /// Whether it is a forced win (of either side).
    pub fn is_mate(self) -> bool {
        self.mate_plies().is_some()
    }

    /// In centipawns, mates as the largest values.
    pub fn value(self) -> i32 {
        self.0
    }

    /// The same score from White's view, given whose view this is.
    pub fn white_view(self, viewer: Side) -> Score {
        Score(viewer.sign() * self.0)
    }
}

impl std::ops::Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// As logs have it: centipawns, or `#n` for a win in n moves and `#-n` for a loss in n.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(0) if self.0 < 0 => f.write_str("#-0"),
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_written_in_moves() {
        assert_eq!(Score::win_in(1).to_string(), "#1");
        assert_eq!(Score::win_in(3).to_string(), "#2");
        assert_eq!(Score::loss_in(2).to_string(), "#-1");
        assert_eq!(Score::loss_in(4).white_view(Side::Black).to_string(), "#2");
        assert_eq!(Score::loss_in(0).to_string(), "#-0");
        assert_eq!(Score::centipawns(-35).to_string(), "-35");
        assert!(!Score::centipawns(1_000_000).is_mate());
    }
}
