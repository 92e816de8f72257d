//! Mageca Chess (Simon Jepps): 10x10, with the Mageca, a lame colour-bound slider, and knights that
//! leap further from the corner courts.

use super::royal::{Castling, Royal, ThirdRank, Variant};
use crate::board::Board10;
use crate::board::army::{ANY, KNIGHT, ONE, Pieces, Shape, tables10};
use crate::board::{Geometry, Reach};
use crate::game::{Info, PieceInfo};
use crate::moves::Kind;
use crate::options::{OptionSpec, Options, Provenance};

/// The game.
pub type Mageca = Royal<MagecaRules>;

/// What Mageca is.
pub static INFO: Info = Info {
    name: "mageca",
    title: "Mageca Chess",
    inventor: "Simon Edward Jepps",
    summary: "10x10 with two Magecas a side and knights that make camel leaps out of the corner courts",
    pieces: &[
        PieceInfo {
            letter: 'P',
            name: "pawn",
            doc: "From the second rank 1-3 squares, from the third 1-2, else one; captures diagonally. Taken in passing, after 2 or 3 squares, only by a pawn directly beside it.",
        },
        PieceInfo { letter: 'K', name: "king", doc: "One square any way. Castles by three squares." },
        PieceInfo { letter: 'Q', name: "queen", doc: "Any distance along rank, file or diagonal." },
        PieceInfo { letter: 'R', name: "rook", doc: "Any distance along rank or file." },
        PieceInfo { letter: 'B', name: "bishop", doc: "Any distance along a diagonal." },
        PieceInfo {
            letter: 'N',
            name: "knight",
            doc: "As in chess; from a corner court (2x2 squares in each corner) it may also leap three squares one way and one the other, to an empty square only.",
        },
        PieceInfo {
            letter: 'M',
            name: "mageca",
            doc: "To the second or fourth square along rank or file, all before it empty; one square diagonally; leaps two squares diagonally to an empty square only. Never leaves its square colour.",
        },
    ],
    a1_dark: false,
    options: OPTIONS,
    reconstructed: &[],
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "promote_to_mageca",
        values: &["true", "false"],
        provenance: Provenance::Choice,
        free: None,
        doc: "A pawn may become a Mageca; the inventor is silent.",
    },
    OptionSpec {
        name: "castling_lifts_king",
        values: &["true", "false"],
        provenance: Provenance::Choice,
        free: None,
        doc: "Squares that castling must find unattacked are looked at with the king lifted off his own.",
    },
    OptionSpec {
        name: "ep_passed",
        values: &["false", "true"],
        provenance: Provenance::Experiment,
        free: None,
        doc: "Pawns may also take, on any square it passed, a pawn that did not stop beside them.",
    },
    super::DEAD_POSITIONS,
];

/// Mageca's rules.
#[derive(Clone, Debug)]
pub struct MagecaRules {
    promote_to_mageca: bool,
    lifts_king: bool,
    ep_passed: bool,
    dead_positions: bool,
}

const MAGECA: Kind = 6;

/// Mageca's army.
#[derive(Clone, Copy, Default, Debug)]
pub struct MagecaPieces;

const SHAPES: [Shape; 7] = [
    Shape::NONE,
    super::KING_SHAPE,
    Shape::rider(ANY, ANY),
    Shape::rider(ANY, 0),
    super::BISHOP_SHAPE,
    Shape {
        leaps: KNIGHT,
        quiet_leaps: &[(1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3)],
        quiet_zone: CORNER_COURTS,
        ..Shape::NONE
    },
    Shape {
        slides: Shape::rider(0b1_0100, ONE).slides,
        quiet_leaps: &[(2, 2), (2, -2), (-2, -2), (-2, 2)],
        colour_bound: true,
        ..Shape::NONE
    },
];

/// Files a, b, i, j on ranks 1, 2, 9, 10.
const CORNER_COURTS: u128 = {
    let row = 0b11_0000_0011;
    row | row << 10 | row << 80 | row << 90
};

static TABLES: [[Reach<u128>; 128]; 7] = tables10(&SHAPES);

impl Pieces for MagecaPieces {
    type G = Board10;
    const SHAPES: &'static [Shape] = &SHAPES;
    const TABLES: &'static [<Board10 as Geometry>::Table] = &TABLES;
}

impl Variant for MagecaRules {
    type G = Board10;
    type P = MagecaPieces;
    type Sets = [u128; 7];

    const INFO: &'static Info = &INFO;
    const START: &'static str = "rnbmqkmbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBMQKMBNR w KQkq - 0 1";
    const PAWN_REACH: u8 = 3;
    const THIRD_RANK: ThirdRank = ThirdRank::Two;
    const CASTLING: Castling = Castling { king_to: [8, 2], rook_to: [7, 3], king_from: Some(5) };
    const LONE_PIECES_DRAW: &'static [Kind] = &[4, 5, MAGECA];
    const VALUES: &'static [i32] = &[100, 0, 950, 525, 350, 300, 325];
    const WEIGHTS: Option<&'static str> = Some(include_str!("../../../data/eval/mageca.toml"));

    crate::compiled_search!(Royal<Self>);

    fn new(options: &Options) -> Self {
        MagecaRules {
            promote_to_mageca: options.is_true("promote_to_mageca"),
            lifts_king: options.is_true("castling_lifts_king"),
            ep_passed: options.is_true("ep_passed"),
            dead_positions: super::dead_positions(options),
        }
    }

    fn passed_squares(&self, steps: u8, landing: u8, _first_move: bool) -> u8 {
        match steps {
            2 | 3 if landing > 5 => 0,
            2 | 3 if self.ep_passed => steps - 1,
            2 | 3 => 1,
            _ => 0,
        }
    }

    fn lifts_king(&self) -> bool {
        self.lifts_king
    }

    fn promotes_to(&self, kind: Kind) -> bool {
        kind > super::royal::KING && (kind != MAGECA || self.promote_to_mageca)
    }

    fn dead_positions(&self) -> bool {
        self.dead_positions
    }
}
