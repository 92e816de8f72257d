//! Reading a log unit by unit, refusing what does not add up.

use super::rows::Fields;
use super::{GAMES, GameRow, METRICS, MOVES, MetricsRow, MovesRow, RowError, UnitRows};
use anyhow::{Context, Result, anyhow, bail};
use csv::StringRecord;
use std::fs::File;
use std::path::{Path, PathBuf};

/// One CSV file, row by row, by column name.
struct Rows {
    path: PathBuf,
    reader: csv::Reader<File>,
    columns: Vec<(&'static str, usize)>,
    record: StringRecord,
    /// Number of the row last read, the first after the header being 1.
    row: u64,
}

impl Rows {
    /// Nothing if there is no such file.
    fn open(path: PathBuf, columns: &[&'static str]) -> Result<Option<Rows>> {
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e).with_context(|| format!("cannot read {}", path.display())),
        };
        let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(file);
        let header = reader.headers().with_context(|| format!("{}: no header", path.display()))?.clone();
        let mut found = Vec::new();
        for &column in columns {
            let at = header.iter().position(|h| h == column);
            found.push((column, at.ok_or_else(|| anyhow!("{}: no column `{column}`", path.display()))?));
        }
        Ok(Some(Rows { path, reader, columns: found, record: StringRecord::new(), row: 0 }))
    }

    fn at(&self) -> String {
        format!("{}, row {}", self.path.display(), self.row)
    }

    fn next<T>(&mut self, read: impl FnOnce(&Fields<'_>) -> Result<T, RowError>) -> Result<Option<T>> {
        self.row += 1;
        let more = self.reader.read_record(&mut self.record).map_err(|e| match e.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                anyhow!("{}: {len} fields, expected {expected_len}", self.at())
            }
            _ => anyhow!("{}: {e}", self.at()),
        })?;
        if !more {
            return Ok(None);
        }
        let get = |column: &'static str| {
            let at = self.columns.iter().find(|(c, _)| *c == column).map(|(_, i)| *i);
            at.and_then(|i| self.record.get(i)).unwrap_or("")
        };
        read(&Fields { get: &get }).map(Some).with_context(|| self.at())
    }
}

/// Reads the units of a log in order. Rows are checked against each other; what needs the rules of the game
/// (legal moves, terminations, metrics) is checked by [`crate::verify`].
pub struct LogReader {
    games: Rows,
    moves: Rows,
    metrics: Option<Rows>,
    per_unit: u64,
    waiting: Option<(GameRow, MetricsRow, MovesRow)>,
    last_game: u64,
    last_unit: u64,
}

impl LogReader {
    /// Opens the log in `dir`, whose units have `per_unit` games. A log without metrics.csv has empty metrics.
    ///
    /// # Errors
    /// A missing file or column.
    pub fn open(dir: &Path, per_unit: u64) -> Result<LogReader> {
        let need = |name: &str, columns| {
            Rows::open(dir.join(name), columns)?.ok_or_else(|| anyhow!("{} holds no {name}", dir.display()))
        };
        let mut metric_columns = vec!["game_id"];
        metric_columns.extend(crate::metrics::COLUMNS);
        Ok(LogReader {
            games: need(GAMES, GameRow::COLUMNS)?,
            moves: need(MOVES, MovesRow::COLUMNS)?,
            metrics: Rows::open(dir.join(METRICS), &metric_columns)?,
            per_unit,
            waiting: None,
            last_game: 0,
            last_unit: 0,
        })
    }

    /// Whether the log has a metrics.csv.
    pub fn has_metrics(&self) -> bool {
        self.metrics.is_some()
    }

    /// The file and row of the last game handed on, for messages about it.
    pub fn at(&self) -> String {
        // A unit is known to be whole only when the row after it, or the end, has been read.
        format!("{}, row {}", self.games.path.display(), self.games.row.saturating_sub(1))
    }

    fn next_game(&mut self) -> Result<Option<(GameRow, MetricsRow, MovesRow)>> {
        if let Some(waiting) = self.waiting.take() {
            return Ok(Some(waiting));
        }
        let game = self.games.next(GameRow::from_fields)?;
        let moves = self.moves.next(MovesRow::from_fields)?;
        let metrics = match &mut self.metrics {
            Some(rows) => rows.next(MetricsRow::from_fields)?,
            None => game.as_ref().map(|g| MetricsRow { game_id: g.game_id, values: Vec::new() }),
        };
        let (Some(game), Some(moves), Some(metrics)) = (&game, &moves, &metrics) else {
            if game.is_none() && moves.is_none() && (metrics.is_none() || self.metrics.is_none()) {
                return Ok(None);
            }
            let shortest = if game.is_none() {
                &self.games
            } else if moves.is_none() {
                &self.moves
            } else {
                self.metrics.as_ref().unwrap_or(&self.games)
            };
            bail!("{} ends at row {}, but the other files go on", shortest.path.display(), shortest.row - 1);
        };
        if moves.game_id != game.game_id {
            bail!("{}: game_id is {}, and {} has {}", self.moves.at(), moves.game_id, GAMES, game.game_id);
        }
        if let Some(rows) = self.metrics.as_ref().filter(|_| metrics.game_id != game.game_id) {
            bail!("{}: game_id is {}, and {} has {}", rows.at(), metrics.game_id, GAMES, game.game_id);
        }
        if game.game_id <= self.last_game {
            let at = self.games.at();
            bail!("{at}: game_id is {}, after {}; expected a larger one", game.game_id, self.last_game);
        }
        self.last_game = game.game_id;
        Ok(Some((game.clone(), metrics.clone(), moves.clone())))
    }

    /// The next unit.
    ///
    /// # Errors
    /// A row that cannot be read, rows that contradict each other, a unit with the wrong number of games.
    pub fn next_unit(&mut self) -> Result<Option<UnitRows>> {
        let Some(first) = self.next_game()? else { return Ok(None) };
        let unit_id = first.0.unit_id;
        if unit_id <= self.last_unit {
            bail!(
                "{}: unit_id is {unit_id}, after {}; expected a larger one",
                self.games.at(),
                self.last_unit
            );
        }
        self.last_unit = unit_id;
        let mut games = vec![first];
        while let Some(next) = self.next_game()? {
            if next.0.unit_id != unit_id {
                self.waiting = Some(next);
                break;
            }
            games.push(next);
        }
        if games.len() as u64 != self.per_unit {
            let row = self.games.row - u64::from(self.waiting.is_some());
            bail!(
                "{}, row {row}: unit {unit_id} has {} games, expected {}",
                self.games.path.display(),
                games.len(),
                self.per_unit
            );
        }
        Ok(Some(UnitRows { unit_id, games }))
    }
}
