//! Weights from geometry alone, for games and terms that have not been tuned.

use super::{Evaluate, Pair, Role};
use crate::game::Game;
use crate::moves::Kind;

/// How central a square is: 0 in a corner, 100 in the middle of the board.
pub fn centrality<G: Game>(file: u8, rank: u8) -> i32 {
    let towards_middle = |at: u8, n: u8| i32::from(at.min(n - 1 - at));
    let (files, ranks) = (i32::from((G::FILES - 1) / 2), i32::from((G::RANKS - 1) / 2));
    100 * (towards_middle(file, G::FILES) + towards_middle(rank, G::RANKS)) / (files + ranks).max(1)
}

pub(super) fn material<G: Evaluate>(game: &G, kind: Kind) -> Pair {
    let value = game.rough_value(kind);
    // Pieces that are left when the board has emptied are worth more, pawns most of all.
    let percent = if game.role(kind) == Role::Pawn { 120 } else { 105 };
    Pair::new(value, value * percent / 100)
}

pub(super) fn hand<G: Evaluate>(game: &G, kind: Kind) -> Pair {
    // A piece in hand can be put where it is wanted, at the cost of a move.
    let value = game.rough_value(kind);
    Pair::new(value * 105 / 100, value * 105 / 100)
}

pub(super) fn places<G: Evaluate>(game: &G, kind: Kind) -> Vec<Pair> {
    let mut table = Vec::new();
    for rank in 0..G::RANKS {
        for file in 0..G::FILES.div_ceil(2) {
            // -50 in a corner to 50 in the middle; 0 on the first rank to 100 on the last.
            let centre = centrality::<G>(file, rank) - 50;
            let advance = 100 * i32::from(rank) / i32::from(G::RANKS - 1);
            table.push(match game.role(kind) {
                Role::Pawn => Pair::new(
                    advance * 20 / 100 + centre * i32::from(rank > 1) / 4,
                    advance * advance * 60 / 10_000,
                ),
                Role::Piece => {
                    let reach = game.rough_value(kind).clamp(200, 500);
                    // The heavier a piece, the less it wants the middle early on.
                    Pair::new(centre * 12_000 / (reach * 100), centre * 8_000 / (reach * 100))
                }
                Role::Royal => Pair::new(-(advance * 50 / 100) - centre / 4, centre * 60 / 100),
            });
        }
    }
    table
}
