//! `equipoise sensitivity`.

use super::run::{ThreadArgs, load, play};
use super::{JsonArgs, check, table, verdicts};
use crate::card::CardFigure;
use crate::claims::Claim;
use crate::experiment::{Experiment, MAX_SEED};
use crate::failure::Interrupted;
use crate::log::{MANIFEST, Shard};
use crate::session::Choices;
use crate::stats::Verdict;
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::games::Visitor;
use engine::options::Provenance;
use engine::search::Playable;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct SensitivityArgs {
    /// The experiment file, or the name of a built-in one (01-quickstart)
    experiment: String,
    /// Folder for the readings' runs, each resumable by the same command; results/NAME-sensitivity by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Another maximum of games a reading than the file's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Another seed than the file's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The rules read in one way.
struct Reading {
    /// What is changed: option, value, where the default comes from. Nothing for the rules as they are.
    flipped: Option<(&'static str, &'static str, Provenance)>,
    experiment: Experiment,
}

/// What a reading came to.
struct Found {
    name: String,
    provenance: String,
    games: u64,
    /// By the claims' order; nothing where a claim is not judged under this reading.
    verdicts: Vec<Option<Verdict>>,
    white: Option<CardFigure>,
}

pub fn run(args: &SensitivityArgs, out: &mut dyn Write) -> Result<()> {
    let mut experiment = load(&args.experiment)?;
    experiment.seed = args.seed.unwrap_or(experiment.seed);
    experiment.games = args.games.unwrap_or(experiment.games);
    experiment.check()?;
    if experiment.ladder.is_some() || experiment.race.is_some() {
        bail!("{} is many runs (a ladder, a race), expected an experiment of one run", experiment.name);
    }
    // A comparison needs a second run for every reading; `check --control` makes it.
    let (claims, compared): (Vec<Claim>, Vec<Claim>) =
        experiment.claims.drain(..).partition(|c| c.test.control().is_none());
    for claim in &compared {
        eprintln!("left out: {} compares with another run", claim.id);
    }
    let dir = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("results").join(format!("{}-sensitivity", experiment.name)));
    let readings = readings(&experiment, &claims)?;
    if readings.len() == 1 {
        bail!(
            "no rule of {} is marked as a choice or a reconstruction that an option could flip",
            experiment.game
        );
    }
    let mut list = Vec::new();
    for (i, reading) in readings.iter().enumerate() {
        eprintln!("reading {} of {}: {}", i + 1, readings.len(), reading.words());
        list.push(found(args, &dir.join(reading.folder()), reading, &claims)?);
    }
    tell(args, &experiment, &dir, &claims, &list, out)
}

struct Flips;

impl Visitor for Flips {
    type Output = Vec<(&'static str, &'static str, Provenance)>;

    /// Every other value of every option that is not the inventor's own.
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let open = |p| matches!(p, Provenance::Choice | Provenance::Reconstructed);
        let options = game.info().options.iter().filter(|o| open(o.provenance));
        options
            .flat_map(|o| o.values.iter().map(move |v| (o.name, *v, o.provenance)))
            .filter(|(name, value, _)| game.options().get(name) != *value)
            .collect()
    }
}

/// The rules as they are, then each flip. A reading keeps the claims whose conditions it meets.
fn readings(experiment: &Experiment, claims: &[Claim]) -> Result<Vec<Reading>> {
    let flips = engine::games::with(&experiment.game, experiment.option_pairs(), Flips)?;
    let mut list = Vec::new();
    for flipped in std::iter::once(None).chain(flips.into_iter().map(Some)) {
        let mut changed = experiment.clone();
        if let Some((name, value, _)) = flipped {
            let flip = changed.set_option(name, value);
            flip.with_context(|| format!("{name}={value} does not go with this experiment"))?;
        }
        changed.claims = claims.iter().filter(|c| c.check_conditions(&changed).is_ok()).cloned().collect();
        changed.check()?;
        list.push(Reading { flipped, experiment: changed });
    }
    Ok(list)
}

impl Reading {
    fn words(&self) -> String {
        self.flipped
            .map_or_else(|| "the rules as in the experiment".to_owned(), |(n, v, _)| format!("{n}={v}"))
    }

    fn folder(&self) -> String {
        self.flipped.map_or_else(|| "as-is".to_owned(), |(n, v, _)| format!("{n}-{v}"))
    }
}

/// Plays a reading, or goes on with it, and reads what it came to.
fn found(
    args: &SensitivityArgs,
    dir: &std::path::Path,
    reading: &Reading,
    claims: &[Claim],
) -> Result<Found> {
    let choices = Choices { shard: Shard::WHOLE, keep_going: true, resume: dir.join(MANIFEST).exists() };
    let (manifest, outcome) = play(&reading.experiment, dir, choices, args.threads.count())?;
    if outcome.interrupted {
        let text = "interrupted; all whole games are kept, and the same command goes on".to_owned();
        return Err(Interrupted(text).into());
    }
    super::report::write(dir)?;
    let all = verdicts::all(dir, &manifest, &outcome.standings)?;
    let (summary, _, card, _) = check::read(dir, &manifest)?;
    Ok(Found {
        name: reading.words(),
        provenance: reading.flipped.map_or_else(String::new, |(_, _, p)| p.to_string()),
        games: summary.games,
        verdicts: claims
            .iter()
            .map(|claim| all.iter().find(|v| v.claim.id == claim.id).map(|v| v.verdict))
            .collect(),
        white: card.figures().into_iter().next(),
    })
}

fn tell(
    args: &SensitivityArgs,
    experiment: &Experiment,
    dir: &std::path::Path,
    claims: &[Claim],
    list: &[Found],
    out: &mut dyn Write,
) -> Result<()> {
    let counts: Vec<(u64, u64)> = (0..claims.len()).map(|i| holds(list, i)).collect();
    if args.json.json {
        let readings: Vec<_> = list
            .iter()
            .map(|f| {
                let verdicts: serde_json::Map<String, serde_json::Value> = claims
                    .iter()
                    .zip(&f.verdicts)
                    .map(|(c, v)| (c.id.clone(), v.map(|v| v.to_string()).into()))
                    .collect();
                json!({
                    "reading": f.name, "provenance": f.provenance, "games": f.games, "verdicts": verdicts,
                    "white_score": f.white.as_ref().map(|w| w.value),
                    "white_interval": f.white.as_ref().and_then(|w| w.interval).map(|i| [i.lower, i.upper]),
                })
            })
            .collect();
        let summary: Vec<_> = claims
            .iter()
            .zip(&counts)
            .map(|(c, (same, judged))| json!({"id": c.id, "holds_under": same, "readings": judged}))
            .collect();
        let object = json!({
            "experiment": experiment.name, "game": experiment.game, "folder": dir.display().to_string(),
            "readings": readings, "claims": summary,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    let mut header = vec!["reading", "of", "games", "White's score", "95 % sequence"];
    header.extend(claims.iter().map(|c| c.id.as_str()));
    let rows: Vec<Vec<String>> = list
        .iter()
        .map(|f| {
            let (value, interval) = f.white.as_ref().map(CardFigure::text).unwrap_or_default();
            let mut cells = vec![f.name.clone(), f.provenance.clone(), f.games.to_string(), value, interval];
            cells.extend(f.verdicts.iter().map(|v| v.map_or_else(|| "-".to_owned(), |v| v.to_string())));
            cells
        })
        .collect();
    table::write(out, &header, &rows)?;
    writeln!(out)?;
    for ((claim, (same, judged)), i) in claims.iter().zip(&counts).zip(0..) {
        match list.first().and_then(|f| f.verdicts[i]) {
            Some(verdict) => {
                writeln!(out, "{verdict} on {} holds under {same} of {judged} readings", claim.id)?
            }
            None => writeln!(out, "{} is not judged under the rules as they are", claim.id)?,
        }
    }
    writeln!(
        out,
        "same openings where the rules allow them, same seed, one run a reading in {}",
        dir.display()
    )?;
    Ok(())
}

/// Under how many readings claim `index` has the verdict that it has under the rules as they are, and under how
/// many it is judged at all.
fn holds(list: &[Found], index: usize) -> (u64, u64) {
    let Some(first) = list.first().and_then(|f| f.verdicts[index]) else { return (0, 0) };
    let judged = list.iter().filter_map(|f| f.verdicts[index]);
    judged.fold((0, 0), |(same, all), v| (same + u64::from(v == first), all + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::run::load;

    #[test]
    fn every_other_value_of_every_open_option_is_a_reading() {
        let experiment = load("04-mageca").unwrap();
        let list = readings(&experiment, &[]).unwrap();
        let words: Vec<String> = list.iter().map(Reading::words).collect();
        assert_eq!(words[0], "the rules as in the experiment");
        for option in engine::games::mageca::INFO.options {
            let open = matches!(option.provenance, Provenance::Choice | Provenance::Reconstructed);
            for value in &option.values[1..] {
                assert_eq!(words.contains(&format!("{}={value}", option.name)), open, "{words:?}");
            }
        }
        // Nothing else differs, so the openings are the same.
        assert!(list.iter().all(|r| r.experiment.seed == experiment.seed));
        assert!(list.iter().all(|r| r.experiment.openings == experiment.openings));
    }

    #[test]
    fn agreement_is_counted_among_the_readings_that_judge() {
        let found = |verdicts: &[Option<Verdict>]| Found {
            name: String::new(),
            provenance: String::new(),
            games: 1,
            verdicts: verdicts.to_vec(),
            white: None,
        };
        let (yes, no) = (Some(Verdict::Supported), Some(Verdict::Refuted));
        let list = [found(&[yes, None]), found(&[no, yes]), found(&[yes, yes]), found(&[None, yes])];
        assert_eq!(holds(&list, 0), (2, 3));
        assert_eq!(holds(&list, 1), (0, 0));
    }
}
