//! What can be measured in one game for a claim.

use crate::log::{GameRow, MetricsRow};
use engine::outcome::{GameResult, Termination};
use engine::side::Side;

/// What a game shows: a value in [0, 1], or its two bounds where the game did not finish and the value is
/// not known. Whatever is decided must be decided whichever bound is entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Least value the finished game could have had.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
}

impl Observation {
    fn known(value: f64) -> Observation {
        Observation { low: value, high: value }
    }

    fn share(holds: bool) -> Observation {
        Observation::known(if holds { 1.0 } else { 0.0 })
    }
}

/// A quantity of a game with values in [0, 1]; most are shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Draws of all kinds.
    Draw,
    /// Draws other than stalemate.
    DrawNotStalemate,
    /// Stalemates.
    Stalemate,
    /// Games that a side won.
    Decisive,
    /// White's score: 1, half or 0 (0 for `0-0`).
    WhiteScore,
    /// Games whose number of moves lies in the range, ends included.
    MovesWithin(u64, u64),
}

impl Metric {
    /// Names in claims files.
    pub const NAMES: [&str; 6] =
        ["draw", "draw-not-stalemate", "stalemate", "decisive", "white-score", "moves-within"];

    /// The metric of a name; `within` is what `moves-within` needs.
    pub fn from_name(name: &str, within: Option<(u64, u64)>) -> Option<Metric> {
        Some(match name {
            "draw" => Metric::Draw,
            "draw-not-stalemate" => Metric::DrawNotStalemate,
            "stalemate" => Metric::Stalemate,
            "decisive" => Metric::Decisive,
            "white-score" => Metric::WhiteScore,
            "moves-within" => within.map(|(low, high)| Metric::MovesWithin(low, high))?,
            _ => return None,
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Draw => "draw",
            Metric::DrawNotStalemate => "draw-not-stalemate",
            Metric::Stalemate => "stalemate",
            Metric::Decisive => "decisive",
            Metric::WhiteScore => "white-score",
            Metric::MovesWithin(..) => "moves-within",
        }
    }

    /// The range of `moves-within`.
    pub fn within(self) -> Option<(u64, u64)> {
        match self {
            Metric::MovesWithin(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// What one game shows.
    pub fn observe(self, game: &GameRow, _metrics: &MetricsRow) -> Observation {
        let unfinished = game.result == GameResult::Unknown;
        let stalemate = game.termination == Termination::Stalemate;
        let holds = match self {
            Metric::MovesWithin(low, high) => {
                // An unfinished game only gets longer: past the upper end its length is known well enough.
                if unfinished && u64::from(game.moves) > high {
                    return Observation::share(false);
                }
                (low..=high).contains(&u64::from(game.moves))
            }
            Metric::Draw => game.result == GameResult::Draw,
            Metric::DrawNotStalemate => game.result == GameResult::Draw && !stalemate,
            Metric::Stalemate => stalemate,
            Metric::Decisive => game.result.winner().is_some(),
            Metric::WhiteScore if game.result == GameResult::Draw => return Observation::known(0.5),
            Metric::WhiteScore => game.result == GameResult::Win(Side::White),
        };
        if unfinished { Observation { low: 0.0, high: 1.0 } } else { Observation::share(holds) }
    }
}
