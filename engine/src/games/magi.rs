//! Magi (Neal Meyer): 10x10, with Duke, Cardinal and Wizard, pawns of several steps, and a payoff
//! matrix ([`crate::payoff`]) in place of win, draw and loss.

use super::royal::{Castling, Royal, ThirdRank, Variant};
use crate::board::Board10;
use crate::board::army::{ANY, KNIGHT, ONE, Pieces, Shape, tables10};
use crate::board::{Geometry, Reach};
use crate::game::{Info, PieceInfo};
use crate::moves::Kind;
use crate::options::{OptionSpec, Options, Provenance};

/// The game.
pub type Magi = Royal<MagiRules>;

/// What Magi is.
pub static INFO: Info = Info {
    name: "magi",
    title: "Magi",
    inventor: "Neal Meyer",
    summary: "10x10 with Duke, Cardinal and Wizard; multi-step pawns; 12 points a game shared by a payoff matrix of move bands",
    pieces: &[
        PieceInfo {
            letter: 'P',
            name: "pawn",
            doc: "One square straight ahead, captures diagonally; its first move may be 1-3 squares from the second rank, 1-2 from where it began on the third. Taken in passing on any square it passed from the third rank on.",
        },
        PieceInfo { letter: 'K', name: "king", doc: "One square any way. Castles by three squares." },
        PieceInfo { letter: 'Q', name: "queen", doc: "Any distance along rank, file or diagonal." },
        PieceInfo { letter: 'R', name: "rook", doc: "Any distance along rank or file." },
        PieceInfo { letter: 'B', name: "bishop", doc: "Any distance along a diagonal." },
        PieceInfo { letter: 'N', name: "knight", doc: "Leaps two squares one way and one the other." },
        PieceInfo {
            letter: 'D',
            name: "duke",
            doc: "One to three squares along rank or file; does not leap.",
        },
        PieceInfo { letter: 'C', name: "cardinal", doc: "As a bishop, or one square along rank or file." },
        PieceInfo {
            letter: 'W',
            name: "wizard",
            doc: "One square along rank or file; leaps two squares diagonally; leaps as a knight.",
        },
    ],
    a1_dark: true,
    options: OPTIONS,
    reconstructed: &[
        "The payoff matrix: the inventor's picture is lost; his text fixes 12-0 before move 45, 10-2 at 68, 9-3 from 76, 8-4 from 91.",
    ],
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "checkmate_unoffered",
        values: &["full", "banded"],
        provenance: Provenance::Choice,
        free: None,
        doc: "What a checkmate pays that no refused resignation came before: the whole stake, or the band of the mating move.",
    },
    OptionSpec {
        name: "refused_draw_starts_bands",
        values: &["false", "true"],
        provenance: Provenance::Choice,
        free: None,
        doc: "A refused draw offer makes later checkmates pay by band, as a refused resignation does.",
    },
    OptionSpec {
        name: "move_rule",
        values: &["true", "false"],
        provenance: Provenance::Choice,
        free: None,
        doc: "A game still running after the matrix's last move (150) is 0-0; the inventor leaves it optional.",
    },
    super::DEAD_POSITIONS,
];

/// Magi's rules.
#[derive(Clone, Debug)]
pub struct MagiRules {
    dead_positions: bool,
}

/// Magi's army.
#[derive(Clone, Copy, Default, Debug)]
pub struct MagiPieces;

const SHAPES: [Shape; 9] = [
    Shape::NONE,
    super::KING_SHAPE,
    Shape::rider(ANY, ANY),
    Shape::rider(ANY, 0),
    super::BISHOP_SHAPE,
    super::KNIGHT_SHAPE,
    // Duke: one, two or three squares.
    Shape::rider(0b1110, 0),
    Shape::rider(ONE, ANY),
    Shape { leaps: WIZARD, ..Shape::NONE },
];

const WIZARD: &[(i8, i8)] = &[
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (2, 2),
    (2, -2),
    (-2, -2),
    (-2, 2),
    KNIGHT[0],
    KNIGHT[1],
    KNIGHT[2],
    KNIGHT[3],
    KNIGHT[4],
    KNIGHT[5],
    KNIGHT[6],
    KNIGHT[7],
];

static TABLES: [[Reach<u128>; 128]; 9] = tables10(&SHAPES);

impl Pieces for MagiPieces {
    type G = Board10;
    const SHAPES: &'static [Shape] = &SHAPES;
    const TABLES: &'static [<Board10 as Geometry>::Table] = &TABLES;
}

impl Variant for MagiRules {
    type G = Board10;
    type P = MagiPieces;
    type Sets = [u128; 9];

    const INFO: &'static Info = &INFO;
    const START: &'static str =
        "rnbcqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR w KQkq - 0 1 d3g3d8g8";
    const PAWN_REACH: u8 = 3;
    const THIRD_RANK: ThirdRank = ThirdRank::Unmoved(1 << 3 | 1 << 6);
    const CASTLING: Castling = Castling { king_to: [8, 2], rook_to: [7, 3], king_from: Some(5) };
    const LONE_PIECES_DRAW: &'static [Kind] = &[4, 5];
    const VALUES: &'static [i32] = &[100, 0, 950, 525, 350, 275, 350, 475, 450];
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../../data/eval/magi.toml"));
    const FIELDS: &'static str =
        "placement, side to move, castling, en passant, half-move clock, move number, unmoved pawns";

    crate::compiled_search!(Royal<Self>);

    fn new(options: &Options) -> Self {
        MagiRules { dead_positions: super::dead_positions(options) }
    }

    /// A first move straight to rank 4 or 5 exposes the pawn on the squares from rank 3 to the one
    /// behind it, whatever its step: d3-d4 exposes d3.
    fn passed_squares(&self, _steps: u8, landing: u8, first_move: bool) -> u8 {
        if first_move && (4..=5).contains(&landing) { landing - 3 } else { 0 }
    }

    fn dead_positions(&self) -> bool {
        self.dead_positions
    }
}
