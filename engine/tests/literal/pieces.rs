//! How the pieces of the games with a king and checkmate move and capture.

use super::board::{Board, EMPTY, belongs, forward};
use super::royal::Game;

/// One direction in which a piece goes: a unit, how often it may be repeated over empty squares, and where along the
/// way it may stop.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    files: i32,
    ranks: i32,
    /// Most repetitions.
    reach: i32,
    /// It stops only after multiples of this many repetitions.
    every: i32,
    /// Whether it captures; if not it goes to empty squares only, and attacks nothing.
    captures: bool,
}

/// The four quarter turns of a ray.
const fn four(files: i32, ranks: i32, reach: i32, every: i32, captures: bool) -> [Ray; 4] {
    let ray = Ray { files, ranks, reach, every, captures };
    [
        ray,
        Ray { files: -ranks, ranks: files, ..ray },
        Ray { files: -files, ranks: -ranks, ..ray },
        Ray { files: ranks, ranks: -files, ..ray },
    ]
}

const ANY: i32 = 100;
const LINES: [Ray; 4] = four(0, 1, ANY, 1, true);
const LINES_3: [Ray; 4] = four(0, 1, 3, 1, true);
const LINES_1: [Ray; 4] = four(0, 1, 1, 1, true);
const DIAGONALS: [Ray; 4] = four(1, 1, ANY, 1, true);
const DIAGONALS_1: [Ray; 4] = four(1, 1, 1, 1, true);
const KNIGHT_A: [Ray; 4] = four(1, 2, 1, 1, true);
const KNIGHT_B: [Ray; 4] = four(2, 1, 1, 1, true);
const DIAGONAL_JUMP: [Ray; 4] = four(2, 2, 1, 1, true);
const QUIET_DIAGONAL_JUMP: [Ray; 4] = four(2, 2, 1, 1, false);
const QUIET_CAMEL_A: [Ray; 4] = four(1, 3, 1, 1, false);
const QUIET_CAMEL_B: [Ray; 4] = four(3, 1, 1, 1, false);
/// The Mageca's slide: to the 2nd or the 4th square, everything before it empty.
const SECOND_OR_FOURTH: [Ray; 4] = four(0, 1, 4, 2, true);

type Rays = &'static [&'static [Ray; 4]];

/// The rays of a piece (not a pawn) of `kind` (upper case) standing on `square`.
fn rays(game: Game, kind: u8, board: &Board, square: usize) -> Rays {
    match kind {
        b'K' => &[&LINES_1, &DIAGONALS_1],
        b'Q' => &[&LINES, &DIAGONALS],
        b'R' => &[&LINES],
        b'B' => &[&DIAGONALS],
        b'N' if game == Game::Mageca && in_corner_court(board, square) => {
            &[&KNIGHT_A, &KNIGHT_B, &QUIET_CAMEL_A, &QUIET_CAMEL_B]
        }
        b'N' => &[&KNIGHT_A, &KNIGHT_B],
        b'D' if game == Game::Magi => &[&LINES_3],
        b'C' if game == Game::Magi => &[&DIAGONALS, &LINES_1],
        b'W' if game == Game::Magi => &[&LINES_1, &DIAGONAL_JUMP, &KNIGHT_A, &KNIGHT_B],
        b'M' if game == Game::Mageca => &[&SECOND_OR_FOURTH, &DIAGONALS_1, &QUIET_DIAGONAL_JUMP],
        _ => panic!("{game:?} has no piece {:?}", kind as char),
    }
}

/// The two-by-two squares in each of the four corners.
fn in_corner_court(board: &Board, square: usize) -> bool {
    let near_edge = |line: i32| line < 2 || line >= board.size - 2;
    near_edge(board.file(square)) && near_edge(board.rank(square))
}

/// Every square to which the piece (not a pawn) on `from` can go or capture, checks left out of account.
pub fn targets(game: Game, board: &Board, from: usize) -> Vec<usize> {
    let piece = board.at(from);
    let white = piece.is_ascii_uppercase();
    let mut found = Vec::new();
    for ray in rays(game, piece.to_ascii_uppercase(), board, from).iter().copied().flatten() {
        for steps in 1..=ray.reach {
            let Some(to) = board.offset(from, ray.files * steps, ray.ranks * steps) else {
                break;
            };
            let there = board.at(to);
            let may_stop = steps % ray.every == 0;
            let enemy = belongs(there, !white);
            if may_stop && (there == EMPTY || (enemy && ray.captures)) {
                found.push(to);
            }
            if there != EMPTY {
                break;
            }
        }
    }
    found
}

/// Whether the piece on `from` could capture an enemy standing on `target`.
fn attacks(game: Game, board: &Board, from: usize, target: usize) -> bool {
    let piece = board.at(from);
    let files = board.file(target) - board.file(from);
    let ranks = board.rank(target) - board.rank(from);
    if piece.eq_ignore_ascii_case(&b'P') {
        return files.abs() == 1 && ranks == forward(piece.is_ascii_uppercase());
    }
    rays(game, piece.to_ascii_uppercase(), board, from).iter().copied().flatten().any(|ray| {
        // Only a ray that points at the target is worth walking.
        let aligned = files * ray.ranks == ranks * ray.files;
        let ahead = files * ray.files + ranks * ray.ranks > 0;
        ray.captures && aligned && ahead && reaches(board, from, target, ray)
    })
}

/// Walks the ray over empty squares until it stops on the target or can't.
fn reaches(board: &Board, from: usize, target: usize, ray: &Ray) -> bool {
    for steps in 1..=ray.reach {
        match board.offset(from, ray.files * steps, ray.ranks * steps) {
            None => return false,
            Some(square) if square == target => return steps % ray.every == 0,
            Some(square) if board.at(square) != EMPTY => return false,
            Some(_) => {}
        }
    }
    false
}

/// Whether any piece of a side could capture an enemy standing on `target`.
pub fn attacked(game: Game, board: &Board, target: usize, by_white: bool) -> bool {
    board.of_side(by_white).any(|from| attacks(game, board, from, target))
}
