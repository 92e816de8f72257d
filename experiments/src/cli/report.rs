//! `equipoise report`.

use crate::log::write_whole;
use crate::report::render;
use crate::reporting;
use anyhow::Result;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Folders of runs; several are set side by side
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// The file to write; report.html in the (first) folder by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<()> {
    let dirs: Vec<&Path> = args.dirs.iter().map(PathBuf::as_path).collect();
    let input = reporting::read(&dirs)?;
    let path = args.out.clone().unwrap_or_else(|| args.dirs[0].join("report.html"));
    write_whole(&path, &render(&input))?;
    writeln!(out, "{}", path.display())?;
    Ok(())
}

/// Writes the report of one run into its folder.
pub fn write(dir: &Path) -> Result<()> {
    write_whole(&dir.join("report.html"), &render(&reporting::read(&[dir])?))
}
