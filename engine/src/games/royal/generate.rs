//! Legal moves of the family: check masks and pins first, then pieces kind by kind and pawns set by
//! set, handed to a listener that lists or counts.

use super::Royal;
use super::position::{NOWHERE, Position, Wing};
use super::variant::{BitsOf, KING, PAWN, ThirdRank, Variant, ahead, behind, pawn_attacks, rank_of};
use crate::board::army::Army;
use crate::board::{Bits, Geometry};
use crate::game::Which;
use crate::moves::{Flag, Kind, Move, Square};
use crate::side::Side;

/// Most kinds an army of the family has, pawns and king included.
pub const MOST_KINDS: usize = 10;

/// Runs a block once for every kind but pawn and king, as a constant.
macro_rules! each_piece_kind {
    ($army:expr, |$K:ident| $body:block) => {
        each_piece_kind!(@ $army, $K, $body, 2 3 4 5 6 7 8 9)
    };
    (@ $army:expr, $K:ident, $body:block, $($n:literal)*) => {
        $({
            const $K: usize = $n;
            if $K < $army.kinds() $body
        })*
    };
}
pub(super) use each_piece_kind;

/// Receives moves in bunches.
pub(super) trait Listener<B: Bits> {
    /// A piece on `from` may go to any of `targets`.
    fn piece(&mut self, from: Square, targets: B);
    /// Pawns may go to each of `targets` from the square `back` squares before it (in numbers).
    fn pawns(&mut self, targets: B, back: i16);
    /// The same on to the last rank.
    fn promotions(&mut self, targets: B, back: i16);
    /// One move.
    fn one(&mut self, m: Move);
}

/// Writes the moves down.
pub(super) struct Lister<'a, V> {
    pub(super) variant: &'a V,
    pub(super) out: &'a mut Vec<Move>,
}

impl<B: Bits, V: Variant> Listener<B> for Lister<'_, V> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: B) {
        for to in targets.squares() {
            self.out.push(Move::plain(from, to));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, targets: B, back: i16) {
        for to in targets.squares() {
            self.out.push(Move::plain((to as i16 - back) as Square, to));
        }
    }
    fn promotions(&mut self, targets: B, back: i16) {
        targets.each(|to| {
            for kind in (KING + 1)..V::INFO.pieces.len() as Kind {
                if self.variant.promotes_to(kind) {
                    self.out.push(Move::promotion((to as i16 - back) as Square, to, kind));
                }
            }
        });
    }
    #[inline(always)]
    fn one(&mut self, m: Move) {
        self.out.push(m);
    }
}

/// Counts them; steps on to the last rank apart, as each is as many moves as there are promotions.
#[derive(Default)]
pub(super) struct Counter {
    pub(super) count: u64,
    pub(super) arrivals: u64,
}

impl<B: Bits> Listener<B> for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: B) {
        self.count += targets.count() as u64;
    }
    #[inline(always)]
    fn pawns(&mut self, targets: B, _: i16) {
        self.count += targets.count() as u64;
    }
    #[inline(always)]
    fn promotions(&mut self, targets: B, _: i16) {
        self.arrivals += targets.count() as u64;
    }
    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.count += 1;
    }
}

/// What bears on a king.
struct Pressure<B> {
    /// Enemies that give check.
    checkers: B,
    /// Enemies that would reach him by a slide on an empty board.
    snipers: B,
    /// His own pieces that stand alone before a sniper.
    pinned: B,
}

/// Where `pawns` of `us` may go straight ahead by one square, by two, by three, `empty` being where nothing stands and
/// `unmoved` those on the third rank that began there.
#[inline(always)]
pub(super) fn advances<V: Variant>(
    us: Side,
    pawns: BitsOf<V>,
    unmoved: BitsOf<V>,
    empty: BitsOf<V>,
) -> [BitsOf<V>; 3] {
    let onward = |set| ahead::<V::G>(us, set) & empty;
    let second = pawns & rank_of::<V::G>(us, 2);
    let far = match V::THIRD_RANK {
        ThirdRank::One => second,
        ThirdRank::Unmoved(_) => second | pawns & unmoved,
        ThirdRank::Two => second | pawns & rank_of::<V::G>(us, 3),
    };
    let two = onward(onward(far));
    let three = match V::PAWN_REACH >= 3 {
        true => onward(two & ahead::<V::G>(us, ahead::<V::G>(us, second))),
        false => BitsOf::<V>::EMPTY,
    };
    [onward(pawns), two, three]
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// All pieces of `by` that attack `square` when `occupied` is what stands on the board. No piece of
    /// the family moves differently to left and right, so a piece attacks a square exactly if the other
    /// side's piece of its kind would attack it from there.
    #[inline(always)]
    pub fn attackers(&self, pos: &Position<V>, square: Square, by: Side, occupied: BitsOf<V>) -> BitsOf<V> {
        let us = by.other();
        let [west, east] = pawn_attacks::<V::G>(us, BitsOf::<V>::bit(square));
        let mut set = (west | east) & pos.kinds[PAWN as usize];
        set |= self.army.attacks::<{ KING as usize }>(us, square, occupied) & pos.kinds[KING as usize];
        set |= self.pieces_attacking(pos, square, us, occupied);
        set & pos.side(by)
    }

    /// Pieces other than pawns and kings, of either side, that stand where one of `us` on `square` would
    /// attack one of their kind.
    #[inline(always)]
    pub(super) fn pieces_attacking(
        &self,
        pos: &Position<V>,
        square: Square,
        us: Side,
        occupied: BitsOf<V>,
    ) -> BitsOf<V> {
        let mut set = BitsOf::<V>::EMPTY;
        each_piece_kind!(self.army, |K| {
            set |= self.army.attacks::<K>(us, square, occupied) & pos.kinds[K];
        });
        set
    }

    #[inline(always)]
    pub(super) fn attacked(&self, pos: &Position<V>, square: Square, by: Side, occupied: BitsOf<V>) -> bool {
        self.attackers(pos, square, by, occupied).any()
    }

    /// Pieces that give check to the side to move.
    #[inline(always)]
    pub(super) fn checkers(&self, pos: &Position<V>) -> BitsOf<V> {
        self.pressure(pos, pos.side, pos.king(pos.side)).checkers
    }

    /// What bears on the king of `us`. No slide is looked up: an enemy that would reach him on an empty
    /// board gives check if nothing stands between, and pins what stands there alone.
    #[inline(always)]
    fn pressure(&self, pos: &Position<V>, us: Side, king: Square) -> Pressure<BitsOf<V>> {
        let occupied = pos.occupied();
        let enemies = pos.side(us.other());
        let [west, east] = pawn_attacks::<V::G>(us, BitsOf::<V>::bit(king));
        let mut checkers = (west | east) & pos.kinds[PAWN as usize];
        let mut snipers = BitsOf::<V>::EMPTY;
        each_piece_kind!(self.army, |K| {
            if self.army.has_leaps::<K>() {
                checkers |= self.army.reach::<K>(us, king).leap & pos.kinds[K];
            }
            if self.army.has_slides::<K>() {
                snipers |= self.army.slides::<K>(us, king) & pos.kinds[K];
            }
        });
        checkers &= enemies;
        snipers &= enemies;
        let mut alone = BitsOf::<V>::EMPTY;
        for sniper in snipers.squares() {
            let blockers = V::G::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= BitsOf::<V>::bit(sniper);
            } else if !blockers.many() {
                alone |= blockers;
            }
        }
        Pressure { checkers, snipers, pinned: alone & pos.side(us) }
    }

    /// Squares that answer a check by `checker`: its own, and those between unless it leaps.
    #[inline(always)]
    fn answers(&self, pos: &Position<V>, king: Square, checker: Square) -> BitsOf<V> {
        let mut set = BitsOf::<V>::bit(checker);
        let kind = pos.at(checker);
        each_piece_kind!(self.army, |K| {
            if kind == K as Kind {
                let leaps = self.army.reach::<K>(pos.side, king).leap;
                if self.army.slides::<K>(pos.side, king).has(checker) && !leaps.has(checker) {
                    set |= V::G::between(king, checker);
                }
            }
        });
        set
    }

    /// Hands the legal moves of a position (past its arrangement) to `listener`.
    #[inline(always)]
    pub(super) fn moves(&self, pos: &Position<V>, which: Which, listener: &mut impl Listener<BitsOf<V>>) {
        // One copy a side: which way pawns go is known in each.
        match pos.side {
            Side::White => self.moves_of::<true>(pos, which, listener),
            Side::Black => self.moves_of::<false>(pos, which, listener),
        }
    }

    #[inline(always)]
    fn moves_of<const WHITE: bool>(
        &self,
        pos: &Position<V>,
        which: Which,
        listener: &mut impl Listener<BitsOf<V>>,
    ) {
        let us = if WHITE { Side::White } else { Side::Black };
        let them = us.other();
        let own = pos.side(us);
        let occupied = pos.occupied();
        let wanted = match which {
            Which::All => V::G::ALL.minus(own),
            Which::Noisy => pos.side(them),
            Which::Quiet => V::G::ALL.minus(occupied),
        };
        let king = pos.king(us);
        let pressure = self.pressure(pos, us, king);

        // The king's steps and his ways to castle are all looked at together: most enemies come nowhere near.
        let in_check = pressure.checkers.any();
        let steps = self.army.attacks::<{ KING as usize }>(us, king, occupied) & wanted;
        let mut paths = [None; 2];
        let mut zone = steps;
        if which != Which::Noisy && !in_check {
            paths = Wing::BOTH.map(|wing| self.castling_path(pos, us, wing));
            for path in paths.into_iter().flatten() {
                zone |= path;
            }
        }
        let mut covered = BitsOf::<V>::EMPTY;
        if zone.any() {
            covered = self.covered(pos, us, zone, occupied ^ BitsOf::<V>::bit(king));
            listener.piece(king, steps.minus(covered));
        }
        let mut allowed = V::G::ALL;
        if in_check {
            if pressure.checkers.many() {
                return;
            }
            allowed = self.answers(pos, king, pressure.checkers.first());
        } else {
            if which != Which::Noisy {
                for (wing, path) in Wing::BOTH.into_iter().zip(paths) {
                    if let Some(path) = path
                        && self.castling_is_safe(pos, us, wing, path, covered)
                    {
                        listener.one(Move::new(Flag::Castle, king, pos.rooks[us.index()][wing as usize], 0));
                    }
                }
            }
            // In check a pinned piece has no legal move, as two lines meet only in the king.
            if pressure.pinned.any() {
                self.pinned_moves(pos, us, king, &pressure, wanted, which, listener);
            }
        }

        let free = own.minus(pressure.pinned);
        let targets = wanted & allowed;
        each_piece_kind!(self.army, |K| {
            for from in (pos.kinds[K] & free).squares() {
                listener.piece(from, self.goes::<K>(us, from, occupied) & targets);
            }
        });
        self.pawn_moves(pos, us, pos.kinds[PAWN as usize] & free, allowed, which, listener);
        if pos.victim != NOWHERE && which != Which::Quiet {
            self.en_passant(pos, king, listener);
        }
    }

    /// Squares that kind `K` attacks, and those it may go to if they are empty.
    #[inline(always)]
    fn goes<const K: usize>(&self, us: Side, from: Square, occupied: BitsOf<V>) -> BitsOf<V> {
        let mut set = self.army.attacks::<K>(us, from, occupied);
        if self.army.has_quiet::<K>() {
            set |= self.army.reach::<K>(us, from).quiet.minus(occupied);
        }
        set
    }

    /// The squares of `zone` that the enemies of `us` attack.
    #[inline(never)]
    pub(super) fn covered(
        &self,
        pos: &Position<V>,
        us: Side,
        zone: BitsOf<V>,
        occupied: BitsOf<V>,
    ) -> BitsOf<V> {
        let them = us.other();
        let [west, east] = pawn_attacks::<V::G>(them, pos.of(them, PAWN));
        let mut set = west | east | self.army.attacks::<{ KING as usize }>(them, pos.king(them), occupied);
        let zone_left = zone.minus(set);
        if !zone_left.many() {
            // One square is soonest asked by itself.
            let hit = zone_left.any()
                && (self.pieces_attacking(pos, zone_left.first(), us, occupied) & pos.side(them)).any();
            return if hit { zone } else { zone.minus(zone_left) };
        }
        each_piece_kind!(self.army, |K| {
            for from in pos.of(them, K as Kind).squares() {
                if self.army.has_leaps::<K>() {
                    set |= self.army.reach::<K>(them, from).leap;
                }
                // The empty board tells whether a slide is worth looking up.
                if self.army.has_slides::<K>() && (self.army.slides::<K>(them, from) & zone_left).any() {
                    set |= self.army.attacks::<K>(them, from, occupied);
                }
            }
        });
        set & zone
    }

    /// Hands over the moves of pinned pieces along their pins, out of check.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "a part of `moves_of`, apart to keep that small")]
    fn pinned_moves(
        &self,
        pos: &Position<V>,
        us: Side,
        king: Square,
        pressure: &Pressure<BitsOf<V>>,
        wanted: BitsOf<V>,
        which: Which,
        listener: &mut impl Listener<BitsOf<V>>,
    ) {
        let occupied = pos.occupied();
        pressure.snipers.each(|sniper| {
            let line = V::G::between(king, sniper);
            let blockers = line & occupied;
            if blockers.many() || (blockers & pressure.pinned).is_empty() {
                return;
            }
            let line = line | BitsOf::<V>::bit(sniper);
            let from = blockers.first();
            let kind = pos.at(from);
            if kind == PAWN {
                self.pawn_moves(pos, us, blockers, line, which, listener);
                return;
            }
            each_piece_kind!(self.army, |K| {
                if kind == K as Kind {
                    listener.piece(from, self.goes::<K>(us, from, occupied) & line & wanted);
                }
            });
        });
    }

    #[inline(always)]
    pub(super) fn pawn_moves(
        &self,
        pos: &Position<V>,
        us: Side,
        pawns: BitsOf<V>,
        allowed: BitsOf<V>,
        which: Which,
        listener: &mut impl Listener<BitsOf<V>>,
    ) {
        let last = rank_of::<V::G>(us, V::G::RANKS);
        let forward = us.sign() as i16 * V::G::FILES as i16;

        let [one, two, three] = advances::<V>(us, pawns, pos.unmoved, V::G::ALL.minus(pos.occupied()));
        if which != Which::Quiet {
            let enemies = pos.side(us.other()) & allowed;
            let [west, east] = pawn_attacks::<V::G>(us, pawns);
            let captures = [(west & enemies, forward - 1), (east & enemies, forward + 1)];
            if (pawns & rank_of::<V::G>(us, V::G::RANKS - 1)).any() {
                listener.promotions(one & last & allowed, forward);
                for (set, back) in captures {
                    listener.promotions(set & last, back);
                    listener.pawns(set.minus(last), back);
                }
            } else {
                for (set, back) in captures {
                    listener.pawns(set, back);
                }
            }
        }
        if which != Which::Noisy {
            listener.pawns(one.minus(last) & allowed, forward);
            listener.pawns(two & allowed, 2 * forward);
            if V::PAWN_REACH >= 3 {
                listener.pawns(three & allowed, 3 * forward);
            }
        }
    }

    /// Captures in passing, each tried with both pawns gone: two pieces leave a line at once.
    pub(super) fn en_passant(
        &self,
        pos: &Position<V>,
        king: Square,
        listener: &mut impl Listener<BitsOf<V>>,
    ) {
        let us = pos.side;
        let them = us.other();
        for i in 0..2 {
            if pos.passed >> i & 1 == 0 {
                continue;
            }
            let target = behind::<V::G>(them, pos.victim, i + 1);
            let [west, east] = pawn_attacks::<V::G>(them, BitsOf::<V>::bit(target));
            ((west | east) & pos.of(us, PAWN)).each(|from| {
                let victim = BitsOf::<V>::bit(pos.victim);
                let after = pos.occupied() ^ victim ^ BitsOf::<V>::bit(from) ^ BitsOf::<V>::bit(target);
                if self.attackers(pos, king, them, after).minus(victim).is_empty() {
                    listener.one(Move::new(Flag::EnPassant, from, target, 0));
                }
            });
        }
    }
}
