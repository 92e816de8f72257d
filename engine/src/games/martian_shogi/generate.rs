//! Moves, promotions and drops: walked once, listed or counted.

use super::MartianShogi;
use super::kinds::{KINDS, PAWN, next_size};
use super::state::State;
use crate::board::Bits;
use crate::game::Which;
use crate::moves::{Flag, Kind, Move, Square};
use crate::side::Side;

/// Receives the legal moves, a piece and its targets at a time.
trait Sink {
    /// A piece moves to any of `targets` as it is.
    fn moves(&mut self, from: Square, targets: u64);
    /// It moves to any of `targets` and becomes a `kind`.
    fn promotions(&mut self, from: Square, targets: u64, kind: Kind);
    /// A `kind` is dropped on any of `targets`.
    fn drops(&mut self, kind: Kind, targets: u64);
}

impl Sink for Vec<Move> {
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: u64) {
        targets.each(|to| self.push(Move::plain(from, to)));
    }
    #[inline(always)]
    fn promotions(&mut self, from: Square, targets: u64, kind: Kind) {
        targets.each(|to| self.push(Move::promotion(from, to, kind)));
    }
    #[inline(always)]
    fn drops(&mut self, kind: Kind, targets: u64) {
        targets.each(|to| self.push(Move::drop(to, kind)));
    }
}

/// Counts without listing.
struct Tally(u32);

impl Sink for Tally {
    #[inline(always)]
    fn moves(&mut self, _: Square, targets: u64) {
        self.0 += targets.count();
    }
    #[inline(always)]
    fn promotions(&mut self, _: Square, targets: u64, _: Kind) {
        self.0 += targets.count();
    }
    #[inline(always)]
    fn drops(&mut self, _: Kind, targets: u64) {
        self.0 += targets.count();
    }
}

/// The two farthest ranks, in which a piece that comes from elsewhere may be promoted.
#[inline(always)]
pub(super) const fn far_ranks(side: Side) -> u64 {
    match side {
        Side::White => 0xffff << 48,
        Side::Black => 0xffff,
    }
}

/// What a side may do, besides where its pieces reach.
struct Scope {
    plain: u64,
    promoting: u64,
    dropping: u64,
}

impl MartianShogi {
    /// Squares that a piece reaches, own pieces included.
    #[inline(always)]
    pub(super) fn reach(&self, state: &State, kind: Kind, side: Side, from: Square, occupied: u64) -> u64 {
        let mut set = self.army.attacks_of(kind, side, from, occupied);
        if kind == PAWN && state.unmoved.has(from) {
            let empty = !occupied;
            set |= match side {
                Side::White => (u64::bit(from) << 8 & empty) << 8,
                Side::Black => (u64::bit(from) >> 8 & empty) >> 8,
            };
        }
        set
    }

    /// Whether the position is decided: a side's Monarchs are gone.
    #[inline(always)]
    fn decided(&self, state: &State) -> bool {
        self.lost(state, Side::White) || self.lost(state, Side::Black)
    }

    #[inline(always)]
    fn walk(&self, state: &State, which: Which, sink: &mut impl Sink) {
        if self.decided(state) {
            return;
        }
        let side = state.side;
        let (own, enemy) = (state.sides[side.index()], state.sides[side.other().index()]);
        let occupied = own | enemy;
        let promoting = if self.promotion { far_ranks(side) & !own } else { 0 };
        let dropping = if self.drops { !occupied } else { 0 };
        let scope = match which {
            Which::All => Scope { plain: !own, promoting, dropping },
            Which::Noisy => Scope { plain: enemy, promoting, dropping: 0 },
            Which::Quiet => Scope { plain: !occupied, promoting: 0, dropping },
        };
        for kind in 0..KINDS as Kind {
            let larger = next_size(kind).filter(|&larger| state.stash.of(larger) > 0);
            state.of(side, kind).each(|from| {
                let reach = self.reach(state, kind, side, from, occupied);
                sink.moves(from, reach & scope.plain);
                if let Some(larger) = larger
                    && !far_ranks(side).has(from)
                {
                    sink.promotions(from, reach & scope.promoting, larger);
                }
            });
        }
        if scope.dropping.any() {
            state.hands[side.index()].each_kind(|kind| sink.drops(kind, scope.dropping));
        }
    }

    /// Appends the legal moves.
    pub(super) fn list(&self, state: &State, which: Which, out: &mut Vec<Move>) {
        self.walk(state, which, out);
    }

    /// Counts the legal moves.
    pub(super) fn tally(&self, state: &State) -> u64 {
        let mut tally = Tally(0);
        self.walk(state, Which::All, &mut tally);
        u64::from(tally.0)
    }

    /// Whether the side to move of an undecided position can do nothing.
    pub(super) fn is_blocked(&self, state: &State) -> bool {
        let side = state.side;
        let own = state.sides[side.index()];
        let occupied = state.occupied();
        if self.drops && occupied != u64::MAX && state.hands[side.index()].distinct() > 0 {
            return false;
        }
        let mut pieces = own;
        while pieces.any() {
            let from = pieces.first();
            if (self.reach(state, state.at(from), side, from, occupied) & !own).any() {
                return false;
            }
            pieces = pieces.without_first();
        }
        true
    }

    /// Whether a legal move of some position is legal here.
    pub(super) fn allows(&self, state: &State, m: Move) -> bool {
        let (side, from, to) = (state.side, m.from(), m.to());
        let own = state.sides[side.index()];
        let occupied = state.occupied();
        if self.decided(state) {
            return false;
        }
        if m.flag() == Flag::Drop {
            return self.drops && state.hands[side.index()].of(m.kind()) > 0 && !occupied.has(to);
        }
        let far = far_ranks(side);
        let promotes = |mover| {
            self.promotion
                && next_size(mover) == Some(m.kind())
                && state.stash.of(m.kind()) > 0
                && far.has(to)
                && !far.has(from)
        };
        own.has(from)
            && (self.reach(state, state.at(from), side, from, occupied) & !own).has(to)
            && (m.flag() == Flag::Plain || promotes(state.at(from)))
    }
}
