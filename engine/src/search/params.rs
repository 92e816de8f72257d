//! The search's settings, each declared once: name, default, range and meaning. A game may have defaults of its own.

use super::Playable;
use crate::options::nearest;
use std::collections::BTreeMap;

/// A setting that does not exist, or a value it does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParamError {
    /// No setting has this name.
    #[error("the search has no setting `{name}`{}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default())]
    Unknown {
        /// What was given.
        name: String,
        /// The nearest known name, if one is near.
        nearest: Option<String>,
    },
    /// Out of range.
    #[error("the search's setting `{name}` is {value}; it lies from {min} to {max}")]
    Range {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: i32,
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
    },
}

/// What a setting is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamSpec {
    /// Its name.
    pub name: &'static str,
    /// Its default.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// What it does.
    pub doc: &'static str,
}

macro_rules! params {
    ($($name:ident = $default:literal, $min:literal ..= $max:literal, $doc:literal;)*) => {
        /// The search's settings: a player's own, so that two settings can play each other. The default is what a
        /// game without defaults of its own plays by; see [`Params::of`].
        /// Switches are 0 or 1; margins are centipawns.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $(#[doc = $doc] pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// All settings, in the order they are shown.
            pub const SPECS: &'static [ParamSpec] = &[$(ParamSpec {
                name: stringify!($name), default: $default, min: $min, max: $max, doc: $doc,
            },)*];

            /// All (name, value) pairs.
            pub fn values(&self) -> Vec<(&'static str, i32)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    reductions = 1, 0..=1, "Search late moves less deeply";
    pruning = 1, 0..=1, "Leave out moves and subtrees that static evaluation says are hopeless";
    quiescence = 1, 0..=1, "Follow captures beyond the nominal depth";
    extensions = 1, 0..=1, "Search on where a side is in check";
    table = 1, 0..=1, "Cut on scores from the transposition table";
    aspiration = 18, 5..=200, "Half-width of the first window around the last score";
    reverse_futility = 75, 20..=200, "Margin a ply above beta at which a node is given up as won";
    reverse_futility_depth = 7, 0..=12, "Deepest node for it";
    checks = 1, 0..=1, "Look at late quiet moves that give check, where others are left out";
    razoring = 230, 50..=1000, "Margin below alpha, times the depth's square and one, at which only captures are looked at";
    futility = 90, 20..=250, "Margin a ply below alpha at which quiet moves are left out";
    futility_base = 110, 20..=300, "The same margin at depth 0";
    late_moves = 3, 1..=12, "Quiet moves looked at at depth 0, the depth's square being added";
    exchange_quiet = 50, 10..=200, "Loss a ply by exchange at which a quiet move is left out";
    exchange_noisy = 90, 10..=300, "Loss a ply by exchange at which a capture is left out";
    history_pruning = 2500, 500..=10000, "History a ply below zero at which a quiet move is left out";
    reduction_base = 60, 0..=200, "Hundredths of a ply by which late moves are reduced at least";
    reduction_slope = 22, 5..=60, "Hundredths of a ply a doubling of depth, a doubling of moves";
    reduction_history = 8000, 2000..=20000, "History that takes one ply off a reduction";
    delta = 180, 50..=500, "What a capture may still gain beyond its victim in quiescence";
    recaptures = 4, 0..=40, "Plies of quiescence after which only recaptures are looked at, in games with drops";
    stalemate = 0, -1000..=1000, "Score of stalemating the opponent, where the game calls it a draw";
}

/// The setting `name`, which can be `value`.
fn checked(name: &str, value: i32) -> Result<&'static ParamSpec, ParamError> {
    let spec = Params::spec(name)?;
    if !(spec.min..=spec.max).contains(&value) {
        return Err(ParamError::Range { name: spec.name, value, min: spec.min, max: spec.max });
    }
    Ok(spec)
}

/// Settings chosen by name. What is not chosen is left to the game's defaults.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chosen(BTreeMap<&'static str, i32>);

impl Chosen {
    /// Chooses `value` for `name`, which is checked.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        self.0.insert(checked(name, value)?.name, value);
        Ok(())
    }

    /// What was chosen, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.0.iter().map(|(&name, &value)| (name, value))
    }

    /// The settings that `game` is then played by.
    pub fn params<G: Playable>(&self, game: &G) -> Params {
        self.iter().fold(Params::of(game), Params::with)
    }
}

impl Params {
    /// What the setting `name` is.
    pub fn spec(name: &str) -> Result<&'static ParamSpec, ParamError> {
        Params::SPECS.iter().find(|s| s.name == name).ok_or_else(|| ParamError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, Params::SPECS.iter().map(|s| s.name)),
        })
    }

    /// The settings that `game` is played by unless others are chosen.
    pub fn of<G: Playable>(game: &G) -> Params {
        game.settings().iter().copied().fold(Params::default(), Params::with)
    }

    /// Sets `name` to `value`, which is checked.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        let spec = checked(name, value)?;
        if let Some(slot) = self.slot(spec.name) {
            *slot = value;
        }
        Ok(())
    }

    /// With one setting changed, whose name and range have been checked.
    fn with(mut self, (name, value): (&'static str, i32)) -> Params {
        if let Some(slot) = self.slot(name) {
            *slot = value;
        }
        self
    }

    /// Plain alpha-beta to a fixed depth, nothing left out: what tests compare with minimax.
    pub fn exhaustive() -> Params {
        Params { reductions: 0, pruning: 0, quiescence: 0, extensions: 0, table: 0, ..Params::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{self, Visitor};

    struct OwnDefaults;

    impl Visitor for OwnDefaults {
        type Output = ();

        fn visit<G: Playable>(self, game: G) {
            let mut chosen = Chosen::default();
            for &(name, value) in game.settings() {
                chosen.set(name, value).unwrap();
                assert_ne!(Params::spec(name).unwrap().default, value, "{name} is the general default");
            }
            assert_eq!(chosen.params(&game), Params::of(&game));
            let other = if Params::of(&game).futility == 77 { 78 } else { 77 };
            chosen.set("futility", other).unwrap();
            assert_eq!(chosen.params(&game), Params { futility: other, ..Params::of(&game) });
        }
    }

    #[test]
    fn what_is_not_chosen_is_left_to_the_game() {
        for info in games::ALL {
            games::with(info.name, [], OwnDefaults).unwrap();
        }
        games::with("mchess", [], MChessDefaults).unwrap();
    }

    struct MChessDefaults;

    impl Visitor for MChessDefaults {
        type Output = ();

        fn visit<G: Playable>(self, game: G) {
            assert_eq!(Params::of(&game).aspiration, 107);
            assert_eq!(Params::of(&game).delta, Params::default().delta);
        }
    }

    #[test]
    fn settings_are_checked_by_name_and_range() {
        let mut params = Params::default();
        params.set("futility", 120).unwrap();
        assert_eq!(params.futility, 120);
        let error = params.set("futilty", 1).unwrap_err().to_string();
        assert!(error.contains("did you mean `futility`?"), "{error}");
        let error = params.set("table", 2).unwrap_err().to_string();
        assert!(error.contains("from 0 to 1"), "{error}");
        assert_eq!(params.values().len(), Params::SPECS.len());
        for spec in Params::SPECS {
            assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.name);
        }
    }
}
