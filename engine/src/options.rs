//! Rule options: what a game lets an experiment change, declared as data and checked by name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Where a rule comes from, shown wherever a result depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provenance {
    /// The inventor names the option himself.
    Seed,
    /// The inventor's text is silent or unclear, and this project chose.
    Choice,
    /// The inventor's text is lost (a picture), and this project rebuilt it.
    Reconstructed,
    /// Of use to experiments only.
    Experiment,
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Provenance::Seed => "seed",
            Provenance::Choice => "choice",
            Provenance::Reconstructed => "reconstructed",
            Provenance::Experiment => "experiment",
        })
    }
}

/// One option of a game's rules.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name, `snake_case`.
    pub name: &'static str,
    /// The values it takes, the default first.
    pub values: &'static [&'static str],
    /// Where the default comes from.
    pub provenance: Provenance,
    /// What it takes besides its named values, if anything: data of one's own.
    pub free: Option<&'static Free>,
    /// One sentence on what it decides.
    pub doc: &'static str,
}

/// Values that are data of one's own in place of a named set. The data themselves are the value, on one line
/// without spaces: so whatever names a game's options (a log, a manifest, a fingerprint) holds them too, and
/// two runs by different data cannot be taken for each other.
#[derive(Clone, Copy, Debug)]
pub struct Free {
    /// What such a value looks like, for messages.
    pub form: &'static str,
    /// The value in its one spelling (the name, if it is one of the named sets), or what is wrong with it under
    /// the other options.
    pub check: fn(&str, &Options) -> Result<String, String>,
    /// The value that the text of a data file stands for, or what is wrong with the text.
    pub read: fn(&str) -> Result<String, String>,
}

impl OptionSpec {
    /// The default value.
    pub const fn default(&self) -> &'static str {
        self.values[0]
    }
}

/// A wrong option: unknown name or value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// The game has no such option.
    #[error("{game} has no option `{name}`{}; its options: {}", nearest_hint(.nearest), if .known.is_empty() { "none".to_owned() } else { .known.join(", ") })]
    UnknownName {
        /// The game.
        game: String,
        /// What was given.
        name: String,
        /// The nearest known name, if one is near.
        nearest: Option<String>,
        /// All names the game has.
        known: Vec<String>,
    },
    /// The option does not take this value.
    #[error("option `{name}` of {game} does not take `{value}`{}; it takes {}", nearest_hint(.nearest), .known.join(" or "))]
    UnknownValue {
        /// The game.
        game: String,
        /// The option.
        name: String,
        /// What was given.
        value: String,
        /// The nearest known value, if one is near.
        nearest: Option<String>,
        /// All values it takes.
        known: Vec<String>,
    },
    /// Data of one's own that cannot be used.
    #[error("option `{name}` of {game} is `{value}`: {problem}")]
    Data {
        /// The game.
        game: String,
        /// The option.
        name: String,
        /// What was given.
        value: String,
        /// What is wrong and what was expected.
        problem: String,
    },
    /// Not of the form `option=value`.
    #[error("`{0}` is not of the form option=value")]
    NotAPair(String),
}

fn nearest_hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default()
}

/// Whether a value is data rather than a misspelt name: names are words, data hold digits or signs.
fn looks_like_data(value: &str) -> bool {
    value.chars().any(|c| c.is_ascii_digit() || "*/".contains(c))
}

/// The known name nearest to `name`, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&name.to_lowercase(), &k.to_lowercase()), k))
        .filter(|&(distance, k)| distance <= 1 + k.len() / 3)
        .min()
        .map(|(_, k)| k.to_owned())
}

/// Values for a game's options, all present, all valid. Ordered by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options(BTreeMap<&'static str, Cow<'static, str>>);

impl Options {
    /// The options `specs` with defaults, changed by `given` (name, value), each checked.
    pub fn resolve<'a>(
        game: &str,
        specs: &'static [OptionSpec],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Options, OptionError> {
        let mut map: BTreeMap<_, _> = specs.iter().map(|s| (s.name, Cow::Borrowed(s.default()))).collect();
        let mut data = Vec::new();
        for (name, value) in given {
            let spec = specs.iter().find(|s| s.name == name).ok_or_else(|| OptionError::UnknownName {
                game: game.to_owned(),
                name: name.to_owned(),
                nearest: nearest(name, specs.iter().map(|s| s.name)),
                known: specs.iter().map(|s| s.name.to_owned()).collect(),
            })?;
            data.retain(|(n, _, _)| *n != spec.name);
            if let Some(&named) = spec.values.iter().find(|v| **v == value) {
                map.insert(spec.name, Cow::Borrowed(named));
            } else if let Some(free) = spec.free.filter(|_| looks_like_data(value)) {
                data.push((spec.name, value, free));
            } else {
                let known = spec.values.iter().map(|v| format!("`{v}`"));
                return Err(OptionError::UnknownValue {
                    game: game.to_owned(),
                    name: name.to_owned(),
                    value: value.to_owned(),
                    nearest: nearest(value, spec.values.iter().copied()),
                    known: known.chain(spec.free.map(|f| f.form.to_owned())).collect(),
                });
            }
        }
        // What data are sound may depend on the other options, so these come first.
        let mut options = Options(map);
        for (name, value, free) in data {
            let checked = (free.check)(value, &options).map_err(|problem| OptionError::Data {
                game: game.to_owned(),
                name: name.to_owned(),
                value: value.to_owned(),
                problem,
            })?;
            options.set(name, checked);
        }
        Ok(options)
    }

    /// Puts data of one's own, already checked, in place of the value of `name`.
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.0.insert(name, Cow::Owned(value));
    }

    /// The value of option `name`; empty if the game has no such option.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value)
    }

    /// Whether option `name` is `true`.
    pub fn is_true(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    /// All (name, value) pairs, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> + '_ {
        self.0.iter().map(|(n, v)| (*n, v.as_ref()))
    }
}

/// `name=value name=value`, by name: the form used in logs.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            write!(f, "{}{name}={value}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// Splits `option=value`.
pub fn parse_pair(text: &str) -> Result<(&str, &str), OptionError> {
    text.split_once('=')
        .map(|(n, v)| (n.trim(), v.trim()))
        .filter(|(n, v)| !n.is_empty() && !v.is_empty())
        .ok_or_else(|| OptionError::NotAPair(text.to_owned()))
}
