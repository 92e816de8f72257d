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

    #[inline(always)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Which};
    use crate::games::chess::{ChessRules, Orthodox};
    use crate::games::magi::MagiRules;
    use crate::options::Options;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// What `side` gains by capturing what stands on `square`, worth `stands`, with its cheapest piece, or by leaving it.
    fn gain<V: Variant>(
        (game, pos, values): (&Royal<V>, &Position<V>, &[i32; 16]),
        square: Square,
        side: Side,
        occupied: BitsOf<V>,
        stands: i32,
    ) -> i32 {
        let attackers = |side| (game.attackers(pos, square, side, occupied) & occupied).squares();
        let price = |kind: Kind| if kind == KING { i32::MAX } else { values[usize::from(kind)] };
        let Some(from) = attackers(side).min_by_key(|&from| (price(pos.at(from)), pos.at(from))) else {
            return 0;
        };
        let kind = pos.at(from);
        if kind == KING && attackers(side.other()).next().is_some() {
            return 0;
        }
        let left = occupied ^ BitsOf::<V>::bit(from);
        let reply = gain((game, pos, values), square, side.other(), left, values[usize::from(kind)]);
        (stands - reply).max(0)
    }

    /// Asks for every move of random games what its exchange comes to; how often it came to something.
    fn compare<V: Variant>(game: &Royal<V>) -> usize {
        let mut values = [0; 16];
        values[..V::VALUES.len()].copy_from_slice(V::VALUES);
        let worth = |kind: Kind| values[usize::from(kind)];
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut exchanges = 0;
        for _ in 0..12 {
            let mut pos = game.start();
            for _ in 0..160 {
                let mut list = Vec::new();
                game.generate(&pos, Which::All, &mut list);
                if list.is_empty() {
                    break;
                }
                for &m in list.iter().filter(|m| m.flag() != Flag::Castle) {
                    let (from, to) = (BitsOf::<V>::bit(m.from()), BitsOf::<V>::bit(m.to()));
                    let mut occupied = (pos.occupied() ^ from) | to;
                    if m.flag() == Flag::EnPassant {
                        occupied ^= BitsOf::<V>::bit(pos.victim);
                    }
                    let (mover, captured) = (pos.at(m.from()), game.captured(&pos, m).map_or(0, worth));
                    let arrives = if m.flag() == Flag::Promotion { m.kind() } else { mover };
                    let them = pos.to_move().other();
                    let reply = gain((game, &pos, &values), m.to(), them, occupied, worth(arrives));
                    let comes_to = captured + worth(arrives) - worth(mover) - reply;
                    exchanges += usize::from(reply > 0 && captured > 0);
                    for (threshold, expected) in [(comes_to, true), (comes_to + 1, false)] {
                        let found = game.exchange_at_least(&pos, m, &values, threshold);
                        assert_eq!(
                            found,
                            expected,
                            "{} {threshold} in {}",
                            game.uci(&pos, m),
                            game.fen(&pos)
                        );
                    }
                }
                game.play(&mut pos, list[rng.random_range(0..list.len())], &mut ());
            }
        }
        exchanges
    }

    #[test]
    fn exchanges_equal_captures_played_out() {
        fn played_out<V: Variant>() -> usize {
            compare::<V>(&Royal::new(Options::resolve(V::INFO.name, V::INFO.options, []).unwrap()))
        }
        let (magi, chess) = (played_out::<MagiRules>(), played_out::<ChessRules<Orthodox>>());
        assert!(magi > 1_000 && chess > 500, "{magi} {chess}");
    }
}
