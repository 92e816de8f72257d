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

/// The squares from one to another of the same rank, both included.
#[inline(always)]
fn span<V: Variant>(a: Square, b: Square) -> BitsOf<V> {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    BitsOf::<V>::from_u128((2 << high) - (1 << low))
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// The squares that must not be attacked if the side to move, not in check, is to castle on `wing`;
    /// none if it has no right to or something stands in the way.
    #[inline(always)]
    pub(super) fn castling_path(&self, pos: &Position<V>, us: Side, wing: Wing) -> Option<BitsOf<V>> {
        let bit = BitsOf::<V>::bit;
        let rook = pos.rooks[us.index()][wing as usize];
        if rook == NOWHERE {
            return None;
        }
        let (king_to, rook_to) = castled::<V>(us, wing);
        let (king, rook) = match V::CASTLING.king_from {
            // Constants here, and so all the sets below.
            Some(file) => {
                let home = rook_to - rook_to % V::G::FILES;
                (home + file, home + if wing == Wing::King { V::G::FILES - 1 } else { 0 })
            }
            None => (pos.king(us), rook),
        };
        let (to_rook, to_target) = (span::<V>(king, rook), span::<V>(king, king_to));
        let must_be_empty = (to_rook | to_target | span::<V>(rook, rook_to)).minus(bit(king) | bit(rook));
        if (must_be_empty & pos.occupied()).any() {
            return None;
        }
        let mut path = to_target;
        if self.variant.guards_up_to_rook() {
            path |= to_rook.minus(bit(rook));
        }
        Some(path.minus(bit(king)) | bit(king_to))
    }

    /// Whether castling along a path found by [`castling_path`](Self::castling_path) leads past no
    /// attack; `covered` are the squares of it that are attacked with the king lifted off his own.
    #[inline(always)]
    pub(super) fn castling_is_safe(
        &self,
        pos: &Position<V>,
        us: Side,
        wing: Wing,
        path: BitsOf<V>,
        covered: BitsOf<V>,
    ) -> bool {
        if self.variant.lifts_king() && (path & covered).any() {
            return false;
        }
        self.variant.lifts_king() && V::CASTLING.king_from.is_some()
            || self.castling_is_safe_in_detail(pos, us, wing, path)
    }

    fn castling_is_safe_in_detail(&self, pos: &Position<V>, us: Side, wing: Wing, path: BitsOf<V>) -> bool {
        let bit = BitsOf::<V>::bit;
        if !self.variant.lifts_king() && self.covered(pos, us, path, pos.occupied()).any() {
            return false;
        }
        // The rook may have been all that shielded the king's target (Chess960).
        let (king_to, rook_to) = castled::<V>(us, wing);
        let others = pos.occupied().minus(bit(pos.king(us)) | bit(pos.rooks[us.index()][wing as usize]));
        !self.attacked(pos, king_to, us.other(), others | bit(king_to) | bit(rook_to))
    }

    /// Whether the side to move, not in check, may castle on `wing`.
    pub(super) fn may_castle(&self, pos: &Position<V>, us: Side, wing: Wing) -> bool {
        self.castling_path(pos, us, wing).is_some_and(|path| {
            let without = pos.occupied() ^ BitsOf::<V>::bit(pos.king(us));
            self.castling_is_safe(pos, us, wing, path, self.covered(pos, us, path, without))
        })
    }
}
