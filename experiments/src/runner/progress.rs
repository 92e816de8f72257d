//! Progress on standard error: a bar on a terminal, a plain line about every ten seconds elsewhere.

use crate::summary::Summary;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Shows how far a run is.
pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    last: Instant,
    units: u64,
    before: u64,
}

impl Progress {
    /// A run of `units` units at most, of which `before` are in the log already.
    pub fn new(units: u64, before: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(units).with_position(before);
            let template = "{bar:30} {pos}/{len} units  {msg}  {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        Progress { bar, started: now, last: now, units, before }
    }

    /// Shows the figures so far, if it is time to.
    pub fn show(&mut self, summary: &Summary) {
        if let Some(bar) = &self.bar {
            bar.set_position(summary.units);
            bar.set_message(self.message(summary));
        } else if self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            let played = summary.units.saturating_sub(self.before);
            let left = self.units.saturating_sub(summary.units);
            let seconds = self.started.elapsed().as_secs_f64() / played.max(1) as f64 * left as f64;
            eprintln!(
                "{}/{} units, {}, about {seconds:.0} s left",
                summary.units,
                self.units,
                self.message(summary)
            );
        }
    }

    fn message(&self, summary: &Summary) -> String {
        let per_unit = summary.games as f64 / summary.units.max(1) as f64;
        let played = summary.units.saturating_sub(self.before) as f64 * per_unit;
        let rate = played / self.started.elapsed().as_secs_f64().max(1e-3);
        let drawn = 100.0 * summary.draws() as f64 / summary.games.max(1) as f64;
        format!("{} games, {rate:.1} a second, {drawn:.1} % drawn", summary.games)
    }

    /// Takes the bar away.
    pub fn finish(&mut self, summary: &Summary) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
            eprintln!("{}", self.message(summary));
        }
    }
}
