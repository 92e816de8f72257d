//! Experiments: everything that reads and writes files, runs games in parallel and prints.

pub mod card;
pub mod claims;
pub mod cli;
pub mod contest;
pub mod cpu;
pub mod data_option;
pub mod duplicates;
pub mod experiment;
pub mod failure;
pub mod fingerprint;
pub mod log;
pub mod metrics;
pub mod openings;
pub mod play;
pub mod players;
pub mod positions;
pub mod protocol;
pub mod random;
pub mod report;
pub mod reporting;
pub mod runner;
pub mod session;
pub mod stats;
pub mod summary;
pub mod tables;
pub mod verify;
