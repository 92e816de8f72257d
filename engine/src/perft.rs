//! Counting legal move sequences: the field's check on a move generator.

use crate::game::{Game, Which};
use crate::moves::Move;

/// The number of legal move sequences of `depth` plies from `state`. The last ply is counted in bulk.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count(state),
        _ => descend(game, state, depth, &mut Vec::with_capacity(256)),
    }
}

fn descend<G: Game>(game: &G, state: &G::State, depth: u32, list: &mut Vec<Move>) -> u64 {
    if depth == 1 {
        return game.count(state);
    }
    // One list for the whole tree: each ply works on its own end of it, so nothing is allocated.
    let first = list.len();
    game.generate(state, Which::All, list);
    let mut nodes = 0;
    for i in first..list.len() {
        let mut next = state.clone();
        game.play(&mut next, list[i], &mut ());
        nodes += descend(game, &next, depth - 1, list);
    }
    list.truncate(first);
    nodes
}

/// [`perft`] split by first move, in order of generation.
pub fn divide<G: Game>(game: &G, state: &G::State, depth: u32) -> Vec<(Move, u64)> {
    let mut list = Vec::new();
    game.generate(state, Which::All, &mut list);
    list.into_iter()
        .map(|m| {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            (m, perft(game, &next, depth.saturating_sub(1)))
        })
        .collect()
}
