//! The settings that the program at the other end may change, by UCI's names, and the session they describe.

use super::session::{Setup, open};
use crate::experiment::Errors;
use engine::game::Info;
use engine::games::ALL;
use engine::options::{OptionSpec, nearest};
use engine::search::{Chosen, Noise, Params};
use std::collections::BTreeMap;

/// Game played unless `UCI_Variant` names another.
const DEFAULT_GAME: &str = "chess";
const HASH_MB: std::ops::RangeInclusive<u64> = 1..=16_384;
const LINES: std::ops::RangeInclusive<u64> = 1..=256;
const NOISE: std::ops::RangeInclusive<u64> = 0..=Noise::MAX_DEVIATION as u64;
const OVERHEAD_MS: std::ops::RangeInclusive<u64> = 0..=10_000;
/// Stands for no file in `EvalFile`.
const NO_FILE: &str = "<empty>";

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Settings {
    variant: String,
    chess960: bool,
    hash_mb: u64,
    eval_file: Option<String>,
    /// Rule options set, by (game, option).
    rules: BTreeMap<(String, String), String>,
    search: Chosen,
    errors: Errors,
    /// Lines wanted.
    pub lines: usize,
    /// Milliseconds that a move loses on its way.
    pub overhead: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            variant: DEFAULT_GAME.to_owned(),
            chess960: false,
            hash_mb: 16,
            eval_file: None,
            rules: BTreeMap::new(),
            search: Chosen::default(),
            errors: Errors::default(),
            lines: 1,
            overhead: 30,
        }
    }
}

/// What a `setoption` changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing that concerns the session.
    Nothing,
    /// The session has to be made anew.
    Session,
    /// The tables are to be cleared.
    Clear,
}

impl Settings {
    /// The lines by which UCI declares the settings.
    pub fn uci_declarations() -> Vec<String> {
        let spin = |name: &str, default: u64, range: std::ops::RangeInclusive<u64>| {
            let (low, high) = range.into_inner();
            format!("option name {name} type spin default {default} min {low} max {high}")
        };
        let now = Settings::default();
        let games: String = ALL.iter().map(|info| format!(" var {}", info.name)).collect();
        let mut lines = vec![
            format!("option name UCI_Variant type combo default {DEFAULT_GAME}{games}"),
            "option name UCI_Chess960 type check default false".to_owned(),
            spin("Hash", now.hash_mb, HASH_MB),
            "option name Clear Hash type button".to_owned(),
            spin("MultiPV", now.lines as u64, LINES),
            spin("Threads", 1, 1..=1),
            "option name Ponder type check default false".to_owned(),
            spin("Move Overhead", now.overhead, OVERHEAD_MS),
            format!("option name EvalFile type string default {NO_FILE}"),
            spin("noise", now.errors.noise.into(), NOISE),
            format!("option name blunder type string default {}", now.errors.blunder),
        ];
        for (name, option) in rule_options() {
            lines.push(if is_flag(option) {
                format!("option name {name} type check default {}", option.default())
            } else if option.free.is_some() {
                // A list would keep programs from sending data.
                format!("option name {name} type string default {}", option.default())
            } else {
                let list: String = option.values.iter().map(|v| format!(" var {v}")).collect();
                format!("option name {name} type combo default {}{list}", option.default())
            });
        }
        for spec in Params::SPECS {
            lines.push(format!(
                "option name search.{} type spin default {} min {} max {}",
                spec.name, spec.default, spec.min, spec.max
            ));
        }
        lines
    }

    /// The settings as values of XBoard's feature `option`.
    pub fn xboard_declarations() -> Vec<String> {
        let (low, high) = NOISE.into_inner();
        let mut lines = vec![
            "EvalFile -file ".to_owned(),
            format!("noise -spin 0 {low} {high}"),
            "blunder -string 0".to_owned(),
        ];
        for (name, option) in rule_options() {
            lines.push(if is_flag(option) {
                format!("{name} -check {}", u8::from(option.default() == "true"))
            } else if option.free.is_some() {
                format!("{name} -string {}", option.default())
            } else {
                let mark = |v: &&str| if *v == option.default() { format!("*{v}") } else { (*v).to_owned() };
                format!("{name} -combo {}", option.values.iter().map(mark).collect::<Vec<_>>().join(" /// "))
            });
        }
        lines
    }

    /// Sets an option as XBoard writes it, `NAME=VALUE`, switches as 0 and 1.
    ///
    /// # Errors
    /// As [`Settings::set`].
    pub fn set_xboard(&mut self, text: &str) -> Result<Change, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let switch = rule_options().into_iter().any(|(n, option)| n == name && is_flag(option));
        let value = match value {
            "1" if switch => "true",
            "0" if switch => "false",
            _ => value,
        };
        self.set(name, value)
    }

    /// Sets an option; names are compared without regard to case.
    ///
    /// # Errors
    /// An unknown name, or a value the option does not take; nothing is changed. A wrong variant or file is
    /// taken, and [`Settings::setup`] refuses it: nothing may be played until it is mended.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let lower = name.to_lowercase();
        match lower.as_str() {
            "uci_variant" => self.variant = value.to_owned(),
            "uci_chess960" => self.chess960 = flag(name, value)?,
            "hash" => self.hash_mb = number(name, value, HASH_MB)?,
            "clear hash" => return Ok(Change::Clear),
            "multipv" => {
                self.lines = number(name, value, LINES)? as usize;
                return Ok(Change::Nothing);
            }
            "threads" => {
                number(name, value, 1..=1)?;
                return Ok(Change::Nothing);
            }
            "ponder" => {
                flag(name, value)?;
                return Ok(Change::Nothing);
            }
            "move overhead" => {
                self.overhead = number(name, value, OVERHEAD_MS)?;
                return Ok(Change::Nothing);
            }
            "evalfile" => {
                self.eval_file = Some(value.to_owned()).filter(|v| !v.is_empty() && v != NO_FILE);
            }
            "noise" => self.errors.noise = number(name, value, NOISE)? as u32,
            "blunder" => {
                let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                self.errors.blunder = share
                    .ok_or_else(|| format!("option {name} is `{value}`; a share from 0 to 1 was expected"))?;
            }
            _ => return self.set_dotted(name, &lower, value),
        }
        Ok(Change::Session)
    }

    fn set_dotted(&mut self, name: &str, lower: &str, value: &str) -> Result<Change, String> {
        if let Some(setting) = lower.strip_prefix("search.") {
            let value: i32 =
                value.parse().map_err(|_| format!("option {name}: `{value}` is not a whole number"))?;
            self.search.set(setting, value).map_err(|e| e.to_string())?;
            return Ok(Change::Session);
        }
        let found = rule_options().into_iter().find(|(known, _)| lower == known);
        let Some((game, option)) = found.as_ref().and_then(|(name, o)| Some((name.split_once('.')?.0, *o)))
        else {
            let mut names: Vec<String> = rule_options().into_iter().map(|(name, _)| name).collect();
            names.extend(Params::SPECS.iter().map(|s| format!("search.{}", s.name)));
            names.extend(
                [
                    "UCI_Variant",
                    "UCI_Chess960",
                    "Hash",
                    "MultiPV",
                    "EvalFile",
                    "Move Overhead",
                    "noise",
                    "blunder",
                ]
                .map(str::to_owned),
            );
            let hint = nearest(name, names.iter().map(String::as_str))
                .map(|n| format!(" (did you mean `{n}`?)"))
                .unwrap_or_default();
            return Err(format!("unknown option `{name}`{hint}"));
        };
        let value = crate::data_option::expand(game, option.name, value, std::path::Path::new("."))
            .map_err(|e| format!("{e:#}"))?;
        if !option.values.contains(&value.as_ref()) && option.free.is_none() {
            return Err(format!(
                "option {name} does not take `{value}`; it takes {}",
                option.values.join(" or ")
            ));
        }
        self.rules.insert((game.to_owned(), option.name.to_owned()), value.into_owned());
        Ok(Change::Session)
    }

    /// The game to be played.
    ///
    /// # Errors
    /// `UCI_Chess960` with a game that has no such form.
    fn game(&self) -> Result<&str, String> {
        match (self.variant.as_str(), self.chess960) {
            ("chess" | "chess960", true) => Ok("chess960"),
            (other, true) => {
                Err(format!("UCI_Chess960 is set, and there is no such form of `{other}`; unset it first"))
            }
            (name, false) => Ok(name),
        }
    }

    /// What the session has to be.
    ///
    /// # Errors
    /// Options that describe none: an unknown variant, an evaluation file that is none for the game.
    pub fn setup(&self) -> Result<Setup, String> {
        let game = self.game()?;
        let eval = match &self.eval_file {
            Some(path) => Some(
                std::fs::read_to_string(path).map_err(|e| format!("EvalFile: cannot read {path}: {e}"))?,
            ),
            None => None,
        };
        let of_game = self.rules.iter().filter(|((of, _), _)| of == game);
        let setup = Setup {
            game: game.to_owned(),
            options: of_game.map(|((_, name), value)| (name.clone(), value.clone())).collect(),
            eval,
            hash_bytes: (self.hash_mb as usize) << 20,
            settings: self.search.clone(),
            errors: self.errors,
        };
        // All but the table, which is made when it is wanted.
        let error = match open(&Setup { hash_bytes: 0, ..setup.clone() }) {
            Ok(_) => return Ok(setup),
            Err(error) => format!("{error:#}"),
        };
        Err(match &self.eval_file {
            Some(path) if setup.eval.is_some() => format!("{error} (EvalFile is {path})"),
            _ => error,
        })
    }
}

/// All games' rule options, by the names they have here: `game.option`.
fn rule_options() -> Vec<(String, &'static OptionSpec)> {
    let named = |i: &'static Info| i.options.iter().map(|o| (format!("{}.{}", i.name, o.name), o));
    ALL.iter().copied().flat_map(named).collect()
}

/// Whether an option is a switch.
fn is_flag(option: &OptionSpec) -> bool {
    let mut values = option.values.to_vec();
    values.sort_unstable();
    values == ["false", "true"]
}

fn flag(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("option {name} does not take `{value}`; it takes true or false")),
    }
}

fn number(name: &str, value: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let read = value.parse().ok().filter(|n| range.contains(n));
    read.ok_or_else(|| {
        let (low, high) = range.into_inner();
        format!("option {name} is `{value}`; a whole number from {low} to {high} was expected")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_and_rule_option_is_declared() {
        let lines = Settings::uci_declarations();
        for info in ALL {
            assert!(lines[0].contains(&format!(" var {}", info.name)), "{}", info.name);
        }
        assert!(lines.iter().any(|l| l == "option name magi.move_rule type check default true"));
        assert!(lines.iter().any(|l| {
            l == "option name magi.checkmate_unoffered type combo default full var full var banded"
        }));
    }

    #[test]
    fn rule_options_reach_the_session_of_their_game_alone() {
        let mut options = Settings::default();
        options.set("magi.move_rule", "false").unwrap();
        assert!(options.setup().unwrap().options.is_empty());
        options.set("UCI_Variant", "magi").unwrap();
        assert_eq!(options.setup().unwrap().options, [("move_rule".to_owned(), "false".to_owned())]);
        let error = options.set("magi.move_rule", "maybe").unwrap_err();
        assert!(error.contains("true or false"), "{error}");
        let error = options.set("magi.move_rul", "true").unwrap_err();
        assert!(error.contains("did you mean `magi.move_rule`?"), "{error}");
    }

    #[test]
    fn chess960_is_a_form_of_chess_alone() {
        let mut options = Settings::default();
        options.set("uci_chess960", "true").unwrap();
        assert_eq!(options.setup().unwrap().game, "chess960");
        options.set("UCI_Variant", "magi").unwrap();
        assert!(options.setup().unwrap_err().contains("UCI_Chess960"));
        options.set("UCI_Chess960", "false").unwrap();
        assert_eq!(options.setup().unwrap().game, "magi");
    }

    #[test]
    fn an_unknown_variant_and_a_bad_file_make_no_session() {
        let mut options = Settings::default();
        options.set("UCI_Variant", "magik").unwrap();
        let error = options.setup().unwrap_err();
        assert!(error.contains("unknown game `magik`") && error.contains("did you mean `magi`"), "{error}");
        options.set("UCI_Variant", "magi").unwrap();
        options.set("EvalFile", "/nonexistent.toml").unwrap();
        assert!(options.setup().unwrap_err().contains("cannot read /nonexistent.toml"));
        options.set("EvalFile", "<empty>").unwrap();
        assert!(options.setup().is_ok());
    }

    #[test]
    fn settings_of_the_search_are_checked() {
        let mut options = Settings::default();
        options.set("search.futility", "120").unwrap();
        assert_eq!(options.setup().unwrap().settings.iter().collect::<Vec<_>>(), [("futility", 120)]);
        assert!(options.set("search.futility", "100000").is_err());
        assert!(options.set("Hash", "0").is_err());
        assert!(options.set("Hash", "99999999999999999999").is_err());
        assert!(options.set("Threads", "8").is_err());
        options.set("noise", "40").unwrap();
        options.set("Blunder", "0.25").unwrap();
        assert_eq!(options.setup().unwrap().errors, Errors { noise: 40, blunder: 0.25 });
        for share in ["1.5", "-0.1", "NaN", "often"] {
            let error = options.set("blunder", share).unwrap_err();
            assert!(error.contains(share) && error.contains("0 to 1"), "{error}");
        }
        assert!(options.set("noise", "999999999").is_err());
    }
}
