//! What the games of the royal family differ in, as constants and a few options.

use super::Royal;
use crate::board::army::Pieces;
use crate::board::{Bits, Geometry};
use crate::game::Info;
use crate::moves::Kind;
use crate::options::Options;
use crate::search::{Search, Setup};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

/// The pawn's kind in every game of the family.
pub const PAWN: Kind = 0;
/// The king's.
pub const KING: Kind = 1;

/// Bits of a variant's board.
pub type BitsOf<V> = <<V as Variant>::G as Geometry>::Bits;

/// Which pawns on the third rank may go two squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThirdRank {
    /// None: one square from there, as in chess.
    One,
    /// Those that began on these files of the third rank and have not moved (bit 0 is file a).
    Unmoved(u16),
    /// All, however they got there.
    Two,
}

/// Where castling takes king and rook: files (0 is a) for the king's side and the queen's.
#[derive(Clone, Copy, Debug)]
pub struct Castling {
    /// The king's files after castling.
    pub king_to: [u8; 2],
    /// The rook's.
    pub rook_to: [u8; 2],
    /// King and rooks stand anywhere at first and moves are written king takes rook (Chess960);
    /// otherwise the king starts on this file and the rooks in the corners.
    pub king_from: Option<u8>,
}

/// The arrangement phase of Multi-chess and its relatives.
#[derive(Clone, Copy, Debug)]
pub struct Arrangement {
    /// Kinds the king may swap with.
    pub king_with: &'static [Kind],
    /// Kinds the queen may swap with.
    pub queen_with: &'static [Kind],
    /// White may bring about a mirrored position other than the standard one.
    pub mirrored: bool,
}

/// One set of squares per kind.
pub trait Sets<B>:
    Copy + Eq + Hash + Debug + Default + Send + Sync + Index<usize, Output = B> + IndexMut<usize>
{
}
impl<B, T> Sets<B> for T where
    T: Copy + Eq + Hash + Debug + Default + Send + Sync + Index<usize, Output = B> + IndexMut<usize>
{
}

/// A game of the family: pawns, one king a side that must not be left in check, and an army.
pub trait Variant: Clone + Send + Sync + Sized + 'static {
    /// The board.
    type G: Geometry;
    /// The army: kind 0 is the pawn, 1 the king; no piece moves differently to left and right.
    type P: Pieces<G = Self::G>;
    /// One set of squares per kind: an array as long as the army has kinds.
    type Sets: Sets<BitsOf<Self>>;

    /// What the game is.
    const INFO: &'static Info;
    /// The array before any ply.
    const START: &'static str;
    /// Squares a pawn may go from its side's second rank.
    const PAWN_REACH: u8;
    /// What pawns on the third rank may do.
    const THIRD_RANK: ThirdRank = ThirdRank::One;
    /// Castling.
    const CASTLING: Castling;
    /// The arrangement phase, if there is one.
    const ARRANGEMENT: Option<Arrangement> = None;
    /// The pieces that alone with their king can never checkmate a lone king; a test enumerates it.
    const LONE_PIECES_DRAW: &'static [Kind];
    /// Rule-of-thumb values in centipawns, by kind.
    const VALUES: &'static [i32];
    /// Weights of the evaluation, as TOML; without any, the rules of thumb.
    const WEIGHTS: Option<&'static str> = None;
    /// FEN fields, for errors.
    const FIELDS: &'static str =
        "placement, side to move, castling, en passant, half-move clock, move number";

    /// The variant's search, written by [`compiled_search!`](crate::compiled_search).
    fn compiled(game: Royal<Self>, setup: Setup<'_>) -> Box<dyn Search<Royal<Self>>>;

    /// The variant with these options.
    fn new(options: &Options) -> Self;

    /// How many squares straight behind a pawn an enemy pawn may land on to take it in passing, after
    /// it went `steps` squares to `landing` (its side's rank, from 1), by a first move or not.
    fn passed_squares(&self, steps: u8, landing: u8, first_move: bool) -> u8;

    /// Castling also asks that no square between king and rook be attacked.
    fn guards_up_to_rook(&self) -> bool {
        false
    }

    /// Squares castling must find unattacked are looked at with the king lifted off his own.
    fn lifts_king(&self) -> bool {
        true
    }

    /// Kinds a pawn may become.
    fn promotes_to(&self, kind: Kind) -> bool {
        kind > KING
    }

    /// Dead positions end the game.
    fn dead_positions(&self) -> bool;

    /// How many starts a randomised form draws from.
    fn setups() -> crate::game::Setups {
        crate::game::Setups::None
    }

    /// The FEN of a drawn start.
    fn setup(&self, _white: u64, _black: u64) -> Option<String> {
        None
    }
}

/// All squares of a rank seen from `side` (1 is its own first).
#[inline(always)]
pub fn rank_of<G: Geometry>(side: crate::side::Side, rank: u8) -> G::Bits {
    match side {
        crate::side::Side::White => G::rank(rank - 1),
        crate::side::Side::Black => G::rank(G::RANKS - rank),
    }
}

/// Every square one step straight ahead.
#[inline(always)]
pub fn ahead<G: Geometry>(side: crate::side::Side, set: G::Bits) -> G::Bits {
    match side {
        crate::side::Side::White => set.up(G::FILES as u32),
        crate::side::Side::Black => set.down(G::FILES as u32),
    }
}

/// Squares that pawns of `side` on `set` attack: towards file a and away from it.
#[inline(always)]
pub fn pawn_attacks<G: Geometry>(side: crate::side::Side, set: G::Bits) -> [G::Bits; 2] {
    let west = set.minus(G::file(0));
    let east = set.minus(G::file(G::FILES - 1));
    let n = G::FILES as u32;
    match side {
        crate::side::Side::White => [west.up(n - 1), east.up(n + 1)],
        crate::side::Side::Black => [west.down(n + 1), east.down(n - 1)],
    }
}

/// The square `steps` straight behind `square`, for `side`.
#[inline(always)]
pub fn behind<G: Geometry>(side: crate::side::Side, square: u8, steps: u8) -> u8 {
    match side {
        crate::side::Side::White => square.wrapping_sub(steps * G::FILES),
        crate::side::Side::Black => square + steps * G::FILES,
    }
}

/// The rank of a square seen from `side`, its own first rank being 1.
#[inline(always)]
pub fn rank_from<G: Geometry>(side: crate::side::Side, square: u8) -> u8 {
    let rank = square / G::FILES;
    match side {
        crate::side::Side::White => rank + 1,
        crate::side::Side::Black => G::RANKS - rank,
    }
}
