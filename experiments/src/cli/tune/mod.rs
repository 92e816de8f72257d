//! `equipoise tune`: the tuners and estimators, a module each.

pub(super) mod batch;
mod eval;
mod health;
mod keep;
mod payoff;
mod search;
mod self_play;
mod setup;
mod values;

use anyhow::Result;
use clap::{Args, Subcommand};
use std::io::Write;

#[derive(Args, Debug)]
pub struct TuneArgs {
    #[command(subcommand)]
    what: Tune,
}

#[derive(Subcommand, Debug)]
enum Tune {
    Eval(eval::EvalArgs),
    Search(search::SearchArgs),
    Values(values::ValuesArgs),
    Payoff(payoff::PayoffArgs),
    Setup(setup::SetupArgs),
    Health(health::HealthArgs),
}

pub fn run(args: &TuneArgs, out: &mut dyn Write) -> Result<()> {
    match &args.what {
        Tune::Eval(args) => eval::run(args, out),
        Tune::Search(args) => search::run(args, out),
        Tune::Values(args) => values::run(args, out),
        Tune::Payoff(args) => payoff::run(args, out),
        Tune::Setup(args) => setup::run(args, out),
        Tune::Health(args) => health::run(args, out),
    }
}
