//! The games with one king a side that ends by checkmate: Magi, Mageca, chess, chess960, Multi-chess, Chess484.

use super::board::{Board, EMPTY, belongs, coloured, fields, forward, number, side, white_moves};
use super::castling::{self, Rights};
use super::pieces::{attacked, targets};
use super::{Options, Position, arrangement};

/// Which of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    Magi,
    Mageca,
    Chess,
    Chess960,
    MultiChess,
    Chess484,
}

impl Game {
    fn named(name: &str) -> Game {
        match name {
            "magi" => Game::Magi,
            "mageca" => Game::Mageca,
            "chess" => Game::Chess,
            "chess960" => Game::Chess960,
            "multi-chess" => Game::MultiChess,
            "chess484" => Game::Chess484,
            _ => panic!("no game {name:?}"),
        }
    }

    /// Whether an arrangement phase comes first.
    fn arranges(self) -> bool {
        matches!(self, Game::MultiChess | Game::Chess484)
    }

    fn promotions(self) -> &'static [u8] {
        match self {
            Game::Magi => b"QDRBNCW",
            Game::Mageca => b"QRBNM",
            _ => b"QRBN",
        }
    }
}

/// A move, or an action of the arrangement phase.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// A move or capture; `into` is what a pawn becomes, if it does.
    Plain { from: usize, to: usize, into: Option<u8> },
    /// A pawn takes the pawn on `victim` by going to `to`.
    EnPassant { from: usize, to: usize, victim: usize },
    /// King and rook go to their squares.
    Castle { king: usize, rook: usize, king_to: usize, rook_to: usize },
    /// Two pieces change places; a pass if the squares are the same.
    Arrange { piece: usize, with: usize },
}

/// A position.
#[derive(Clone, Debug)]
pub struct Royal {
    game: Game,
    castling_to_rook: bool,
    ep_passed: bool,
    promote_to_mageca: bool,
    lifts_king: bool,
    board: Board,
    white: bool,
    rights: Rights,
    /// The squares on which an en-passant capture can land now.
    en_passant: Vec<usize>,
    half: u32,
    full: u32,
    /// Magi: pawns that began on the third or eighth rank and have not moved.
    unmoved: Vec<usize>,
    /// Multi-chess, Chess484: what is still to be arranged, `-` in play.
    pending: String,
}

impl Position for Royal {
    type Move = Move;

    fn read(game: &str, fen: &str, options: &Options) -> Royal {
        let game = Game::named(game);
        let size = if matches!(game, Game::Magi | Game::Mageca) { 10 } else { 8 };
        let extra = game == Game::Magi || game.arranges();
        let fields = fields(fen, if extra { 7 } else { 6 });
        let board = Board::read(size, fields[0]);
        let threat = options.choice("castling_threat", &["king-to-rook", "king-path"]);
        Royal {
            game,
            castling_to_rook: game.arranges() && threat == "king-to-rook",
            ep_passed: options.flag("ep_passed", false),
            promote_to_mageca: options.flag("promote_to_mageca", true),
            lifts_king: options.flag("castling_lifts_king", true),
            white: white_moves(fields[1]),
            rights: castling::read(&board, fields[2]),
            en_passant: board.squares_in(fields[3]),
            half: number(fields[4]),
            full: number(fields[5]),
            unmoved: if game == Game::Magi { board.squares_in(fields[6]) } else { Vec::new() },
            pending: if game.arranges() { fields[6] } else { "-" }.to_string(),
            board,
        }
    }

    fn fen(&self) -> String {
        let mut text = format!(
            "{} {} {} {} {} {}",
            self.board.placement(),
            side(self.white),
            castling::write(&self.board, &self.rights),
            self.board.names(&self.en_passant),
            self.half,
            self.full
        );
        if self.game == Game::Magi {
            text += &format!(" {}", self.board.names(&self.unmoved));
        }
        if self.game.arranges() {
            text += &format!(" {}", self.pending);
        }
        text
    }

    fn moves(&self) -> Vec<Move> {
        if self.pending != "-" {
            return arrangement::actions(self.game, &self.board, &self.pending)
                .into_iter()
                .map(|(piece, with)| Move::Arrange { piece, with })
                .collect();
        }
        let mut moves = self.pseudo_legal();
        moves.retain(|m| !self.king_can_be_taken(&self.board_after(m), self.white));
        moves
    }

    fn after(&self, m: &Move) -> Royal {
        let board = self.board_after(m);
        if let Move::Arrange { .. } = m {
            let pending = arrangement::rest(&self.pending);
            let white = !pending.starts_with('q');
            return Royal { board, white, pending, ..self.clone() };
        }
        let (from, to) = match *m {
            Move::Plain { from, to, .. } | Move::EnPassant { from, to, .. } => (from, to),
            Move::Castle { king, king_to, .. } => (king, king_to),
            Move::Arrange { piece, with } => (piece, with),
        };
        let pawn = self.board.at(from) == coloured(b'P', self.white);
        let capture = match m {
            Move::Plain { to, .. } => self.board.at(*to) != EMPTY,
            Move::EnPassant { .. } => true,
            Move::Castle { .. } | Move::Arrange { .. } => false,
        };
        let mut rights = self.rights;
        if self.board.at(from) == coloured(b'K', self.white) {
            rights[castling::index(self.white)] = [None, None];
        }
        for right in rights.iter_mut().flatten() {
            // A rook that moves away or is taken loses its right.
            if *right == Some(from) || *right == Some(to) {
                *right = None;
            }
        }
        let en_passant = if pawn && !capture {
            let mut squares = self.en_passant_squares(from, to);
            squares.retain(|&square| !en_passant_capturers(&board, square, !self.white).is_empty());
            squares.sort();
            squares
        } else {
            Vec::new()
        };
        let mut unmoved = self.unmoved.clone();
        unmoved.retain(|&square| square != from && square != to);
        Royal {
            board,
            white: !self.white,
            rights,
            en_passant,
            half: if pawn || capture { 0 } else { self.half + 1 },
            full: if self.white { self.full } else { self.full + 1 },
            unmoved,
            pending: self.pending.clone(),
            ..*self
        }
    }

    fn uci(&self, m: &Move) -> String {
        let (from, to, into) = match *m {
            Move::Plain { from, to, into } => (from, to, into),
            Move::EnPassant { from, to, .. } => (from, to, None),
            Move::Arrange { piece, with } => (piece, with, None),
            Move::Castle { king, rook, king_to, .. } => match self.game {
                Game::Magi | Game::Mageca | Game::Chess => (king, king_to, None),
                Game::Chess960 | Game::MultiChess | Game::Chess484 => (king, rook, None),
            },
        };
        let mut text = self.board.name(from) + &self.board.name(to);
        if let Some(kind) = into {
            text.push(kind.to_ascii_lowercase() as char);
        }
        text
    }

    fn outcome(&self) -> Option<&'static str> {
        if !self.moves().is_empty() {
            return None;
        }
        let check = self.king_can_be_taken(&self.board, self.white);
        Some(if check { "checkmate" } else { "stalemate" })
    }
}

impl Royal {
    /// Whether the king of a side stands where an enemy could take it.
    fn king_can_be_taken(&self, board: &Board, white: bool) -> bool {
        board.find(coloured(b'K', white)).any(|king| attacked(self.game, board, king, !white))
    }

    /// The board alone after a move.
    fn board_after(&self, m: &Move) -> Board {
        let mut board = self.board;
        match *m {
            Move::Plain { from, to, into } => {
                let piece = into.map_or(board.at(from), |kind| coloured(kind, self.white));
                board.put(from, EMPTY);
                board.put(to, piece);
            }
            Move::EnPassant { from, to, victim } => {
                board.put(victim, EMPTY);
                board.put(to, board.at(from));
                board.put(from, EMPTY);
            }
            Move::Castle { king, rook, king_to, rook_to } => {
                board.put(king, EMPTY);
                board.put(rook, EMPTY);
                board.put(king_to, coloured(b'K', self.white));
                board.put(rook_to, coloured(b'R', self.white));
            }
            Move::Arrange { piece, with } => return arrangement::swapped(&board, piece, with),
        }
        board
    }

    /// Every move of the side to move, whether or not its king can be taken afterwards.
    fn pseudo_legal(&self) -> Vec<Move> {
        let threats = castling::Threats { to_rook: self.castling_to_rook, lifts_king: self.lifts_king };
        let mut moves = castling::moves(self.game, &self.board, &self.rights, self.white, threats);
        for from in self.board.of_side(self.white) {
            if self.board.at(from).eq_ignore_ascii_case(&b'P') {
                self.pawn_moves(from, &mut moves);
            } else {
                let plain = |to| Move::Plain { from, to, into: None };
                moves.extend(targets(self.game, &self.board, from).into_iter().map(plain));
            }
        }
        for &to in &self.en_passant {
            if let Some(victim) = self.en_passant_victim(to) {
                let capturers = en_passant_capturers(&self.board, to, self.white);
                moves.extend(capturers.into_iter().map(|from| Move::EnPassant { from, to, victim }));
            }
        }
        moves
    }

    /// A pawn's advances and ordinary captures, promotions spelled out.
    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let ahead = forward(self.white);
        let mut squares = Vec::new();
        for steps in 1..=self.pawn_reach(from) {
            match self.board.offset(from, 0, steps * ahead) {
                Some(to) if self.board.at(to) == EMPTY => squares.push(to),
                _ => break,
            }
        }
        for files in [-1, 1] {
            if let Some(to) = self.board.offset(from, files, ahead)
                && belongs(self.board.at(to), !self.white)
            {
                squares.push(to);
            }
        }
        for to in squares {
            if self.board.own_rank(to, self.white) == self.board.size {
                let allowed = |kind: &&u8| **kind != b'M' || self.promote_to_mageca;
                for &kind in self.game.promotions().iter().filter(allowed) {
                    moves.push(Move::Plain { from, to, into: Some(kind) });
                }
            } else {
                moves.push(Move::Plain { from, to, into: None });
            }
        }
    }

    /// How many squares a pawn may advance.
    fn pawn_reach(&self, from: usize) -> i32 {
        match (self.game, self.board.own_rank(from, self.white)) {
            (Game::Magi, 2) => 3,
            (Game::Magi, 3) if self.unmoved.contains(&from) => 2,
            (Game::Mageca, 2) => 3,
            (Game::Mageca, 3) => 2,
            (Game::Chess | Game::Chess960 | Game::MultiChess | Game::Chess484, 2) => 2,
            _ => 1,
        }
    }

    /// The squares on which a pawn that advanced from `from` to `to` may be taken en passant, if a pawn is there to
    /// do it.
    fn en_passant_squares(&self, from: usize, to: usize) -> Vec<usize> {
        let start = self.board.own_rank(from, self.white);
        let landing = self.board.own_rank(to, self.white);
        let own_ranks = match self.game {
            Game::Magi => {
                let first_move = start == 2 || self.unmoved.contains(&from);
                if first_move && (landing == 4 || landing == 5) { 3..landing } else { 0..0 }
            }
            Game::Mageca if landing - start >= 2 && self.ep_passed => start + 1..landing,
            Game::Mageca | Game::Chess | Game::Chess960 | Game::MultiChess | Game::Chess484 => {
                if landing - start >= 2 { landing - 1..landing } else { 0..0 }
            }
        };
        own_ranks
            .filter_map(|rank| self.board.offset(from, 0, (rank - start) * forward(self.white)))
            .collect()
    }

    /// The pawn that goes if the side to move takes en passant on `square`: the first one beyond it on its file, as
    /// everything it passed was empty.
    fn en_passant_victim(&self, square: usize) -> Option<usize> {
        let onward = forward(!self.white);
        (1..self.board.size)
            .map_while(|steps| self.board.offset(square, 0, steps * onward))
            .find(|&beyond| self.board.at(beyond) != EMPTY)
            .filter(|&beyond| self.board.at(beyond) == coloured(b'P', !self.white))
    }
}

/// The pawns of a side that stand so that they capture on `square`.
fn en_passant_capturers(board: &Board, square: usize, white: bool) -> Vec<usize> {
    [-1, 1]
        .into_iter()
        .filter_map(|files| board.offset(square, files, -forward(white)))
        .filter(|&from| board.at(from) == coloured(b'P', white))
        .collect()
}
