//! `equipoise tune values`: what pieces are worth in pawns, three ways side by side.

mod echo;
mod odds;
mod published;
mod regression;

use super::self_play::SelfPlayArgs;
use crate::armies::pawn;
use crate::cli::{self, JsonArgs};
use crate::decimals::fixed;
use crate::experiment::Experiment;
use crate::failure::Interrupted;
use crate::log::{MANIFEST, Manifest, Shard};
use crate::positions::Tally;
use crate::session::Choices;
use anyhow::Result;
use clap::Args;
use echo::Echo;
use engine::eval::{Evaluate, Layout, Role, Weights};
use engine::games::Visitor;
use engine::search::Playable;
use published::Published;
use regression::{PHASES, Regressions};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use tuner::logistic::Interval;

/// Shares of health left that a piece's worth is shown at.
const HEALTH: [f64; 3] = [1.0, 0.5, 0.1];
/// Normal quantile of 95 % intervals.
const Z: f64 = 1.959_963_984_540_054;

/// Estimate what pieces are worth in pawns
///
/// Estimates piece values three ways: by logistic regression of results on differences of piece counts, by odds
/// matches (with --odds) and by the weights of the evaluation. It learns from quiet positions of runs' logs, or of
/// games that it plays against itself first; odds matches play games between armies that differ by a piece, or by a
/// piece against some pawns. Regression takes seconds, a thousand games of self-play or the odds matches of a game
/// take minutes; they can be interrupted and resumed.
///
/// Intervals are 95 %, by unit of evidence. The regression and the evaluation partly echo what the engine believes:
/// odds matches decide.
#[derive(Args, Debug)]
pub struct ValuesArgs {
    #[command(flatten)]
    source: SelfPlayArgs,
    /// Positions a game at most
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    positions: u16,
    /// Resamples of whole units for the second interval
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(20..=100_000))]
    resamples: u64,
    /// Play odds matches too
    #[arg(long)]
    odds: bool,
    /// Games of each odds match
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    odds_games: u64,
    /// Folder of the odds matches' logs; results/odds-GAME-SEED by default. Matches that are there are gone on with
    #[arg(long, value_name = "DIR")]
    odds_log: Option<PathBuf>,
    /// Play again with players whose material weights are 20 % higher or lower, each drawn by the seed, the pawn's
    /// apart, and show how much of the change comes back in the regression
    #[arg(long)]
    echo: bool,
    /// Folder of that self-play's log; results/echo-GAME-SEED by default. Games that are there are gone on with
    #[arg(long, value_name = "DIR")]
    echo_log: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

impl ValuesArgs {
    /// Plays an experiment into `dir`, or goes on with what is there; `kept` is the folder to name if that is
    /// interrupted.
    fn play(&self, experiment: &Experiment, dir: &Path, kept: &Path) -> Result<Manifest> {
        let choices = Choices { shard: Shard::WHOLE, keep_going: false, resume: dir.join(MANIFEST).exists() };
        let (manifest, outcome) = cli::run::play(experiment, dir, choices, self.source.threads.count())?;
        if outcome.interrupted {
            let text = format!(
                "interrupted; all games so far are in {}; the same command goes on with them, given the self-play's \
                 folder in place of the game",
                kept.display()
            );
            return Err(Interrupted(text).into());
        }
        Ok(manifest)
    }
}

pub fn run(args: &ValuesArgs, out: &mut dyn Write) -> Result<()> {
    let logs = args.source.logs("values", None)?;
    let experiment = &logs.first()?.experiment;
    let values = engine::games::with(
        &experiment.game,
        experiment.option_pairs(),
        Estimate { args, logs: &logs, options: &experiment.options },
    )??;
    if args.json.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&values.to_json())?)?;
        return Ok(());
    }
    values.print(out)
}

/// A value in pawns. Without an interval the pawn's own worth cannot be told from nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    value: f64,
    interval: Option<Interval>,
}

impl Worth {
    fn text(worth: Option<Worth>) -> String {
        match worth {
            None => "-".to_owned(),
            Some(Worth { value, interval: Some(i) }) => {
                format!("{} [{}, {}]", fixed(value, 2), fixed(i.lower, 2), fixed(i.upper, 2))
            }
            Some(Worth { value, interval: None }) => format!("{} [?]", fixed(value, 2)),
        }
    }

    fn json(worth: Option<Worth>) -> Value {
        worth.map_or(Value::Null, |w| {
            json!({ "value": w.value, "lower": w.interval.map(|i| i.lower), "upper": w.interval.map(|i| i.upper) })
        })
    }
}

/// One line of the answer: a kind on the board, or in hand.
struct Line {
    name: String,
    regression: Option<Worth>,
    bootstrap: Option<Worth>,
    phases: [Option<Worth>; PHASES],
    odds: Option<Worth>,
    evaluation: Option<f64>,
    /// With all, half and a tenth of its health left, in a game with health.
    health: [Option<Worth>; HEALTH.len()],
}

/// What a promotion is worth, where it leaves no choice.
struct SizeUp {
    from: &'static str,
    to: &'static str,
    regression: Option<Worth>,
    evaluation: f64,
}

struct Values {
    game: String,
    pawn: String,
    tally: Tally,
    units: usize,
    first_move: Option<(f64, f64)>,
    lines: Vec<Line>,
    size_ups: Vec<SizeUp>,
    with_odds: bool,
    published: Vec<Published>,
    echo: Option<Echo>,
}

struct Estimate<'a> {
    args: &'a ValuesArgs,
    logs: &'a crate::positions::Logs,
    options: &'a [(String, String)],
}

impl Visitor for Estimate<'_> {
    type Output = Result<Values>;

    fn visit<G: Playable>(self, game: G) -> Result<Values> {
        let pawn = pawn(&game)?;
        let regressions = Regressions::run(&game, self.logs, self.args, pawn)?;
        let evaluation = evaluation(&game, pawn)?;
        let odds = match self.args.odds {
            true => odds::play(&game, self.args, self.options, pawn, &evaluation)?,
            false => vec![None; evaluation.len()],
        };
        let echo = match self.args.echo {
            true => Some(echo::play(&game, self.args, self.options, pawn, &regressions)?),
            false => None,
        };
        let pieces = game.info().pieces;
        let names = pieces.iter().map(|p| p.name.to_owned());
        let hands = pieces.iter().map(|p| format!("{} in hand", p.name)).filter(|_| G::CAPS.drops);
        let mut lines = Vec::new();
        for (column, name) in names.chain(hands).enumerate() {
            let on_board = column < pieces.len();
            if on_board && game.role(column as u8) == Role::Royal {
                continue;
            }
            let [regression, bootstrap] = regressions.whole(column);
            lines.push(Line {
                name,
                regression,
                bootstrap,
                phases: regressions.phases(column),
                odds: odds.get(column).copied().flatten(),
                evaluation: evaluation.get(column).copied(),
                health: HEALTH.map(|left| regressions.at_health(column, left).filter(|_| on_board)),
            });
        }
        let size_up = |kind: usize| {
            let to = usize::from(game.grows_into(kind as u8)?);
            Some(SizeUp {
                from: pieces[kind].name,
                to: pieces[to].name,
                regression: regressions.gain(kind, to),
                evaluation: evaluation[to] - evaluation[kind],
            })
        };
        let size_ups = (0..pieces.len()).filter_map(size_up).collect();
        Ok(Values {
            game: game.info().name.to_owned(),
            pawn: pieces[pawn].name.to_owned(),
            tally: regressions.tally,
            units: regressions.units,
            first_move: regressions.first_move,
            lines,
            size_ups,
            with_odds: self.args.odds,
            published: published::on(game.info().name)?,
            echo,
        })
    }
}

/// The evaluation's values in pawns, midway between middle game and endgame: kinds on the board, then in hand.
fn evaluation<G: Evaluate>(game: &G, pawn: usize) -> Result<Vec<f64>> {
    let (_, standard) = Layout::of(game);
    let weights = Weights::default_of(game)?;
    let middle = |term: usize| {
        let pair = weights.pairs()[term];
        f64::from(pair.mg) + f64::from(pair.eg)
    };
    let unit = middle(standard.material + pawn);
    let board = (0..standard.kinds).map(|kind| middle(standard.material + kind) / unit);
    let hands = (0..standard.kinds).filter(|_| G::CAPS.drops).map(|kind| middle(standard.hand + kind) / unit);
    Ok(board.chain(hands).collect())
}

impl Values {
    fn print(&self, out: &mut dyn Write) -> Result<()> {
        let Tally { games, unfinished, positions } = self.tally;
        writeln!(
            out,
            "{}: values in pawns ({}), from {positions} quiet positions of {games} games, {} units\n",
            self.game, self.pawn, self.units
        )?;
        if unfinished > 0 {
            writeln!(out, "{unfinished} games without a result (*) were left out\n")?;
        }
        let rows: Vec<Vec<String>> = self
            .lines
            .iter()
            .map(|line| {
                let mut row =
                    vec![line.name.clone(), Worth::text(line.regression), Worth::text(line.bootstrap)];
                if self.with_odds {
                    row.push(Worth::text(line.odds));
                }
                let mark = if line.disagrees() { " *" } else { "" };
                row.push(line.evaluation.map_or("-".to_owned(), |v| format!("{v:.2}{mark}")));
                row
            })
            .collect();
        let mut header = vec!["piece", "regression", "the same, bootstrap"];
        if self.with_odds {
            header.push("odds matches");
        }
        header.push("evaluation");
        crate::cli::table::write(out, &header, &rows)?;
        if self.lines.iter().any(Line::disagrees) {
            let by = if self.with_odds { "odds matches' (or else the regression's)" } else { "regression's" };
            writeln!(out, "\n* the evaluation's value lies outside the {by} interval")?;
        }
        let rows: Vec<Vec<String>> = self
            .lines
            .iter()
            .map(|line| {
                std::iter::once(line.name.clone()).chain(line.phases.map(Worth::text)).collect::<Vec<_>>()
            })
            .collect();
        writeln!(out, "\nregression by share of pieces left")?;
        crate::cli::table::write(out, &["piece", "above 2/3", "1/3 to 2/3", "below 1/3"], &rows)?;
        self.print_size_ups(out)?;
        self.print_health(out)?;
        self.print_published(out)?;
        if let Some(echo) = &self.echo {
            echo.print(out)?;
        }
        if let Some((value, error)) = self.first_move {
            writeln!(out, "\nWhite's edge in log-odds of the result: {value:.3} +- {:.3}", Z * error)?;
        }
        writeln!(
            out,
            "-: too rare, or not to be told apart from other pieces; [?]: the pawn's worth is not sure"
        )?;
        Ok(())
    }

    /// What promotions are worth, in a game where each leads to one kind.
    fn print_size_ups(&self, out: &mut dyn Write) -> Result<()> {
        if self.size_ups.is_empty() {
            return Ok(());
        }
        let row = |s: &SizeUp| {
            vec![format!("{} to {}", s.from, s.to), Worth::text(s.regression), fixed(s.evaluation, 2)]
        };
        let rows: Vec<Vec<String>> = self.size_ups.iter().map(row).collect();
        writeln!(out, "\nwhat a promotion adds")?;
        Ok(crate::cli::table::write(out, &["promotion", "regression", "evaluation"], &rows)?)
    }

    /// Worth by health left, in a game with health.
    fn print_health(&self, out: &mut dyn Write) -> Result<()> {
        let rows: Vec<Vec<String>> = self
            .lines
            .iter()
            .filter(|line| line.health.iter().any(Option::is_some))
            .map(|line| std::iter::once(line.name.clone()).chain(line.health.map(Worth::text)).collect())
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nregression with health lost beside counts, by health left")?;
        Ok(crate::cli::table::write(out, &["piece", "all", "half", "a tenth"], &rows)?)
    }

    /// Published values, and whether the best interval there is holds them.
    fn print_published(&self, out: &mut dyn Write) -> Result<()> {
        let Some(first) = self.published.first() else { return Ok(()) };
        let mut rows = Vec::new();
        for line in self.lines.iter().filter(|line| first.value(&line.name).is_some()) {
            let mut row = vec![line.name.clone(), Worth::text(line.best())];
            row.extend(self.published.iter().map(|published| {
                published.value(&line.name).map_or("-".to_owned(), |value| {
                    let held =
                        line.best().and_then(|w| w.interval).map(|i| (i.lower..=i.upper).contains(&value));
                    let mark = held.map_or(" ?", |held| if held { " held" } else { " outside" });
                    format!("{value:.2}{mark}")
                })
            }));
            rows.push(row);
        }
        writeln!(
            out,
            "\npublished values, and whether the interval of the odds matches (or else the regression) holds them"
        )?;
        let sources = self.published.iter().map(|p| p.source.as_str());
        let header: Vec<&str> = ["piece", "here"].into_iter().chain(sources).collect();
        Ok(crate::cli::table::write(out, &header, &rows)?)
    }

    fn to_json(&self) -> Value {
        let line = |l: &Line| {
            json!({
                "piece": l.name,
                "regression": Worth::json(l.regression),
                "bootstrap": Worth::json(l.bootstrap),
                "phases": l.phases.map(Worth::json),
                "odds": Worth::json(l.odds),
                "evaluation": l.evaluation,
                "health": HEALTH.iter().zip(l.health).map(|(left, worth)| {
                    json!({ "left": left, "worth": Worth::json(worth) })
                }).collect::<Vec<_>>(),
                "published": self.published.iter().filter_map(|p| {
                    p.value(&l.name).map(|value| json!({ "source": p.source, "value": value }))
                }).collect::<Vec<_>>(),
            })
        };
        let size_up = |s: &SizeUp| {
            let regression = Worth::json(s.regression);
            json!({ "from": s.from, "to": s.to, "regression": regression, "evaluation": s.evaluation })
        };
        json!({
            "game": self.game,
            "unit_of_value": self.pawn,
            "games": self.tally.games,
            "unfinished": self.tally.unfinished,
            "positions": self.tally.positions,
            "units": self.units,
            "white_edge_log_odds": self.first_move.map(|(v, e)| json!({ "value": v, "standard_error": e })),
            "echo": self.echo.as_ref().map(Echo::json),
            "size_ups": self.size_ups.iter().map(size_up).collect::<Vec<_>>(),
            "values": self.lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

impl Line {
    /// The odds matches' estimate, or else the regression's.
    fn best(&self) -> Option<Worth> {
        self.odds.or(self.regression)
    }

    /// Whether the evaluation's value lies outside the interval of the best estimate there is.
    fn disagrees(&self) -> bool {
        let best = self.best().and_then(|w| w.interval);
        match (best, self.evaluation) {
            (Some(i), Some(v)) => !(i.lower - 1e-9..=i.upper + 1e-9).contains(&v),
            _ => false,
        }
    }
}
