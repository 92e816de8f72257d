//! A solution's decisions without its values: what players follow.

use super::game::{Book, Decision, Solution};
use super::{Bins, mover};
use engine::side::Side;

/// Decisions of a run of moves with one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRow {
    /// The side to move.
    pub side: Side,
    /// First full-move number.
    pub from: u32,
    /// Last full-move number.
    pub to: u32,
    /// `[book][bin]`.
    pub cells: Vec<Decision>,
}

/// Decisions by move, side to move, evaluation and book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Classes of evaluations.
    pub bins: Bins,
    /// Rows of White to move, then of Black, each in order of moves.
    pub rows: Vec<PolicyRow>,
}

impl Policy {
    /// The decisions of a solution on a chain with these bins.
    pub fn of(solution: &Solution, bins: &Bins) -> Policy {
        let mut rows: Vec<PolicyRow> = Vec::new();
        for side in Side::BOTH {
            for ply in (solution.first()..solution.end()).filter(|&ply| mover(ply) == side) {
                let number = super::move_number(ply);
                let cell = |book| (0..bins.count()).map(move |bin| solution.decision(ply, bin, book));
                let cells: Vec<Decision> = Book::all().flat_map(cell).collect();
                match rows.last_mut() {
                    Some(row) if row.side == side && row.cells == cells => row.to = number,
                    _ => rows.push(PolicyRow { side, from: number, to: number, cells }),
                }
            }
        }
        Policy { bins: bins.clone(), rows }
    }

    /// The decisions at a move of `side`; `bin` is that of the evaluation from White's view. Nothing is offered
    /// or accepted at moves without a row.
    pub fn decision(&self, move_number: u32, side: Side, bin: usize, book: Book) -> Decision {
        let row = self.rows.iter().find(|r| r.side == side && (r.from..=r.to).contains(&move_number));
        let cell = row.and_then(|r| r.cells.get(book.index() * self.bins.count() + bin));
        cell.copied().unwrap_or_default()
    }
}
