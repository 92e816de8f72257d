//! Castling, in Chess960's general form: king and rook anywhere, targets fixed.

use super::Royal;
use super::position::{NOWHERE, Position, Wing};
use super::variant::{BitsOf, Variant};
use crate::board::army::Army;
use crate::board::{Bits, Geometry};
use crate::moves::Square;
use crate::side::Side;

/// Where king and rook stand after castling.
pub(super) fn castled<V: Variant>(side: Side, wing: Wing) -> (Square, Square) {
    let rank = match side {
        Side::White => 0,
        Side::Black => (V::G::RANKS - 1) * V::G::FILES,
    };
    (rank + V::CASTLING.king_to[wing as usize], rank + V::CASTLING.rook_to[wing as usize])
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// Whether the side to move, not in check, may castle on `wing`.
    #[inline(always)]
    pub(super) fn may_castle(&self, pos: &Position<V>, us: Side, wing: Wing) -> bool {
        let rook = pos.rooks[us.index()][wing as usize];
        // What stands between the two is the common case and the cheap question.
        rook != NOWHERE
            && (V::G::between(pos.king(us), rook) & pos.occupied()).is_empty()
            && self.castling_is_clear(pos, wing, rook)
    }

    fn castling_is_clear(&self, pos: &Position<V>, wing: Wing, rook: Square) -> bool {
        let bit = BitsOf::<V>::bit;
        let them = pos.side.other();
        let king = pos.king(pos.side);
        let (king_to, rook_to) = castled::<V>(pos.side, wing);
        let king_path = V::G::between(king, king_to) | bit(king_to);
        let others = pos.occupied().minus(bit(king) | bit(rook));
        let must_be_empty =
            V::G::between(king, rook) | king_path | V::G::between(rook, rook_to) | bit(rook_to);
        if (must_be_empty & others).any() {
            return false;
        }
        let mut must_be_safe = king_path;
        if self.variant.guards_up_to_rook() {
            must_be_safe |= V::G::between(king, rook);
        }
        let seen_through = match self.variant.lifts_king() {
            true => pos.occupied() ^ bit(king),
            false => pos.occupied(),
        };
        let mut safe = true;
        must_be_safe.each(|square| safe &= !self.attacked(pos, square, them, seen_through));
        // The rook may have been all that shielded the king's target (Chess960).
        safe && !self.attacked(pos, king_to, them, others | bit(king_to) | bit(rook_to))
    }
}
