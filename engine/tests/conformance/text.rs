//! Text: positions and moves written and read again.

use crate::at;
use crate::moves::list;
use crate::rng::Rng;
use equipoise_engine::game::{Game, Setups, Which};
use equipoise_engine::notation::{legal_uci, parse_uci};
use std::collections::HashSet;

/// A position's text is read back to an equal position of the same key, and written the same again.
pub fn fen_comes_back<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let fen = game.fen(state);
        let read = game.parse_fen(&fen).unwrap_or_else(|e| panic!("{e}: {}", at(game, state)));
        assert_eq!(read, *state, "{}", at(game, state));
        assert_eq!(game.key(&read), game.key(state), "{}", at(game, state));
        assert_eq!(game.clocks(&read), game.clocks(state), "{}", at(game, state));
        assert_eq!(game.fen(&read), fen);
        // Blanks around and between the fields do not matter.
        let spaced = format!("  {}\n", fen.replace(' ', "  "));
        assert_eq!(game.parse_fen(&spaced).as_ref(), Ok(state), "`{spaced}`");
    }
}

/// Legal moves have different names, sorted ones at that, and each is found by its name.
pub fn uci_comes_back<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let moves = list(game, state, Which::All);
        let names: HashSet<String> = moves.iter().map(|&m| game.uci(state, m)).collect();
        assert_eq!(names.len(), moves.len(), "{}", at(game, state));
        for &m in &moves {
            assert_eq!(parse_uci(game, state, &game.uci(state, m)), Ok(m), "{}", at(game, state));
        }
        let sorted = legal_uci(game, state);
        assert!(sorted.is_sorted() && sorted.len() == moves.len());
    }
}

/// The start is a position with moves; so is every drawn set-up that is not barred, and different numbers are
/// different set-ups. A number too large is no set-up.
pub fn setups_are_starts<G: Game>(game: &G, _: &[G::State]) {
    let start = game.start();
    assert!(game.count(&start) > 0 && game.ending(&start).is_none() && !game.is_dead(&start));
    assert_eq!(game.clocks(&start).1, 1, "{}", at(game, &start));
    let (count, shared) = match game.setups() {
        Setups::None => return assert_eq!(game.setup(0, 0), None),
        Setups::Shared(n) => (n, true),
        Setups::PerSide(n) => (n, false),
    };
    assert!(count > 1);
    let mut rng = Rng::new("setups");
    let mut keys = HashSet::new();
    let pairs: Vec<(u64, u64)> = if shared && count <= 1000 {
        (0..count).map(|n| (n, n)).collect()
    } else if count <= 30 {
        (0..count).flat_map(|w| (0..count).map(move |b| (w, b))).collect()
    } else {
        (0..1000).map(|_| (rng.below(count), rng.below(count))).collect()
    };
    let mut found = 0;
    for &(white, black) in &pairs {
        let Some(state) = game.setup(white, black) else { continue };
        found += 1;
        assert!(keys.insert(game.key(&state)), "set-up {white}, {black} twice: {}", at(game, &state));
        assert!(game.ending(&state).is_none() && !game.is_dead(&state), "{}", at(game, &state));
        assert_eq!(game.clocks(&state), (0, 1), "{}", at(game, &state));
        assert_eq!(game.parse_fen(&game.fen(&state)), Ok(state));
    }
    assert!(found * 2 > pairs.len(), "most pairs are barred");
    assert_eq!(game.setup(count, count), None);
}
