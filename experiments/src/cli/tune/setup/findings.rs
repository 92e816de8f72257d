//! What the games say: the table, the mixtures, the verdicts.

use super::rounds::{Plan, Played};
use crate::setups::Population;
use crate::setups::verdicts::{Balance, balance, both_ways, choice};
use crate::stats::sample::Sample;
use crate::stats::{Interval, Verdict};
use anyhow::Result;
use tuner::setups::{Half, Relocation, Table, interval, relocation};

/// Bootstrap samples for intervals.
const RESAMPLES: usize = 400;
const CONFIDENCE: f64 = 0.95;

/// An estimate with its 95 % interval; none where there are too few games.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    pub value: f64,
    pub interval: Option<Interval>,
}

/// One set-up of one side.
pub struct Share {
    pub name: String,
    /// Its share in the equilibrium of all games.
    pub share: Figure,
    /// Its score against the other side's mixture (chosen on one half, valued on the other).
    pub against: Figure,
}

/// A part in the table: White's set-ups and Black's, or everybody's.
pub struct Side {
    pub title: &'static str,
    pub shares: Vec<Share>,
}

/// What the order of setting up is worth.
pub struct Choice {
    pub found: Relocation,
    pub verdict: Verdict,
    pub gain: Interval,
    pub p: f64,
}

/// All that was found.
pub struct Findings {
    pub population: Population,
    pub game: String,
    pub options: Vec<(String, String)>,
    pub nodes: u64,
    pub plies: u32,
    pub seed: u64,
    pub even: bool,
    pub games: usize,
    pub unfinished: usize,
    pub white: Figure,
    /// Row player's score by pair, and units played.
    pub cells: Vec<Vec<(Figure, usize)>>,
    /// The value of the table to the row player.
    pub value: Figure,
    /// What both mixtures, chosen on one half, come to on the other.
    pub valued: Figure,
    pub sides: Vec<Side>,
    pub margin: f64,
    pub level: f64,
    pub balance: Option<Balance>,
    pub choice: Option<Choice>,
}

fn of_mean(sample: Sample) -> Figure {
    let bounds = sample.mean_interval(CONFIDENCE);
    let clamp = |i: Interval| Interval { lower: i.lower.max(0.0), upper: i.upper.min(1.0) };
    Figure { value: sample.mean, interval: bounds.map(clamp) }
}

fn of_replicates(value: f64, replicates: &[f64]) -> Figure {
    let bounds = interval(replicates, CONFIDENCE);
    Figure { value, interval: bounds.map(|b| Interval { lower: b.lower, upper: b.upper }) }
}

impl Findings {
    /// Works everything out. `margin` and `level` are those of the verdicts.
    ///
    /// # Errors
    /// A table that cannot be solved.
    pub fn of(
        played: &Played,
        population: Population,
        plan: &Plan,
        margin: f64,
        level: f64,
    ) -> Result<Findings> {
        let table = played.table(0.5);
        let size = population.len();
        let cell = |i: usize, j: usize| {
            let mirrored = !population.sequential && i >= j;
            let units = table.units(if mirrored { (j, i) } else { (i, j) }, Half::Both);
            let turned = |u: f64| if mirrored { 1.0 - u } else { u };
            match i == j && !population.sequential {
                true => (Figure { value: 0.5, interval: None }, 0),
                false => (of_mean(Sample::of(units.iter().map(|u| turned(*u)))), units.len()),
            }
        };
        let all = table.solve(Half::Both)?;
        let mut solved = Vec::new();
        for sample in table.resamples(Half::Both, RESAMPLES, plan.seed) {
            solved.push(sample.solve(Half::Both)?);
        }
        let values: Vec<f64> = solved.iter().map(|e| e.value).collect();
        // The mixtures of one half on samples of the other.
        let chosen = table.solve(Half::Choosing)?;
        let samples = table.resamples(Half::Valuing, RESAMPLES, plan.seed.wrapping_add(1));
        let valued = |rows: &[f64], columns: &[f64]| {
            let replicates: Vec<f64> =
                samples.iter().map(|t| t.value_of(rows, columns, Half::Both)).collect();
            of_replicates(table.value_of(rows, columns, Half::Valuing), &replicates)
        };
        let pure = |k: usize| (0..size).map(|i| f64::from(u8::from(i == k))).collect::<Vec<f64>>();
        let row = |i: usize| Share {
            name: population.names[i].clone(),
            share: of_replicates(all.rows[i], &solved.iter().map(|e| e.rows[i]).collect::<Vec<_>>()),
            against: valued(&pure(i), &chosen.columns),
        };
        let column = |j: usize| Share {
            name: population.names[j].clone(),
            share: of_replicates(all.columns[j], &solved.iter().map(|e| e.columns[j]).collect::<Vec<_>>()),
            // As White's score, which is what the table has.
            against: valued(&chosen.rows, &pure(j)),
        };
        let rows: Vec<Share> = (0..size).map(row).collect();
        let sides = if population.sequential {
            let columns = (0..size).map(column).collect();
            vec![Side { title: "White", shares: rows }, Side { title: "Black", shares: columns }]
        } else {
            vec![Side { title: "either side", shares: rows }]
        };
        let (mut balanced, mut chosen_order) = (None, None);
        if population.sequential {
            (balanced, chosen_order) = verdicts(played, &population, plan.even, margin, level)?;
        }
        Ok(Findings {
            game: plan.game.clone(),
            options: plan.options.clone(),
            nodes: plan.nodes,
            plies: plan.plies,
            seed: plan.seed,
            even: plan.even,
            games: played.games(),
            unfinished: played.unfinished(),
            white: of_mean(Sample::of(played.white_scores())),
            cells: (0..size).map(|i| (0..size).map(|j| cell(i, j)).collect()).collect(),
            value: of_replicates(all.value, &values),
            valued: valued(&chosen.rows, &chosen.columns),
            sides,
            margin,
            level,
            balance: balanced,
            choice: chosen_order,
            population,
        })
    }
}

/// The verdicts on the pairs that the rules allow, each as it stands whatever unfinished games count.
fn verdicts(
    played: &Played,
    population: &Population,
    even: bool,
    margin: f64,
    level: f64,
) -> Result<(Option<Balance>, Option<Choice>)> {
    // Where games went by what the choosing half said, only the other half is an honest sample of each start.
    let half = if even { Half::Both } else { Half::Valuing };
    let allowed = |i: usize, j: usize| population.allowed[i][j];
    let readings: &[f64] = if played.unfinished() > 0 { &[0.5, 0.0, 1.0] } else { &[0.5] };
    let tables: Vec<Table> = readings.iter().map(|unknown| played.table(*unknown)).collect();
    let mut balances = Vec::new();
    let mut choices = Vec::new();
    for table in &tables {
        let cells: Vec<(usize, usize)> = table.cells().into_iter().filter(|&(i, j)| allowed(i, j)).collect();
        balances.extend(balance(table, &cells, half, margin, level)?);
        choices.extend(relocation(table, allowed).map(|found| {
            let (verdict, gain, p) = choice(&found, level);
            Choice { found, verdict, gain, p }
        }));
    }
    let verdict = both_ways(&balances.iter().map(|b| b.verdict).collect::<Vec<_>>());
    let balanced = balances.into_iter().next().map(|b| Balance { verdict, ..b });
    let verdict = both_ways(&choices.iter().map(|c| c.verdict).collect::<Vec<_>>());
    let chosen = choices.into_iter().next().map(|c| Choice { verdict, ..c });
    Ok((balanced, chosen))
}
