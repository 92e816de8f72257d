//! `equipoise submit`: a run's parts as the array job of a cluster, and the job that joins them.

use super::run::{load, quoted};
use crate::experiment::Experiment;
use crate::failure::Failed;
use anyhow::{Result, bail};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Play an experiment's parts as an array job: prints the script, or sends it with --go
///
/// The script is for `sh` and calls `sbatch` twice: for the parts, each of which goes on where it was if its job is
/// started again, and for their merge once all parts are there. The merged log is the one that a single run writes,
/// byte for byte.
#[derive(Args, Debug)]
pub struct SubmitArgs {
    /// For Slurm, the one kind of cluster that is known
    #[arg(long, required = true)]
    slurm: bool,
    /// The experiment file, or the name of a built-in one
    experiment: String,
    /// Parts, each a job of the array
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    shards: u64,
    /// Processors of each job
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Folder for the merged log, with the parts in DIR-shards; results/NAME by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Send it
    #[arg(long)]
    go: bool,
}

pub fn run(args: &SubmitArgs, out: &mut dyn Write) -> Result<()> {
    let experiment = load(&args.experiment)?;
    if experiment.ladder.is_some() || experiment.race.is_some() {
        bail!("{} is many runs (a ladder, a race), expected an experiment of one run", experiment.name);
    }
    if args.shards > experiment.units() {
        bail!(
            "--shards {} is more than the {} units of {}",
            args.shards,
            experiment.units(),
            experiment.name
        );
    }
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("equipoise"));
    let script = script(args, &experiment, &program);
    if !args.go {
        write!(out, "{script}")?;
        return Ok(());
    }
    send(&script, out)
}

fn script(args: &SubmitArgs, experiment: &Experiment, program: &Path) -> String {
    let dir = args.out.clone().unwrap_or_else(|| Path::new("results").join(&experiment.name));
    let parts = format!("{}-shards", dir.display());
    let program = quoted(&program.display().to_string());
    let (file, name) = (quoted(&args.experiment), &experiment.name);
    let (shards, threads) = (args.shards, args.threads);
    let all: Vec<String> = (1..=shards).map(|i| quoted(&format!("{parts}/{i}"))).collect();
    let (parts, dir) = (quoted(&parts), quoted(&dir.display().to_string()));
    format!(
        "#!/bin/sh\n\
         # {name}: {} games at most, in {shards} parts. Run it with sh where the experiment file is.\n\
         set -eu\n\
         mkdir -p {parts}\n\
         job=$(sbatch --parsable --job-name={name} --array=1-{shards} --cpus-per-task={threads} --requeue \\\n\
         \x20   --output={parts}/%a.txt <<'PARTS'\n\
         #!/bin/sh\n\
         set -eu\n\
         part={parts}/$SLURM_ARRAY_TASK_ID\n\
         again=\n\
         if [ -e \"$part/manifest.toml\" ]; then again=--resume; fi\n\
         exec {program} run {file} --out \"$part\" --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" --threads {threads} $again\n\
         PARTS\n\
         )\n\
         sbatch --job-name={name}-merge --dependency=afterok:\"${{job%%;*}}\" --output={parts}/merge.txt <<'MERGE'\n\
         #!/bin/sh\n\
         set -eu\n\
         exec {program} merge {dir} {}\n\
         MERGE\n",
        experiment.games,
        all.join(" "),
    )
}

/// Has `sh` run the script; what it and `sbatch` say is passed on.
fn send(script: &str, out: &mut dyn Write) -> Result<()> {
    let failed = |what: String| Failed(format!("the jobs were not sent: {what}"));
    let mut shell = Command::new("sh")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(format!("cannot start sh: {e}")))?;
    if let Some(mut input) = shell.stdin.take() {
        // A shell that has ended already says why itself.
        let _ = input.write_all(script.as_bytes());
    }
    let done = shell.wait_with_output().map_err(|e| failed(e.to_string()))?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        return Err(failed(text.trim().lines().last().unwrap_or("sbatch failed").to_owned()).into());
    }
    out.write_all(&done.stdout)?;
    Ok(())
}
