//! Experiment files.

use super::payoff::payoff;
use super::{
    Balance, Errors, Experiment, ExternalSpec, OfferPolicy, Openings, PlayerKind, PlayerSpec, Race,
    SolvedOffers, SprtSpec, Threshold, Wire,
};
use super::{armies, terms};
use crate::claims::{self, Claim};
use crate::export::epd;
use crate::stats::sprt::Sprt;
use crate::tables::{Source, Table};
use anyhow::{Context, Result, bail};
use engine::search::{Chosen, Noise};
use std::path::Path;
use std::time::Duration;

/// Experiment files that are part of the program, by name.
pub const BUILT_IN: [(&str, &str); 31] = [
    ("01-quickstart", include_str!("../../../data/experiments/01-quickstart.toml")),
    ("02-magi", include_str!("../../../data/experiments/02-magi.toml")),
    ("03-chess-control", include_str!("../../../data/experiments/03-chess-control.toml")),
    ("04-mageca", include_str!("../../../data/experiments/04-mageca.toml")),
    ("05-mageca-ep-passed", include_str!("../../../data/experiments/05-mageca-ep-passed.toml")),
    ("06-mchess", include_str!("../../../data/experiments/06-mchess.toml")),
    ("07-martian-shogi", include_str!("../../../data/experiments/07-martian-shogi.toml")),
    ("08-martian-shogi-double", include_str!("../../../data/experiments/08-martian-shogi-double.toml")),
    ("09-martian-shogi-sideways", include_str!("../../../data/experiments/09-martian-shogi-sideways.toml")),
    ("10-martian-shogi-little", include_str!("../../../data/experiments/10-martian-shogi-little.toml")),
    ("11-martian-shogi-lot", include_str!("../../../data/experiments/11-martian-shogi-lot.toml")),
    ("12-multi-unlike", include_str!("../../../data/experiments/12-multi-unlike.toml")),
    ("13-multi-mirrored", include_str!("../../../data/experiments/13-multi-mirrored.toml")),
    ("14-chess960-unlike", include_str!("../../../data/experiments/14-chess960-unlike.toml")),
    ("15-chess960-mirrored", include_str!("../../../data/experiments/15-chess960-mirrored.toml")),
    ("20-ladder-magi", include_str!("../../../data/experiments/20-ladder-magi.toml")),
    ("21-ladder-mageca", include_str!("../../../data/experiments/21-ladder-mageca.toml")),
    ("22-ladder-mchess", include_str!("../../../data/experiments/22-ladder-mchess.toml")),
    ("23-ladder-martian-shogi", include_str!("../../../data/experiments/23-ladder-martian-shogi.toml")),
    ("24-ladder-multi-chess", include_str!("../../../data/experiments/24-ladder-multi-chess.toml")),
    ("25-ladder-chess484", include_str!("../../../data/experiments/25-ladder-chess484.toml")),
    ("26-ladder-chess", include_str!("../../../data/experiments/26-ladder-chess.toml")),
    ("27-ladder-chess960", include_str!("../../../data/experiments/27-ladder-chess960.toml")),
    ("30-payoff-traces", include_str!("../../../data/experiments/30-payoff-traces.toml")),
    ("31-magi-defence", include_str!("../../../data/experiments/31-magi-defence.toml")),
    ("32-magi-defence-eighth", include_str!("../../../data/experiments/32-magi-defence-eighth.toml")),
    ("40-race-mageca", include_str!("../../../data/experiments/40-race-mageca.toml")),
    ("41-race-mageca-knights", include_str!("../../../data/experiments/41-race-mageca-knights.toml")),
    ("50-mageca-odds", include_str!("../../../data/experiments/50-mageca-odds.toml")),
    ("51-mchess-odds", include_str!("../../../data/experiments/51-mchess-odds.toml")),
    ("52-martian-shogi-odds", include_str!("../../../data/experiments/52-martian-shogi-odds.toml")),
];

/// Files of start positions that are part of the program, by name.
const OPENINGS: [(&str, &str); 2] = [
    ("magi-behind", include_str!("../../../data/openings/magi-behind.epd")),
    ("chess960-unlike", include_str!("../../../data/openings/chess960-unlike.epd")),
];

/// Largest seed: logs keep seeds where other programs' signed numbers can.
pub const MAX_SEED: u64 = (1 << 63) - 1;

/// An experiment file of this program, if one has this name.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Reads an experiment file; `-` in file names inside it is relative to its folder.
///
/// # Errors
/// What is wrong, with file and line.
pub fn read_file(path: &Path) -> Result<Experiment> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the experiment file {}", path.display()))?;
    read(&path.display().to_string(), &text, path.parent().unwrap_or(Path::new(".")))
}

/// Reads an experiment from text; `name` is for messages, `folder` is where files named in it are looked for.
///
/// # Errors
/// What is wrong, with file and line.
pub fn read(name: &str, text: &str, folder: &Path) -> Result<Experiment> {
    Source { name, text }.read(|table| {
        let experiment = experiment(table, folder)?;
        experiment.check().with_context(|| name.to_owned())?;
        Ok(experiment)
    })
}

/// Reads a resolved experiment out of a manifest; it names no files.
///
/// # Errors
/// What is wrong, with file and line.
pub fn from_table(t: &Table<'_, '_>) -> Result<Experiment> {
    experiment(t, Path::new("."))
}

fn experiment(t: &Table<'_, '_>, folder: &Path) -> Result<Experiment> {
    let name = word(t, "name")?.to_owned();
    let game = t.required_text("game")?.to_owned();
    let options = options(t, &game, folder)?;
    check_game(t, &game, &options)?;
    let players = t.tables("player")?.iter().map(|p| player(p, folder)).collect::<Result<Vec<_>>>()?;
    let (options, payoff) = terms::settle(&game, options, payoff(t, folder)?)?;
    let Some(table) = t.table("openings")? else {
        return Err(t.wrong(
            "openings",
            "a table that says where games start, such as [openings] method = \"random\" plies = 8",
        ));
    };
    let at_odds = table.text("method")? == Some(ODDS);
    let openings = openings(&table, folder, &game, &options)?;
    let claims = read_claims(t, &game, folder, at_odds)?;
    Ok(Experiment {
        name,
        game,
        options,
        seed: t.required_whole("seed", 0, MAX_SEED)?,
        games: t.required_whole("games", 1, 1_000_000_000)?,
        move_limit: t.whole_or_none("move_limit", 1, 100_000)?.unwrap_or(None).map(|n| n as u32),
        payoff,
        openings,
        players,
        fixed_colours: t.one_of("colours", &["exchanged", "fixed"])? == Some("fixed"),
        claims,
        sprt: sprt(t)?,
        ladder: ladder(t)?,
        race: race(t)?,
    })
}

/// Rule options as they are given; data files among them, looked for in `folder`, are read.
pub(super) fn options(t: &Table<'_, '_>, game: &str, folder: &Path) -> Result<Vec<(String, String)>> {
    let mut pairs = t.table("options")?.map_or_else(|| Ok(Vec::new()), |table| table.free_texts())?;
    for (name, value) in &mut pairs {
        let read = crate::data_option::expand(game, name, value, folder);
        *value = read.with_context(|| t.place_of("options"))?.into_owned();
    }
    Ok(pairs)
}

/// Longest name of an experiment or a player.
pub(super) const LONGEST_NAME: usize = 60;

/// A text that can stand in a CSV field or a file name as it is.
fn word<'a>(t: &Table<'a, '_>, key: &'static str) -> Result<&'a str> {
    let text = t.required_text(key)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(plain) {
        return Err(t.wrong(key, "1 to 60 letters, digits and . _ + -"));
    }
    Ok(text)
}

fn sprt(t: &Table<'_, '_>) -> Result<Option<SprtSpec>> {
    let Some(table) = t.table("sprt")? else { return Ok(None) };
    let elo = |key| {
        let number = table.number(key, -Sprt::MAX_ELO, Sprt::MAX_ELO)?;
        number.ok_or_else(|| table.wrong(key, "a hypothesis in normalised Elo, such as 0"))
    };
    let spec = SprtSpec { elo0: elo("elo0")?, elo1: elo("elo1")? };
    table.finish()?;
    Ok(Some(spec))
}

fn ladder(t: &Table<'_, '_>) -> Result<Option<u64>> {
    let Some(table) = t.table("ladder")? else { return Ok(None) };
    let top = table.required_whole("to", 2, 1_000_000_000_000)?;
    table.finish()?;
    Ok(Some(top))
}

fn race(t: &Table<'_, '_>) -> Result<Option<Race>> {
    let Some(table) = t.table("race")? else { return Ok(None) };
    let rounds = table.required_whole("rounds", 1, 100)? as u32;
    table.finish()?;
    Ok(Some(Race { rounds }))
}

struct Nothing;

impl engine::games::Visitor for Nothing {
    type Output = ();
    fn visit<G: engine::search::Playable>(self, _: G) {}
}

pub(super) fn check_game(t: &Table<'_, '_>, game: &str, options: &[(String, String)]) -> Result<()> {
    // The game itself first, so that a wrong name is shown where it stands.
    engine::games::with(game, [], Nothing).with_context(|| t.place_of("game"))?;
    let pairs = options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    engine::games::with(game, pairs, Nothing).with_context(|| t.place_of("options"))
}

pub(super) fn player(t: &Table<'_, '_>, folder: &Path) -> Result<PlayerSpec> {
    let name = word(t, "name")?.to_owned();
    let kind = match t.one_of("kind", &["search", "random", "uci", "xboard", "imported"])?.unwrap_or("search")
    {
        "random" => PlayerKind::Random,
        "imported" => PlayerKind::Imported,
        "uci" => PlayerKind::External(external(t, Wire::Uci)?),
        "xboard" => PlayerKind::External(external(t, Wire::Xboard)?),
        _ => PlayerKind::Search {
            nodes: t.required_whole("nodes", 1, 1_000_000_000_000)?,
            eval: match (t.text("eval")?, t.text("eval_text")?) {
                (Some(_), Some(_)) => return Err(t.wrong("eval", "either `eval` or `eval_text`")),
                (Some(path), None) => Some(text_file(t, "eval", path, folder)?),
                (None, text) => text.map(str::to_owned),
            },
            settings: settings(t)?,
            errors: Errors {
                noise: t.whole("noise", 0, Noise::MAX_DEVIATION.into())?.unwrap_or(0) as u32,
                blunder: t.number("blunder", 0.0, 1.0)?.unwrap_or(0.0),
            },
        },
    };
    let offers = match t.table("offers")? {
        Some(table) => offers(&table, folder)?,
        None => OfferPolicy::Never,
    };
    t.finish()?;
    Ok(PlayerSpec { name, kind, offers })
}

fn external(t: &Table<'_, '_>, wire: Wire) -> Result<ExternalSpec> {
    let command = t.texts("command")?.unwrap_or_default();
    if command.first().is_none_or(|program| program.is_empty()) {
        return Err(t.wrong("command", "the program and its arguments, such as [\"stockfish\"]"));
    }
    let seconds = |key, default| t.whole(key, 1, 86_400).map(|n| Duration::from_secs(n.unwrap_or(default)));
    let spec = ExternalSpec {
        wire,
        command: command.into_iter().map(str::to_owned).collect(),
        variant: t.text("variant")?.map(str::to_owned),
        nodes: t.whole("nodes", 1, 1_000_000_000_000)?,
        depth: t.whole("depth", 1, 1000)?,
        move_time: t.whole("movetime", 1, 86_400_000)?,
        options: t.table("set")?.map(|table| table.free_texts()).transpose()?.unwrap_or_default(),
        timeout: seconds("timeout", 60)?,
        start_timeout: seconds("start_timeout", 10)?,
    };
    match wire {
        Wire::Xboard if spec.nodes.is_some() => {
            Err(t.wrong("nodes", "`depth` or `movetime`: XBoard's protocol knows no node limit"))
        }
        _ if spec.nodes.or(spec.depth).or(spec.move_time).is_none() => {
            Err(t.wrong("nodes", "a limit: `nodes` (UCI alone), `depth` or `movetime` in milliseconds"))
        }
        _ => Ok(spec),
    }
}

fn settings(t: &Table<'_, '_>) -> Result<Chosen> {
    let mut settings = Chosen::default();
    if let Some(table) = t.table("search")? {
        for (name, value) in table.free_texts()? {
            let number = value.parse().map_err(|_| table.wrong(&name, "a whole number"))?;
            settings.set(&name, number).with_context(|| table.place_of(&name))?;
        }
    }
    Ok(settings)
}

fn offers(t: &Table<'_, '_>, folder: &Path) -> Result<OfferPolicy> {
    const CP: i64 = 100_000;
    let policy = match t.one_of("policy", &["never", "threshold", "equilibrium"])?.unwrap_or("never") {
        "threshold" => OfferPolicy::Threshold(Threshold {
            resign_at: t.signed("resign_at", -CP, CP)?.map(|n| n as i32),
            resign_for: t.whole("resign_for", 1, 1000)?.unwrap_or(1) as u32,
            play_on_at: t.signed("play_on_at", -CP, CP)?.map(|n| n as i32),
            draw_within: t.whole("draw_within", 0, CP as u64)?.map(|n| n as u32),
            draw_from: t.whole("draw_from", 1, 100_000)?.unwrap_or(1) as u32,
            accept_draw_at: t.signed("accept_draw_at", -CP, CP)?.unwrap_or(0) as i32,
        }),
        "equilibrium" => OfferPolicy::Equilibrium(Box::new(match (t.text("file")?, t.text("text")?) {
            (Some(path), None) => SolvedOffers::read(path, &text_file(t, "file", path, folder)?)?,
            (None, Some(text)) => SolvedOffers::read(&t.place_of("text"), text)?,
            _ => return Err(t.wrong("file", "the file that `equipoise tune payoff --policy` wrote")),
        })),
        _ => OfferPolicy::Never,
    };
    t.finish()?;
    Ok(policy)
}

/// The method of openings from uneven armies.
const ODDS: &str = "odds";

pub(super) fn openings(
    t: &Table<'_, '_>,
    folder: &Path,
    game: &str,
    options: &[(String, String)],
) -> Result<Openings> {
    let plies = |least| t.required_whole("plies", least, 1000).map(|n| n as u32);
    let method =
        t.one_of("method", &["random", "temperature", "file", "fixed", "setups", ODDS, "imported"])?;
    let openings = match method {
        None => {
            return Err(t.wrong(
                "method",
                "\"random\", \"temperature\", \"file\", \"fixed\", \"setups\" or \"odds\"",
            ));
        }
        Some("random") => Openings::Random { plies: plies(1)?, balance: balance(t)? },
        Some("temperature") => Openings::Temperature {
            plies: plies(1)?,
            nodes: t.required_whole("nodes", 1, 1_000_000)?,
            scale: t
                .number("scale", 0.1, 100_000.0)?
                .ok_or_else(|| t.wrong("scale", "centipawns by which a worse move is e times less likely"))?,
        },
        Some("file") => Openings::File {
            fens: fens(t, folder, game)?,
            plies: t.whole("plies", 0, 1000)?.unwrap_or(0) as u32,
        },
        Some(ODDS) => Openings::File { fens: armies::fens(t, game, options)?, plies: plies(1)? },
        Some("imported") => Openings::Imported { file: t.required_text("file")?.to_owned() },
        Some("setups") => Openings::Setups {
            plies: t.whole("plies", 0, 1000)?.unwrap_or(0) as u32,
            exchange: t.flag("exchange")?.unwrap_or(false),
        },
        Some(_) => Openings::Fixed,
    };
    t.finish()?;
    Ok(openings)
}

fn balance(t: &Table<'_, '_>) -> Result<Option<Balance>> {
    let within = t.whole("balance", 0, 100_000)?;
    let nodes = t.whole("balance_nodes", 1, 100_000_000)?;
    match (within, nodes) {
        (Some(within), Some(nodes)) => Ok(Some(Balance { within: within as u32, nodes })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(t.wrong("balance_nodes", "the nodes of the search behind `balance`")),
        (None, Some(_)) => Err(t.wrong("balance", "the limit in centipawns that `balance_nodes` is for")),
    }
}

/// Positions of a file, one FEN or EPD a line; empty lines and lines that begin with `#` apart.
fn fens(t: &Table<'_, '_>, folder: &Path, game: &str) -> Result<Vec<String>> {
    if let Some(list) = t.texts("fens")? {
        return Ok(list.into_iter().map(str::to_owned).collect());
    }
    let path = t.text("file")?.ok_or_else(|| t.wrong("file", "the name of a file of FENs, one a line"))?;
    let built_in = OPENINGS.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
    let text = built_in.map_or_else(|| text_file(t, "file", path, folder), Ok)?;
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let fens = engine::games::with(game, [], Positions(lines.collect()))?;
    if fens.is_empty() {
        bail!("{}: {path} holds no position", t.place_of("file"));
    }
    Ok(fens)
}

struct Positions<'a>(Vec<&'a str>);

impl engine::games::Visitor for Positions<'_> {
    type Output = Vec<String>;

    /// The FEN in each line. What is none is kept as it is, for [`Experiment::check`] to complain of.
    fn visit<G: engine::search::Playable>(self, game: G) -> Vec<String> {
        let fen = |line: &&str| {
            let found = epd::read(&game, line);
            found.map_or_else(|| (*line).to_owned(), |(fen, _)| fen)
        };
        self.0.iter().map(fen).collect()
    }
}

pub(super) fn text_file(t: &Table<'_, '_>, key: &str, path: &str, folder: &Path) -> Result<String> {
    let full = folder.join(path);
    std::fs::read_to_string(&full)
        .with_context(|| format!("{}: cannot read {}", t.place_of(key), full.display()))
}

/// The experiment's claims. Without `claim_ids`, those of the claims file that are decided by games of its kind: by
/// odds, or by games from the game's own starts.
fn read_claims(t: &Table<'_, '_>, game: &str, folder: &Path, at_odds: bool) -> Result<Vec<Claim>> {
    // As a manifest has them: resolved, each with its level.
    let mut resolved = Vec::new();
    for table in t.tables("claim")? {
        let level = table
            .number("level", f64::MIN_POSITIVE, 0.5)?
            .ok_or_else(|| table.wrong("level", "the probability of a wrong verdict"))?;
        resolved.push(claims::file::claim(&table, game, level)?);
    }
    let wanted = t.texts("claim_ids")?;
    let Some(name) = t.text("claims")? else {
        if wanted.is_some() {
            return Err(t.wrong("claims", "the claims file that `claim_ids` chooses from"));
        }
        return Ok(resolved);
    };
    let all = match claims::file::built_in(name) {
        Some(text) => claims::file::read(name, text)?,
        None if name.ends_with(".toml") => claims::file::read(name, &text_file(t, "claims", name, folder)?)?,
        None => {
            let names = claims::file::BUILT_IN.map(|(n, _)| n).join(", ");
            return Err(t.wrong("claims", &format!("a file ending in .toml or one of {names}")));
        }
    };
    let mut chosen =
        claims::file::choose(all, game, wanted.as_deref()).with_context(|| t.place_of("claims"))?;
    chosen.retain(|claim| wanted.is_some() || claim.test.is_at_odds() == at_odds);
    resolved.extend(chosen);
    Ok(resolved)
}
