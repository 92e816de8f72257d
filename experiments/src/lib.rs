//! Experiments: everything that reads and writes files, runs games in parallel and prints.

pub mod cli;
pub mod cpu;
pub mod failure;
pub mod report;
pub mod stats;
