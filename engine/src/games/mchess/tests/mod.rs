//! The rules, sentence by sentence.

mod options;
mod placing;
mod text;
mod turns;
mod walks;

use super::{INFO, MChess, Numbers, State};
use crate::game::{Game, Which};
use crate::notation::{legal_uci, parse_uci};
use crate::options::Options;

/// The game with some options set.
fn game(given: &[(&str, &str)]) -> MChess {
    MChess::new(Options::resolve(INFO.name, INFO.options, given.iter().copied()).unwrap())
}

/// The position of a FEN.
fn read(game: &MChess, fen: &str) -> State {
    game.parse_fen(fen).unwrap_or_else(|e| panic!("{e}"))
}

/// The FEN after moves.
fn after(game: &MChess, fen: &str, moves: &str) -> String {
    let mut state = read(game, fen);
    for text in moves.split_whitespace() {
        let m = parse_uci(game, &state, text).unwrap_or_else(|e| panic!("{e}"));
        game.play(&mut state, m, &mut ());
    }
    game.fen(&state)
}

/// The health field after a move.
fn health_after(game: &MChess, fen: &str, m: &str) -> String {
    after(game, fen, m).split(' ').next_back().unwrap().to_owned()
}

/// The legal moves from a square, sorted.
fn moves_from(game: &MChess, fen: &str, square: &str) -> Vec<String> {
    let all = legal_uci(game, &read(game, fen));
    all.into_iter().filter(|m| m.starts_with(square)).map(|m| m[2..].to_owned()).collect()
}

/// All legal moves in order of generation.
fn list(game: &MChess, state: &State, which: Which) -> Vec<crate::moves::Move> {
    let mut list = Vec::new();
    game.generate(state, which, &mut list);
    list
}
