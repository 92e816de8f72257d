//! A recorded game of each game as readable text: what a change of its rules changes shows in a diff.

use crate::rng::Rng;
use equipoise_engine::game::Game;
use equipoise_engine::games::Visitor;
use equipoise_engine::notation::{draw, legal_uci, parse_uci};
use equipoise_engine::referee::{Limits, Referee};
use equipoise_engine::search::Playable;
use libtest_mimic::Failed;
use std::fmt::Write;
use std::path::PathBuf;

/// Plies told in full, with board and moves; the rest by their moves alone.
const IN_FULL: usize = 12;

/// Compares the game's record with its file, or writes the file.
pub struct Recorded;

impl Visitor for Recorded {
    type Output = Result<(), Failed>;
    fn visit<G: Playable>(self, game: G) -> Result<(), Failed> {
        let name = game.info().name;
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.txt"));
        let played = record(&game).map_err(|e| format!("{name}: {e}"))?;
        if std::env::var("EQUIPOISE_SNAPSHOTS").as_deref() == Ok("write") {
            return std::fs::write(&path, played).map_err(|e| format!("{}: {e}", path.display()).into());
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        match played.lines().zip(recorded.lines()).find(|(now, then)| now != then) {
            None if played == recorded => Ok(()),
            differs => Err(format!(
                "the record of {name} differs from {} at {differs:?}; if that is meant, run again with \
                 EQUIPOISE_SNAPSHOTS=write in the environment and look at the diff",
                path.display()
            )
            .into()),
        }
    }
}

/// A random game, moves drawn from the sorted list so that the order of generation decides nothing.
fn record<G: Game>(game: &G) -> Result<String, std::fmt::Error> {
    let info = game.info();
    let mut text = String::new();
    writeln!(text, "{}: {}, default options\nstart: {}", info.name, info.title, game.fen(&game.start()))?;
    let mut rng = Rng::new("snapshot");
    let limits = Limits { move_rule: None, move_limit: Some(60) };
    let mut referee = Referee::new(game.clone(), game.start(), limits);
    let mut ply = 0;
    while referee.ending().is_none() {
        let state = referee.state().clone();
        let names = legal_uci(game, &state);
        let chosen = rng.pick(&names).clone();
        if ply < IN_FULL {
            let check = if game.in_check(&state) { ", in check" } else { "" };
            let side = game.side_to_move(&state);
            writeln!(
                text,
                "\nply {ply}: {side} to act{check}\n{}\n{}",
                game.fen(&state),
                draw(game, &state)
            )?;
            writeln!(text, "{} legal: {}\nplayed: {chosen}", names.len(), names.join(" "))?;
        } else {
            let line = if ply == IN_FULL { "\nthen:" } else { "" };
            let space = if ply % 20 == 0 && ply > IN_FULL { "\n" } else { " " };
            write!(text, "{line}{space}{chosen}")?;
        }
        let Ok(m) = parse_uci(game, &state, &chosen) else { return Err(std::fmt::Error) };
        referee.play(m);
        ply += 1;
    }
    let end = referee.ending().map(|e| format!("{} {}", e.result, e.termination)).unwrap_or_default();
    writeln!(text, "\n\nend after {ply} plies: {end}\n{}", game.fen(referee.state()))?;
    text += &draw(game, referee.state());
    Ok(text)
}
