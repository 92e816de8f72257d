//! Whether one move is legal, without listing the others, and whether it gives check, without making it.

use super::castling::castled;
use super::generate::{Listener, each_piece_kind};
use super::position::{NOWHERE, Position, Wing};
use super::variant::{BitsOf, KING, PAWN, Variant, pawn_attacks};
use super::{Royal, arrange};
use crate::board::army::Army;
use crate::board::{Bits, Geometry};
use crate::game::Which;
use crate::moves::{Flag, Kind, Move, Square};

/// Looks for one pawn move among those it is handed.
struct Finder<'a, V> {
    variant: &'a V,
    wanted: Move,
    found: bool,
}

impl<V> Finder<'_, V> {
    #[inline(always)]
    fn reaches<B: Bits>(&self, targets: B, back: i16) -> bool {
        let (from, to) = (self.wanted.from(), self.wanted.to());
        targets.has(to) && to as i16 - back == from as i16
    }
}

impl<B: Bits, V: Variant> Listener<B> for Finder<'_, V> {
    fn piece(&mut self, _: Square, _: B) {}
    #[inline(always)]
    fn pawns(&mut self, targets: B, back: i16) {
        self.found |= self.wanted.flag() == Flag::Plain && self.reaches(targets, back);
    }
    fn promotions(&mut self, targets: B, back: i16) {
        let m = self.wanted;
        self.found |= m.flag() == Flag::Promotion
            && self.reaches(targets, back)
            && usize::from(m.kind()) < V::INFO.pieces.len()
            && self.variant.promotes_to(m.kind());
    }
    #[inline(always)]
    fn one(&mut self, m: Move) {
        self.found |= m == self.wanted;
    }
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// Whether `m`, a legal move of some position of the game, is legal in this one.
    pub(super) fn legal(&self, pos: &Position<V>, m: Move) -> bool {
        if pos.arranging > 0 {
            let mut list = Vec::new();
            if let Some(rules) = V::ARRANGEMENT {
                arrange::actions(pos, &rules, &mut list);
            }
            return list.contains(&m);
        }
        let us = pos.side;
        let (from, to) = (m.from(), m.to());
        let own = pos.side(us);
        if !own.has(from) {
            return false;
        }
        let kind = pos.at(from);
        let king = pos.king(us);
        if m.flag() == Flag::Castle {
            let wing = Wing::BOTH.into_iter().find(|&w| pos.rooks[us.index()][w as usize] == to);
            return kind == KING
                && wing.is_some_and(|w| self.may_castle(pos, us, w))
                && self.checkers(pos).is_empty();
        }
        if m.flag() == Flag::Arrange || own.has(to) {
            return false;
        }
        let bit = BitsOf::<V>::bit;
        let occupied = pos.occupied();
        if kind == PAWN {
            let mut finder = Finder { variant: &self.variant, wanted: m, found: false };
            if m.flag() == Flag::EnPassant {
                if pos.victim != NOWHERE {
                    self.en_passant(pos, king, &mut finder);
                }
                return finder.found;
            }
            self.pawn_moves(pos, us, bit(from), !BitsOf::<V>::EMPTY, Which::All, &mut finder);
            if !finder.found {
                return false;
            }
        } else {
            let mut reached = m.flag() == Flag::Plain && kind == KING && {
                self.army.attacks::<{ KING as usize }>(us, from, occupied).has(to)
            };
            each_piece_kind!(self.army, |K| {
                if kind == K as Kind && m.flag() == Flag::Plain {
                    reached = self.army.attacks::<K>(us, from, occupied).has(to)
                        || self.army.has_quiet::<K>()
                            && self.army.reach::<K>(us, from).quiet.minus(occupied).has(to);
                }
            });
            if !reached {
                return false;
            }
        }
        let after = (occupied ^ bit(from)) | bit(to);
        let king = if kind == KING { to } else { king };
        self.attackers(pos, king, us.other(), after).minus(bit(to)).is_empty()
    }

    /// Whether a legal move gives check.
    #[inline]
    pub(super) fn checks(&self, pos: &Position<V>, m: Move) -> bool {
        let bit = BitsOf::<V>::bit;
        let us = pos.side;
        let (from, to) = (m.from(), m.to());
        let target = pos.king(us.other());
        let mut after = (pos.occupied() ^ bit(from)) | bit(to);
        let mut kind = pos.at(from);
        let mut arrives = to;
        match m.flag() {
            Flag::Arrange => return false,
            Flag::Promotion => kind = m.kind(),
            Flag::EnPassant => after ^= bit(pos.victim),
            Flag::Castle => {
                let wing =
                    if pos.rooks[us.index()][Wing::King as usize] == to { Wing::King } else { Wing::Queen };
                let (king_to, rook_to) = castled::<V>(us, wing);
                after = pos.occupied().minus(bit(from) | bit(to)) | bit(king_to) | bit(rook_to);
                (kind, arrives) = (pos.at(to), rook_to);
            }
            _ => {}
        }
        let direct = if kind == PAWN {
            let [west, east] = pawn_attacks::<V::G>(us, bit(arrives));
            (west | east).has(target)
        } else {
            let mut reached = false;
            each_piece_kind!(self.army, |K| {
                if kind == K as Kind {
                    // Most moves come nowhere near: the empty board tells.
                    let reach = self.army.reach::<K>(us, arrives);
                    reached = (reach.rook | reach.bishop | reach.leap).has(target)
                        && self.army.attacks::<K>(us, arrives, after).has(target);
                }
            });
            reached
        };
        // What stood still may see the king now that the mover is gone from between.
        let (files, ranks) = (
            (from % V::G::FILES).abs_diff(target % V::G::FILES),
            (from / V::G::FILES).abs_diff(target / V::G::FILES),
        );
        let opens =
            files == 0 || ranks == 0 || files == ranks || matches!(m.flag(), Flag::EnPassant | Flag::Castle);
        direct || opens && self.attackers(pos, target, us, after).minus(bit(from) | bit(to)).any()
    }
}
