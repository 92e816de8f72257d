//! Games with one king a side that must not be left in check: Magi, Mageca, the chess family.
//!
//! One set of rules, generic over a [`Variant`] (what the games differ in, constants) and an
//! [`Army`] (what pieces attack: constant tables, or tables made at run time).

mod arrange;
mod castling;
mod eval;
mod exchange;
mod generate;
mod legal;
mod mop_up;
mod pawns;
mod play;
mod position;
#[cfg(test)]
mod tests;
mod text;
mod variant;

pub use arrange::arrays;
pub use position::{Position, Wing};
pub use variant::{Arrangement, BitsOf, Castling, KING, PAWN, ThirdRank, Variant};

use crate::board::army::{Army, ConstArmy, NO_PIECE, TableArmy};
use crate::board::{Bits, Geometry, zobrist};
use crate::game::{Caps, Game, Info, MoveFacts, Observer, Setups, Which};
use crate::moves::{Flag, Kind, Move, Square};
use crate::notation::FenError;
use crate::options::Options;
use crate::outcome::{Ending, Termination};
use crate::side::Side;
use generate::{Counter, Lister};

/// A game of the family: its variant, an army to play it with, its options.
#[derive(Clone)]
pub struct Royal<V: Variant, A = ConstArmy<<V as Variant>::P>> {
    variant: V,
    army: A,
    options: Options,
}

impl<V: Variant> Royal<V> {
    /// The game with its own army, as constants.
    pub fn new(options: Options) -> Self {
        Royal { variant: V::new(&options), army: ConstArmy::default(), options }
    }
}

impl<V: Variant> Royal<V, TableArmy<V::G>> {
    /// The same game with its army as run-time tables: for comparison, and the way armies that come
    /// from a file are played.
    pub fn with_tables(options: Options) -> Self {
        use crate::board::army::Pieces;
        Royal { variant: V::new(&options), army: TableArmy::new(V::P::SHAPES), options }
    }
}

impl<V: Variant, A> Royal<V, A> {
    /// The variant.
    pub fn variant(&self) -> &V {
        &self.variant
    }
}

impl<V: Variant, A: Army<G = V::G>> Game for Royal<V, A> {
    type State = Position<V>;

    const CAPS: Caps = Caps {
        check: true,
        captures: true,
        drops: false,
        clock_bounds_repetition: true,
        fifty_move_plies: Some(100),
    };
    const FILES: u8 = V::G::FILES;
    const RANKS: u8 = V::G::RANKS;

    fn info(&self) -> &'static Info {
        V::INFO
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn start(&self) -> Position<V> {
        // The start is a constant of the variant; a test reads it for every game.
        self.parse_fen(V::START).unwrap_or_else(|_| Position::empty())
    }

    fn setups(&self) -> Setups {
        V::setups()
    }

    fn setup(&self, white: u64, black: u64) -> Option<Position<V>> {
        self.variant.setup(white, black).and_then(|fen| self.parse_fen(&fen).ok())
    }

    #[inline(always)]
    fn side_to_move(&self, pos: &Position<V>) -> Side {
        pos.side
    }

    #[inline(always)]
    fn key(&self, pos: &Position<V>) -> u64 {
        pos.key
    }

    fn fresh_key(&self, pos: &Position<V>) -> u64 {
        pos.fresh_key()
    }

    #[inline(always)]
    fn key_foreseen(&self, pos: &Position<V>, m: Move, facts: MoveFacts) -> Option<u64> {
        let (from, to) = (m.from(), m.to());
        let taken = facts.captured.map_or(0, |kind| zobrist::piece(pos.side.other(), kind, to));
        let moved = zobrist::piece(pos.side, facts.mover, from) ^ zobrist::piece(pos.side, facts.mover, to);
        Some(pos.key ^ moved ^ taken ^ zobrist::BLACK_TO_MOVE)
    }

    #[inline(always)]
    fn clocks(&self, pos: &Position<V>) -> (u16, u32) {
        (pos.clock, pos.number)
    }

    fn generate(&self, pos: &Position<V>, which: Which, out: &mut Vec<Move>) {
        if pos.arranging > 0 {
            if let Some(rules) = V::ARRANGEMENT.filter(|_| which != Which::Noisy) {
                arrange::actions(pos, &rules, out);
            }
            return;
        }
        let mut lister = Lister { variant: &self.variant, out };
        // Three copies of the generator, each without the branches of the others.
        match which {
            Which::All => self.moves(pos, Which::All, &mut lister),
            Which::Noisy => self.moves(pos, Which::Noisy, &mut lister),
            Which::Quiet => self.moves(pos, Which::Quiet, &mut lister),
        }
    }

    fn count(&self, pos: &Position<V>) -> u64 {
        if pos.arranging > 0 {
            let mut list = Vec::new();
            self.generate(pos, Which::All, &mut list);
            return list.len() as u64;
        }
        let mut counter = Counter::default();
        self.moves(pos, Which::All, &mut counter);
        if counter.arrivals == 0 {
            return counter.count;
        }
        let kinds = 0..V::INFO.pieces.len() as Kind;
        let promotions = kinds.filter(|&kind| self.variant.promotes_to(kind)).count() as u64;
        counter.count + counter.arrivals * promotions
    }

    fn is_legal(&self, pos: &Position<V>, m: Move, _: &mut Vec<Move>) -> bool {
        self.legal(pos, m)
    }

    #[inline(always)]
    fn play(&self, pos: &mut Position<V>, m: Move, observer: &mut impl Observer) {
        self.make(pos, m, observer);
    }

    fn ending(&self, pos: &Position<V>) -> Option<Ending> {
        if self.count(pos) > 0 {
            None
        } else if self.in_check(pos) {
            Some(Ending::win(pos.side.other(), Termination::Checkmate))
        } else {
            Some(Ending::draw(Termination::Stalemate))
        }
    }

    fn is_dead(&self, pos: &Position<V>) -> bool {
        self.variant.dead_positions() && is_dead(pos)
    }

    #[inline(always)]
    fn in_check(&self, pos: &Position<V>) -> bool {
        pos.arranging == 0 && self.checkers(pos).any()
    }

    #[inline(always)]
    fn facts(&self, pos: &Position<V>, m: Move) -> MoveFacts {
        let captured = self.captured(pos, m);
        MoveFacts {
            mover: pos.at(m.from()),
            captured,
            noisy: captured.is_some() || m.flag() == Flag::Promotion,
        }
    }

    fn pieces(&self, pos: &Position<V>, f: &mut dyn FnMut(Side, Kind, Square)) {
        pos.occupied().each(|square| {
            let side = if pos.side(Side::White).has(square) { Side::White } else { Side::Black };
            f(side, pos.at(square), square);
        });
    }

    fn reach(&self, side: Side, kind: Kind) -> Vec<Vec<Square>> {
        use crate::board::army::Pieces;
        let army = TableArmy::<V::G>::new(V::P::SHAPES);
        let targets = |square| {
            let mut list = Vec::new();
            army.attacks_of(kind, side, square, BitsOf::<V>::EMPTY).each(|target| list.push(target));
            list
        };
        (0..Self::FILES * Self::RANKS).map(targets).collect()
    }

    fn mirrored(&self, pos: &Position<V>) -> Option<Position<V>> {
        if pos.arranging > 0 {
            return None;
        }
        let mut mirror = Position::<V>::empty();
        let flip = V::G::flip;
        for side in Side::BOTH {
            pos.side(side).each(|q| mirror.put(side.other(), pos.at(q), flip(q), &mut ()));
        }
        for side in Side::BOTH {
            for wing in Wing::BOTH {
                let rook = pos.rooks[side.index()][wing as usize];
                if rook != position::NOWHERE {
                    mirror.allow_castling(side.other(), wing, flip(rook));
                }
            }
        }
        pos.unmoved.each(|q| {
            mirror.unmoved |= BitsOf::<V>::bit(flip(q));
            mirror.key ^= position::unmoved_key(flip(q));
        });
        if pos.victim != position::NOWHERE {
            mirror.expose(pos.side, flip(pos.victim), 8 - pos.passed.leading_zeros() as u8);
        }
        mirror.set_side(pos.side.other());
        (mirror.clock, mirror.number) = (pos.clock, pos.number);
        Some(mirror)
    }

    fn parse_fen(&self, text: &str) -> Result<Position<V>, FenError> {
        text::parse_fen(self, text)
    }

    fn fen(&self, pos: &Position<V>) -> String {
        text::write_fen(pos)
    }

    fn uci(&self, _: &Position<V>, m: Move) -> String {
        text::uci::<V>(m)
    }
}

/// Whether no checkmate can arise: bare kings, colour-bound pieces all on one colour, or one piece that
/// cannot mate alone.
fn is_dead<V: Variant>(pos: &Position<V>) -> bool {
    use crate::board::army::Pieces;
    let others = pos.occupied().minus(pos.kinds[KING as usize]);
    if others.is_empty() {
        return true;
    }
    if !others.many() {
        return V::LONE_PIECES_DRAW.contains(&pos.at(others.first()));
    }
    let mut bound = BitsOf::<V>::EMPTY;
    for (kind, shape) in V::P::SHAPES.iter().enumerate() {
        if shape.colour_bound {
            bound |= pos.kinds[kind];
        }
    }
    let dark = V::G::dark();
    others.minus(bound).is_empty() && ((others & dark).is_empty() || others.minus(dark).is_empty())
}

const _: () = assert!(NO_PIECE as usize >= generate::MOST_KINDS);
