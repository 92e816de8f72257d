//! Against the literal implementation, and one army against the other: moves, successors, outcomes as text.

use crate::literal;
use equipoise_engine::game::Game;
use equipoise_engine::notation::legal_uci;
use equipoise_engine::notation::parse_uci;

/// Moves and the position after each are those of the literal implementation, where it plays the game. It has to
/// know each option of a game that it plays: an option it passed over would be compared with the wrong rules.
pub fn moves_and_successors_are_the_literal_ones<G: Game>(game: &G, states: &[G::State]) {
    let name = game.info().name;
    let changed: Vec<(&str, &str)> = game
        .options()
        .iter()
        .filter(|(option, value)| {
            game.info().options.iter().any(|o| o.name == *option && o.default() != *value)
        })
        .collect();
    if !literal::plays(name) {
        return;
    }
    for (option, _) in &changed {
        assert!(literal::knows(name, option), "the literal {name} has no option `{option}`");
    }
    let options = literal::Options::of(&changed);
    for state in states {
        let fen = game.fen(state);
        let expected = literal::successors(name, &fen, &options);
        let names: Vec<&str> = expected.iter().map(|(uci, _)| uci.as_str()).collect();
        assert_eq!(legal_uci(game, state), names, "{name} {changed:?}: moves of `{fen}`");
        for (uci, after) in &expected {
            let mut next = state.clone();
            let m = parse_uci(game, state, uci).unwrap_or_else(|e| panic!("{e}"));
            game.play(&mut next, m, &mut ());
            assert_eq!(game.fen(&next), *after, "{name} {changed:?}: {uci} in `{fen}`");
        }
        let found = game.ending(state).map(|e| e.termination.name());
        assert_eq!(found, literal::outcome(name, &fen, &options), "{name} {changed:?}: end of `{fen}`");
    }
}

/// All that the rules say of each position, a line a position.
pub fn transcript<G: Game>(game: &G, fens: &[String]) -> Vec<String> {
    let tell = |fen: &String| {
        let state = game.parse_fen(fen).unwrap_or_else(|e| panic!("{e}"));
        let after: Vec<String> = legal_uci(game, &state)
            .into_iter()
            .map(|uci| {
                let mut next = state.clone();
                let m = parse_uci(game, &state, &uci).unwrap_or_else(|e| panic!("{e}"));
                game.play(&mut next, m, &mut ());
                format!("{uci} {} {:x}", game.fen(&next), game.key(&next))
            })
            .collect();
        format!(
            "{fen} count {} check {} end {:?} dead {}: {}",
            game.count(&state),
            game.in_check(&state),
            game.ending(&state),
            game.is_dead(&state),
            after.join(", ")
        )
    };
    fens.iter().map(tell).collect()
}
