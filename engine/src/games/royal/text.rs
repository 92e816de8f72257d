//! FEN and UCI of the family.

use super::arrange;
use super::castling::castled;
use super::position::{NOWHERE, Position, Wing};
use super::variant::{KING, PAWN, ThirdRank, Variant, behind, pawn_attacks, rank_from, rank_of};
use super::{BitsOf, Royal};
use crate::board::army::{Army, NO_PIECE};
use crate::board::{Bits, Geometry};
use crate::moves::{Flag, Move, Square};
use crate::notation::{
    FenError, number_field, parse_placement, parse_square, side_field, split_fields, square_name,
    write_placement,
};
use crate::side::Side;

/// The actions of an arrangement in order.
const ACTION_LETTERS: &str = "kqKQ";

/// A legal move in UCI.
pub(super) fn uci<V: Variant>(m: Move) -> String {
    let name = |square| square_name(square, V::G::FILES);
    let mut to = m.to();
    if m.flag() == Flag::Castle && V::CASTLING.king_from.is_some() {
        // The king's own move: he never ends on a file his wing does not name.
        let side = if m.from() < V::G::FILES { Side::White } else { Side::Black };
        let wing = if m.to() > m.from() { Wing::King } else { Wing::Queen };
        to = castled::<V>(side, wing).0;
    }
    let mut text = name(m.from()) + &name(to);
    if m.flag() == Flag::Promotion {
        text.push(V::INFO.pieces[m.kind() as usize].letter.to_ascii_lowercase());
    }
    text
}

/// Writes a position.
pub(super) fn write_fen<V: Variant>(pos: &Position<V>) -> String {
    let placement = write_placement(V::G::FILES, V::G::RANKS, |square| {
        let kind = pos.at(square);
        (kind != NO_PIECE).then(|| {
            let letter = V::INFO.pieces[kind as usize].letter;
            if pos.side(Side::White).has(square) { letter } else { letter.to_ascii_lowercase() }
        })
    });
    let passed = or_dash(passed_squares(pos).into_iter().map(|q| square_name(q, V::G::FILES)).collect());
    let mut fen = format!(
        "{placement} {} {} {passed} {} {}",
        pos.side.letter(),
        write_castling(pos),
        pos.clock,
        pos.number
    );
    if let ThirdRank::Unmoved(_) = V::THIRD_RANK {
        let mut squares = String::new();
        pos.unmoved.each(|q| squares += &square_name(q, V::G::FILES));
        fen += &format!(" {}", or_dash(squares));
    }
    if V::ARRANGEMENT.is_some() {
        let left = ACTION_LETTERS[ACTION_LETTERS.len() - pos.arranging as usize..].to_owned();
        fen += &format!(" {}", or_dash(left));
    }
    fen
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Squares on which the victim can be taken in passing, lowest first.
fn passed_squares<V: Variant>(pos: &Position<V>) -> Vec<Square> {
    let mut squares: Vec<Square> = (0..2)
        .filter(|i| pos.victim != NOWHERE && pos.passed >> i & 1 == 1)
        .map(|i| behind::<V::G>(pos.side.other(), pos.victim, i + 1))
        .collect();
    squares.sort_unstable();
    squares
}

/// Castling rights as X-FEN: `K` for the outermost rook, a file's letter for another.
fn write_castling<V: Variant>(pos: &Position<V>) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        for wing in Wing::BOTH {
            let rook = pos.rooks[side.index()][wing as usize];
            if rook == NOWHERE {
                continue;
            }
            let letter = if outermost(pos, side, wing) == Some(rook) {
                if wing == Wing::King { 'K' } else { 'Q' }
            } else {
                (b'A' + rook % V::G::FILES) as char
            };
            text.push(if side == Side::White { letter } else { letter.to_ascii_lowercase() });
        }
    }
    or_dash(text)
}

/// A side's outermost rook on a wing, on its first rank.
fn outermost<V: Variant>(pos: &Position<V>, side: Side, wing: Wing) -> Option<Square> {
    let king = pos.king(side);
    let rook = V::INFO.pieces.iter().position(|p| p.letter == 'R')? as u8;
    let mut found = None;
    (pos.of(side, rook) & rank_of::<V::G>(side, 1)).each(|q| match wing {
        Wing::King if q > king => found = Some(q),
        Wing::Queen if q < king && found.is_none() => found = Some(q),
        _ => {}
    });
    found
}

/// Reads a position.
pub(super) fn parse_fen<V: Variant, A: Army<G = V::G>>(
    game: &Royal<V, A>,
    text: &str,
) -> Result<Position<V>, FenError> {
    let fields = split_fields(text, V::FIELDS)?;
    let mut pos = Position::<V>::empty();
    let letters: Vec<char> = V::INFO.pieces.iter().map(|p| p.letter).collect();
    for (side, kind, square) in parse_placement(fields[0], V::G::FILES, V::G::RANKS, &letters)? {
        pos.put(side, kind, square, &mut ());
    }
    check_pieces(&pos, fields[0])?;
    pos.set_side(side_field(2, fields[1])?);
    if V::ARRANGEMENT.is_some() {
        parse_arranging(&mut pos, fields[6])?;
    }
    parse_castling(&mut pos, fields[2])?;
    if let ThirdRank::Unmoved(files) = V::THIRD_RANK {
        parse_unmoved(&mut pos, fields[6], files)?;
    }
    parse_passed(game, &mut pos, fields[3])?;
    pos.clock = number_field(5, "half-move clock", fields[4], 0, 10_000)? as u16;
    pos.number = number_field(6, "move number", fields[5], 1, 100_000)?;
    let them = pos.side.other();
    if pos.arranging == 0 && game.attacked(&pos, pos.king(them), pos.side, pos.occupied()) {
        return Err(FenError::position(text, format!("{them} is in check, but {} is to move", pos.side)));
    }
    if let Some(rules) = V::ARRANGEMENT.filter(|_| pos.arranging > 0)
        && !arrange::is_reachable(&pos, &rules)
    {
        let problem = "actions are still to come, but no arrangement from the start leads to it (the last field is `-` in play)";
        return Err(FenError::position(text, problem));
    }
    Ok(pos)
}

fn check_pieces<V: Variant>(pos: &Position<V>, field: &str) -> Result<(), FenError> {
    for side in Side::BOTH {
        let kings = pos.of(side, KING).count();
        if kings != 1 {
            let problem = format!("{side} has {kings} kings, exactly one was expected");
            return Err(FenError::field(1, "placement", field, problem));
        }
    }
    let edge = V::G::rank(0) | V::G::rank(V::G::RANKS - 1);
    let stuck = pos.kinds[PAWN as usize] & edge;
    if stuck.any() {
        let square = square_name(stuck.first(), V::G::FILES);
        let problem = format!("a pawn stands on {square}; pawns never stand on a first or last rank");
        return Err(FenError::field(1, "placement", field, problem));
    }
    Ok(())
}

fn parse_castling<V: Variant>(pos: &mut Position<V>, field: &str) -> Result<(), FenError> {
    if field == "-" {
        return Ok(());
    }
    let error = |problem: String| FenError::field(3, "castling", field, problem);
    for letter in field.chars() {
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let king = pos.king(side);
        if !rank_of::<V::G>(side, 1).has(king) {
            return Err(error(format!("`{letter}`: the {side} king is not on his first rank")));
        }
        let home = king - king % V::G::FILES;
        if let Some(file) = V::CASTLING.king_from.filter(|&file| king != home + file) {
            let at = square_name(home + file, V::G::FILES);
            return Err(error(format!("`{letter}`: the {side} king is not on {at}")));
        }
        let rook = match letter.to_ascii_uppercase() {
            'K' => outermost(pos, side, Wing::King),
            'Q' => outermost(pos, side, Wing::Queen),
            file @ 'A'..='Z' if V::CASTLING.king_from.is_none() => {
                let rooks = [Wing::King, Wing::Queen].map(|w| outermost(pos, side, w));
                let kind = rooks.into_iter().flatten().next().map(|q| pos.at(q));
                let square = home + (file as u8 - b'A').min(V::G::FILES - 1);
                (file as u8 - b'A' < V::G::FILES)
                    .then_some(square)
                    .filter(|&q| kind.is_some_and(|k| pos.of(side, k).has(q)))
            }
            _ => {
                return Err(error(format!(
                    "unknown letter `{letter}`; `-` or letters as in `KQkq` were expected"
                )));
            }
        };
        let wanted = V::CASTLING.king_from.map(|_| match letter.to_ascii_uppercase() {
            'K' => home + V::G::FILES - 1,
            _ => home,
        });
        let rook = rook.filter(|&q| wanted.is_none_or(|w| w == q));
        let Some(rook) = rook else {
            return Err(error(format!("`{letter}` is a castling right without a rook for it")));
        };
        let wing = if rook > king { Wing::King } else { Wing::Queen };
        if pos.rooks[side.index()][wing as usize] != NOWHERE {
            return Err(error(format!("`{letter}` names a second rook for the same wing")));
        }
        pos.allow_castling(side, wing, rook);
    }
    Ok(())
}

fn parse_unmoved<V: Variant>(pos: &mut Position<V>, field: &str, files: u16) -> Result<(), FenError> {
    let error = |problem: String| FenError::field(7, "unmoved pawns", field, problem);
    for square in parse_squares::<V>(field).map_err(error)? {
        let owner = Side::BOTH
            .into_iter()
            .find(|&side| pos.of(side, PAWN).has(square) && rank_from::<V::G>(side, square) == 3);
        let name = square_name(square, V::G::FILES);
        if owner.is_none() || files >> (square % V::G::FILES) & 1 == 0 {
            return Err(error(format!("no pawn that began on {name} stands there")));
        }
        if pos.unmoved.has(square) {
            return Err(error(format!("{name} is named twice")));
        }
        pos.unmoved |= BitsOf::<V>::bit(square);
        pos.key ^= super::position::unmoved_key(square);
    }
    Ok(())
}

fn parse_squares<V: Variant>(field: &str) -> Result<Vec<Square>, String> {
    let mut squares = Vec::new();
    let mut rest = if field == "-" { "" } else { field };
    while !rest.is_empty() {
        let (square, after) = parse_square(rest, V::G::FILES, V::G::RANKS)
            .ok_or_else(|| format!("`{rest}` does not begin with a square; `-` or squares were expected"))?;
        squares.push(square);
        rest = after;
    }
    Ok(squares)
}

/// Reads the en-passant squares. The pawn that passed them is the first man ahead of them; a square
/// that no pawn can use (as many programs write after every double step) is dropped.
fn parse_passed<V: Variant, A: Army<G = V::G>>(
    game: &Royal<V, A>,
    pos: &mut Position<V>,
    field: &str,
) -> Result<(), FenError> {
    let error = |problem: String| FenError::field(4, "en passant", field, problem);
    let squares = parse_squares::<V>(field).map_err(error)?;
    let them = pos.side.other();
    let mut victim = NOWHERE;
    for &square in &squares {
        // The first man ahead of the square, for the side that would have passed it.
        let mut at = square;
        while pos.at(at) == NO_PIECE
            && let Some(next) = forward::<V>(them, at)
        {
            at = next;
        }
        let landing = rank_from::<V::G>(them, at);
        let longest = V::PAWN_REACH.min(landing.saturating_sub(2));
        let depth = game.variant.passed_squares(longest, landing, true);
        let steps = landing - rank_from::<V::G>(them, square);
        if steps == 0 || steps > depth || !pos.of(them, PAWN).has(at) {
            let name = square_name(square, V::G::FILES);
            return Err(error(format!("no {them} pawn has just passed {name}")));
        }
        if victim != NOWHERE && victim != at {
            return Err(error("the squares were not passed by one pawn".to_owned()));
        }
        victim = at;
    }
    if victim != NOWHERE {
        let mut passed = 0;
        for square in squares {
            let [west, east] = pawn_attacks::<V::G>(them, BitsOf::<V>::bit(square));
            if ((west | east) & pos.of(pos.side, PAWN)).any() {
                passed |= 1 << (rank_from::<V::G>(them, victim) - rank_from::<V::G>(them, square) - 1);
            }
        }
        if passed != 0 {
            pos.restore_victim(victim, passed);
        }
    }
    Ok(())
}

fn forward<V: Variant>(side: Side, square: Square) -> Option<Square> {
    match side {
        Side::White => Some(square + V::G::FILES).filter(|&q| q < V::G::FILES * V::G::RANKS),
        Side::Black => square.checked_sub(V::G::FILES),
    }
}

fn parse_arranging<V: Variant>(pos: &mut Position<V>, field: &str) -> Result<(), FenError> {
    let error = |problem: String| FenError::field(7, "actions to come", field, problem);
    let left = if field == "-" { "" } else { field };
    if !ACTION_LETTERS.ends_with(left) {
        return Err(error(format!("`-` or an end of `{ACTION_LETTERS}` was expected")));
    }
    let left = left.len() as u8;
    if left > 0 && arrange::actor(left) != pos.side {
        return Err(error(format!(
            "{} acts now, but the side to move is {}",
            arrange::actor(left),
            pos.side
        )));
    }
    pos.set_arranging(left);
    Ok(())
}
