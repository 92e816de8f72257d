//! Making moves.

use super::Royal;
use super::castling::castled;
use super::position::{NOWHERE, Position, Wing, unmoved_key};
use super::variant::{BitsOf, KING, PAWN, ThirdRank, Variant, rank_from};
use crate::board::army::{Army, NO_PIECE};
use crate::board::{Bits, Geometry};
use crate::game::Observer;
use crate::moves::{Flag, Kind, Move, Square};
use crate::side::Side;

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    #[inline(always)]
    pub(super) fn make(&self, pos: &mut Position<V>, m: Move, observer: &mut impl Observer) {
        if m.flag() == Flag::Arrange {
            return super::arrange::make(pos, m, observer);
        }
        let us = pos.side;
        let (from, to) = (m.from(), m.to());
        let victim = pos.victim;
        pos.forget_victim();
        pos.clock = pos.clock.saturating_add(1);
        let touched = BitsOf::<V>::bit(from) | BitsOf::<V>::bit(to);
        let kind = pos.at(from);
        if m.flag() == Flag::Castle {
            let wing =
                if pos.rooks[us.index()][Wing::King as usize] == to { Wing::King } else { Wing::Queen };
            let rook = pos.at(to);
            pos.lift(us, kind, from, observer);
            pos.lift(us, rook, to, observer);
            let (king_to, rook_to) = castled::<V>(us, wing);
            pos.put(us, kind, king_to, observer);
            pos.put(us, rook, rook_to, observer);
        } else {
            let captured = pos.at(to);
            if captured != NO_PIECE {
                pos.lift(us.other(), captured, to, observer);
                pos.clock = 0;
            } else if m.flag() == Flag::EnPassant {
                pos.lift(us.other(), PAWN, victim, observer);
            }
            pos.lift(us, kind, from, observer);
            let arrives = if m.flag() == Flag::Promotion { m.kind() } else { kind };
            pos.put(us, arrives, to, observer);
            if kind == PAWN {
                pos.clock = 0;
                self.after_pawn_move(pos, us, from, to);
            }
        }
        if matches!(V::THIRD_RANK, ThirdRank::Unmoved(_)) {
            // The pawn that moved is not unmoved any more, nor is one that was captured there.
            let gone = pos.unmoved & touched;
            gone.each(|square| pos.key ^= unmoved_key(square));
            pos.unmoved ^= gone;
        }
        if (pos.guarded & touched).any() {
            pos.drop_castling(touched, (kind == KING).then_some(us));
        }
        pos.set_side(us.other());
        if us == Side::Black {
            pos.number = pos.number.saturating_add(1);
        }
    }

    /// A pawn that went straight ahead may be taken in passing.
    #[inline(always)]
    fn after_pawn_move(&self, pos: &mut Position<V>, us: Side, from: Square, to: Square) {
        let distance = from.abs_diff(to);
        if !distance.is_multiple_of(V::G::FILES) {
            return;
        }
        let first_move = match V::THIRD_RANK {
            ThirdRank::Unmoved(_) => rank_from::<V::G>(us, from) == 2 || pos.unmoved.has(from),
            _ => true,
        };
        let steps = distance / V::G::FILES;
        let depth = self.variant.passed_squares(steps, rank_from::<V::G>(us, to), first_move);
        if depth > 0 {
            pos.expose(us, to, depth);
        }
    }

    /// What stands where a move ends, as an enemy: the kind it captures.
    #[inline(always)]
    pub(super) fn captured(&self, pos: &Position<V>, m: Move) -> Option<Kind> {
        match m.flag() {
            Flag::EnPassant => Some(PAWN),
            Flag::Castle | Flag::Arrange => None,
            _ => Some(pos.at(m.to())).filter(|&kind| kind != NO_PIECE),
        }
    }
}

/// The rook squares hold [`NOWHERE`] where a right is gone, so a square never equals a missing rook.
const _: () = assert!(NOWHERE as usize > 127);
