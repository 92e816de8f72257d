//! Writing a log unit by unit, and repairing one whose writer was killed.

use super::{Folder, GAMES, GameRow, METRICS, MOVES, MovesRow, UnitRows};
use crate::failure::disk;
use anyhow::Result;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// The three files of rows, in the order in which a unit is written: a unit that games.csv has, all have.
fn files() -> [(&'static str, Vec<&'static str>); 3] {
    let mut metrics = vec!["game_id"];
    metrics.extend(crate::metrics::COLUMNS);
    [(MOVES, MovesRow::COLUMNS.to_vec()), (METRICS, metrics), (GAMES, GameRow::COLUMNS.to_vec())]
}

/// The one writer of a log.
#[derive(Debug)]
pub struct LogWriter {
    files: Vec<(PathBuf, File)>,
}

impl LogWriter {
    /// Opens the log for appending; writes the headers if there is none.
    ///
    /// # Errors
    /// The disk.
    pub fn open(folder: &Folder) -> Result<LogWriter> {
        let mut open = Vec::new();
        for (name, columns) in files() {
            let path = folder.path().join(name);
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&path)
                .map_err(|e| disk("write", &path, e))?;
            if file.metadata().map_err(|e| disk("read", &path, e))?.len() == 0 {
                file.write_all(format!("{}\n", columns.join(",")).as_bytes())
                    .map_err(|e| disk("write", &path, e))?;
            }
            open.push((path, file));
        }
        Ok(LogWriter { files: open })
    }

    /// Appends a unit.
    ///
    /// # Errors
    /// The disk. The unit is then incomplete, and [`repair`] takes it off.
    pub fn append(&mut self, unit: &UnitRows) -> Result<()> {
        for (i, (path, file)) in self.files.iter_mut().enumerate() {
            let mut csv =
                csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
            for (game, metrics, moves) in &unit.games {
                let fields = match i {
                    0 => moves.fields(),
                    1 => metrics.fields(),
                    _ => game.fields(),
                };
                csv.write_record(&fields)?;
            }
            let bytes = csv.into_inner().map_err(|e| e.into_error())?;
            // One write a unit: what a killed process leaves is whole units and at most one torn one.
            file.write_all(&bytes).map_err(|e| disk("write", path, e))?;
        }
        Ok(())
    }

    /// Makes sure that all is on the disk.
    ///
    /// # Errors
    /// The disk.
    pub fn sync(&self) -> Result<()> {
        self.files.iter().try_for_each(|(path, file)| file.sync_data().map_err(|e| disk("write", path, e)))
    }
}

/// What [`repair`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Whole units in the log.
    pub units: u64,
    /// Bytes of torn rows taken off.
    pub removed: u64,
}

/// Takes off what a killed writer left of a unit: every file is cut to the units that all have whole.
/// Reads line by line; no field holds a line break.
///
/// # Errors
/// The disk.
pub fn repair(folder: &Folder, per_unit: u64) -> Result<Repaired> {
    let mut units = u64::MAX;
    for (name, _) in files() {
        let rows = whole_lines(&folder.path().join(name), u64::MAX)?.0.saturating_sub(1);
        units = units.min(rows / per_unit);
    }
    let mut removed = 0;
    for (name, _) in files() {
        let path = folder.path().join(name);
        let (_, keep, total) = whole_lines(&path, 1 + units * per_unit)?;
        if keep < total {
            removed += total - keep;
            OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|f| f.set_len(keep))
                .map_err(|e| disk("cut the torn end off", &path, e))?;
        }
    }
    Ok(Repaired { units, removed })
}

/// (whole lines up to `most`, their bytes, bytes of the file). All zero if there is no file.
fn whole_lines(path: &Path, most: u64) -> Result<(u64, u64, u64)> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok((0, 0, 0)),
        Err(e) => return Err(disk("read", path, e)),
    };
    let metadata = file.metadata().map_err(|e| disk("read", path, e))?;
    if !metadata.is_file() {
        anyhow::bail!("{} is not a file", path.display());
    }
    let total = metadata.len();
    let mut reader = BufReader::new(file);
    let (mut lines, mut bytes) = (0, 0);
    let mut line = Vec::new();
    while lines < most {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(|e| disk("read", path, e))?;
        if read == 0 || line.last() != Some(&b'\n') {
            break;
        }
        lines += 1;
        bytes += read as u64;
    }
    Ok((lines, bytes, total))
}
