//! Other programs as players, over UCI or XBoard's protocol.
//!
//! Whatever such a program does wrong ends the game at hand with a termination of its own (it died, it hung,
//! it made an illegal move, it broke the protocol) and never the run: for the next game it is started anew.
//! What it plays depends on clocks and on the program, so these players are not repeatable.

mod process;
mod uci;
mod xboard;

use super::{Fault, Player};
use crate::experiment::{ExternalSpec, Wire};
use anyhow::{Result, anyhow};
use engine::outcome::Termination;
use engine::search::{Playable, Score};

/// The program of a player, started and ready.
///
/// # Errors
/// A program that cannot be started, does not answer, or does not play the game.
pub fn start<G: Playable>(game: &G, name: &str, spec: &ExternalSpec) -> Result<Box<dyn Player<G>>> {
    let started: Result<Box<dyn Player<G>>, Fault> = match spec.wire {
        Wire::Uci => uci::UciPlayer::start(game, spec).map(|p| Box::new(p) as _),
        Wire::Xboard => xboard::XboardPlayer::start(game, spec).map(|p| Box::new(p) as _),
    };
    started.map_err(|fault| anyhow!("player `{name}` ({}): {}", spec.command.join(" "), fault.text))
}

/// The program of a player, to be started when it is first asked for a move.
pub fn idle<G: Playable>(game: &G, spec: &ExternalSpec) -> Box<dyn Player<G>> {
    match spec.wire {
        Wire::Uci => Box::new(uci::UciPlayer::idle(game, spec)),
        Wire::Xboard => Box::new(xboard::XboardPlayer::idle(game, spec)),
    }
}

fn fault(termination: Termination, text: impl Into<String>) -> Fault {
    Fault { termination, text: text.into() }
}

/// The protocol was broken.
fn protocol(text: impl Into<String>) -> Fault {
    fault(Termination::FaultProtocol, text)
}

/// A mate in so many moves of the side that mates, as a score: negative for the side to move's own loss.
fn mate(moves: i64) -> Score {
    let moves_away = u32::try_from(moves.unsigned_abs()).unwrap_or(u32::MAX);
    match moves {
        0 => Score::loss_in(0),
        1.. => Score::win_in(moves_away.saturating_mul(2).saturating_sub(1)),
        _ => Score::loss_in(moves_away.saturating_mul(2)),
    }
}

/// A score in centipawns as some program wrote it.
fn centipawns(value: i64) -> Score {
    Score::centipawns(value.clamp(-1_000_000, 1_000_000) as i32)
}
