//! A handful of games, for the time they take and for what games are like.

use crate::experiment::Experiment;
use crate::log::{Shard, UnitRows};
use crate::openings::Source;
use crate::players::BuiltIn;
use crate::random::unit_seed;
use crate::runner::Workshop;
use crate::session;
use anyhow::{Result, anyhow, bail};
use engine::games::Visitor;
use engine::search::Playable;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Most units played, however quick they are.
const MOST_UNITS: u64 = 200;
/// A unit that takes so many times the time allowed is given up.
const PATIENCE: u32 = 12;

/// What calibration games showed.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Units played, in no particular order of time.
    pub units: Vec<UnitRows>,
    /// Mean seconds of one thread for a unit, all threads being busy.
    pub seconds_a_unit: f64,
    /// Seconds it took.
    pub seconds: f64,
}

/// Plays units of `experiment` for about `time` on `threads` threads, under a seed of their own: no game of
/// the run is looked at.
///
/// # Errors
/// Players or openings that cannot be had; not one unit in many times the time.
pub fn calibrate(experiment: &Experiment, threads: usize, time: Duration) -> Result<Calibration> {
    if experiment.is_imported() {
        bail!(
            "{} is an import of games that were played elsewhere: there is nothing to plan",
            experiment.name
        );
    }
    if experiment.ladder.is_some() || experiment.race.is_some() {
        bail!("{} is many runs (a ladder, a race), expected an experiment of one run", experiment.name);
    }
    let mut experiment = experiment.clone();
    experiment.seed = unit_seed(experiment.seed, 0);
    engine::games::with(
        &experiment.game,
        experiment.option_pairs(),
        Calibrate { experiment: &experiment, threads, time },
    )?
}

struct Calibrate<'a> {
    experiment: &'a Experiment,
    threads: usize,
    time: Duration,
}

/// What the workers share.
struct Shared<'a, G: Playable> {
    source: Source<'a, G>,
    next: u64,
    finished: Vec<(UnitRows, f64)>,
}

impl Visitor for Calibrate<'_> {
    type Output = Result<Calibration>;

    fn visit<G: Playable>(self, game: G) -> Result<Calibration> {
        let manifest = session::manifest(self.experiment, Shard::WHOLE, true)?;
        let factory = BuiltIn::default();
        let workshop = Workshop::new(&game, &manifest, &factory)?;
        let most = MOST_UNITS.min(self.experiment.units());
        let source = Source::new(game.clone(), self.experiment)?;
        let shared = Mutex::new(Shared { source, next: 1, finished: Vec::new() });
        let started = Instant::now();
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let give_up = || started.elapsed() > self.time * PATIENCE;
        let work = || -> Result<()> {
            loop {
                let (unit, opening) = {
                    let mut shared = lock();
                    if shared.next > most || started.elapsed() > self.time {
                        return Ok(());
                    }
                    shared.next += 1;
                    (shared.next - 1, shared.source.draw()?)
                };
                let begun = Instant::now();
                let Some(rows) = workshop.play(unit, &opening, &give_up)? else { return Ok(()) };
                lock().finished.push((rows, begun.elapsed().as_secs_f64()));
            }
        };
        std::thread::scope(|scope| -> Result<()> {
            let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                worker.join().map_err(|_| anyhow!("a worker is gone"))??;
            }
            Ok(())
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if shared.finished.is_empty() {
            bail!("no game ended within {seconds:.0} s: give calibration more time with --seconds");
        }
        let total: f64 = shared.finished.iter().map(|(_, s)| s).sum();
        let seconds_a_unit = total / shared.finished.len() as f64;
        let mut units: Vec<UnitRows> = shared.finished.into_iter().map(|(rows, _)| rows).collect();
        units.sort_by_key(|u| u.unit_id);
        Ok(Calibration { units, seconds_a_unit, seconds })
    }
}
