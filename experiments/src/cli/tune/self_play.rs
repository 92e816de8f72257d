//! Games to learn from: logs that are there, or self-play into a folder like any run's, which an interruption
//! leaves whole and `--resume` goes on with.

use crate::cli::run::{self, ThreadArgs};
use crate::experiment::{self, Experiment, MAX_SEED};
use crate::failure::Interrupted;
use crate::log::{MANIFEST, Shard};
use crate::positions::Logs;
use crate::session::Choices;
use anyhow::{Result, bail};
use clap::Args;
use engine::games::Visitor;
use engine::options::nearest;
use engine::search::Playable;
use std::path::{Path, PathBuf};

/// Moves after which a game is broken off without a result.
const MOVE_LIMIT: i64 = 250;

/// Where games come from, and how they are played if there are none yet.
#[derive(Args, Debug)]
pub struct SelfPlayArgs {
    /// A game, to play it first; or the folders of runs to learn from
    #[arg(value_name = "GAME|DIR", required = true)]
    pub from: Vec<String>,
    /// Self-play: games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Self-play: nodes a move
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Self-play: random plies that games begin with
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub plies: u32,
    /// Seed of self-play and of every random choice
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    pub seed: u64,
    /// Self-play: folder of its log; results/self-play-GAME-SEED by default
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Self-play: go on with the games in the folder
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub options: crate::cli::OptionArgs,
}

struct HasSetups;

impl Visitor for HasSetups {
    type Output = bool;
    fn visit<G: Playable>(self, game: G) -> bool {
        game.setups() != engine::game::Setups::None
    }
}

impl SelfPlayArgs {
    /// The game, if one is named and no folder.
    fn game(&self) -> Option<&str> {
        match self.from.as_slice() {
            [name] if !Path::new(name).join(MANIFEST).exists() => {
                engine::games::ALL.iter().map(|info| info.name).find(|known| known == name)
            }
            _ => None,
        }
    }

    /// The runs to learn from, played first if a game is named. `eval` is the evaluation to play with.
    ///
    /// # Errors
    /// Neither a game nor a run; [`Interrupted`] with the command that goes on.
    pub fn logs(&self, command: &str, eval: Option<&str>) -> Result<Logs> {
        let Some(game) = self.game() else {
            for name in &self.from {
                if !Path::new(name).is_dir() {
                    let near = nearest(name, engine::games::ALL.iter().map(|info| info.name));
                    let hint = near.map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default();
                    bail!("`{name}` is neither a game{hint} nor the folder of a run");
                }
            }
            if !self.options.set.is_empty() || self.resume || self.log.is_some() {
                bail!("--set, --log and --resume belong to self-play; expected a game, not folders of runs");
            }
            return Logs::open(&self.from.iter().map(PathBuf::from).collect::<Vec<_>>());
        };
        let experiment = self.experiment(game, eval)?;
        let dir = self
            .log
            .clone()
            .unwrap_or_else(|| Path::new("results").join(format!("self-play-{game}-{}", self.seed)));
        let choices = Choices { shard: Shard::WHOLE, keep_going: false, resume: self.resume };
        eprintln!("self-play into {}", dir.display());
        let (_, outcome) = run::play(&experiment, &dir, choices, self.threads.count())?;
        if outcome.interrupted {
            let text = format!(
                "interrupted after {} games, all of them in {}; to go on, give the same command with --resume: \
                 equipoise tune {command} {game} ... --resume",
                outcome.summary.games,
                dir.display()
            );
            return Err(Interrupted(text).into());
        }
        Logs::open(&[dir])
    }

    fn experiment(&self, game: &str, eval: Option<&str>) -> Result<Experiment> {
        let mut player = player("self", self.nodes);
        if let Some(text) = eval {
            player.insert("eval_text".into(), text.into());
        }
        let name = format!("self-play-{game}");
        Terms { game, set: &self.options.set, seed: self.seed, games: self.games, plies: self.plies }
            .experiment(&name, vec![player])
    }
}

/// What is played in the course of tuning, players apart.
pub struct Terms<'a> {
    /// The game.
    pub game: &'a str,
    /// Its rule options, `name=value`.
    pub set: &'a [String],
    /// Seed of openings.
    pub seed: u64,
    /// Games at most.
    pub games: u64,
    /// Random plies that games begin with, after the game's own set-ups if it has them.
    pub plies: u32,
}

impl Terms<'_> {
    /// The experiment between `players` (tables as in an experiment file).
    ///
    /// # Errors
    /// Options or players that the game does not have.
    pub fn experiment(&self, name: &str, players: Vec<toml::Table>) -> Result<Experiment> {
        let mut given = Vec::new();
        for pair in self.set {
            let (name, value) = engine::options::parse_pair(pair)?;
            given.push((name, crate::data_option::expand(self.game, name, value, Path::new("."))?));
        }
        let given = given.iter().map(|(name, value)| (*name, value.as_ref()));
        let method = if engine::games::with(self.game, given, HasSetups)? { "setups" } else { "random" };
        let mut openings = toml::Table::new();
        openings.insert("method".into(), method.into());
        openings.insert("plies".into(), i64::from(self.plies).into());
        self.starting(name, openings, players)
    }

    /// As [`Terms::experiment`], from other openings (a table as in an experiment file).
    ///
    /// # Errors
    /// Options, openings or players that the game does not have.
    pub fn starting(
        &self,
        name: &str,
        openings: toml::Table,
        players: Vec<toml::Table>,
    ) -> Result<Experiment> {
        let mut options = toml::Table::new();
        for pair in self.set {
            let (name, value) = engine::options::parse_pair(pair)?;
            options.insert(name.to_owned(), value.into());
        }
        let mut file = toml::Table::new();
        file.insert("name".into(), name.into());
        file.insert("game".into(), self.game.into());
        file.insert("seed".into(), (self.seed as i64).into());
        file.insert("games".into(), (self.games as i64).into());
        file.insert("move_limit".into(), MOVE_LIMIT.into());
        file.insert("options".into(), options.into());
        file.insert("openings".into(), openings.into());
        let players = players.into_iter().map(toml::Value::Table).collect();
        file.insert("player".into(), toml::Value::Array(players));
        experiment::read(name, &toml::to_string(&file)?, Path::new("."))
    }
}

/// A player as an experiment file has it.
pub fn player(name: &str, nodes: u64) -> toml::Table {
    let mut player = toml::Table::new();
    player.insert("name".into(), name.into());
    player.insert("nodes".into(), (nodes as i64).into());
    player
}
