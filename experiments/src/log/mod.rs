//! The log of a run: its folder, the rows of its files, reading, writing, repairing.
//!
//! Nothing in the CSV files depends on time, thread count, shard count, interruption or machine.

mod folder;
mod manifest;
mod reader;
mod rows;
mod writer;

pub use folder::{Folder, write_whole};
pub use manifest::{Manifest, Shard};
pub use reader::LogReader;
pub use rows::{GameRow, MetricsRow, MovesRow, OfferLog, RowError, UnitRows, is_eval};
pub use writer::{LogWriter, Repaired, repair};

/// A game a row: what happened.
pub const GAMES: &str = "games.csv";
/// A game a row: moves and evaluations.
pub const MOVES: &str = "moves.csv";
/// A game a row: what is derived by replaying it.
pub const METRICS: &str = "metrics.csv";
/// The experiment as resolved, and what produced the log.
pub const MANIFEST: &str = "manifest.toml";
/// Figures without timings.
pub const SUMMARY: &str = "summary.json";
/// Timings.
pub const TIMING: &str = "timing.json";
