//! The balance card: the same figures for every game, each with its interval.

use crate::decimals::{fixed, percent};
use crate::experiment::{Experiment, PlayerKind};
use crate::first_moves;
use crate::log::{GameRow, MetricsRow, UnitRows};
use crate::stats::betting::ConfidenceSequence;
use crate::stats::sample::Sample;
use crate::stats::{Interval, StatsError};
use anyhow::Result;
use engine::games::Visitor;
use engine::outcome::GameResult;
use engine::search::Playable;
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

/// Figures of the card that are shares of games, the first ones of [`FIGURES`].
pub const SHARES: usize = 5;

/// What the card has, in its order: name and what it is counted in (nothing for shares from 0 to 1).
pub const FIGURES: [(&str, &str); 10] = [
    ("White's expected score", ""),
    ("Decisive games", ""),
    ("Draws", ""),
    ("Completion", ""),
    ("Unique games", ""),
    ("Length", "moves"),
    ("Branching factor", "moves a ply"),
    ("Decision moves", ""),
    ("Lead changes", "a game"),
    ("Drama", "pawns"),
];

/// What a unit says of each of [`FIGURES`]: the mean over its games with unfinished games at their least, and
/// at their greatest. Nothing where none of its games says anything.
pub type Observed = [Option<Bounds>; FIGURES.len()];

/// Least and greatest value; the same where it is known.
type Bounds = (f64, f64);

/// A share in [0, 1] by a confidence sequence, unfinished games at their least and at their greatest.
#[derive(Debug)]
struct Share {
    low: ConfidenceSequence,
    high: ConfidenceSequence,
}

/// Start positions whose first moves are looked at, at most: the first different ones of a log.
const MOST_STARTS: usize = 64;
/// Nodes spent on first moves, at most, the first start apart: fewer starts are looked at where nodes a move are many.
const FIRST_MOVE_NODES: u64 = 2_000_000;
/// Nodes after each first move where the run's first player is no search of ours.
const PLAIN_NODES: u64 = 1000;

/// The figures of a log, unit by unit.
#[derive(Debug)]
pub struct Card {
    shares: [Share; SHARES],
    /// Means over the games of each unit.
    means: [Vec<f64>; FIGURES.len() - SHARES],
    /// Different start positions, in the order of units.
    starts: Vec<String>,
    /// The entropy of first moves at each start, once they were enumerated.
    entropies: Vec<f64>,
}

impl Share {
    fn new() -> Result<Share, StatsError> {
        Ok(Share { low: ConfidenceSequence::new(ALPHA)?, high: ConfidenceSequence::new(ALPHA)? })
    }

    fn push(&mut self, seen: (f64, f64)) -> Result<(), StatsError> {
        self.low.push(seen.0)?;
        self.high.push(seen.1)
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

/// What a unit says of each figure.
pub fn observe(unit: &UnitRows) -> Observed {
    let mean = |of: &dyn Fn(&GameRow, &MetricsRow) -> Option<Bounds>| -> Option<Bounds> {
        let seen: Vec<(f64, f64)> = unit.games.iter().filter_map(|(g, m, _)| of(g, m)).collect();
        let games = seen.len() as f64;
        let sum = |end: fn(&(f64, f64)) -> f64| seen.iter().map(end).sum::<f64>() / games;
        (!seen.is_empty()).then(|| (sum(|s| s.0), sum(|s| s.1)))
    };
    let exact = |of: &dyn Fn(&GameRow, &MetricsRow) -> Option<f64>| mean(&|g, m| of(g, m).map(|x| (x, x)));
    // A ply of the opening is nobody's decision.
    let a_ply = |game: &GameRow, metrics: &MetricsRow, column: &str| {
        let plies = game.plies.saturating_sub(game.opening_plies);
        let sum: f64 = metrics.get(column).parse().ok()?;
        (plies > 0).then(|| sum / f64::from(plies))
    };
    let score = |game: &GameRow| match game.result {
        GameResult::Win(Side::White) => 1.0,
        GameResult::Draw => 0.5,
        _ => 0.0,
    };
    [
        mean(&|g, _| Some(share(g, score(g)))),
        mean(&|g, _| Some(share(g, known(g.result.winner().is_some()).0))),
        mean(&|g, _| Some(share(g, known(g.result == GameResult::Draw).0))),
        mean(&|g, _| Some(known(g.result != GameResult::Unknown))),
        mean(&|g, _| Some(known(g.duplicate_of.is_none()))),
        exact(&|g, _| Some(f64::from(g.moves))),
        exact(&|g, m| a_ply(g, m, "legal_moves_sum")),
        exact(&|g, m| a_ply(g, m, "decision_moves")),
        exact(&|_, m| m.get("lead_changes").parse().ok()),
        exact(&drama),
    ]
}

impl Card {
    /// A card of no games.
    ///
    /// # Errors
    /// None in practice.
    pub fn new() -> Result<Card, StatsError> {
        let share = Share::new;
        Ok(Card {
            shares: [share()?, share()?, share()?, share()?, share()?],
            means: Default::default(),
            starts: Vec::new(),
            entropies: Vec::new(),
        })
    }

    /// Adds what no log has: the entropy of first moves at the run's start positions, the score of each first move
    /// being that of a search with the run's own nodes a move.
    ///
    /// # Errors
    /// A start that is no position of the game.
    pub fn enumerate(&mut self, experiment: &Experiment) -> Result<()> {
        let nodes = experiment.players.first().map_or(PLAIN_NODES, |player| match player.kind {
            PlayerKind::Search { nodes, .. } => nodes,
            _ => PLAIN_NODES,
        });
        let starts = &self.starts;
        self.entropies =
            engine::games::with(&experiment.game, experiment.option_pairs(), Entropies { starts, nodes })??;
        Ok(())
    }

    /// Takes a unit.
    ///
    /// # Errors
    /// None in practice.
    pub fn push(&mut self, unit: &UnitRows) -> Result<(), StatsError> {
        for (game, _, _) in &unit.games {
            if self.starts.len() < MOST_STARTS && !self.starts.contains(&game.start_fen) {
                self.starts.push(game.start_fen.clone());
            }
        }
        let seen = observe(unit);
        let (shares, means) = seen.split_at(SHARES);
        for (share, seen) in self.shares.iter_mut().zip(shares) {
            if let Some(seen) = seen {
                share.push(*seen)?;
            }
        }
        for (values, seen) in self.means.iter_mut().zip(means) {
            values.extend(seen.map(|(value, _)| value));
        }
        Ok(())
    }

    /// The figures, in a fixed order; those without any game are left out.
    pub fn figures(&self) -> Vec<CardFigure> {
        const SEQUENCE: &str = "95 % confidence sequence; unfinished games both ways";
        const WHOLE: &str = "95 % confidence sequence";
        const MEAN: &str = "mean, 95 % t interval over units, nominal if the run stopped on its claims";
        let (names, others) = FIGURES.split_at(SHARES);
        let shares = self.shares.iter().zip(names).enumerate().map(|(i, (share, (name, _)))| {
            // Whether a game ended, and whether it is like another one, is known of all games.
            share.figure(name, if i < 3 { SEQUENCE } else { WHOLE })
        });
        let means = self.means.iter().zip(others).map(|(values, &(name, unit))| {
            let sample = Sample::of(values.iter().copied());
            (sample.n > 0).then(|| CardFigure {
                name,
                value: sample.mean,
                interval: sample.mean_interval(1.0 - ALPHA),
                unit,
                method: MEAN,
                units: sample.n,
            })
        });
        shares.chain(means).flatten().chain(self.first_move_entropy()).collect()
    }

    fn first_move_entropy(&self) -> Option<CardFigure> {
        let sample = Sample::of(self.entropies.iter().copied());
        let enumerated = Interval { lower: sample.mean, upper: sample.mean };
        let (interval, method) = match sample.n {
            0 => return None,
            1 => (
                Some(enumerated),
                "enumerated at the start: softmax of the scores after the run's nodes, 20 centipawns, no sampling",
            ),
            _ => (
                sample.mean_interval(1.0 - ALPHA),
                "mean over starts, 95 % t interval: softmax of the scores after the run's nodes, 20 centipawns",
            ),
        };
        Some(CardFigure {
            name: "First-move entropy",
            value: sample.mean,
            interval,
            unit: "bits",
            method,
            units: sample.n,
        })
    }
}

/// The entropy of first moves at each start that the nodes allow.
struct Entropies<'a> {
    starts: &'a [String],
    nodes: u64,
}

impl Visitor for Entropies<'_> {
    type Output = Result<Vec<f64>>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let mut found = Vec::new();
        let mut spent = 0_u64;
        for fen in self.starts {
            let scores = first_moves::scores(&game, &game.parse_fen(fen)?, self.nodes)?;
            found.extend(first_moves::entropy(&scores));
            spent = spent.saturating_add(self.nodes.saturating_mul(scores.len() as u64));
            if spent > FIRST_MOVE_NODES {
                break;
            }
        }
        Ok(found)
    }
}

impl CardFigure {
    /// The figure in words: value and interval.
    pub fn text(&self) -> (String, String) {
        let number = |x: f64| match self.unit {
            "" => percent(x),
            _ => fixed(x, 2),
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

    const SEARCHED: &str = "name = \"x\"\ngame = \"mchess\"\nseed = 1\ngames = 2\n[openings]\nmethod = \"setups\"\n\
                            plies = 0\n[[player]]\nname = \"a\"\nnodes = 20\n";

    /// The entropy of first moves is of the log's own starts, each once, and has an interval.
    #[test]
    fn first_moves_are_those_of_the_different_starts() {
        struct Starts;
        impl Visitor for Starts {
            type Output = Vec<String>;
            fn visit<G: Playable>(self, game: G) -> Vec<String> {
                [(1, 2), (5000, 70), (1, 2)].map(|(w, b)| game.fen(&game.setup(w, b).unwrap())).to_vec()
            }
        }
        let experiment = crate::experiment::read("x", SEARCHED, std::path::Path::new(".")).unwrap();
        let starts = engine::games::with("mchess", [], Starts).unwrap();
        let figure = |count: usize| {
            let mut card = Card::new().unwrap();
            for (i, fen) in (1..).zip(&starts[..count]) {
                let mut unit = game(i, WON, 20, &[]);
                unit.games[0].0.start_fen.clone_from(fen);
                card.push(&unit).unwrap();
            }
            card.enumerate(&experiment).unwrap();
            card.figures().into_iter().find(|f| f.name == "First-move entropy").unwrap()
        };
        let (one, all) = (figure(1), figure(3));
        assert_eq!((one.units, one.interval.unwrap().width()), (1, 0.0));
        assert_eq!(all.units, 2);
        assert!(all.interval.unwrap().width() > 0.0 && all.value > 0.0 && all.value < 6.0, "{all:?}");
    }

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
