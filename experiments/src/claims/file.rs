//! Claims files.

use super::exact::Exact;
use super::{Claim, Metric, Test};
use crate::stats::Direction;
use crate::tables::{Source, Table};
use anyhow::{Result, bail};
use engine::options::nearest;

/// Claims files that are part of the program, by name.
pub const BUILT_IN: [(&str, &str); 1] = [("magi", include_str!("../../../data/claims/magi.toml"))];

/// The claims file of this program with this name, if there is one.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Reads a claims file. Its claims are one family: each that rests on games has the level alpha / m, m being
/// how many of them rest on games (an enumeration cannot err by chance).
///
/// # Errors
/// What is wrong, with file and line.
pub fn read(name: &str, text: &str) -> Result<Vec<Claim>> {
    Source { name, text }.read(|t| {
        let game = t.required_text("game")?;
        let alpha = t.number("alpha", 1e-9, 0.5)?.unwrap_or(0.05);
        let tables = t.tables("claim")?;
        let mut statistical = 0;
        for table in &tables {
            statistical += u32::from(table.required_text("test")? != "exact");
        }
        let level = alpha / f64::from(statistical.max(1));
        let claims: Vec<Claim> = tables.iter().map(|c| claim(c, game, level)).collect::<Result<_>>()?;
        for (i, claim) in claims.iter().enumerate() {
            if claims[..i].iter().any(|c| c.id == claim.id) {
                bail!("{name}: two claims have the id `{}`", claim.id);
            }
        }
        Ok(claims)
    })
}

/// Reads one claim; `game` is what it is about if it does not say, `level` its error probability.
///
/// # Errors
/// What is wrong, with file and line.
pub fn claim(t: &Table<'_, '_>, game: &str, level: f64) -> Result<Claim> {
    let id = t.required_text("id")?.to_owned();
    // A manifest states the level; a claims file cannot.
    let level = t.number("level", f64::MIN_POSITIVE, 0.5)?.unwrap_or(level);
    let test = match t.one_of("test", &["exact", "sequence"])? {
        Some("exact") => {
            let expect = t.texts("expect")?.unwrap_or_default();
            let Some(name) = t.one_of("metric", &Exact::NAMES)? else {
                return Err(t.wrong("metric", &Exact::NAMES.join(" or ")));
            };
            match Exact::from_parts(name, &expect) {
                Some(exact) => Test::Exact(exact),
                None => return Err(t.wrong("expect", "a list such as [\"D 6-12\", \"W 5-16\"]")),
            }
        }
        Some(_) => {
            let within = t.range("within")?;
            let Some(name) = t.one_of("metric", &Metric::NAMES)? else {
                return Err(t.wrong("metric", &Metric::NAMES.join(" or ")));
            };
            let Some(metric) = Metric::from_name(name, within) else {
                return Err(t.wrong("within", "the range that the metric is about, such as [20, 150]"));
            };
            let direction = match t.one_of("comparison", &["below", "above"])? {
                Some("below") => Direction::Below,
                Some(_) => Direction::Above,
                None => return Err(t.wrong("comparison", "\"below\" or \"above\"")),
            };
            let threshold = t.number("threshold", 0.0, 1.0)?;
            let threshold = threshold.ok_or_else(|| t.wrong("threshold", "a number from 0 to 1"))?;
            Test::Sequence { metric, direction, threshold, level }
        }
        None => return Err(t.wrong("test", "\"exact\" or \"sequence\"")),
    };
    let claim = Claim {
        id,
        game: t.text("game")?.unwrap_or(game).to_owned(),
        seed: t.required_text("seed")?.to_owned(),
        sentence: t.required_text("sentence")?.to_owned(),
        test,
        depends: t.texts("depends")?.unwrap_or_default().into_iter().map(str::to_owned).collect(),
        move_rule: t.whole_or_none("move_rule", 1, 100_000)?.map(|rule| rule.map(|n| n as u32)),
    };
    t.finish()?;
    Ok(claim)
}

/// The claims about `game`, or those with the ids `wanted`, each at its level in the whole family.
///
/// # Errors
/// An id that the file does not have, or no claim about the game.
pub fn choose(all: Vec<Claim>, game: &str, wanted: Option<&[&str]>) -> Result<Vec<Claim>> {
    let Some(wanted) = wanted else {
        let chosen: Vec<Claim> = all.into_iter().filter(|c| c.game == game).collect();
        if chosen.is_empty() {
            bail!("the claims file has no claim about {game}");
        }
        return Ok(chosen);
    };
    let find = |id: &&str| match all.iter().find(|c| c.id == **id) {
        Some(claim) => Ok(claim.clone()),
        None => {
            let ids: Vec<&str> = all.iter().map(|c| c.id.as_str()).collect();
            let near = nearest(id, ids.iter().copied());
            let hint = near.map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default();
            bail!("no claim has the id `{id}`{hint}; there are {}", ids.join(", "))
        }
    };
    wanted.iter().map(find).collect()
}
