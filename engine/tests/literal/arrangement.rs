//! The arrangement phase of Multi-chess and Chess484: Black's king, Black's queen, White's king, White's queen.

use super::board::{Board, coloured};
use super::royal::Game;

/// What is still to act after the first of `pending` has.
pub fn rest(pending: &str) -> String {
    let rest = pending.get(1..).unwrap_or("");
    if rest.is_empty() { "-".to_string() } else { rest.to_string() }
}

/// The board after an action: the two pieces change places (a pass changes a piece with itself).
pub fn swapped(board: &Board, piece: usize, with: usize) -> Board {
    let mut after = *board;
    after.put(piece, board.at(with));
    after.put(with, board.at(piece));
    after
}

/// The legal actions of the piece that is first in `pending`, as the two squares that change places.
pub fn actions(game: Game, board: &Board, pending: &str) -> Vec<(usize, usize)> {
    candidates(game, board, pending)
        .into_iter()
        .filter(|&(piece, with)| can_be_completed(game, &swapped(board, piece, with), &rest(pending)))
        .collect()
}

/// The swaps and the pass of the piece whose turn it is, before asking what they lead to.
fn candidates(game: Game, board: &Board, pending: &str) -> Vec<(usize, usize)> {
    let actor = pending.as_bytes()[0];
    let white = actor.is_ascii_uppercase();
    let mut partners = vec![b'B'];
    if actor.eq_ignore_ascii_case(&b'K') {
        partners.push(b'Q');
    }
    if game == Game::Chess484 {
        partners.push(b'N');
    }
    let home = if white { 0 } else { board.size - 1 };
    let mut found = Vec::new();
    for piece in board.find(actor) {
        found.push((piece, piece));
        for with in (0..board.size).filter_map(|file| board.square(file, home)) {
            if partners.iter().any(|&kind| board.at(with) == coloured(kind, white)) {
                found.push((piece, with));
            }
        }
    }
    found
}

/// Whether the side that has just acted can still end with a permitted array.
fn can_be_completed(game: Game, board: &Board, pending: &str) -> bool {
    match pending.as_bytes()[0] {
        b'Q' | b'q' => !actions(game, board, pending).is_empty(),
        // Black's queen, or White's, was the last of its side.
        next => {
            let white = next == b'-';
            bishops_differ(board, white) && (!white || game == Game::Chess484 || !mirrored(board))
        }
    }
}

fn bishops_differ(board: &Board, white: bool) -> bool {
    let colours: Vec<i32> = board
        .find(coloured(b'B', white))
        .map(|square| (board.file(square) + board.rank(square)) % 2)
        .collect();
    colours.contains(&0) && colours.contains(&1)
}

/// Whether both sides have the same array and it isn't the standard one.
fn mirrored(board: &Board) -> bool {
    let row = |rank: i32| -> String {
        (0..board.size)
            .filter_map(|file| board.square(file, rank))
            .map(|square| board.at(square).to_ascii_uppercase() as char)
            .collect()
    };
    row(0) == row(board.size - 1) && row(0) != "RNBQKBNR"
}
