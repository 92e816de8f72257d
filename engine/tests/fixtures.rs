//! Every registered game against the counts and positions of an independent, literal implementation.
//!
//! `fixtures/perft-NAME.tsv` has a FEN, a depth and a count of nodes a line; `fixtures/positions-NAME.jsonl` an
//! object a line: `fen`, its `moves` sorted, for some of them the `next` FEN, in some files the `outcome`.
//! A game is checked as soon as it is in the registry; its name finds its files.

use equipoise_engine::game::Game;
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::notation::{legal_uci, parse_uci};
use equipoise_engine::outcome::Termination;
use equipoise_engine::perft::perft;
use equipoise_engine::search::Playable;
use serde_json::Value;
use std::path::PathBuf;

/// A fixture's text, if the game has this fixture.
fn fixture(file: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
    std::fs::read_to_string(path).ok()
}

/// Counts every line; gives their number.
struct Counts<'a>(&'a str);

impl Visitor for Counts<'_> {
    type Output = usize;
    fn visit<G: Playable>(self, game: G) -> usize {
        let name = game.info().name;
        for line in self.0.lines() {
            let [fen, depth, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{name}: `{line}` has not three fields");
            };
            let state = game.parse_fen(fen).unwrap_or_else(|e| panic!("{name}: {e}"));
            let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
            assert_eq!(perft(&game, &state, depth), nodes, "{name}: perft {depth} of {fen}");
        }
        self.0.lines().count()
    }
}

/// Checks every position; gives their number.
struct Positions<'a>(&'a str);

impl Visitor for Positions<'_> {
    type Output = usize;
    fn visit<G: Playable>(self, game: G) -> usize {
        for line in self.0.lines() {
            let position: Value = serde_json::from_str(line).unwrap();
            check(&game, &position);
        }
        self.0.lines().count()
    }
}

fn check<G: Game>(game: &G, position: &Value) {
    let name = game.info().name;
    let fen = position["fen"].as_str().unwrap();
    let state = game.parse_fen(fen).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(game.fen(&state), fen, "{name}: written again");
    let moves: Vec<&str> =
        position["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert_eq!(legal_uci(game, &state), moves, "{name}: moves of {fen}");
    if let Some(outcome) = position.get("outcome") {
        let dead = || game.is_dead(&state).then_some(Termination::DeadPosition);
        let found = game.ending(&state).map(|e| e.termination).or_else(dead).map(Termination::name);
        assert_eq!(found, outcome.as_str(), "{name}: outcome of {fen}");
    }
    for (text, after) in position["next"].as_object().into_iter().flatten() {
        let mut next = state.clone();
        let m = parse_uci(game, &state, text).unwrap_or_else(|e| panic!("{name}: {e}"));
        game.play(&mut next, m, &mut ());
        assert_eq!(game.fen(&next), after.as_str().unwrap(), "{name}: {text} in {fen}");
        assert_eq!(game.key(&next), game.fresh_key(&next), "{name}: key after {text} in {fen}");
    }
}

#[test]
fn perft_counts_are_the_literal_ones() {
    let mut lines = 0;
    for info in games::ALL {
        if let Some(text) = fixture(&format!("perft-{}.tsv", info.name)) {
            lines += games::with(info.name, [], Counts(&text)).unwrap();
        }
    }
    assert!(lines > 0, "no registered game has a fixture");
}

#[test]
fn moves_successors_and_outcomes_are_the_literal_ones() {
    let mut lines = 0;
    for info in games::ALL {
        if let Some(text) = fixture(&format!("positions-{}.jsonl", info.name)) {
            lines += games::with(info.name, [], Positions(&text)).unwrap();
        }
    }
    assert!(lines > 0, "no registered game has a fixture");
}
