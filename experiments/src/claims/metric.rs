//! What can be measured in one game for a claim.

use crate::log::{GameRow, MetricsRow};
use crate::stats::betting::ratio_unit;
use engine::outcome::{GameResult, Termination};
use engine::side::Side;

/// What a game shows: a value, or its two bounds where the game did not finish and the value is not known.
/// Whatever is decided must be decided whichever bound is entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Least value the finished game could have had.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
}

impl Observation {
    pub(super) fn known(value: f64) -> Observation {
        Observation { low: value, high: value }
    }

    fn share(holds: bool) -> Observation {
        Observation::known(if holds { 1.0 } else { 0.0 })
    }

    const UNKNOWN_SHARE: Observation = Observation { low: 0.0, high: 1.0 };
}

/// A quantity of a game. Shares have values in [0, 1]; counts are cut off at `most`, which a claim states
/// before the run because bets on a mean need its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Of the decisive games, those whose number of moves lies in the range.
    WonWithin(u64, u64),
    /// Games that ended in one of these ways.
    EndedBy(Vec<Termination>),
    /// Of the decisive games in which a side was ever quietly 5 % of its army behind: won by the side that was
    /// so first.
    Comeback,
    /// Of the decisive games in which a side was ever quietly three pieces behind: won by such a side.
    ComebackFromThree,
    /// Games with a check given by one of the pieces (letters) in a move of the range.
    CheckBy(String, (u64, u64)),
    /// Of all promotions, those to one of the pieces (letters); at most so many promotions in a game.
    PromotionsTo(String, u64),
    /// Pawns on the board when move 30 begins, of the games that get there.
    PawnsAt30(u64),
    /// En-passant captures.
    EnPassant(u64),
    /// Legal moves a ply after the opening.
    Branching(u64),
    /// Full moves.
    Moves(u64),
    /// White's points, of games worth points.
    PointsWhite(u64),
}

impl Metric {
    /// Names in claims files.
    pub const NAMES: [&str; 17] = [
        "draw",
        "draw-not-stalemate",
        "stalemate",
        "decisive",
        "white-score",
        "moves-within",
        "won-within",
        "ended-by",
        "comeback",
        "comeback-from-three",
        "check-by",
        "promotions-to",
        "pawns-at-30",
        "en-passant",
        "branching",
        "moves",
        "points-white",
    ];

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Metric::Draw => "draw",
            Metric::DrawNotStalemate => "draw-not-stalemate",
            Metric::Stalemate => "stalemate",
            Metric::Decisive => "decisive",
            Metric::WhiteScore => "white-score",
            Metric::MovesWithin(..) => "moves-within",
            Metric::WonWithin(..) => "won-within",
            Metric::EndedBy(_) => "ended-by",
            Metric::Comeback => "comeback",
            Metric::ComebackFromThree => "comeback-from-three",
            Metric::CheckBy(..) => "check-by",
            Metric::PromotionsTo(..) => "promotions-to",
            Metric::PawnsAt30(_) => "pawns-at-30",
            Metric::EnPassant(_) => "en-passant",
            Metric::Branching(_) => "branching",
            Metric::Moves(_) => "moves",
            Metric::PointsWhite(_) => "points-white",
        }
    }

    /// The range of moves it is about, if it has one.
    pub fn within(&self) -> Option<(u64, u64)> {
        match self {
            Metric::MovesWithin(low, high) | Metric::WonWithin(low, high) => Some((*low, *high)),
            Metric::CheckBy(_, range) => Some(*range),
            _ => None,
        }
    }

    /// The pieces it is about, by letter, if it is about some.
    pub fn pieces(&self) -> Option<&str> {
        match self {
            Metric::CheckBy(pieces, _) | Metric::PromotionsTo(pieces, _) => Some(pieces),
            _ => None,
        }
    }

    /// The greatest value or number in a game that it counts.
    pub fn most(&self) -> Option<u64> {
        match self {
            Metric::PromotionsTo(_, most)
            | Metric::PawnsAt30(most)
            | Metric::EnPassant(most)
            | Metric::Branching(most)
            | Metric::Moves(most)
            | Metric::PointsWhite(most) => Some(*most),
            _ => None,
        }
    }

    /// Whether its values are shares, from 0 to 1.
    pub fn is_share(&self) -> bool {
        self.greatest() == 1.0
    }

    /// Whether it is a share of things that a game can have several of: a ratio of two means over games.
    pub fn is_ratio(&self) -> bool {
        matches!(self, Metric::PromotionsTo(..))
    }

    /// The greatest value; the least is 0.
    pub fn greatest(&self) -> f64 {
        match self {
            Metric::PawnsAt30(most)
            | Metric::EnPassant(most)
            | Metric::Branching(most)
            | Metric::Moves(most)
            | Metric::PointsWhite(most) => *most as f64,
            _ => 1.0,
        }
    }

    /// What one game shows; nothing if the game is not among those that the metric is about. A ratio is turned
    /// into the unit that is tested against `threshold` ([`ratio_unit`]).
    pub fn observe(&self, game: &GameRow, metrics: &MetricsRow, threshold: f64) -> Option<Observation> {
        let unfinished = game.result == GameResult::Unknown;
        let moves = u64::from(game.moves);
        let winner = game.result.winner();
        let stalemate = game.termination == Termination::Stalemate;
        let holds = match self {
            Metric::Draw => game.result == GameResult::Draw,
            Metric::DrawNotStalemate => game.result == GameResult::Draw && !stalemate,
            Metric::Stalemate => stalemate,
            Metric::Decisive => winner.is_some(),
            Metric::WhiteScore if game.result == GameResult::Draw => return Some(Observation::known(0.5)),
            Metric::WhiteScore => game.result == GameResult::Win(Side::White),
            Metric::MovesWithin(low, high) => {
                // An unfinished game only gets longer: past the upper end its length is known well enough.
                if unfinished && moves > *high {
                    return Some(Observation::share(false));
                }
                (*low..=*high).contains(&moves)
            }
            Metric::WonWithin(low, high) => {
                if winner.is_none() && !unfinished {
                    return None;
                }
                (*low..=*high).contains(&moves)
            }
            Metric::EndedBy(list) => list.contains(&game.termination),
            Metric::Comeback => {
                let first = metrics.get("first_behind").split(':').next().unwrap_or_default();
                if !unfinished && (first.is_empty() || winner.is_none()) {
                    return None;
                }
                winner.is_some_and(|w| w.to_string() == first)
            }
            Metric::ComebackFromThree => {
                let down = metrics.get("down3");
                if !unfinished && (down.is_empty() || winner.is_none()) {
                    return None;
                }
                winner.is_some_and(|w| down.contains(w.letter()))
            }
            Metric::CheckBy(pieces, (low, high)) => {
                // What has happened by then stays, whatever becomes of the game.
                let given = metrics.get("checks").split_whitespace().any(|check| {
                    let digits = check.trim_end_matches(|c: char| !c.is_ascii_digit());
                    let number = digits.parse::<u64>().map_or(0, |ply| ply.div_ceil(2));
                    (*low..=*high).contains(&number) && pieces.contains(&check[digits.len()..])
                });
                if given || moves > *high {
                    return Some(Observation::share(given));
                }
                given
            }
            Metric::PromotionsTo(_, most) => return self.ratio(game, metrics, threshold, *most as f64),
            Metric::PawnsAt30(most) => {
                let pawns = metrics.get("pawns_at_30").parse().ok();
                let unknown = Observation { low: 0.0, high: *most as f64 };
                return pawns.map(|n| self.count(n)).or(unfinished.then_some(unknown));
            }
            Metric::EnPassant(most) => {
                let count = |column| metrics.get(column).parse::<f64>().unwrap_or(0.0);
                let seen = self.count(count("ep_captures_white") + count("ep_captures_black"));
                let high = if unfinished { *most as f64 } else { seen.high };
                return Some(Observation { low: seen.low, high });
            }
            Metric::Branching(_) => {
                let plies = game.plies.saturating_sub(game.opening_plies);
                let sum = metrics.get("legal_moves_sum").parse::<f64>().ok()?;
                // A long unfinished game shows its branching as well as any.
                return (plies > 0).then(|| self.count(sum / f64::from(plies)));
            }
            Metric::PointsWhite(most) => {
                let unknown = Observation { low: 0.0, high: *most as f64 };
                let points = game.points.map(|(white, _)| self.count(white.to_f64()));
                return points.or(unfinished.then_some(unknown));
            }
            Metric::Moves(most) => {
                let seen = self.count(f64::from(game.moves));
                let high = if unfinished { *most as f64 } else { seen.high };
                return Some(Observation { low: seen.low, high });
            }
        };
        Some(if unfinished { Observation::UNKNOWN_SHARE } else { Observation::share(holds) })
    }

    fn count(&self, value: f64) -> Observation {
        Observation::known(value.clamp(0.0, self.greatest()))
    }

    /// (those counted, all of them) in a game, of a ratio.
    pub fn parts(&self, metrics: &MetricsRow) -> (u64, u64) {
        let Metric::PromotionsTo(pieces, most) = self else { return (0, 0) };
        let letters = metrics.get("promotions").chars().take(*most as usize);
        let counted = letters.clone().filter(|c| pieces.contains(c.to_ascii_uppercase())).count();
        (counted as u64, letters.count() as u64)
    }

    fn ratio(&self, game: &GameRow, metrics: &MetricsRow, threshold: f64, most: f64) -> Option<Observation> {
        let (part, whole) = self.parts(metrics);
        let (part, whole) = (part as f64, whole as f64);
        if game.result != GameResult::Unknown {
            return ratio_unit(part, whole, threshold, most).ok().map(Observation::known);
        }
        // All promotions still to come might be of the one kind or of the other.
        let low = ratio_unit(part, most, threshold, most).ok()?;
        let high = ratio_unit(part + most - whole, most, threshold, most).ok()?;
        Some(Observation { low, high })
    }
}
