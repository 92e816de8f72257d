//! Games played at random, the same on every run.

use equipoise_engine::game::{Game, Which};
use equipoise_engine::moves::Move;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The moves of one game from the start, at most `plies` of them.
pub fn walk<G: Game>(game: &G, seed: u64, plies: usize) -> Vec<Move> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start();
    let mut played = Vec::new();
    let mut list = Vec::new();
    for _ in 0..plies {
        list.clear();
        game.generate(&state, Which::All, &mut list);
        if list.is_empty() {
            break;
        }
        let m = list[rng.random_range(0..list.len())];
        game.play(&mut state, m, &mut ());
        played.push(m);
    }
    played
}
