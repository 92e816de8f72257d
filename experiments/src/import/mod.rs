//! Games played elsewhere as a run's folder: one unit a game, the openings not ours, everything that follows
//! from the moves derived anew. What contradicts the moves is refused.

mod ending;
mod pgn;
mod tables;

pub use ending::{ending, is_claimed, is_fault};
pub use pgn::read as read_pgn;
pub use tables::read as read_csv;

use crate::duplicates::Duplicates;
use crate::log::{Folder, GameRow, LogWriter, UnitRows};
use crate::metrics::{self, Replay, ValueTable};
use crate::summary::Summary;
use anyhow::{Result, bail};
use engine::moves::{Flag, Move};
use engine::outcome::{Ending, GameResult, Termination};
use engine::referee::{Limits, Referee};
use engine::search::Playable;
use std::collections::BTreeMap;

/// A game as it was given.
#[derive(Clone, Debug)]
pub struct Given<S> {
    /// White's player.
    pub white: String,
    /// Black's player.
    pub black: String,
    /// The array before any ply.
    pub start: S,
    /// The moves.
    pub moves: Vec<Move>,
    /// One evaluation a ply, as logs have them.
    pub evals: Vec<String>,
    /// Plies that were played for the players, as far as that is known.
    pub opening_plies: u32,
    /// What it came to.
    pub result: GameResult,
    /// Why, if one of our terminations is stated.
    pub stated: Option<Termination>,
    /// Why, in the words of where it comes from, if those are none of ours.
    pub reason: Option<String>,
}

/// What a reader should know of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Games without a move, which were left out.
    pub empty: u64,
    /// Games that were not over on the board and of which no termination of ours is stated: entered as
    /// resigned, drawn by agreement, broken off.
    pub assumed: [u64; 3],
    /// Reasons given for those, with how often.
    pub reasons: BTreeMap<String, u64>,
    /// Games that went on after a third repetition or after fifty moves, which nobody claimed.
    pub unclaimed: u64,
}

/// Writes games into a folder.
pub struct Importer<'a, G: Playable> {
    game: &'a G,
    limits: Limits,
    writer: LogWriter,
    values: Vec<i32>,
    duplicates: Duplicates,
    /// Figures of what was written.
    pub summary: Summary,
    /// What a reader should know.
    pub notes: Notes,
}

/// What the rules make of a game's moves.
struct Walked {
    ending: Option<Ending>,
    plies: u32,
    last_number: u32,
    unclaimed: bool,
}

impl<'a, G: Playable> Importer<'a, G> {
    /// An importer of games played under `limits` into an empty folder.
    ///
    /// # Errors
    /// The disk.
    pub fn new(game: &'a G, folder: &Folder, limits: Limits) -> Result<Self> {
        Ok(Importer {
            game,
            limits,
            writer: LogWriter::open(folder)?,
            values: ValueTable::rule_of_thumb(game).by_kind(game)?,
            duplicates: Duplicates::default(),
            summary: Summary::default(),
            notes: Notes::default(),
        })
    }

    /// Takes the next game.
    ///
    /// # Errors
    /// A game that does not add up, the disk.
    pub fn take(&mut self, given: Given<G::State>) -> Result<()> {
        if given.moves.is_empty() {
            self.notes.empty += 1;
            return Ok(());
        }
        let walked = self.walk(&given)?;
        let ending = ending(walked.ending, given.result, given.stated)?;
        self.note(&given, &walked, ending);
        let game_id = self.summary.games + 1;
        let replay = Replay {
            game: self.game,
            start: given.start.clone(),
            moves: &given.moves,
            evals: &given.evals,
            opening_plies: given.opening_plies as usize,
            values: &self.values,
        };
        let (metrics, moves) = metrics::rows(game_id, &replay);
        let mut row = GameRow {
            game_id,
            unit_id: game_id,
            opening_id: game_id,
            game: self.game.info().name.to_owned(),
            options: self.game.options().to_string(),
            seed: 0,
            start_fen: self.game.fen(&given.start),
            opening_plies: given.opening_plies,
            white: plain(&given.white),
            black: plain(&given.black),
            result: ending.result,
            termination: ending.termination,
            plies: walked.plies,
            moves: walked.last_number,
            payoff: String::new(),
            points: None,
            draw_offer: None,
            resign_offer: None,
            eval_final: moves.evals.last().cloned().unwrap_or_else(|| "-".to_owned()),
            nodes_white: 0,
            nodes_black: 0,
            duplicate_of: None,
        };
        row.duplicate_of = self.duplicates.note(&row, &moves);
        let unit = UnitRows { unit_id: game_id, games: vec![(row, metrics, moves)] };
        self.writer.append(&unit)?;
        self.summary.push(&unit);
        Ok(())
    }

    /// Makes sure that all is on the disk.
    ///
    /// # Errors
    /// The disk.
    pub fn finish(&self) -> Result<()> {
        self.writer.sync()
    }

    fn walk(&self, given: &Given<G::State>) -> Result<Walked> {
        let mut referee = Referee::new(self.game.clone(), given.start.clone(), self.limits);
        let mut walked = Walked { ending: None, plies: 0, last_number: 0, unclaimed: false };
        for (index, &m) in given.moves.iter().enumerate() {
            if let Some(ending) = referee.ending() {
                if !is_claimed(ending) {
                    bail!("the game was over by {} before ply {}", ending.termination, index + 1);
                }
                walked.unclaimed = true;
            }
            walked.last_number = self.game.clocks(referee.state()).1;
            walked.plies += u32::from(m.flag() != Flag::Arrange);
            referee.play(m);
        }
        walked.ending = referee.ending();
        Ok(walked)
    }

    fn note(&mut self, given: &Given<G::State>, walked: &Walked, ending: Ending) {
        self.notes.unclaimed += u64::from(walked.unclaimed);
        if given.stated.is_some() || walked.ending == Some(ending) {
            return;
        }
        let at = match ending.termination {
            Termination::Resignation => 0,
            Termination::DrawAgreed => 1,
            _ => 2,
        };
        self.notes.assumed[at] += 1;
        if let Some(reason) = &given.reason {
            *self.notes.reasons.entry(reason.clone()).or_insert(0) += 1;
        }
    }
}

/// A text that can stand in a field of a log: no line breaks.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
