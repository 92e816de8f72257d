//! How fast a side brings its pawns past its fourth rank.

use engine::game::Game;
use engine::moves::{Flag, Move, Square};
use engine::side::Side;

/// Names of the pieces that count: pawns, and in Martian Shogi the Peasants beside them.
const COUNTED: [&str; 2] = ["pawn", "peasant"];

/// Follows one side's pawns from the array on. Pieces are followed one by one: a piece that has passed stays
/// counted when it is captured later, one captured before it has passed can pass no more, and one dropped
/// from hand never counts.
#[derive(Debug)]
struct Column {
    started: usize,
    /// Squares of those that have not passed and are not captured.
    waiting: Vec<Square>,
    passed: usize,
    half: Option<u32>,
    lost: Option<u32>,
}

/// Both sides' development.
#[derive(Debug)]
pub struct Centre {
    columns: [Column; 2],
}

impl Centre {
    /// In the array before any ply.
    pub fn new<G: Game>(game: &G, start: &G::State) -> Centre {
        let column = |side| {
            let mut waiting = Vec::new();
            game.pieces(start, &mut |s, kind, square| {
                if s == side && COUNTED.contains(&game.info().pieces[kind as usize].name) {
                    waiting.push(square);
                }
            });
            Column { started: waiting.len(), waiting, passed: 0, half: None, lost: None }
        };
        Centre { columns: Side::BOTH.map(column) }
    }

    /// After `mover` has played `m`, its move number `number`, which led to `state`.
    pub fn after<G: Game>(&mut self, game: &G, mover: Side, m: Move, number: u32, state: &G::State) {
        if m.flag() != Flag::Drop && m.flag() != Flag::Arrange {
            follow(&mut self.columns[mover.index()].waiting, m.from(), m.to());
        }
        if matches!(m.flag(), Flag::Pawning | Flag::PawningPromotion) {
            follow(&mut self.columns[mover.other().index()].waiting, m.to(), m.from());
        }
        let mut there = [Vec::new(), Vec::new()];
        game.pieces(state, &mut |side, _, square| there[side.index()].push(square));
        for side in Side::BOTH {
            let column = &mut self.columns[side.index()];
            column.waiting.retain(|square| there[side.index()].contains(square));
            let before = column.waiting.len();
            column.waiting.retain(|square| !past_fourth::<G>(side, *square));
            column.passed += before - column.waiting.len();
            if column.started == 0 || column.half.is_some() || column.lost.is_some() {
                continue;
            }
            if 2 * column.passed >= column.started {
                column.half = Some(number);
            } else if 2 * (column.passed + column.waiting.len()) < column.started {
                column.lost = Some(number);
            }
        }
    }

    /// The move at which half had passed, by side.
    pub fn half(&self) -> [Option<u32>; 2] {
        [self.columns[0].half, self.columns[1].half]
    }

    /// The move at which so many had been captured that half can pass no more, by side.
    pub fn lost(&self) -> [Option<u32>; 2] {
        [self.columns[0].lost, self.columns[1].lost]
    }
}

fn follow(squares: &mut [Square], from: Square, to: Square) {
    if let Some(square) = squares.iter_mut().find(|s| **s == from) {
        *square = to;
    }
}

fn past_fourth<G: Game>(side: Side, square: Square) -> bool {
    let rank = square / G::FILES;
    match side {
        Side::White => rank >= 4,
        Side::Black => rank + 4 < G::RANKS,
    }
}
