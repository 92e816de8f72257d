//! The chess family on 8x8: orthodox chess and chess960, the control games whose answers are known;
//! Multi-chess (Mats Winther) and Chess484, where each side rearranges king and queen first.

use super::royal::{Arrangement, Castling, Royal, Variant, arrays};
use crate::board::Board8;
use crate::board::army::{ANY, Pieces, Shape, tables8};
use crate::board::{Geometry, Reach};
use crate::game::{Game, Info, PieceInfo, Setups};
use crate::moves::Kind;
use crate::options::{OptionSpec, Options, Provenance};
use crate::search::{Search, Setup};

/// Which game of the family.
pub trait Member: Clone + Send + Sync + 'static {
    /// What the game is.
    const INFO: &'static Info;
    /// The array before any ply.
    const START: &'static str;
    /// FEN fields.
    const FIELDS: &'static str;
    /// The king's file at first, where it is fixed.
    const KING_FROM: Option<u8>;
    /// The arrangement phase.
    const ARRANGEMENT: Option<Arrangement>;
    /// How many starts a randomised form draws from.
    const SETUPS: Setups;
    /// The game's search, written by [`compiled_search!`](crate::compiled_search).
    fn compiled(game: Royal<ChessRules<Self>>, setup: Setup<'_>) -> Box<dyn Search<Royal<ChessRules<Self>>>>;
    /// The FEN of a drawn start.
    fn setup(_white: u64, _black: u64) -> Option<String> {
        None
    }
}

const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const BEFORE_ARRANGEMENT: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 kqKQ";
const SIX_FIELDS: &str = "placement, side to move, castling, en passant, half-move clock, move number";
const SEVEN_FIELDS: &str =
    "placement, side to move, castling, en passant, half-move clock, move number, actions to come";

/// Rules of a game of the family.
#[derive(Clone, Debug)]
pub struct ChessRules<M> {
    king_to_rook: bool,
    dead_positions: bool,
    member: std::marker::PhantomData<M>,
}

/// The chess army.
#[derive(Clone, Copy, Default, Debug)]
pub struct ChessPieces;

const KNIGHT_KIND: Kind = 5;
const BISHOP_KIND: Kind = 4;
const QUEEN_KIND: Kind = 2;

const SHAPES: [Shape; 6] = [
    Shape::NONE,
    super::KING_SHAPE,
    Shape::rider(ANY, ANY),
    Shape::rider(ANY, 0),
    super::BISHOP_SHAPE,
    super::KNIGHT_SHAPE,
];

static TABLES: [[Reach<u64>; 64]; 6] = tables8(&SHAPES);

impl Pieces for ChessPieces {
    type G = Board8;
    const SHAPES: &'static [Shape] = &SHAPES;
    const TABLES: &'static [<Board8 as Geometry>::Table] = &TABLES;
}

const PIECES: &[PieceInfo] = &[
    PieceInfo {
        letter: 'P',
        name: "pawn",
        doc: "One square straight ahead, two from its own second rank; captures diagonally; takes in passing.",
    },
    PieceInfo { letter: 'K', name: "king", doc: "One square any way; castles." },
    PieceInfo { letter: 'Q', name: "queen", doc: "Any distance along rank, file or diagonal." },
    PieceInfo { letter: 'R', name: "rook", doc: "Any distance along rank or file." },
    PieceInfo { letter: 'B', name: "bishop", doc: "Any distance along a diagonal." },
    PieceInfo { letter: 'N', name: "knight", doc: "Leaps two squares one way and one the other." },
];

const THREAT: OptionSpec = OptionSpec {
    name: "castling_threat",
    values: &["king-to-rook", "king-path"],
    provenance: Provenance::Seed,
    free: None,
    doc: "Squares castling must find unattacked: all from king to rook, by the inventor's first text, or the king's path alone, by Chess960's rule and his later text.",
};

impl<M: Member> Variant for ChessRules<M> {
    type G = Board8;
    type P = ChessPieces;
    type Sets = [u64; 6];

    const INFO: &'static Info = M::INFO;
    const START: &'static str = M::START;
    const PAWN_REACH: u8 = 2;
    const CASTLING: Castling = Castling { king_to: [6, 2], rook_to: [5, 3], king_from: M::KING_FROM };
    const ARRANGEMENT: Option<Arrangement> = M::ARRANGEMENT;
    const LONE_PIECES_DRAW: &'static [Kind] = &[BISHOP_KIND, KNIGHT_KIND];
    const VALUES: &'static [i32] = &[100, 0, 950, 525, 350, 325];
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../../data/eval/chess.toml"));
    const FIELDS: &'static str = M::FIELDS;

    fn compiled(game: Royal<Self>, setup: Setup<'_>) -> Box<dyn Search<Royal<Self>>> {
        M::compiled(game, setup)
    }

    fn new(options: &Options) -> Self {
        ChessRules {
            king_to_rook: options.get(THREAT.name) == "king-to-rook",
            dead_positions: super::dead_positions(options),
            member: std::marker::PhantomData,
        }
    }

    fn passed_squares(&self, steps: u8, landing: u8, _first_move: bool) -> u8 {
        (steps == 2 && landing == 4) as u8
    }

    fn guards_up_to_rook(&self) -> bool {
        self.king_to_rook
    }

    fn dead_positions(&self) -> bool {
        self.dead_positions
    }

    fn setups() -> Setups {
        M::SETUPS
    }

    fn setup(&self, white: u64, black: u64) -> Option<String> {
        M::setup(white, black)
    }
}

/// Orthodox chess.
#[derive(Clone, Debug)]
pub struct Orthodox;
/// Chess960.
#[derive(Clone, Debug)]
pub struct Fischer;
/// Multi-chess.
#[derive(Clone, Debug)]
pub struct Multi;
/// Chess484.
#[derive(Clone, Debug)]
pub struct Regroupment;

/// What chess is.
pub static CHESS: Info = Info {
    name: "chess",
    title: "Orthodox chess",
    inventor: "traditional",
    summary: "the control game: its answers are known",
    pieces: PIECES,
    a1_dark: true,
    options: &[super::DEAD_POSITIONS],
    reconstructed: &[],
};
/// What chess960 is.
pub static CHESS960: Info = Info {
    name: "chess960",
    title: "Chess960",
    inventor: "Robert Fischer",
    summary: "orthodox chess from 960 mirrored starts: the control game of Multi-chess",
    ..CHESS
};
/// What Multi-chess is.
pub static MULTI_CHESS: Info = Info {
    name: "multi-chess",
    title: "Multi-chess (Chess57)",
    inventor: "Mats Winther, 2010",
    summary: "orthodox chess after each side has rearranged king and queen: 57 starts",
    a1_dark: true,
    options: MULTI_OPTIONS,
    ..CHESS
};
/// What Chess484 is.
pub static CHESS484: Info = Info {
    name: "chess484",
    title: "Chess484 (Regroupment Random Chess)",
    inventor: "Mats Winther",
    summary: "Multi-chess with knights among the pieces swapped and mirrored arrays allowed: 484 starts",
    options: &[THREAT, super::DEAD_POSITIONS],
    ..CHESS
};

const MULTI_OPTIONS: &[OptionSpec] = &[THREAT, super::DEAD_POSITIONS];

impl Member for Orthodox {
    const INFO: &'static Info = &CHESS;
    const START: &'static str = STANDARD;
    const FIELDS: &'static str = SIX_FIELDS;
    const KING_FROM: Option<u8> = Some(4);
    const ARRANGEMENT: Option<Arrangement> = None;
    const SETUPS: Setups = Setups::None;
    crate::compiled_search!(Royal<ChessRules<Self>>);
}

impl Member for Fischer {
    const INFO: &'static Info = &CHESS960;
    const START: &'static str = STANDARD;
    const FIELDS: &'static str = SIX_FIELDS;
    const KING_FROM: Option<u8> = None;
    const ARRANGEMENT: Option<Arrangement> = None;
    const SETUPS: Setups = Setups::Shared(960);
    crate::compiled_search!(Royal<ChessRules<Self>>);

    fn setup(white: u64, black: u64) -> Option<String> {
        (white == black && white < 960).then(|| start_fen(&scharnagl(white), &scharnagl(black), ""))
    }
}

impl Member for Multi {
    const INFO: &'static Info = &MULTI_CHESS;
    const START: &'static str = BEFORE_ARRANGEMENT;
    const FIELDS: &'static str = SEVEN_FIELDS;
    const KING_FROM: Option<u8> = None;
    const ARRANGEMENT: Option<Arrangement> = Some(Arrangement {
        king_with: &[QUEEN_KIND, BISHOP_KIND],
        queen_with: &[BISHOP_KIND],
        mirrored: false,
    });
    const SETUPS: Setups = Setups::PerSide(8);
    crate::compiled_search!(Royal<ChessRules<Self>>);

    /// Mirrored pairs other than the standard one are barred.
    fn setup(white: u64, black: u64) -> Option<String> {
        arranged::<Self>(white, black).filter(|_| white != black || white == 0)
    }
}

impl Member for Regroupment {
    const INFO: &'static Info = &CHESS484;
    const START: &'static str = BEFORE_ARRANGEMENT;
    const FIELDS: &'static str = SEVEN_FIELDS;
    const KING_FROM: Option<u8> = None;
    const ARRANGEMENT: Option<Arrangement> = Some(Arrangement {
        king_with: &[QUEEN_KIND, BISHOP_KIND, KNIGHT_KIND],
        queen_with: &[BISHOP_KIND, KNIGHT_KIND],
        mirrored: true,
    });
    const SETUPS: Setups = Setups::PerSide(22);
    crate::compiled_search!(Royal<ChessRules<Self>>);

    fn setup(white: u64, black: u64) -> Option<String> {
        arranged::<Self>(white, black)
    }
}

/// The start with these arrays (upper-case letters by file), White to move; `tail` holds extra fields.
fn start_fen(white: &str, black: &str, tail: &str) -> String {
    format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1{tail}", black.to_lowercase())
}

fn arranged<M: Member>(white: u64, black: u64) -> Option<String> {
    let game = Royal::<ChessRules<M>>::new(Options::default());
    let all = arrays::<ChessRules<M>>(&game.start(), &M::ARRANGEMENT?);
    Some(start_fen(all.get(white as usize)?, all.get(black as usize)?, " -"))
}

/// The array of a Chess960 start by its number, 0 to 959 (R. Scharnagl's numbering; 518 is orthodox).
pub fn scharnagl(number: u64) -> String {
    let mut files = [None; 8];
    let mut n = number % 960;
    let mut digit = |base: u64| {
        let d = n % base;
        n /= base;
        d as usize
    };
    files[digit(4) * 2 + 1] = Some('B');
    files[digit(4) * 2] = Some('B');
    let place = |files: &mut [Option<char>; 8], nth: usize, letter| {
        let free: Vec<usize> = (0..8).filter(|&f| files[f].is_none()).collect();
        files[free[nth]] = Some(letter);
    };
    let queen = digit(6);
    place(&mut files, queen, 'Q');
    // The two knights' places among the five squares left.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = KNIGHTS[digit(10)];
    place(&mut files, second, 'N');
    place(&mut files, first, 'N');
    for letter in ['R', 'K', 'R'] {
        place(&mut files, 0, letter);
    }
    files.into_iter().flatten().collect()
}

/// Orthodox chess.
pub type Chess = Royal<ChessRules<Orthodox>>;
/// Chess960.
pub type Chess960 = Royal<ChessRules<Fischer>>;
/// Multi-chess.
pub type MultiChess = Royal<ChessRules<Multi>>;
/// Chess484.
pub type Chess484 = Royal<ChessRules<Regroupment>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scharnagl_numbers() {
        assert_eq!(scharnagl(518), "RNBQKBNR");
        assert_eq!(scharnagl(0), "BBQNNRKR");
        assert_eq!(scharnagl(959), "RKRNNQBB");
        let all: std::collections::HashSet<String> = (0..960).map(scharnagl).collect();
        assert_eq!(all.len(), 960);
    }
}
