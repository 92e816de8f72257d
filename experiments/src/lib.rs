//! Experiments: everything that reads and writes files, runs games in parallel and prints.

pub mod stats;
