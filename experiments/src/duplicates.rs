//! Games that come out identical all the same: found, marked and kept. Dropping them would depend on the
//! outcome.

use crate::log::{GameRow, MovesRow};
use anyhow::{Result, bail};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Knows all games so far by a 64-bit hash of their start and moves: about 24 bytes a game.
#[derive(Debug, Default)]
pub struct Duplicates {
    first: HashMap<u64, u64>,
}

impl Duplicates {
    /// The first game with the same start and moves, if there is one; otherwise this one is remembered.
    pub fn note(&mut self, game: &GameRow, moves: &MovesRow) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        (&game.start_fen, &moves.moves).hash(&mut hasher);
        let first = *self.first.entry(hasher.finish()).or_insert(game.game_id);
        (first != game.game_id).then_some(first)
    }

    /// Remembers a game from a log.
    ///
    /// # Errors
    /// A `duplicate_of` that is not what it should be.
    pub fn check(&mut self, game: &GameRow, moves: &MovesRow) -> Result<()> {
        let name = |id: Option<u64>| id.map_or_else(|| "empty".to_owned(), |id| id.to_string());
        let found = self.note(game, moves);
        if found != game.duplicate_of {
            bail!(
                "duplicate_of of game {} is {}, expected {}",
                game.game_id,
                name(game.duplicate_of),
                name(found)
            );
        }
        Ok(())
    }
}
