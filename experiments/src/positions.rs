//! Quiet positions of logged games with what came of them: what tuners and estimators learn from.
//!
//! Positions of one game share its result, so few are taken a game, and whatever is estimated from them takes
//! the unit, not the position, for its unit of evidence.

use crate::log::{GameRow, LogReader, Manifest, MovesRow};
use crate::metrics::{Balance, is_calm};
use crate::random::{Domain, generator, shuffle};
use anyhow::{Context, Result, bail};
use engine::notation::parse_uci;
use engine::outcome::GameResult;
use engine::search::Playable;
use engine::side::Side;
use std::path::{Path, PathBuf};

/// Positions in a row that have to be calm for the last one to be quiet: four as in [`crate::metrics`]. With drops
/// hardly any position has three such before it, and those that have are of the opening: one is enough there.
fn calm_plies(drops: bool) -> usize {
    if drops { 1 } else { 4 }
}

/// Runs of one game under the same rules.
#[derive(Debug)]
pub struct Logs {
    runs: Vec<(PathBuf, Manifest)>,
}

/// Which positions to take.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Positions a game at most.
    pub per_game: usize,
    /// Seed of the choice.
    pub seed: u64,
}

/// A quiet position.
#[derive(Clone, Copy, Debug)]
pub struct Quiet<'a, S> {
    /// Number of the unit of evidence it belongs to; no two runs share one.
    pub unit: u64,
    /// The position.
    pub state: &'a S,
    /// White's result: 1, 1/2 (draws, and games that both sides lost) or 0.
    pub result: f64,
    /// The player's evaluation, from White's view in centipawns.
    pub eval: Option<i32>,
}

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games with a result.
    pub games: u64,
    /// Games without one (`*`), which are left out.
    pub unfinished: u64,
    /// Quiet positions taken.
    pub positions: u64,
}

impl Logs {
    /// The runs in some folders.
    ///
    /// # Errors
    /// No run in a folder, the same folder twice, or runs of unlike games or rules.
    pub fn open(dirs: &[PathBuf]) -> Result<Logs> {
        let mut runs: Vec<(PathBuf, Manifest)> = Vec::new();
        for dir in dirs {
            let manifest = Manifest::read(dir)?;
            if runs.iter().any(|(there, _)| there == dir) {
                bail!("{} is named twice", dir.display());
            }
            if let Some((first, other)) = runs.first() {
                let (a, b) = (&other.experiment.game, &manifest.experiment.game);
                let (first, dir) = (first.display(), dir.display());
                if a != b {
                    bail!("{first} is a run of {a} and {dir} one of {b}; expected one game");
                }
                if other.rules != manifest.rules {
                    bail!("{first} and {dir} are runs of {a} under different rules; expected the same");
                }
            }
            runs.push((dir.clone(), manifest));
        }
        Ok(Logs { runs })
    }

    /// The manifest of the first run.
    ///
    /// # Errors
    /// No run.
    pub fn first(&self) -> Result<&Manifest> {
        self.runs.first().map(|(_, manifest)| manifest).context("no run was given")
    }

    /// The folders.
    pub fn dirs(&self) -> impl Iterator<Item = &Path> {
        self.runs.iter().map(|(dir, _)| dir.as_path())
    }

    /// Hands on the chosen quiet positions of all runs, in order. Positions of the opening and those in which
    /// the player saw a forced win are left out.
    ///
    /// # Errors
    /// A log that cannot be read, with file and row.
    pub fn each<G: Playable>(
        &self,
        game: &G,
        choice: Choice,
        take: &mut dyn FnMut(Quiet<'_, G::State>) -> Result<()>,
    ) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut last_unit = 0;
        for (run, (dir, manifest)) in self.runs.iter().enumerate() {
            let before = last_unit;
            let values = manifest.values.by_kind(game)?;
            let mut reader = LogReader::open(dir, manifest.experiment.games_per_unit())?;
            while let Some(unit) = reader.next_unit()? {
                last_unit = before + unit.unit_id;
                for (row, _, moves) in &unit.games {
                    let Some(result) = result(row.result) else {
                        tally.unfinished += 1;
                        continue;
                    };
                    tally.games += 1;
                    let at = || format!("{}, game {}", reader.at(), row.game_id);
                    let chosen = of_game(game, row, moves, &values, choice, run as u64).with_context(at)?;
                    for (ply, state) in chosen {
                        let eval = moves.evals[ply].parse().ok();
                        take(Quiet { unit: last_unit, state: &state, result, eval })?;
                        tally.positions += 1;
                    }
                }
            }
        }
        Ok(tally)
    }
}

/// The chosen quiet positions of a game, each with the plies played before it, in random order. Each game has
/// its own order by the seed and `run`, whatever other runs it is read with.
///
/// # Errors
/// A ply that is no legal move.
pub fn of_game<G: Playable>(
    game: &G,
    row: &GameRow,
    moves: &MovesRow,
    values: &[i32],
    choice: Choice,
    run: u64,
) -> Result<Vec<(usize, G::State)>> {
    let states = states(game, row, moves)?;
    let mut rng = generator(choice.seed, Domain::Positions, row.game_id, run);
    let plies = quiet(game, row, moves, &states, values, choice.per_game, &mut rng);
    Ok(plies.into_iter().map(|ply| (ply, states[ply].clone())).collect())
}

/// White's result; nothing for a game that came to nothing.
pub fn result(result: GameResult) -> Option<f64> {
    match result {
        GameResult::Win(Side::White) => Some(1.0),
        GameResult::Win(Side::Black) => Some(0.0),
        GameResult::Draw | GameResult::BothLose => Some(0.5),
        GameResult::Unknown => None,
    }
}

/// The positions of a game, each before the ply of its number.
fn states<G: Playable>(game: &G, row: &GameRow, moves: &MovesRow) -> Result<Vec<G::State>> {
    let mut state = game.parse_fen(&row.start_fen).context("start_fen")?;
    let mut states = Vec::with_capacity(moves.moves.len());
    for (index, uci) in moves.moves.iter().enumerate() {
        let m = parse_uci(game, &state, uci).with_context(|| format!("ply {}", index + 1))?;
        states.push(state.clone());
        game.play(&mut state, m, &mut ());
    }
    Ok(states)
}

/// Plies before which the position is quiet: as many as wanted, in random order.
fn quiet<G: Playable>(
    game: &G,
    row: &GameRow,
    moves: &MovesRow,
    states: &[G::State],
    values: &[i32],
    wanted: usize,
    rng: &mut rand_chacha::ChaCha8Rng,
) -> Vec<usize> {
    let calm_plies = calm_plies(G::CAPS.drops);
    let first = (row.opening_plies as usize).max(calm_plies - 1);
    let mut plies: Vec<usize> = (first..states.len()).collect();
    shuffle(rng, &mut plies);
    let mut calm: Vec<Option<bool>> = vec![None; states.len()];
    plies.retain(|&ply| !moves.evals[ply].starts_with('#'));
    let is_quiet = |&ply: &usize| {
        (ply + 1 - calm_plies..=ply).rev().all(|at| {
            *calm[at]
                .get_or_insert_with(|| is_calm(game, &states[at], Balance::of(game, &states[at], values)))
        })
    };
    plies.into_iter().filter(is_quiet).take(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::outcome::Termination;

    #[test]
    fn draws_and_games_without_a_winner_count_half_and_faults_not_at_all() {
        assert_eq!(result(GameResult::Win(Side::Black)), Some(0.0));
        assert_eq!(result(GameResult::BothLose), Some(0.5));
        assert_eq!(result(GameResult::Unknown), None);
    }

    struct Scan;

    impl engine::games::Visitor for Scan {
        type Output = Vec<usize>;

        fn visit<G: Playable>(self, game: G) -> Vec<usize> {
            // 1.e4 e5 2.Nf3 Nc6 3.Nxe5 Nxe5: before 3.Nxe5 nothing is won by it, before 3...Nxe5 a knight is.
            let line = "e2e4 e7e5 g1f3 b8c6 f3e5 c6e5 d2d4 e5c6 d4d5 c6e5";
            let moves = MovesRow {
                game_id: 1,
                moves: line.split(' ').map(str::to_owned).collect(),
                evals: ["0"; 9].into_iter().chain(["#3"]).map(str::to_owned).collect(),
            };
            let row = GameRow {
                game_id: 1,
                unit_id: 1,
                opening_id: 1,
                game: "chess".into(),
                options: String::new(),
                seed: 1,
                start_fen: game.fen(&game.start()),
                opening_plies: 0,
                white: "a".into(),
                black: "a".into(),
                result: GameResult::Unknown,
                termination: Termination::MoveLimit,
                plies: 10,
                moves: 5,
                payoff: String::new(),
                points: None,
                draw_offer: None,
                resign_offer: None,
                eval_final: "-".into(),
                nodes_white: 0,
                nodes_black: 0,
                duplicate_of: None,
            };
            let states = states(&game, &row, &moves).unwrap();
            let values: Vec<i32> = (0..6).map(|kind| game.rough_value(kind)).collect();
            let mut rng = generator(1, Domain::Positions, 1, 0);
            let mut plies = quiet(&game, &row, &moves, &states, &values, 100, &mut rng);
            plies.sort_unstable();
            plies
        }
    }

    #[test]
    fn quiet_positions_have_no_capture_pending_for_four_plies() {
        let plies = engine::games::with("chess", [], Scan).unwrap();
        // Plies 5 and 6 have a piece to win (3...Nxe5, then 4.d4 hits the knight but wins nothing yet; 4...
        // is to move away); ply 9 sees a mate.
        assert!(plies.contains(&3) && plies.contains(&4), "{plies:?}");
        assert!(!plies.contains(&5) && !plies.contains(&6) && !plies.contains(&8) && !plies.contains(&9));
    }
}
