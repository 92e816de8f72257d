//! Positions of a game, many and various, found without knowing the game.
//!
//! Three kinds, each followed through some random moves: games from the start and from drawn set-ups; positions of
//! such games thinned out; a few pieces and many pawns scattered over the board. The last two are made as text,
//! so that nothing reaches a game but through its own reader, which refuses what cannot be.

use crate::rng::Rng;
use equipoise_engine::eval::{Evaluate, Role};
use equipoise_engine::game::{Game, Setups, Which};
use equipoise_engine::moves::{Kind, Move, Square};
use equipoise_engine::notation::write_placement;
use equipoise_engine::side::Side;
use std::collections::HashSet;

/// `wanted` different positions, the same for the same game and options.
pub fn positions<G: Evaluate>(game: &G, wanted: usize) -> Vec<G::State> {
    let mut sampler = Sampler {
        game,
        rng: Rng::new(&format!("{} {}", game.info().name, game.options())),
        seen: HashSet::new(),
        found: vec![game.start()],
    };
    let mut idle = 0;
    while sampler.found.len() < wanted && idle < 1000 {
        let before = sampler.found.len();
        sampler.game_from_a_start();
        sampler.thinned();
        sampler.scattered();
        sampler.scattered();
        idle = if sampler.found.len() == before { idle + 1 } else { 0 };
    }
    sampler.found.truncate(wanted);
    sampler.found
}

/// The sample is worth something: many positions, with what the game's capabilities promise.
pub fn sample_is_various<G: Evaluate>(game: &G, states: &[G::State]) {
    let name = game.info().name;
    let keys: HashSet<u64> = states.iter().map(|state| game.key(state)).collect();
    assert!(states.len() >= 60 && keys.len() * 10 >= states.len() * 9, "{name}: {} positions", keys.len());
    if states.len() < 300 {
        return;
    }
    let share = |what: &str, n: usize, of: usize| {
        assert!(n * of >= states.len(), "{name}: {n} of {} positions {what}", states.len());
    };
    share("end the game", states.iter().filter(|s| game.ending(s).is_some()).count(), 120);
    share("have Black to move", states.iter().filter(|s| game.side_to_move(s) == Side::Black).count(), 4);
    if G::CAPS.check {
        share("are checks", states.iter().filter(|s| game.in_check(s)).count(), 30);
    }
    if G::CAPS.captures {
        let mut moves = Vec::new();
        for state in states {
            game.generate(state, Which::Noisy, &mut moves);
        }
        share("are captures and promotions", moves.len(), 2);
    }
}

/// A random start: the array, or a drawn set-up where the game has them.
pub fn random_start<G: Game>(game: &G, rng: &mut Rng) -> G::State {
    let drawn = match game.setups() {
        Setups::None => None,
        Setups::Shared(n) => {
            let number = rng.below(n);
            game.setup(number, number)
        }
        Setups::PerSide(n) => game.setup(rng.below(n), rng.below(n)),
    };
    // A barred pair falls back on the array, which the games with an arrangement phase begin with.
    drawn.filter(|_| !rng.one_in(4)).unwrap_or_else(|| game.start())
}

struct Sampler<'a, G: Game> {
    game: &'a G,
    rng: Rng,
    seen: HashSet<u64>,
    found: Vec<G::State>,
}

impl<G: Evaluate> Sampler<'_, G> {
    fn keep(&mut self, state: &G::State) {
        if self.seen.insert(self.game.key(state)) {
            self.found.push(state.clone());
        }
    }

    /// Plays at most `plies` random moves, every `eager`-th of them a noisy one if there is any, and keeps one
    /// position in `one_in` and the last. A walk that `hunts` takes any move that ends the game.
    fn walk(&mut self, mut state: G::State, plies: u32, eager: u64, one_in: u64, hunts: bool) -> G::State {
        let mut moves = Vec::new();
        for _ in 0..plies {
            if self.rng.one_in(one_in) {
                self.keep(&state);
            }
            let Some(m) = choose(self.game, &state, eager, &mut moves, &mut self.rng) else { break };
            if let Some(end) = hunts.then(|| self.ending_move(&state)).flatten() {
                state = end;
                break;
            }
            self.game.play(&mut state, m, &mut ());
        }
        self.keep(&state);
        state
    }

    /// The position after a move that ends the game.
    fn ending_move(&self, state: &G::State) -> Option<G::State> {
        let mut moves = Vec::new();
        self.game.generate(state, Which::All, &mut moves);
        moves.into_iter().find_map(|m| {
            let mut next = state.clone();
            self.game.play(&mut next, m, &mut ());
            self.game.ending(&next).map(|_| next)
        })
    }

    fn game_from_a_start(&mut self) {
        let start = random_start(self.game, &mut self.rng);
        let plies = 10 + self.rng.below(150) as u32;
        let eager = 1 + self.rng.below(6);
        // The first plies always: an arrangement phase is over after four.
        let opened = self.walk(start, 4, eager, 1, false);
        self.walk(opened, plies, eager, 12, false);
    }

    fn thinned(&mut self) {
        let start = random_start(self.game, &mut self.rng);
        let plies = self.rng.below(40) as u32;
        let middle = self.walk(start, plies, 6, 40, false);
        let keep_one_in = 2 + self.rng.below(5);
        let mut board = board(self.game, &middle);
        for cell in board.iter_mut() {
            let royal = cell.is_some_and(|(_, kind)| self.game.role(kind) == Role::Royal);
            if !royal && !self.rng.one_in(keep_one_in) {
                *cell = None;
            }
        }
        let fen = self.game.fen(&middle);
        if let Some(state) = self.read(&fen, &board) {
            self.walk(state, 16, 3, 4, true);
        }
    }

    fn scattered(&mut self) {
        let start = self.game.start();
        let fen = self.game.fen(&start);
        let full = board(self.game, &start);
        for _ in 0..20 {
            let scattered = self.scatter(&full);
            if let Some(state) = self.read(&fen, &scattered) {
                self.walk(state, 16, 3, 4, true);
                return;
            }
        }
    }

    /// Some of the pieces of `full` on other squares. Each side has its own strength, so that there are kings
    /// alone as well as crowds; pawns keep off the first and last ranks.
    fn scatter(&mut self, full: &[Cell]) -> Vec<Cell> {
        let [white, black] = [(); 2].map(|()| (1 + self.rng.below(9), 1 + self.rng.below(5)));
        let mut empty: Vec<Square> = (0..full.len() as Square).collect();
        let mut scattered = vec![None; full.len()];
        for &(side, kind) in full.iter().flatten() {
            let (pieces, pawns) = if side == Side::White { white } else { black };
            let role = self.game.role(kind);
            let here = match role {
                Role::Royal => true,
                Role::Pawn => self.rng.one_in(pawns),
                Role::Piece => self.rng.one_in(pieces),
            };
            let at = self.rng.index(empty.len().max(1));
            let inner = |square: Square| (G::FILES..(G::RANKS - 1) * G::FILES).contains(&square);
            if here && empty.get(at).is_some_and(|&square| role != Role::Pawn || inner(square)) {
                scattered[empty.swap_remove(at) as usize] = Some((side, kind));
            }
        }
        scattered
    }

    /// The position with another board and as much of the rest of `fen` as goes with it.
    fn read(&mut self, fen: &str, board: &[Cell]) -> Option<G::State> {
        let as_it_is = with_board(self.game, fen, board);
        if let Ok(state) = self.game.parse_fen(&as_it_is) {
            return Some(state);
        }
        let side = self.rng.pick(&["w", "b"]);
        let fields: Vec<&str> = as_it_is.split(' ').collect();
        let rest = fields[2..].iter().map(|f| if f.bytes().all(|b| b.is_ascii_digit()) { f } else { "-" });
        let text: Vec<&str> = [fields[0], side].into_iter().chain(rest).collect();
        self.game.parse_fen(&text.join(" ")).ok()
    }
}

/// What stands on a square.
pub type Cell = Option<(Side, Kind)>;

/// The pieces by square.
pub fn board<G: Game>(game: &G, state: &G::State) -> Vec<Cell> {
    let mut cells = vec![None; G::FILES as usize * G::RANKS as usize];
    game.pieces(state, &mut |side, kind, square| cells[square as usize] = Some((side, kind)));
    cells
}

/// `fen` with another board; what its first field holds besides stays.
pub fn with_board<G: Game>(game: &G, fen: &str, board: &[Cell]) -> String {
    let (first, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let besides = first.find('[').map_or("", |at| &first[at..]);
    let placement = write_placement(G::FILES, G::RANKS, |square| {
        board[square as usize].map(|(side, kind)| {
            let letter = game.info().pieces[kind as usize].letter;
            if side == Side::White { letter } else { letter.to_ascii_lowercase() }
        })
    });
    format!("{placement}{besides} {rest}")
}

/// A random legal move, every `eager`-th time a noisy one; none at the end of the game.
pub fn choose<G: Game>(
    game: &G,
    state: &G::State,
    eager: u64,
    moves: &mut Vec<Move>,
    rng: &mut Rng,
) -> Option<Move> {
    moves.clear();
    if rng.one_in(eager) {
        game.generate(state, Which::Noisy, moves);
    }
    if moves.is_empty() {
        game.generate(state, Which::All, moves);
    }
    (!moves.is_empty()).then(|| moves[rng.index(moves.len())])
}
