//! One player against another, as a log of pairs shows it: the five-way counts, Elo and its relatives, and the
//! sequential test that may end the run.
//!
//! The block that [`Contest::lines`] writes is the one that fastchess prints
//! (`app/src/matchmaking/output/output_fastchess.hpp`), because people's scripts read it.

use crate::experiment::{Experiment, PlayerKind, PlayerSpec, SprtSpec};
use crate::log::{GameRow, UnitRows};
use crate::stats::pentanomial::{Estimate, Pentanomial};
use crate::stats::sprt::{EloModel, Sprt, SprtState};
use anyhow::Result;
use engine::outcome::GameResult;
use engine::side::Side;
use serde_json::{Value, json};

/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;
/// Error probability of the sequential test, on either side.
const SPRT_ERROR: f64 = 0.05;

/// A contest of two players.
#[derive(Clone, Debug)]
pub struct Contest {
    first: String,
    second: String,
    pairs: Pentanomial,
    left_out: u64,
    test: Option<(SprtSpec, Sprt)>,
    /// The bound that was crossed first, and the pairs until then.
    crossed: Option<(SprtState, u64)>,
}

impl SprtSpec {
    /// The test, with error probabilities of 5 % on either side.
    ///
    /// # Errors
    /// Hypotheses out of order or out of range.
    pub fn test(&self) -> Result<Sprt> {
        Ok(Sprt::new(self.elo0, self.elo1, SPRT_ERROR, SPRT_ERROR, EloModel::Normalised)?)
    }
}

impl Contest {
    /// The contest of an experiment's two players; nothing if it has one player only, or no pairs of games.
    ///
    /// # Errors
    /// Hypotheses out of order or out of range.
    pub fn of(experiment: &Experiment) -> Result<Option<Contest>> {
        let [first, second] = experiment.players.as_slice() else { return Ok(None) };
        if experiment.fixed_colours {
            return Ok(None);
        }
        let test = experiment.sprt.map(|spec| spec.test().map(|test| (spec, test))).transpose()?;
        Ok(Some(Contest {
            first: first.name.clone(),
            second: second.name.clone(),
            pairs: Pentanomial::default(),
            left_out: 0,
            test,
            crossed: None,
        }))
    }

    /// Takes the next pair. One with a game that came to nothing (`*`) is left out and counted as such.
    pub fn push(&mut self, unit: &UnitRows) {
        let points: Option<Vec<u8>> =
            unit.games.iter().map(|(game, _, _)| half_points(game, &self.first)).collect();
        let Some(&[a, b]) = points.as_deref() else {
            self.left_out += 1;
            return;
        };
        self.pairs.add([a, b]);
        if let (Some((_, test)), None) = (&self.test, self.crossed) {
            let state = test.state(self.pairs.counts());
            if state != SprtState::Continue {
                self.crossed = Some((state, self.pairs.units()));
            }
        }
    }

    /// Whether the sequential test, if there is one, has come to its end; nothing if there is none.
    pub fn is_decided(&self) -> Option<bool> {
        self.test.as_ref().map(|_| self.crossed.is_some())
    }

    /// The first player's Elo over the second's with its 95 % interval.
    pub fn elo(&self) -> Estimate {
        self.pairs.elo(CONFIDENCE)
    }

    /// What [`elo`](Self::elo) is about.
    pub fn title(&self) -> String {
        format!("{} over {}", self.first, self.second)
    }

    /// The results by pairs.
    pub fn results(&self) -> &Pentanomial {
        &self.pairs
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pairs.units()
    }

    /// Pairs left out because a game of theirs came to nothing.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The report block, then what it does not say: pairs left out, what became of the test, whether the
    /// match can be repeated.
    pub fn lines(&self, experiment: &Experiment) -> Vec<String> {
        let p = &self.pairs;
        // Plus zero: a level match has no sign.
        let with_error = |e: Estimate| format!("{:.2} +/- {:.2}", e.value + 0.0, e.interval.width() / 2.0);
        let [won, drawn, lost] = p.games();
        let games = won + drawn + lost;
        let points = won as f64 + drawn as f64 / 2.0;
        let [ll, ld, level, wd, ww] = p.counts();
        // What has no value prints as C++ prints it.
        let normalised = p.normalised_elo(CONFIDENCE).map_or_else(|| "nan +/- nan".to_owned(), with_error);
        let mut lines = vec![
            format!("Results of {} vs {} ({}):", self.first, self.second, conditions(experiment)),
            format!("Elo: {}, nElo: {normalised}", with_error(self.elo())),
            format!(
                "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
                100.0 * p.los(),
                100.0 * p.draw_ratio().unwrap_or(f64::NAN),
                quotient(p.pairs_ratio(), p.ww + p.wd),
            )
            .replace("NaN", "nan"),
            format!(
                "Games: {games}, Wins: {won}, Losses: {lost}, Draws: {drawn}, Points: {points:.1} ({:.2} %)",
                100.0 * p.score()
            ),
            format!(
                "Ptnml(0-2): [{ll}, {ld}, {level}, {wd}, {ww}], WL/DD Ratio: {}",
                quotient(p.wl_dd_ratio(), p.wl)
            ),
        ];
        if let Some((spec, test)) = &self.test {
            let (lower, upper) = test.bounds();
            let llr = test.llr(p.counts());
            let (elo0, elo1) = (spec.elo0, spec.elo1);
            lines.push(format!("LLR: {llr:.2} ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]"));
        }
        if self.left_out > 0 {
            lines.push(format!("left out: {} with an unfinished game (*)", count(self.left_out, "pair")));
        }
        if let Some((spec, _)) = &self.test {
            lines.push(self.decision(spec));
        }
        for player in experiment.players.iter().filter(|p| !p.is_repeatable()) {
            lines.push(format!("not repeatable: {} is another program", player.name));
        }
        lines
    }

    fn decision(&self, spec: &SprtSpec) -> String {
        let (first, second) = (&self.first, &self.second);
        let than = |elo: f64| match elo {
            0.0 => format!("{first} is as strong as {second}"),
            e if e < 0.0 => format!("{first} is {} nElo weaker than {second}", -e),
            e => format!("{first} is {e} nElo stronger than {second}"),
        };
        match self.crossed {
            Some((SprtState::AcceptH1, pairs)) => {
                format!("SPRT: H1 accepted after {} games ({})", 2 * pairs, than(spec.elo1))
            }
            Some((_, pairs)) => format!("SPRT: H0 accepted after {} games ({})", 2 * pairs, than(spec.elo0)),
            None => format!("SPRT: not decided after {} games", 2 * self.pairs()),
        }
    }

    /// The counts alone, whole numbers, as summary.json has them.
    pub fn counts_json(&self) -> Value {
        let mut object = json!({
            "first": self.first,
            "second": self.second,
            "ptnml": self.pairs.counts(),
            "pairs_wl": self.pairs.wl,
            "pairs_dd": self.pairs.dd,
            "pairs_left_out": self.left_out,
        });
        if let Some(map) = object.as_object_mut().filter(|_| self.test.is_some()) {
            map.insert("sprt".into(), self.decided_json());
        }
        object
    }

    /// Counts and figures.
    pub fn to_json(&self, experiment: &Experiment) -> Value {
        let estimate =
            |e: Estimate| json!({"value": e.value, "interval": [e.interval.lower, e.interval.upper]});
        let [won, drawn, lost] = self.pairs.games();
        let mut object = self.counts_json();
        let Some(map) = object.as_object_mut() else { return object };
        map.insert("wins".into(), won.into());
        map.insert("draws".into(), drawn.into());
        map.insert("losses".into(), lost.into());
        map.insert("score".into(), self.pairs.score().into());
        map.insert("elo".into(), estimate(self.elo()));
        map.insert("nelo".into(), self.pairs.normalised_elo(CONFIDENCE).map(estimate).into());
        map.insert("los".into(), self.pairs.los().into());
        map.insert("draw_ratio".into(), self.pairs.draw_ratio().into());
        map.insert("pairs_ratio".into(), self.pairs.pairs_ratio().into());
        map.insert("wl_dd_ratio".into(), self.pairs.wl_dd_ratio().into());
        map.insert("repeatable".into(), experiment.players.iter().all(PlayerSpec::is_repeatable).into());
        if let Some((spec, test)) = &self.test {
            let (lower, upper) = test.bounds();
            map.insert(
                "sprt".into(),
                json!({
                    "elo0": spec.elo0, "elo1": spec.elo1, "model": "normalised",
                    "llr": test.llr(self.pairs.counts()), "bounds": [lower, upper],
                    "decided": self.decided_json(),
                }),
            );
        }
        object
    }

    fn decided_json(&self) -> Value {
        match self.crossed {
            Some((SprtState::AcceptH1, pairs)) => json!({"accepted": "H1", "pairs": pairs}),
            Some((_, pairs)) => json!({"accepted": "H0", "pairs": pairs}),
            None => Value::Null,
        }
    }
}

/// What the first player made of a game in half points. `0-0` is half a point to each in Elo.
fn half_points(game: &GameRow, first: &str) -> Option<u8> {
    let side = if game.white == first { Side::White } else { Side::Black };
    Some(match game.result {
        GameResult::Win(winner) if winner == side => 2,
        GameResult::Win(_) => 0,
        GameResult::Draw | GameResult::BothLose => 1,
        GameResult::Unknown => return None,
    })
}

/// A ratio of which only the numerator may be known.
fn quotient(value: Option<f64>, numerator: u64) -> String {
    match value {
        Some(value) => format!("{value:.2}"),
        None if numerator > 0 => "inf".to_owned(),
        None => "nan".to_owned(),
    }
}

fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// The players' budgets and the game.
fn conditions(experiment: &Experiment) -> String {
    format!("{}, {}", budgets(experiment), experiment.game)
}

/// The players' budgets, once if all have the same.
pub fn budgets(experiment: &Experiment) -> String {
    let mut budgets: Vec<String> = experiment.players.iter().map(budget).collect();
    budgets.dedup();
    budgets.join(" - ")
}

fn budget(player: &PlayerSpec) -> String {
    let external = |limit: Option<u64>, unit: &str| limit.map(|n| format!("{n} {unit}"));
    match &player.kind {
        PlayerKind::Imported => "played elsewhere".to_owned(),
        PlayerKind::Random => "random moves".to_owned(),
        PlayerKind::Search { nodes, errors, .. } => format!("{nodes} nodes{errors}"),
        PlayerKind::External(spec) => external(spec.nodes, "nodes")
            .or_else(|| external(spec.depth, "plies"))
            .or_else(|| external(spec.move_time, "ms"))
            .unwrap_or_default(),
    }
}
