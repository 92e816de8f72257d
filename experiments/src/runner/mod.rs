//! Running an experiment: openings drawn in order, games played in parallel, one writer in the order of
//! units, verdicts on the contiguous prefix.
//!
//! The calling thread draws openings and writes; rayon's workers play. Never more than a small window of
//! units is between the two, so memory does not grow with the number of games, and whatever order workers
//! finish in, the log is the same.

mod ledger;
mod progress;
mod unit;

pub use ledger::Ledger;
pub use progress::Progress;
pub use unit::Workshop;

use crate::claims::Standing;
use crate::contest::Contest;
use crate::log::{Folder, LogReader, LogWriter, Manifest, Repaired, UnitRows, repair};
use crate::openings::Source;
use crate::players::Factory;
use crate::summary::Summary;
use anyhow::{Context, Result, anyhow, bail};
use engine::search::Playable;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Units between drawing and writing, for each worker.
const WINDOW: u64 = 8;

/// How to run, apart from what.
pub struct Settings<'a> {
    /// Workers.
    pub threads: usize,
    /// Set by Ctrl-C: games in progress are dropped, all whole units before them are kept.
    pub interrupted: &'a AtomicBool,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// Figures of the whole log.
    pub summary: Summary,
    /// Where the claims that rest on games stand.
    pub standings: Vec<Standing>,
    /// The first player against the second, if there are two.
    pub contest: Option<Contest>,
    /// Whether it was interrupted before its end.
    pub interrupted: bool,
    /// Units that were in the log before.
    pub resumed_units: u64,
    /// Units played now.
    pub played_units: u64,
    /// Bytes of torn rows that were taken off.
    pub removed_bytes: u64,
    /// Seconds from the first opening to the last write.
    pub seconds: f64,
}

/// Plays what is left of a run. The folder holds its manifest.
///
/// # Errors
/// The disk, a log that was edited, openings used up, a player that cannot be made.
pub fn run<G: Playable>(
    game: &G,
    manifest: &Manifest,
    folder: &Folder,
    factory: &dyn Factory<G>,
    settings: &Settings<'_>,
) -> Result<Outcome> {
    let experiment = &manifest.experiment;
    let repaired = repair(folder, experiment.games_per_unit())?;
    let mut writer = LogWriter::open(folder)?;
    let mut ledger = Ledger::new(manifest)?;
    let mut source = Source::new(game.clone(), experiment)?;
    let resumed = read_back(game, manifest, folder, &mut source, &mut ledger, repaired)?;
    let workshop = Workshop::new(game, manifest, factory)?;
    let started = Instant::now();
    let played = if ledger.is_decided() {
        0
    } else {
        play(&workshop, &mut source, &mut ledger, &mut writer, resumed.next_unit, settings)?
    };
    writer.sync()?;
    let interrupted = settings.interrupted.load(Ordering::SeqCst)
        && !ledger.is_decided()
        && ledger.summary.units < units_of(manifest);
    Ok(Outcome {
        standings: ledger.judge.standings(),
        summary: ledger.summary,
        contest: ledger.contest,
        interrupted,
        resumed_units: resumed.units,
        played_units: played,
        removed_bytes: repaired.removed,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Units of this part of the run at most.
pub fn units_of(manifest: &Manifest) -> u64 {
    let (units, shard) = (manifest.experiment.units(), manifest.shard);
    (units + shard.count - shard.index) / shard.count
}

struct Resumed {
    units: u64,
    next_unit: u64,
}

/// Feeds the units already in the log to the ledger, and walks the openings up to them.
fn read_back<G: Playable>(
    game: &G,
    manifest: &Manifest,
    folder: &Folder,
    source: &mut Source<'_, G>,
    ledger: &mut Ledger,
    repaired: Repaired,
) -> Result<Resumed> {
    let mut resumed = Resumed { units: 0, next_unit: 1 };
    if repaired.units == 0 {
        return Ok(resumed);
    }
    let mut reader = LogReader::open(folder.path(), manifest.experiment.games_per_unit())?;
    while let Some(unit) = reader.next_unit()? {
        let at = reader.at();
        if ledger.is_decided() {
            bail!("{at}: the log goes on after all was decided");
        }
        let opening = loop {
            let opening = source.draw()?;
            resumed.next_unit += 1;
            if manifest.shard.has(resumed.next_unit - 1) {
                break opening;
            }
        };
        if unit.unit_id != resumed.next_unit - 1 {
            bail!("{at}: unit {} was expected, and unit {} is there", resumed.next_unit - 1, unit.unit_id);
        }
        if unit.unit_id > manifest.experiment.units() {
            bail!("{at}: unit {} is beyond the experiment's {}", unit.unit_id, manifest.experiment.units());
        }
        for (index, (row, _, moves)) in unit.games.iter().enumerate() {
            let opening = opening.of_game(index);
            let mut state = opening.start.clone();
            let same_start = row.start_fen == game.fen(&state);
            let same_moves = opening.moves.iter().enumerate().all(|(i, &m)| {
                let same = moves.moves.get(i).is_some_and(|text| *text == game.uci(&state, m));
                game.play(&mut state, m, &mut ());
                same
            });
            if !same_start || !same_moves {
                bail!("{at}: game {} does not begin with the opening of its unit", row.game_id);
            }
            ledger.duplicates.check(row, moves).with_context(|| at.clone())?;
        }
        ledger.take(&unit)?;
        resumed.units += 1;
    }
    if resumed.units != repaired.units {
        bail!("{}: the log holds {} units, expected {}", reader.at(), resumed.units, repaired.units);
    }
    Ok(resumed)
}

/// Plays units from `next` on; gives how many were written.
fn play<G: Playable>(
    workshop: &Workshop<'_, G>,
    source: &mut Source<'_, G>,
    ledger: &mut Ledger,
    writer: &mut LogWriter,
    mut next: u64,
    settings: &Settings<'_>,
) -> Result<u64> {
    let manifest = workshop.manifest();
    let (units, shard) = (manifest.experiment.units(), manifest.shard);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .map_err(|e| anyhow!("cannot start {} threads: {e}", settings.threads))?;
    // Tells workers to drop their games: the run is over for whatever reason.
    let over = AtomicBool::new(false);
    let stop = || over.load(Ordering::Relaxed) || settings.interrupted.load(Ordering::Relaxed);
    let mut progress = Progress::new(units_of(manifest), ledger.summary.units);
    let mut written = 0;
    let result = pool.in_place_scope_fifo(|scope| -> Result<()> {
        let (send, receive) = mpsc::channel::<(u64, Result<Option<UnitRows>>)>();
        let mut finished = BTreeMap::new();
        // Numbers of the units between drawing and writing, in order.
        let mut open = std::collections::VecDeque::new();
        let finish = |result: Result<()>| {
            over.store(true, Ordering::Relaxed);
            result
        };
        loop {
            while (open.len() as u64) < WINDOW * settings.threads as u64 && next <= units && !stop() {
                let opening = match source.draw() {
                    Ok(opening) => opening,
                    Err(e) => return finish(Err(e)),
                };
                let unit = next;
                next += 1;
                if shard.has(unit) {
                    open.push_back(unit);
                    let (send, stop) = (send.clone(), &stop);
                    scope.spawn_fifo(move |_| {
                        // The receiver is gone only when the run is over.
                        let _ = send.send((unit, workshop.play(unit, &opening, stop)));
                    });
                }
            }
            let Some(&first) = open.front() else { return finish(Ok(())) };
            match receive.recv_timeout(Duration::from_millis(200)) {
                Ok((unit, rows)) => {
                    finished.insert(unit, rows);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return finish(Err(anyhow!("the workers are gone")));
                }
            }
            let mut first = Some(first);
            while let Some(rows) = first.and_then(|unit| finished.remove(&unit)) {
                open.pop_front();
                first = open.front().copied();
                let written_one = rows.and_then(|rows| match rows {
                    // Dropped: nothing from here on is whole.
                    None => Ok(false),
                    Some(mut rows) => {
                        for (game, _, moves) in &mut rows.games {
                            game.duplicate_of = ledger.duplicates.note(game, moves);
                        }
                        ledger.take(&rows)?;
                        writer.append(&rows)?;
                        Ok(true)
                    }
                });
                match written_one {
                    Ok(true) => {}
                    Ok(false) => return finish(Ok(())),
                    Err(e) => return finish(Err(e)),
                }
                written += 1;
                progress.show(&ledger.summary);
                if ledger.is_decided() {
                    return finish(Ok(()));
                }
            }
        }
    });
    progress.finish(&ledger.summary);
    result.map(|()| written)
}

#[cfg(test)]
mod tests;
