//! Experiments: what is played, by whom, from where, and what it is to decide.
//!
//! A file is read in two steps: [`file`] checks form (keys, types, ranges, with line numbers), then
//! [`Experiment::check`] checks sense (games, options, players against each other). What a run does depends
//! on nothing but the [`Experiment`]; [`Experiment::to_toml`] writes it into the run's manifest and
//! [`file::read`] reads that back.

mod armies;
mod check;
mod file;
mod ladder;
mod payoff;
mod player_file;
mod race;
mod solved;
mod terms;
mod write;

pub use file::{BUILT_IN, MAX_SEED, built_in, from_table, read, read_file};
pub use ladder::Rung;
pub use payoff::named_matrix;
pub use player_file::{MatchTerms, PlayerFile};
pub use race::Race;
pub use solved::SolvedOffers;

use crate::claims::Claim;
use engine::payoff::Matrix;
use engine::search::Chosen;
use std::time::Duration;

/// A checked experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its name, as results folders have it.
    pub name: String,
    /// The game.
    pub game: String,
    /// Rule options that differ from the defaults or are stated all the same: (name, value), as given.
    pub options: Vec<(String, String)>,
    /// Seed of everything random, below 2^63.
    pub seed: u64,
    /// Most games to play. Two players: twice the number of units.
    pub games: u64,
    /// The harness's own limit: a game still running after this full move is `*` by `move-limit`.
    pub move_limit: Option<u32>,
    /// What games are worth, if they are worth points. Its move rule is in force.
    pub payoff: Option<Matrix>,
    /// Where games start from.
    pub openings: Openings,
    /// One player (against itself) or two (each unit two games, colours exchanged).
    pub players: Vec<PlayerSpec>,
    /// Whether the first of two players is White in every game, so that a unit is one game.
    pub fixed_colours: bool,
    /// What the run is to decide.
    pub claims: Vec<Claim>,
    /// The sequential test that ends a run of two players.
    pub sprt: Option<SprtSpec>,
    /// Nodes a move at the top of a ladder that starts at the one player's nodes. Such an experiment is
    /// played as the matches of [`rungs`](Self::rungs).
    pub ladder: Option<u64>,
    /// A race between first moves. Such an experiment is played as many small runs; its `games` are those of each
    /// game that is raced, and the random plies of its openings follow each first move.
    pub race: Option<Race>,
}

/// A sequential test of the first of two players against the second, in normalised Elo (as fishtest and
/// fastchess state theirs), with error probabilities of 5 % on either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtSpec {
    /// The hypothesis H0: the first player is so much stronger.
    pub elo0: f64,
    /// The hypothesis H1, above `elo0`.
    pub elo1: f64,
}

/// Where games start from.
#[derive(Clone, Debug, PartialEq)]
pub enum Openings {
    /// The game's own start position, no ply played for the players. One opening only.
    Fixed,
    /// Random plies from the start position, each legal move equally likely.
    Random {
        /// Plies played.
        plies: u32,
        /// Only positions whose evaluation is within so many centipawns of zero, if stated.
        balance: Option<Balance>,
    },
    /// The first plies are drawn with weights exp(score / scale), the scores being those of a search after
    /// each move.
    Temperature {
        /// Plies played.
        plies: u32,
        /// Nodes of the search after each move (1: the static evaluation and captures).
        nodes: u64,
        /// Centipawns by which a worse move is e times less likely.
        scale: f64,
    },
    /// Positions from a file, one FEN or EPD a line, each once in an order shuffled by the seed; with random
    /// plies after them, each equally likely for every unit.
    File {
        /// The positions, in the file's order.
        fens: Vec<String>,
        /// Random plies played from each.
        plies: u32,
    },
    /// Wherever games began that were played elsewhere.
    Imported {
        /// Name of the file they come from.
        file: String,
    },
    /// One of the game's own set-ups, each equally likely, then random plies.
    Setups {
        /// Plies played.
        plies: u32,
        /// Whether a unit is two games in which the sides exchange their set-ups, White beginning both.
        exchange: bool,
    },
}

/// A limit on an opening's evaluation. Claims use none: a filter truncates the first player's edge and
/// raises draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Largest evaluation of either side in centipawns.
    pub within: u32,
    /// Nodes of the search that evaluates.
    pub nodes: u64,
}

/// One player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// Its name in the log.
    pub name: String,
    /// What chooses its moves.
    pub kind: PlayerKind,
    /// When it offers and what it accepts.
    pub offers: OfferPolicy,
}

/// What chooses moves.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// Uniformly among the legal moves.
    Random,
    /// The engine's search.
    Search {
        /// Nodes a move.
        nodes: u64,
        /// Evaluation weights as TOML text; the game's own by default.
        eval: Option<String>,
        /// Search settings.
        settings: Chosen,
        /// How it errs.
        errors: Errors,
    },
    /// Another program.
    External(ExternalSpec),
    /// Whoever played a game elsewhere; the log has the names.
    Imported,
}

/// How a player errs, for those who design for people: seeded, so that the same game errs alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Standard deviation of its judgement of positions, in centipawns (see [`engine::search::Noise`]).
    pub noise: u32,
    /// Share of its moves that are drawn from all legal ones, each equally likely; 0 to 1.
    pub blunder: f64,
}

impl std::fmt::Display for Errors {
    /// What stands behind the nodes in a description of the player: nothing for one that does not err.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.noise != 0 {
            write!(f, ", noise {}", self.noise)?;
        }
        if self.blunder != 0.0 {
            write!(f, ", blunder {}", self.blunder)?;
        }
        Ok(())
    }
}

impl PlayerSpec {
    /// Whether the player plays the same game again from the same seed; other programs promise nothing.
    pub fn is_repeatable(&self) -> bool {
        !matches!(self.kind, PlayerKind::External(_))
    }
}

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// UCI.
    Uci,
    /// XBoard's, version 2.
    Xboard,
}

/// Another program as a player. At least one of the limits is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalSpec {
    /// How it talks.
    pub wire: Wire,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What the program calls the game, if not as we do.
    pub variant: Option<String>,
    /// Nodes a move (UCI).
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u64>,
    /// Milliseconds a move (XBoard's protocol rounds up to seconds).
    pub move_time: Option<u64>,
    /// Options to set (name, value).
    pub options: Vec<(String, String)>,
    /// A move that takes longer is a fault.
    pub timeout: Duration,
    /// Time to start, and to be ready for a game.
    pub start_timeout: Duration,
}

/// When a player offers a draw or its resignation, and what it accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferPolicy {
    /// Never offers, refuses everything.
    Never,
    /// By its own evaluation.
    Threshold(Threshold),
    /// The best there are under the matrix, by its own evaluation and the move.
    Equilibrium(Box<SolvedOffers>),
}

/// An offer policy by evaluation, in centipawns of the player's own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// Offers to resign at this evaluation or below; never if left out.
    pub resign_at: Option<i32>,
    /// Own moves in a row at or below it before the offer is made.
    pub resign_for: u32,
    /// Accepts a resignation unless its evaluation is at this or above (it plays on for the mate); accepts
    /// always if left out.
    pub play_on_at: Option<i32>,
    /// Offers a draw when its evaluation is this far from zero at most; never if left out.
    pub draw_within: Option<u32>,
    /// First move number at which it offers a draw.
    pub draw_from: u32,
    /// Accepts a draw at this evaluation or below.
    pub accept_draw_at: i32,
}

impl Experiment {
    /// Games in a unit of evidence: one, or two with players or set-ups exchanged.
    pub fn games_per_unit(&self) -> u64 {
        let exchanged = match self.openings {
            Openings::Setups { exchange, .. } => exchange,
            _ => false,
        };
        if exchanged || self.players.len() == 2 && !self.fixed_colours { 2 } else { 1 }
    }

    /// Which players are White and Black in a game of a unit, the first being 0.
    pub fn seats(&self, game: usize) -> [usize; 2] {
        match (self.players.len(), game) {
            (2, 0) => [0, 1],
            (2, _) => [1, 0],
            _ => [0, 0],
        }
    }

    /// Units at most.
    pub fn units(&self) -> u64 {
        self.games / self.games_per_unit()
    }

    /// Whether the games were played elsewhere, so that nothing here can play or draw them again.
    pub fn is_imported(&self) -> bool {
        matches!(self.openings, Openings::Imported { .. })
    }

    /// The limits on a game's length.
    pub fn limits(&self) -> engine::referee::Limits {
        engine::referee::Limits {
            move_rule: self.payoff.as_ref().and_then(|m| m.spec().move_rule),
            move_limit: self.move_limit,
        }
    }

    /// Sets a rule option, and what it says of the payoff.
    ///
    /// # Errors
    /// An option or a value that the game does not have, or one that contradicts the payoff.
    pub fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        self.options.retain(|(n, _)| n != name);
        self.options.push((name.to_owned(), value.to_owned()));
        self.settle()
    }

    /// Makes options and payoff agree, by the game's own where one of them says nothing.
    ///
    /// # Errors
    /// An option or a value that the game does not have, or one that contradicts the payoff.
    pub fn settle(&mut self) -> anyhow::Result<()> {
        let (options, payoff) =
            terms::settle(&self.game, std::mem::take(&mut self.options), self.payoff.take())?;
        (self.options, self.payoff) = (options, payoff);
        Ok(())
    }

    /// Rule options as pairs of text.
    pub fn option_pairs(&self) -> Vec<(&str, &str)> {
        self.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect()
    }
}

#[cfg(test)]
mod tests;
