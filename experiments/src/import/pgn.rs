//! Games from PGN text.

use super::{Given, Importer};
use anyhow::{Result, anyhow};
use engine::notation::pgn::{Eval, PgnGame, PgnReader};
use engine::search::Playable;

/// Reads all games of a text.
///
/// # Errors
/// The first game that cannot be read or does not add up, with its number and line.
pub fn read<G: Playable>(game: &G, text: &str, importer: &mut Importer<'_, G>) -> Result<()> {
    for (index, record) in PgnReader::new(game, text).enumerate() {
        let record = record?;
        let at = format!(
            "PGN game {} ({} against {})",
            index + 1,
            record.tag("White").unwrap_or("?"),
            record.tag("Black").unwrap_or("?")
        );
        importer.take(given(record)).map_err(|e| anyhow!("{at}: {e:#}"))?;
    }
    Ok(())
}

fn given<S>(record: PgnGame<S>) -> Given<S> {
    let name = |tag| record.tag(tag).unwrap_or("?").to_owned();
    let reason = record.tag("Termination").map(str::to_lowercase).filter(|r| r != "normal" && r != "?");
    let mut evals: Vec<String> = record.evals.iter().map(|e| eval(*e)).collect();
    evals.resize(record.moves.len(), "-".to_owned());
    Given {
        white: name("White"),
        black: name("Black"),
        evals,
        opening_plies: 0,
        result: record.result,
        stated: record.termination,
        reason,
        start: record.start,
        moves: record.moves,
    }
}

fn eval(eval: Option<Eval>) -> String {
    match eval {
        None => "-".to_owned(),
        Some(Eval::Centipawns(n)) => n.to_string(),
        Some(Eval::Mate(n)) => format!("#{n}"),
    }
}
