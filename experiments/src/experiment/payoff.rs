//! What games are worth: the `[payoff]` table, and matrices by name.

use super::file::text_file;
use crate::tables::Table;
use anyhow::{Context, Result, anyhow, bail};
use engine::options::nearest;
use engine::payoff::Matrix;
use std::path::Path;

/// Payoff matrices that are part of the program, by name.
const MATRICES: [(&str, &str); 5] = [
    ("magi-sample", engine::payoff::SAMPLE_TOML),
    ("magi-16", include_str!("../../../data/payoff/magi-16.toml")),
    ("magi-bands-20", include_str!("../../../data/payoff/magi-bands-20.toml")),
    ("magi-first-10-2", include_str!("../../../data/payoff/magi-first-10-2.toml")),
    ("winner-takes-all", include_str!("../../../data/payoff/winner-takes-all.toml")),
];

/// A matrix by its built-in name or from its file; a file's name is relative to `folder`.
///
/// # Errors
/// No such matrix or file, or a file that is none.
pub fn named_matrix(name: &str, folder: &Path) -> Result<Matrix> {
    let (source, text) = match MATRICES.iter().find(|(n, _)| *n == name) {
        Some((name, text)) => (format!("matrix {name}"), (*text).to_owned()),
        None if name.ends_with(".toml") => {
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read the matrix file {}", path.display()))?;
            (name.to_owned(), text)
        }
        None => bail!("`{name}` is no matrix, expected {}", expected(name)),
    };
    text.parse().map_err(|e| anyhow!("{source}: {e}"))
}

/// What a matrix could be called, with what `name` was probably meant to be.
fn expected(name: &str) -> String {
    let names: Vec<&str> = MATRICES.iter().map(|(n, _)| *n).collect();
    let near = nearest(name, names.iter().copied());
    let hint = near.map(|n| format!(" (did you mean \"{n}\"?)")).unwrap_or_default();
    format!("a file ending in .toml or one of {}{hint}", names.join(", "))
}

pub(super) fn payoff(t: &Table<'_, '_>, folder: &Path) -> Result<Option<Matrix>> {
    let Some(table) = t.table("payoff")? else { return Ok(None) };
    let mut matrix = match (table.text("matrix")?, table.text("matrix_text")?) {
        (Some(_), Some(_)) => return Err(table.wrong("matrix", "either `matrix` or `matrix_text`")),
        (None, None) => return Err(table.wrong("matrix", "the name of a matrix or of its file")),
        (None, Some(text)) => text.parse().map_err(|e| anyhow!("{}: {e}", table.place_of("matrix_text")))?,
        (Some(name), None) if !is_built_in(name) && name.ends_with(".toml") => {
            text_file(&table, "matrix", name, folder)?.parse().map_err(|e| anyhow!("{name}: {e}"))?
        }
        (Some(name), None) if !is_built_in(name) => return Err(table.wrong("matrix", &expected(name))),
        (Some(name), None) => named_matrix(name, folder)?,
    };
    if let Some(rule) = table.whole_or_none("move_rule", 1, 100_000)? {
        matrix =
            matrix.with_move_rule(rule.map(|n| n as u32)).with_context(|| table.place_of("move_rule"))?;
    }
    table.finish()?;
    Ok(Some(matrix))
}

fn is_built_in(name: &str) -> bool {
    MATRICES.iter().any(|(n, _)| *n == name)
}
