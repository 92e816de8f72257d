//! Claims on what pieces are worth, decided by games from uneven armies at a size fixed before the run.

use super::Relation;
use super::worth::{Known, Lead, Sum};
use crate::log::UnitRows;
use crate::positions;
use crate::stats::{Interval, Verdict, normal_quantile, two_sided_z};
use anyhow::Result;
use tuner::armies::{Games, Worth};

/// Chance with which the stated number of games would decide.
const POWER: f64 = 0.8;

/// Which games a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Games from all armies there are.
    Any,
    /// From armies with more than half of the start array's pieces besides pawns.
    Opening,
    /// From armies with fewer.
    Endgame,
    /// A worth in the endgame less the same in the opening.
    Gain,
}

impl Phase {
    /// All phases and their names in claims files.
    pub const NAMES: [(Phase, &'static str); 4] = [
        (Phase::Any, "any"),
        (Phase::Opening, "opening"),
        (Phase::Endgame, "endgame"),
        (Phase::Gain, "endgame-less-opening"),
    ];

    /// Its name in claims files.
    pub fn name(self) -> &'static str {
        Phase::NAMES.iter().find(|(phase, _)| *phase == self).map_or("any", |(_, name)| name)
    }
}

/// What worths are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Pawns.
    Pawns,
    /// Log-odds of the score: where a pawn may be worth nothing, or less.
    LogOdds,
}

impl Unit {
    /// All units and their names in claims files.
    pub const NAMES: [(Unit, &'static str); 2] = [(Unit::Pawns, "pawns"), (Unit::LogOdds, "log-odds")];

    /// Its name in claims files.
    pub fn name(self) -> &'static str {
        Unit::NAMES.iter().find(|(unit, _)| *unit == self).map_or("pawns", |(_, name)| name)
    }
}

/// What is claimed of worths, of each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// The worths.
    pub worths: Vec<Sum>,
    /// What they are measured in.
    pub unit: Unit,
    /// In which games.
    pub phase: Phase,
    /// How each lies to the threshold.
    pub relation: Relation,
    /// The threshold, in `unit`.
    pub threshold: f64,
    /// Probability of a wrong verdict.
    pub level: f64,
}

/// A worth as the games show it, in the claim's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What it is the worth of.
    pub name: String,
    /// The worth; nothing if the games do not tell.
    pub value: Option<f64>,
    /// Its interval: at the claim's level, or at 95 % for one that is only shown beside.
    pub interval: Option<Interval>,
    /// The verdict, for one that is claimed.
    pub verdict: Option<Verdict>,
}

/// What became of a claim.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdict: every worth has to bear the claim out, any one can refute it.
    pub verdict: Verdict,
    /// The worths claimed, then the others, for comparison.
    pub worths: Vec<Shown>,
    /// Which of the worths the verdict hangs on: one that refutes, or the one that is longest to decide.
    pub weakest: usize,
    /// Units of a run that would probably decide; `None` if decided, or if that cannot be said.
    pub units_needed: Option<u64>,
}

/// The games a claim is judged on.
#[derive(Debug)]
pub struct Armies {
    known: Known,
    games: Vec<Game>,
}

#[derive(Debug)]
struct Game {
    unit: u64,
    lead: Lead,
    /// White's result; nothing for an unfinished game.
    result: Option<f64>,
}

impl Armies {
    /// No games yet, of the game with this name.
    ///
    /// # Errors
    /// A game that has no values in pawns.
    pub fn of(game: &str) -> Result<Armies> {
        Ok(Armies { known: Known::of(game)?, games: Vec::new() })
    }

    /// Takes a unit; says whether a game of it was unfinished.
    pub fn push(&mut self, unit: &UnitRows) -> bool {
        for (game, ..) in &unit.games {
            self.games.push(Game {
                unit: unit.unit_id,
                lead: self.known.lead(&game.start_fen),
                result: positions::result(game.result),
            });
        }
        unit.games.iter().any(|(game, ..)| positions::result(game.result).is_none())
    }

    /// Judges a claim on the games so far, from `units` units. Its worths share its level evenly (Bonferroni).
    pub fn judge(&self, claim: &Odds, units: u64) -> Judged {
        let z = two_sided_z(1.0 - claim.level / claim.worths.len().max(1) as f64);
        let mut worths: Vec<Shown> = claim.worths.iter().map(|sum| self.show(claim, sum, z)).collect();
        let needed = |shown: &Shown| needed(shown, claim, z, units);
        let verdicts = || worths.iter().filter_map(|w| w.verdict);
        let verdict = if verdicts().any(|v| v == Verdict::Refuted) {
            Verdict::Refuted
        } else if verdicts().all(|v| v == Verdict::Supported) {
            Verdict::Supported
        } else {
            Verdict::Undecided
        };
        // Of those that have this verdict, the one that took or takes the most games; one without an answer first.
        let longest = |w: &Shown| needed(w).unwrap_or(u64::MAX);
        let weakest = (0..worths.len())
            .filter(|&i| worths[i].verdict == Some(verdict))
            .max_by_key(|&i| longest(&worths[i]))
            .unwrap_or(0);
        let units_needed = match verdict {
            Verdict::Undecided => worths.get(weakest).and_then(needed),
            _ => None,
        };
        worths.extend(self.beside(claim));
        Judged { verdict, worths, weakest, units_needed }
    }

    /// A worth of the claim, whichever way unfinished games are entered: for the side with what is valued, and
    /// against it.
    fn show(&self, claim: &Odds, sum: &Sum, z: f64) -> Shown {
        let name = sum.to_string();
        let found: Option<Vec<Worth>> =
            [0.0, 1.0].iter().map(|&u| self.worth(claim, sum, claim.phase, z, u)).collect();
        let Some(found) = found else {
            return Shown { name, value: None, interval: None, verdict: Some(Verdict::Undecided) };
        };
        let intervals = found.iter().map(|w| w.interval.map(|i| Interval { lower: i.lower, upper: i.upper }));
        let intervals: Option<Vec<Interval>> = intervals.collect();
        let interval = intervals.and_then(|list| {
            list.into_iter()
                .reduce(|a, b| Interval { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) })
        });
        let verdict = interval.map_or(Verdict::Undecided, |i| claim.relation.judge(i, claim.threshold));
        let value = found.iter().map(|w| w.value).sum::<f64>() / found.len() as f64;
        Shown { name, value: Some(value), interval, verdict: Some(verdict) }
    }

    /// What is shown beside the claim: for a gain what it is the difference of, else each kind's own worth.
    fn beside(&self, claim: &Odds) -> Vec<Shown> {
        let z = two_sided_z(0.95);
        let shown = |name: String, sum: &Sum, phase| {
            let worth = self.worth(claim, sum, phase, z, 0.5)?;
            let interval = worth.interval.map(|i| Interval { lower: i.lower, upper: i.upper });
            Some(Shown { name, value: Some(worth.value), interval, verdict: None })
        };
        if claim.phase == Phase::Gain {
            let phases = [Phase::Opening, Phase::Endgame];
            let both = claim.worths.iter().flat_map(|sum| phases.map(|phase| (sum, phase)));
            return both.filter_map(|(sum, p)| shown(format!("{sum} ({})", p.name()), sum, p)).collect();
        }
        let letters = self.known.letters().iter();
        let kinds = letters.clone().map(char::to_string).chain(letters.map(|l| format!("@{l}")));
        let claimed = |name: &String| claim.worths.iter().any(|sum| sum.to_string() == *name);
        let kinds = kinds.filter(|name| !claimed(name));
        kinds.filter_map(|name| Sum::parse(&name).and_then(|sum| shown(name, &sum, claim.phase))).collect()
    }

    /// A worth, unfinished games counting `unfinished` (0 to 1) for the side that has what is valued.
    fn worth(&self, claim: &Odds, sum: &Sum, phase: Phase, z: f64, unfinished: f64) -> Option<Worth> {
        let of = |late: bool, early: bool| {
            let sum = sum.of_kinds(&self.known)?;
            let mut games = Games::default();
            for game in self.games.iter().filter(|g| if g.lead.late { late } else { early }) {
                let ahead: f64 = game.lead.by_kind.iter().zip(&sum).map(|(n, worth)| n * worth).sum();
                let entered = match ahead {
                    a if a > 0.0 => unfinished,
                    a if a < 0.0 => 1.0 - unfinished,
                    _ => 0.5,
                };
                games.push(game.unit, &game.lead.by_kind, game.result.unwrap_or(entered));
            }
            let worths = games.fit(self.known.pawn)?;
            match claim.unit {
                Unit::Pawns => worths.of(&sum, z),
                Unit::LogOdds => worths.log_odds(&sum, z),
            }
        };
        match phase {
            Phase::Any => of(true, true),
            Phase::Opening => of(false, true),
            Phase::Endgame => of(true, false),
            Phase::Gain => Some(of(true, false)?.less(of(false, true)?)),
        }
    }
}

/// Units of a run that would decide on a worth with the chance [`POWER`], were it as it is found: its interval
/// narrows as the root of their number.
fn needed(shown: &Shown, claim: &Odds, z: f64, units: u64) -> Option<u64> {
    let (value, interval) = (shown.value?, shown.interval?);
    let off = (value - claim.threshold).abs();
    let distance = match claim.relation {
        Relation::Within(margin) => (off - margin).abs(),
        Relation::Above | Relation::Below => off,
    };
    let error = interval.width() / (2.0 * z);
    let units = units as f64 * (error * (z + normal_quantile(POWER)) / distance).powi(2);
    (units < 1e9).then_some(units.ceil() as u64)
}
