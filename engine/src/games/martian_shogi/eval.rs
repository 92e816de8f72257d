//! The game's own evaluation terms: mobility, the last Monarch, threats, promotions at hand.

use super::MartianShogi;
use super::generate::far_ranks;
use super::kinds::{KINDS, MONARCH, next_size, size};
use super::state::State;
use crate::board::Bits;
use crate::eval::{Accumulator, Evaluate, Layout, Pair, Role};
use crate::game::Game;
use crate::moves::Kind;
use crate::side::Side;

/// Weights in force by default in games with drops.
const WITH_DROPS: &str = include_str!("../../../../data/eval/martian-shogi.toml");

/// Rough values by kind, centipawns: by how many squares each reaches and how far.
const VALUES: [i32; KINDS] = [480, 560, 480, 900, 260, 280, 320, 430, 110, 70, 140, 120];

/// First the mobility of each kind, then these.
const SINGLE: [(&str, i32, i32); 14] = [
    // Squares round the enemy's last Monarch that a piece of the size attacks.
    ("last_monarch.near_large", 14, 14),
    ("last_monarch.near_medium", 12, 12),
    ("last_monarch.near_small", 8, 8),
    // Squares round it that are empty and that it alone guards, while one has pieces to drop.
    ("last_monarch.room_for_drops", 9, 9),
    // A side down to its last Monarch, by itself.
    ("last_monarch.alone", -90, -90),
    // The enemy's last Monarch can be taken now: the game is won.
    ("last_monarch.en_prise", 5000, 5000),
    // It is attacked, but the enemy is to move.
    ("last_monarch.attacked", 60, 60),
    // A Monarch that is not the last is attacked.
    ("monarch.attacked", 60, 60),
    // Pieces attacked by a smaller one.
    ("threat.by_smaller", 35, 35),
    // Pieces attacked that nothing guards, and the same for the side that may take them now.
    ("threat.unguarded", 12, 12),
    ("threat.unguarded_now", 25, 25),
    // Pieces guarded by another of their side.
    ("guard.pieces", 4, 4),
    // Pieces that can be promoted by their next move.
    ("promotion.ready", 25, 25),
    // Different kinds in hand.
    ("drops.kinds", 8, 8),
];

const NEAR: usize = KINDS;
const ROOM: usize = KINDS + 3;
const ALONE: usize = KINDS + 4;
const EN_PRISE: usize = KINDS + 5;
const LAST_ATTACKED: usize = KINDS + 6;
const MONARCH_ATTACKED: usize = KINDS + 7;
const BY_SMALLER: usize = KINDS + 8;
const UNGUARDED: usize = KINDS + 9;
const UNGUARDED_NOW: usize = KINDS + 10;
const GUARD: usize = KINDS + 11;
const READY: usize = KINDS + 12;
const HAND_KINDS: usize = KINDS + 13;

/// What a side's pieces see.
#[derive(Default)]
struct Sight {
    /// Squares seen by any piece, own pieces' squares included.
    all: u64,
    /// By small ones, and by small and medium ones.
    up_to: [u64; 2],
    /// By all but Monarchs.
    without_monarchs: u64,
}

impl Evaluate for MartianShogi {
    fn default_weights(&self) -> Option<&'static str> {
        // Without drops it is another game, in which the rules of thumb have done better than weights from
        // its own games.
        self.drops.then_some(WITH_DROPS)
    }

    fn rough_value(&self, kind: Kind) -> i32 {
        VALUES[kind as usize]
    }

    fn role(&self, kind: Kind) -> Role {
        // Monarchs are exchanged like any piece as long as there is another.
        if size(kind) == 0 { Role::Pawn } else { Role::Piece }
    }

    fn grows_into(&self, kind: Kind) -> Option<Kind> {
        next_size(kind).filter(|_| self.promotion)
    }

    fn own_layout(&self, layout: &mut Layout) {
        for (kind, piece) in self.info().pieces.iter().enumerate() {
            let worth = if size(kind as Kind) == 0 { 2 } else { 3 };
            layout.add(format!("mobility.{}", piece.name), vec![Pair::new(worth, worth)]);
        }
        for (name, mg, eg) in SINGLE {
            layout.add(name, vec![Pair::new(mg, eg)]);
        }
    }

    fn own_terms<A: Accumulator>(&self, state: &State, acc: &mut A) {
        let zones = Side::BOTH.map(|side| self.last_monarch_zone(state, side));
        let sights = Side::BOTH.map(|side| self.survey(state, side, zones[side.other().index()], acc));
        for side in Side::BOTH {
            let (us, them) = (side.index(), side.other().index());
            let (sight, guard) = (&sights[us], sights[them].all);
            let own = state.sides[us];
            let enemy = state.sides[them];
            let enemy_monarchs = state.of(side.other(), MONARCH);
            let to_move = state.side == side;

            let attacked_monarchs = (enemy_monarchs & sight.all).count() as i32;
            if !enemy_monarchs.many() {
                acc.add(ALONE, side.other(), 1);
                acc.add(if to_move { EN_PRISE } else { LAST_ATTACKED }, side, attacked_monarchs);
                if state.hands[us].distinct() > 0 && self.drops {
                    let guarded = sights[them].without_monarchs;
                    let room = zones[them].minus(state.occupied() | guarded);
                    acc.add(ROOM, side, room.count() as i32);
                }
            } else {
                acc.add(MONARCH_ATTACKED, side, attacked_monarchs);
            }

            let large = (0..4).fold(0, |set, kind| set | state.kinds[kind]) & enemy;
            let medium = (4..8).fold(0, |set, kind| set | state.kinds[kind]) & enemy;
            let by_smaller = ((large | medium) & sight.up_to[0]) | (large & sight.up_to[1]);
            acc.add(BY_SMALLER, side, by_smaller.count() as i32);
            let unguarded = (enemy & sight.all).minus(guard).count() as i32;
            acc.add(if to_move { UNGUARDED_NOW } else { UNGUARDED }, side, unguarded);
            acc.add(GUARD, side, (own & sight.all).count() as i32);
            acc.add(HAND_KINDS, side, state.hands[us].distinct() as i32);
        }
    }
}

impl MartianShogi {
    /// The squares round a side's Monarch if it has only one on the board, else none.
    #[inline(always)]
    fn last_monarch_zone(&self, state: &State, side: Side) -> u64 {
        const NOT_A: u64 = !0x0101_0101_0101_0101;
        const NOT_H: u64 = !0x8080_8080_8080_8080;
        let monarchs = state.of(side, MONARCH);
        if monarchs.many() {
            return 0;
        }
        let row = monarchs | (monarchs & NOT_A) >> 1 | (monarchs & NOT_H) << 1;
        (row | row << 8 | row >> 8) ^ monarchs
    }

    /// Mobility, promotions at hand and pressure on `zone` of one side's pieces; gives what they see.
    #[inline(always)]
    fn survey<A: Accumulator>(&self, state: &State, side: Side, zone: u64, acc: &mut A) -> Sight {
        let own = state.sides[side.index()];
        let occupied = state.occupied();
        let far = far_ranks(side);
        let mut sight = Sight::default();
        let mut ready = 0;
        let mut near = [0; 3];
        for kind in (0..KINDS as Kind).rev() {
            let pieces = state.of(side, kind);
            if pieces.is_empty() {
                continue;
            }
            let promotes = self.promotion && next_size(kind).is_some_and(|larger| state.stash.of(larger) > 0);
            let mut mobility = 0;
            pieces.each(|from| {
                let seen = self.reach(state, kind, side, from, occupied);
                sight.all |= seen;
                if kind != MONARCH {
                    sight.without_monarchs |= seen;
                }
                mobility += seen.minus(own).count();
                near[size(kind)] += (seen & zone).count();
                ready += u32::from(promotes && (seen & far).minus(own).any() && !far.has(from));
            });
            acc.add(kind as usize, side, mobility as i32);
            // Kinds come smallest first: what has been seen when a size is done is seen up to that size.
            if size(kind) < 2 {
                sight.up_to[size(kind)] = sight.all;
            }
        }
        // A side without any medium piece still sees with its small ones.
        sight.up_to[1] |= sight.up_to[0];
        for (n, size) in near.into_iter().zip([2, 1, 0]) {
            acc.add(NEAR + size, side, n as i32);
        }
        acc.add(READY, side, ready as i32);
        sight
    }
}
