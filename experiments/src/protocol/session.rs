//! A game, its position and its search behind one object: what a protocol needs that learns the game's
//! name only while it runs. Dispatch happens once a command, never at a node.

use super::clock::Clock;
use crate::experiment::Errors;
use crate::random::{Domain, below, fraction, generator, unit_seed};
use anyhow::{Context, Result, anyhow};
use engine::bench;
use engine::eval::{Layout, Weights};
use engine::game::{Info, Which};
use engine::games::Visitor;
use engine::moves::{Flag, Move};
use engine::notation::{draw, legal_uci, parse_uci, square_name};
use engine::outcome::Ending;
use engine::referee::{Limits as GameLimits, Referee};
use engine::search::{Chosen, Limits, Noise, Playable, Score, Searcher, StopSignal};
use engine::side::Side;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// What a session is made of.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The game.
    pub game: String,
    /// Its rule options (name, value) that differ from the default.
    pub options: Vec<(String, String)>,
    /// Weights as TOML; the game's own if `None`.
    pub eval: Option<String>,
    /// Size of the transposition table.
    pub hash_bytes: usize,
    /// Settings of the search.
    pub settings: Chosen,
    /// How it errs.
    pub errors: Errors,
}

/// A search to be done, besides its time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Moves made at most.
    pub nodes: Option<u64>,
    /// Iterations at most.
    pub depth: Option<u32>,
    /// Stop at a win in so many moves.
    pub mate: Option<u32>,
    /// Lines wanted.
    pub lines: usize,
    /// Moves to look at, UCI; empty for all.
    pub only: Vec<String>,
}

/// News from a search.
#[derive(Clone, Debug)]
pub struct News {
    /// The iteration.
    pub depth: u32,
    /// The longest line, plies.
    pub deepest: u32,
    /// Which of the lines wanted, from 1.
    pub line: usize,
    /// From the side to move's view.
    pub score: Score,
    /// Moves made.
    pub nodes: u64,
    /// Thousandths of the table in use.
    pub table_permille: u32,
    /// The line, UCI.
    pub pv: Vec<String>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best move, UCI; `None` where there is no legal one.
    pub best: Option<String>,
    /// The answer expected.
    pub answer: Option<String>,
    /// From the side to move's view.
    pub score: Score,
}

/// A game being played or looked at.
pub trait Session: Send {
    /// What the game is.
    fn info(&self) -> &'static Info;
    /// Files and ranks.
    fn size(&self) -> (u8, u8);
    /// Forgets what earlier games left in the tables.
    fn new_game(&mut self);
    /// Sets up the start or `fen`, and plays `moves`. On an error the position is as it was.
    ///
    /// # Errors
    /// No FEN of the game, or an illegal move, which is named.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<()>;
    /// Plays a move.
    ///
    /// # Errors
    /// An illegal move.
    fn play(&mut self, text: &str) -> Result<()>;
    /// The position.
    fn fen(&self) -> String;
    /// The array before any ply.
    fn start_fen(&self) -> String;
    /// The board, for a person.
    fn picture(&self) -> String;
    /// Legal moves in UCI, sorted.
    fn legal(&self) -> Vec<String>;
    /// Legal castlings in UCI, and whether each is on the king's side.
    fn castlings(&self) -> Vec<(String, bool)>;
    /// The square of the pawn that a legal move takes in passing.
    fn taken_in_passing(&self, text: &str) -> Option<String>;
    /// How the game ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// Whose move it is.
    fn side_to_move(&self) -> Side;
    /// Looks for the best move.
    ///
    /// # Errors
    /// A move to look at that is not legal.
    fn think(&mut self, task: &Task, clock: &Arc<Clock>, report: &mut dyn FnMut(&News)) -> Result<Found>;
    /// Counts legal move sequences, by first move; `None` if stopped.
    fn perft(&self, depth: u32, clock: &Clock) -> Option<Vec<(String, u64)>>;
    /// The bench of the game: (signature, nodes).
    ///
    /// # Errors
    /// The game's own weights cannot be read.
    fn bench(&self) -> Result<(u64, u64)>;
}

/// Makes a session at the game's start.
///
/// # Errors
/// An unknown game, a wrong option, weights that are not the game's.
pub fn open(setup: &Setup) -> Result<Box<dyn Session>> {
    let given = setup.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    engine::games::with(&setup.game, given, Open(setup))?
}

struct Open<'a>(&'a Setup);

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn Session>>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let weights = match &self.0.eval {
            Some(text) => Weights::parse(&Layout::of(&game).0, text)
                .with_context(|| format!("these are no weights for {}", game.info().name))?,
            None => Weights::default_of(&game)?,
        };
        let (bytes, params) = (self.0.hash_bytes, self.0.settings.params(&game));
        let searcher = Searcher::with_weights(game.clone(), &weights, bytes, params);
        let state = game.start();
        let referee = Referee::new(game, state, GameLimits::default());
        let rng = generator(0, Domain::Player, 0, 0);
        let mut table = AtTable { searcher, referee, errors: self.0.errors, rng, games: 0 };
        table.new_game();
        Ok(Box::new(table))
    }
}

struct AtTable<G: Playable> {
    searcher: Searcher<G>,
    referee: Referee<G>,
    errors: Errors,
    /// What blunders are drawn from, seeded by the number of the game.
    rng: ChaCha8Rng,
    games: u64,
}

impl<G: Playable> AtTable<G> {
    /// The move that the hand slips to, if it does: any of those that may be played.
    fn blunder(&mut self, only: &[Move]) -> Option<Move> {
        if fraction(&mut self.rng) >= self.errors.blunder {
            return None;
        }
        let mut list = only.to_vec();
        if list.is_empty() {
            self.game().generate(self.referee.state(), Which::All, &mut list);
        }
        let count = list.len() as u64;
        (count > 0).then(|| list[below(&mut self.rng, count) as usize])
    }

    fn game(&self) -> &G {
        self.referee.game()
    }

    /// A line of moves from the position now, as text.
    fn line(game: &G, state: &G::State, moves: &[Move]) -> Vec<String> {
        let mut at = state.clone();
        let step = |&m: &Move| {
            let text = game.uci(&at, m);
            game.play(&mut at, m, &mut ());
            text
        };
        moves.iter().map(step).collect()
    }
}

impl<G: Playable> Session for AtTable<G> {
    fn info(&self) -> &'static Info {
        self.game().info()
    }

    fn size(&self) -> (u8, u8) {
        (G::FILES, G::RANKS)
    }

    fn new_game(&mut self) {
        self.games += 1;
        let seed = unit_seed(0, self.games);
        self.searcher.set_noise(Noise { deviation: self.errors.noise, seed });
        self.rng = generator(seed, Domain::Player, 0, 0);
        self.searcher.new_game();
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<()> {
        let game = self.game().clone();
        let state = match fen {
            Some(fen) => game.parse_fen(fen)?,
            None => game.start(),
        };
        let mut referee = Referee::new(game.clone(), state, GameLimits::default());
        for text in moves {
            let m = parse_uci(&game, referee.state(), text)?;
            referee.play(m);
        }
        self.referee = referee;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<()> {
        let m = parse_uci(self.game(), self.referee.state(), text)?;
        self.referee.play(m);
        Ok(())
    }

    fn fen(&self) -> String {
        self.game().fen(self.referee.state())
    }

    fn start_fen(&self) -> String {
        self.game().fen(&self.game().start())
    }

    fn picture(&self) -> String {
        let (game, state) = (self.game(), self.referee.state());
        let mut text = draw(game, state);
        text +=
            &format!("\nGame: {}\nFen: {}\nKey: {:016x}", game.info().name, game.fen(state), game.key(state));
        if let Some(ending) = self.referee.ending() {
            text += &format!("\nOver: {} {}", ending.result, ending.termination);
        }
        text
    }

    fn legal(&self) -> Vec<String> {
        legal_uci(self.game(), self.referee.state())
    }

    fn castlings(&self) -> Vec<(String, bool)> {
        let (game, state) = (self.game(), self.referee.state());
        let mut list = Vec::new();
        game.generate(state, Which::All, &mut list);
        let castles = list.into_iter().filter(|m| m.flag() == Flag::Castle);
        castles.map(|m| (game.uci(state, m), m.to() > m.from())).collect()
    }

    fn taken_in_passing(&self, text: &str) -> Option<String> {
        let (game, state) = (self.game(), self.referee.state());
        let m = parse_uci(game, state, text).ok().filter(|m| m.flag() == Flag::EnPassant)?;
        let mut after = state.clone();
        game.play(&mut after, m, &mut ());
        let enemy = game.side_to_move(state).other();
        let men = |state: &G::State| {
            let mut squares = Vec::new();
            game.pieces(state, &mut |side, _, square| {
                if side == enemy {
                    squares.push(square);
                }
            });
            squares
        };
        let left = men(&after);
        let gone = men(state).into_iter().find(|square| !left.contains(square))?;
        Some(square_name(gone, G::FILES))
    }

    fn ending(&self) -> Option<Ending> {
        self.referee.ending()
    }

    fn side_to_move(&self) -> Side {
        self.game().side_to_move(self.referee.state())
    }

    fn think(&mut self, task: &Task, clock: &Arc<Clock>, report: &mut dyn FnMut(&News)) -> Result<Found> {
        let game = self.game().clone();
        let state = self.referee.state().clone();
        let only: Vec<Move> =
            task.only.iter().map(|text| parse_uci(&game, &state, text)).collect::<Result<_, _>>()?;
        let slip = self.blunder(&only);
        let signal = clock.clone();
        let should_stop: StopSignal = Arc::new(move || signal.is_over());
        let limits = Limits {
            nodes: task.nodes,
            depth: task.depth,
            mate: task.mate,
            lines: task.lines,
            only,
            should_stop: Some(should_stop),
        };
        let lines = task.lines.max(1);
        let found = self.searcher.search(&state, self.referee.keys(), &limits, &mut |info| {
            report(&News {
                depth: info.depth,
                deepest: info.deepest,
                line: info.line,
                score: info.score,
                nodes: info.nodes,
                table_permille: info.table_permille,
                pv: Self::line(&game, &state, info.pv),
            });
            if info.line == lines {
                clock.iteration_done();
            }
        });
        if let Some(m) = slip {
            return Ok(Found { best: Some(game.uci(&state, m)), answer: None, score: found.score });
        }
        let mut line = Self::line(&game, &state, &found.pv).into_iter();
        let best = (!found.best.is_none()).then(|| game.uci(&state, found.best));
        Ok(Found { best, answer: line.nth(1), score: found.score })
    }

    fn perft(&self, depth: u32, clock: &Clock) -> Option<Vec<(String, u64)>> {
        let (game, state) = (self.game(), self.referee.state());
        let mut list = Vec::new();
        if depth == 0 {
            return Some(Vec::new());
        }
        game.generate(state, Which::All, &mut list);
        let mut counts = Vec::new();
        for m in list {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            counts.push((game.uci(state, m), count(game, &next, depth - 1, clock)?));
        }
        counts.sort();
        Some(counts)
    }

    fn bench(&self) -> Result<(u64, u64)> {
        let params = self.searcher.params().clone();
        let result =
            bench::run(self.game(), params, bench::POSITIONS, bench::NODES).map_err(|e| anyhow!("{e}"))?;
        Ok((result.signature, result.nodes))
    }
}

/// Perft that can be stopped: the upper plies ask, the last three are left to [`engine::perft`].
fn count<G: Playable>(game: &G, state: &G::State, depth: u32, clock: &Clock) -> Option<u64> {
    if clock.is_over() {
        return None;
    }
    if depth <= 3 {
        return Some(engine::perft::perft(game, state, depth));
    }
    let mut list = Vec::new();
    game.generate(state, Which::All, &mut list);
    list.into_iter().try_fold(0, |sum, m| {
        let mut next = state.clone();
        game.play(&mut next, m, &mut ());
        Some(sum + count(game, &next, depth - 1, clock)?)
    })
}
