//! Rules, evaluation and search of the games. No files, no threads, no clock, no globals:
//! text and numbers in, positions, moves and scores out.
//!
//! Start at [`game::Game`], the trait that every game implements, and [`games`], the registry.

pub mod bench;
pub mod board;
pub mod diagram;
pub mod eval;
pub mod exact;
pub mod game;
pub mod games;
pub mod moves;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod payoff;
pub mod perft;
pub mod referee;
pub mod search;
pub mod side;
