//! Verdicts as people and programs read them.

use super::table;
use crate::card::{Card, CardFigure};
use crate::claims::{Claim, Odds, Phase, Question, Relation, Standing, Test};
use crate::contest::{Contest, budgets};
use crate::decimals::{fixed, percent};
use crate::experiment::Experiment;
use crate::log::{Manifest, Shard};
use crate::offer_game::incentive;
use crate::stats::{Verdict, proportion::wilson};
use crate::summary::{Summary, standing_json};
use anyhow::Result;
use engine::games::Visitor;
use engine::search::Playable;
use engine::side::Side;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// What became of a claim, and on what grounds.
#[derive(Clone, Debug)]
pub struct Verdicted {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// What was found, in words.
    pub found: String,
    /// The interval or the enumeration's answer, in words.
    pub interval: String,
    /// What deciding would take; empty once decided.
    pub to_decide: String,
    /// Plain figures beside the verdict, a line each.
    pub beside: Vec<String>,
    /// Where it stands, for a claim that rests on games.
    pub standing: Option<Standing>,
}

/// The verdicts on all claims of the run in `dir`: those on figures of games have `standings`, the others are
/// enumerated or worked out from the log, and some no log decides.
pub fn all(dir: &Path, manifest: &Manifest, standings: &[Standing]) -> Result<Vec<Verdicted>> {
    let mut list = Vec::new();
    for claim in &manifest.experiment.claims {
        list.push(match (standings.iter().find(|s| s.claim.id == claim.id), &claim.test) {
            (Some(standing), _) => by_games(standing, &manifest.experiment, manifest.shard),
            (None, Test::Apart { question, .. }) => apart(dir, manifest, claim, question)?,
            (None, _) => by_enumeration(manifest, claim)?,
        });
    }
    Ok(list)
}

/// Whether more games in the same log may decide what is open: not if some claim is judged once, on its whole.
pub fn may_be_decided(verdicts: &[Verdicted]) -> bool {
    let open = |v: &Verdicted| {
        v.verdict == Verdict::Undecided && v.standing.is_some() && v.claim.test.control().is_none()
    };
    verdicts.iter().any(open) && !verdicts.iter().any(|v| v.claim.test.is_judged_once())
}

/// A claim that a computation of its own decides: on this log, if it can.
fn apart(dir: &Path, manifest: &Manifest, claim: &Claim, question: &Question) -> Result<Verdicted> {
    let mut verdicted = Verdicted {
        claim: claim.clone(),
        verdict: Verdict::Undecided,
        found: "not asked of this log".to_owned(),
        interval: "none".to_owned(),
        to_decide: question.how(&claim.game),
        beside: Vec::new(),
        standing: None,
    };
    let answer = match (&claim.test, question) {
        (Test::Apart { relation, threshold, level, .. }, Question::Incentive { matrix }) => {
            let asked =
                incentive::Asked { matrix, relation: *relation, threshold: *threshold, level: *level };
            incentive::answer(dir, manifest, &asked)?
        }
        _ => return Ok(verdicted),
    };
    verdicted.verdict = answer.verdict;
    verdicted.found = answer.found;
    verdicted.interval = answer.interval;
    verdicted.to_decide = answer.to_decide;
    verdicted.beside = answer.bands;
    Ok(verdicted)
}

fn by_games(s: &Standing, experiment: &Experiment, shard: Shard) -> Verdicted {
    let per_unit = experiment.games_per_unit();
    let games = s.units * per_unit;
    let of = match s.claim.test.control() {
        Some(control) if s.compared => format!("in {games} games less those of {control}"),
        Some(control) => format!("compared with no run of {control} yet"),
        None => format!("in {games} games"),
    };
    let test = &s.claim.test;
    let of = s.hangs_on.as_ref().map_or(of.clone(), |sum| format!("({sum}) {of}"));
    let mean = match s.mean {
        None => of,
        Some((low, high)) if low == high => format!("{} {of}", number(test, low)),
        Some((low, high)) => {
            format!("{} to {} {of}, {} units unfinished", number(test, low), number(test, high), s.unfinished)
        }
    };
    // A test whose size was fixed before the run says nothing before its end.
    let early = test.has_fixed_size() && s.units < experiment.units();
    let open = shard != Shard::WHOLE || early;
    let verdict = if open { Verdict::Undecided } else { s.verdict };
    let to_decide = match (verdict, s.to_go) {
        (Verdict::Undecided, _) if shard != Shard::WHOLE => {
            "the whole run decides: merge its parts".to_owned()
        }
        (Verdict::Undecided, _) if early => format!("the whole run, {} games", experiment.games),
        (Verdict::Undecided, _) if !s.compared && test.control().is_some() => {
            "the other run: check DIR --control DIR".to_owned()
        }
        (Verdict::Undecided, Some(units)) if test.is_at_odds() => {
            format!("a run of about {} games", units * per_unit)
        }
        (Verdict::Undecided, Some(units)) => format!("about {} more games", units * per_unit),
        (Verdict::Undecided, None) => "too close to say".to_owned(),
        _ => String::new(),
    };
    let interval = match s.interval.lower.is_finite() {
        true => format!("{} to {}", number(test, s.interval.lower), number(test, s.interval.upper)),
        false => "none".to_owned(),
    };
    let beside = with_move_rule(s).into_iter().collect();
    let standing = Some(s.clone());
    Verdicted { claim: s.claim.clone(), verdict, found: mean, interval, to_decide, beside, standing }
}

/// What a move rule would have made of the same games, for a claim that asks for it.
fn with_move_rule(s: &Standing) -> Option<String> {
    let (rule, (some, games)) = (s.claim.beside_rule?, s.beside?);
    let w = wilson(some, games, 0.95, 1.0);
    Some(format!(
        "with a rule of {rule} moves (0-0 after it): {} of {games} games (95 % Wilson {} to {})",
        percent(some as f64 / games.max(1) as f64),
        percent(w.lower),
        percent(w.upper),
    ))
}

fn by_enumeration(manifest: &Manifest, claim: &Claim) -> Result<Verdicted> {
    let options = manifest.experiment.option_pairs();
    engine::games::with(&manifest.experiment.game, options, Enumerate(claim))?
}

struct Enumerate<'a>(&'a Claim);

impl Visitor for Enumerate<'_> {
    type Output = Result<Verdicted>;

    fn visit<G: Playable>(self, game: G) -> Result<Verdicted> {
        let claim = self.0.clone();
        let (verdict, found) = match &claim.test {
            Test::Exact(exact) => exact.decide(&game)?,
            _ => (Verdict::Undecided, Vec::new()),
        };
        let found = found.join(", ");
        Ok(Verdicted {
            claim,
            verdict,
            found,
            interval: "exact".to_owned(),
            to_decide: String::new(),
            beside: Vec::new(),
            standing: None,
        })
    }
}

/// A value of what a claim is about: shares in per cent.
fn number(test: &Test, value: f64) -> String {
    if test.is_share() { percent(value) } else { fixed(value, 2) }
}

/// What the claim compares, in words.
pub fn criterion(claim: &Claim) -> String {
    let test = &claim.test;
    let name = match test {
        Test::Exact(exact) => return format!("{}: {}", exact.name(), exact.expectations().join(", ")),
        Test::Sequence { metric, .. } => {
            let pieces = metric.pieces().map(|p| format!(" {p}")).unwrap_or_default();
            let within = metric.within().map(|(l, h)| format!(" {l}-{h}")).unwrap_or_default();
            format!("{}{pieces}{within}", metric.name())
        }
        Test::Apart { question, .. } => question.words(),
        Test::RestrictedMean { development, .. } => {
            format!("mean move of centre-half, to move {}", development.horizon)
        }
        Test::Odds(odds) => worths(odds),
    };
    let control = test.control().map(|c| format!(" less {c}")).unwrap_or_default();
    let Some((relation, threshold)) = test.comparison() else { return name };
    let threshold = number(test, threshold);
    match relation {
        Relation::Within(margin) => {
            format!("{name}{control} within {} of {threshold}", number(test, margin))
        }
        _ => format!("{name}{control} {relation} {threshold}"),
    }
}

/// What is claimed to be worth so much, in words.
fn worths(odds: &Odds) -> String {
    let unit = odds.unit.name();
    let phase = match odds.phase {
        Phase::Any => String::new(),
        phase => format!(", {}", phase.name()),
    };
    match odds.worths.as_slice() {
        [sum] => format!("worth of {sum} in {unit}{phase}"),
        [first, .., last] => {
            format!("each of {} worths ({first} to {last}) in {unit}{phase}", odds.worths.len())
        }
        [] => String::new(),
    }
}

/// Each worth of the claims on them.
fn print_worths(verdicts: &[Verdicted], out: &mut dyn Write) -> Result<()> {
    let mut rows = Vec::new();
    for standing in verdicts.iter().filter_map(|v| v.standing.as_ref()) {
        rows.extend(standing.worths.iter().map(|w| {
            vec![
                standing.claim.id.clone(),
                w.name.clone(),
                w.value.map_or("-".to_owned(), |v| fixed(v, 2)),
                w.interval
                    .map_or("?".to_owned(), |i| format!("{} to {}", fixed(i.lower, 2), fixed(i.upper, 2))),
                w.verdict.map_or("beside it, 95 %".to_owned(), |v| v.to_string()),
            ]
        }));
    }
    if !rows.is_empty() {
        writeln!(out)?;
        table::write(out, &["claim", "worth of", "value", "interval", "verdict"], &rows)?;
    }
    Ok(())
}

/// Prints a log's figures and verdicts.
pub fn print(
    manifest: &Manifest,
    summary: &Summary,
    contest: Option<&Contest>,
    verdicts: &[Verdicted],
    card: Option<&Card>,
    json: bool,
    out: &mut dyn Write,
) -> Result<()> {
    if json {
        let mut object = as_json(manifest, summary, verdicts, card);
        if let (Some(map), Some(contest)) = (object.as_object_mut(), contest) {
            map.insert("match".into(), contest.to_json(&manifest.experiment));
        }
        let text = serde_json::to_string_pretty(&object)?;
        writeln!(out, "{text}")?;
        return Ok(());
    }
    let experiment = &manifest.experiment;
    let games = summary.games;
    writeln!(
        out,
        "{}: {games} games of {} ({} unique), White won {}, Black {}, drawn {}, 0-0 {}, unfinished {}",
        experiment.name,
        experiment.game,
        games - summary.duplicates,
        summary.wins(Side::White),
        summary.wins(Side::Black),
        summary.draws(),
        summary.results[3],
        summary.unfinished(),
    )?;
    // A run that may stop on its claims is a sample of a stopping time.
    let mut judged = verdicts.iter().filter(|v| v.standing.is_some()).peekable();
    let may_stop =
        !manifest.keep_going && judged.peek().is_some() && judged.all(|v| v.claim.test.can_stop_run());
    let share = |n: u64| format!("{n} ({})", percent(n as f64 / games.max(1) as f64));
    let endings: Vec<String> = summary.by_termination().map(|(t, n)| format!("{t} {}", share(n))).collect();
    writeln!(out, "endings: {}", endings.join(", "))?;
    let mean = summary.moves as f64 / games.max(1) as f64;
    let drawn = wilson(summary.draws(), games, 0.95, 1.0);
    writeln!(
        out,
        "mean length {mean:.1} moves; drawn {} (95 % Wilson {} to {}{})",
        percent(summary.draws() as f64 / games.max(1) as f64),
        percent(drawn.lower),
        percent(drawn.upper),
        if may_stop { ", nominal, biased after stopping" } else { "" },
    )?;
    writeln!(out, "budget: {}", budgets(experiment))?;
    super::contest::print(contest, experiment, out)?;
    if let Some(card) = card {
        writeln!(out)?;
        let row = |f: &CardFigure| {
            let (value, interval) = f.text();
            vec![f.name.to_owned(), value, interval, f.units.to_string(), f.method.to_owned()]
        };
        let rows: Vec<Vec<String>> = card.figures().iter().map(row).collect();
        table::write(out, &["balance card", "value", "interval", "units", "method"], &rows)?;
    }
    if verdicts.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let rows: Vec<Vec<String>> = verdicts
        .iter()
        .map(|v| {
            vec![
                v.claim.id.clone(),
                v.verdict.to_string(),
                criterion(&v.claim),
                v.found.clone(),
                v.interval.clone(),
                v.to_decide.clone(),
            ]
        })
        .collect();
    table::write(out, &["claim", "verdict", "as tested", "found", "interval", "to decide"], &rows)?;
    for v in verdicts {
        for line in &v.beside {
            writeln!(out, "{} {line}", v.claim.id)?;
        }
    }
    print_worths(verdicts, out)?;
    let mut depends: Vec<&String> = verdicts.iter().flat_map(|v| &v.claim.depends).collect();
    depends.dedup();
    for text in depends {
        writeln!(out, "rests on: {text}")?;
    }
    Ok(())
}

fn as_json(manifest: &Manifest, summary: &Summary, verdicts: &[Verdicted], card: Option<&Card>) -> Value {
    let claims: Vec<Value> = verdicts
        .iter()
        .map(|v| {
            let mut object = match &v.standing {
                Some(standing) => standing_json(standing),
                None => json!({"id": v.claim.id, "level": v.claim.test.level(), "interval": v.interval}),
            };
            if let Some(map) = object.as_object_mut() {
                map.insert("verdict".into(), v.verdict.to_string().into());
                map.insert("claim".into(), v.claim.sentence.clone().into());
                map.insert("found".into(), v.found.clone().into());
                map.insert("to_decide".into(), v.to_decide.clone().into());
                map.insert("depends".into(), v.claim.depends.clone().into());
            }
            object
        })
        .collect();
    let mut object = summary.to_json(&[], None);
    if let Some(map) = object.as_object_mut() {
        map.insert("experiment".into(), manifest.experiment.name.clone().into());
        map.insert("game".into(), manifest.experiment.game.clone().into());
        map.insert("claims".into(), claims.into());
        if let Some(card) = card {
            let figure = |f: &CardFigure| {
                json!({
                    "name": f.name, "value": f.value, "unit": f.unit, "units": f.units, "method": f.method,
                    "interval": f.interval.map(|i| [i.lower, i.upper]),
                })
            };
            map.insert("card".into(), card.figures().iter().map(figure).collect());
        }
    }
    object
}
