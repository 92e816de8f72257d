//! The balance card: the same figures for every game, each with its interval.

use crate::log::{GameRow, MetricsRow, UnitRows};
use crate::stats::betting::ConfidenceSequence;
use crate::stats::sample::Sample;
use crate::stats::{Interval, StatsError};
use engine::outcome::GameResult;
use engine::side::Side;

/// Error probability of the intervals.
const ALPHA: f64 = 0.05;

/// One figure of the card.
#[derive(Clone, Debug, PartialEq)]
pub struct CardFigure {
    /// Its name.
    pub name: &'static str,
    /// The estimate.
    pub value: f64,
    /// Its interval; none where one unit or none says nothing.
    pub interval: Option<Interval>,
    /// What it is counted in; empty for shares from 0 to 1.
    pub unit: &'static str,
    /// How the interval comes about.
    pub method: &'static str,
    /// Units behind it.
    pub units: u64,
}

/// A share in [0, 1] by a confidence sequence, unfinished games at their least and at their greatest.
#[derive(Debug)]
struct Share {
    low: ConfidenceSequence,
    high: ConfidenceSequence,
}

/// The figures of a log, unit by unit.
#[derive(Debug)]
pub struct Card {
    white: Share,
    decisive: Share,
    drawn: Share,
    finished: Share,
    unique: Share,
    /// Means over the games of each unit.
    length: Vec<f64>,
    branching: Vec<f64>,
    lead_changes: Vec<f64>,
    decisions: Vec<f64>,
    /// Of the games that were won.
    drama: Vec<f64>,
}

impl Share {
    fn new() -> Result<Share, StatsError> {
        Ok(Share { low: ConfidenceSequence::new(ALPHA)?, high: ConfidenceSequence::new(ALPHA)? })
    }

    fn push(&mut self, seen: &[(f64, f64)]) -> Result<(), StatsError> {
        let games = seen.len().max(1) as f64;
        self.low.push(seen.iter().map(|s| s.0).sum::<f64>() / games)?;
        self.high.push(seen.iter().map(|s| s.1).sum::<f64>() / games)
    }

    fn figure(&self, name: &'static str, method: &'static str) -> Option<CardFigure> {
        let (low, high) = (self.low.interval(), self.high.interval());
        let (least, greatest) = self.low.mean().zip(self.high.mean())?;
        Some(CardFigure {
            name,
            value: (least + greatest) / 2.0,
            interval: Some(Interval { lower: low.lower.min(high.lower), upper: low.upper.max(high.upper) }),
            unit: "",
            method,
            units: self.low.count(),
        })
    }
}

/// What a game says about a share: both bounds the same once it is finished.
fn share(game: &GameRow, value: f64) -> (f64, f64) {
    if game.result == GameResult::Unknown { (0.0, 1.0) } else { (value, value) }
}

fn known(holds: bool) -> (f64, f64) {
    let value = f64::from(u8::from(holds));
    (value, value)
}

/// The largest quiet deficit, in pawns, that the winner of a game had.
pub fn drama(game: &GameRow, metrics: &MetricsRow) -> Option<f64> {
    let column = match game.result.winner()? {
        Side::White => "max_deficit_white",
        Side::Black => "max_deficit_black",
    };
    metrics.get(column).parse().ok()
}

impl Card {
    /// A card of no games.
    ///
    /// # Errors
    /// None in practice.
    pub fn new() -> Result<Card, StatsError> {
        Ok(Card {
            white: Share::new()?,
            decisive: Share::new()?,
            drawn: Share::new()?,
            finished: Share::new()?,
            unique: Share::new()?,
            length: Vec::new(),
            branching: Vec::new(),
            lead_changes: Vec::new(),
            decisions: Vec::new(),
            drama: Vec::new(),
        })
    }

    /// Takes a unit.
    ///
    /// # Errors
    /// None in practice.
    pub fn push(&mut self, unit: &UnitRows) -> Result<(), StatsError> {
        let all = |of: &dyn Fn(&GameRow) -> (f64, f64)| -> Vec<(f64, f64)> {
            unit.games.iter().map(|(game, _, _)| of(game)).collect()
        };
        self.white.push(&all(&|g| {
            share(
                g,
                match g.result {
                    GameResult::Win(Side::White) => 1.0,
                    GameResult::Draw => 0.5,
                    _ => 0.0,
                },
            )
        }))?;
        self.decisive.push(&all(&|g| share(g, known(g.result.winner().is_some()).0)))?;
        self.drawn.push(&all(&|g| share(g, known(g.result == GameResult::Draw).0)))?;
        self.finished.push(&all(&|g| known(g.result != GameResult::Unknown)))?;
        self.unique.push(&all(&|g| known(g.duplicate_of.is_none())))?;
        let mean = |of: &dyn Fn(&GameRow, &MetricsRow) -> Option<f64>| -> Option<f64> {
            let values: Vec<f64> = unit.games.iter().filter_map(|(g, m, _)| of(g, m)).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        // A ply of the opening is nobody's decision.
        let a_ply = |game: &GameRow, metrics: &MetricsRow, column: &str| {
            let plies = game.plies.saturating_sub(game.opening_plies);
            let sum: f64 = metrics.get(column).parse().ok()?;
            (plies > 0).then(|| sum / f64::from(plies))
        };
        self.length.extend(mean(&|g, _| Some(f64::from(g.moves))));
        self.branching.extend(mean(&|g, m| a_ply(g, m, "legal_moves_sum")));
        self.decisions.extend(mean(&|g, m| a_ply(g, m, "decision_moves")));
        self.lead_changes.extend(mean(&|_, m| m.get("lead_changes").parse().ok()));
        self.drama.extend(mean(&drama));
        Ok(())
    }

    /// The figures, in a fixed order; those without any game are left out.
    pub fn figures(&self) -> Vec<CardFigure> {
        const SEQUENCE: &str = "95 % confidence sequence; unfinished games both ways";
        const WHOLE: &str = "95 % confidence sequence";
        let shares = [
            self.white.figure("White's expected score", SEQUENCE),
            self.decisive.figure("Decisive games", SEQUENCE),
            self.drawn.figure("Draws", SEQUENCE),
            self.finished.figure("Completion", WHOLE),
            self.unique.figure("Unique games", WHOLE),
        ];
        const MEAN: &str = "mean, 95 % t interval over units, nominal if the run stopped on its claims";
        let mean = |name, values: &Vec<f64>, unit| {
            let sample = Sample::of(values.iter().copied());
            let interval = sample.mean_interval(1.0 - ALPHA);
            let units = sample.n;
            (units > 0).then_some(CardFigure {
                name,
                value: sample.mean,
                interval,
                unit,
                method: MEAN,
                units,
            })
        };
        let means = [
            mean("Length", &self.length, "moves"),
            mean("Branching factor", &self.branching, "moves a ply"),
            mean("Decision moves", &self.decisions, ""),
            mean("Lead changes", &self.lead_changes, "a game"),
            mean("Drama", &self.drama, "pawns"),
        ];
        shares.into_iter().chain(means).flatten().collect()
    }
}

impl CardFigure {
    /// The figure in words: value and interval.
    pub fn text(&self) -> (String, String) {
        let number = |x: f64| match self.unit {
            "" => format!("{:.1} %", 100.0 * x),
            _ => format!("{x:.2}"),
        };
        let interval = self.interval.map(|i| format!("{} to {}", number(i.lower), number(i.upper)));
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        (format!("{}{unit}", number(self.value)), interval.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::tests_support::{game, set};
    use engine::outcome::Termination;

    const WON: (GameResult, Termination) = (GameResult::Win(Side::White), Termination::Checkmate);

    #[test]
    fn every_figure_of_hand_made_games() {
        let mut card = Card::new().unwrap();
        let columns = [
            ("legal_moves_sum", "3000"),
            ("decision_moves", "90"),
            ("lead_changes", "3"),
            ("max_deficit_white", "2.50"),
            ("max_deficit_black", "7.00"),
        ];
        // 60 moves, 120 plies, 20 of them the opening's.
        let mut unit = game(1, WON, 60, &columns);
        unit.games[0].0.opening_plies = 20;
        card.push(&unit).unwrap();
        let mut unit = game(2, (GameResult::Draw, Termination::Repetition), 60, &columns);
        set(&mut unit, "lead_changes", "1");
        unit.games[0].0.opening_plies = 20;
        unit.games[0].0.duplicate_of = Some(1);
        card.push(&unit).unwrap();
        let mut unit = game(3, (GameResult::Unknown, Termination::MoveLimit), 60, &columns);
        unit.games[0].0.opening_plies = 20;
        set(&mut unit, "lead_changes", "2");
        card.push(&unit).unwrap();
        let figures = card.figures();
        let value = |name: &str| figures.iter().find(|f| f.name == name).unwrap().value;
        let close = |name: &str, expected: f64| assert!((value(name) - expected).abs() < 1e-9, "{name}");
        // The unfinished game is worth 0 or 1: half in the middle.
        close("White's expected score", 2.0 / 3.0);
        close("Decisive games", 0.5);
        close("Draws", 0.5);
        close("Completion", 2.0 / 3.0);
        close("Unique games", 2.0 / 3.0);
        close("Length", 60.0);
        close("Branching factor", 30.0);
        close("Decision moves", 0.9);
        close("Lead changes", 2.0);
        // Of the winner alone, and of won games alone.
        close("Drama", 2.5);
        let lead = figures.iter().find(|f| f.name == "Lead changes").unwrap();
        // Student's t with two degrees of freedom: 4.302653 (scipy.stats.t.ppf(0.975, 2)) times 1 / sqrt(3).
        assert!((lead.interval.unwrap().width() - 2.0 * 4.302_652_729_749_462 / 3f64.sqrt()).abs() < 1e-9);
        assert_eq!(lead.text().0, "2.00 a game");
        assert!(Card::new().unwrap().figures().is_empty());
    }
}
