//! The trait that every game implements, and the data that describes a game.

use crate::moves::{Kind, Move, Square};
use crate::options::{OptionSpec, Options};
use crate::outcome::Ending;
use crate::side::Side;
use std::fmt::Debug;
use std::hash::Hash;

/// What generic code may do with a game. Constants, so that a search compiled for a game contains
/// only what the game allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// A side may be in check, and must answer it.
    pub check: bool,
    /// Moves take enemy pieces off by moving on to them: quiescence and static exchange make sense.
    pub captures: bool,
    /// Captured pieces come back by drops.
    pub drops: bool,
    /// A position can recur only within the span of the half-move clock.
    pub clock_bounds_repetition: bool,
    /// Plies without progress after which a game is drawn (100), if the game has the rule.
    pub fifty_move_plies: Option<u16>,
}

/// One kind of piece, as text and pictures need it.
#[derive(Clone, Copy, Debug)]
pub struct PieceInfo {
    /// Upper-case FEN letter.
    pub letter: char,
    /// English name, lower case.
    pub name: &'static str,
    /// What it does, in one or two sentences.
    pub doc: &'static str,
}

/// What a game is, for people and logs.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Name on the command line and in logs.
    pub name: &'static str,
    /// Full title.
    pub title: &'static str,
    /// Inventor and year.
    pub inventor: &'static str,
    /// One sentence on what is unlike chess.
    pub summary: &'static str,
    /// The pieces; a [`Kind`] indexes them.
    pub pieces: &'static [PieceInfo],
    /// Whether a1 is a dark square, for pictures.
    pub a1_dark: bool,
    /// Rule options.
    pub options: &'static [OptionSpec],
    /// What was rebuilt because the inventor's text is lost, one sentence each; shown with every result.
    pub reconstructed: &'static [&'static str],
}

/// How many set-ups a randomised start draws from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setups {
    /// The game has one start.
    None,
    /// Both sides get the same of so many (chess960: 960).
    Shared(u64),
    /// Each side gets its own of so many (Multi-chess: 8; MChess: all placements).
    PerSide(u64),
}

/// Follows the pieces through a move, for scores kept incrementally.
pub trait Observer {
    /// A piece appears on a square.
    fn put(&mut self, side: Side, kind: Kind, square: Square);
    /// A piece leaves a square.
    fn lift(&mut self, side: Side, kind: Kind, square: Square);
    /// A side's hand changes by `n` pieces of `kind`.
    fn hand(&mut self, side: Side, kind: Kind, n: i32);
}

/// Watches nothing, costs nothing.
impl Observer for () {
    #[inline(always)]
    fn put(&mut self, _: Side, _: Kind, _: Square) {}
    #[inline(always)]
    fn lift(&mut self, _: Side, _: Kind, _: Square) {}
    #[inline(always)]
    fn hand(&mut self, _: Side, _: Kind, _: i32) {}
}

/// Which legal moves to generate. `Noisy` and `Quiet` are disjoint and together are `All`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// All legal moves.
    All,
    /// Captures and promotions (what quiescence looks at); a game without captures decides what is noisy.
    Noisy,
    /// The rest.
    Quiet,
}

/// What ordering and pruning want to know of a legal move before it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFacts {
    /// The kind that moves or is dropped.
    pub mover: Kind,
    /// The kind captured, if any.
    pub captured: Option<Kind>,
    /// Whether [`Which::Noisy`] generates it.
    pub noisy: bool,
}

/// A game: its rules with their options resolved, immutable and cheap to clone.
///
/// A [`Game::State`] is a position without history. Positions are copied, not unmade: `play` changes a
/// copy. Nothing assumes that the side to move alternates. Text (UCI, FEN) goes through
/// [`crate::notation`]; draw rules that need history are in [`crate::referee`].
pub trait Game: Clone + Send + Sync + 'static {
    /// A position.
    type State: Clone + PartialEq + Eq + Hash + Debug + Send + Sync;

    /// What generic code may do with this game.
    const CAPS: Caps;
    /// Files of the board.
    const FILES: u8;
    /// Ranks of the board.
    const RANKS: u8;

    /// What the game is.
    fn info(&self) -> &'static Info;

    /// The rule options in force.
    fn options(&self) -> &Options;

    /// The array before any ply.
    fn start(&self) -> Self::State;

    /// The starts that a randomised form of the game draws from.
    fn setups(&self) -> Setups {
        Setups::None
    }

    /// The start for set-up numbers `white` and `black`, each below the count in [`Game::setups`] (the
    /// same number twice for [`Setups::Shared`]). `None` if the game forbids the pair: draw again.
    fn setup(&self, _white: u64, _black: u64) -> Option<Self::State> {
        None
    }

    /// Set-ups of a side that have names, for a game with too many to list: (name, number).
    fn named_setups(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// The number of a side's set-up that is written out, or what is wrong with it.
    fn setup_number(&self, text: &str) -> Result<u64, String> {
        Err(format!("`{text}` is no set-up: this game's set-ups are not written out"))
    }

    /// A side's set-up written out, where that is done.
    fn setup_text(&self, _number: u64) -> Option<String> {
        None
    }

    /// Whose action it is.
    fn side_to_move(&self, state: &Self::State) -> Side;

    /// Hash key of all that makes two positions the same (not of clocks). Kept incrementally by `play`.
    fn key(&self, state: &Self::State) -> u64;

    /// The key computed from scratch; equals [`Game::key`].
    fn fresh_key(&self, state: &Self::State) -> u64;

    /// What [`Game::key`] will most likely be after a legal move, if that can be told at next to no cost: a guess, by
    /// which memory is fetched.
    fn key_foreseen(&self, _state: &Self::State, _m: Move, _facts: MoveFacts) -> Option<u64> {
        None
    }

    /// (plies since the last irreversible move, full-move number).
    fn clocks(&self, state: &Self::State) -> (u16, u32);

    /// Appends the legal moves to `out`, in a fixed order. None if the position is decided.
    fn generate(&self, state: &Self::State, which: Which, out: &mut Vec<Move>);

    /// The number of legal moves, counted without listing them where that is quicker.
    fn count(&self, state: &Self::State) -> u64 {
        let mut list = Vec::new();
        self.generate(state, Which::All, &mut list);
        list.len() as u64
    }

    /// Whether `m`, a legal move of some position of the game, is legal in this one. `scratch` is room to
    /// list moves in; what it holds is left as it was.
    fn is_legal(&self, state: &Self::State, m: Move, scratch: &mut Vec<Move>) -> bool {
        let first = scratch.len();
        self.generate(state, Which::All, scratch);
        let found = scratch[first..].contains(&m);
        scratch.truncate(first);
        found
    }

    /// Makes a legal move.
    fn play(&self, state: &mut Self::State, m: Move, observer: &mut impl Observer);

    /// The ending that the position alone decides (checkmate, stalemate, annihilation ...), if any.
    fn ending(&self, state: &Self::State) -> Option<Ending>;

    /// Whether no win can arise any more by the game's list of dead positions.
    fn is_dead(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether the side to move is in check. Always false where `CAPS.check` is.
    fn in_check(&self, _state: &Self::State) -> bool {
        false
    }

    /// What ordering and pruning want to know of a legal move.
    fn facts(&self, state: &Self::State, m: Move) -> MoveFacts;

    /// Calls `f` for every piece on the board: side, kind, square, in order of squares.
    fn pieces(&self, state: &Self::State, f: &mut dyn FnMut(Side, Kind, Square));

    /// For every square, the squares that a lone piece of `kind` standing there controls on an empty board:
    /// for pictures and for claims decided by enumeration. Empty if the game does not say.
    fn reach(&self, _side: Side, _kind: Kind) -> Vec<Vec<Square>> {
        Vec::new()
    }

    /// Whether a position with left and right exchanged is as good as the position itself, so that the two
    /// count as one opening.
    fn is_left_right_symmetric(&self) -> bool {
        false
    }

    /// Pieces of `kind` in a side's hand. Always 0 without drops.
    fn in_hand(&self, _state: &Self::State, _side: Side, _kind: Kind) -> u8 {
        0
    }

    /// The position with colours exchanged and the board turned over rank by rank, if the game has one here.
    fn mirrored(&self, state: &Self::State) -> Option<Self::State>;

    /// Reads a position, refusing what cannot be one with an error that quotes and explains.
    fn parse_fen(&self, text: &str) -> Result<Self::State, crate::notation::FenError>;

    /// Writes a position; [`Game::parse_fen`] reads it back to an equal state.
    fn fen(&self, state: &Self::State) -> String;

    /// A legal move in UCI, as the rules pages name it.
    fn uci(&self, state: &Self::State, m: Move) -> String;
}
