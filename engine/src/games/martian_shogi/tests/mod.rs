//! The rules sentence by sentence, the text forms, what holds in all positions.

mod eval;
mod random;
mod rules;
mod text;

use super::{INFO, MartianShogi, State};
use crate::game::{Game, Which};
use crate::notation::{legal_uci, parse_uci};
use crate::options::Options;

/// The game with `options`, as `name=value name=value`.
fn game(options: &str) -> MartianShogi {
    let pairs = options.split_whitespace().map(|o| o.split_once('=').expect("name=value"));
    MartianShogi::new(Options::resolve(INFO.name, INFO.options, pairs).expect("options of the game"))
}

/// A position of the game with a clock of 7 plies at move 9, its stash derived, its hands in brackets.
fn at(game: &MartianShogi, placement: &str, side: char) -> State {
    let unmoved = if game.options().is_true("pawn_double_first_move") { " -" } else { "" };
    game.parse_fen(&format!("{placement} {side} - 7 9{unmoved}")).expect("a position of the test")
}

/// Legal moves that begin with `start`, without it, sorted.
fn moves(game: &MartianShogi, state: &State, start: &str) -> String {
    let all = legal_uci(game, state);
    all.iter().filter_map(|m| m.strip_prefix(start)).collect::<Vec<_>>().join(" ")
}

/// The position after moves in UCI.
fn after(game: &MartianShogi, state: &State, moves: &str) -> State {
    let mut state = state.clone();
    for text in moves.split_whitespace() {
        let m = parse_uci(game, &state, text).expect("a legal move of the test");
        game.play(&mut state, m, &mut ());
        assert_eq!(game.key(&state), game.fresh_key(&state));
    }
    state
}

/// Moves of one sort, in UCI, sorted.
fn listed(game: &MartianShogi, state: &State, which: Which) -> Vec<String> {
    let mut list = Vec::new();
    game.generate(state, which, &mut list);
    let mut names: Vec<String> = list.iter().map(|&m| game.uci(state, m)).collect();
    names.sort();
    names
}
