//! Static exchange with twelve kinds. Drops on to the square in between are not looked at.

use super::MartianShogi;
use super::kinds::{KINDS, MONARCH};
use super::state::State;
use crate::board::{Bits, Board8, Geometry};
use crate::game::Game;
use crate::moves::{Flag, Kind, Move, Square};
use crate::search::{Exchange, Playable};
use crate::side::Side;

impl Exchange for MartianShogi {
    fn exchange_at_least(&self, state: &State, m: Move, values: &[i32; 16], threshold: i32) -> bool {
        let (us, to) = (state.side, m.to());
        let facts = self.facts(state, m);
        let value = |kind: Kind| values[kind as usize & 15];
        if facts.captured == Some(MONARCH) && self.is_last_monarch(state, us.other()) {
            return true;
        }
        let mut balance = facts.captured.map_or(0, value) - threshold;
        let mut occupied = state.occupied() | u64::bit(to);
        let arrives = match m.flag() {
            Flag::Plain => facts.mover,
            _ => m.kind(),
        };
        if m.flag() != Flag::Drop {
            occupied ^= u64::bit(m.from());
        }
        if m.flag() == Flag::Promotion {
            balance += value(arrives) - value(facts.mover);
        }
        // What the mover has even if nobody takes back, then what is left if the piece is taken.
        if balance < 0 {
            return false;
        }
        balance -= value(arrives);
        if balance >= 0 {
            return true;
        }
        let mut side = us.other();
        // Each round the side to capture either can't, and has lost the argument, or captures with its
        // cheapest piece; it wins at once if it could afford to lose that one too.
        while let Some((kind, from)) = self.cheapest_attacker(state, side, to, occupied, values) {
            occupied ^= u64::bit(from);
            side = side.other();
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                break;
            }
        }
        side != us
    }
}

impl MartianShogi {
    /// Whether losing one more Monarch on the board loses the game for a side that has one.
    #[inline]
    fn is_last_monarch(&self, state: &State, side: Side) -> bool {
        let saved = self.hand_monarch_saves && state.hands[side.index()].of(MONARCH) > 0;
        !saved && !state.of(side, MONARCH).many()
    }

    /// The cheapest of a side's pieces among `occupied` that attacks a square.
    #[inline]
    fn cheapest_attacker(
        &self,
        state: &State,
        side: Side,
        to: Square,
        occupied: u64,
        values: &[i32; 16],
    ) -> Option<(Kind, Square)> {
        let pieces = state.sides[side.index()] & occupied;
        let (rook, bishop) = (Board8::rook(to, occupied), Board8::bishop(to, occupied));
        let mut best: Option<(i32, Kind, Square)> = None;
        for kind in 0..KINDS as Kind {
            let of_kind = state.kinds[kind as usize] & pieces;
            // Tables are alike left and right, so a piece attacks a square exactly if its like of the other
            // side would attack back from there.
            let back = self.army.reach_of(kind, side.other(), to);
            let attackers = of_kind & (back.leap | rook & back.rook | bishop & back.bishop);
            if attackers.any() && best.is_none_or(|(least, ..)| values[kind as usize] < least) {
                best = Some((values[kind as usize], kind, attackers.first()));
            }
        }
        best.map(|(_, kind, from)| (kind, from))
    }
}

impl Playable for MartianShogi {
    crate::compiled_search!(Self);
}
