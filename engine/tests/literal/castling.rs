//! Castling: rights as X-FEN writes them, and the moves.

use super::board::{Board, EMPTY, coloured};
use super::pieces::attacked;
use super::royal::{Game, Move};

/// The squares of the rooks with which a side may still castle: for White, then Black, king's side, then queen's.
pub type Rights = [[Option<usize>; 2]; 2];

/// Index of a side in `Rights`.
pub fn index(white: bool) -> usize {
    if white { 0 } else { 1 }
}

/// The files (from 0) on which king and rook end.
fn landing_files(game: Game, kings_side: bool) -> (i32, i32) {
    match (game, kings_side) {
        (Game::Magi | Game::Mageca, true) => (8, 7),
        (_, true) => (6, 5),
        (_, false) => (2, 3),
    }
}

/// The outermost rook of a side on its first rank, seen from the king in the direction of the wing.
fn outermost(board: &Board, king: usize, white: bool, kings_side: bool) -> Option<usize> {
    let rank = board.rank(king);
    let beyond: Vec<i32> = if kings_side {
        (board.file(king) + 1..board.size).rev().collect()
    } else {
        (0..board.file(king)).collect()
    };
    beyond
        .into_iter()
        .filter_map(|file| board.square(file, rank))
        .find(|&square| board.at(square) == coloured(b'R', white))
}

fn king_of(board: &Board, white: bool) -> usize {
    board.find(coloured(b'K', white)).next().unwrap_or_else(|| {
        panic!("no king of {} in {}", if white { "White" } else { "Black" }, board.placement())
    })
}

/// Reads the castling field: `K` and `Q` name the outermost rook on that wing, a file letter that file's.
pub fn read(board: &Board, field: &str) -> Rights {
    let mut rights = Rights::default();
    for letter in field.bytes().filter(|letter| *letter != b'-') {
        let white = letter.is_ascii_uppercase();
        let king = king_of(board, white);
        let rook = match letter.to_ascii_uppercase() {
            b'K' => outermost(board, king, white, true),
            b'Q' => outermost(board, king, white, false),
            file => board.square((file - b'A').into(), board.rank(king)),
        };
        let rook = rook
            .filter(|&square| board.at(square) == coloured(b'R', white))
            .unwrap_or_else(|| panic!("castling {field:?}: no rook for {:?}", letter as char));
        let wing = if rook > king { 0 } else { 1 };
        rights[index(white)][wing] = Some(rook);
    }
    rights
}

/// Writes the castling field.
pub fn write(board: &Board, rights: &Rights) -> String {
    let mut text = String::new();
    for white in [true, false] {
        for (wing, letter) in [(0, b'K'), (1, b'Q')] {
            let Some(rook) = rights[index(white)][wing] else {
                continue;
            };
            let kings_side = wing == 0;
            let plain = outermost(board, king_of(board, white), white, kings_side) == Some(rook);
            let letter = if plain { letter } else { b'A' + board.file(rook) as u8 };
            text.push(coloured(letter, white) as char);
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// Which squares castling wants unattacked, and how they are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    /// No square between king and rook may be attacked, not just those that the king crosses.
    pub to_rook: bool,
    /// The king is lifted off his own square meanwhile.
    pub lifts_king: bool,
}

/// The castling moves of a side, all conditions met but the last: that the king cannot be taken afterwards.
pub fn moves(game: Game, board: &Board, rights: &Rights, white: bool, threats: Threats) -> Vec<Move> {
    let mut found = Vec::new();
    if rights[index(white)] == [None, None] {
        return found;
    }
    let king = king_of(board, white);
    let rank = board.rank(king);
    if attacked(game, board, king, !white) {
        return found;
    }
    let mut lifted = *board;
    if threats.lifts_king {
        lifted.put(king, EMPTY);
    }
    for (wing, kings_side) in [(0, true), (1, false)] {
        let Some(rook) = rights[index(white)][wing] else {
            continue;
        };
        let (king_file, rook_file) = landing_files(game, kings_side);
        let (start, rook_start) = (board.file(king), board.file(rook));
        let all = [start, rook_start, king_file, rook_file];
        let from = all.iter().min().copied().unwrap_or(start);
        let to = all.iter().max().copied().unwrap_or(start);
        let empty = (from..=to)
            .filter_map(|file| board.square(file, rank))
            .all(|square| square == king || square == rook || board.at(square) == EMPTY);
        let safe = (0..board.size)
            .filter(|&file| {
                let on_path = between(start, king_file, file) || file == king_file;
                on_path || (threats.to_rook && between(start, rook_start, file))
            })
            .filter_map(|file| board.square(file, rank))
            .all(|square| !attacked(game, &lifted, square, !white));
        if let (true, true, Some(king_to), Some(rook_to)) =
            (empty, safe, board.square(king_file, rank), board.square(rook_file, rank))
        {
            found.push(Move::Castle { king, rook, king_to, rook_to });
        }
    }
    found
}

/// Whether `x` is strictly between `a` and `b`.
fn between(a: i32, b: i32, x: i32) -> bool {
    a.min(b) < x && x < a.max(b)
}
