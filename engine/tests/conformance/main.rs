//! The conformance suite: every property below, for every game in the registry and every value of its options.
//!
//! A game gets its tests by being registered; no test names a game. `cargo test --test conformance magi` runs one
//! game's, `... key` one property's. With `EQUIPOISE_FULL=1` in the environment each property looks at 10,000
//! positions a game instead of a few hundred. `EQUIPOISE_SNAPSHOTS=write` writes the recorded games anew.

mod endings;
mod evaluation;
mod fuzz;
mod keys;
#[path = "../literal/mod.rs"]
mod literal;
mod most_moves;
mod moves;
mod oracle;
mod rng;
mod sample;
mod snapshot;
mod text;

use equipoise_engine::game::{Game, Info};
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::search::Playable;
use libtest_mimic::{Arguments, Trial};

/// Whether the long form was asked for.
fn full() -> bool {
    std::env::var_os("EQUIPOISE_FULL").is_some()
}

/// One property of one game, run when the registry hands the game over.
struct Property {
    name: &'static str,
    /// Positions to look at.
    positions: usize,
}

/// The properties by name: functions of a game and its sample of positions.
macro_rules! properties {
    ($($module:ident: $($name:ident)*;)*) => {
        const PROPERTIES: &[&str] = &[$($(stringify!($name)),*),*];

        impl Visitor for Property {
            type Output = ();
            fn visit<G: Playable>(self, game: G) {
                match self.name {
                    $($(stringify!($name) => $module::$name(&game, &sample::positions(&game, self.positions)),)*)*
                    other => panic!("no property `{other}`"),
                }
            }
        }
    };
}

properties! {
    sample: sample_is_various;
    keys: key_is_kept key_is_foreseen key_tells_positions_apart;
    moves: play_changes_the_copy_alone noisy_and_quiet_are_all_moves count_is_the_length_of_the_list
        legality_is_membership facts_are_what_happens material_is_conserved
        reach_is_the_same_for_both_sides left_and_right_are_as_the_game_says;
    text: fen_comes_back uci_comes_back setups_are_starts;
    oracle: moves_and_successors_are_the_literal_ones;
    evaluation: mirror_has_the_same_tree_and_the_negated_score score_is_kept observer_sees_every_change;
    endings: random_games_end_once;
    fuzz: wrong_fens_are_refused_with_the_reason wrong_moves_are_refused any_text_is_survived;
}

/// A game built by the registry, options checked.
fn run(info: &'static Info, option: Option<(&'static str, &'static str)>, property: Property) {
    games::with(info.name, option, property).unwrap_or_else(|e| panic!("{e}"));
}

/// What the game with run-time tables says of positions that the game with constants gave.
struct OnTables(Vec<String>);

impl Visitor for OnTables {
    type Output = Vec<String>;
    fn visit<G: Playable>(self, game: G) -> Vec<String> {
        oracle::transcript(&game, &self.0)
    }
}

/// Plays the sample on constants and on tables. Only for a game that has both.
struct BothArmies {
    positions: usize,
}

impl Visitor for BothArmies {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let fens: Vec<String> =
            sample::positions(&game, self.positions).iter().map(|state| game.fen(state)).collect();
        let constants = oracle::transcript(&game, &fens);
        let name = game.info().name;
        let on_tables = games::with_tables(name, game.options().iter(), OnTables(fens));
        if let Some(tables) = on_tables.unwrap_or_else(|e| panic!("{e}")) {
            for (constant, table) in constants.iter().zip(&tables) {
                assert_eq!(constant, table, "{name}: constants, tables");
            }
            assert_eq!(constants.len(), tables.len());
        }
    }
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for &info in games::ALL {
        let positions = if full() { 10_000 } else { 300 };
        for &name in PROPERTIES {
            let property = Property { name, positions };
            trials.push(Trial::test(format!("{}::{name}", info.name), move || {
                run(info, None, property);
                Ok(())
            }));
        }
        trials.push(Trial::test(format!("{}::both_armies_play_alike", info.name), move || {
            games::with(info.name, [], BothArmies { positions }).map_err(|e| e.to_string())?;
            Ok(())
        }));
        trials.push(Trial::test(format!("{}::snapshot", info.name), move || {
            games::with(info.name, [], snapshot::Recorded).map_err(|e| e.to_string())?
        }));
        trials.push(Trial::test(format!("{}::most_moves", info.name), move || {
            games::with(info.name, [], most_moves::Longest).map_err(|e| e.to_string())?
        }));
        // A changed rule is a game of its own: all properties again, on fewer positions.
        for option in info.options {
            for &value in &option.values[1..] {
                for &name in PROPERTIES {
                    let property = Property { name, positions: positions / 5 };
                    let title = format!("{}[{}={value}]::{name}", info.name, option.name);
                    trials.push(Trial::test(title, move || {
                        run(info, Some((option.name, value)), property);
                        Ok(())
                    }));
                }
            }
        }
    }
    trials
}

fn main() {
    libtest_mimic::run(&Arguments::from_args(), trials()).exit();
}

/// Where a property failed: the game with its options, and the position.
fn at<G: Game>(game: &G, state: &G::State) -> String {
    let options = game.options();
    format!("{} [{options}] in `{}`", game.info().name, game.fen(state))
}
