//! Two runs side by side: the figures of the balance card and their differences.

use crate::card::{FIGURES, Observed, SHARES, observe};
use crate::log::UnitRows;
use crate::stats::Interval;
use crate::stats::proportion::newcombe_difference;
use crate::stats::sample::{Sample, welch_interval};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Probability that an interval covers.
pub const CONFIDENCE: f64 = 0.95;

/// A run's units, as far as comparing needs them.
#[derive(Clone, Debug, Default)]
pub struct Side {
    units: Vec<Unit>,
    games: u64,
}

#[derive(Clone, Debug)]
struct Unit {
    id: u64,
    /// Hash of where its games start and of the plies played for the players.
    opening: u64,
    seen: Observed,
}

/// How two runs' units belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// So many units have the same openings: differences are taken opening by opening.
    Openings(u64),
    /// The openings differ: the runs are two samples.
    None,
}

/// A figure of both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Its name.
    pub name: &'static str,
    /// What it is counted in; empty for shares from 0 to 1.
    pub unit: &'static str,
    /// The first run's, over all its units; nothing if none says anything.
    pub first: Option<f64>,
    /// The second run's.
    pub second: Option<f64>,
    /// First less second, over the units behind the interval.
    pub difference: Option<f64>,
    /// Its interval, wide enough for unfinished games at their least and at their greatest.
    pub interval: Option<Interval>,
    /// How the interval comes about.
    pub method: &'static str,
    /// Units behind the difference: of each run, or pairs (twice the same).
    pub units: (u64, u64),
}

impl Side {
    /// Takes a unit.
    pub fn push(&mut self, unit: &UnitRows) {
        let mut hasher = DefaultHasher::new();
        for (game, _, moves) in &unit.games {
            let plies = (game.opening_plies as usize).min(moves.moves.len());
            (&game.start_fen, &moves.moves[..plies]).hash(&mut hasher);
        }
        self.games += unit.games.len() as u64;
        self.units.push(Unit { id: unit.unit_id, opening: hasher.finish(), seen: observe(unit) });
    }

    /// Units read.
    pub fn units(&self) -> u64 {
        self.units.len() as u64
    }

    /// Games read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What the units that have it say of figure `index`.
    fn column(&self, index: usize) -> Vec<(f64, f64)> {
        self.units.iter().filter_map(|u| u.seen[index]).collect()
    }
}

/// Whether the units that both runs have are from the same openings, each opening another one: units that all
/// begin at the same position have nothing in common that others have not.
pub fn pairing(first: &Side, second: &Side) -> Pairing {
    let common = first.units.len().min(second.units.len());
    let same = |(a, b): (&Unit, &Unit)| a.id == b.id && a.opening == b.opening;
    let distinct = first.units[..common].iter().map(|u| u.opening).collect::<HashSet<_>>().len() == common;
    if common > 1 && distinct && first.units.iter().zip(&second.units).all(same) {
        Pairing::Openings(common as u64)
    } else {
        Pairing::None
    }
}

/// All figures of the card.
pub fn compare(first: &Side, second: &Side) -> Vec<Compared> {
    let paired = matches!(pairing(first, second), Pairing::Openings(_));
    (0..FIGURES.len()).map(|index| figure(first, second, index, paired)).collect()
}

fn middle(values: &[(f64, f64)]) -> Option<f64> {
    let sum: f64 = values.iter().map(|(low, high)| (low + high) / 2.0).sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

/// The least and the greatest ends of two intervals.
fn hull(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    let (a, b) = a.zip(b)?;
    Some(Interval { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) })
}

fn figure(first: &Side, second: &Side, index: usize, paired: bool) -> Compared {
    let (name, unit) = FIGURES[index];
    let (a, b) = (first.column(index), second.column(index));
    let mut compared = Compared {
        name,
        unit,
        first: middle(&a),
        second: middle(&b),
        difference: None,
        interval: None,
        method: "",
        units: (a.len() as u64, b.len() as u64),
    };
    if paired {
        let pairs = first.units.iter().zip(&second.units);
        let differences: Vec<(f64, f64)> = pairs
            .filter_map(|(u, v)| u.seen[index].zip(v.seen[index]))
            .map(|(u, v)| (u.0 - v.1, u.1 - v.0))
            .collect();
        let of = |end: fn(&(f64, f64)) -> f64| Sample::of(differences.iter().map(end));
        let interval = |s: Sample| s.mean_interval(CONFIDENCE);
        compared.interval = hull(interval(of(|d| d.0)), interval(of(|d| d.1)));
        compared.difference = middle(&differences);
        compared.method = "paired by opening, t";
        compared.units = (differences.len() as u64, differences.len() as u64);
        return compared;
    }
    compared.difference = compared.first.zip(compared.second).map(|(a, b)| a - b);
    let whole =
        |values: &[(f64, f64)]| values.iter().all(|v| [v.0, v.1].iter().all(|x| *x == 0.0 || *x == 1.0));
    // Of an empty sample there is no share, whatever interval a formula gives it.
    if index < SHARES && whole(&a) && whole(&b) && !a.is_empty() && !b.is_empty() {
        let count = |values: &[(f64, f64)], end: fn(&(f64, f64)) -> f64| {
            (values.iter().filter(|v| end(v) == 1.0).count() as u64, values.len() as u64)
        };
        let least = newcombe_difference(count(&a, |v| v.0), count(&b, |v| v.1), CONFIDENCE);
        let greatest = newcombe_difference(count(&a, |v| v.1), count(&b, |v| v.0), CONFIDENCE);
        compared.interval = hull(Some(least), Some(greatest));
        compared.method = "two proportions, Newcombe";
    } else {
        let of = |values: &[(f64, f64)], end: fn(&(f64, f64)) -> f64| Sample::of(values.iter().map(end));
        let least = welch_interval(&of(&a, |v| v.0), &of(&b, |v| v.1), CONFIDENCE);
        let greatest = welch_interval(&of(&a, |v| v.1), &of(&b, |v| v.0), CONFIDENCE);
        compared.interval = hull(least, greatest);
        compared.method = "two means, Welch";
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::tests_support::{game, set};
    use engine::outcome::{GameResult, Termination};
    use engine::side;

    const WON: (GameResult, Termination) = (GameResult::Win(side::Side::White), Termination::Checkmate);
    const LOST: (GameResult, Termination) = (GameResult::Win(side::Side::Black), Termination::Checkmate);
    const DRAWN: (GameResult, Termination) = (GameResult::Draw, Termination::Repetition);
    const OPEN: (GameResult, Termination) = (GameResult::Unknown, Termination::MoveLimit);

    /// A run of units with these endings and lengths, all from openings that begin with `mark`.
    fn side(mark: &str, games: &[((GameResult, Termination), u32)]) -> Side {
        let mut side = Side::default();
        for (i, (ending, moves)) in games.iter().enumerate() {
            let mut unit = game(i as u64 + 1, *ending, *moves, &[("lead_changes", "3")]);
            set(&mut unit, "lead_changes", "1");
            unit.games[0].0.start_fen = format!("{mark}{i}");
            side.push(&unit);
        }
        side
    }

    fn of<'a>(list: &'a [Compared], name: &str) -> &'a Compared {
        list.iter().find(|c| c.name == name).unwrap()
    }

    #[test]
    fn same_openings_are_paired() {
        let a = side("x", &[(WON, 50), (DRAWN, 60), (WON, 70)]);
        let b = side("x", &[(WON, 40), (LOST, 52), (DRAWN, 57), (WON, 10)]);
        assert_eq!(pairing(&a, &b), Pairing::Openings(3));
        let list = compare(&a, &b);
        let length = of(&list, "Length");
        // Differences 10, 8, 13; of the runs as they are, 60 and 39.75.
        assert_eq!((length.first, length.second), (Some(60.0), Some(39.75)));
        assert!((length.difference.unwrap() - 31.0 / 3.0).abs() < 1e-12);
        // scipy.stats.t.interval(.95, 2, 31/3, scipy.stats.sem([10, 8, 13])) = (4.08, 16.58)
        let i = length.interval.unwrap();
        assert!((i.lower - 4.0815).abs() < 1e-3 && (i.upper - 16.5851).abs() < 1e-3, "{i:?}");
        assert_eq!(length.units, (3, 3));
        assert_eq!(of(&list, "White's expected score").difference, Some(1.0 / 3.0));
        // The sign turns with the order.
        assert_eq!(of(&compare(&b, &a), "Length").difference, Some(-31.0 / 3.0));
    }

    #[test]
    fn other_openings_are_two_samples() {
        let a = side("x", &[(WON, 50), (DRAWN, 60), (WON, 70)]);
        let b = side("y", &[(WON, 40), (LOST, 52), (DRAWN, 57)]);
        assert_eq!(pairing(&a, &b), Pairing::None);
        let list = compare(&a, &b);
        assert_eq!(of(&list, "Draws").method, "two proportions, Newcombe");
        let expected = newcombe_difference((1, 3), (1, 3), CONFIDENCE);
        assert_eq!(of(&list, "Draws").interval, Some(expected));
        // A draw is no proportion of White's score.
        assert_eq!(of(&list, "White's expected score").method, "two means, Welch");
        assert_eq!(of(&list, "Length").difference, Some(60.0 - (40.0 + 52.0 + 57.0) / 3.0));
        // Units that all begin alike are no pairs.
        let mut alike = side("x", &[(WON, 50), (DRAWN, 60)]);
        alike.units[1].opening = alike.units[0].opening;
        assert_eq!(pairing(&alike, &alike.clone()), Pairing::None);
        // Nothing to compare with: no interval, no panic.
        let list = compare(&a, &Side::default());
        assert!(list.iter().all(|c| c.second.is_none() && c.difference.is_none() && c.interval.is_none()));
    }

    #[test]
    fn unfinished_games_widen_the_interval_on_both_sides() {
        let won = [(WON, 50), (DRAWN, 50), (LOST, 50), (WON, 50)];
        let open = [(WON, 50), (DRAWN, 50), (LOST, 50), (OPEN, 50)];
        for mark in ["x", "y"] {
            let known = compare(&side("x", &won), &side(mark, &won));
            let unknown = compare(&side("x", &won), &side(mark, &open));
            for name in ["White's expected score", "Draws"] {
                let (k, u) = (of(&known, name).interval.unwrap(), of(&unknown, name).interval.unwrap());
                assert!(u.width() > k.width(), "{mark} {name}: {k:?} {u:?}");
            }
        }
    }
}
