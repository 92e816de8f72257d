//! Boards as sets of bits: geometry, slider attacks, piece tables and hash keys.
//!
//! An 8x8 board fits a `u64`, a 10x10 board a `u128`; square `rank * files + file` is bit number
//! `square`. Everything that depends on the board's size is behind [`Geometry`].

pub mod army;
mod bits;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod gather;
mod geometry;
mod rays;
mod sliders10;
mod sliders8;
pub mod zobrist;

pub use bits::{Bits, Squares};
pub use geometry::{Board8, Board10, Geometry, Reach};
