//! Short move text, as people write games down: `Nf3`, `exd5`, `O-O`, `Rb10+`, `R@e5`.
//!
//! One form for all games, after the Standard Algebraic Notation of the PGN standard (S. J. Edwards, 1994,
//! section 8.2.3), with what the games here need besides:
//!
//! - ranks may have two digits (`Nb10`); `Ø` is read for 10;
//! - a drop is `R@e5`, a pawn's too (`P@e5`);
//! - `=` names what a piece becomes. A piece of Martian Shogi that promotes is `Ra7=K`, since `+` is check;
//! - `~` exchanges the places of two pieces: an arrangement action (`Ke8~f8`, a pass `Ke8~e8`) or MChess's
//!   pawning (`e4~d5`, `e7~d8=Q`);
//! - `#` ends a move that wins the game by itself (checkmate, the last Monarch taken), `+` gives check.
//!
//! Reading compares with what the legal moves could be written as, so a text means a move of its position
//! or is an error; there is no grammar apart from the writer.

use super::{MoveError, square_name};
use crate::game::{Game, Which};
use crate::moves::{Flag, Move};
use crate::options::nearest;

/// A text that names no single legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// No legal move is written so.
    #[error(transparent)]
    NotLegal(#[from] MoveError),
    /// Several are.
    #[error("`{text}` may mean {} in `{fen}`", .candidates.join(" or "))]
    Ambiguous {
        /// What was given.
        text: String,
        /// The position.
        fen: String,
        /// The moves it may mean.
        candidates: Vec<String>,
    },
}

/// How much of the square a piece comes from is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    None,
    File,
    Rank,
    Square,
}

impl Origin {
    const ALL: [Origin; 4] = [Origin::None, Origin::File, Origin::Rank, Origin::Square];
}

/// Writes a legal move.
pub fn san<G: Game>(game: &G, state: &G::State, m: Move) -> String {
    short(game, state, m, &legal(game, state)) + suffix(game, state, m)
}

/// The same text with rank 10 as `Ø`, Mageca's own way.
pub fn with_slashed_ten(text: &str) -> String {
    text.replace("10", "Ø")
}

/// Reads a legal move: what [`san`] writes, the same with more of the origin than is needed, long
/// algebraic text (`Ng1-f3`), `0-0` for castling, a missing `=`, `+` or `#`, marks such as `!?`, or UCI.
///
/// # Errors
/// If no legal move is written so, or more than one is.
pub fn parse_move<G: Game>(game: &G, state: &G::State, text: &str) -> Result<Move, SanError> {
    let list = legal(game, state);
    let plain = text.trim().trim_end_matches(['!', '?']).replace('Ø', "10");
    if let Some(&m) = list.iter().find(|&&m| game.uci(state, m) == plain) {
        return Ok(m);
    }
    let wanted = normal(&plain);
    let mut found: Vec<Move> = Vec::new();
    for &m in &list {
        // Nearly all moves go elsewhere: writing them out would be the cost of reading.
        let possible = m.flag() == Flag::Castle || wanted.contains(&square_name(m.to(), G::FILES));
        if possible && Origin::ALL.iter().any(|&o| normal(&form(game, state, m, o)) == wanted) {
            found.push(m);
        }
    }
    let names = |moves: &[Move]| moves.iter().map(|&m| short(game, state, m, &list)).collect::<Vec<_>>();
    match found[..] {
        [m] => Ok(m),
        [] => Err(SanError::NotLegal(MoveError {
            text: text.to_owned(),
            game: game.info().name.to_owned(),
            fen: game.fen(state),
            nearest: nearest(&plain, names(&list).iter().map(String::as_str)),
        })),
        _ => Err(SanError::Ambiguous {
            text: text.to_owned(),
            fen: game.fen(state),
            candidates: names(&found),
        }),
    }
}

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<Move> {
    let mut list = Vec::new();
    game.generate(state, Which::All, &mut list);
    list
}

/// The text without what people leave out or write in other ways.
fn normal(text: &str) -> String {
    let text = text.trim_end_matches(['+', '#']).trim_end_matches("e.p.");
    match text {
        "0-0" | "o-o" => return "O-O".to_owned(),
        "0-0-0" | "o-o-o" => return "O-O-O".to_owned(),
        "O-O" | "O-O-O" => return text.to_owned(),
        _ => {}
    }
    text.strip_prefix("P@").map_or(text.to_owned(), |to| format!("@{to}")).replace(['=', '-', '(', ')'], "")
}

/// The shortest text that no other legal move shares, without check or mate.
fn short<G: Game>(game: &G, state: &G::State, m: Move, list: &[Move]) -> String {
    let bare = form(game, state, m, Origin::None);
    let rivals: Vec<Move> = list
        .iter()
        .copied()
        .filter(|r| r.to() == m.to() && r.from() != m.from() && form(game, state, *r, Origin::None) == bare)
        .collect();
    let files = G::FILES;
    // A pawn that captures is known by its file, whether another could or not.
    let facts = game.facts(state, m);
    let names_file = facts.captured.is_some() && letter(game, state, m).is_empty();
    let origin = if rivals.is_empty() && !names_file {
        Origin::None
    } else if rivals.iter().all(|r| r.from() % files != m.from() % files) {
        Origin::File
    } else if !names_file && rivals.iter().all(|r| r.from() / files != m.from() / files) {
        Origin::Rank
    } else {
        Origin::Square
    };
    form(game, state, m, origin)
}

/// The letter of the piece that moves; none for a pawn.
fn letter<G: Game>(game: &G, state: &G::State, m: Move) -> String {
    let letter = game.info().pieces[game.facts(state, m).mover as usize].letter;
    if letter == 'P' { String::new() } else { letter.to_string() }
}

/// A move with so much of its origin; moves whose text always names both squares disregard that.
fn form<G: Game>(game: &G, state: &G::State, m: Move, origin: Origin) -> String {
    let name = |square| square_name(square, G::FILES);
    let (from, to) = (name(m.from()), name(m.to()));
    let piece = letter(game, state, m);
    let becomes = || format!("={}", game.info().pieces[m.kind() as usize].letter);
    match m.flag() {
        Flag::Castle => return if m.to() > m.from() { "O-O" } else { "O-O-O" }.to_owned(),
        Flag::Drop => return format!("{}@{to}", game.info().pieces[m.kind() as usize].letter),
        Flag::Arrange | Flag::Pawning => return format!("{piece}{from}~{to}"),
        Flag::PawningPromotion => return format!("{piece}{from}~{to}{}", becomes()),
        Flag::Plain | Flag::Promotion | Flag::EnPassant => {}
    }
    let origin = match origin {
        Origin::None => "",
        Origin::File => &from[..1],
        Origin::Rank => &from[1..],
        Origin::Square => &from,
    };
    let x = if game.facts(state, m).captured.is_some() { "x" } else { "" };
    let becomes = if m.flag() == Flag::Promotion { becomes() } else { String::new() };
    format!("{piece}{origin}{x}{to}{becomes}")
}

/// What the move brings about: `#` a win, `+` check.
fn suffix<G: Game>(game: &G, state: &G::State, m: Move) -> &'static str {
    let mut next = state.clone();
    game.play(&mut next, m, &mut ());
    let winner = game.ending(&next).and_then(|e| e.result.winner());
    if winner == Some(game.side_to_move(state)) {
        "#"
    } else if game.in_check(&next) {
        "+"
    } else {
        ""
    }
}
