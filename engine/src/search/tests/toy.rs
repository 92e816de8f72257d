//! A game small enough to be searched by plain minimax: kings, towers and pawns on a board of 4 by 5;
//! a side makes `ACTIONS` moves in a row, whoever takes the king has won, whoever cannot move has lost.

use crate::eval::{Evaluate, Role};
use crate::game::{Caps, Game, Info, MoveFacts, Observer, PieceInfo, Which};
use crate::moves::{Kind, Move, Square};
use crate::notation::FenError;
use crate::options::Options;
use crate::outcome::{Ending, Termination};
use crate::search::{Exchange, Playable};
use crate::side::Side;

const FILES: i8 = 4;
const RANKS: i8 = 5;
const SQUARES: usize = (FILES * RANKS) as usize;
const KING: Kind = 0;
const TOWER: Kind = 1;
const PAWN: Kind = 2;

const fn piece(letter: char, name: &'static str) -> PieceInfo {
    PieceInfo { letter, name, doc: "" }
}

static INFO: Info = Info {
    name: "toy",
    title: "Toy",
    inventor: "",
    summary: "",
    pieces: &[piece('K', "king"), piece('T', "tower"), piece('P', "pawn")],
    a1_dark: true,
    options: &[],
    reconstructed: &[],
};

/// A position: who stands where, whose turn, actions he has left, plies since a capture or pawn move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    cells: [Option<(Side, Kind)>; SQUARES],
    side: Side,
    left: u8,
    clock: u16,
}

#[derive(Clone)]
pub struct Toy<const ACTIONS: u8> {
    options: Options,
}

impl<const ACTIONS: u8> Toy<ACTIONS> {
    pub fn new() -> Self {
        Toy { options: Options::default() }
    }

    /// A position from ranks, the top one first, and the side to move.
    pub fn position(&self, ranks: [&str; 5], side: Side) -> Board {
        let mut cells = [None; SQUARES];
        for (row, text) in ranks.iter().enumerate() {
            for (file, letter) in text.chars().enumerate() {
                let colour = if letter.is_uppercase() { Side::White } else { Side::Black };
                let kind = match letter.to_ascii_uppercase() {
                    'K' => KING,
                    'T' => TOWER,
                    'P' => PAWN,
                    _ => continue,
                };
                cells[(4 - row) * FILES as usize + file] = Some((colour, kind));
            }
        }
        Board { cells, side, left: ACTIONS, clock: 0 }
    }

    fn has_king(&self, state: &Board, side: Side) -> bool {
        state.cells.contains(&Some((side, KING)))
    }

    fn targets(&self, state: &Board, from: usize, f: &mut impl FnMut(usize)) {
        let Some((side, kind)) = state.cells[from] else { return };
        let (file, rank) = (from as i8 % FILES, from as i8 / FILES);
        let at = |file: i8, rank: i8| {
            ((0..FILES).contains(&file) && (0..RANKS).contains(&rank))
                .then_some((rank * FILES + file) as usize)
        };
        if kind == PAWN {
            let rank = rank + side.sign() as i8;
            for df in [-1, 0, 1] {
                let Some(to) = at(file + df, rank) else { continue };
                let takes = state.cells[to].is_some_and(|(other, _)| other != side);
                if if df == 0 { state.cells[to].is_none() } else { takes } {
                    f(to);
                }
            }
            return;
        }
        for (df, dr) in [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            if kind == TOWER && df != 0 && dr != 0 {
                continue;
            }
            let (mut file, mut rank) = (file + df, rank + dr);
            while let Some(to) = at(file, rank) {
                match state.cells[to] {
                    Some((other, _)) if other == side => break,
                    Some(_) => {
                        f(to);
                        break;
                    }
                    None => f(to),
                }
                if kind == KING {
                    break;
                }
                (file, rank) = (file + df, rank + dr);
            }
        }
    }
}

impl<const ACTIONS: u8> Game for Toy<ACTIONS> {
    type State = Board;
    const CAPS: Caps = Caps {
        check: false,
        captures: true,
        drops: false,
        clock_bounds_repetition: true,
        fifty_move_plies: None,
    };
    const FILES: u8 = FILES as u8;
    const RANKS: u8 = RANKS as u8;

    fn info(&self) -> &'static Info {
        &INFO
    }
    fn options(&self) -> &Options {
        &self.options
    }
    fn start(&self) -> Board {
        self.position(["ktt.", "p.p.", "....", ".P.P", ".TTK"], Side::White)
    }
    fn side_to_move(&self, state: &Board) -> Side {
        state.side
    }
    fn key(&self, state: &Board) -> u64 {
        self.fresh_key(state)
    }
    fn fresh_key(&self, state: &Board) -> u64 {
        let mut key = 0x9e37_79b9_7f4a_7c15 ^ (state.side.index() as u64) << 8 ^ u64::from(state.left);
        for cell in &state.cells {
            let code = cell.map_or(0, |(side, kind)| 1 + side.index() as u64 * 4 + u64::from(kind));
            key = (key ^ code).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            key ^= key >> 29;
        }
        key.wrapping_mul(0x94d0_49bb_1331_11eb) ^ key >> 31
    }
    fn clocks(&self, state: &Board) -> (u16, u32) {
        (state.clock, 1)
    }
    fn generate(&self, state: &Board, which: Which, out: &mut Vec<Move>) {
        if !self.has_king(state, Side::White) || !self.has_king(state, Side::Black) {
            return;
        }
        for from in 0..SQUARES {
            if state.cells[from].is_some_and(|(side, _)| side == state.side) {
                self.targets(state, from, &mut |to| {
                    let noisy = state.cells[to].is_some();
                    if which == Which::All || noisy == (which == Which::Noisy) {
                        out.push(Move::plain(from as Square, to as Square));
                    }
                });
            }
        }
    }
    fn play(&self, state: &mut Board, m: Move, observer: &mut impl Observer) {
        let (from, to) = (usize::from(m.from()), usize::from(m.to()));
        state.clock += 1;
        if let Some((side, kind)) = state.cells[to].take() {
            observer.lift(side, kind, m.to());
            state.clock = 0;
        }
        if let Some((side, kind)) = state.cells[from].take() {
            observer.lift(side, kind, m.from());
            observer.put(side, kind, m.to());
            state.cells[to] = Some((side, kind));
            if kind == PAWN {
                state.clock = 0;
            }
        }
        state.left -= 1;
        if state.left == 0 {
            state.left = ACTIONS;
            state.side = state.side.other();
        }
    }
    fn ending(&self, state: &Board) -> Option<Ending> {
        for side in Side::BOTH {
            if !self.has_king(state, side) {
                return Some(Ending::win(side.other(), Termination::MonarchsCaptured));
            }
        }
        let blocked = self.count(state) == 0;
        blocked.then(|| Ending::win(state.side.other(), Termination::Blocked))
    }
    fn facts(&self, state: &Board, m: Move) -> MoveFacts {
        let captured = state.cells[usize::from(m.to())].map(|(_, kind)| kind);
        let mover = state.cells[usize::from(m.from())].map_or(0, |(_, kind)| kind);
        MoveFacts { mover, captured, noisy: captured.is_some() }
    }
    fn pieces(&self, state: &Board, f: &mut dyn FnMut(Side, Kind, Square)) {
        for (square, cell) in state.cells.iter().enumerate() {
            if let Some((side, kind)) = *cell {
                f(side, kind, square as Square);
            }
        }
    }
    fn mirrored(&self, state: &Board) -> Option<Board> {
        let mut mirrored = Board { side: state.side.other(), ..state.clone() };
        for square in 0..SQUARES {
            let from =
                (RANKS as usize - 1 - square / FILES as usize) * FILES as usize + square % FILES as usize;
            mirrored.cells[square] = state.cells[from].map(|(side, kind)| (side.other(), kind));
        }
        Some(mirrored)
    }
    fn parse_fen(&self, text: &str) -> Result<Board, FenError> {
        Err(FenError::position(text, "the toy game has no text"))
    }
    fn fen(&self, state: &Board) -> String {
        format!("{state:?}")
    }
    fn uci(&self, _: &Board, m: Move) -> String {
        format!("{m:?}")
    }
}

impl<const ACTIONS: u8> Evaluate for Toy<ACTIONS> {
    fn role(&self, kind: Kind) -> Role {
        [Role::Royal, Role::Piece, Role::Pawn][kind as usize]
    }
}

impl<const ACTIONS: u8> Exchange for Toy<ACTIONS> {}

impl<const ACTIONS: u8> Playable for Toy<ACTIONS> {
    crate::compiled_search!(Self);
}
