//! A position, and the changes that keep its parts together.

use super::kinds::{Counts, KINDS, LETTERS};
use crate::board::army::NO_PIECE;
use crate::board::{Bits, Board8, Geometry, zobrist};
use crate::moves::{Kind, Square};
use crate::side::Side;

/// A position without history. The stash is what board and hands leave of the set; it is kept so that
/// nothing has to be counted.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) kinds: [u64; KINDS],
    pub(super) sides: [u64; 2],
    /// Pawns that have not moved since the start; empty without `pawn_double_first_move`.
    pub(super) unmoved: u64,
    pub(super) key: u64,
    pub(super) hands: [Counts; 2],
    pub(super) stash: Counts,
    pub(super) full_move: u32,
    pub(super) clock: u16,
    pub(super) side: Side,
    mailbox: [Kind; 64],
}

/// Key of `n` pieces of `kind` in a side's hand. The stash follows from board and hands and needs none.
#[inline(always)]
fn hand_key(side: Side, kind: Kind, n: u8) -> u64 {
    // The piece keys have room for 128 squares: those beyond the board stand for numbers in hand.
    if n == 0 { 0 } else { zobrist::piece(side, kind, 64 + n) }
}

/// Which fact about a square [`zobrist::extra`] hashes here.
const UNMOVED: usize = 0;

impl State {
    /// An empty board, the whole set in the stash, `side` to move.
    pub(super) fn empty(side: Side) -> State {
        State {
            kinds: [0; KINDS],
            sides: [0; 2],
            unmoved: 0,
            key: if side == Side::Black { zobrist::BLACK_TO_MOVE } else { 0 },
            hands: [Counts::NONE; 2],
            stash: Counts::SET,
            full_move: 1,
            clock: 0,
            side,
            mailbox: [NO_PIECE; 64],
        }
    }

    /// The kind on a square, or [`NO_PIECE`].
    #[inline(always)]
    pub(super) fn at(&self, square: Square) -> Kind {
        self.mailbox[square as usize & 63]
    }

    /// The side whose piece stands on an occupied square.
    #[inline(always)]
    pub(super) fn owner(&self, square: Square) -> Side {
        if self.sides[0].has(square) { Side::White } else { Side::Black }
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// A side's pieces of a kind.
    #[inline(always)]
    pub(super) fn of(&self, side: Side, kind: Kind) -> u64 {
        self.kinds[kind as usize] & self.sides[side.index()]
    }

    /// Puts a piece on an empty square; does not ask where it comes from.
    #[inline(always)]
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.flip(side, kind, square);
        self.mailbox[square as usize & 63] = kind;
    }

    /// Takes a piece off; does not ask where it goes.
    #[inline(always)]
    pub(super) fn lift(&mut self, side: Side, kind: Kind, square: Square) {
        self.flip(side, kind, square);
        self.mailbox[square as usize & 63] = NO_PIECE;
    }

    #[inline(always)]
    fn flip(&mut self, side: Side, kind: Kind, square: Square) {
        let bit = u64::bit(square);
        self.kinds[kind as usize] ^= bit;
        self.sides[side.index()] ^= bit;
        self.key ^= zobrist::piece(side, kind, square);
    }

    /// A piece comes into a hand.
    #[inline(always)]
    pub(super) fn hand_add(&mut self, side: Side, kind: Kind) {
        let hand = &mut self.hands[side.index()];
        let n = hand.of(kind);
        hand.add(kind);
        self.key ^= hand_key(side, kind, n) ^ hand_key(side, kind, n + 1);
    }

    /// A piece leaves a hand.
    #[inline(always)]
    pub(super) fn hand_take(&mut self, side: Side, kind: Kind) {
        let hand = &mut self.hands[side.index()];
        let n = hand.of(kind);
        hand.take(kind);
        self.key ^= hand_key(side, kind, n) ^ hand_key(side, kind, n - 1);
    }

    /// Pawns on these squares have moved or are gone.
    #[inline(always)]
    pub(super) fn clear_unmoved(&mut self, squares: u64) {
        let cleared = self.unmoved & squares;
        if cleared.any() {
            self.unmoved ^= cleared;
            cleared.each(|q| self.key ^= zobrist::extra(UNMOVED, q));
        }
    }

    /// The Pawns on these squares have not moved since the start.
    pub(super) fn set_unmoved(&mut self, squares: u64) {
        self.unmoved = squares;
        squares.each(|q| self.key ^= zobrist::extra(UNMOVED, q));
    }

    /// The other side is to move.
    #[inline(always)]
    pub(super) fn end_turn(&mut self) {
        self.full_move = self.full_move.saturating_add(u32::from(self.side == Side::Black));
        self.side = self.side.other();
        self.key ^= zobrist::BLACK_TO_MOVE;
    }

    /// The key computed from scratch.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = if self.side == Side::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        self.occupied().each(|q| key ^= zobrist::piece(self.owner(q), self.at(q), q));
        for side in Side::BOTH {
            let hand = self.hands[side.index()];
            hand.each_kind(|kind| key ^= hand_key(side, kind, hand.of(kind)));
        }
        self.unmoved.each(|q| key ^= zobrist::extra(UNMOVED, q));
        key
    }

    /// Colours exchanged, the board turned over rank by rank.
    pub(super) fn mirrored(&self) -> State {
        let mut mirror = State::empty(self.side.other());
        self.occupied().each(|q| {
            mirror.put(self.owner(q).other(), self.at(q), Board8::flip(q));
        });
        for side in Side::BOTH {
            let hand = self.hands[side.index()];
            hand.each_kind(|kind| (0..hand.of(kind)).for_each(|_| mirror.hand_add(side.other(), kind)));
        }
        // Each rank is a byte.
        mirror.set_unmoved(self.unmoved.swap_bytes());
        State { stash: self.stash, full_move: self.full_move, clock: self.clock, ..mirror }
    }
}

/// The board a rank a line from the top, hands, stash, side.
impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let board = crate::notation::write_placement(8, 8, |q| self.letter(q));
        write!(
            f,
            "{board} hands {:?} stash {:?} {} {} {} unmoved {:x}",
            self.hands,
            self.stash,
            self.side.letter(),
            self.clock,
            self.full_move,
            self.unmoved
        )
    }
}

impl State {
    /// The FEN letter on a square.
    pub(super) fn letter(&self, square: Square) -> Option<char> {
        let letter = *LETTERS.get(self.at(square) as usize)?;
        Some(match self.owner(square) {
            Side::White => letter,
            Side::Black => letter.to_ascii_lowercase(),
        })
    }
}
