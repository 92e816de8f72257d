//! The arrangement phase of Multi-chess and its relatives: Black's king, Black's queen, White's king,
//! White's queen, each swapped or left where it is; then White moves.

use super::position::Position;
use super::variant::{Arrangement, BitsOf, KING, Variant};
use crate::board::{Bits, Geometry};
use crate::game::Observer;
use crate::moves::{Flag, Kind, Move, Square};
use crate::notation::parse_placement;
use crate::side::Side;

/// The actions of the phase.
const ACTIONS: u8 = 4;

/// Who acts when `left` actions are to come.
pub(super) fn actor(left: u8) -> Side {
    if left > 2 { Side::Black } else { Side::White }
}

/// The kind that acts, by its place in the army: the king, then the queen.
fn acting<V: Variant>(left: u8) -> Kind {
    if left.is_multiple_of(2) { KING } else { queen::<V>() }
}

fn kind_named<V: Variant>(letter: char) -> Option<Kind> {
    V::INFO.pieces.iter().position(|p| p.letter == letter).map(|k| k as Kind)
}

fn queen<V: Variant>() -> Kind {
    kind_named::<V>('Q').unwrap_or(KING)
}

/// The kinds on a side's first rank, file by file.
fn array<V: Variant>(pos: &Position<V>, side: Side) -> Vec<Kind> {
    let rank = if side == Side::White { 0 } else { V::G::RANKS - 1 };
    (0..V::G::FILES).map(|file| pos.at(rank * V::G::FILES + file)).collect()
}

/// Appends the legal actions.
pub(super) fn actions<V: Variant>(pos: &Position<V>, rules: &Arrangement, out: &mut Vec<Move>) {
    let kind = acting::<V>(pos.arranging);
    let with = if kind == KING { rules.king_with } else { rules.queen_with };
    let from = pos.of(pos.side, kind).first();
    let mut try_swap = |to: Square| {
        let m = Move::new(Flag::Arrange, from, to, 0);
        let mut next = *pos;
        make(&mut next, m, &mut ());
        if completes(&next, pos.side, rules) {
            out.push(m);
        }
    };
    try_swap(from);
    let mut partners = BitsOf::<V>::EMPTY;
    for &k in with {
        partners |= pos.of(pos.side, k);
    }
    partners.each(try_swap);
}

/// Whether `side`'s arrangement is allowed now or, if its queen has yet to act, can still become so.
fn completes<V: Variant>(pos: &Position<V>, side: Side, rules: &Arrangement) -> bool {
    if pos.arranging % 2 == 1 && actor(pos.arranging) == side {
        let mut list = Vec::new();
        actions(pos, rules, &mut list);
        return !list.is_empty();
    }
    let bishops = kind_named::<V>('B').map_or(BitsOf::<V>::EMPTY, |b| pos.of(side, b));
    let dark = (bishops & V::G::dark()).count();
    if dark * 2 != bishops.count() {
        return false;
    }
    let own = array(pos, side);
    side == Side::Black || rules.mirrored || own != array(pos, Side::Black) || own == standard::<V>()
}

/// Whether a position in the phase can be come to from the start: any other has no meaning (a side
/// without a queen could not act).
pub(super) fn is_reachable<V: Variant>(pos: &Position<V>, rules: &Arrangement) -> bool {
    fn leads_to<V: Variant>(from: &Position<V>, pos: &Position<V>, rules: &Arrangement) -> bool {
        if from.arranging == pos.arranging {
            return from.sides == pos.sides && from.kinds == pos.kinds;
        }
        let mut list = Vec::new();
        actions(from, rules, &mut list);
        list.into_iter().any(|m| {
            let mut next = *from;
            make(&mut next, m, &mut ());
            leads_to(&next, pos, rules)
        })
    }
    let mut start = Position::<V>::empty();
    let letters: Vec<char> = V::INFO.pieces.iter().map(|p| p.letter).collect();
    let placement = V::START.split(' ').next().unwrap_or("");
    // The start is a constant of the variant; a test reads it for every game.
    for (side, kind, square) in
        parse_placement(placement, V::G::FILES, V::G::RANKS, &letters).unwrap_or_default()
    {
        start.put(side, kind, square, &mut ());
    }
    start.set_arranging(ACTIONS);
    start.set_side(actor(ACTIONS));
    leads_to(&start, pos, rules)
}

/// The standard array, read off the start position.
fn standard<V: Variant>() -> Vec<Kind> {
    let row = V::START.split([' ', '/']).nth(V::G::RANKS as usize - 1).unwrap_or("");
    row.chars().filter_map(kind_named::<V>).collect()
}

/// Makes an action: a swap, or a pass where both squares are the same.
pub(super) fn make<V: Variant>(pos: &mut Position<V>, m: Move, observer: &mut impl Observer) {
    let (from, to) = (m.from(), m.to());
    let side = pos.side;
    if from != to {
        let (a, b) = (pos.at(from), pos.at(to));
        pos.lift(side, a, from, observer);
        pos.lift(side, b, to, observer);
        pos.put(side, b, from, observer);
        pos.put(side, a, to, observer);
        // Swapping is not moving: the rights stay, and go with the king to where he now stands.
        pos.drop_castling(BitsOf::<V>::EMPTY, None);
    }
    pos.set_arranging(pos.arranging - 1);
    pos.set_side(actor(pos.arranging));
}

/// All arrays that a side can reach, as upper-case letters in order of files, sorted by order of
/// discovery (the standard one first).
pub fn arrays<V: Variant>(start: &Position<V>, rules: &Arrangement) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut first = Vec::new();
    actions(start, rules, &mut first);
    for m in first {
        let mut half = *start;
        make(&mut half, m, &mut ());
        let mut second = Vec::new();
        actions(&half, rules, &mut second);
        for m in second {
            let mut done = half;
            make(&mut done, m, &mut ());
            let letters: String =
                array(&done, Side::Black).iter().map(|&k| V::INFO.pieces[k as usize].letter).collect();
            if !found.contains(&letters) {
                found.push(letters);
            }
        }
    }
    found
}
