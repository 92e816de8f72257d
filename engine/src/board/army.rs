//! Armies: what each kind of piece reaches, as data.
//!
//! A [`Shape`] describes a kind the way people do (directions, distances, leaps); tables are made from
//! shapes. [`ConstArmy`] has its shapes as constants, so that a generator compiled for it contains only
//! the look-ups each kind needs; [`TableArmy`] reads the same tables at run time, for armies that come
//! from a file.

use super::bits::Bits;
use super::geometry::{Geometry, Reach};
use super::rays::{DIRECTIONS, step};
use crate::moves::{Kind, Square};
use crate::side::Side;
use std::sync::Arc;

/// Marks an empty square in a mailbox.
pub const NO_PIECE: Kind = 15;

/// A set of distances at which a slide may stop: bit `d` for distance `d`.
pub type Distances = u16;
/// Any distance.
pub const ANY: Distances = 0b11_1111_1110;
/// One step.
pub const ONE: Distances = 0b10;

/// How a kind of piece moves, from White's side of the board.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Distances by direction, clockwise from straight forward; nothing may stand before the target.
    pub slides: [Distances; 8],
    /// Leaps (files, ranks) over anything, moving or capturing.
    pub leaps: &'static [(i8, i8)],
    /// Leaps to empty squares only: no capture, so no attack.
    pub quiet_leaps: &'static [(i8, i8)],
    /// Squares from which the quiet leaps may be made.
    pub quiet_zone: u128,
    /// The piece never leaves its square colour.
    pub colour_bound: bool,
}

/// The knight's eight leaps.
pub const KNIGHT: &[(i8, i8)] = &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Shape {
    /// Moves not at all (the blank to build on, and the pawns' entry: they have rules of their own).
    pub const NONE: Shape =
        Shape { slides: [0; 8], leaps: &[], quiet_leaps: &[], quiet_zone: u128::MAX, colour_bound: false };

    /// Slides along rank and file (`rook`) and along the diagonals (`bishop`).
    pub const fn rider(rook: Distances, bishop: Distances) -> Shape {
        Shape { slides: [rook, bishop, rook, bishop, rook, bishop, rook, bishop], ..Shape::NONE }
    }

    /// No fewer squares than it reaches from anywhere on a board.
    pub const fn reaches_at_most(&self, files: u8, ranks: u8) -> usize {
        let (files, ranks) = (files as usize, ranks as usize);
        let rook = if self.has_rook() { files + ranks - 2 } else { 0 };
        // Two diagonals, each as long as the shorter side at most.
        let bishop = if self.has_bishop() { 2 * (if files < ranks { files } else { ranks } - 1) } else { 0 };
        rook + bishop + self.leaps.len()
    }

    /// Whether any rank or file direction is used.
    #[inline(always)]
    pub const fn has_rook(&self) -> bool {
        self.slides[0] | self.slides[2] | self.slides[4] | self.slides[6] != 0
    }

    /// Whether any diagonal direction is used.
    #[inline(always)]
    pub const fn has_bishop(&self) -> bool {
        self.slides[1] | self.slides[3] | self.slides[5] | self.slides[7] != 0
    }

    /// What the kind reaches from `square` of an empty board, as four sets.
    pub const fn reach(&self, side: Side, square: Square, files: u8, ranks: u8) -> Reach<u128> {
        let flip = match side {
            Side::White => 1,
            Side::Black => -1,
        };
        let mut reach = Reach { rook: 0, bishop: 0, leap: 0, quiet: 0 };
        let mut d = 0;
        while d < 8 {
            let (df, dr) = DIRECTIONS[d];
            let mut at = square;
            let mut distance = 1;
            while let Some(next) = step(at, df, dr * flip, files, ranks) {
                if self.slides[d] >> distance & 1 == 1 {
                    if d % 2 == 0 {
                        reach.rook |= 1 << next;
                    } else {
                        reach.bishop |= 1 << next;
                    }
                }
                at = next;
                distance += 1;
            }
            d += 1;
        }
        reach.leap = leap_set(self.leaps, flip, square, files, ranks);
        if self.quiet_zone >> square & 1 == 1 {
            reach.quiet = leap_set(self.quiet_leaps, flip, square, files, ranks);
        }
        reach
    }
}

const fn leap_set(leaps: &[(i8, i8)], flip: i8, square: Square, files: u8, ranks: u8) -> u128 {
    let mut set = 0;
    let mut i = 0;
    while i < leaps.len() {
        if let Some(target) = step(square, leaps[i].0, leaps[i].1 * flip, files, ranks) {
            set |= 1 << target;
        }
        i += 1;
    }
    set
}

/// Tables of `N` kinds on 8x8, for White; made at compile time.
pub const fn tables8<const N: usize>(shapes: &[Shape; N]) -> [[Reach<u64>; 64]; N] {
    let mut tables = [[Reach { rook: 0, bishop: 0, leap: 0, quiet: 0 }; 64]; N];
    let mut kind = 0;
    while kind < N {
        let mut square = 0;
        while square < 64 {
            let r = shapes[kind].reach(Side::White, square as u8, 8, 8);
            tables[kind][square] = Reach {
                rook: r.rook as u64,
                bishop: r.bishop as u64,
                leap: r.leap as u64,
                quiet: r.quiet as u64,
            };
            square += 1;
        }
        kind += 1;
    }
    tables
}

/// Tables of `N` kinds on 10x10, for White; made at compile time.
pub const fn tables10<const N: usize>(shapes: &[Shape; N]) -> [[Reach<u128>; 128]; N] {
    let mut tables = [[Reach { rook: 0, bishop: 0, leap: 0, quiet: 0 }; 128]; N];
    let mut kind = 0;
    while kind < N {
        let mut square = 0;
        while square < 100 {
            tables[kind][square] = shapes[kind].reach(Side::White, square as u8, 10, 10);
            square += 1;
        }
        kind += 1;
    }
    tables
}

/// An army: a source of attacks. Kinds known at compile time are passed as `K`, so that a constant
/// army compiles to just the look-ups that kind needs.
pub trait Army: Clone + Send + Sync + 'static {
    /// The board.
    type G: Geometry;

    /// Kinds, pawns included.
    fn kinds(&self) -> usize;

    /// What kind `K` of `side` reaches on an empty board, split by way of moving.
    fn reach<const K: usize>(&self, side: Side, square: Square) -> &Reach<<Self::G as Geometry>::Bits>;

    /// Squares that kind `K` of `side` on `square` attacks (could capture on).
    fn attacks<const K: usize>(
        &self,
        side: Side,
        square: Square,
        occupied: <Self::G as Geometry>::Bits,
    ) -> <Self::G as Geometry>::Bits;

    /// Squares that kind `K` of `side` on `square` slides to on an empty board.
    fn slides<const K: usize>(&self, side: Side, square: Square) -> <Self::G as Geometry>::Bits;

    /// Whether kind `K` has leaps to empty squares only.
    fn has_quiet<const K: usize>(&self) -> bool;

    /// Whether kind `K` leaps, moving or capturing.
    fn has_leaps<const K: usize>(&self) -> bool;

    /// Whether kind `K` slides (and so can pin and be blocked).
    fn has_slides<const K: usize>(&self) -> bool;
}

/// The pieces of a game as constants: shapes and the tables made of them, symmetric fore and aft so
/// that both sides share them.
pub trait Pieces: Copy + Default + Send + Sync + 'static {
    /// The board.
    type G: Geometry;
    /// Shapes in order of kind; the first two are the pawn (blank) and the king.
    const SHAPES: &'static [Shape];
    /// Tables of the shapes.
    const TABLES: &'static [<Self::G as Geometry>::Table];
}

/// An army whose tables are constants.
#[derive(Clone, Copy, Default, Debug)]
pub struct ConstArmy<P>(std::marker::PhantomData<P>);

impl<P: Pieces> Army for ConstArmy<P> {
    type G = P::G;

    #[inline(always)]
    fn kinds(&self) -> usize {
        P::SHAPES.len()
    }

    #[inline(always)]
    fn reach<const K: usize>(&self, _: Side, square: Square) -> &Reach<<P::G as Geometry>::Bits> {
        P::G::reach(&P::TABLES[K], square)
    }

    #[inline(always)]
    fn attacks<const K: usize>(
        &self,
        side: Side,
        square: Square,
        occupied: <P::G as Geometry>::Bits,
    ) -> <P::G as Geometry>::Bits {
        let reach = self.reach::<K>(side, square);
        let mut set = <P::G as Geometry>::Bits::EMPTY;
        if self.has_leaps::<K>() {
            set |= reach.leap;
        }
        if const { shape_of::<P>(K).has_rook() } {
            set |= match const { extent(shape_of::<P>(K), 0) } {
                Extent::Steps => reach.rook,
                Extent::Some => P::G::rook(square, occupied) & reach.rook,
                Extent::Full => P::G::rook(square, occupied),
            };
        }
        if const { shape_of::<P>(K).has_bishop() } {
            set |= match const { extent(shape_of::<P>(K), 1) } {
                Extent::Steps => reach.bishop,
                Extent::Some => P::G::bishop(square, occupied) & reach.bishop,
                Extent::Full => P::G::bishop(square, occupied),
            };
        }
        set
    }

    #[inline(always)]
    fn slides<const K: usize>(&self, side: Side, square: Square) -> <P::G as Geometry>::Bits {
        let shape = const { shape_of::<P>(K) };
        let reach = self.reach::<K>(side, square);
        // Only what the kind has is read: the other set is empty, but the compiler cannot know.
        match (shape.has_rook(), shape.has_bishop()) {
            (true, true) => reach.rook | reach.bishop,
            (true, false) => reach.rook,
            (false, _) => reach.bishop,
        }
    }

    #[inline(always)]
    fn has_quiet<const K: usize>(&self) -> bool {
        const { !shape_of::<P>(K).quiet_leaps.is_empty() }
    }

    #[inline(always)]
    fn has_leaps<const K: usize>(&self) -> bool {
        const { !shape_of::<P>(K).leaps.is_empty() }
    }

    #[inline(always)]
    fn has_slides<const K: usize>(&self) -> bool {
        const { shape_of::<P>(K).has_rook() || shape_of::<P>(K).has_bishop() }
    }
}

/// The shape of a kind; blank past the army's end, where generic code is compiled but never runs.
const fn shape_of<P: Pieces>(kind: usize) -> &'static Shape {
    if kind < P::SHAPES.len() { &P::SHAPES[kind] } else { &Shape::NONE }
}

/// How far slides go.
enum Extent {
    /// One square: nothing can stand before it, so that no line is looked along.
    Steps,
    /// To some distances.
    Some,
    /// To all, so that no mask is needed.
    Full,
}

/// How far a shape's slides go, of the directions every second one from `first`.
const fn extent(shape: &Shape, first: usize) -> Extent {
    let s = &shape.slides;
    let [a, b, c, d] = [s[first], s[first + 2], s[first + 4], s[first + 6]];
    if (a | b | c | d) & !ONE == 0 {
        Extent::Steps
    } else if a & b & c & d & ANY == ANY {
        Extent::Full
    } else {
        Extent::Some
    }
}

/// An army whose tables are made at run time, for each side its own.
#[derive(Clone)]
pub struct TableArmy<G: Geometry> {
    kinds: Arc<[TableKind<G>]>,
}

struct TableKind<G: Geometry> {
    tables: [Box<G::Table>; 2],
    rook: bool,
    bishop: bool,
    leaps: bool,
    quiet: bool,
}

/// A shape without the directions in which it goes one step only, and those: nothing can stand before a
/// step, so that it is a leap and needs no look along the line.
fn split_steps(shape: &Shape) -> (Shape, Shape) {
    let (mut slides, mut steps) = (*shape, Shape::NONE);
    for d in 0..8 {
        if shape.slides[d] == ONE {
            (slides.slides[d], steps.slides[d]) = (0, ONE);
        }
    }
    (slides, steps)
}

impl<G: Geometry> TableArmy<G> {
    /// The army of these shapes, in order of kind.
    pub fn new(shapes: &[Shape]) -> TableArmy<G> {
        let table = |slides: &Shape, steps: &Shape, side| {
            Box::new(G::table(|square| {
                let r = slides.reach(side, square, G::FILES, G::RANKS);
                let s = steps.reach(side, square, G::FILES, G::RANKS);
                Reach {
                    rook: G::Bits::from_u128(r.rook),
                    bishop: G::Bits::from_u128(r.bishop),
                    leap: G::Bits::from_u128(r.leap | s.rook | s.bishop),
                    quiet: G::Bits::from_u128(r.quiet),
                }
            }))
        };
        let kinds = shapes
            .iter()
            .map(|shape| {
                let (slides, steps) = split_steps(shape);
                TableKind {
                    tables: Side::BOTH.map(|side| table(&slides, &steps, side)),
                    rook: slides.has_rook(),
                    bishop: slides.has_bishop(),
                    leaps: !shape.leaps.is_empty() || steps.has_rook() || steps.has_bishop(),
                    quiet: !shape.quiet_leaps.is_empty(),
                }
            })
            .collect();
        TableArmy { kinds }
    }

    /// What a kind reaches on an empty board.
    #[inline(always)]
    pub fn reach_of(&self, kind: Kind, side: Side, square: Square) -> &Reach<G::Bits> {
        G::reach(&self.kinds[kind as usize].tables[side.index()], square)
    }

    /// Squares that a piece of `kind` attacks.
    #[inline(always)]
    pub fn attacks_of(&self, kind: Kind, side: Side, square: Square, occupied: G::Bits) -> G::Bits {
        let entry = &self.kinds[kind as usize];
        let reach = G::reach(&entry.tables[side.index()], square);
        let mut set = reach.leap;
        if entry.rook {
            set |= G::rook(square, occupied) & reach.rook;
        }
        if entry.bishop {
            set |= G::bishop(square, occupied) & reach.bishop;
        }
        set
    }
}

impl<G: Geometry> Army for TableArmy<G> {
    type G = G;

    #[inline(always)]
    fn kinds(&self) -> usize {
        self.kinds.len()
    }
    #[inline(always)]
    fn reach<const K: usize>(&self, side: Side, square: Square) -> &Reach<G::Bits> {
        self.reach_of(K as Kind, side, square)
    }
    #[inline(always)]
    fn attacks<const K: usize>(&self, side: Side, square: Square, occupied: G::Bits) -> G::Bits {
        self.attacks_of(K as Kind, side, square, occupied)
    }
    #[inline(always)]
    fn slides<const K: usize>(&self, side: Side, square: Square) -> G::Bits {
        let reach = self.reach_of(K as Kind, side, square);
        reach.rook | reach.bishop
    }
    #[inline(always)]
    fn has_quiet<const K: usize>(&self) -> bool {
        self.kinds[K].quiet
    }
    #[inline(always)]
    fn has_leaps<const K: usize>(&self) -> bool {
        self.kinds[K].leaps
    }
    #[inline(always)]
    fn has_slides<const K: usize>(&self) -> bool {
        self.kinds[K].rook || self.kinds[K].bishop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board8;

    #[test]
    fn a_lancer_knows_its_front() {
        let lancer = Shape { slides: [ANY, 0, ONE, 0, ONE, 0, ONE, 0], ..Shape::NONE };
        let army = TableArmy::<Board8>::new(&[lancer]);
        // From d4: White goes up the whole file, Black down.
        assert_eq!(army.attacks_of(0, Side::White, 27, 0).count(), 4 + 1 + 2);
        assert_eq!(army.attacks_of(0, Side::Black, 27, 0).count(), 3 + 1 + 2);
        assert!(army.attacks_of(0, Side::White, 27, u64::bit(43)).has(43));
        assert!(!army.attacks_of(0, Side::White, 27, u64::bit(43)).has(51));
        // Its steps need no look along the line.
        let reach = army.reach_of(0, Side::White, 27);
        assert_eq!((reach.leap.count(), reach.rook.count(), reach.bishop), (3, 4, 0));
    }

    #[test]
    fn no_square_reaches_more_than_is_said() {
        let knight = Shape { leaps: KNIGHT, ..Shape::NONE };
        let shapes = [
            Shape::rider(ANY, ANY),
            Shape::rider(ANY, 0),
            Shape::rider(0, ANY),
            Shape::rider(ONE, 0),
            knight,
        ];
        for shape in shapes {
            for size in [8, 10] {
                let reached = |square| {
                    let r = shape.reach(Side::White, square, size, size);
                    (r.rook | r.bishop | r.leap).count_ones() as usize
                };
                let most = (0..size * size).map(reached).max().unwrap();
                assert!(most <= shape.reaches_at_most(size, size), "{shape:?}: {most}");
            }
        }
        assert_eq!((shapes[1].reaches_at_most(10, 10), knight.reaches_at_most(8, 8)), (18, 8));
    }

    #[test]
    fn a_lame_slide_stops_only_at_its_distances() {
        let mageca_slide = Shape::rider(0b10100, 0);
        let army = TableArmy::<Board8>::new(&[mageca_slide]);
        let free = army.attacks_of(0, Side::White, 0, 0);
        assert_eq!(free, u64::bit(2) | u64::bit(4) | u64::bit(16) | u64::bit(32));
        // Something on the first square blocks both, on the second the second can be taken.
        assert_eq!(army.attacks_of(0, Side::White, 0, u64::bit(1)) & 0xff, 0);
        assert_eq!(army.attacks_of(0, Side::White, 0, u64::bit(2)) & 0xff, u64::bit(2));
    }
}
