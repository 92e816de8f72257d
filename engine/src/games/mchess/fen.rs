//! FEN of MChess: unmoved pawns in place of castling rights, and a last field with every piece's health.

use super::geometry::{RANK_1, RANK_8, pop};
use super::numbers::MILLI;
use super::state::State;
use super::{INFO, KINDS, KING, MChess, NAMES, PAWN};
use crate::moves::Square;
use crate::notation::{
    FenError, number_field, parse_placement, parse_square, side_field, split_fields, square_name,
    write_placement,
};
use crate::side::Side;

const FIELDS: &str =
    "placement, side to move, unmoved pawns, en passant (always -), half-move clock, full move, health";
/// Most pieces of a side: no move adds one.
const MOST_PIECES: u32 = 16;

/// Squares in the order FEN lists pieces: a8 to h8, then down rank by rank.
fn board_order() -> impl Iterator<Item = Square> {
    (0..64).map(|i| i ^ 56)
}

/// Milli-points as points with up to three decimals.
fn points(milli: i32) -> String {
    let (whole, part) = (milli / MILLI as i32, milli % MILLI as i32);
    if part == 0 {
        whole.to_string()
    } else {
        format!("{whole}.{}", format!("{part:03}").trim_end_matches('0'))
    }
}

/// Points with up to three decimals as milli-points.
fn milli(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 3 {
        return None;
    }
    let part = part.parse::<u32>().ok()? * 10_u32.pow(3 - part.len() as u32);
    whole.parse::<u32>().ok()?.checked_mul(MILLI)?.checked_add(part)
}

impl MChess {
    pub(super) fn write(&self, state: &State) -> String {
        let placement = write_placement(8, 8, |square| {
            state.at(square).map(|(side, kind)| letter(side, usize::from(kind)))
        });
        let mut unmoved = String::new();
        let mut set = state.unmoved;
        while set != 0 {
            unmoved += &square_name(pop(&mut set), 8);
        }
        if unmoved.is_empty() {
            unmoved.push('-');
        }
        let health = if state.all_full(&self.rules.tables.health) {
            "-".to_owned()
        } else {
            let pieces = board_order().filter(|&square| state.at(square).is_some());
            pieces.map(|square| points(state.health(square))).collect::<Vec<_>>().join(",")
        };
        let side = state.side.letter();
        format!("{placement} {side} {unmoved} - {} {} {health}", state.clock, state.full_move)
    }

    pub(super) fn read(&self, text: &str) -> Result<State, FenError> {
        let found = text.split_whitespace().count();
        if found == 6 {
            return Err(FenError::field(
                7,
                "health",
                "",
                "the field is missing; `-` (all full) or every piece's health, comma-separated, was expected",
            ));
        }
        let fields = split_fields(text, FIELDS)?;
        let mut state = State::empty();
        let full = &self.rules.tables.health;
        let letters: Vec<char> = INFO.pieces.iter().map(|p| p.letter).collect();
        for (side, kind, square) in parse_placement(fields[0], 8, 8, &letters)? {
            state.put(side, kind, square, full[usize::from(kind)]);
        }
        check_pieces(&state, text)?;
        if side_field(2, fields[1])? == Side::Black {
            state.flip_side();
        }
        read_unmoved(&mut state, fields[2])?;
        if fields[3] != "-" {
            let problem = "MChess has no en passant: `-` was expected";
            return Err(FenError::field(4, "en passant", fields[3], problem));
        }
        state.clock = number_field(5, "half-move clock", fields[4], 0, u16::MAX.into())? as u16;
        state.full_move = number_field(6, "full move", fields[5], 1, u32::MAX)?;
        self.read_health(&mut state, fields[6])?;
        Ok(state)
    }

    fn read_health(&self, state: &mut State, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let error = |problem: String| Err(FenError::field(7, "health", text, problem));
        let full = &self.rules.tables.health;
        let values: Vec<&str> = text.split(',').collect();
        let pieces = state.occupied().count_ones() as usize;
        if values.len() != pieces {
            return error(format!("{} values were found for {pieces} pieces", values.len()));
        }
        let squares = board_order().filter_map(|square| Some((square, state.at(square)?)));
        for (value, (square, (side, kind))) in values.into_iter().zip(squares.collect::<Vec<_>>()) {
            let whose = || format!("the {} on {}", NAMES[usize::from(kind)], square_name(square, 8));
            let most = full[usize::from(kind)];
            if value.starts_with('-') {
                return error(format!("`{value}` of {} is negative: such a piece is dead", whose()));
            }
            let Some(health) = milli(value) else {
                return error(format!(
                    "`{value}` of {} is no number of points with up to three decimals",
                    whose()
                ));
            };
            let Some(health) = i32::try_from(health).ok().filter(|h| *h <= most) else {
                return error(format!("`{value}` of {} is above its maximum, {}", whose(), points(most)));
            };
            if points(health) != value {
                return error(format!("`{value}` of {} is to be written `{}`", whose(), points(health)));
            }
            state.set_health(side, kind, square, health);
        }
        if state.all_full(full) {
            return error("all pieces have full health: `-` was expected".to_owned());
        }
        Ok(())
    }
}

pub(super) fn letter(side: Side, kind: usize) -> char {
    match side {
        Side::White => INFO.pieces[kind].letter,
        Side::Black => INFO.pieces[kind].letter.to_ascii_lowercase(),
    }
}

fn check_pieces(state: &State, text: &str) -> Result<(), FenError> {
    if state.occupied() == 0 {
        return Err(FenError::position(text, "there is no piece on the board"));
    }
    for (side, last) in Side::BOTH.into_iter().zip([RANK_8, RANK_1]) {
        let pieces = state.of(side).count_ones();
        if pieces > MOST_PIECES {
            let problem = format!("{side} has {pieces} pieces; at most {MOST_PIECES} were expected");
            return Err(FenError::position(text, problem));
        }
        let kings = state.of_kind(side, KING).count_ones();
        if kings > 1 {
            let problem = format!("{side} has {kings} kings; at most one was expected");
            return Err(FenError::position(text, problem));
        }
        let mut arrived = state.of_kind(side, PAWN) & last;
        if arrived != 0 {
            let square = square_name(pop(&mut arrived), 8);
            let problem = format!("the {side} pawn on {square} is on its own last rank, where it promotes");
            return Err(FenError::position(text, problem));
        }
    }
    Ok(())
}

fn read_unmoved(state: &mut State, text: &str) -> Result<(), FenError> {
    let error = |problem: String| Err(FenError::field(3, "unmoved pawns", text, problem));
    let mut rest = if text == "-" { "" } else { text };
    let mut before = None;
    while !rest.is_empty() {
        let Some((square, after)) = parse_square(rest, 8, 8) else {
            return error(format!("`{rest}` does not begin with a square from a1 to h8"));
        };
        let name = square_name(square, 8);
        if state.kinds[usize::from(PAWN)] >> square & 1 == 0 {
            return error(format!("no pawn stands on {name}"));
        }
        if before.is_some_and(|b| b >= square) {
            return error(format!("{name} is out of order: by rank, then file, each square once"));
        }
        before = Some(square);
        state.flip_unmoved(square);
        rest = after;
    }
    Ok(())
}

const _: () = assert!(INFO.pieces.len() == KINDS);
