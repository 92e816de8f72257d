//! Damaged files: whatever an editor, a disk or a hurried hand does to an experiment, a claims file, a
//! payoff matrix or a file of weights, it is read or refused in one line, and nothing panics.

use engine::eval::{Layout, Weights};
use engine::games::{self, Visitor};
use engine::payoff::{Matrix, SAMPLE_TOML};
use engine::search::Playable;
use experiments::{claims, experiment};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::path::Path;

/// What is done to a file, at a place given as a share of its length.
#[derive(Clone, Debug)]
enum Damage {
    Cut,
    Delete(usize),
    Insert(String),
    SwapLines(usize),
    RepeatLine,
}

fn damage() -> impl Strategy<Value = (f64, Damage)> {
    let what = prop_oneof![
        Just(Damage::Cut),
        (1..40_usize).prop_map(Damage::Delete),
        prop_oneof![
            "[-=\\[\\]\"'#.,0-9a-z\n]{1,6}",
            Just("\"".to_owned()),
            Just("-1".to_owned()),
            Just("1e308".to_owned()),
            Just("99999999999999999999".to_owned()),
            Just("nan".to_owned()),
            Just("é\u{0}".to_owned()),
        ]
        .prop_map(Damage::Insert),
        (1..12_usize).prop_map(Damage::SwapLines),
        Just(Damage::RepeatLine),
    ];
    (0.0..1.0_f64, what)
}

fn apply(text: &str, (place, what): &(f64, Damage)) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = (chars.len() as f64 * place) as usize;
    let (before, after) = chars.split_at(at);
    let join = |a: &[char], middle: &str, b: &[char]| {
        a.iter().collect::<String>() + middle + &b.iter().collect::<String>()
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let line = (lines.len() as f64 * place) as usize;
    match what {
        Damage::Cut => join(before, "", &[]),
        Damage::Delete(n) => join(before, "", &after[(*n).min(after.len())..]),
        Damage::Insert(text) => join(before, text, after),
        Damage::SwapLines(n) if !lines.is_empty() => {
            let other = (line + n) % lines.len();
            lines.swap(line.min(other), line.max(other));
            lines.join("\n")
        }
        Damage::RepeatLine if !lines.is_empty() => {
            lines.insert(line, lines[line]);
            lines.join("\n")
        }
        _ => text.to_owned(),
    }
}

/// Runs `read` on damaged copies of `text`; what it refuses it must say why.
fn damaged(text: &str, read: impl Fn(&str) -> Result<(), String>) {
    assert_eq!(read(text), Ok(()), "the undamaged file is read");
    let cases = if std::env::var_os("EQUIPOISE_FULL").is_some() { 20_000 } else { 400 };
    let config =
        Config { rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..Config::with_cases(cases) };
    let refused = std::cell::Cell::new(0_u32);
    proptest::test_runner::TestRunner::new(config)
        .run(&prop::collection::vec(damage(), 1..4), |all| {
            let broken = all.iter().fold(text.to_owned(), |text, one| apply(&text, one));
            if let Err(why) = read(&broken) {
                refused.set(refused.get() + 1);
                prop_assert!(!why.trim().is_empty());
            }
            Ok(())
        })
        .unwrap();
    let refused = refused.get();
    assert!(refused > cases / 4, "only {refused} of {cases} damaged files were refused");
}

#[test]
fn experiment_files() {
    let text = include_str!("../../data/experiments/01-quickstart.toml");
    damaged(text, |t| experiment::read("a.toml", t, Path::new(".")).map(drop).map_err(|e| format!("{e:#}")));
}

#[test]
fn claims_files() {
    for (_, text) in claims::file::BUILT_IN {
        damaged(text, |t| claims::file::read("claims.toml", t).map(drop).map_err(|e| format!("{e:#}")));
    }
}

#[test]
fn payoff_matrices() {
    damaged(SAMPLE_TOML, |t| t.parse::<Matrix>().map(drop).map_err(|e| e.to_string()));
}

#[test]
fn weights() {
    struct OfGame;
    impl Visitor for OfGame {
        type Output = ();
        fn visit<G: Playable>(self, game: G) {
            let (layout, _) = Layout::of(&game);
            let text = Weights::rule_of_thumb(&layout).to_toml(&layout, &[("game", game.info().name)]);
            damaged(&text, |t| Weights::parse(&layout, t).map(drop).map_err(|e| e.to_string()));
        }
    }
    games::with("magi", [], OfGame).expect("magi is registered");
}
