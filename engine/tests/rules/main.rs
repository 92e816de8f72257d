//! The rules pages, sentence by sentence: each test is named by what it says.
//!
//! The inventors' own examples are here by name, and the pitfalls of move generation that boards of this kind have.
//! MChess and Martian Shogi have theirs beside their code; Magi's payoff in the payoff module.

mod ask;
mod chess;
mod claims;
mod conventions;
mod mageca;
mod magi;
mod malformed;
mod multi_chess;
mod pitfalls;
