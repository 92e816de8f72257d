//! The manifest: what was run, by what, and under which rules.

use super::{Folder, MANIFEST};
use crate::experiment::{self, Experiment};
use crate::metrics::ValueTable;
use crate::tables::Source;
use anyhow::{Context, Result, anyhow, bail};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Version of the folder's files.
pub const SCHEMA: u64 = 1;

/// Part `index` of `count` of a run: the units whose number less one leaves `index - 1` when divided by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    /// At least 1.
    pub count: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Whether the unit is in this part.
    pub fn has(self, unit: u64) -> bool {
        unit.wrapping_sub(1) % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
            _ => Err(format!("`{text}` is no shard, expected I/N with I from 1 to N, such as 1/4")),
        }
    }
}

/// The manifest of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The program and its version.
    pub program: String,
    /// The part of the run that is in this folder.
    pub shard: Shard,
    /// Hash of the rules: game, options, start position, first plies.
    pub rules: String,
    /// Hash of what the engine plays: its moves and nodes on fixed positions.
    pub engine: String,
    /// Value table behind the metrics.
    pub values: ValueTable,
    /// Whether play went on when all claims were decided.
    pub keep_going: bool,
    /// The experiment as resolved.
    pub experiment: Experiment,
}

impl Manifest {
    /// As a file.
    ///
    /// # Errors
    /// None in practice: the values are all plain.
    pub fn to_toml(&self) -> Result<String> {
        let mut t = toml::Table::new();
        let mut put =
            |key: &str, value: &str| t.insert(key.to_owned(), toml::Value::String(value.to_owned()));
        put("program", &self.program);
        put("unit", if self.experiment.games_per_unit() == 2 { "pair" } else { "game" });
        put("shard", &self.shard.to_string());
        put("rules", &self.rules);
        put("engine", &self.engine);
        t.insert("schema".into(), toml::Value::Integer(SCHEMA as i64));
        t.insert("metrics".into(), toml::Value::Integer(crate::metrics::VERSION as i64));
        t.insert("keep_going".into(), toml::Value::Boolean(self.keep_going));
        t.insert("values".into(), toml::Value::Table(self.values.to_toml()));
        t.insert("experiment".into(), toml::Value::Table(self.experiment.to_toml()));
        Ok(toml::to_string(&t)?)
    }

    /// Writes it into the folder.
    ///
    /// # Errors
    /// The disk.
    pub fn write(&self, folder: &Folder) -> Result<()> {
        folder.write(MANIFEST, &self.to_toml()?)
    }

    /// Reads the manifest of the run in `dir`.
    ///
    /// # Errors
    /// No run there, or a manifest of another version, or one that was edited into nonsense.
    pub fn read(dir: &Path) -> Result<Manifest> {
        let path = dir.join(MANIFEST);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                bail!("{} holds no run (there is no {MANIFEST})", dir.display())
            }
            Err(e) => return Err(e).with_context(|| format!("cannot read {}", path.display())),
        };
        let name = path.display().to_string();
        Source { name: &name, text: &text }.read(|t| {
            let schema = t.required_whole("schema", 0, u64::MAX >> 1)?;
            if schema != SCHEMA {
                bail!("{name}: the log's schema is {schema}, this program reads {SCHEMA}");
            }
            let metrics = t.required_whole("metrics", 0, u64::MAX >> 1)?;
            if metrics != crate::metrics::VERSION {
                let ours = crate::metrics::VERSION;
                bail!("{name}: metrics of version {metrics}, this program derives version {ours}");
            }
            let shard = t.required_text("shard")?.parse().map_err(|e| anyhow!("{name}: {e}"))?;
            let table = t.table("experiment")?.ok_or_else(|| anyhow!("{name}: no [experiment]"))?;
            let experiment = experiment::from_table(&table)?;
            table.finish()?;
            experiment.check().with_context(|| name.clone())?;
            let unit = t.one_of("unit", &["game", "pair"])?.unwrap_or("game");
            if (unit == "pair") != (experiment.games_per_unit() == 2) {
                return Err(t.wrong("unit", "\"game\" for one player, \"pair\" for two"));
            }
            let values = t.table("values")?.ok_or_else(|| anyhow!("{name}: no [values]"))?;
            Ok(Manifest {
                program: t.required_text("program")?.to_owned(),
                shard,
                rules: t.required_text("rules")?.to_owned(),
                engine: t.required_text("engine")?.to_owned(),
                values: ValueTable::from_table(&values)?,
                keep_going: t.required_flag("keep_going")?,
                experiment,
            })
        })
    }
}
