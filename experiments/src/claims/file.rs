//! Claims files.

use super::exact::Exact;
use super::worth::{Known, Sum};
use super::{Claim, Control, Development, Metric, Odds, Phase, Question, Relation, Test, Unit};
use crate::tables::{Source, Table};
use anyhow::{Context, Result, bail};
use engine::games::Visitor;
use engine::options::nearest;
use engine::outcome::Termination;
use engine::search::Playable;

/// Claims files that are part of the program, by name.
pub const BUILT_IN: [(&str, &str); 5] = [
    ("magi", include_str!("../../../data/claims/magi.toml")),
    ("mageca", include_str!("../../../data/claims/mageca.toml")),
    ("mchess", include_str!("../../../data/claims/mchess.toml")),
    ("martian-shogi", include_str!("../../../data/claims/martian-shogi.toml")),
    ("multi-chess", include_str!("../../../data/claims/multi-chess.toml")),
];

/// The claims file of this program with this name, if there is one.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Reads a claims file. Its claims are one family: each that rests on games has the level alpha / m, m being
/// how many of them rest on games (an enumeration cannot err by chance).
///
/// # Errors
/// What is wrong, with file and line.
pub fn read(name: &str, text: &str) -> Result<Vec<Claim>> {
    Source { name, text }.read(|t| {
        let game = t.required_text("game")?;
        let alpha = t.number("alpha", 1e-9, 0.5)?.unwrap_or(0.05);
        let tables = t.tables("claim")?;
        let mut statistical = 0;
        for table in &tables {
            statistical += u32::from(table.required_text("test")? != "exact");
        }
        let level = alpha / f64::from(statistical.max(1));
        let claims: Vec<Claim> = tables.iter().map(|c| claim(c, game, level)).collect::<Result<_>>()?;
        for (i, claim) in claims.iter().enumerate() {
            if claims[..i].iter().any(|c| c.id == claim.id) {
                bail!("{name}: two claims have the id `{}`", claim.id);
            }
        }
        Ok(claims)
    })
}

/// Reads one claim; `game` is what it is about if it does not say, `level` its error probability.
///
/// # Errors
/// What is wrong, with file and line.
pub fn claim(t: &Table<'_, '_>, game: &str, level: f64) -> Result<Claim> {
    let id = t.required_text("id")?.to_owned();
    let game = t.text("game")?.unwrap_or(game).to_owned();
    // A manifest states the level; a claims file cannot.
    let level = t.number("level", f64::MIN_POSITIVE, 0.5)?.unwrap_or(level);
    let test = match t.one_of("test", &TESTS)? {
        Some("exact") => {
            let expect = t.texts("expect")?.unwrap_or_default();
            let name = required(t, "metric", &Exact::NAMES)?;
            match Exact::from_parts(name, &expect) {
                Some(exact) => Test::Exact(exact),
                None => return Err(t.wrong("expect", Exact::example(name))),
            }
        }
        Some("sequence") => {
            let metric = metric(t)?;
            let control = control(t, &game)?;
            if metric.is_ratio() && control.is_some() {
                return Err(t.wrong("metric", "a mean: ratios of two runs are not compared"));
            }
            let most = metric.greatest();
            let (relation, threshold) = comparison(t, if control.is_some() { -most } else { 0.0 }, most)?;
            Test::Sequence { metric, relation, threshold, level, control }
        }
        Some("odds") => Test::Odds(odds(t, &game, level)?),
        Some("restricted-mean") => {
            required(t, "metric", &["centre-half"])?;
            let development = Development { horizon: t.required_whole("horizon", 1, 1000)? };
            let control = control(t, &game)?;
            let most = development.horizon as f64;
            let (relation, threshold) = comparison(t, if control.is_some() { -most } else { 0.0 }, most)?;
            Test::RestrictedMean { development, relation, threshold, level, control }
        }
        Some(test) => {
            let question = Question::read(t, test)?;
            let control = match question {
                Question::FirstMoves { .. } => control(t, &game)?,
                _ => None,
            };
            let (low, high) = question.range();
            let (relation, threshold) = comparison(t, low, high)?;
            Test::Apart { question, relation, threshold, level, control }
        }
        None => return Err(t.wrong("test", &TESTS.map(|name| format!("\"{name}\"")).join(" or "))),
    };
    let claim = Claim {
        id,
        game,
        seed: t.required_text("seed")?.to_owned(),
        sentence: t.required_text("sentence")?.to_owned(),
        test,
        depends: t.texts("depends")?.unwrap_or_default().into_iter().map(str::to_owned).collect(),
        move_rule: t.whole_or_none("move_rule", 1, 100_000)?.map(|rule| rule.map(|n| n as u32)),
        beside_rule: t.whole("beside_rule", 1, 100_000)?.map(|n| n as u32),
        options: options(t)?,
    };
    if claim.beside_rule.is_some() && !claim.has_beside() {
        return Err(t.wrong("beside_rule", "a sequence on a share, with move_rule = \"none\" and no control"));
    }
    t.finish()?;
    Ok(claim)
}

/// How claims are decided.
const TESTS: [&str; 7] = ["exact", "sequence", "restricted-mean", "odds", "race", "setups", "offers"];

/// Most pawns that a worth is compared with.
const MOST_PAWNS: f64 = 1000.0;

fn odds(t: &Table<'_, '_>, game: &str, level: f64) -> Result<Odds> {
    let known = Known::of(game).with_context(|| t.place_of("test"))?;
    let read = |text: &str| {
        Sum::parse(text).filter(|sum| sum.of_kinds(&known).is_some()).ok_or_else(|| {
            let letters: String = known.letters().iter().collect();
            let expected = format!("sums of pieces ({letters}) and of the army, such as [\"R - N\"]");
            t.wrong("worth", &expected)
        })
    };
    let worths = t.texts("worth")?.filter(|list| !list.is_empty()).unwrap_or(vec![""]);
    let phase = t.one_of("phase", &Phase::NAMES.map(|(_, name)| name))?;
    let phase =
        Phase::NAMES.iter().find(|(_, name)| Some(*name) == phase).map_or(Phase::Any, |(phase, _)| *phase);
    let unit = t.one_of("unit", &Unit::NAMES.map(|(_, name)| name))?;
    let unit =
        Unit::NAMES.iter().find(|(_, name)| Some(*name) == unit).map_or(Unit::Pawns, |(unit, _)| *unit);
    let (relation, threshold) = comparison(t, -MOST_PAWNS, MOST_PAWNS)?;
    let worths = worths.into_iter().map(read).collect::<Result<_>>()?;
    Ok(Odds { worths, unit, phase, relation, threshold, level })
}

fn required(t: &Table<'_, '_>, key: &'static str, names: &[&'static str]) -> Result<&'static str> {
    t.one_of(key, names)?.ok_or_else(|| t.wrong(key, &names.join(" or ")))
}

/// The metric and what it needs; a key that it does not need is left unread, and so refused.
fn metric(t: &Table<'_, '_>) -> Result<Metric> {
    let within =
        || t.range("within")?.ok_or_else(|| t.wrong("within", "a range of moves, such as [20, 150]"));
    let most = || t.required_whole("most", 1, 100_000);
    let pieces = || {
        let letters = t.required_text("pieces")?;
        let plain = !letters.is_empty() && letters.chars().all(|c| c.is_ascii_uppercase());
        if plain {
            Ok(letters.to_owned())
        } else {
            Err(t.wrong("pieces", "upper-case letters, such as \"QW\""))
        }
    };
    Ok(match required(t, "metric", &Metric::NAMES)? {
        "draw" => Metric::Draw,
        "draw-not-stalemate" => Metric::DrawNotStalemate,
        "stalemate" => Metric::Stalemate,
        "decisive" => Metric::Decisive,
        "white-score" => Metric::WhiteScore,
        "comeback" => Metric::Comeback,
        "comeback-from-three" => Metric::ComebackFromThree,
        "moves-within" => within().map(|(low, high)| Metric::MovesWithin(low, high))?,
        "won-within" => within().map(|(low, high)| Metric::WonWithin(low, high))?,
        "ended-by" => Metric::EndedBy(terminations(t)?),
        "check-by" => Metric::CheckBy(pieces()?, within()?),
        "promotions-to" => Metric::PromotionsTo(pieces()?, most()?),
        "pawns-at-30" => Metric::PawnsAt30(most()?),
        "en-passant" => Metric::EnPassant(most()?),
        "branching" => Metric::Branching(most()?),
        "points-white" => Metric::PointsWhite(most()?),
        _ => Metric::Moves(most()?),
    })
}

fn terminations(t: &Table<'_, '_>) -> Result<Vec<Termination>> {
    const EXPECTED: &str = "a list of terminations, such as [\"annihilation\", \"blocked\"]";
    let names = t.texts("terminations")?.filter(|list| !list.is_empty());
    let names = names.ok_or_else(|| t.wrong("terminations", EXPECTED))?;
    let read = |name: &&str| {
        name.parse::<Termination>().map_err(|_| {
            let known = Termination::ALL.map(Termination::name);
            let hint = nearest(name, known.iter().copied());
            let hint = hint.map(|n| format!(" (did you mean \"{n}\"?)")).unwrap_or_default();
            t.wrong("terminations", &format!("{EXPECTED}{hint}"))
        })
    };
    names.iter().map(read).collect()
}

fn comparison(t: &Table<'_, '_>, low: f64, high: f64) -> Result<(Relation, f64)> {
    let name = required(t, "comparison", &["below", "above", "within"])?;
    let number = |key, low, high| {
        t.number(key, low, high)?.ok_or_else(|| t.wrong(key, &format!("a number from {low} to {high}")))
    };
    let threshold = number("threshold", low, high)?;
    let relation = match name {
        "below" => Relation::Below,
        "above" => Relation::Above,
        _ => {
            let margin = number("margin", 1e-9, high - low)?;
            if threshold - margin < low || threshold + margin > high {
                return Err(t.wrong("margin", &format!("one that keeps within {low} and {high}")));
            }
            Relation::Within(margin)
        }
    };
    Ok((relation, threshold))
}

fn options(t: &Table<'_, '_>) -> Result<Vec<(String, String)>> {
    t.table("options")?.map_or(Ok(Vec::new()), |options| options.free_texts())
}

struct Check;

impl Visitor for Check {
    type Output = ();
    fn visit<G: Playable>(self, _: G) {}
}

fn control(t: &Table<'_, '_>, game: &str) -> Result<Option<Control>> {
    let Some(table) = t.table("control")? else { return Ok(None) };
    let control = Control {
        game: table.text("game")?.unwrap_or(game).to_owned(),
        options: options(&table)?,
        experiment: table.text("experiment")?.map(str::to_owned),
        other_players: table.one_of("players", &["the same", "other"])? == Some("other"),
    };
    if control.other_players && control.experiment.is_none() {
        return Err(table.wrong("players", "an `experiment` beside it whose players are other ones"));
    }
    let pairs = control.options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    engine::games::with(&control.game, pairs, Check).with_context(|| t.place_of("control"))?;
    table.finish()?;
    if control.game == game && control.options.is_empty() && control.experiment.is_none() {
        return Err(t.wrong("control", "another `game`, other `options` or another `experiment`"));
    }
    Ok(Some(control))
}

/// The claims about `game`, or those with the ids `wanted`, each at its level in the whole family.
///
/// # Errors
/// An id that the file does not have, or no claim about the game.
pub fn choose(all: Vec<Claim>, game: &str, wanted: Option<&[&str]>) -> Result<Vec<Claim>> {
    let Some(wanted) = wanted else {
        let chosen: Vec<Claim> = all.into_iter().filter(|c| c.game == game).collect();
        if chosen.is_empty() {
            bail!("the claims file has no claim about {game}");
        }
        return Ok(chosen);
    };
    let find = |id: &&str| match all.iter().find(|c| c.id == **id) {
        Some(claim) => Ok(claim.clone()),
        None => {
            let ids: Vec<&str> = all.iter().map(|c| c.id.as_str()).collect();
            let near = nearest(id, ids.iter().copied());
            let hint = near.map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default();
            bail!("no claim has the id `{id}`{hint}; there are {}", ids.join(", "))
        }
    };
    wanted.iter().map(find).collect()
}
