//! The family's own evaluation terms: mobility, king safety, pawn structure, threats, pairs.

use super::Royal;
use super::generate::each_piece_kind;
use super::position::Position;
use super::variant::{BitsOf, KING, PAWN, Variant, ahead, pawn_attacks, rank_from, rank_of};
use crate::board::army::{Army, Pieces};
use crate::board::{Bits, Geometry};
use crate::eval::{Accumulator, Evaluate, Layout, Pair, Role};
use crate::moves::Kind;
use crate::side::Side;

/// Terms from the family's first one on: a block a kind (pawn and king included, for plain indexing),
/// then single ones.
#[derive(Clone, Copy)]
struct Terms {
    kinds: usize,
    first: usize,
}

/// The single terms, after the blocks of [`Terms`]; the passed pawn's table comes last.
const SINGLE: [(&str, i32, i32); 10] = [
    ("king.shield", 12, 0),
    ("king.bare_file", -14, -2),
    ("pawn.doubled", -6, -16),
    ("pawn.isolated", -10, -12),
    ("pawn.defended", 7, 5),
    ("pair.both_colours", 28, 45),
    ("threat.by_pawn", 45, 35),
    ("threat.unguarded", 18, 25),
    ("line.open_file", 18, 8),
    ("line.half_open_file", 9, 6),
];

impl Terms {
    fn mobility(self, kind: usize) -> usize {
        self.first + kind
    }
    fn attack(self, kind: usize) -> usize {
        self.first + self.kinds + kind
    }
    fn single(self, n: usize) -> usize {
        self.first + 2 * self.kinds + n
    }
    fn passed(self, rank: u8) -> usize {
        self.single(SINGLE.len()) + rank as usize
    }
}

impl<V: Variant, A: Army<G = V::G>> Evaluate for Royal<V, A> {
    fn rough_value(&self, kind: Kind) -> i32 {
        V::VALUES[kind as usize]
    }

    fn role(&self, kind: Kind) -> Role {
        match kind {
            PAWN => Role::Pawn,
            KING => Role::Royal,
            _ => Role::Piece,
        }
    }

    fn own_layout(&self, layout: &mut Layout) {
        let name = |kind: usize| V::INFO.pieces[kind].name;
        let is_piece = |kind: usize| kind > KING as usize;
        for kind in 0..V::VALUES.len() {
            // Cheap pieces gain more by a square more: they have fewer.
            let worth = if is_piece(kind) { (1600 / (V::VALUES[kind] + 100)).clamp(1, 4) } else { 0 };
            layout.add(format!("mobility.{}", name(kind)), vec![Pair::new(worth, worth + worth / 2)]);
        }
        for kind in 0..V::VALUES.len() {
            let worth = if is_piece(kind) { 3 + V::VALUES[kind] / 120 } else { 0 };
            layout.add(format!("attack.{}", name(kind)), vec![Pair::new(worth, 1.min(worth))]);
        }
        for (name, mg, eg) in SINGLE {
            layout.add(name, vec![Pair::new(mg, eg)]);
        }
        let last = i32::from(V::G::RANKS) - 1;
        let passed =
            |rank: i32| Pair::new(60 * rank * rank / (last * last), 150 * rank * rank / (last * last));
        layout.add("passed.by_rank", (0..=last).map(passed).collect());
    }

    fn own_terms<Acc: Accumulator>(&self, pos: &Position<V>, first: usize, acc: &mut Acc) {
        let terms = Terms { kinds: V::VALUES.len(), first };
        let pawns = Side::BOTH.map(|side| pos.of(side, PAWN));
        let cover = Side::BOTH.map(|side| both(pawn_attacks::<V::G>(side, pawns[side.index()])));
        let zones = Side::BOTH.map(|side| self.king_zone(pos, side));
        let mut reached = cover;
        for side in Side::BOTH {
            reached[side.index()] |= self.piece_terms(
                pos,
                side,
                cover[side.other().index()],
                zones[side.other().index()],
                terms,
                acc,
            );
        }
        for side in Side::BOTH {
            let (us, them) = (side.index(), side.other().index());
            let pieces = pos.side(side.other()).minus(pawns[them] | pos.kinds[KING as usize]);
            acc.add(terms.single(6), side, (pieces & cover[us]).count() as i32);
            acc.add(terms.single(7), side, (pieces & reached[us]).minus(reached[them]).count() as i32);
            pawn_terms::<V>(side, pawns, cover[us], terms, acc);
            king_terms(pos, side, pawns[us], terms, acc);
        }
    }
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// The squares round a side's king, and the three ahead of them.
    fn king_zone(&self, pos: &Position<V>, side: Side) -> BitsOf<V> {
        let king = pos.king(side);
        let around = self.army.attacks::<{ KING as usize }>(side, king, BitsOf::<V>::EMPTY);
        (around | ahead::<V::G>(side, around)) & V::G::ALL
    }

    /// Mobility, attacks on the enemy king's zone, open files and pairs of one side's pieces; gives all
    /// squares they attack. Squares that enemy pawns cover are no mobility.
    #[inline(always)]
    fn piece_terms<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        enemy_cover: BitsOf<V>,
        zone: BitsOf<V>,
        terms: Terms,
        acc: &mut Acc,
    ) -> BitsOf<V> {
        let own = pos.side(side);
        let occupied = pos.occupied();
        let free = V::G::ALL.minus(own | enemy_cover);
        let mut reached = self.army.attacks::<{ KING as usize }>(side, pos.king(side), occupied);
        each_piece_kind!(self.army, |K| {
            let mut mobility = 0;
            let mut attacks = 0;
            let mut shades = BitsOf::<V>::EMPTY;
            (pos.kinds[K] & own).each(|square| {
                let seen = self.army.attacks::<K>(side, square, occupied);
                reached |= seen;
                mobility += (seen & free).count();
                attacks += (seen & zone).count();
                shades |= BitsOf::<V>::bit(square);
            });
            if shades.any() {
                acc.add(terms.mobility(K), side, mobility as i32);
                acc.add(terms.attack(K), side, attacks as i32);
                let shape = V::P::SHAPES[K];
                if shape.colour_bound {
                    let both = (shades & V::G::dark()).any() && shades.minus(V::G::dark()).any();
                    acc.add(terms.single(5), side, both as i32);
                } else if shape.has_rook() && !shape.has_bishop() {
                    file_terms(pos, side, shades, terms, acc);
                }
            }
        });
        reached
    }
}

fn both<B: Bits>([west, east]: [B; 2]) -> B {
    west | east
}

/// Every square on the files of `set`.
#[inline(always)]
fn files<G: Geometry>(set: G::Bits) -> G::Bits {
    let mut fill = set;
    let mut n = G::FILES as u32;
    while n < G::FILES as u32 * G::RANKS as u32 {
        fill |= fill.up(n) | fill.down(n);
        n *= 2;
    }
    fill & G::ALL
}

/// Every square ahead of `set` on its files, the set's own left out.
#[inline(always)]
fn front<G: Geometry>(side: Side, set: G::Bits) -> G::Bits {
    let mut fill = ahead::<G>(side, set);
    let mut n = G::FILES as u32;
    while n < G::FILES as u32 * G::RANKS as u32 {
        fill |= match side {
            Side::White => fill.up(n),
            Side::Black => fill.down(n),
        };
        n *= 2;
    }
    fill & G::ALL
}

/// The squares beside a set, left and right.
#[inline(always)]
fn beside<G: Geometry>(set: G::Bits) -> G::Bits {
    set.minus(G::file(0)).down(1) | (set.minus(G::file(G::FILES - 1)).up(1) & G::ALL)
}

fn file_terms<V: Variant, Acc: Accumulator>(
    pos: &Position<V>,
    side: Side,
    pieces: BitsOf<V>,
    terms: Terms,
    acc: &mut Acc,
) {
    let own = files::<V::G>(pos.of(side, PAWN));
    let enemy = files::<V::G>(pos.of(side.other(), PAWN));
    let without_own = pieces.minus(own);
    acc.add(terms.single(8), side, without_own.minus(enemy).count() as i32);
    acc.add(terms.single(9), side, (without_own & enemy).count() as i32);
}

#[inline(always)]
fn pawn_terms<V: Variant>(
    side: Side,
    pawns: [BitsOf<V>; 2],
    cover: BitsOf<V>,
    terms: Terms,
    acc: &mut impl Accumulator,
) {
    let own = pawns[side.index()];
    let enemy_front = front::<V::G>(side.other(), pawns[side.other().index()]);
    let own_front = front::<V::G>(side, own);
    let own_files = files::<V::G>(own);
    acc.add(terms.single(2), side, (own & own_front).count() as i32);
    acc.add(terms.single(3), side, own.minus(beside::<V::G>(own_files)).count() as i32);
    acc.add(terms.single(4), side, (own & cover).count() as i32);
    // Of two pawns on a file only the foremost counts as passed.
    let rear = front::<V::G>(side.other(), own);
    let passed = own.minus(enemy_front | beside::<V::G>(enemy_front) | rear);
    passed.each(|square| acc.add(terms.passed(rank_from::<V::G>(side, square) - 1), side, 1));
}

#[inline(always)]
fn king_terms<V: Variant>(
    pos: &Position<V>,
    side: Side,
    pawns: BitsOf<V>,
    terms: Terms,
    acc: &mut impl Accumulator,
) {
    let king = BitsOf::<V>::bit(pos.king(side));
    let wide = king | beside::<V::G>(king);
    let one = ahead::<V::G>(side, wide);
    let shield = (one | ahead::<V::G>(side, one)) & pawns;
    acc.add(terms.single(0), side, shield.count() as i32);
    // Files at the king without an own pawn, counted on the first rank.
    let bare = (files::<V::G>(wide) & rank_of::<V::G>(side, 1)).minus(files::<V::G>(pawns));
    acc.add(terms.single(1), side, bare.count() as i32);
}
