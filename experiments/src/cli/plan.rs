//! `equipoise plan`.

use super::run::{ThreadArgs, load};
use super::{JsonArgs, table, verdicts};
use crate::claims::{Claim, Test};
use crate::planning::{Outlook, calibrate, outlook};
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct PlanArgs {
    /// The experiment file, or the name of a built-in one (01-quickstart)
    experiment: String,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Plan for another maximum of games than the file's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Seconds of calibration games
    #[arg(long, value_name = "S", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    #[command(flatten)]
    options: super::OptionArgs,
    #[command(flatten)]
    json: JsonArgs,
}

pub fn run(args: &PlanArgs, out: &mut dyn Write) -> Result<()> {
    let mut experiment = load(&args.experiment)?;
    if let Some(games) = args.games {
        experiment.games = games;
    }
    for (name, value) in args.options.pairs(&experiment.game)? {
        experiment.set_option(&name, &value)?;
    }
    experiment.check()?;
    let threads = args.threads.count();
    eprintln!("calibration games for about {} s", args.seconds);
    let calibration = calibrate(&experiment, threads, Duration::from_secs(args.seconds))?;
    let per_unit = experiment.games_per_unit();
    let units = experiment.units();
    let core_hours = calibration.seconds_a_unit * units as f64 / 3600.0;
    let hours = core_hours / threads as f64;
    let mut plans: Vec<(&Claim, Vec<Outlook>)> = Vec::new();
    for claim in &experiment.claims {
        plans.push((claim, outlook(claim, &calibration.units, units, per_unit)?));
    }
    if args.json.json {
        let claims: Vec<_> = plans
            .iter()
            .map(|(claim, list)| {
                let of = |o: &Outlook| {
                    json!({
                        "truth": o.truth, "units": o.units, "supported": o.supported, "refuted": o.refuted,
                        "median_units": o.median_units,
                    })
                };
                json!({
                    "id": claim.id, "test": verdicts::criterion(claim),
                    "exact": matches!(claim.test, Test::Exact(_)),
                    "outlooks": list.iter().map(of).collect::<Vec<_>>(),
                })
            })
            .collect();
        let object = json!({
            "experiment": experiment.name, "game": experiment.game, "games": experiment.games, "units": units,
            "threads": threads, "calibration_units": calibration.units.len(),
            "calibration_seconds": calibration.seconds, "seconds_a_unit": calibration.seconds_a_unit,
            "hours": hours, "core_hours": core_hours, "claims": claims,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "{}: at most {} games of {} in {units} units",
        experiment.name, experiment.games, experiment.game
    )?;
    writeln!(
        out,
        "at most {} here on {threads} threads, {} of one thread ({} calibration games in {:.1} s, {:.2} s of a thread each; \
         under another seed, so none of them is a game of the run)",
        duration(hours),
        duration(core_hours),
        calibration.units.len() as u64 * per_unit,
        calibration.seconds,
        calibration.seconds_a_unit / per_unit as f64,
    )?;
    if plans.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut rows = Vec::new();
    for (claim, list) in &plans {
        rows.extend(claim_rows(claim, list, per_unit));
    }
    table::write(
        out,
        &["claim", "as tested", "if the truth is", "SUPPORTED", "REFUTED", "half decided by", "at most"],
        &rows,
    )?;
    writeln!(
        out,
        "\nchances by simulation of the claim's own test on independent games, the run at its maximum"
    )?;
    Ok(())
}

fn claim_rows(claim: &Claim, list: &[Outlook], per_unit: u64) -> Vec<Vec<String>> {
    let row = |truth: &str, rest: [String; 4]| {
        let mut cells = vec![claim.id.clone(), verdicts::criterion(claim), truth.to_owned()];
        cells.extend(rest);
        cells
    };
    let dash = || "-".to_owned();
    if list.is_empty() {
        let why = match &claim.test {
            Test::Exact(_) => "decided by enumeration, without games".to_owned(),
            Test::Apart { question, .. } => format!("decided by {}", question.how(&claim.game)),
            Test::Odds(_) => "decided once, by a regression on all games of the run".to_owned(),
            _ => "calibration games say nothing about it".to_owned(),
        };
        return vec![row(&why, [dash(), dash(), dash(), dash()])];
    }
    let games = |units: u64| format!("{} games", units * per_unit);
    let percent = |x: f64| format!("{:.0} %", 100.0 * x);
    list.iter()
        .enumerate()
        .map(|(i, o)| {
            let half = o.median_units.map_or_else(dash, games);
            let mut cells = row(&o.truth, [percent(o.supported), percent(o.refuted), half, games(o.units)]);
            if i > 0 {
                cells[..2].fill(String::new());
            }
            cells
        })
        .collect()
}

fn duration(hours: f64) -> String {
    match hours {
        h if h < 1.0 / 60.0 => format!("{:.0} s", (h * 3600.0).max(1.0)),
        h if h < 1.0 => format!("{:.1} min", h * 60.0),
        h => format!("{h:.1} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_words() {
        assert_eq!(duration(0.0), "1 s");
        assert_eq!(duration(0.01), "36 s");
        assert_eq!(duration(0.5), "30.0 min");
        assert_eq!(duration(2.25), "2.2 h");
    }
}
