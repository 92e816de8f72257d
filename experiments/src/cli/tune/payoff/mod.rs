//! `equipoise tune payoff`.

mod print;

use crate::cli::JsonArgs;
use crate::experiment::{SolvedOffers, named_matrix};
use crate::log::write_whole;
use crate::offer_game::figures::{Measure, Measured, chain};
use crate::offer_game::search::{self, Candidate, Goals, Weights};
use crate::offer_game::traces::LATEST_MOVE;
use crate::offer_game::{Logged, fit};
use anyhow::{Result, bail};
use clap::Args;
use engine::payoff::Matrix;
use std::io::Write;
use std::path::{Path, PathBuf};
use tuner::offers::{ChainSpec, Policy, Terms, Utility, solve};

/// What a payoff matrix is worth to both sides when they offer draws and resignations as well as they can
///
/// Estimates, from the evaluations in a run's log, a Markov chain over moves and evaluations, and solves on it the
/// game of offers: both sides' points, the incentive for the side behind, decisive games, length, entropy, each
/// with a 95 % bootstrap interval over the run's units, and how well the chain foretells held-out games. The chain
/// is that of the logged players, so the answer is the best offers given their play; a new run under the new
/// matrix is the test. Takes about ten seconds a matrix for a thousand games with the default 200 resamples, and
/// plays nothing.
#[derive(Args, Debug)]
pub struct PayoffArgs {
    /// The run's folder; best played without offers and without a move rule
    dir: PathBuf,
    /// A matrix: a built-in name or a file; may be repeated (default: the sample, the one for 16 points, bands of
    /// 20 moves, a first band of 10-2)
    #[arg(long, value_name = "FILE")]
    matrix: Vec<String>,
    /// What each player maximises: his points, or his points less the other's
    #[arg(long, default_value = "own", value_parser = Utility::NAMES)]
    utility: String,
    /// Resamples of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Search bands and prices around the first matrix, on every other unit, and write the best matrix there
    #[arg(long, value_name = "FILE")]
    search: Option<PathBuf>,
    /// What the search wants: incentive and decisive count per hundredth (of the stake, of games), length per move
    #[arg(long, value_name = "WEIGHTS", default_value = "incentive=1,decisive=1,length=-0.5", requires = "search",
          value_parser = Weights::parse)]
    weights: Weights,
    /// Write the best offers under the first matrix there, for players with `[player.offers]`
    /// `policy = "equilibrium"`, `file = "..."`
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

const DEFAULT: [&str; 4] = ["magi-sample", "magi-16", "magi-bands-20", "magi-first-10-2"];

/// What the search found.
pub struct Found {
    /// How many matrices were tried.
    pub tried: usize,
    /// The best, then the rest of the front, each with what it comes to on the held-out half.
    pub front: Vec<(Candidate, Goals)>,
    /// The best one's figures on the held-out half.
    pub held_out: Measured,
    /// The base's on the same half.
    pub base: Measured,
    /// Where the best one was written.
    pub file: PathBuf,
}

pub fn run(args: &PayoffArgs, out: &mut dyn Write) -> Result<()> {
    let spec = ChainSpec::default();
    let matrices = matrices(&args.matrix)?;
    let utility = Utility::from_name(&args.utility).unwrap_or_default();
    let logged = Logged::read(&args.dir, &spec.bins)?;
    if logged.units.len() < 2 {
        bail!("{} holds one unit, expected at least two", args.dir.display());
    }
    let measure = Measure {
        spec: &spec,
        utility,
        resamples: args.resamples as usize,
        seed: args.seed,
        confidence: 0.95,
    };
    let units: Vec<usize> = (0..logged.units.len()).collect();
    let measured = with_progress(&measure, &logged, &units, &matrices)?;
    let fit = fit::fit(&spec, &logged, measure.resamples, args.seed)?;
    if let Some(file) = &args.policy {
        write_whole(file, &solved(&measure, &logged, &units, &matrices[0])?.to_toml())?;
        eprintln!("the best offers under {} are in {}", matrices[0].spec().name, file.display());
    }
    let found = match &args.search {
        Some(file) => Some(find(args, &measure, &logged, &matrices[0], file)?),
        None => None,
    };
    let shown = print::Shown {
        dir: &args.dir,
        logged: &logged,
        utility,
        matrices: &matrices,
        measured: &measured,
        fit: &fit,
        found: found.as_ref(),
    };
    if args.json.json { shown.json(out) } else { shown.text(out) }
}

/// The best offers under a matrix on the chain of all units.
fn solved(measure: &Measure<'_>, logged: &Logged, units: &[usize], matrix: &Matrix) -> Result<SolvedOffers> {
    let chain = chain(measure.spec, logged, units)?;
    let solution = solve(&chain, Terms { matrix, utility: measure.utility });
    let experiment = &logged.manifest.experiment;
    let provenance = format!(
        "equipoise tune payoff --policy: run {} (seed {}, {} games, engine {}), utility {}",
        experiment.name,
        experiment.seed,
        logged.games(),
        logged.manifest.engine,
        measure.utility.name(),
    );
    Ok(SolvedOffers {
        matrix: matrix.clone(),
        utility: measure.utility,
        provenance,
        policy: Policy::of(&solution, chain.bins()),
    })
}

fn matrices(names: &[String]) -> Result<Vec<Matrix>> {
    let names: Vec<&str> =
        if names.is_empty() { DEFAULT.to_vec() } else { names.iter().map(String::as_str).collect() };
    let read = |name: &str| {
        let matrix = named_matrix(name, Path::new("."))?;
        if let Some(rule) = matrix.spec().move_rule.filter(|&rule| rule > LATEST_MOVE) {
            bail!("matrix {name}: move_rule is {rule}, expected {LATEST_MOVE} at most here");
        }
        Ok(matrix)
    };
    names.into_iter().map(read).collect()
}

fn with_progress(
    measure: &Measure<'_>,
    logged: &Logged,
    units: &[usize],
    matrices: &[Matrix],
) -> Result<Vec<Measured>> {
    let (mut done, total) = (0, measure.resamples + 1);
    let mut clock = std::time::Instant::now();
    measure.all(logged, units, matrices, || {
        done += 1;
        if clock.elapsed().as_secs() >= 10 {
            eprintln!("{done}/{total} resamples");
            clock = std::time::Instant::now();
        }
    })
}

fn find(
    args: &PayoffArgs,
    measure: &Measure<'_>,
    logged: &Logged,
    base: &Matrix,
    file: &Path,
) -> Result<Found> {
    let [chosen_on, held] = fit::halves(logged);
    let grid = search::grid(base)?;
    let tried = grid.len();
    eprintln!("trying {tried} matrices");
    let all = search::search(measure.spec, logged, &chosen_on, grid, measure.utility, &args.weights)?;
    let Some(best) = all.first().cloned() else { bail!("no matrix fits {}", base.spec().name) };
    let mut front: Vec<Candidate> = search::front(&all).into_iter().cloned().collect();
    // With a weight of zero the best may be beaten in what is not wanted.
    if !front.contains(&best) {
        front.insert(0, best.clone());
    }
    let goals = |c: &Candidate| search::goals(measure.spec, logged, &held, &c.matrix, measure.utility);
    let front = front.into_iter().map(|c| goals(&c).map(|g| (c, g))).collect::<Result<Vec<_>>>()?;
    let mut both = with_progress(measure, logged, &held, &[base.clone(), best.matrix.clone()])?;
    let (Some(held_out), Some(base_measured)) = (both.pop(), both.pop()) else {
        bail!("the held-out half has no figures");
    };
    let text = tuned(&best, base, measure, logged, &args.weights, &held_out)?;
    write_whole(file, &text)?;
    Ok(Found { tried, front, held_out, base: base_measured, file: file.to_owned() })
}

/// The best matrix as a file that says where it comes from.
fn tuned(
    best: &Candidate,
    base: &Matrix,
    measure: &Measure<'_>,
    logged: &Logged,
    weights: &Weights,
    held_out: &Measured,
) -> Result<String> {
    let experiment = &logged.manifest.experiment;
    let figure = |name| match held_out.get(name) {
        Some((value, i)) => format!("{name} {value:.3} [{:.3}, {:.3}]", i.lower, i.upper),
        None => String::new(),
    };
    let mut spec = best.matrix.spec().clone();
    spec.name = format!("{}-tuned", base.spec().name);
    spec.provenance = format!(
        "equipoise tune payoff --search around {}: {}; run {} (seed {}, {} games, engine {}), utility {}, \
         weights incentive={} decisive={} length={}; chosen on every other unit; on the others: {}, {}, {} \
         (95 %, {} resamples, seed {})",
        base.spec().name,
        best.shape,
        experiment.name,
        experiment.seed,
        logged.games(),
        logged.manifest.engine,
        measure.utility.name(),
        weights.incentive,
        weights.decisive,
        weights.length,
        figure("incentive for the side behind"),
        figure("decisive"),
        figure("moves"),
        measure.resamples,
        measure.seed,
    );
    Ok(Matrix::new(spec)?.to_toml())
}
