//! Claims about a game decided by enumeration, without playing: what pieces control, whether a piece ever
//! changes square colour, what is guarded, how many starts there are, which lone pieces can mate.
//!
//! Everything is asked of a game through [`Game`] alone. What a piece can do on an empty board contains what
//! it can do anywhere: other pieces only take moves away.

use crate::game::{Game, Which};
use crate::moves::{Flag, Kind, Square};
use crate::notation::write_placement;
use crate::outcome::Termination;
use crate::side::Side;
use std::collections::HashSet;

/// The position with just these pieces (the last one on a square counts), `side` to move, nothing castling,
/// unmoved, taken in passing or still to be arranged. `None` if the game refuses it.
pub fn position<G: Game>(game: &G, pieces: &[(Side, Kind, Square)], side: Side) -> Option<G::State> {
    let mut cells = vec![None; G::FILES as usize * G::RANKS as usize];
    for &(side, kind, square) in pieces {
        let letter = game.info().pieces.get(kind as usize)?.letter;
        let cell = cells.get_mut(square as usize)?;
        *cell = Some(if side == Side::White { letter } else { letter.to_ascii_lowercase() });
    }
    let mut fen = write_placement(G::FILES, G::RANKS, |square| cells[square as usize]);
    let start = game.fen(&game.start());
    for (i, field) in start.split(' ').enumerate() {
        let hands = field.contains('[');
        match i {
            0 if hands => fen += "[]",
            0 => {}
            1 => fen += &format!(" {}", side.letter()),
            _ if field.bytes().all(|b| b.is_ascii_digit()) => fen += &format!(" {field}"),
            _ => fen += " -",
        }
    }
    game.parse_fen(&fen).ok()
}

/// The least and the most squares that a piece of `kind` controls on an empty board, over all squares it may
/// stand on. `None` if the game does not say.
pub fn control_range<G: Game>(game: &G, kind: Kind) -> Option<(usize, usize)> {
    let counts: Vec<usize> = game.reach(Side::White, kind).iter().map(Vec::len).collect();
    Some((*counts.iter().min()?, *counts.iter().max()?))
}

/// For every square, the squares to which a white piece of `kind` can move or leap from there: all legal
/// moves on boards with nothing else but the pieces of kind `royal`, one a side, wherever these stand.
pub fn destinations<G: Game>(game: &G, kind: Kind, royal: Kind) -> Vec<HashSet<Square>> {
    let squares = G::FILES * G::RANKS;
    // Far enough apart that for any piece and target some pair is in the way of neither.
    let last = G::FILES - 1;
    let corners = [0, last, squares - G::FILES, squares - 1];
    let pairs =
        corners.into_iter().flat_map(|a| corners.into_iter().map(move |b| (a, b))).filter(|(a, b)| a != b);
    let pairs: Vec<(Square, Square)> = pairs.collect();
    let mut all = vec![HashSet::new(); squares as usize];
    let mut moves = Vec::new();
    for from in 0..squares {
        for &(own, enemy) in pairs.iter().filter(|(a, b)| *a != from && *b != from) {
            let pieces = [(Side::White, royal, own), (Side::Black, royal, enemy), (Side::White, kind, from)];
            // A position that the game refuses (the enemy in check) says nothing; others stand for it.
            let Some(state) = position(game, &pieces, Side::White) else { continue };
            moves.clear();
            game.generate(&state, Which::All, &mut moves);
            all[from as usize].extend(moves.iter().filter(|m| m.from() == from).map(|m| m.to()));
        }
    }
    all
}

/// Whether no move of `kind` leads to a square of the other colour.
pub fn is_colour_bound<G: Game>(game: &G, kind: Kind, royal: Kind) -> bool {
    let colour = |square: usize| (square % G::FILES as usize + square / G::FILES as usize) % 2;
    let all = destinations(game, kind, royal);
    all.iter().enumerate().all(|(from, to)| to.iter().all(|&to| colour(to as usize) == colour(from)))
}

/// The pieces of `kind` of `side` in `state` that nothing guards: no legal move of their side would take back
/// an enemy piece of `kind` in their place. Also how many there are in all.
pub fn unguarded<G: Game>(game: &G, state: &G::State, side: Side, kind: Kind) -> (Vec<Square>, usize) {
    let mut board = Vec::new();
    game.pieces(state, &mut |side, kind, square| board.push((side, kind, square)));
    let own = board.iter().filter(|p| (p.0, p.1) == (side, kind)).map(|&(_, _, square)| square);
    let is_guarded = |square: &Square| {
        let mut turned = board.clone();
        turned.push((side.other(), kind, *square));
        position(game, &turned, side).is_some_and(|state| {
            let mut moves = Vec::new();
            game.generate(&state, Which::All, &mut moves);
            moves.iter().any(|m| m.to() == *square && m.flag() == Flag::Plain)
        })
    };
    let own: Vec<Square> = own.collect();
    (own.iter().copied().filter(|square| !is_guarded(square)).collect(), own.len())
}

/// The number of different positions in which the game proper can begin: those that the actions of an
/// arrangement phase lead to, or the start alone.
pub fn starts<G: Game>(game: &G) -> usize {
    let mut open = vec![game.start()];
    let mut seen: HashSet<u64> = open.iter().map(|state| game.key(state)).collect();
    let mut starts = 0;
    while let Some(state) = open.pop() {
        let mut actions = Vec::new();
        game.generate(&state, Which::All, &mut actions);
        actions.retain(|m| m.flag() == Flag::Arrange);
        starts += usize::from(actions.is_empty());
        for m in actions {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            if seen.insert(game.key(&next)) {
                open.push(next);
            }
        }
    }
    starts
}

/// Positions of king and one piece against king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LonePiece {
    /// Positions with the lone king to move and in check.
    pub checks: u64,
    /// Those of them that are checkmate.
    pub mates: u64,
}

/// Goes through every position of a king (`royal`) with one piece of `kind` against a king that is in check; with
/// `until_mate` no further than the first checkmate.
pub fn lone_piece<G: Game>(game: &G, kind: Kind, royal: Kind, until_mate: bool) -> LonePiece {
    let squares = G::FILES * G::RANKS;
    let reach = game.reach(Side::White, kind);
    let mut found = LonePiece::default();
    for (piece, controlled) in (0..squares).zip(&reach) {
        // Only where it controls the king's square can there be a check, and so a mate.
        for &lone in controlled {
            for king in (0..squares).filter(|&k| k != piece && k != lone) {
                let pieces =
                    [(Side::White, royal, king), (Side::White, kind, piece), (Side::Black, royal, lone)];
                let Some(state) = position(game, &pieces, Side::Black).filter(|s| game.in_check(s)) else {
                    continue;
                };
                found.checks += 1;
                let ending = game.ending(&state).map(|e| e.termination);
                found.mates += u64::from(ending == Some(Termination::Checkmate));
                if until_mate && found.mates > 0 {
                    return found;
                }
            }
        }
    }
    found
}
