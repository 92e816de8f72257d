//! The last phase of a won game: with next to nothing left to the other side, drive its king to the
//! edge and bring the own king near. Without this a small search sees no way to make progress with king
//! and rook, and draws by the fifty-move rule.

use super::Position;
use super::variant::{KING, PAWN, Variant};
use crate::board::{Bits, Geometry};
use crate::eval::{Accumulator, Layout, Pair};
use crate::moves::{Kind, Square};
use crate::side::Side;

/// Lead in pieces, by rule-of-thumb value in centipawns, from which a side is to mate.
const ENOUGH: i32 = 400;

/// Adds the terms; they count only where there is hardly a piece left, so that only their endgame value
/// matters.
pub(super) fn add_to(layout: &mut Layout) {
    layout.add("mop_up.edge", vec![Pair::new(30, 30)]);
    layout.add("mop_up.near", vec![Pair::new(30, 30)]);
}

/// The terms of a position; `first` is the index of the first.
#[inline(always)]
pub(super) fn terms<V: Variant>(pos: &Position<V>, first: usize, acc: &mut impl Accumulator) {
    let mut drive = |side: Side| {
        // The king and at most one piece that is no pawn: seldom, and then the pieces are counted.
        let them = side.other();
        if pos.side(them).count() <= 2 && pos.of(them, PAWN).is_empty() {
            let [edge, near] = progress(pos, side);
            acc.add(first, side, edge);
            acc.add(first + 1, side, near);
        }
    };
    drive(Side::White);
    drive(Side::Black);
}

/// How near the edge the enemy king is, and how near to him a side's own, if it is to mate.
#[cold]
#[inline(never)]
fn progress<V: Variant>(pos: &Position<V>, side: Side) -> [i32; 2] {
    if pieces(pos, side) < pieces(pos, side.other()) + ENOUGH {
        return [0, 0];
    }
    let (own_king, their_king) = (pos.king(side), pos.king(side.other()));
    let near = i32::from(V::G::FILES + V::G::RANKS) - apart::<V>(own_king, their_king);
    [off_centre::<V>(their_king), near]
}

/// What a side's pieces besides pawns and king are worth by rule of thumb.
fn pieces<V: Variant>(pos: &Position<V>, side: Side) -> i32 {
    (KING + 1..V::VALUES.len() as Kind)
        .map(|kind| V::VALUES[kind as usize] * pos.of(side, kind).count() as i32)
        .sum()
}

/// Steps from the centre of the board, along files and ranks together.
fn off_centre<V: Variant>(square: Square) -> i32 {
    let off = |at: u8, size: u8| (i32::from(2 * at) - i32::from(size - 1)).abs() / 2;
    off(square % V::G::FILES, V::G::FILES) + off(square / V::G::FILES, V::G::RANKS)
}

/// Steps between two squares, along files and ranks together.
fn apart<V: Variant>(a: Square, b: Square) -> i32 {
    let (fa, fb) = (a % V::G::FILES, b % V::G::FILES);
    let (ra, rb) = (a / V::G::FILES, b / V::G::FILES);
    i32::from(fa.abs_diff(fb)) + i32::from(ra.abs_diff(rb))
}
