//! Figures of a log without timings, summed in the order of units.

use crate::claims::{Relation, Shown, Standing, Test};
use crate::contest::Contest;
use crate::log::UnitRows;
use crate::stats::proportion::wilson;
use engine::outcome::{GameResult, Termination};
use engine::side::Side;
use serde_json::{Map, Value, json};

/// Counts and sums over a log; all are integers, so their order does not matter either.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Units.
    pub units: u64,
    /// Games.
    pub games: u64,
    /// Games identical to an earlier one.
    pub duplicates: u64,
    /// Games White won, Black won, drawn, `0-0`, `*`.
    pub results: [u64; 5],
    /// Games by termination, in the order of [`Termination::ALL`].
    pub terminations: [u64; 16],
    /// Sum of moves, of plies, of nodes.
    pub moves: u64,
    /// Plies without arrangement actions.
    pub plies: u64,
    /// Nodes of both players.
    pub nodes: u64,
    /// Milli-points to White and Black, and games that have points.
    pub points: [u64; 3],
    /// Draw offers and resignation offers made, and of each those accepted.
    pub offers: [u64; 4],
}

impl Summary {
    /// Takes a unit.
    pub fn push(&mut self, unit: &UnitRows) {
        self.units += 1;
        for (game, _, _) in &unit.games {
            self.games += 1;
            self.duplicates += u64::from(game.duplicate_of.is_some());
            self.results[result_index(game.result)] += 1;
            if let Some(i) = Termination::ALL.iter().position(|t| *t == game.termination) {
                self.terminations[i] += 1;
            }
            self.moves += u64::from(game.moves);
            self.plies += u64::from(game.plies);
            self.nodes += game.nodes_white + game.nodes_black;
            if let Some((white, black)) = game.points {
                self.points[0] += u64::from(white.milli());
                self.points[1] += u64::from(black.milli());
                self.points[2] += 1;
            }
            for (at, offer) in [(0, &game.draw_offer), (2, &game.resign_offer)] {
                if let Some(offer) = offer {
                    self.offers[at] += 1;
                    self.offers[at + 1] += u64::from(offer.accepted);
                }
            }
        }
    }

    /// Games drawn.
    pub fn draws(&self) -> u64 {
        self.results[2]
    }

    /// Games White won, and Black.
    pub fn wins(&self, side: Side) -> u64 {
        self.results[side.index()]
    }

    /// Games that came to nothing the rules know.
    pub fn unfinished(&self) -> u64 {
        self.results[4]
    }

    /// (termination, games) of those that occurred.
    pub fn by_termination(&self) -> impl Iterator<Item = (Termination, u64)> + '_ {
        Termination::ALL.into_iter().zip(self.terminations).filter(|(_, n)| *n > 0)
    }

    /// As summary.json.
    pub fn to_json(&self, standings: &[Standing], contest: Option<&Contest>) -> Value {
        let terminations: Map<String, Value> =
            self.by_termination().map(|(t, n)| (t.name().to_owned(), n.into())).collect();
        let mut object = json!({
            "units": self.units,
            "games": self.games,
            "duplicate_games": self.duplicates,
            "results": {
                "1-0": self.results[0], "0-1": self.results[1], "1/2-1/2": self.results[2],
                "0-0": self.results[3], "*": self.results[4],
            },
            "terminations": terminations,
            "moves_total": self.moves,
            "plies_total": self.plies,
            "nodes_total": self.nodes,
            "points": {
                "games": self.points[2],
                "white_milli_total": self.points[0],
                "black_milli_total": self.points[1],
            },
            "offers": {
                "draw": self.offers[0], "draw_accepted": self.offers[1],
                "resignation": self.offers[2], "resignation_accepted": self.offers[3],
            },
            "claims": standings.iter().map(standing_json).collect::<Vec<_>>(),
        });
        if let (Some(map), Some(contest)) = (object.as_object_mut(), contest) {
            map.insert("match".into(), contest.counts_json());
        }
        object
    }
}

fn result_index(result: GameResult) -> usize {
    match result {
        GameResult::Win(Side::White) => 0,
        GameResult::Win(Side::Black) => 1,
        GameResult::Draw => 2,
        GameResult::BothLose => 3,
        GameResult::Unknown => 4,
    }
}

/// Where a claim stands, as JSON.
pub fn standing_json(s: &Standing) -> Value {
    let mut object = json!({
        "id": s.claim.id,
        "verdict": s.verdict.to_string(),
        "units": s.units,
        "unfinished_units": s.unfinished,
        "mean_low": s.mean.map(|m| m.0),
        "mean_high": s.mean.map(|m| m.1),
        "interval": s.interval.lower.is_finite().then_some([s.interval.lower, s.interval.upper]),
        "units_to_go": s.to_go,
    });
    let (Some(map), test) = (object.as_object_mut(), &s.claim.test) else { return object };
    let name = match test {
        Test::Sequence { metric, .. } => metric.name(),
        Test::RestrictedMean { .. } => "centre-half",
        Test::Odds(_) => "worth",
        Test::Exact(exact) => exact.name(),
        Test::Apart { question, .. } => question.name(),
    };
    map.insert("metric".into(), name.into());
    if let Some((relation, threshold)) = test.comparison() {
        map.insert("comparison".into(), relation.name().into());
        map.insert("threshold".into(), threshold.into());
        if let Relation::Within(margin) = relation {
            map.insert("margin".into(), margin.into());
        }
    }
    map.insert("level".into(), test.level().into());
    if let (Some(rule), Some((some, games))) = (s.claim.beside_rule, s.beside) {
        let w = wilson(some, games, 0.95, 1.0);
        map.insert(
            "with_move_rule".into(),
            json!({"moves": rule, "games": games, "holds": some, "interval": [w.lower, w.upper]}),
        );
    }
    if let Test::Odds(odds) = test {
        let shown = |w: &Shown| {
            json!({
                "of": w.name, "value": w.value, "interval": w.interval.map(|i| [i.lower, i.upper]),
                "verdict": w.verdict.map(|v| v.to_string()),
            })
        };
        map.insert("unit".into(), odds.unit.name().into());
        map.insert("phase".into(), odds.phase.name().into());
        map.insert("hangs_on".into(), s.hangs_on.clone().into());
        map.insert("worths".into(), s.worths.iter().map(shown).collect());
    }
    if let Some(control) = test.control() {
        map.insert("control".into(), control.to_string().into());
        map.insert("compared".into(), s.compared.into());
    }
    object
}
