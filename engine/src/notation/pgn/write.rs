//! Writing PGN.

use super::{PgnGame, ROSTER};
use crate::game::Game;
use crate::notation::san;
use crate::side::Side;

/// Lines are shorter than this, as the standard's export format asks.
const COLUMNS: usize = 80;

/// Writes one game, with an empty line after it. `record.moves` must be legal moves in their order.
pub fn write_pgn<G: Game>(game: &G, record: &PgnGame<G::State>) -> String {
    let mut text = String::new();
    for (name, default) in ROSTER {
        tag(&mut text, name, record.tag(name).unwrap_or(default));
    }
    tag(&mut text, "Result", record.result.name());
    tag(&mut text, "Variant", game.info().name);
    let options = game.options().to_string();
    if !options.is_empty() {
        tag(&mut text, "Options", &options);
    }
    tag(&mut text, "SetUp", "1");
    tag(&mut text, "FEN", &game.fen(&record.start));
    if let Some(termination) = record.termination {
        tag(&mut text, "Termination", termination.name());
    }
    let in_roster = |name: &str| ROSTER.iter().any(|(n, _)| *n == name);
    for (name, value) in record.tags.iter().filter(|(name, _)| !in_roster(name)) {
        tag(&mut text, name, value);
    }
    text.push('\n');
    let mut column = 0;
    for word in words(game, record) {
        let width = word.chars().count();
        if column > 0 {
            let fits = column + 1 + width < COLUMNS;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text += &word;
        column += width;
    }
    text + "\n\n"
}

/// `[Name "value"]`. A value is one line of text; what would end it early is escaped.
fn tag(text: &mut String, name: &str, value: &str) {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    *text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
}

/// Move numbers, moves, evaluations, the result.
fn words<G: Game>(game: &G, record: &PgnGame<G::State>) -> Vec<String> {
    let mut words = Vec::new();
    let mut state = record.start.clone();
    // Whose move the last written number announced, while nothing came between.
    let mut announced: Option<(u32, Side)> = None;
    for (ply, &m) in record.moves.iter().enumerate() {
        let (side, number) = (game.side_to_move(&state), game.clocks(&state).1);
        // One side may act twice in a row, and Black may begin.
        let follows = announced.is_some_and(|(n, s)| n == number && (s == side || s == Side::White));
        if !follows {
            words.push(format!("{number}{}", if side == Side::White { "." } else { "..." }));
        }
        announced = Some((number, side));
        words.push(san(game, &state, m));
        if let Some(eval) = record.evals.get(ply).copied().flatten() {
            words.push(format!("{{[%eval {eval}]}}"));
            if side == Side::White {
                announced = None;
            }
        }
        game.play(&mut state, m, &mut ());
    }
    words.push(record.result.name().to_owned());
    words
}
