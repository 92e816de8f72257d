//! One search for all games: iterative deepening, principal variation search, quiescence.
//!
//! A node is a move made, in quiescence too. With a node limit the result depends on
//! nothing but the position, its history, the settings and what was searched since [`Searcher::new_game`].

mod exchange;
mod history;
mod line;
mod memory;
mod node;
mod noise;
mod order;
mod params;
mod quiesce;
mod root;
mod score;
mod scores;
mod table;
#[cfg(test)]
mod tests;
mod tree;

pub use exchange::{CheckSquares, Exchange};
pub use noise::Noise;
pub use params::{Chosen, ParamError, ParamSpec, Params};
pub use root::{Info, Limits, Line, SearchResult};
pub use score::{MAX_PLY, Score};

use crate::eval::{Evaluate, Evaluator, WeightError, Weights};
use std::sync::Arc;
use tree::Tree;

/// A game that the search can play: rules, evaluation, exchanges, and a search compiled for it.
pub trait Playable: Evaluate + Exchange {
    /// Settings of the search, by name, whose default in this game is not the general one, because a match on fresh
    /// openings says so (docs/engine.md).
    fn settings(&self) -> &'static [(&'static str, i32)] {
        &[]
    }

    /// The search of this game, written by [`compiled_search!`](crate::compiled_search). Not a generic
    /// function, so that each game's search is compiled once, in the crate that names the game, and not
    /// again in every crate that plays.
    fn compiled(game: Self, setup: Setup<'_>) -> Box<dyn Search<Self>>;
}

/// Writes the function `compiled` of a [`Playable`](crate::search::Playable) game (`Self`) or of a
/// [`Variant`](crate::games::royal::Variant) (`Royal<Self>`).
#[macro_export]
macro_rules! compiled_search {
    ($game:ty) => {
        #[inline(never)]
        fn compiled(game: $game, setup: $crate::search::Setup<'_>) -> Box<dyn $crate::search::Search<$game>> {
            $crate::search::compile(game, setup)
        }
    };
}

/// What a search is set up with.
pub struct Setup<'a> {
    /// Weights that were read for the game's layout.
    pub weights: &'a Weights,
    /// Size of the transposition table at most.
    pub table_bytes: usize,
    /// The settings.
    pub params: Params,
}

/// The search compiled for `game`: what [`compiled_search!`](crate::compiled_search) calls.
pub fn compile<G: Playable>(game: G, setup: Setup<'_>) -> Box<dyn Search<G>> {
    Box::new(Tree::new(game, setup.weights, setup.table_bytes, setup.params))
}

/// Asks the caller, who has a clock, whether to stop.
pub type StopSignal = Arc<dyn Fn() -> bool + Send + Sync>;

/// What a compiled search can do; see [`Searcher`], through which it is used.
pub trait Search<G: Playable>: Send {
    /// See [`Searcher::new_game`].
    fn new_game(&mut self);
    /// See [`Searcher::set_noise`].
    fn set_noise(&mut self, noise: Noise);
    /// See [`Searcher::evaluator`].
    fn evaluator(&self) -> &Evaluator<G>;
    /// See [`Searcher::params`].
    fn params(&self) -> &Params;
    /// See [`Searcher::search`].
    fn search(
        &mut self,
        state: &G::State,
        history: &[u64],
        limits: &Limits,
        report: &mut dyn FnMut(&Info<'_>),
    ) -> SearchResult;
}

/// A player's search: its tables are made once and used for many games.
pub struct Searcher<G: Playable>(Box<dyn Search<G>>);

impl<G: Playable> Searcher<G> {
    /// A search of `game` by its default weights, with a table of at most `table_bytes`.
    pub fn new(game: G, table_bytes: usize, params: Params) -> Result<Searcher<G>, WeightError> {
        let weights = Weights::default_of(&game)?;
        Ok(Searcher::with_weights(game, &weights, table_bytes, params))
    }

    /// A search of `game` by `weights`, which were read for its layout.
    pub fn with_weights(game: G, weights: &Weights, table_bytes: usize, params: Params) -> Searcher<G> {
        Searcher(G::compiled(game, Setup { weights, table_bytes, params }))
    }

    /// Forgets all games before, so that the next one depends on none of them.
    pub fn new_game(&mut self) {
        self.0.new_game();
    }

    /// Makes the search misjudge positions. What it has stored was judged otherwise: for the start of a game,
    /// before [`new_game`](Self::new_game).
    pub fn set_noise(&mut self, noise: Noise) {
        self.0.set_noise(noise);
    }

    /// The game.
    pub fn game(&self) -> &G {
        self.evaluator().game()
    }

    /// The evaluation in force.
    pub fn evaluator(&self) -> &Evaluator<G> {
        self.0.evaluator()
    }

    /// The settings in force.
    pub fn params(&self) -> &Params {
        self.0.params()
    }

    /// Looks for the best move in `state`. `history` holds the keys of the positions that may still recur,
    /// oldest first (as [`crate::referee::Referee::keys`]); `report` is called after each iteration.
    pub fn search(
        &mut self,
        state: &G::State,
        history: &[u64],
        limits: &Limits,
        report: &mut dyn FnMut(&Info<'_>),
    ) -> SearchResult {
        self.0.search(state, history, limits, report)
    }
}
