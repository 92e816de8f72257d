//! Openings, drawn in the order of units and never the same twice.
//!
//! The opening of a unit is the first of its attempts that gives a position no earlier unit has; attempts
//! are pure functions of (seed, unit, attempt). Drawing is cheap beside playing, so every shard and every
//! resumed run walks through all openings from the first and so agrees with every other. What it keeps is a
//! 64-bit key a unit (about 16 bytes in the set): the only thing in a run that grows with its length, beside
//! the same amount for finding identical games.

use crate::experiment::{Experiment, Openings};
use crate::random::{Domain, below, fraction, generator, shuffle};
use anyhow::{Context, Result, bail};
use engine::game::{Setups, Which};
use engine::moves::Move;
use engine::referee::{Limits as GameLimits, Referee};
use engine::search::{Limits, Params, Playable, Searcher};
use engine::side::Side;
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Attempts at a new opening before the set counts as used up.
const ATTEMPTS: u64 = 10_000;

/// Where a unit's games start.
#[derive(Clone, Debug)]
pub struct Opening<S> {
    /// The unit's number, or the position's in the openings file, from 1.
    pub id: u64,
    /// The array before any ply.
    pub start: S,
    /// Plies played for the players.
    pub moves: Vec<Move>,
    /// The start of a unit's second game, where that is another: the two sides' set-ups exchanged.
    pub exchanged: Option<S>,
}

impl<S: Clone> Opening<S> {
    /// The opening of a game of the unit, the first being 0.
    pub fn of_game(&self, game: usize) -> Cow<'_, Opening<S>> {
        match &self.exchanged {
            Some(start) if game == 1 => {
                Cow::Owned(Opening { start: start.clone(), exchanged: None, ..self.clone() })
            }
            _ => Cow::Borrowed(self),
        }
    }
}

/// Draws openings for units 1, 2, 3 ...
pub struct Source<'a, G: Playable> {
    game: G,
    experiment: &'a Experiment,
    unit: u64,
    seen: HashSet<u64>,
    searcher: Option<Searcher<G>>,
    /// Order of the openings file, and the next place in it.
    order: Vec<u32>,
    next: usize,
}

impl<'a, G: Playable> Source<'a, G> {
    /// The source of an experiment's openings, at its first unit.
    ///
    /// # Errors
    /// An evaluation that cannot be set up.
    pub fn new(game: G, experiment: &'a Experiment) -> Result<Source<'a, G>> {
        let nodes = match &experiment.openings {
            Openings::Random { balance: Some(balance), .. } => Some(balance.nodes),
            Openings::Temperature { nodes, .. } => Some(*nodes),
            _ => None,
        };
        let searcher = match nodes {
            Some(n) => Some(Searcher::new(game.clone(), crate::players::table_bytes(n), Params::of(&game))?),
            None => None,
        };
        let mut order = Vec::new();
        if let Openings::File { fens, .. } = &experiment.openings {
            order.extend(0..fens.len() as u32);
            shuffle(&mut generator(experiment.seed, Domain::Order, 0, 0), &mut order);
        }
        Ok(Source { game, experiment, unit: 0, seen: HashSet::new(), searcher, order, next: 0 })
    }

    /// The opening of the next unit.
    ///
    /// # Errors
    /// No new opening can be found, or one from a file is no position.
    pub fn draw(&mut self) -> Result<Opening<G::State>> {
        self.unit += 1;
        if let Openings::File { fens, plies: 0 } = &self.experiment.openings {
            return self.next_of_file(fens);
        }
        for attempt in 0..ATTEMPTS {
            let mut rng = generator(self.experiment.seed, Domain::Opening, self.unit, attempt);
            let Some((opening, identity)) = self.attempt(&mut rng) else { continue };
            if self.seen.insert(identity) {
                return Ok(opening);
            }
        }
        bail!(
            "no new opening for unit {} in {ATTEMPTS} attempts: of this kind there are hardly more than {}; \
             lower `games` or play more opening plies",
            self.unit,
            self.seen.len()
        )
    }

    fn next_of_file(&mut self, fens: &[String]) -> Result<Opening<G::State>> {
        while let Some(&index) = self.order.get(self.next) {
            self.next += 1;
            let number = u64::from(index) + 1;
            let fen = &fens[index as usize];
            let state = self
                .game
                .parse_fen(fen)
                .with_context(|| format!("position {number} of the openings file"))?;
            let identity = identity(&self.game, &state);
            if self.seen.insert(identity) {
                return Ok(Opening { id: number, start: state, moves: Vec::new(), exchanged: None });
            }
        }
        bail!("the openings file has only {} different positions; lower `games`", self.seen.len())
    }

    /// One attempt and what its position is known by; nothing if the game was over in it or it is unbalanced.
    fn attempt(&mut self, rng: &mut ChaCha8Rng) -> Option<(Opening<G::State>, u64)> {
        let mut id = self.unit;
        let mut exchanged = None;
        let start = match &self.experiment.openings {
            Openings::Setups { exchange: true, .. } => {
                let (start, other) = self.exchanged_setups(rng)?;
                exchanged = Some(other);
                start
            }
            Openings::Setups { .. } => self.setup(rng)?,
            Openings::File { fens, .. } => {
                let index = below(rng, fens.len() as u64);
                id = index + 1;
                self.game.parse_fen(fens.get(index as usize)?).ok()?
            }
            _ => self.game.start(),
        };
        let plies = match self.experiment.openings {
            Openings::Random { plies, .. }
            | Openings::Temperature { plies, .. }
            | Openings::File { plies, .. }
            | Openings::Setups { plies, .. } => plies,
            Openings::Fixed | Openings::Imported { .. } => 0,
        };
        let mut referee = Referee::new(self.game.clone(), start.clone(), GameLimits::default());
        let mut moves = Vec::new();
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
        for _ in 0..plies {
            if referee.ending().is_some() {
                return None;
            }
            let m = self.choose(&referee, rng)?;
            referee.play(m);
            moves.push(m);
        }
        if referee.ending().is_some() || !self.is_balanced(&referee) {
            return None;
        }
        let mut known = identity(&self.game, referee.state());
        if let Some(other) = &exchanged {
            // The same two set-ups the other way round are the same unit.
            known = known.min(identity(&self.game, other));
        }
        Some((Opening { id, start, moves, exchanged }, known))
    }

    /// Two different set-ups, one way round and the other.
    fn exchanged_setups(&self, rng: &mut ChaCha8Rng) -> Option<(G::State, G::State)> {
        let Setups::PerSide(count) = self.game.setups() else { return None };
        let (one, other) = (below(rng, count), below(rng, count));
        let both = self.game.setup(one, other).zip(self.game.setup(other, one));
        both.filter(|_| one != other)
    }

    fn setup(&self, rng: &mut ChaCha8Rng) -> Option<G::State> {
        match self.game.setups() {
            Setups::None => Some(self.game.start()),
            Setups::Shared(count) => {
                let number = below(rng, count);
                self.game.setup(number, number)
            }
            Setups::PerSide(count) => {
                let white = below(rng, count);
                let black = below(rng, count);
                self.game.setup(white, black)
            }
        }
    }

    fn choose(&mut self, referee: &Referee<G>, rng: &mut ChaCha8Rng) -> Option<Move> {
        let mut list = Vec::new();
        self.game.generate(referee.state(), Which::All, &mut list);
        if let (Openings::Temperature { nodes, scale, .. }, Some(searcher)) =
            (&self.experiment.openings, &mut self.searcher)
        {
            let scores: Vec<i32> = list.iter().map(|&m| score_after(searcher, referee, m, *nodes)).collect();
            let best = scores.iter().copied().max()?;
            // libm and a fixed order of summation: the same choice on every machine.
            let weights: Vec<f64> = scores.iter().map(|s| libm::exp(f64::from(s - best) / scale)).collect();
            let mut left = fraction(rng) * weights.iter().sum::<f64>();
            let chosen = weights.iter().position(|w| {
                left -= w;
                left < 0.0
            });
            return chosen.or(list.len().checked_sub(1)).map(|i| list[i]);
        }
        (!list.is_empty()).then(|| list[below(rng, list.len() as u64) as usize])
    }

    fn is_balanced(&mut self, referee: &Referee<G>) -> bool {
        let Openings::Random { balance: Some(balance), .. } = self.experiment.openings else { return true };
        let Some(searcher) = &mut self.searcher else { return true };
        let found =
            searcher.search(referee.state(), referee.keys(), &Limits::nodes(balance.nodes), &mut |_| {});
        found.score.value().unsigned_abs() <= balance.within
    }
}

/// What a position is known by among openings: its key, or, where left and right are alike, its pieces in the one of
/// the two pictures that hashes lower.
pub fn identity<G: Playable>(game: &G, state: &G::State) -> u64 {
    if !game.is_left_right_symmetric() {
        return game.key(state);
    }
    let mut pieces = Vec::new();
    game.pieces(state, &mut |side, kind, square| pieces.push((side, kind, square)));
    let mut hands = Vec::new();
    for side in Side::BOTH {
        for kind in 0..game.info().pieces.len() {
            hands.push(game.in_hand(state, side, kind as u8));
        }
    }
    let hash = |pieces: &[(Side, u8, u8)]| {
        let mut sorted = pieces.to_vec();
        sorted.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (sorted, &hands, game.side_to_move(state)).hash(&mut hasher);
        hasher.finish()
    };
    let flip = |square: u8| square - square % G::FILES + (G::FILES - 1 - square % G::FILES);
    let mirrored: Vec<_> = pieces.iter().map(|&(s, k, q)| (s, k, flip(q))).collect();
    hash(&pieces).min(hash(&mirrored))
}

/// The mover's score after a move, in centipawns, mates as very large values.
pub fn score_after<G: Playable>(
    searcher: &mut Searcher<G>,
    referee: &Referee<G>,
    m: Move,
    nodes: u64,
) -> i32 {
    let mut next = referee.clone();
    let side = next.game().side_to_move(next.state());
    next.play(m);
    let found = searcher.search(next.state(), next.keys(), &Limits::nodes(nodes), &mut |_| {});
    let same = next.game().side_to_move(next.state()) == side;
    if same { found.score.value() } else { -found.score.value() }
}
