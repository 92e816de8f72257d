//! Move text and PGN, for every registered game.

mod fuzz;
mod pgn;
mod random;
mod san;
