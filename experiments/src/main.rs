//! The binary `equipoise`: see `equipoise --help`, or the module [`experiments::cli`].

use clap::Parser;
use experiments::cli::{self, Cli};
use experiments::failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(missing) = experiments::cpu::missing_feature() {
        eprintln!(
            "error: this build needs a processor with the x86-64-v3 instructions, and this one lacks {missing}; \
             build it here after removing the rustflags in .cargo/config.toml"
        );
        return ExitCode::from(failure::FAILED);
    }
    match cli::run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if failure::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(failure::exit_code(&error))
        }
    }
}
