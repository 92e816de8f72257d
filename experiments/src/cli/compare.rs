//! `equipoise compare`.

use super::{JsonArgs, check, table};
use crate::compare::{CONFIDENCE, Compared, Pairing, Side, compare, pairing};
use crate::decimals::signed;
use crate::log::{Manifest, Shard};
use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The first run's folder
    first: PathBuf,
    /// The second run's folder; differences are the first less the second
    second: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
}

/// A run that was read.
struct Read {
    manifest: Manifest,
    side: Side,
    name: String,
}

pub fn run(args: &CompareArgs, out: &mut dyn Write) -> Result<()> {
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let list = compare(&first.side, &second.side);
    let pairing = pairing(&first.side, &second.side);
    if args.json.json {
        let object = json!({
            "runs": [of_run(&first), of_run(&second)],
            "differs": differs(&first.manifest, &second.manifest),
            "paired_units": match pairing { Pairing::Openings(n) => n.into(), Pairing::None => Value::Null },
            "confidence": CONFIDENCE,
            "figures": list.iter().map(of_figure).collect::<Vec<_>>(),
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    for (mark, read) in [("A", &first), ("B", &second)] {
        let experiment = &read.manifest.experiment;
        writeln!(
            out,
            "{mark}: {}, {} games of {} in {} units",
            read.name,
            read.side.games(),
            experiment.game,
            read.side.units()
        )?;
    }
    let differs = differs(&first.manifest, &second.manifest);
    writeln!(
        out,
        "they differ in: {}",
        if differs.is_empty() { "nothing".to_owned() } else { differs.join(", ") }
    )?;
    match pairing {
        Pairing::Openings(n) => {
            writeln!(out, "differences are taken opening by opening, over {n} units of each\n")?
        }
        Pairing::None => writeln!(out, "the openings differ: two samples\n")?,
    }
    let rows: Vec<Vec<String>> = list.iter().map(row).collect();
    table::write(out, &["figure", "A", "B", "A - B", "95 % interval", "method", "units"], &rows)?;
    writeln!(
        out,
        "\neach interval by itself; one of twenty is wrong by chance. An interval off 0 is marked *.\n\
         Runs that stopped on their claims are samples of a stopping time: nominal."
    )?;
    Ok(())
}

fn read(dir: &Path) -> Result<Read> {
    let manifest = Manifest::read(dir)?;
    if manifest.shard != Shard::WHOLE {
        bail!("{} holds a part of a run, expected a whole one (see `equipoise merge`)", dir.display());
    }
    let mut side = Side::default();
    check::units(dir, &manifest, &mut |unit| {
        side.push(unit);
        Ok(())
    })?;
    let name = format!("{} ({})", dir.display(), manifest.experiment.name);
    Ok(Read { manifest, side, name })
}

/// What the two runs' experiments differ in, names and claims apart.
fn differs(first: &Manifest, second: &Manifest) -> Vec<String> {
    let (a, b) = (first.experiment.to_toml(), second.experiment.to_toml());
    let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
    keys.sort();
    keys.dedup();
    let mut list: Vec<String> = keys
        .into_iter()
        .filter(|key| !["name", "claim"].contains(&key.as_str()) && a.get(*key) != b.get(*key))
        .map(|key| match (a.get(key), b.get(key)) {
            (Some(x), Some(y)) if !x.is_table() && !x.is_array() => format!("{key} ({x} against {y})"),
            (Some(toml::Value::Table(x)), Some(toml::Value::Table(y))) => {
                let inner: Vec<&str> = x.keys().chain(y.keys()).map(String::as_str).collect();
                let mut inner: Vec<&str> = inner.into_iter().filter(|k| x.get(*k) != y.get(*k)).collect();
                inner.sort_unstable();
                inner.dedup();
                format!("{key} ({})", inner.join(", "))
            }
            _ => key.clone(),
        })
        .collect();
    if first.engine != second.engine {
        list.push("engine".to_owned());
    }
    if first.values != second.values {
        list.push("value table".to_owned());
    }
    list
}

fn row(c: &Compared) -> Vec<String> {
    let number = |x: f64| if c.unit.is_empty() { format!("{:.1} %", 100.0 * x) } else { format!("{x:.2}") };
    let signed = |x: f64| {
        if c.unit.is_empty() { signed(100.0 * x, 1) } else { signed(x, 2) }
    };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let off = c.interval.is_some_and(|i| i.lower > 0.0 || i.upper < 0.0);
    let interval = c
        .interval
        .map(|i| format!("{} to {}{}", signed(i.lower), signed(i.upper), if off { " *" } else { "" }));
    let name = if c.unit.is_empty() { c.name.to_owned() } else { format!("{}, {}", c.name, c.unit) };
    let units =
        if c.units.0 == c.units.1 { c.units.0.to_string() } else { format!("{}, {}", c.units.0, c.units.1) };
    vec![
        name,
        or_dash(c.first.map(number)),
        or_dash(c.second.map(number)),
        or_dash(c.difference.map(signed)),
        or_dash(interval),
        c.method.to_owned(),
        units,
    ]
}

fn of_run(read: &Read) -> Value {
    let experiment = &read.manifest.experiment;
    json!({
        "run": read.name, "experiment": experiment.name, "game": experiment.game,
        "seed": experiment.seed, "units": read.side.units(), "games": read.side.games(),
    })
}

fn of_figure(c: &Compared) -> Value {
    json!({
        "name": c.name, "unit": c.unit, "first": c.first, "second": c.second, "difference": c.difference,
        "interval": c.interval.map(|i| [i.lower, i.upper]), "method": c.method,
        "units": [c.units.0, c.units.1],
    })
}
