//! Wrong text: refused with a reason that quotes it, never a panic.

use crate::at;
use crate::moves::list;
use crate::rng::Rng;
use equipoise_engine::eval::{Evaluate, Evaluator};
use equipoise_engine::game::{Game, Which};
use equipoise_engine::notation::{FenError, parse_uci};
use equipoise_engine::perft::perft;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

/// Characters that stand in positions and moves, and some that do not.
const CHARACTERS: &[char] = &[
    '0',
    '1',
    '2',
    '3',
    '8',
    '9',
    'K',
    'k',
    'Q',
    'q',
    'P',
    'p',
    'R',
    'r',
    'B',
    'N',
    'n',
    'M',
    'D',
    'd',
    'W',
    'S',
    'a',
    'c',
    'j',
    'h',
    'w',
    'b',
    '/',
    '-',
    '+',
    '@',
    '[',
    ']',
    '.',
    ',',
    ' ',
    'x',
    'Ø',
    'é',
    '\u{1F451}',
    '\0',
    '~',
];

/// One small mistake.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let place = rng.index(chars.len() + 1);
    match rng.below(8) {
        0 if place < chars.len() => drop(chars.remove(place)),
        1 => chars.insert(place, *rng.pick(CHARACTERS)),
        2 if place < chars.len() => chars[place] = *rng.pick(CHARACTERS),
        3 if place < chars.len() => chars.insert(place, chars[place]),
        4 if place < chars.len() => {
            let other = rng.index(chars.len());
            chars.swap(place, other);
        }
        5 => chars.truncate(place),
        // A field too few, or one put in the place of another.
        6 => {
            let mut fields: Vec<&str> = text.split(' ').collect();
            fields.remove(rng.index(fields.len()));
            return fields.join(" ");
        }
        _ => {
            let mut fields: Vec<&str> = text.split(' ').collect();
            let (from, to) = (rng.index(fields.len()), rng.index(fields.len()));
            fields[to] = fields[from];
            return fields.join(" ");
        }
    }
    chars.into_iter().collect()
}

/// What is refused is quoted; what is accepted is a position like any other.
fn read_or_refuse<G: Evaluate>(game: &G, evaluator: &Evaluator<G>, text: &str) {
    match game.parse_fen(text) {
        Err(error) => {
            let message = error.to_string();
            match &error {
                FenError::Field { number, name, text: field, .. } => {
                    // The field is quoted, or the part of it that is wrong (a board without its hands); a
                    // missing one as nothing.
                    let found = text.split_whitespace().nth(number - 1).unwrap_or("");
                    let quoted = found.contains(field.as_str()) && field.is_empty() == found.is_empty();
                    assert!(quoted, "`{text}`: {message}");
                    assert!(message.contains(name) && message.contains(&format!("`{field}`")), "{message}");
                }
                FenError::Fields { .. } | FenError::Position { .. } => {
                    assert!(message.contains(text), "`{text}`: {message}");
                }
            }
        }
        Ok(state) => {
            assert_eq!(game.key(&state), game.fresh_key(&state), "`{text}`");
            let fen = game.fen(&state);
            let again = game.parse_fen(&fen).unwrap_or_else(|e| panic!("`{text}` was accepted: {e}"));
            assert_eq!(again, state, "`{text}`");
            assert_eq!(game.count(&state), list(game, &state, Which::All).len() as u64, "`{text}`");
            assert_eq!(perft(game, &state, 2), perft(game, &again, 2));
            assert_eq!(evaluator.score(&state, &evaluator.sum(&state)), evaluator.fresh_score(&state));
            let _ = (game.ending(&state), game.is_dead(&state), game.in_check(&state), game.mirrored(&state));
        }
    }
}

fn evaluator<G: Evaluate>(game: &G) -> Evaluator<G> {
    Evaluator::with_defaults(game.clone()).unwrap_or_else(|e| panic!("{e}"))
}

/// Positions with one to three mistakes in them are read, or refused with the field and its text named.
pub fn wrong_fens_are_refused_with_the_reason<G: Evaluate>(game: &G, states: &[G::State]) {
    let evaluator = evaluator(game);
    let mut rng = Rng::new("mistakes");
    let mut refused = 0;
    for state in states {
        let fen = game.fen(state);
        for mistakes in [1, 1, 2, 3] {
            let text = (0..mistakes).fold(fen.clone(), |text, _| mutate(&text, &mut rng));
            read_or_refuse(game, &evaluator, &text);
            refused += usize::from(game.parse_fen(&text).is_err());
        }
    }
    assert!(refused > states.len(), "{refused} mistakes were seen");
}

/// A move with a mistake in it is refused, quoted, unless it is another legal move.
pub fn wrong_moves_are_refused<G: Game>(game: &G, states: &[G::State]) {
    let mut rng = Rng::new("moves");
    for state in states {
        let moves = list(game, state, Which::All);
        let names: Vec<String> = moves.iter().map(|&m| game.uci(state, m)).collect();
        for name in names.iter().take(20) {
            let text = mutate(name, &mut rng);
            let same = |n: &String| *n == text.trim().replace('Ø', "10");
            match parse_uci(game, state, &text) {
                Ok(m) => assert!(same(&game.uci(state, m)), "`{text}`: {}", at(game, state)),
                Err(error) => {
                    assert!(!names.iter().any(same), "`{text}`: {}", at(game, state));
                    let message = error.to_string();
                    assert!(message.contains(&format!("`{text}`")) && message.contains(&game.fen(state)));
                }
            }
        }
    }
}

/// Text of any kind, and text made of the parts of positions, as positions and as moves: a fixed budget.
pub fn any_text_is_survived<G: Evaluate>(game: &G, states: &[G::State]) {
    let evaluator = evaluator(game);
    let fens: Vec<String> = states.iter().map(|state| game.fen(state)).collect();
    let fields: Vec<String> =
        fens.iter().flat_map(|fen| fen.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
    let start = game.start();
    let character = prop_oneof![4 => proptest::sample::select(CHARACTERS), 1 => any::<char>()];
    let noise = proptest::collection::vec(character, 0..80).prop_map(String::from_iter);
    let patchwork =
        proptest::collection::vec(proptest::sample::select(fields), 0..9).prop_map(|f| f.join(" "));
    let cut = (proptest::sample::select(fens.clone()), proptest::sample::select(fens), any::<u16>())
        .prop_map(|(a, b, at)| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let at = usize::from(at) % a.len().min(b.len()).max(1);
            a[..at].iter().chain(&b[at..]).collect::<String>()
        });
    let config = Config {
        cases: states.len() as u32,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&prop_oneof![noise, patchwork, cut], |text| {
        read_or_refuse(game, &evaluator, &text);
        if let Err(error) = parse_uci(game, &start, &text) {
            prop_assert!(error.to_string().contains(&text));
        }
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{}: {e}", game.info().name));
}
