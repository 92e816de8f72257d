//! Where a tuner keeps what it plays: the flags, and a folder that belongs to one run of it.

use crate::cli::JsonArgs;
use crate::cli::run::ThreadArgs;
use crate::failure::disk;
use crate::log::{Folder, write_whole};
use anyhow::{Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

/// What the tuners that play many small runs have in common.
#[derive(Args, Debug)]
pub struct KeepArgs {
    /// Folder of the games and the result; by default one in results/ that is named after the command, game and seed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with what is in the folder
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub json: JsonArgs,
}

impl KeepArgs {
    /// The folder asked for, or `results/NAME`.
    pub fn dir(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| Path::new("results").join(name))
    }
}

/// A number strictly between 0 and a half.
///
/// # Errors
/// What was expected.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p: &f64| *p > 0.0 && *p < 0.5);
    number.ok_or_else(|| "expected a number above 0 and below 0.5".to_owned())
}

/// Makes `dir` the folder of a `kind` of work that `plan` describes, in a file named `file`; or sees that it is, if
/// it is to be resumed.
///
/// # Errors
/// Another work's folder, or none to resume; the disk.
pub fn claim(dir: &Path, file: &str, kind: &str, plan: &str, resume: bool) -> Result<()> {
    let (path, place) = (dir.join(file), dir.display());
    match std::fs::read_to_string(&path) {
        Ok(_) if !resume => {
            bail!("{place} holds a {kind} already; add --resume to go on with it, or give another --out")
        }
        Ok(there) if there == plan => Ok(()),
        Ok(there) => {
            let differs = there.lines().zip(plan.lines()).find(|(a, b)| a != b);
            let (a, b) = differs.unwrap_or(("fewer lines", "more lines"));
            bail!("{place} holds another {kind}: it has `{a}`, and `{b}` was asked for")
        }
        Err(_) if resume => bail!("there is no {kind} in {place} to resume"),
        Err(_) => {
            Folder::check_free(dir, false)?;
            std::fs::create_dir_all(dir).map_err(|e| disk("make the folder", dir, e))?;
            write_whole(&path, plan)
        }
    }
}
