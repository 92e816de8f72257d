//! FEN of five or six fields.

use super::MartianShogi;
use super::kinds::{Counts, KINDS, LETTERS, MONARCH, OF_EACH, PAWN, PIECES};
use super::state::State;
use crate::board::Bits;
use crate::moves::Kind;
use crate::notation::{
    FenError, number_field, parse_placement, parse_square, side_field, split_fields, square_name,
    write_placement,
};
use crate::side::Side;
use std::fmt::Write as _;

const FIVE: &str = "placement with hands, side to move, stash, half-move clock, move number";
const SIX: &str = "placement with hands, side to move, stash, half-move clock, move number, unmoved pawns";

impl MartianShogi {
    pub(super) fn write_fen(&self, state: &State) -> String {
        let mut text = write_placement(8, 8, |q| state.letter(q));
        text.push('[');
        for side in Side::BOTH {
            let hand = state.hands[side.index()];
            hand.each_kind(|kind| (0..hand.of(kind)).for_each(|_| text.push(letter(side, kind))));
        }
        let _ = write!(
            text,
            "] {} {} {} {}",
            state.side.letter(),
            stash_text(state.stash),
            state.clock,
            state.full_move
        );
        if self.pawn_double {
            text.push(' ');
            state.unmoved.each(|q| text += &square_name(q, 8));
            if state.unmoved.is_empty() {
                text.push('-');
            }
        }
        text
    }

    pub(super) fn read_fen(&self, fen: &str) -> Result<State, FenError> {
        let fields = split_fields(fen, if self.pawn_double { SIX } else { FIVE })?;
        let (placement, hands) =
            fields[0].strip_suffix(']').and_then(|text| text.split_once('[')).ok_or_else(|| {
                let problem = "the hands were expected in brackets at its end, `[]` if both are empty";
                FenError::field(1, "placement with hands", fields[0], problem)
            })?;
        let mut state = State::empty(side_field(2, fields[1])?);
        let mut used = [0_u8; KINDS];
        // The board is a part of its field: the error quotes the whole.
        let whole_field = |error| match error {
            FenError::Field { problem, .. } => FenError::field(1, "placement with hands", fields[0], problem),
            other => other,
        };
        for (side, kind, square) in parse_placement(placement, 8, 8, &LETTERS).map_err(whole_field)? {
            state.put(side, kind, square);
            used[kind as usize] += 1;
        }
        // Of each kind at most 64 stand on the board: count the hands before they are filled.
        let hands = parse_hands(hands)?;
        for &(_, kind) in &hands {
            used[kind as usize] = used[kind as usize].saturating_add(1);
        }
        if let Some(kind) = (0..KINDS).find(|&kind| used[kind] > OF_EACH) {
            let problem = format!(
                "{} pieces on the board and in hand are a {}; the set has {OF_EACH}",
                used[kind], PIECES[kind].name
            );
            return Err(FenError::position(fen, problem));
        }
        for (side, kind) in hands {
            state.hand_add(side, kind);
        }
        for kind in 0..KINDS as Kind {
            (0..used[kind as usize]).for_each(|_| state.stash.take(kind));
        }
        let stash = stash_text(state.stash);
        if fields[2] != "-" && fields[2] != stash {
            let problem = format!(
                "board and hands leave `{stash}` of the set (small.medium.large of red/yellow/green/blue); \
                 that or `-` was expected"
            );
            return Err(FenError::field(3, "stash", fields[2], problem));
        }
        state.clock = number_field(4, "half-move clock", fields[3], 0, u32::from(u16::MAX))? as u16;
        state.full_move = number_field(5, "move number", fields[4], 1, u32::MAX)?;
        if let Some(unmoved) = fields.get(5) {
            let squares = parse_unmoved(&state, unmoved)?;
            state.set_unmoved(squares);
        }
        if Side::BOTH.into_iter().all(|side| self.lost(&state, side)) {
            let problem = format!("neither side has a {} left", PIECES[MONARCH as usize].name);
            return Err(FenError::position(fen, problem));
        }
        Ok(state)
    }
}

fn letter(side: Side, kind: Kind) -> char {
    match side {
        Side::White => LETTERS[kind as usize],
        Side::Black => LETTERS[kind as usize].to_ascii_lowercase(),
    }
}

/// `small.medium.large` of each colour, red first.
fn stash_text(stash: Counts) -> String {
    let colour = |c: Kind| format!("{}.{}.{}", stash.of(8 + c), stash.of(4 + c), stash.of(c));
    [0, 1, 2, 3].map(colour).join("/")
}

fn parse_hands(text: &str) -> Result<Vec<(Side, Kind)>, FenError> {
    let piece = |c: char| {
        let kind = LETTERS.iter().position(|&l| l == c.to_ascii_uppercase()).ok_or_else(|| {
            let known: String = LETTERS.iter().collect();
            let problem = format!("unknown letter `{c}`; pieces are {known}");
            FenError::field(1, "hands", text, problem)
        })?;
        let side = if c.is_ascii_uppercase() { Side::White } else { Side::Black };
        Ok((side, kind as Kind))
    };
    text.chars().map(piece).collect()
}

/// The squares of Pawns that have not moved since the start: on the two ranks of their own array.
fn parse_unmoved(state: &State, text: &str) -> Result<u64, FenError> {
    let error = |problem: String| FenError::field(6, "unmoved pawns", text, problem);
    let mut squares = 0;
    let mut rest = if text == "-" { "" } else { text };
    while !rest.is_empty() {
        let Some((square, after)) = parse_square(rest, 8, 8) else {
            return Err(error(format!("at `{rest}` a square was expected, or `-` alone for none")));
        };
        let name = square_name(square, 8);
        let home = |side| match side {
            Side::White => square < 16,
            Side::Black => square >= 48,
        };
        if state.at(square) != PAWN || !home(state.owner(square)) {
            return Err(error(format!(
                "no Pawn on {name} can be unmoved; a Pawn on its owner's two nearest ranks was expected"
            )));
        }
        if squares.has(square) {
            return Err(error(format!("{name} is there twice")));
        }
        squares |= u64::bit(square);
        rest = after;
    }
    Ok(squares)
}
