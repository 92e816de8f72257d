//! `equipoise run` of an experiment with a race: its rounds one after the other, the verdicts, the first moves.

use super::run::RunArgs;
use super::tune::batch::{self, Done};
use super::{table, verdicts};
use crate::claims::{Claim, Question, Test};
use crate::decimals::signed;
use crate::experiment::{Experiment, Openings, PlayerKind, Race};
use crate::failure::Interrupted;
use crate::first_moves;
use crate::log::{Shard, write_whole};
use crate::race::{Count, Field, Finding, Group, Place, count, judge};
use crate::setups::{Draw, openings_from};
use crate::stats::Verdict;
use anyhow::{Result, bail};
use engine::games::Visitor;
use engine::search::Playable;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// What the race found, beside the rounds.
const RESULT: &str = "race.json";
/// Games of a lane in a round, at least, for the halves to say anything.
const LEAST: u64 = 4;

/// One game's first moves and what they came to.
struct Raced {
    experiment: Experiment,
    field: Field,
    /// Entropy in bits of all first moves, by the scores of a search.
    entropy: Option<f64>,
}

/// A claim's verdict.
struct Answer<'a> {
    claim: &'a Claim,
    verdict: Verdict,
    found: String,
    interval: String,
    to_decide: String,
}

/// Races into folders within `dir`.
///
/// # Errors
/// What a run's are; folders that hold rounds when nobody said to go on with them; too few games.
pub fn run(
    args: &RunArgs,
    experiment: &Experiment,
    race: Race,
    dir: &Path,
    out: &mut dyn Write,
) -> Result<()> {
    if args.shard != Shard::WHOLE {
        bail!("a race has no shards; which moves play on depends on all games before");
    }
    let mut list = Vec::new();
    for (index, raced) in experiment.raced()?.into_iter().enumerate() {
        let of_other =
            |c: &&Claim| index == 0 || c.test.control().is_some_and(|other| other.game == raced.game);
        let questions: Vec<&Question> =
            experiment.claims.iter().filter(of_other).filter_map(|c| question(c)).collect();
        let field = of_game(&raced, Enter(&questions))??;
        let least = LEAST * field.lanes.len() as u64 * u64::from(race.rounds);
        if raced.games < least {
            bail!(
                "games is {}, too few for {} first moves of {} in {} rounds; expected at least {least}",
                raced.games,
                field.lanes.len(),
                raced.game,
                race.rounds
            );
        }
        list.push(Raced { experiment: raced, field, entropy: None });
    }
    if args.dry_run {
        let row = |r: &Raced| {
            let lanes = r.field.lanes.len().to_string();
            vec![r.experiment.game.clone(), lanes, race.rounds.to_string(), r.experiment.games.to_string()]
        };
        table::write(
            out,
            &["game", "first moves", "rounds", "games at most"],
            &list.iter().map(row).collect::<Vec<_>>(),
        )?;
        eprintln!("nothing was played");
        return Ok(());
    }
    if !args.resume && list.iter().any(|r| dir.join(&r.experiment.name).exists()) {
        bail!("{} holds a race already; add --resume to go on with it", dir.display());
    }
    for raced in &mut list {
        raced.play(race, dir, args)?;
    }
    let answers = experiment.claims.iter().map(|c| answer(c, &list)).collect::<Result<Vec<_>>>()?;
    let value = as_json(experiment, &list, &answers);
    let json = serde_json::to_string_pretty(&value)?;
    write_whole(&dir.join(RESULT), &format!("{json}\n"))?;
    if args.json.json {
        writeln!(out, "{json}")?;
        return Ok(());
    }
    print(&list, &answers, out)?;
    writeln!(out, "\nlogs: {0}/GAME/round-*   this result: {0}/{RESULT}", dir.display())?;
    Ok(())
}

fn question(claim: &Claim) -> Option<&Question> {
    match &claim.test {
        Test::Apart { question, .. } => Some(question),
        _ => None,
    }
}

fn of_game<V: Visitor>(experiment: &Experiment, visitor: V) -> Result<V::Output> {
    Ok(engine::games::with(&experiment.game, experiment.option_pairs(), visitor)?)
}

struct Enter<'a>(&'a [&'a Question]);

impl Visitor for Enter<'_> {
    type Output = Result<Field>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        Field::of(&game, self.0)
    }
}

/// The entropy of first moves, each scored by a search of so many nodes.
struct Entropy(u64);

impl Visitor for Entropy {
    type Output = Result<Option<f64>>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        Ok(first_moves::entropy(&first_moves::scores(&game, &game.start(), self.0)?))
    }
}

struct Open<'a, 'd> {
    field: &'a Field,
    lanes: &'a [usize],
    draw: Draw<'d>,
}

impl Visitor for Open<'_, '_> {
    type Output = Result<Vec<String>>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let lanes = self.lanes.iter().map(|&lane| &self.field.lanes[lane]);
        openings_from(&game, lanes.map(|lane| (lane.uci.clone(), lane.fen.as_str())), self.draw)
    }
}

impl Raced {
    /// Plays all rounds, or what is left of them.
    fn play(&mut self, race: Race, dir: &Path, args: &RunArgs) -> Result<()> {
        let experiment = &self.experiment;
        let plies = match experiment.openings {
            Openings::Random { plies, .. } => plies,
            _ => 0,
        };
        let mut seen = HashSet::new();
        for round in 1..=race.rounds {
            let left = experiment.games.saturating_sub(self.field.games());
            let games = self.field.round(left / u64::from(race.rounds + 1 - round));
            let lanes: Vec<usize> = games
                .iter()
                .enumerate()
                .flat_map(|(lane, &n)| std::iter::repeat_n(lane, n as usize))
                .collect();
            let open = games.iter().filter(|n| **n > 0).count();
            eprintln!(
                "{}, round {round} of {}: {} games after {open} first moves",
                experiment.game,
                race.rounds,
                lanes.len()
            );
            let draw = Draw { plies, seed: experiment.seed, first: self.field.games() + 1, seen: &mut seen };
            let fens = of_game(experiment, Open { field: &self.field, lanes: &lanes, draw })??;
            let of_round = Experiment {
                name: format!("{}-round-{round}", experiment.name),
                games: fens.len() as u64,
                openings: Openings::File { fens, plies: 0 },
                claims: Vec::new(),
                ..experiment.clone()
            };
            let folder = dir.join(&experiment.name).join(format!("round-{round}"));
            match batch::play(&of_round, &folder, args.threads.count())? {
                Done::All(games) => {
                    lanes.iter().zip(&games).for_each(|(&lane, game)| self.field.push(lane, game.result));
                }
                Done::Interrupted(_) => {
                    let text =
                        format!("interrupted; all whole games are kept; to go on: {}", args.to_resume(dir));
                    return Err(Interrupted(text).into());
                }
            }
            self.field.drop_worse();
        }
        if let Some(PlayerKind::Search { nodes, .. }) = experiment.players.first().map(|p| &p.kind) {
            self.entropy = of_game(experiment, Entropy(*nodes))??;
        }
        Ok(())
    }

    /// The groups that answer a question.
    fn groups(&self, question: &Question) -> impl Iterator<Item = &Group> {
        let piece = match question {
            Question::FirstSquares { piece, .. } => Some(*piece),
            _ => None,
        };
        self.field.groups.iter().filter(move |g| g.piece == piece)
    }
}

/// The verdict on a claim; the first of `list` is the game it is about.
fn answer<'a>(claim: &'a Claim, list: &[Raced]) -> Result<Answer<'a>> {
    let (Test::Apart { question, relation, threshold, level, control }, Some(own)) =
        (&claim.test, list.first())
    else {
        bail!("claim {} is not decided by a race", claim.id)
    };
    let other = control.as_ref().and_then(|c| list[1..].iter().find(|r| r.experiment.game == c.game));
    // Wrong in none of the groups, nor in those of the other game.
    let parts = own.groups(question).count().max(1) * if other.is_some() { 2 } else { 1 };
    let counted = |raced: &Raced| -> Vec<(String, Option<Count>)> {
        let one = |g: &Group| (g.name.clone(), count(&raced.field, g, level / parts as f64));
        raced.groups(question).map(one).collect()
    };
    let (ours, theirs) = (counted(own), other.map(counted).unwrap_or_default());
    let all: Option<Vec<&Count>> = ours.iter().chain(&theirs).map(|(_, c)| c.as_ref()).collect();
    let Some(all) = all.filter(|all| !all.is_empty()) else {
        bail!("the race of claim {} has no games", claim.id)
    };
    let more = all.iter().map(|c| c.games_needed).max().unwrap_or(0);
    let (verdict, found, interval) = match (&ours[..], &theirs[..], other) {
        ([(_, Some(a))], [(_, Some(b))], Some(other)) => {
            let bounds = (a.least as i64 - b.most as i64, a.most as i64 - b.least as i64);
            let name = &other.experiment.game;
            let found = format!("{} less {} of {name}", a.estimate, b.estimate);
            (judge(bounds, *relation, *threshold), found, format!("{} to {}", bounds.0, bounds.1))
        }
        _ => {
            let of = |c: &Count| judge((c.least as i64, c.most as i64), *relation, *threshold);
            let each: Vec<Verdict> = all.iter().map(|c| of(c)).collect();
            let verdict = if each.contains(&Verdict::Refuted) {
                Verdict::Refuted
            } else if each.iter().all(|v| *v == Verdict::Supported) {
                Verdict::Supported
            } else {
                Verdict::Undecided
            };
            let words = |text: &dyn Fn(&Count) -> String| {
                let each = ours.iter().filter_map(|(name, c)| Some(format!("{name} {}", text(c.as_ref()?))));
                each.collect::<Vec<_>>().join(", ")
            };
            let interval = words(&|c| format!("{} to {}", c.least, c.most));
            (verdict, words(&|c| c.estimate.to_string()), interval)
        }
    };
    let games: Vec<String> = list
        .iter()
        .filter(|r| std::ptr::eq(*r, own) || other.is_some_and(|o| std::ptr::eq(*r, o)))
        .map(|r| r.field.games().to_string())
        .collect();
    let to_decide = match verdict {
        Verdict::Undecided => format!("about {more} games of each to see equals as equal"),
        _ => String::new(),
    };
    Ok(Answer {
        claim,
        verdict,
        found: format!("{found} in {} games", games.join(" + ")),
        interval,
        to_decide,
    })
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Best => "the best",
        Place::Within => "yes",
        Place::Outside => "no",
        Place::Open => "?",
    }
}

/// The groups of a race, each with a count at 95 %.
fn counts(raced: &Raced) -> impl Iterator<Item = (&Group, Count)> {
    raced.field.groups.iter().filter_map(|g| Some((g, count(&raced.field, g, 0.05)?)))
}

fn print(list: &[Raced], answers: &[Answer<'_>], out: &mut dyn Write) -> Result<()> {
    for raced in list {
        let (experiment, field) = (&raced.experiment, &raced.field);
        let unfinished: usize = field.lanes.iter().map(|l| l.unfinished()).sum();
        writeln!(
            out,
            "{}: {} games, {unfinished} unfinished; the best is fixed on one half of them, scores and gaps are of the other",
            experiment.game,
            field.games()
        )?;
        if let (Some(bits), Some(player)) = (raced.entropy, experiment.players.first())
            && let PlayerKind::Search { nodes, .. } = player.kind
        {
            writeln!(
                out,
                "first-move entropy {bits:.2} bits (softmax of scores after {nodes} nodes, {} centipawns)",
                first_moves::SCALE
            )?;
        }
        for (group, count) in counts(raced) {
            writeln!(out)?;
            let of_best = format!("within {}", group.of_best);
            let header = ["first move", "games", "score", "gap", "95 % together", of_best.as_str()];
            let row = |f: &Finding| {
                let interval =
                    f.interval.map(|i| format!("{} to {}", signed(i.lower, 3), signed(i.upper, 3)));
                vec![
                    field.lanes[f.lane].uci.clone(),
                    field.lanes[f.lane].games().to_string(),
                    format!("{:.3}", f.score),
                    signed(f.gap, 3),
                    interval.unwrap_or_default(),
                    place(f.place).to_owned(),
                ]
            };
            writeln!(
                out,
                "{}: {} of {} within {} of the best (95 %: {} to {})",
                group.name,
                count.estimate,
                group.members.len(),
                group.of_best,
                count.least,
                count.most
            )?;
            table::write(out, &header, &count.findings.iter().map(row).collect::<Vec<_>>())?;
        }
        writeln!(out)?;
    }
    let row = |a: &Answer<'_>| {
        vec![
            a.claim.id.clone(),
            a.verdict.to_string(),
            verdicts::criterion(a.claim),
            a.found.clone(),
            a.interval.clone(),
            a.to_decide.clone(),
        ]
    };
    let header = ["claim", "verdict", "as tested", "found", "interval", "to decide"];
    table::write(out, &header, &answers.iter().map(row).collect::<Vec<_>>())?;
    let mut depends: Vec<&String> = answers.iter().flat_map(|a| &a.claim.depends).collect();
    depends.dedup();
    for text in depends {
        writeln!(out, "rests on: {text}")?;
    }
    Ok(())
}

fn as_json(experiment: &Experiment, list: &[Raced], answers: &[Answer<'_>]) -> Value {
    let answer = |a: &Answer<'_>| {
        json!({
            "id": a.claim.id, "verdict": a.verdict.to_string(), "claim": a.claim.sentence,
            "level": a.claim.test.level(), "found": a.found, "interval": a.interval, "to_decide": a.to_decide,
            "depends": a.claim.depends,
        })
    };
    let raced = |r: &Raced| {
        let finding = |f: &Finding| {
            let lane = &r.field.lanes[f.lane];
            json!({
                "move": lane.uci, "games": lane.games(), "unfinished": lane.unfinished(), "score": f.score,
                "gap": f.gap, "interval": f.interval.map(|i| [i.lower, i.upper]), "within": place(f.place),
            })
        };
        let group = |(g, c): (&Group, Count)| {
            json!({
                "name": g.name, "of_best": g.of_best, "moves": g.members.len(), "within": c.estimate,
                "least": c.least, "most": c.most, "games_needed": c.games_needed,
                "first_moves": c.findings.iter().map(finding).collect::<Vec<_>>(),
            })
        };
        json!({
            "game": r.experiment.game, "games": r.field.games(), "entropy_bits": r.entropy,
            "groups": counts(r).map(group).collect::<Vec<_>>(),
        })
    };
    json!({
        "experiment": experiment.name,
        "claims": answers.iter().map(answer).collect::<Vec<_>>(),
        "races": list.iter().map(raced).collect::<Vec<_>>(),
    })
}
