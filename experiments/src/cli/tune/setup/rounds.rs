//! Playing the comparison round by round: each round is a run like any other, in a folder of its own.

use crate::cli::tune::batch::{Batch, Done};
use crate::cli::tune::keep::claim;
use crate::failure::Interrupted;
use crate::setups::{Draw, Population};
use anyhow::{Result, bail};
use engine::outcome::GameResult;
use engine::search::Playable;
use engine::side::Side;
use std::collections::HashSet;
use std::path::PathBuf;
use tuner::setups::{Table, allocate};

/// What a folder of a comparison holds besides its rounds.
const PLAN: &str = "setup.toml";
/// Rounds of an adaptive comparison: the first spreads games evenly, each later one looks at those before.
const ROUNDS: usize = 5;
/// Bootstrap samples by which games are allocated.
const RESAMPLES: usize = 60;

/// What is played.
pub struct Plan {
    pub game: String,
    pub options: Vec<(String, String)>,
    pub seed: u64,
    pub nodes: u64,
    pub plies: u32,
    pub games: u64,
    pub even: bool,
    pub move_limit: u32,
    pub dir: PathBuf,
    pub resume: bool,
    pub threads: usize,
    /// The command that goes on after an interruption.
    pub to_resume: String,
}

/// A unit of evidence: a pair of set-ups and its games (one, or two with colours exchanged).
struct Unit {
    cell: (usize, usize),
    games: Vec<GameResult>,
}

/// What came of it.
pub struct Played {
    population: Population,
    units: Vec<Unit>,
}

impl Played {
    fn empty(population: Population) -> Played {
        Played { population, units: Vec::new() }
    }

    pub fn games(&self) -> usize {
        self.units.iter().map(|u| u.games.len()).sum()
    }

    pub fn unfinished(&self) -> usize {
        self.units.iter().flat_map(|u| &u.games).filter(|r| **r == GameResult::Unknown).count()
    }

    /// White's score in each unit; an unfinished game counts one half.
    pub fn white_scores(&self) -> Vec<f64> {
        let unit = |u: &Unit| u.games.iter().map(|r| white(*r, 0.5)).sum::<f64>() / u.games.len() as f64;
        self.units.iter().map(unit).collect()
    }

    /// The table; an unfinished game counts `unknown` for the row player.
    pub fn table(&self, unknown: f64) -> Table {
        let size = self.population.len();
        let mut table =
            if self.population.sequential { Table::new(size, size) } else { Table::symmetric(size) };
        for unit in &self.units {
            let score = match unit.games.as_slice() {
                // In the second game the row's set-up is Black's.
                [first, second] => (white(*first, unknown) + 1.0 - white(*second, 1.0 - unknown)) / 2.0,
                games => games.first().map_or(0.5, |r| white(*r, unknown)),
            };
            table.push(unit.cell, score);
        }
        table
    }
}

fn white(result: GameResult, unknown: f64) -> f64 {
    match result {
        GameResult::Win(Side::White) => 1.0,
        GameResult::Win(Side::Black) => 0.0,
        GameResult::Draw | GameResult::BothLose => 0.5,
        GameResult::Unknown => unknown,
    }
}

/// Plays all rounds, or what is left of them.
///
/// # Errors
/// A folder with another comparison; [`Interrupted`]; the disk.
pub fn play<G: Playable>(game: &G, population: &Population, plan: &Plan) -> Result<Played> {
    let mut played = Played::empty(population.clone());
    let per_unit: u64 = if population.sequential { 1 } else { 2 };
    let cells = played.table(0.5).cells();
    let units = (plan.games / per_unit) as usize;
    let least = 4 * cells.len();
    if units < least {
        bail!(
            "--games {} is too few for {} pairs of set-ups; expected at least {} (four units a pair)",
            plan.games,
            cells.len(),
            least as u64 * per_unit
        );
    }
    let sizes = round_sizes(units, cells.len(), plan.even);
    claim_folder(plan, population)?;
    let (mut seen, mut drawn) = (HashSet::new(), 0);
    for (index, &size) in sizes.iter().enumerate() {
        let counts = if index == 0 {
            (0..cells.len()).map(|c| size / cells.len() + usize::from(c < size % cells.len())).collect()
        } else {
            allocate(&played.table(0.5), size, RESAMPLES, plan.seed.wrapping_add(index as u64))?
        };
        let round: Vec<(usize, usize)> =
            cells.iter().zip(&counts).flat_map(|(&cell, &n)| std::iter::repeat_n(cell, n)).collect();
        let pairs: Vec<(usize, usize)> = if per_unit == 2 {
            round.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect()
        } else {
            round.clone()
        };
        let draw = Draw { plies: plan.plies, seed: plan.seed, first: drawn + 1, seen: &mut seen };
        let fens = population.openings(game, &pairs, draw)?;
        drawn += pairs.len() as u64;
        let busy = counts.iter().filter(|n| **n > 0).count();
        eprintln!("round {} of {}: {} games of {busy} pairs", index + 1, sizes.len(), pairs.len());
        let results = round_of(plan, index + 1, fens, played.games())?;
        let games = results.chunks(per_unit as usize).map(<[_]>::to_vec);
        played.units.extend(round.into_iter().zip(games).map(|(cell, games)| Unit { cell, games }));
    }
    Ok(played)
}

/// Units of each round: two fifths evenly first, the rest in equal parts.
fn round_sizes(units: usize, cells: usize, even: bool) -> Vec<usize> {
    if even {
        return vec![units];
    }
    let first = (units * 2 / 5).max(4 * cells).min(units);
    let mut sizes = vec![first];
    for left in (1..ROUNDS).rev() {
        let size = (units - sizes.iter().sum::<usize>()).div_ceil(left);
        if size > 0 {
            sizes.push(size);
        }
    }
    sizes
}

/// Makes the folder this comparison's, or sees that it is.
fn claim_folder(plan: &Plan, population: &Population) -> Result<()> {
    let mut text = format!(
        "# A comparison of set-ups; its rounds are runs in the folders beside.\n\
         game = \"{}\"\nseed = {}\ngames = {}\nnodes = {}\nplies = {}\nmove_limit = {}\nsampling = \"{}\"\n",
        plan.game,
        plan.seed,
        plan.games,
        plan.nodes,
        plan.plies,
        plan.move_limit,
        if plan.even { "even" } else { "adaptive" }
    );
    text += "\n[options]\n";
    for (name, value) in &plan.options {
        text += &format!("{name} = \"{value}\"\n");
    }
    text += "\n[setups]\n";
    for (name, setup) in population.names.iter().zip(&population.texts) {
        text += &format!("{name} = \"{setup}\"\n");
    }
    claim(&plan.dir, PLAN, "comparison", &text, plan.resume)
}

/// Plays one round, if it has not been played, and gives its results in the order of `fens`.
fn round_of(plan: &Plan, round: usize, fens: Vec<String>, before: usize) -> Result<Vec<GameResult>> {
    let batch = Batch {
        name: format!("setup-{}-round-{round}", plan.game),
        game: &plan.game,
        options: &plan.options,
        seed: plan.seed,
        nodes: plan.nodes,
        move_limit: plan.move_limit,
        fens,
    };
    match batch.play(&plan.dir.join(format!("round-{round}")), plan.threads)? {
        Done::All(games) => Ok(games.iter().map(|g| g.result).collect()),
        Done::Interrupted(games) => {
            let all = before as u64 + games;
            let place = plan.dir.display();
            let text = format!(
                "interrupted after {all} games, all of them in {place}; to go on: {}",
                plan.to_resume
            );
            Err(Interrupted(text).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_add_up_and_the_first_has_four_units_a_pair() {
        for (units, cells) in [(24, 6), (25, 6), (100, 6), (6400, 64), (257, 64)] {
            let sizes = round_sizes(units, cells, false);
            assert_eq!(sizes.iter().sum::<usize>(), units);
            assert!(sizes[0] >= 4 * cells && sizes.len() <= ROUNDS, "{sizes:?}");
        }
        assert_eq!(round_sizes(100, 6, true), [100]);
    }

    /// The row's set-up wins both games of a unit: as White in the first, as Black in the second.
    #[test]
    fn a_unit_scores_for_the_row() {
        let population = Population {
            names: vec!["a".into(), "b".into()],
            texts: vec!["a".into(), "b".into()],
            starts: vec![vec![String::new(); 2]; 2],
            allowed: vec![vec![true; 2]; 2],
            sequential: false,
        };
        let (won, lost) = (GameResult::Win(Side::White), GameResult::Win(Side::Black));
        let mut played = Played::empty(population);
        for games in [vec![won, lost], vec![won, won], vec![GameResult::Unknown, lost]] {
            played.units.push(Unit { cell: (0, 1), games });
        }
        let scores = |unknown| played.table(unknown).units((0, 1), tuner::setups::Half::Both);
        assert_eq!(scores(0.0), [1.0, 0.5, 0.5]);
        assert_eq!(scores(1.0), [1.0, 0.5, 1.0]);
        assert_eq!(played.white_scores(), [0.5, 1.0, 0.25]);
        assert_eq!((played.games(), played.unfinished()), (6, 1));
    }
}
