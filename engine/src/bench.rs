//! The bench: fixed positions at fixed nodes, whose signature tells whether two engines search alike.

use crate::eval::WeightError;
use crate::game::{Game, Which};
use crate::moves::Move;
use crate::referee::{Limits as GameLimits, Referee};
use crate::search::{Limits, Params, Playable, Searcher};

/// What a bench came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// The sum, over positions and iterations finished, of the nodes spent up to then: any change to search or
    /// evaluation shows in it.
    pub signature: u64,
    /// Moves made in all, for nodes per second.
    pub nodes: u64,
}

/// Positions that a bench uses by default.
pub const POSITIONS: usize = 12;
/// Nodes a position that a bench uses by default.
pub const NODES: u64 = 20_000;
/// Table size that a bench uses, bytes.
const TABLE: usize = 4 << 20;

/// `count` positions of `game` with their histories: random games from the start, broken off after 4, 11,
/// 18 ... plies. The same on every machine.
pub fn positions<G: Game>(game: &G, count: usize) -> Vec<Referee<G>> {
    let mut random = SplitMix(0x5eed);
    let mut list: Vec<Move> = Vec::new();
    let mut found = Vec::new();
    while found.len() < count {
        let plies = 4 + 7 * (found.len() % 10);
        let mut referee = Referee::new(game.clone(), game.start(), GameLimits::default());
        for _ in 0..plies {
            list.clear();
            game.generate(referee.state(), Which::All, &mut list);
            if list.is_empty() {
                break;
            }
            referee.play(list[(random.next() % list.len() as u64) as usize]);
        }
        if referee.ending().is_none() {
            found.push(referee);
        }
    }
    found
}

/// Searches each of the positions as a game of its own.
pub fn run<G: Playable>(
    game: &G,
    params: Params,
    positions: usize,
    nodes: u64,
) -> Result<Bench, WeightError> {
    let mut searcher = Searcher::new(game.clone(), TABLE, params)?;
    let mut bench = Bench { signature: 0, nodes: 0 };
    for referee in self::positions(game, positions) {
        searcher.new_game();
        let result = searcher.search(referee.state(), referee.keys(), &Limits::nodes(nodes), &mut |info| {
            bench.signature += info.nodes;
        });
        bench.nodes += result.nodes;
    }
    Ok(bench)
}

/// Vigna's SplitMix64: enough for playouts, and no dependency.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
