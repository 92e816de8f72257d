//! The claim that a matrix gives the side behind something to play for, judged on a log: points to the side behind
//! in the game of offers less its points at the same states under winner takes all, band by band.
//!
//! A test of a size fixed before the run. Each band's interval is normal, with the bootstrap's standard error over
//! units (Davison and Hinkley 1997, "Bootstrap Methods and their Application", 5.2), at the claim's level divided by
//! the number of bands: the claim is about every one of them.

use super::Logged;
use super::figures::Measure;
use crate::claims::Relation;
use crate::decimals::fixed;
use crate::experiment::{OfferPolicy, named_matrix};
use crate::log::{Manifest, Shard};
use crate::stats::{Interval, Verdict, two_sided_z};
use anyhow::Result;
use engine::payoff::Band;
use std::path::Path;
use tuner::offers::{ChainSpec, Utility};

/// Resamples of the bootstrap: a standard error good to about 5 %.
const RESAMPLES: usize = 200;
const SEED: u64 = 1;
/// Fewer units say too little about the chain for a bootstrap to know its error.
const LEAST_UNITS: u64 = 100;

/// What a claim asks.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// A built-in matrix.
    pub matrix: &'a str,
    /// How each band's incentive lies to the threshold.
    pub relation: Relation,
    /// Points of the matrix.
    pub threshold: f64,
    /// Probability of a wrong verdict.
    pub level: f64,
}

/// What a log says to it, in words but for the verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The incentive in the band that stands worst.
    pub found: String,
    /// Its interval.
    pub interval: String,
    /// Each band with its interval.
    pub bands: Vec<String>,
    /// What deciding would take; empty once decided.
    pub to_decide: String,
}

impl Answer {
    fn open(why: String) -> Answer {
        let found = "not asked of this log".to_owned();
        let interval = "none".to_owned();
        Answer { verdict: Verdict::Undecided, found, interval, bands: Vec::new(), to_decide: why }
    }
}

/// The answer of the log in `dir`.
///
/// # Errors
/// A log that cannot be read.
pub fn answer(dir: &Path, manifest: &Manifest, asked: &Asked<'_>) -> Result<Answer> {
    let experiment = &manifest.experiment;
    if manifest.shard != Shard::WHOLE {
        return Ok(Answer::open("the whole run decides: merge its parts".to_owned()));
    }
    if experiment.players.iter().any(|p| p.offers != OfferPolicy::Never) {
        return Ok(Answer::open("a run whose players make no offers".to_owned()));
    }
    if experiment.units() < LEAST_UNITS {
        return Ok(Answer::open(format!("a run of at least {LEAST_UNITS} units")));
    }
    let spec = ChainSpec::default();
    let logged = match Logged::read(dir, &spec.bins) {
        Ok(logged) => logged,
        Err(error) => return Ok(Answer::open(format!("another log: {error:#}"))),
    };
    if (logged.units.len() as u64) < experiment.units() {
        return Ok(Answer::open(format!("the whole run, {} games", experiment.games)));
    }
    let matrix = named_matrix(asked.matrix, Path::new("."))?;
    let measure = Measure {
        spec: &spec,
        utility: Utility::default(),
        resamples: RESAMPLES,
        seed: SEED,
        confidence: 0.95,
    };
    let units: Vec<usize> = (0..logged.units.len()).collect();
    let measured = measure.all(&logged, &units, std::slice::from_ref(&matrix), || {})?;
    let estimates: Vec<(f64, f64)> = measured.iter().flat_map(|m| m.band_errors()).collect();
    Ok(judge(matrix.bands(), &estimates, asked, experiment.games))
}

/// The verdict on each band's estimate and standard error together; `games` is what they rest on.
fn judge(bands: &[Band], estimates: &[(f64, f64)], asked: &Asked<'_>, games: u64) -> Answer {
    let z = two_sided_z(1.0 - asked.level / bands.len().max(1) as f64);
    let interval =
        |&(mean, error): &(f64, f64)| Interval { lower: mean - z * error, upper: mean + z * error };
    // No such state, or all alike: nothing is known of the error.
    let known = |&(mean, error): &(f64, f64)| mean.is_finite() && error > 0.0;
    let verdict_of = |e: &(f64, f64)| match known(e) {
        true => asked.relation.judge(interval(e), asked.threshold),
        false => Verdict::Undecided,
    };
    let verdicts: Vec<Verdict> = estimates.iter().map(verdict_of).collect();
    let verdict = if verdicts.contains(&Verdict::Refuted) {
        Verdict::Refuted
    } else if !verdicts.is_empty() && verdicts.iter().all(|v| *v == Verdict::Supported) {
        Verdict::Supported
    } else {
        Verdict::Undecided
    };
    // Errors fall with the root of the number of games.
    let needed = estimates.iter().zip(&verdicts).filter(|(_, v)| **v == Verdict::Undecided).map(|(e, _)| {
        let factor = z * e.1 / (e.0 - asked.threshold).abs();
        if known(e) && factor < 100.0 { Some((games as f64 * factor * factor).ceil() as u64) } else { None }
    });
    let to_decide = match (verdict, needed.collect::<Option<Vec<u64>>>()) {
        (Verdict::Undecided, Some(needed)) => {
            let most = needed.into_iter().max().unwrap_or(games);
            format!("a run of about {most} games")
        }
        (Verdict::Undecided, None) => "too close to say".to_owned(),
        _ => String::new(),
    };
    let name = |band: &Band| match band.to {
        Some(to) => format!("moves {}-{to}", band.from),
        None => format!("moves {} on", band.from),
    };
    // How far a band is from bearing the claim out: the farthest is the one that the verdict hangs on.
    let short = |e: &(f64, f64)| match asked.relation {
        Relation::Above => asked.threshold - e.0,
        Relation::Below => e.0 - asked.threshold,
        Relation::Within(_) => (e.0 - asked.threshold).abs(),
    };
    let worst = bands.iter().zip(estimates).max_by(|a, b| short(a.1).total_cmp(&short(b.1)));
    let bounds = |e: &(f64, f64)| {
        let i = interval(e);
        format!("{} to {}", fixed(i.lower, 2), fixed(i.upper, 2))
    };
    Answer {
        verdict,
        found: worst.map_or("nothing".to_owned(), |(band, (mean, _))| {
            format!("{} ({}) in {games} games", fixed(*mean, 2), name(band))
        }),
        interval: worst.map_or("none".to_owned(), |(_, e)| bounds(e)),
        bands: bands
            .iter()
            .zip(estimates)
            .map(|(band, e)| format!("{}: {} ({})", name(band), fixed(e.0, 2), bounds(e)))
            .collect(),
        to_decide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(estimates: &[(f64, f64)]) -> Answer {
        let matrix = engine::payoff::sample().unwrap();
        let asked = Asked { matrix: "magi-sample", relation: Relation::Above, threshold: 0.5, level: 0.05 };
        judge(&matrix.bands()[..estimates.len()], estimates, &asked, 1000)
    }

    #[test]
    fn every_band_has_to_be_above_and_one_below_refutes() {
        let far = (1.0, 0.1);
        assert_eq!(judged(&[far, far]).verdict, Verdict::Supported);
        assert_eq!(judged(&[far, (0.6, 0.1)]).verdict, Verdict::Undecided);
        assert_eq!(judged(&[far, (0.1, 0.1), far]).verdict, Verdict::Refuted);
        assert_eq!(judged(&[far, (f64::NAN, 0.0)]).verdict, Verdict::Undecided);
        // Three bands at 0.05 / 3: two-sided quantile 2.3940 (scipy.stats.norm.isf(0.05 / 6)).
        assert_eq!(judged(&[far, far, (0.739, 0.1)]).verdict, Verdict::Undecided);
        assert_eq!(judged(&[far, far, (0.740, 0.1)]).verdict, Verdict::Supported);
    }

    #[test]
    fn what_it_would_take_is_said() {
        // Half the distance: four times the games, at the level of two bands (quantile 2.2414).
        let open = judged(&[(1.0, 0.1), (0.612_071, 0.1)]);
        assert_eq!(open.to_decide, "a run of about 4000 games");
        assert_eq!(judged(&[(0.5, 0.1)]).to_decide, "too close to say");
        let found = &open.found;
        assert!(found.starts_with("0.61 (moves ") && found.ends_with(") in 1000 games"), "{found}");
        assert_eq!(open.interval, "0.39 to 0.84");
        assert!(open.bands[0].ends_with(": 1.00 (0.78 to 1.22)"), "{:?}", open.bands);
    }
}
