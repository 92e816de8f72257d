//! Static exchange evaluation: what a series of captures on one square comes to.

use super::generate::each_piece_kind;
use super::variant::{BitsOf, KING, PAWN, Variant, pawn_attacks};
use super::{Position, Royal};
use crate::board::army::{Army, NO_PIECE, TableArmy};
use crate::board::{Bits, Geometry};
use crate::moves::{Flag, Kind, Move, Square};
use crate::search::{CheckSquares, Exchange, Playable, Search, Setup};
use crate::side::Side;

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// Pieces of both sides that attack `square`.
    #[inline(never)]
    fn all_attackers(&self, pos: &Position<V>, square: Square, occupied: BitsOf<V>) -> BitsOf<V> {
        // No piece but the pawn looks forward or back: one look from the square serves both sides.
        let bit = BitsOf::<V>::bit(square);
        let pawns = |side: Side| {
            let [west, east] = pawn_attacks::<V::G>(side.other(), bit);
            (west | east) & pos.of(side, PAWN)
        };
        let kings = self.army.attacks::<{ KING as usize }>(Side::White, square, occupied);
        let pieces = self.pieces_attacking(pos, square, Side::White, occupied);
        (pawns(Side::White) | pawns(Side::Black) | kings & pos.kinds[KING as usize] | pieces) & occupied
    }

    /// Whether a capture on `square` stands, all captures there that follow taken into account: `balance`, below zero,
    /// is what its side is ahead should the capturer be lost for nothing; the other side is to reply.
    #[inline(never)]
    fn exchange(
        &self,
        pos: &Position<V>,
        square: Square,
        mut occupied: BitsOf<V>,
        mut balance: i32,
        values: &[i32; 16],
    ) -> bool {
        let us = pos.to_move();
        let mut side = us.other();
        while balance < 0 {
            // Nothing is cheaper than a pawn: nobody else need be looked for.
            let [west, east] = pawn_attacks::<V::G>(side.other(), BitsOf::<V>::bit(square));
            let pawns = (west | east) & pos.of(side, PAWN) & occupied;
            let (kind, from) = if pawns.any() {
                (PAWN, pawns.first())
            } else {
                // Whatever was taken off may have stood before another.
                let attackers = self.all_attackers(pos, square, occupied);
                let mine = attackers & pos.side(side);
                if mine.is_empty() {
                    return side != us;
                }
                let (kind, from) = cheapest(pos, mine, values);
                if kind == KING && (attackers & pos.side(side.other())).any() {
                    // The king may not capture what is defended.
                    return side != us;
                }
                (kind, from)
            };
            occupied ^= BitsOf::<V>::bit(from);
            balance = -balance - 1 - values[kind as usize & 15];
            side = side.other();
            if kind == KING {
                return side != us;
            }
        }
        side != us
    }
}

/// The cheapest of `mine`, of which there is one, and its kind; the king last.
#[inline(always)]
fn cheapest<V: Variant>(pos: &Position<V>, mine: BitsOf<V>, values: &[i32; 16]) -> (Kind, Square) {
    let mut best = (i32::MAX, KING, mine.first());
    for square in mine.squares() {
        let kind = pos.at(square);
        let value = values[kind as usize & 15];
        if kind != KING && (value < best.0 || value == best.0 && kind < best.1) {
            best = (value, kind, square);
        }
    }
    (best.1, best.2)
}

impl<V: Variant> Playable for Royal<V> {
    fn compiled(game: Self, setup: Setup<'_>) -> Box<dyn Search<Self>> {
        V::compiled(game, setup)
    }
}

/// Compiled where it is asked for: only comparisons play with run-time tables so far.
impl<V: Variant> Playable for Royal<V, TableArmy<V::G>> {
    crate::compiled_search!(Self);
}

impl<V: Variant, A: Army<G = V::G>> Exchange for Royal<V, A> {
    #[inline]
    fn exchange_at_least(&self, pos: &Position<V>, m: Move, values: &[i32; 16], threshold: i32) -> bool {
        if matches!(m.flag(), Flag::Castle | Flag::Arrange) {
            return threshold <= 0;
        }
        let (from, to) = (m.from(), m.to());
        let bit = BitsOf::<V>::bit;
        let mut occupied = (pos.occupied() ^ bit(from)) | bit(to);
        let mut gain = match pos.at(to) {
            NO_PIECE => 0,
            kind => values[kind as usize & 15],
        };
        if m.flag() == Flag::EnPassant {
            occupied ^= bit(pos.victim);
            gain = values[PAWN as usize];
        }
        let mut stands = pos.at(from);
        if m.flag() == Flag::Promotion {
            stands = m.kind();
            gain += values[stands as usize & 15] - values[PAWN as usize];
        }
        // From here on `balance` is what the side that just captured is ahead of the threshold, should
        // its piece be lost for nothing.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= values[stands as usize & 15];
        if balance >= 0 {
            return true;
        }
        self.exchange(pos, to, occupied, balance, values)
    }

    /// Not inlined where it is seldom asked: its tables' addresses would be got ready for every move.
    #[inline(never)]
    fn gives_check(&self, pos: &Position<V>, m: Move) -> bool {
        self.checks(pos, m)
    }

    fn check_squares(&self, pos: &Position<V>) -> CheckSquares {
        let us = pos.to_move();
        let them = us.other();
        let king = pos.king(them);
        let occupied = pos.occupied();
        let mut squares = CheckSquares { by_kind: [0; 16], veiled: 0 };
        let [west, east] = pawn_attacks::<V::G>(them, BitsOf::<V>::bit(king));
        squares.by_kind[PAWN as usize] = (west | east).to_u128();
        each_piece_kind!(self.army, |K| {
            squares.by_kind[K] = self.army.attacks::<K>(them, king, occupied).to_u128();
        });
        // A line to the king opens only where its first man is ours.
        let seen = V::G::rook(king, occupied) | V::G::bishop(king, occupied);
        squares.veiled = (seen & pos.side(us)).to_u128();
        squares
    }
}
