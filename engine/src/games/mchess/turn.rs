//! Moves: which there are, and what a turn does.

use super::geometry::{
    KING as KING_STEPS, KNIGHT as KNIGHT_LEAPS, PAWN as PAWN_ATTACKS, RANK_1, RANK_8, pop,
};
use super::state::State;
use super::{BISHOP, KNIGHT, MChess, PAWN, QUEEN, ROOK};
use crate::board::{Board8, Geometry};
use crate::game::{Observer, Which};
use crate::moves::{Flag, Kind, Move, Square};
use crate::side::Side;

/// What a pawn becomes, in order of generation.
pub(super) const PROMOTIONS: [Kind; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// Moves of one piece that are alike: a target set, and what each move does besides moving.
pub(super) struct Batch {
    pub flag: Flag,
    pub from: Square,
    pub targets: u64,
}

impl Batch {
    pub fn count(&self) -> u64 {
        let each = match self.flag {
            Flag::Promotion | Flag::PawningPromotion => PROMOTIONS.len() as u64,
            _ => 1,
        };
        u64::from(self.targets.count_ones()) * each
    }
}

/// A side's last rank.
#[inline(always)]
fn last_rank(side: Side) -> u64 {
    match side {
        Side::White => RANK_8,
        Side::Black => RANK_1,
    }
}

#[inline(always)]
fn forward(side: Side, set: u64) -> u64 {
    match side {
        Side::White => set << 8,
        Side::Black => set >> 8,
    }
}

impl MChess {
    /// Hands the moves of the side to move to `take` in batches, never empty ones, until it gives true;
    /// tells whether it did.
    #[inline(always)]
    pub(super) fn batches(&self, state: &State, which: Which, mut take: impl FnMut(Batch) -> bool) -> bool {
        let side = state.side;
        let (us, them) = (state.of(side), state.of(side.other()));
        if us == 0 || them == 0 {
            return false;
        }
        let empty = !(us | them);
        let last = last_rank(side);
        let mut give = |flag, from, targets: u64| targets != 0 && take(Batch { flag, from, targets });

        let mut pawns = state.of_kind(side, PAWN);
        while pawns != 0 {
            let from = pop(&mut pawns);
            let bit = 1 << from;
            let one = forward(side, bit) & empty;
            let two = if state.unmoved & bit != 0 { forward(side, one) & empty } else { 0 };
            let mut swaps = PAWN_ATTACKS[side.index()][usize::from(from)] & them;
            if self.rules.no_forced_queen && bit & last_rank(side.other()) != 0 {
                swaps &= !state.kinds[usize::from(PAWN)];
            }
            let quiet = (one | two) & !last;
            let stop = (which != Which::Noisy && give(Flag::Plain, from, quiet))
                || (which != Which::Quiet
                    && (give(Flag::Promotion, from, (one | two) & last)
                        || give(Flag::Pawning, from, swaps & !last)
                        || give(Flag::PawningPromotion, from, swaps & last)));
            if stop {
                return true;
            }
        }
        if which == Which::Noisy {
            return false;
        }
        let mut pieces = us & !state.kinds[usize::from(PAWN)];
        while pieces != 0 {
            let from = pop(&mut pieces);
            let targets = match state.kind_on(from) {
                KNIGHT => KNIGHT_LEAPS[usize::from(from)],
                BISHOP => Board8::bishop(from, !empty),
                ROOK => Board8::rook(from, !empty),
                QUEEN => Board8::bishop(from, !empty) | Board8::rook(from, !empty),
                _ => KING_STEPS[usize::from(from)],
            };
            if give(Flag::Plain, from, targets & empty) {
                return true;
            }
        }
        false
    }

    /// A whole turn: the move, the volley, the deaths.
    #[inline(always)]
    pub(super) fn turn(&self, state: &mut State, m: Move, observer: &mut impl Observer) {
        let t = &self.rules.tables;
        let side = state.side;
        let (from, to) = (m.from(), m.to());
        let kind = state.kind_on(from);
        if state.unmoved >> from & 1 > 0 {
            state.flip_unmoved(from);
        }
        let mut health = state.lift(side, kind, from);
        observer.lift(side, kind, from);

        let swap = matches!(m.flag(), Flag::Pawning | Flag::PawningPromotion);
        let mut pawned = None;
        if swap {
            let other = side.other();
            let displaced = state.kind_on(to);
            let its_health = state.lift(other, displaced, to);
            observer.lift(other, displaced, to);
            let unmoved = state.unmoved >> to & 1 > 0;
            if unmoved {
                state.flip_unmoved(to);
            }
            if displaced == PAWN && last_rank(other) >> from & 1 > 0 {
                // Replaced at full health in the same move: what pawning costs dies with the pawn.
                state.put(other, QUEEN, from, t.health[usize::from(QUEEN)]);
                observer.put(other, QUEEN, from);
            } else {
                state.put(other, displaced, from, its_health);
                observer.put(other, displaced, from);
                if unmoved {
                    state.flip_unmoved(from);
                }
                pawned = Some((to, from));
            }
        }
        let mut arrives = kind;
        if matches!(m.flag(), Flag::Promotion | Flag::PawningPromotion) {
            arrives = m.kind();
            health = t.health[usize::from(arrives)];
        }
        state.put(side, arrives, to, health);
        observer.put(side, arrives, to);

        let volley = self.volley_after(state, side, pawned);
        let mut healed = volley.healed;
        while healed != 0 {
            let square = pop(&mut healed);
            let kind = state.kind_on(square);
            let health = self.healed_to(&volley, kind, state.health(square));
            state.set_health(side, kind, square, health);
        }
        let mut death = false;
        let mut hit = volley.hit;
        while hit != 0 {
            let square = pop(&mut hit);
            let kind = state.kind_on(square);
            let health = state.health(square) - volley.harm[usize::from(square)];
            if health >= 0 {
                state.set_health(side.other(), kind, square, health);
            } else {
                death = true;
                state.lift(side.other(), kind, square);
                observer.lift(side.other(), kind, square);
                if state.unmoved >> square & 1 > 0 {
                    state.flip_unmoved(square);
                }
            }
        }

        state.clock = if kind == PAWN || death { 0 } else { state.clock.saturating_add(1) };
        state.full_move = state.full_move.saturating_add(u32::from(side == Side::Black));
        state.flip_side();
    }
}
