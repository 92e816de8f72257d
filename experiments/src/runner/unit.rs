//! Playing one unit: its games, their rows.

use crate::experiment::PlayerSpec;
use crate::log::{GameRow, Manifest, MetricsRow, MovesRow, UnitRows};
use crate::metrics::{self, Replay};
use crate::openings::Opening;
use crate::play::{Record, Table, Terms, play};
use crate::players::{Factory, Player};
use crate::random::unit_seed;
use anyhow::Result;
use engine::search::Playable;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// A set of players, one for each of the experiment's: a worker takes one and gives it back, so that their
/// tables are made once.
type Players<G> = Vec<Box<dyn Player<G>>>;

/// Plays units; shared by the workers.
pub struct Workshop<'a, G: Playable> {
    game: &'a G,
    manifest: &'a Manifest,
    factory: &'a dyn Factory<G>,
    values: Vec<i32>,
    idle: Mutex<Vec<Players<G>>>,
}

impl<'a, G: Playable> Workshop<'a, G> {
    /// A workshop for the run of a manifest.
    ///
    /// # Errors
    /// A player that cannot be made, a value table that lacks a piece.
    pub fn new(game: &'a G, manifest: &'a Manifest, factory: &'a dyn Factory<G>) -> Result<Self> {
        let values = manifest.values.by_kind(game)?;
        let workshop = Workshop { game, manifest, factory, values, idle: Mutex::default() };
        // Wrong settings show before anything is played.
        let players = workshop.players()?;
        workshop.give_back(players);
        Ok(workshop)
    }

    /// The run.
    pub fn manifest(&self) -> &'a Manifest {
        self.manifest
    }

    fn players(&self) -> Result<Players<G>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let specs = &self.manifest.experiment.players;
        let make = |spec: &PlayerSpec| self.factory.make(self.game, spec);
        match idle {
            Some(players) => Ok(players),
            // A player that plays itself is two: each side has tables of its own.
            None if specs.len() == 1 => [&specs[0], &specs[0]].into_iter().map(make).collect(),
            None => specs.iter().map(make).collect(),
        }
    }

    fn give_back(&self, players: Players<G>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(players);
    }

    /// Plays a unit. Nothing if `stop` said so before it was finished.
    ///
    /// # Errors
    /// A player that cannot be made again, points that cannot be paid.
    pub fn play(
        &self,
        unit: u64,
        opening: &Opening<G::State>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<UnitRows>> {
        let experiment = &self.manifest.experiment;
        let per_unit = experiment.games_per_unit();
        let seed = unit_seed(experiment.seed, unit);
        let mut games = Vec::new();
        for index in 0..per_unit {
            // The first game of a pair has the first player White, the second exchanges colours, or set-ups.
            let sides = experiment.seats(index as usize);
            let opening = opening.of_game(index as usize);
            let game_id = (unit - 1) * per_unit + index + 1;
            let Some(record) = self.game_of(&opening, seed, sides, game_id, stop)? else {
                return Ok(None);
            };
            games.push(self.rows(&record, &opening, unit, game_id, seed, sides)?);
        }
        Ok(Some(UnitRows { unit_id: unit, games }))
    }

    /// Plays one game. A panic in a player or in the engine ends this game, by `fault-crash`, and no other.
    fn game_of(
        &self,
        opening: &Opening<G::State>,
        seed: u64,
        sides: [usize; 2],
        game_id: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Record<G::State>>> {
        let experiment = &self.manifest.experiment;
        let mut players = self.players()?;
        let terms = Terms { limits: experiment.limits(), matrix: experiment.payoff.as_ref() };
        let mut record = Record::new(opening);
        let [first, second] = players.as_mut_slice() else { anyhow::bail!("a game needs two players") };
        let mut pair: [&mut dyn Player<G>; 2] = [first.as_mut(), second.as_mut()];
        // With one spec both are 0 and the order does not matter.
        if sides[0] == 1 {
            pair.swap(0, 1);
        }
        let policies = sides.map(|i| &experiment.players[i].offers);
        let mut table = Table { players: pair, policies };
        let played = catch_unwind(AssertUnwindSafe(|| {
            play(self.game, opening, terms, seed, &mut table, &mut record, stop)
        }));
        match played {
            Ok(true) => self.give_back(players),
            Ok(false) => {
                self.give_back(players);
                return Ok(None);
            }
            // What the players hold now is anyone's guess: new ones are made.
            Err(_) => record.fault = Some("it panicked (see above)".to_owned()),
        }
        if let Some(fault) = &record.fault {
            eprintln!("game {game_id}: {}: {fault}", record.ending.termination);
        }
        Ok(Some(record))
    }

    fn rows(
        &self,
        record: &Record<G::State>,
        opening: &Opening<G::State>,
        unit_id: u64,
        game_id: u64,
        seed: u64,
        sides: [usize; 2],
    ) -> Result<(GameRow, MetricsRow, MovesRow)> {
        let experiment = &self.manifest.experiment;
        let [white, black] = sides.map(|i| experiment.players[i].name.clone());
        let matrix = experiment.payoff.as_ref();
        let row = GameRow {
            game_id,
            unit_id,
            opening_id: opening.id,
            game: experiment.game.clone(),
            options: self.game.options().to_string(),
            seed,
            start_fen: self.game.fen(&record.start),
            opening_plies: record.opening_plies as u32,
            white,
            black,
            result: record.ending.result,
            termination: record.ending.termination,
            plies: record.plies,
            moves: record.last_number,
            payoff: matrix.map(|m| m.spec().name.clone()).unwrap_or_default(),
            points: record.points(matrix)?,
            draw_offer: record.draw_offer.clone(),
            resign_offer: record.resign_offer.clone(),
            eval_final: record.eval_final.clone(),
            nodes_white: record.nodes[0],
            nodes_black: record.nodes[1],
            duplicate_of: None,
        };
        let replay = Replay {
            game: self.game,
            start: record.start.clone(),
            moves: &record.moves,
            evals: &record.evals,
            opening_plies: record.opening_plies,
            values: &self.values,
        };
        let (metrics, moves) = metrics::rows(game_id, &replay);
        Ok((row, metrics, moves))
    }
}
