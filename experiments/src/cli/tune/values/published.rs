//! Values that others have published, for games whose data declare them.

use crate::tables::{Source, Table};
use anyhow::Result;

/// Files of published values that are part of the program.
const FILES: [(&str, &str); 1] = [("chess", include_str!("../../../../../data/values/chess.toml"))];

/// One publication.
#[derive(Debug, PartialEq)]
pub struct Published {
    /// Author and year.
    pub source: String,
    /// Names of kinds, and their values in pawns.
    values: Vec<(String, f64)>,
}

impl Published {
    /// The value of the kind with this name.
    pub fn value(&self, kind: &str) -> Option<f64> {
        self.values.iter().find(|(name, _)| name == kind).map(|(_, value)| *value)
    }
}

/// What has been published on a game.
///
/// # Errors
/// A file that is wrong: a fault of this program.
pub fn on(game: &str) -> Result<Vec<Published>> {
    let Some((name, text)) = FILES.iter().find(|(name, _)| *name == game) else { return Ok(Vec::new()) };
    Source { name, text }.read(|t| {
        t.required_text("game")?;
        t.tables("published")?.iter().map(read).collect()
    })
}

fn read(t: &Table<'_, '_>) -> Result<Published> {
    let source = t.required_text("source")?.to_owned();
    let table = t.table("values")?.ok_or_else(|| t.wrong("values", "a table of values in pawns"))?;
    let number = |(name, text): (String, String)| match text.parse() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(table.wrong(&name, "a value in pawns")),
    };
    let values = table.free_texts()?.into_iter().map(number).collect::<Result<_>>()?;
    t.finish()?;
    Ok(Published { source, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_read() {
        for (game, _) in FILES {
            let info = engine::games::ALL.iter().find(|info| info.name == game).unwrap();
            for published in on(game).unwrap() {
                assert_eq!(published.value("pawn"), Some(1.0));
                let known = |name: &str| info.pieces.iter().any(|p| p.name == name);
                assert!(published.values.iter().all(|(name, _)| known(name)), "{published:?}");
            }
        }
        assert_eq!(on("chess").unwrap()[0].value("rook"), Some(5.63));
        assert!(on("magi").unwrap().is_empty());
    }
}
