//! The players of this program.

use super::{Factory, Fault, Player, Thought, external};
use crate::experiment::{Errors, PlayerKind, PlayerSpec};
use crate::random::{Domain, below, fraction, generator};
use anyhow::{Result, anyhow, bail};
use engine::eval::{Layout, Weights};
use engine::game::Which;
use engine::moves::Move;
use engine::outcome::Termination;
use engine::referee::Referee;

use engine::search::{Limits, Noise, Playable, Searcher};
use rand_chacha::ChaCha8Rng;
use std::sync::{Mutex, PoisonError};

/// Makes the players that experiment files name.
#[derive(Debug, Default)]
pub struct BuiltIn {
    /// Other programs that have played: should one of them fail to start, that is a fault of the game at
    /// hand, no longer a wrong experiment.
    proven: Mutex<Vec<String>>,
}

impl<G: Playable> Factory<G> for BuiltIn {
    fn make(&self, game: &G, spec: &PlayerSpec) -> Result<Box<dyn Player<G>>> {
        Ok(match &spec.kind {
            PlayerKind::External(external) => {
                let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
                if !proven.contains(&spec.name) {
                    // One after the other: a machine that is busy starting the first is slow to start more.
                    let player = external::start(game, &spec.name, external)?;
                    proven.push(spec.name.clone());
                    return Ok(player);
                }
                external::idle(game, external)
            }
            PlayerKind::Imported => {
                bail!("player `{}` played elsewhere: there is nothing here to play it", spec.name)
            }
            PlayerKind::Random => Box::new(RandomPlayer { rng: generator(0, Domain::Player, 0, 0) }),
            PlayerKind::Search { nodes, eval, settings, errors } => {
                let weights = match eval {
                    Some(text) => Weights::parse(&Layout::of(game).0, text),
                    None => Weights::default_of(game),
                }
                .map_err(|e| anyhow!("evaluation of player `{}`: {e}", spec.name))?;
                let bytes = table_bytes(*nodes);
                let params = settings.params(game);
                let searcher = Searcher::with_weights(game.clone(), &weights, bytes, params);
                let player = SearchPlayer { searcher, limits: Limits::nodes(*nodes) };
                if *errors == Errors::default() {
                    Box::new(player)
                } else {
                    Box::new(Fallible { player, errors: *errors, rng: generator(0, Domain::Player, 0, 0) })
                }
            }
        })
    }
}

/// Size of a player's transposition table: about one entry of 16 bytes for each node of ten moves, from
/// 256 KiB to 64 MiB. A function of the node budget alone, because it changes what is played.
pub fn table_bytes(nodes: u64) -> usize {
    nodes.saturating_mul(160).clamp(256 << 10, 64 << 20).next_power_of_two() as usize
}

struct SearchPlayer<G: Playable> {
    searcher: Searcher<G>,
    limits: Limits,
}

impl<G: Playable> Player<G> for SearchPlayer<G> {
    fn new_game(&mut self, _seed: u64) {
        self.searcher.new_game();
    }

    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        let found = self.searcher.search(referee.state(), referee.keys(), &self.limits, &mut |_| {});
        if found.best.is_none() {
            return Err(no_move());
        }
        Ok(Thought { best: found.best, score: Some(found.score), nodes: found.nodes })
    }
}

/// A search that misjudges positions, and whose hand slips.
struct Fallible<G: Playable> {
    player: SearchPlayer<G>,
    errors: Errors,
    rng: ChaCha8Rng,
}

impl<G: Playable> Player<G> for Fallible<G> {
    fn new_game(&mut self, seed: u64) {
        self.rng = generator(seed, Domain::Player, 0, 0);
        self.player.searcher.set_noise(Noise { deviation: self.errors.noise, seed });
        self.player.new_game(seed);
    }

    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        // It thinks first: what it makes of the position goes into the log, and prices offers.
        let thought = self.player.think(referee)?;
        if fraction(&mut self.rng) >= self.errors.blunder {
            return Ok(thought);
        }
        Ok(Thought { best: any_move(referee, &mut self.rng)?, ..thought })
    }
}

struct RandomPlayer {
    rng: ChaCha8Rng,
}

impl<G: Playable> Player<G> for RandomPlayer {
    fn new_game(&mut self, seed: u64) {
        self.rng = generator(seed, Domain::Player, 0, 0);
    }

    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        Ok(Thought { best: any_move(referee, &mut self.rng)?, score: None, nodes: 0 })
    }
}

/// One of the legal moves, each equally likely.
fn any_move<G: Playable>(referee: &Referee<G>, rng: &mut ChaCha8Rng) -> Result<Move, Fault> {
    let mut list = Vec::new();
    referee.game().generate(referee.state(), Which::All, &mut list);
    if list.is_empty() {
        return Err(no_move());
    }
    Ok(list[below(rng, list.len() as u64) as usize])
}

fn no_move() -> Fault {
    Fault { termination: Termination::FaultProtocol, text: "no move where one was wanted".to_owned() }
}
