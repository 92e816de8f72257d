//! Hash keys: kept through moves, and different where positions are.

use crate::at;
use equipoise_engine::game::{Game, Which};
use std::collections::HashMap;

/// The incremental key is the key from scratch, before and after every move, and that of the position read from
/// its text.
pub fn key_is_kept<G: Game>(game: &G, states: &[G::State]) {
    let mut moves = Vec::new();
    for state in states {
        assert_eq!(game.key(state), game.fresh_key(state), "{}", at(game, state));
        moves.clear();
        game.generate(state, Which::All, &mut moves);
        for &m in &moves {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            assert_eq!(game.key(&next), game.fresh_key(&next), "{m:?}: {}", at(game, state));
            let read =
                game.parse_fen(&game.fen(&next)).unwrap_or_else(|e| panic!("{e}: {}", at(game, state)));
            assert_eq!(game.key(&next), game.key(&read), "{m:?}: {}", at(game, state));
        }
    }
}

/// A key foreseen is a guess, but mostly right.
pub fn key_is_foreseen<G: Game>(game: &G, states: &[G::State]) {
    let (mut right, mut guesses, mut moves) = (0, 0, Vec::new());
    for state in states {
        moves.clear();
        game.generate(state, Which::All, &mut moves);
        for &m in &moves {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            if let Some(key) = game.key_foreseen(state, m, game.facts(state, m)) {
                guesses += 1;
                right += u32::from(key == game.key(&next));
            }
        }
    }
    assert!(2 * right >= guesses, "{right} of {guesses} right");
}

/// The text of all that makes two positions the same: the FEN without its two clocks, which are the first two
/// fields of digits alone.
fn without_clocks(fen: &str) -> String {
    let mut clocks = 0;
    let fields = fen.split(' ').filter(|field| {
        let clock = clocks < 2 && field.bytes().all(|b| b.is_ascii_digit());
        clocks += u32::from(clock);
        !clock
    });
    fields.collect::<Vec<_>>().join(" ")
}

/// Positions have the same key exactly if they are the same but for their clocks: all those of the sample and all
/// that one move makes of them.
pub fn key_tells_positions_apart<G: Game>(game: &G, states: &[G::State]) {
    let mut by_key: HashMap<u64, String> = HashMap::new();
    let mut by_text: HashMap<String, u64> = HashMap::new();
    let mut moves = Vec::new();
    for state in states {
        moves.clear();
        game.generate(state, Which::All, &mut moves);
        let mut all = vec![state.clone()];
        for &m in &moves {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            all.push(next);
        }
        for state in all {
            let (key, text) = (game.key(&state), without_clocks(&game.fen(&state)));
            let other = by_key.entry(key).or_insert_with(|| text.clone());
            assert_eq!(*other, text, "two positions of one key");
            let other = by_text.entry(text).or_insert(key);
            assert_eq!(*other, key, "two keys of one position: {}", at(game, &state));
        }
    }
}
