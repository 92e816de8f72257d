//! Step 2 of a turn: every piece of one side acts at once. Attack, buff, absorption and healing.

use super::geometry::{
    CROSS, DIAGONALS, FILE_A, FILE_H, KING as KING_STEPS, KNIGHT as KNIGHT_LEAPS, PAWN as PAWN_ATTACKS,
    distance, pop,
};
use super::state::State;
use super::{BISHOP, KING, KNIGHT, MChess, PAWN, QUEEN, ROOK};
use crate::board::{Board8, Geometry};
use crate::moves::{Kind, Square};
use crate::side::Side;

/// What one side's pieces would do if they acted now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Volley {
    /// What each enemy piece loses, by square, in milli-points, absorption done; 0 elsewhere.
    pub harm: [i32; 64],
    /// The squares where `harm` is not 0.
    pub hit: u64,
    /// The own pieces that the king heals.
    pub healed: u64,
    /// How many own bishops buff the king's healing.
    pub(super) heal_buff: usize,
}

/// How many bishops' diagonals a square is on, for all squares at once: a binary digit a board.
struct Buffs([u64; 4]);

impl Buffs {
    #[inline(always)]
    fn new(game: &MChess, state: &State, side: Side) -> Buffs {
        let mut digits = [0; 4];
        let mut bishops = state.of_kind(side, BISHOP);
        while bishops != 0 {
            let bishop = pop(&mut bishops);
            let mut carry = if game.rules.buff_blocked {
                Board8::bishop(bishop, state.occupied())
            } else {
                DIAGONALS[usize::from(bishop)]
            };
            for digit in &mut digits {
                let next = *digit & carry;
                *digit ^= carry;
                carry = next;
            }
        }
        Buffs(digits)
    }

    #[inline(always)]
    fn on(&self, square: Square) -> usize {
        let digit = |i: usize| (self.0[i] >> square & 1) << i;
        (digit(0) | digit(1) | digit(2) | digit(3)) as usize
    }
}

impl MChess {
    /// What every enemy piece would lose, and which own pieces would be healed, if all pieces of `side`
    /// acted on the board as it stands.
    pub fn volley(&self, state: &State, side: Side) -> Volley {
        self.volley_after(state, side, None)
    }

    /// The same, when a pawn that now stands on the first square has just pawned the piece on the second.
    #[inline(always)]
    pub(super) fn volley_after(&self, state: &State, side: Side, pawned: Option<(Square, Square)>) -> Volley {
        let t = &self.rules.tables;
        let them = state.of(side.other());
        let occupied = state.occupied();
        let buffs = Buffs::new(self, state, side);
        let mut volley = Volley { harm: [0; 64], hit: 0, healed: 0, heal_buff: 0 };
        let harm = &mut volley.harm;
        let mut hit = 0;

        // A pawn not hit "by" a backward pawn of the other colour hits nobody: most are passed over here.
        let behind = |set: u64| match side {
            Side::White => (set >> 7 & !FILE_A) | (set >> 9 & !FILE_H),
            Side::Black => (set << 7 & !FILE_H) | (set << 9 & !FILE_A),
        };
        let mut pawns = state.of_kind(side, PAWN) & behind(them);
        while pawns != 0 {
            let from = pop(&mut pawns);
            let amount = t.attack[buffs.on(from)][usize::from(PAWN)];
            let targets = PAWN_ATTACKS[side.index()][usize::from(from)] & them;
            strike(harm, &mut hit, targets, |_| amount);
        }
        let mut knights = state.of_kind(side, KNIGHT);
        while knights != 0 {
            let from = pop(&mut knights);
            let amount = t.attack[buffs.on(from)][usize::from(KNIGHT)];
            strike(harm, &mut hit, KNIGHT_LEAPS[usize::from(from)] & them, |_| amount);
        }
        let mut rooks = state.of_kind(side, ROOK);
        while rooks != 0 {
            let from = pop(&mut rooks);
            let amount = t.attack[buffs.on(from)][usize::from(ROOK)];
            strike(harm, &mut hit, CROSS[usize::from(from)] & them, |_| amount);
        }
        let in_the_way = if self.rules.queen_past_own { them } else { occupied };
        let mut queens = state.of_kind(side, QUEEN);
        while queens != 0 {
            let from = pop(&mut queens);
            let amounts = &t.queen[buffs.on(from)];
            let targets = (Board8::rook(from, in_the_way) | Board8::bishop(from, in_the_way)) & them;
            strike(harm, &mut hit, targets, |to| amounts[distance(from, to)]);
        }
        let mut kings = state.of_kind(side, KING);
        while kings != 0 {
            let from = pop(&mut kings);
            let near = KING_STEPS[usize::from(from)];
            volley.heal_buff = buffs.on(from);
            volley.healed = near & state.of(side);
            let amounts = &t.king[volley.heal_buff];
            strike(harm, &mut hit, near & them, |to| amounts[usize::from(state.kind_on(to))]);
        }
        let pawned = pawned.map(|(pawn, to)| {
            let kind = usize::from(state.kind_on(to));
            (to, t.pawning[buffs.on(pawn)][kind])
        });
        if self.rules.pawning_attack
            && let Some((to, amount)) = pawned
        {
            strike(harm, &mut hit, 1 << to, |_| amount);
        }

        let shields = state.of_kind(side.other(), ROOK);
        if shields != 0 && hit & !shields != 0 {
            let mut shielded = hit & !shields;
            while shielded != 0 {
                let square = pop(&mut shielded);
                let mut rooks = CROSS[usize::from(square)] & shields;
                let sum = harm[usize::from(square)];
                let share = (i64::from(sum) * t.absorb / 100) as i32;
                hit |= rooks;
                let mut rest = sum;
                while rooks != 0 {
                    harm[usize::from(pop(&mut rooks))] += share;
                    rest -= share;
                }
                harm[usize::from(square)] = rest.max(0);
            }
        }
        if !self.rules.pawning_attack
            && let Some((to, amount)) = pawned
        {
            strike(harm, &mut hit, 1 << to, |_| amount);
        }
        volley.hit = hit;
        volley
    }

    /// What the king's healing gives back to a piece of `kind` with `health`, in milli-points.
    #[inline(always)]
    pub(super) fn healed_to(&self, volley: &Volley, kind: Kind, health: i32) -> i32 {
        let t = &self.rules.tables;
        let kind = usize::from(kind);
        (health + t.heal[volley.heal_buff][kind]).min(t.health[kind])
    }
}

#[inline(always)]
fn strike(harm: &mut [i32; 64], hit: &mut u64, targets: u64, amount: impl Fn(Square) -> i32) {
    *hit |= targets;
    let mut set = targets;
    while set != 0 {
        let to = pop(&mut set);
        harm[usize::from(to)] += amount(to);
    }
}
