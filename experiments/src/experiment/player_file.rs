//! Player files: a game, its rule options and one player. Two of them make an experiment.

use super::file::{check_game, openings, options, player};
use super::payoff::payoff;
use super::terms;
use super::{Experiment, Openings, PlayerSpec, SprtSpec};
use crate::tables::Source;
use anyhow::{Context, Result, bail};
use engine::payoff::Matrix;
use std::path::Path;

/// Random plies of a match whose players state no openings: from each of the game's set-ups alike, which is
/// its start position where there is only that.
const DEFAULT_OPENINGS: Openings = Openings::Setups { plies: 8, exchange: false };
/// Full moves after which a game of a match is left out as unfinished, unless the files say otherwise.
const DEFAULT_MOVE_LIMIT: u32 = 400;

/// A player file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerFile {
    /// Its name, for messages.
    source: String,
    game: String,
    options: Vec<(String, String)>,
    /// What both players of a match share; stated by either.
    openings: Option<Openings>,
    move_limit: Option<Option<u32>>,
    payoff: Option<Matrix>,
    player: PlayerSpec,
}

/// What a match is besides its players.
#[derive(Clone, Copy, Debug)]
pub struct MatchTerms {
    /// Most games.
    pub games: u64,
    /// Seed, below 2^63.
    pub seed: u64,
    /// The test that ends it.
    pub sprt: Option<SprtSpec>,
}

impl PlayerFile {
    /// Reads a player file.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn read(path: &Path) -> Result<PlayerFile> {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read the player file {name}"))?;
        PlayerFile::parse(&name, &text, path.parent().unwrap_or(Path::new(".")))
    }

    /// Reads a player file's text; `name` is for messages, `folder` is where files named in it are looked for.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<PlayerFile> {
        Source { name, text }.read(|t| {
            let game = t.required_text("game")?.to_owned();
            let options = options(t, &game, folder)?;
            check_game(t, &game, &options)?;
            let openings =
                t.table("openings")?.map(|table| openings(&table, folder, &game, &options)).transpose()?;
            let move_limit = t.whole_or_none("move_limit", 1, 100_000)?;
            Ok(PlayerFile {
                source: name.to_owned(),
                options,
                openings,
                payoff: payoff(t, folder)?,
                move_limit: move_limit.map(|limit| limit.map(|n| n as u32)),
                // Last: it complains of the keys that nothing has asked for.
                player: player(t, folder)?,
                game,
            })
        })
    }

    /// The experiment in which this player meets the other.
    ///
    /// # Errors
    /// Files that contradict each other, or a match that makes no sense.
    pub fn against(self, other: PlayerFile, terms: MatchTerms) -> Result<Experiment> {
        let (a, b) = (&self.source, &other.source);
        if self.game != other.game {
            bail!("{b} is a player of {}, and {a} of {}; expected one game", other.game, self.game);
        }
        let (ours, theirs) = (self.resolved()?, other.resolved()?);
        if ours != theirs {
            bail!("{b} plays {} with {theirs}, and {a} with {ours}; expected the same options", self.game);
        }
        if self.player.name == other.player.name {
            bail!("both players are named \"{}\" ({a}, {b}); expected two names", self.player.name);
        }
        let openings = shared(self.openings, other.openings)
            .with_context(|| format!("{a} and {b} have different [openings]"))?;
        let move_limit = shared(self.move_limit, other.move_limit)
            .with_context(|| format!("{a} and {b} have different values of `move_limit`"))?;
        let payoff = shared(self.payoff, other.payoff)
            .with_context(|| format!("{a} and {b} have different [payoff]s"))?;
        let (options, payoff) = terms::settle(&self.game, self.options, payoff)?;
        let experiment = Experiment {
            name: name(&self.player.name, &other.player.name),
            game: self.game,
            options,
            seed: terms.seed,
            games: terms.games,
            move_limit: move_limit.unwrap_or(Some(DEFAULT_MOVE_LIMIT)),
            payoff,
            openings: openings.unwrap_or(DEFAULT_OPENINGS),
            players: vec![self.player, other.player],
            fixed_colours: false,
            claims: Vec::new(),
            sprt: terms.sprt,
            ladder: None,
            race: None,
        };
        experiment.check()?;
        Ok(experiment)
    }

    /// The rule options with their defaults, as text.
    fn resolved(&self) -> Result<String> {
        struct Resolved;
        impl engine::games::Visitor for Resolved {
            type Output = String;
            fn visit<G: engine::search::Playable>(self, game: G) -> String {
                game.options().to_string()
            }
        }
        let pairs = self.options.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        Ok(engine::games::with(&self.game, pairs, Resolved)?)
    }
}

/// What either of two files states; both must agree.
fn shared<T: PartialEq>(a: Option<T>, b: Option<T>) -> Result<Option<T>> {
    match (a, b) {
        (Some(a), Some(b)) if a != b => bail!("both files must state the same, or only one of them"),
        (a, b) => Ok(a.or(b)),
    }
}

/// The name of a match, within the length that names have.
fn name(a: &str, b: &str) -> String {
    let name = format!("{a}-vs-{b}");
    if name.len() > super::file::LONGEST_NAME { "match".to_owned() } else { name }
}
