//! The engine for other programs: UCI and XBoard's protocol (CECP 2).
//!
//! A protocol reads lines on one thread and searches on another, so that it hears `stop` and answers
//! `isready`. The engine itself has no clock: time is kept here, in `clock.rs`.

mod clock;
pub mod mock;
mod output;
pub(crate) mod session;
mod settings;
mod thinker;
pub mod uci;
pub mod xboard;

pub use output::Output;
