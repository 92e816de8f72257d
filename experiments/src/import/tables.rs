//! Games from CSV files of our columns, written by another program: `games.csv`, of which `result` has to be
//! there, and `moves.csv` beside it with `moves`.

use super::{Given, Importer};
use crate::log::MOVES;
use anyhow::{Context, Result, anyhow, bail};
use csv::StringRecord;
use engine::moves::Flag;
use engine::notation::parse_uci;
use engine::outcome::{GameResult, Termination};
use engine::search::Playable;
use std::fs::File;
use std::path::Path;
use std::str::FromStr;

/// A CSV file row by row, whatever columns it has.
struct Rows {
    name: String,
    reader: csv::Reader<File>,
    header: StringRecord,
    record: StringRecord,
    row: u64,
}

impl Rows {
    fn open(path: &Path, needed: &[&str]) -> Result<Rows> {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers().with_context(|| format!("{name}: no header"))?.clone();
        for column in needed {
            if !header.iter().any(|h| h == *column) {
                bail!("{name}: no column `{column}`");
            }
        }
        Ok(Rows { name, reader, header, record: StringRecord::new(), row: 0 })
    }

    fn next(&mut self) -> Result<bool> {
        self.row += 1;
        self.reader.read_record(&mut self.record).map_err(|e| anyhow!("{}: {e}", self.at()))
    }

    fn at(&self) -> String {
        format!("{}, row {}", self.name, self.row)
    }

    /// The field of a column; nothing if there is no such column or the field is empty.
    fn get(&self, column: &str) -> Option<&str> {
        let at = self.header.iter().position(|h| h == column)?;
        self.record.get(at).filter(|text| !text.is_empty())
    }

    fn read<T: FromStr>(&self, column: &str, expected: &str) -> Result<Option<T>> {
        let read = |text: &str| {
            text.parse().map_err(|_| anyhow!("column `{column}` is `{text}`, expected {expected}"))
        };
        self.get(column).map(read).transpose()
    }

    /// Complains if a column has another value than the one that follows from the moves.
    fn expect(&self, column: &str, expected: &str) -> Result<()> {
        match self.get(column) {
            Some(found) if found != expected => {
                bail!("column `{column}` is `{found}`, expected `{expected}`")
            }
            _ => Ok(()),
        }
    }
}

/// Reads all games of the file at `path` and of the moves.csv beside it.
///
/// # Errors
/// The first row that cannot be read or does not add up.
pub fn read<G: Playable>(game: &G, path: &Path, importer: &mut Importer<'_, G>) -> Result<()> {
    let mut games = Rows::open(path, &["result"])?;
    let beside = path.with_file_name(MOVES);
    let mut moves = Rows::open(&beside, &["moves"])
        .with_context(|| format!("the moves of {} are looked for in {}", games.name, beside.display()))?;
    loop {
        match (games.next()?, moves.next()?) {
            (false, false) => return Ok(()),
            (true, true) => {}
            (more_games, _) => {
                let (short, long) = if more_games { (&moves, &games) } else { (&games, &moves) };
                bail!("{} ends at row {}, but {} goes on", short.name, short.row - 1, long.name);
            }
        }
        let given = row(game, &games, &moves).with_context(|| games.at())?;
        importer.take(given).with_context(|| games.at())?;
    }
}

fn row<G: Playable>(game: &G, games: &Rows, moves: &Rows) -> Result<Given<G::State>> {
    if let (Some(a), Some(b)) = (games.get("game_id"), moves.get("game_id"))
        && a != b
    {
        bail!("game_id is {a}, and {} has {b}", moves.at());
    }
    games.expect("game", game.info().name)?;
    games.expect("options", &game.options().to_string()).context("the rule options differ (see --set)")?;
    let start = match games.get("start_fen") {
        Some(fen) => game.parse_fen(fen).context("start_fen")?,
        None => game.start(),
    };
    let mut state = start.clone();
    let mut list = Vec::new();
    let (mut plies, mut number) = (0, 0);
    for (index, uci) in moves.get("moves").unwrap_or_default().split_whitespace().enumerate() {
        let at = || format!("{}, ply {}", moves.at(), index + 1);
        let m = parse_uci(game, &state, uci).with_context(at)?;
        number = game.clocks(&state).1;
        plies += u32::from(m.flag() != Flag::Arrange);
        game.play(&mut state, m, &mut ());
        list.push(m);
    }
    games.expect("plies", &plies.to_string())?;
    games.expect("moves", &number.to_string())?;
    let evals: Vec<String> = match moves.get("evals") {
        None => vec!["-".to_owned(); list.len()],
        Some(text) => text.split_whitespace().map(str::to_owned).collect(),
    };
    if evals.len() != list.len() || !evals.iter().all(|e| crate::log::is_eval(e)) {
        bail!("{}: `evals` is not one evaluation (centipawns, #n, #-n or -) a ply", moves.at());
    }
    let result = games.read::<GameResult>("result", "1-0, 0-1, 1/2-1/2, 0-0 or *")?;
    let result = result.ok_or_else(|| anyhow!("column `result` is empty"))?;
    games.expect("winner", &result.winner().map_or_else(|| "none".to_owned(), |s| s.to_string()))?;
    let opening_plies = games.read("opening_plies", "a whole number")?.unwrap_or(0);
    if opening_plies as usize > list.len() {
        bail!("opening_plies is {opening_plies}, and the game has {} plies", list.len());
    }
    if let Some(index) = evals.iter().take(opening_plies as usize).position(|e| e != "-") {
        bail!("ply {} belongs to the opening, but has the evaluation {}", index + 1, evals[index]);
    }
    let name = |column| games.get(column).unwrap_or("?").to_owned();
    Ok(Given {
        white: name("white"),
        black: name("black"),
        start,
        moves: list,
        evals,
        opening_plies,
        result,
        stated: games.read::<Termination>("termination", "the name of a termination")?,
        reason: None,
    })
}
