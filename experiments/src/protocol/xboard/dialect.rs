//! XBoard's ways: names of games, boards it has to be told of, its coordinates, its FEN.

use crate::protocol::session::Session;
use engine::games::ALL;
use engine::notation::{parse_placement, parse_square};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What XBoard has to be told of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    name: String,
    variant: String,
    setup: Option<String>,
    #[serde(default)]
    parent: String,
    #[serde(default)]
    pieces: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct File {
    game: Vec<Known>,
}

/// The games XBoard can show. A test reads the file, which is part of the program.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    toml::from_str::<File>(include_str!("../../../../data/xboard.toml")).map(|f| f.game).unwrap_or_default()
});

/// Names for the feature `variants`.
pub fn variants() -> String {
    KNOWN.iter().map(|k| k.variant.as_str()).collect::<Vec<_>>().join(",")
}

/// The game that XBoard calls `variant`; any game of ours by its own name too.
pub fn game_of(variant: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|k| k.variant == variant).map(|k| k.name.as_str());
    let name = known.unwrap_or(variant);
    ALL.iter().map(|info| info.name).find(|n| *n == name)
}

/// What XBoard calls the game `name`.
pub fn variant_of(name: &'static str) -> &'static str {
    KNOWN.iter().find(|k| k.name == name).map_or(name, |k| k.variant.as_str())
}

/// The commands that describe the game's board and pieces, if XBoard does not know it.
pub fn setup(session: &dyn Session) -> Vec<String> {
    let Some(known) = KNOWN.iter().find(|k| k.name == session.info().name) else { return Vec::new() };
    let Some(pictures) = &known.setup else { return Vec::new() };
    let (files, ranks) = session.size();
    let fen = short_fen(&session.start_fen());
    let mut lines = vec![format!("setup ({pictures}) {files}x{ranks}+0_{} {fen}", known.parent)];
    lines.extend(known.pieces.iter().map(|(letter, moves)| format!("piece {letter}& {moves}")));
    lines
}

/// The six fields that XBoard knows.
fn short_fen(fen: &str) -> String {
    fen.split_whitespace().take(6).collect::<Vec<_>>().join(" ")
}

/// Whether XBoard counts the ranks from 0, as it does on boards with ten.
pub fn counts_from_zero(session: &dyn Session) -> bool {
    session.size().1 >= 10
}

/// Adds `by` to every number in a move.
fn shift(text: &str, by: i64) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        shifted += before;
        match digits.parse::<i64>().ok().and_then(|n| n.checked_add(by)) {
            Some(n) => shifted += &n.to_string(),
            None => shifted += digits,
        }
        rest = after;
    }
    shifted + rest
}

/// The lines that tell XBoard of a legal move; one of two legs takes two.
pub fn tell_move(session: &dyn Session, uci: &str) -> Vec<String> {
    match show_legs(session, uci) {
        (first, Some(second)) => vec![format!("move {first},"), format!("move {second}")],
        (whole, None) => vec![format!("move {whole}")],
    }
}

/// A legal move as XBoard sends it to a program.
pub fn sent_move(session: &dyn Session, uci: &str) -> String {
    match show_legs(session, uci) {
        (first, Some(second)) => format!("{first},{second}"),
        (whole, None) => whole,
    }
}

/// A legal move, in two legs if it takes in passing a pawn that is not right behind the target: the first
/// leg goes on to the pawn.
fn show_legs(session: &dyn Session, uci: &str) -> (String, Option<String>) {
    let (files, ranks) = session.size();
    let victim = session.taken_in_passing(uci);
    let squares = parse_square(uci, files, ranks)
        .and_then(|(from, rest)| Some((from, parse_square(rest, files, ranks)?.0)));
    if let (Some(victim), Some((from, to))) = (victim, squares) {
        let behind = if to > from { to.checked_sub(files) } else { to.checked_add(files) };
        let name = |square| engine::notation::square_name(square, files);
        if behind.map(name).as_deref() != Some(victim.as_str()) {
            let zero = counts_from_zero(session);
            let first = shift_ranks(&(name(from) + &victim), zero);
            return (first, Some(shift_ranks(&(victim + &name(to)), zero)));
        }
    }
    (show_move(session, uci), None)
}

/// A legal move as XBoard writes it.
pub fn show_move(session: &dyn Session, uci: &str) -> String {
    // Only where king and rook may stand anywhere is the king's own move not enough.
    let castling = session.castlings().into_iter().find(|(text, _)| text == uci);
    match castling {
        Some((_, kings_side)) if is_fischer(session) => if kings_side { "O-O" } else { "O-O-O" }.to_owned(),
        _ => shift_ranks(uci, counts_from_zero(session)),
    }
}

fn is_fischer(session: &dyn Session) -> bool {
    KNOWN.iter().any(|k| k.name == session.info().name && k.variant == "fischerandom")
}

/// A move of a line that need not be legal here; `from_zero` tells whether ranks are counted from 0.
pub fn shift_ranks(uci: &str, from_zero: bool) -> String {
    shift(uci, -i64::from(from_zero))
}

/// XBoard's move in UCI.
pub fn read_move(session: &dyn Session, text: &str) -> String {
    if let Some(kings_side) = match text.replace('0', "O").as_str() {
        "O-O" => Some(true),
        "O-O-O" => Some(false),
        _ => None,
    } {
        let castling = session.castlings().into_iter().find(|(_, side)| *side == kings_side);
        return castling.map_or_else(|| text.to_owned(), |(uci, _)| uci);
    }
    let (files, ranks) = session.size();
    let shifted = shift(text, i64::from(counts_from_zero(session)));
    // A move of two legs, or with the square of the pawn taken: what counts is where it begins and ends.
    let whole = match (shifted.split_once(','), shifted.split_once(';')) {
        (Some((first, second)), _) => {
            let from = parse_square(first, files, ranks).map(|(_, rest)| &first[..first.len() - rest.len()]);
            let to = parse_square(second, files, ranks).map(|(_, rest)| rest);
            format!("{}{}", from.unwrap_or(first), to.unwrap_or(second))
        }
        (None, Some((first, _))) => first.to_owned(),
        (None, None) => shifted,
    };
    if whole.contains('@') { whole } else { whole.to_lowercase() }
}

/// XBoard's FEN, in which the fields after the sixth are missing, made whole: what the start position's say
/// is kept as far as the men named there still stand where they stood.
pub fn read_fen(session: &dyn Session, text: &str) -> String {
    let start = session.start_fen();
    let wanted: Vec<&str> = start.split_whitespace().collect();
    let mut fields: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if fields.len() < 6 || fields.len() >= wanted.len() {
        return text.trim().to_owned();
    }
    for extra in &wanted[fields.len()..] {
        fields.push(still_standing(session, &fields[0], wanted[0], extra));
    }
    fields.join(" ")
}

/// Of the squares run together in `squares`, those whose man is the same in two placements; `-` for none.
/// A field that lists no squares is kept.
fn still_standing(session: &dyn Session, now: &str, then: &str, squares: &str) -> String {
    let (files, ranks) = session.size();
    let letters: Vec<char> = session.info().pieces.iter().map(|p| p.letter).collect();
    let read = |text| parse_placement(text, files, ranks, &letters);
    let (Ok(now), Ok(then)) = (read(now), read(then)) else { return squares.to_owned() };
    let mut kept = String::new();
    let mut rest = squares;
    while let Some((square, after)) = parse_square(rest, files, ranks) {
        let man = |placement: &engine::notation::Placement| {
            placement.iter().find(|(_, _, s)| *s == square).map(|(side, kind, _)| (*side, *kind))
        };
        if man(&now).is_some() && man(&now) == man(&then) {
            kept += &rest[..rest.len() - after.len()];
        }
        rest = after;
    }
    match (rest, kept.as_str()) {
        ("", "") => "-".to_owned(),
        ("", _) => kept,
        _ => squares.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::session::{Setup, open};

    fn session(game: &str) -> Box<dyn Session> {
        open(&Setup { game: game.to_owned(), ..Setup::default() }).unwrap()
    }

    #[test]
    fn the_data_fit_the_games() {
        assert!(KNOWN.len() >= 4);
        for known in KNOWN.iter() {
            let info = ALL.iter().find(|i| i.name == known.name).unwrap_or_else(|| panic!("{known:?}"));
            assert_eq!(game_of(&known.variant), Some(info.name));
            let Some(pictures) = &known.setup else { continue };
            let mut letters: Vec<char> = pictures.chars().filter(|c| c.is_ascii_uppercase()).collect();
            letters.sort_unstable();
            let mut wanted: Vec<char> = info.pieces.iter().map(|p| p.letter).collect();
            wanted.sort_unstable();
            assert_eq!(letters, wanted, "{}", known.name);
            let (white, black) = pictures.split_at(pictures.len() / 2);
            assert_eq!(white.to_lowercase(), black);
            assert!(known.pieces.keys().all(|k| wanted.iter().any(|w| k == &w.to_string())));
        }
    }

    #[test]
    fn ranks_of_large_boards_begin_at_0() {
        let magi = session("magi");
        assert_eq!(show_move(magi.as_ref(), "a9a10q"), "a8a9q");
        assert_eq!(read_move(magi.as_ref(), "a8a9Q"), "a9a10q");
        assert_eq!(read_move(magi.as_ref(), "f0i0"), "f1i1");
        let chess = session("chess");
        assert_eq!(read_move(chess.as_ref(), "e2e4"), "e2e4");
        assert_eq!(show_move(chess.as_ref(), "e2e4"), "e2e4");
    }

    #[test]
    fn a_pawn_two_squares_behind_is_taken_in_two_legs() {
        let mut magi = session("magi");
        let fen =
            "rnbcqkwbnr/p1pppppppp/d2p2p2d/10/10/10/1p8/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR w KQkq - 0 1 d3g3d8g8";
        magi.set_position(Some(fen), &["c2c5".to_owned()]).unwrap();
        assert_eq!(tell_move(magi.as_ref(), "b4c3"), ["move b3c4,", "move c4c2"]);
        assert_eq!(read_move(magi.as_ref(), "b3c4,c4c2"), "b4c3");
        assert_eq!(read_move(magi.as_ref(), "b3c2;c4"), "b4c3");
        magi.set_position(Some(fen), &["c2c4".to_owned()]).unwrap();
        assert_eq!(tell_move(magi.as_ref(), "b4c3"), ["move b3c2"]);
    }

    #[test]
    fn castling_is_spelt_out_in_chess960_alone() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let mut fischer = session("chess960");
        fischer.set_position(Some(fen), &[]).unwrap();
        assert_eq!(show_move(fischer.as_ref(), "e1h1"), "O-O");
        assert_eq!(read_move(fischer.as_ref(), "O-O-O"), "e1a1");
        let mut chess = session("chess");
        chess.set_position(Some(fen), &[]).unwrap();
        assert_eq!(show_move(chess.as_ref(), "e1g1"), "e1g1");
        assert_eq!(read_move(chess.as_ref(), "O-O"), "e1g1");
    }

    #[test]
    fn fields_that_xboard_does_not_know_are_put_back() {
        let magi = session("magi");
        let fen = "rnbcqkwbnr/pppppppppp/d2p2p2d/10/10/10/3P6/D5P2D/PPPPPPPPPP/RNBCQKWBNR b KQkq - 0 1";
        assert_eq!(read_fen(magi.as_ref(), fen), format!("{fen} g3d8g8"));
        let chess = session("chess");
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(read_fen(chess.as_ref(), fen), fen);
        assert_eq!(read_fen(magi.as_ref(), "nonsense"), "nonsense");
    }
}
