//! Openings from uneven armies, `method = "odds"`: resolved into the list of their start arrays, as a file of
//! positions is.

use crate::armies::{Array, Odds, Pieces};
use crate::tables::Table;
use anyhow::{Context, Result};
use engine::games::Visitor;
use engine::search::Playable;

/// The start arrays of the tables `[[openings.armies]]`: odds after odds, as many of each.
pub(super) fn fens(t: &Table<'_, '_>, game: &str, options: &[(String, String)]) -> Result<Vec<String>> {
    let tables = t.tables("armies")?;
    if tables.is_empty() {
        return Err(t.wrong("armies", "tables [[openings.armies]] of odds, such as odds = [\"P\", \"R-N\"]"));
    }
    let pairs = options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    engine::games::with(game, pairs, Arrays(&tables))?
}

struct Arrays<'a, 't, 'i>(&'a [Table<'t, 'i>]);

impl Visitor for Arrays<'_, '_, '_> {
    type Output = Result<Vec<String>>;

    fn visit<G: Playable>(self, game: G) -> Result<Vec<String>> {
        let mut fens = Vec::new();
        for table in self.0 {
            let thinned = Pieces::parse(&game, table.text("thinned")?.unwrap_or_default());
            let thinned = thinned.with_context(|| table.place_of("thinned"))?;
            let odds = table.texts("odds")?.filter(|list| !list.is_empty());
            let odds = odds.ok_or_else(|| table.wrong("odds", "a list such as [\"P\", \"R-N\"]"))?;
            let name = game.info().name;
            let array = Array::of_start(&game).with_context(|| {
                format!("{}: the start array of {name} cannot be changed", table.place_of("odds"))
            })?;
            for text in odds {
                let arrays = Odds::parse(&game, text).and_then(|odds| odds.arrays(&game, &array, &thinned));
                fens.extend(arrays.with_context(|| format!("{}: odds `{text}`", table.place_of("odds")))?);
            }
            table.finish()?;
        }
        Ok(fens)
    }
}
