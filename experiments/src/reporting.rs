//! From a run's folder to what its report shows. Reads files only; plays nothing.

use crate::card::{Card, CardFigure};
use crate::claims::Test;
use crate::cli::verdicts::{self, Verdicted};
use crate::contest::Contest;
use crate::experiment::{Experiment, Openings, PlayerKind};
use crate::log::{GameRow, LogReader, Manifest, MovesRow};
use crate::report::{
    Estimate, Figure, GameView, Lengths, Outcome, Ply, Position, Reliance, ReportInput, Run, Setup, Standing,
    TerminationCount, Unit, Verdict,
};
use crate::stats::{self, proportion::wilson};
use crate::summary::Summary;
use crate::verify::Verifier;
use anyhow::{Context, Result};
use engine::games::Visitor;
use engine::notation::parse_uci;
use engine::options::Provenance;
use engine::search::Playable;
use engine::side::Side;
use std::path::Path;

/// Error probability of the figures' own confidence sequences.
const ALPHA: f64 = 0.05;

/// The report on some runs' folders.
///
/// # Errors
/// A folder without a run, a log that does not add up.
pub fn read(dirs: &[&Path]) -> Result<ReportInput> {
    let mut runs = Vec::new();
    for dir in dirs {
        let manifest = Manifest::read(dir)?;
        let experiment = &manifest.experiment;
        let run = engine::games::with(
            &experiment.game,
            experiment.option_pairs(),
            Read { dir, manifest: &manifest },
        )??;
        runs.push(run);
    }
    // Runs are told apart by name.
    for i in 1..runs.len() {
        if runs[..i].iter().any(|r| r.name == runs[i].name) {
            runs[i].name = format!("{} ({})", runs[i].name, dirs[i].display());
        }
    }
    let title = match runs.as_slice() {
        [run] => format!("{}: {}", run.name, run.setup.game),
        _ => "Several runs".to_owned(),
    };
    Ok(ReportInput { title, program: format!("equipoise {}", env!("CARGO_PKG_VERSION")), runs })
}

struct Read<'a> {
    dir: &'a Path,
    manifest: &'a Manifest,
}

/// What is gathered in one pass over a log.
struct Gathered {
    summary: Summary,
    judge: crate::claims::Judge,
    lengths: Vec<u32>,
    longest: Option<(GameRow, MovesRow)>,
    card: Card,
    contest: Option<Contest>,
}

impl Visitor for Read<'_> {
    type Output = Result<Run>;

    fn visit<G: Playable>(self, game: G) -> Result<Run> {
        let experiment = &self.manifest.experiment;
        let mut reader = LogReader::open(self.dir, experiment.games_per_unit())?;
        let mut verifier = Verifier::new(&game, self.manifest)?;
        let mut g = Gathered {
            summary: Summary::default(),
            judge: crate::claims::Judge::new(&experiment.claims)?,
            lengths: Vec::new(),
            longest: None,
            card: Card::new()?,
            contest: Contest::of(experiment)?,
        };
        while let Some(unit) = verifier.next(&mut reader)? {
            g.judge.push(&unit)?;
            g.summary.push(&unit);
            g.card.push(&unit)?;
            if let Some(contest) = &mut g.contest {
                contest.push(&unit);
            }
            for (row, _, moves) in unit.games {
                g.lengths.push(row.moves);
                let longer = g.longest.as_ref().is_none_or(|(old, _)| {
                    (row.result.winner().is_some(), row.moves) > (old.result.winner().is_some(), old.moves)
                });
                if longer {
                    g.longest = Some((row, moves));
                }
            }
        }
        g.card.enumerate(experiment)?;
        let verdicts = verdicts::all(self.dir, self.manifest, &g.judge.standings())?;
        run(&game, self.manifest, g, &verdicts)
    }
}

fn run<G: Playable>(game: &G, manifest: &Manifest, g: Gathered, verdicts: &[Verdicted]) -> Result<Run> {
    let experiment = &manifest.experiment;
    let summary = &g.summary;
    let mut warnings = Vec::new();
    let open = verdicts.is_empty() || verdicts.iter().any(|v| v.verdict == stats::Verdict::Undecided);
    let decided = g.contest.as_ref().and_then(Contest::is_decided) == Some(true);
    if open && !decided && summary.units < crate::runner::units_of(manifest) {
        warnings.push(format!(
            "The run is not finished: {} of {} games at most.",
            summary.games, experiment.games
        ));
    }
    if summary.unfinished() > 0 {
        warnings.push(format!(
            "{} games are unfinished (*): entered at their least and at their greatest value.",
            summary.unfinished()
        ));
    }
    if summary.duplicates > 0 {
        warnings.push(format!("{} games are identical to an earlier one; all are kept.", summary.duplicates));
    }
    let mut marks = Vec::new();
    if let Some(rule) = experiment.limits().move_rule {
        marks.push((rule, "move rule".to_owned()));
    }
    if let Some(limit) = experiment.move_limit {
        marks.push((limit, "harness limit".to_owned()));
    }
    let mut terminations: Vec<TerminationCount> = summary
        .by_termination()
        .map(|(t, n)| {
            let w = wilson(n, summary.games, 0.95, 1.0);
            TerminationCount { name: t.name().to_owned(), games: n, interval: Some((w.lower, w.upper)) }
        })
        .collect();
    terminations.sort_by_key(|t| std::cmp::Reverse(t.games));
    let reliance = reliance(game, experiment);
    Ok(Run {
        name: experiment.name.clone(),
        purpose: String::new(),
        setup: setup(game, experiment, summary),
        warnings,
        verdicts: verdicts.iter().map(|v| verdict(v, experiment, summary)).collect(),
        reliance,
        figures: figures(&g, summary),
        lengths: Some(Lengths { unit: "moves".to_owned(), values: g.lengths, marks }),
        terminations,
        game: g.longest.as_ref().map(|(row, moves)| view(game, row, moves)).transpose()?,
        provenance: provenance(manifest),
    })
}

fn setup<G: Playable>(game: &G, experiment: &Experiment, summary: &Summary) -> Setup {
    let changed: Vec<String> = game
        .info()
        .options
        .iter()
        .filter(|o| game.options().get(o.name) != o.default())
        .map(|o| format!("{}={}", o.name, game.options().get(o.name)))
        .collect();
    let options = if changed.is_empty() { String::new() } else { format!(" ({})", changed.join(", ")) };
    let players: Vec<&str> = experiment.players.iter().map(|p| p.name.as_str()).collect();
    let budgets: Vec<String> = experiment
        .players
        .iter()
        .map(|p| match &p.kind {
            PlayerKind::Imported => "whatever its players thought".to_owned(),
            PlayerKind::Random => "random moves".to_owned(),
            PlayerKind::External(spec) => format!("`{}`, not repeatable", spec.command.join(" ")),
            PlayerKind::Search { nodes, errors, .. } => format!("{nodes} nodes a move{errors}"),
        })
        .collect();
    Setup {
        game: format!("{}{options}", game.info().title),
        engine: players.join(" and "),
        budget: budgets.join(" and "),
        seed: experiment.seed.to_string(),
        unit: match experiment.games_per_unit() {
            1 => "one opening, one game".to_owned(),
            _ if experiment.players.len() == 1 => {
                "two set-ups, two games with the set-ups exchanged".to_owned()
            }
            _ => "one opening, two games with the players exchanged".to_owned(),
        },
        games: summary.games,
        unique_games: Some(summary.games - summary.duplicates),
    }
}

fn verdict(v: &Verdicted, experiment: &Experiment, summary: &Summary) -> Verdict {
    let test = &v.claim.test;
    let threshold = test.comparison().map(|(_, threshold)| threshold);
    let estimate = v.standing.as_ref().and_then(|s| {
        let (low, high) = s.mean?;
        let level = test.level().unwrap_or(ALPHA);
        let method = match test {
            Test::RestrictedMean { .. } => "restricted mean (Kaplan-Meier), jackknife over units",
            Test::Odds(_) => "regression on uneven armies, Fieller",
            _ => "betting confidence sequence",
        };
        let unit = match (test.is_share(), test.control()) {
            (true, None) => Unit::Share,
            (true, Some(_)) => Unit::ShareDifference,
            (false, _) => Unit::Plain { decimals: 2, name: String::new() },
        };
        Some(Estimate {
            value: (low + high) / 2.0,
            interval: Some((s.interval.lower, s.interval.upper)),
            unit,
            method: format!("{method}, alpha {level:.4}"),
        })
    });
    let mut beside = v.beside.clone();
    if estimate.is_none() && v.standing.is_none() {
        let found = match test {
            Test::Exact(_) => format!("found by enumeration: {}", v.found),
            _ => format!("found {}, interval {}", v.found, v.interval),
        };
        beside.insert(0, found);
    }
    Verdict {
        claim: v.claim.id.clone(),
        statement: v.claim.sentence.clone(),
        criterion: verdicts::criterion(&v.claim),
        outcome: match v.verdict {
            stats::Verdict::Supported => Outcome::Supported,
            stats::Verdict::Refuted => Outcome::Refuted,
            stats::Verdict::Undecided => Outcome::Undecided,
        },
        estimate,
        beside,
        threshold,
        games: v.standing.as_ref().map_or(0, |s| s.units * experiment.games_per_unit()),
        unique_games: v
            .standing
            .as_ref()
            .map(|s| (s.units * experiment.games_per_unit()).saturating_sub(summary.duplicates)),
        to_decide: v.to_decide.clone(),
        rests_on: v
            .claim
            .depends
            .iter()
            .map(|text| Reliance { rule: text.clone(), standing: Standing::Choice, note: String::new() })
            .collect(),
    }
}

fn of_contest(contest: &Contest) -> Figure {
    let elo = contest.elo();
    let nominal = if contest.is_decided().is_some() { ", nominal, biased after stopping" } else { "" };
    Figure {
        name: contest.title(),
        estimate: Estimate {
            value: elo.value,
            interval: Some((elo.interval.lower, elo.interval.upper)),
            unit: Unit::Plain { decimals: 0, name: "Elo".to_owned() },
            method: format!("pentanomial, 95 %{nominal}"),
        },
        games: 2 * contest.pairs(),
    }
}

fn figures(g: &Gathered, summary: &Summary) -> Vec<Figure> {
    let of_card = |f: CardFigure| Figure {
        name: f.name.to_owned(),
        estimate: Estimate {
            value: f.value,
            interval: f.interval.map(|i| (i.lower, i.upper)),
            unit: match f.unit {
                "" => Unit::Share,
                unit => Unit::Plain { decimals: 2, name: unit.to_owned() },
            },
            method: f.method.to_owned(),
        },
        games: summary.games,
    };
    let mut list: Vec<Figure> = g.contest.iter().map(of_contest).collect();
    list.extend(g.card.figures().into_iter().map(of_card));
    list.push(Figure {
        name: "Nodes a game".to_owned(),
        estimate: Estimate {
            value: summary.nodes as f64 / summary.games.max(1) as f64,
            interval: None,
            unit: Unit::Plain { decimals: 0, name: "nodes".to_owned() },
            method: "mean".to_owned(),
        },
        games: summary.games,
    });
    list
}

fn reliance<G: Playable>(game: &G, experiment: &Experiment) -> Vec<Reliance> {
    let mut list = Vec::new();
    for option in game.info().options {
        let standing = match option.provenance {
            Provenance::Choice => Standing::Choice,
            Provenance::Reconstructed => Standing::Reconstructed,
            Provenance::Seed | Provenance::Experiment => continue,
        };
        let rule = format!("{} = {}", option.name, game.options().get(option.name));
        list.push(Reliance { rule, standing, note: option.doc.to_owned() });
    }
    for text in game.info().reconstructed {
        let rule = "the game's rules".to_owned();
        list.push(Reliance { rule, standing: Standing::Reconstructed, note: (*text).to_owned() });
    }
    if let Some(matrix) = experiment.payoff.as_ref().filter(|m| m.spec().reconstructed) {
        list.push(Reliance {
            rule: format!("payoff matrix {}", matrix.spec().name),
            standing: Standing::Reconstructed,
            note: matrix.spec().provenance.clone(),
        });
    }
    list
}

fn provenance(manifest: &Manifest) -> Vec<(String, String)> {
    let experiment = &manifest.experiment;
    let values: Vec<String> = manifest.values.values.iter().map(|(l, v)| format!("{l} {v}")).collect();
    let mut list = vec![
        ("program".to_owned(), manifest.program.clone()),
        ("seed".to_owned(), experiment.seed.to_string()),
        ("rules fingerprint".to_owned(), manifest.rules.clone()),
        ("engine fingerprint".to_owned(), manifest.engine.clone()),
        ("value table".to_owned(), format!("{}: {}", manifest.values.name, values.join(", "))),
        ("openings".to_owned(), openings(experiment)),
        ("move limit".to_owned(), experiment.move_limit.map_or("none".to_owned(), |n| n.to_string())),
    ];
    if let Some(matrix) = &experiment.payoff {
        let rule = matrix.spec().move_rule.map_or("none".to_owned(), |n| n.to_string());
        list.push(("payoff".to_owned(), format!("{}, move rule {rule}", matrix.spec().name)));
    }
    list
}

/// How openings are drawn, in words.
fn openings(experiment: &Experiment) -> String {
    match &experiment.openings {
        Openings::Imported { file } => format!("not ours: the games come from {file}"),
        Openings::Fixed => "the start position".to_owned(),
        Openings::Random { plies, balance: None } => {
            format!("{plies} random plies, unfiltered, all different")
        }
        Openings::Random { plies, balance: Some(b) } => {
            format!("{plies} random plies within {} centipawns at {} nodes", b.within, b.nodes)
        }
        Openings::Temperature { plies, nodes, scale } => {
            format!("{plies} plies drawn by score at {nodes} nodes, scale {scale} centipawns")
        }
        Openings::File { fens, plies: 0 } => format!("{} positions from a file", fens.len()),
        Openings::File { fens, plies } => {
            format!("{} positions from a file, each equally likely, then {plies} random plies", fens.len())
        }
        Openings::Setups { exchange: true, .. } => {
            "the game's set-ups, exchanged between the sides".to_owned()
        }
        Openings::Setups { plies, .. } => format!("the game's set-ups, then {plies} random plies"),
    }
}

/// A game to step through.
fn view<G: Playable>(game: &G, row: &GameRow, moves: &MovesRow) -> Result<GameView> {
    let mut state = game.parse_fen(&row.start_fen).context("start_fen")?;
    let mut positions = vec![position(game, &state)];
    let mut plies = Vec::new();
    for (ply, (uci, eval)) in moves.moves.iter().zip(&moves.evals).enumerate() {
        let m = parse_uci(game, &state, uci).with_context(|| format!("ply {}", ply + 1))?;
        let dots = if game.side_to_move(&state) == Side::White { "." } else { "…" };
        let label = format!("{}{dots}", game.clocks(&state).1);
        game.play(&mut state, m, &mut ());
        positions.push(position(game, &state));
        plies.push(Ply { label, text: uci.clone(), eval: eval.clone() });
    }
    let kind = if row.result.winner().is_some() { "Longest decisive game" } else { "Longest game" };
    Ok(GameView {
        id: row.game_id.to_string(),
        caption: format!("{kind}: {}, {} at move {}", row.result, row.termination, row.moves),
        a1_dark: game.info().a1_dark,
        positions,
        plies,
    })
}

fn position<G: Playable>(game: &G, state: &G::State) -> Position {
    let files = G::FILES as usize;
    let mut rows = vec![vec![String::new(); files]; G::RANKS as usize];
    let mut hands = Vec::new();
    game.pieces(state, &mut |side, kind, square| {
        let rank = G::RANKS as usize - 1 - square as usize / files;
        rows[rank][square as usize % files] = cased(game.info().pieces[kind as usize].letter, side);
    });
    for side in Side::BOTH {
        for (kind, piece) in game.info().pieces.iter().enumerate() {
            let n = game.in_hand(state, side, kind as u8);
            if n > 0 {
                hands.push(format!("{n} {}", cased(piece.letter, side)));
            }
        }
    }
    let note = if hands.is_empty() { String::new() } else { format!("in hand: {}", hands.join(", ")) };
    Position { rows, note }
}

fn cased(letter: char, side: Side) -> String {
    match side {
        Side::White => letter.to_string(),
        Side::Black => letter.to_ascii_lowercase().to_string(),
    }
}
