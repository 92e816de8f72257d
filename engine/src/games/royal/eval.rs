//! What the family's games add to evaluation: mobility, king safety, pawns, threats.

use super::generate::each_piece_kind;
use super::pawns::{rank_index, skeleton};
use super::variant::{BitsOf, KING, PAWN, ThirdRank, Variant, ahead};
use super::{Position, Royal};
use crate::board::army::{Army, Pieces};
use crate::board::{Bits, Geometry};
use crate::eval::{Accumulator, Evaluate, Layout, Pair, PawnStructure, Role};
use crate::moves::{Kind, Square};
use crate::side::Side;

/// Entries of a mobility table: 0 to 24 squares, more counting as 24.
const MOBILITY: usize = 25;
/// The first kind that is neither pawn nor king.
const PIECE: usize = 2;
/// Entries of the table of danger to a king.
const DANGER: usize = 48;

/// What it adds to that danger that a check along a rank or file could be given unanswered, and along a diagonal. A check
/// by a leap adds twice the leaper's fright.
const STRAIGHT_CHECK: i32 = 10;
const DIAGONAL_CHECK: i32 = 8;

/// Where the family's own terms stand, from the first of them.
pub(super) struct At {
    pub(super) mobility: usize,
    pub(super) danger: usize,
    pub(super) shelter: usize,
    pub(super) king_file: usize,
    pub(super) passed: usize,
    pub(super) blocked: usize,
    pub(super) own_king: usize,
    pub(super) enemy_king: usize,
    pub(super) pawn: usize,
    pub(super) supported: usize,
    pub(super) steps: usize,
    pub(super) pair: usize,
    pub(super) file: usize,
    pub(super) pawn_threat: usize,
    pub(super) lesser_threat: usize,
    pub(super) hanging: usize,
    pub(super) outpost: usize,
    pub(super) mop_up: usize,
}

/// Single pawn terms, in order.
#[derive(Clone, Copy)]
pub(super) enum PawnTerm {
    Doubled,
    Isolated,
    Phalanx,
    Loose,
}

impl PawnTerm {
    const ALL: [(&'static str, i32, i32); 4] =
        [("doubled", -8, -15), ("isolated", -12, -10), ("phalanx", 6, 3), ("loose", -8, -10)];
}

impl At {
    /// For an army of `kinds` besides pawn and king, whose pawns go `reach` squares at most.
    const fn new(kinds: usize, ranks: usize, reach: usize) -> At {
        let mobility = 0;
        let danger = mobility + kinds * MOBILITY;
        let shelter = danger + DANGER;
        let king_file = shelter + 7;
        let passed = king_file + 2;
        let blocked = passed + ranks;
        let own_king = blocked + ranks;
        let enemy_king = own_king + 1;
        let pawn = enemy_king + 1;
        let supported = pawn + PawnTerm::ALL.len();
        let steps = supported + ranks;
        let pair = steps + reach - 1;
        let file = pair + kinds;
        let pawn_threat = file + 2;
        let lesser_threat = pawn_threat + kinds;
        let hanging = lesser_threat + kinds;
        let outpost = hanging + kinds;
        let mop_up = outpost + kinds;
        At {
            mobility,
            danger,
            shelter,
            king_file,
            passed,
            blocked,
            own_king,
            enemy_king,
            pawn,
            supported,
            steps,
            pair,
            file,
            pawn_threat,
            lesser_threat,
            hanging,
            outpost,
            mop_up,
        }
    }
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    const KINDS: usize = V::P::SHAPES.len();
    /// Blocks of terms by kind begin with the first kind after pawn and king.
    pub(super) const AT: At = At::new(Self::KINDS - PIECE, V::G::RANKS as usize, V::PAWN_REACH as usize);
}

impl<V: Variant, A: Army<G = V::G>> Evaluate for Royal<V, A> {
    fn default_weights(&self) -> Option<&'static str> {
        V::WEIGHTS
    }

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
        let first = layout.len();
        let ranks = i32::from(V::G::RANKS);
        let names: Vec<&str> = V::INFO.pieces.iter().map(|p| p.name).collect();
        let value = |kind: usize| V::VALUES[kind];
        let each_kind = |layout: &mut Layout, group: &str, f: &dyn Fn(usize) -> Vec<Pair>| {
            for (kind, name) in names.iter().enumerate().skip(PIECE) {
                layout.add(format!("{group}.{name}"), f(kind));
            }
        };
        // What a square more is worth falls with the number of squares there are already.
        let mobility = |n: i32| Pair::new(5 * n - n * n / 10 - 30, 5 * n - n * n / 10 - 30);
        each_kind(layout, "mobility", &|_| (0..MOBILITY as i32).map(mobility).collect());
        debug_assert_eq!(layout.len() - first, Self::AT.danger);
        let danger = |n: i32| Pair::new(-(n * n / 4).min(350), -(n * n / 24).min(60));
        layout.add("king.danger", (0..DANGER as i32).map(danger).collect());
        layout.add("king.shelter", (0..7).map(|n| Pair::new(12 * n - 24, 0)).collect());
        layout.add("king.open_file", vec![Pair::new(-20, 0), Pair::new(-15, 0)]);
        debug_assert_eq!(layout.len() - first, Self::AT.passed);
        let passed = |rank: i32| {
            let way = (rank * 8 / ranks).max(1) - 1;
            Pair::new(3 * way * way, 6 * way * way)
        };
        layout.add("pawns.passed", (0..ranks).map(passed).collect());
        let blocked = |rank: i32| Pair::new(-passed(rank).mg as i32 / 2, -passed(rank).eg as i32 / 2);
        layout.add("pawns.blocked", (0..ranks).map(blocked).collect());
        layout.add("pawns.own_king", vec![Pair::new(0, -2)]);
        layout.add("pawns.enemy_king", vec![Pair::new(0, 4)]);
        for (name, mg, eg) in PawnTerm::ALL {
            layout.add(format!("pawns.{name}"), vec![Pair::new(mg, eg)]);
        }
        layout.add("pawns.supported", (0..ranks).map(|r| Pair::new(6 + 2 * r, 4 + 2 * r)).collect());
        debug_assert_eq!(layout.len() - first, Self::AT.steps);
        for name in ["two_steps", "three_steps"].iter().take(usize::from(V::PAWN_REACH) - 1) {
            layout.add_later(format!("pawns.{name}"), vec![Pair::new(2, 2)]);
        }
        let pair = |kind: usize| {
            let bound = V::P::SHAPES[kind].colour_bound;
            vec![if bound { Pair::new(25, 45) } else { Pair::default() }]
        };
        each_kind(layout, "pair", &pair);
        layout.add("rook.open_file", vec![Pair::new(12, 5), Pair::new(25, 10)]);
        debug_assert_eq!(layout.len() - first, Self::AT.pawn_threat);
        let share =
            |kind: usize, n: i32| vec![Pair::new(-value(kind).min(600) / n, -value(kind).min(600) / n)];
        each_kind(layout, "pawn_threat", &|kind| share(kind, 9));
        each_kind(layout, "lesser_threat", &|kind| share(kind, 14));
        each_kind(layout, "hanging", &|kind| share(kind, 12));
        each_kind(layout, "outpost", &|kind| {
            let minor = (200..500).contains(&value(kind));
            vec![if minor { Pair::new(20, 12) } else { Pair::default() }]
        });
        debug_assert_eq!(layout.len() - first, Self::AT.mop_up);
        super::mop_up::add_to(layout);
    }

    // Where the accumulator is known, its sum can stay in a register.
    #[inline(always)]
    fn own_terms<Acc: Accumulator>(&self, pos: &Position<V>, acc: &mut Acc) {
        if pos.arranging > 0 {
            return;
        }
        super::mop_up::terms(pos, Self::AT.mop_up, acc);
        if matches!(V::THIRD_RANK, ThirdRank::Unmoved(_)) {
            // Which pawns have moved does not show on the board.
            let number = |side| (pos.unmoved & pos.side(side)).count() as i32;
            acc.add(Self::AT.steps, Side::White, number(Side::White) - number(Side::Black));
        }
        let structure = acc.skeleton(&skeleton(pos), Self::pawns_and_kings);
        // Each side by name and not in a loop: which way its pawns go is then known when compiling.
        let mut white = Reached::new(pos, Side::White, &structure);
        let mut black = Reached::new(pos, Side::Black, &structure);
        self.pieces_of(pos, Side::White, &mut white, &black, &structure, acc);
        self.pieces_of(pos, Side::Black, &mut black, &white, &structure, acc);
        self.whole_side(pos, Side::White, &white, &black, &structure, acc);
        self.whole_side(pos, Side::Black, &black, &white, &structure, acc);
    }
}

/// What a side attacks.
struct Reached<B> {
    all: B,
    by_pawns: B,
    by_kind: [B; super::generate::MOST_KINDS],
    /// By kinds that slide along ranks or files, and by those that slide along diagonals.
    straight: B,
    diagonal: B,
    ring: B,
    king: Square,
    /// What the side's pieces do to the enemy king.
    danger: i32,
    attackers: i32,
}

impl<B: Bits> Reached<B> {
    #[inline(always)]
    fn new<V: Variant>(pos: &Position<V>, side: Side, structure: &PawnStructure) -> Reached<B>
    where
        V::G: Geometry<Bits = B>,
    {
        let by_pawns = B::from_u128(structure.attacks[side.index()]);
        Reached {
            all: by_pawns,
            by_pawns,
            by_kind: [B::EMPTY; super::generate::MOST_KINDS],
            straight: B::EMPTY,
            diagonal: B::EMPTY,
            ring: B::from_u128(structure.rings[side.index()]),
            king: pos.king(side),
            danger: 0,
            attackers: 0,
        }
    }
}

impl<V: Variant, A: Army<G = V::G>> Royal<V, A> {
    /// How much an attacker of a kind frightens a king: a quarter of its value in pawns.
    const fn fright(kind: usize) -> i32 {
        if kind < V::VALUES.len() { (V::VALUES[kind] + 175) / 250 } else { 0 }
    }

    /// Mobility, and what the pieces attack.
    #[inline(always)]
    fn pieces_of<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        own: &mut Reached<BitsOf<V>>,
        enemy: &Reached<BitsOf<V>>,
        structure: &PawnStructure,
        acc: &mut Acc,
    ) {
        let occupied = pos.occupied();
        let free = V::G::ALL.minus(pos.side(side) | enemy.by_pawns);
        let files = structure.files;
        own.by_kind[KING as usize] = own.ring;
        own.all |= own.ring;
        each_piece_kind!(self.army, |K| {
            let shape = &V::P::SHAPES[K];
            let mine = pos.of(side, K as Kind);
            let mut reached = BitsOf::<V>::EMPTY;
            for from in mine.squares() {
                let set = self.army.attacks::<K>(side, from, occupied);
                reached |= set;
                let mut squares = (set & free).count() as usize;
                if shape.reaches_at_most(V::G::FILES, V::G::RANKS) >= MOBILITY {
                    squares = squares.min(MOBILITY - 1);
                }
                acc.add(Self::AT.mobility + (K - PIECE) * MOBILITY + squares, side, 1);
                let near = (set & enemy.ring).count() as i32;
                own.attackers += i32::from(near > 0);
                own.danger += Self::fright(K) * near;
                if shape.has_rook() && !shape.has_bishop() && shape.leaps.is_empty() {
                    let on_file = |files: u16| files >> (from % V::G::FILES) & 1 == 1;
                    if !on_file(files[side.index()]) {
                        let open = usize::from(!on_file(files[side.other().index()]));
                        acc.add(Self::AT.file + open, side, 1);
                    }
                }
            }
            own.by_kind[K] = reached;
            own.all |= reached;
            if shape.has_rook() {
                own.straight |= reached;
            }
            if shape.has_bishop() {
                own.diagonal |= reached;
            }
            if shape.colour_bound {
                let dark = V::G::dark();
                if (mine & dark).any() && mine.minus(dark).any() {
                    acc.add(Self::AT.pair + K - PIECE, side, 1);
                }
            }
        });
    }

    /// A side's pieces on squares that its pawns hold for ever.
    #[inline(always)]
    fn outposts<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        own: &Reached<BitsOf<V>>,
        structure: &PawnStructure,
        acc: &mut Acc,
    ) {
        let held = BitsOf::<V>::from_u128(structure.outposts) & own.by_pawns & pos.side(side);
        for square in held.minus(pos.kinds[PAWN as usize] | pos.kinds[KING as usize]).squares() {
            acc.add(Self::AT.outpost + usize::from(pos.at(square)) - PIECE, side, 1);
        }
    }

    /// What is asked of a side once all attacks are known.
    #[inline(always)]
    fn whole_side<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        own: &Reached<BitsOf<V>>,
        enemy: &Reached<BitsOf<V>>,
        structure: &PawnStructure,
        acc: &mut Acc,
    ) {
        self.outposts(pos, side, own, structure, acc);
        self.king_safety(pos, side, own, enemy, acc);
        self.threats(pos, side, own, enemy, acc);
        self.blocked_pawns(pos, side, structure, acc);
    }

    /// The enemy's pieces about a side's king, and checks he could give unanswered.
    #[inline(always)]
    fn king_safety<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        own: &Reached<BitsOf<V>>,
        enemy: &Reached<BitsOf<V>>,
        acc: &mut Acc,
    ) {
        let mut danger = enemy.danger;
        let safe = V::G::ALL.minus(pos.side(side.other()) | own.all);
        // Along the king's lines one look serves all kinds: which of them could check him there counts little.
        let straight = V::G::rook(own.king, pos.occupied()) & safe & enemy.straight;
        let diagonal = V::G::bishop(own.king, pos.occupied()) & safe & enemy.diagonal;
        danger += STRAIGHT_CHECK * i32::from(straight.any()) + DIAGONAL_CHECK * i32::from(diagonal.any());
        each_piece_kind!(self.army, |K| {
            if self.army.has_leaps::<K>() {
                let leaps = self.army.reach::<K>(side, own.king).leap & safe & enemy.by_kind[K];
                danger += 2 * Self::fright(K) * i32::from(leaps.any());
            }
        });
        if enemy.attackers < 2 {
            danger /= 2;
        }
        let weak = (own.ring & enemy.all).minus(own.by_pawns).count() as i32;
        let index = (danger + weak).clamp(0, DANGER as i32 - 1) as usize;
        acc.add(Self::AT.danger + index, side, 1);
    }

    /// A side's pieces that are attacked by pawns, by cheaper pieces, or undefended.
    #[inline(always)]
    fn threats<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        own: &Reached<BitsOf<V>>,
        enemy: &Reached<BitsOf<V>>,
        acc: &mut Acc,
    ) {
        let attacked = pos.side(side) & enemy.all;
        if attacked.is_empty() {
            return;
        }
        let loose = attacked.minus(own.all);
        let pawns = (loose & pos.kinds[PAWN as usize]).count() as i32;
        acc.add(Self::AT.pawn + PawnTerm::Loose as usize, side, pawns);
        let mut count = |term: usize, kind: usize, set: BitsOf<V>| {
            if set.any() {
                acc.add(term + kind - PIECE, side, set.count() as i32);
            }
        };
        each_piece_kind!(self.army, |K| {
            let mine = attacked & pos.kinds[K];
            if mine.any() {
                count(Self::AT.pawn_threat, K, mine & enemy.by_pawns);
                let mut lesser = BitsOf::<V>::EMPTY;
                for kind in 2..Self::KINDS {
                    if V::VALUES[kind] < V::VALUES[K] {
                        lesser |= enemy.by_kind[kind];
                    }
                }
                count(Self::AT.lesser_threat, K, (mine & lesser).minus(enemy.by_pawns));
                count(Self::AT.hanging, K, mine & loose);
            }
        });
    }

    /// A side's passed pawns that something stands before.
    #[inline(always)]
    fn blocked_pawns<Acc: Accumulator>(
        &self,
        pos: &Position<V>,
        side: Side,
        structure: &PawnStructure,
        acc: &mut Acc,
    ) {
        let passed = BitsOf::<V>::from_u128(structure.passed) & pos.side(side);
        for square in (passed & ahead::<V::G>(side.other(), pos.occupied())).squares() {
            acc.add(Self::AT.blocked + rank_index::<V::G>(side, square), side, 1);
        }
    }
}
