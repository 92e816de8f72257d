//! Games from a list of positions, as a run in a folder of its own: what tuners that need many small runs share.

use crate::cli::run;
use crate::experiment::{Errors, Experiment, OfferPolicy, Openings, PlayerKind, PlayerSpec};
use crate::log::{LogReader, MANIFEST, Shard};
use crate::session::Choices;
use anyhow::{Context, Result, anyhow};
use engine::outcome::GameResult;
use engine::search::Chosen;
use std::path::Path;

/// What is played: the engine against itself, one game from each position.
pub struct Batch<'a> {
    pub name: String,
    pub game: &'a str,
    pub options: &'a [(String, String)],
    pub seed: u64,
    pub nodes: u64,
    pub move_limit: u32,
    pub fens: Vec<String>,
}

/// What a game came to.
#[derive(Clone, Copy, Debug)]
pub struct Came {
    pub result: GameResult,
    /// Its length in full moves.
    pub moves: u32,
}

/// How far a batch came.
pub enum Done {
    /// All games, in the order of the positions.
    All(Vec<Came>),
    /// So many games, then Ctrl-C.
    Interrupted(u64),
}

impl Batch<'_> {
    /// Plays what is left of the batch in `dir`.
    ///
    /// # Errors
    /// A folder that holds another run; the disk.
    pub fn play(self, dir: &Path, threads: usize) -> Result<Done> {
        let player = PlayerSpec {
            name: "equipoise".to_owned(),
            kind: PlayerKind::Search {
                nodes: self.nodes,
                eval: None,
                settings: Chosen::default(),
                errors: Errors::default(),
            },
            offers: OfferPolicy::Never,
        };
        let experiment = Experiment {
            name: self.name,
            game: self.game.to_owned(),
            options: self.options.to_vec(),
            seed: self.seed,
            games: self.fens.len() as u64,
            move_limit: Some(self.move_limit),
            payoff: None,
            openings: Openings::File { fens: self.fens, plies: 0 },
            players: vec![player],
            fixed_colours: false,
            claims: Vec::new(),
            sprt: None,
            ladder: None,
            race: None,
        };
        play(&experiment, dir, threads)
    }
}

/// Plays what is left of an experiment whose games each start at another position of a list.
///
/// # Errors
/// A folder that holds another run; the disk.
pub fn play(experiment: &Experiment, dir: &Path, threads: usize) -> Result<Done> {
    experiment.check()?;
    let choices = Choices { shard: Shard::WHOLE, keep_going: true, resume: dir.join(MANIFEST).exists() };
    let (_, outcome) = run::play(experiment, dir, choices, threads)?;
    if outcome.interrupted {
        return Ok(Done::Interrupted(outcome.summary.games));
    }
    read(dir, experiment.games as usize).map(Done::All)
}

/// What the games came to, by position.
fn read(dir: &Path, count: usize) -> Result<Vec<Came>> {
    let mut found = vec![None; count];
    let mut reader = LogReader::open(dir, 1)?;
    while let Some(unit) = reader.next_unit()? {
        for (row, _, _) in &unit.games {
            let place = usize::try_from(row.opening_id).ok().and_then(|id| id.checked_sub(1));
            let slot = place.and_then(|i| found.get_mut(i));
            *slot
                .ok_or_else(|| anyhow!("opening {} is not of this run", row.opening_id))
                .with_context(|| reader.at())? = Some(Came { result: row.result, moves: row.moves });
        }
    }
    let all: Option<Vec<Came>> = found.into_iter().collect();
    all.ok_or_else(|| anyhow!("{} lacks games of its run", dir.display()))
}
