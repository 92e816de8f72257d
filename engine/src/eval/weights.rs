//! Weights: the numbers of an evaluation, read from TOML and checked against the game's layout.

use super::{Evaluate, Layout};
use crate::options::nearest;
use std::fmt::Write as _;

/// A weight in centipawns: its value with all pieces on the board, and with none left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pair {
    /// In the middle game.
    pub mg: i16,
    /// In the endgame.
    pub eg: i16,
}

impl Pair {
    /// A pair, each value held within -20,000 and 20,000.
    pub fn new(mg: i32, eg: i32) -> Pair {
        let hold = |v: i32| v.clamp(-20_000, 20_000) as i16;
        Pair { mg: hold(mg), eg: hold(eg) }
    }
}

/// Why a text holds no weights for a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightError {
    /// Not TOML.
    #[error("the weights are not TOML: {0}")]
    Toml(String),
    /// A name the evaluation does not have.
    #[error("the evaluation has no term `{name}`{}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default())]
    Unknown {
        /// What was given.
        name: String,
        /// The nearest term, if one is near.
        nearest: Option<String>,
    },
    /// A term without a weight.
    #[error("no weight for the term `{0}`")]
    Missing(String),
    /// A term whose value is not what it should be.
    #[error("the term `{name}` is {problem}; {expected} was expected")]
    Value {
        /// The term.
        name: String,
        /// What was read.
        problem: String,
        /// What it should be.
        expected: String,
    },
}

/// The weights of an evaluation, in the order of its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights(Vec<Pair>);

impl Weights {
    /// The weights in force by default: the game's own file, or the rules of thumb.
    pub fn default_of<G: Evaluate>(game: &G) -> Result<Weights, WeightError> {
        let (layout, _) = Layout::of(game);
        match game.default_weights() {
            Some(text) => Weights::parse(&layout, text),
            None => Ok(Weights::rule_of_thumb(&layout)),
        }
    }

    /// The weights that the layout itself proposes.
    pub fn rule_of_thumb(layout: &Layout) -> Weights {
        Weights(layout.terms().iter().flat_map(|t| t.rule_of_thumb.iter().copied()).collect())
    }

    /// Weights from a list in the order of `layout`; `None` if there are not as many as it has.
    pub fn from_pairs(layout: &Layout, pairs: Vec<Pair>) -> Option<Weights> {
        (pairs.len() == layout.len()).then_some(Weights(pairs))
    }

    /// Reads weights: a table a group, in it a pair `[mg, eg]` a term, or a list of pairs for a term that
    /// is a table. Every term must be there that files have always had, and nothing else but an `about` table.
    pub fn parse(layout: &Layout, text: &str) -> Result<Weights, WeightError> {
        let root: toml::Table =
            text.parse().map_err(|e: toml::de::Error| WeightError::Toml(e.to_string()))?;
        let mut pairs: Vec<Option<Pair>> = vec![None; layout.len()];
        for term in layout.terms().iter().filter(|term| term.later) {
            pairs[term.first..][..term.rule_of_thumb.len()].fill(Some(Pair::default()));
        }
        for (group, value) in root.iter().filter(|(group, _)| *group != "about") {
            let table = value.as_table().ok_or_else(|| WeightError::Value {
                name: group.clone(),
                problem: value.type_str().to_owned(),
                expected: "a table of terms".to_owned(),
            })?;
            for (key, value) in table {
                let name = format!("{group}.{key}");
                let term = layout.terms().iter().find(|t| t.name == name).ok_or_else(|| {
                    let nearest = nearest(&name, layout.terms().iter().map(|t| t.name.as_str()));
                    WeightError::Unknown { name: name.clone(), nearest }
                })?;
                let len = term.rule_of_thumb.len();
                let read = if len == 1 { pair(value).map(|p| vec![p]) } else { pair_list(value, len) };
                let read = read.ok_or_else(|| WeightError::Value {
                    name: name.clone(),
                    problem: describe(value),
                    expected: match len {
                        1 => "a pair of whole centipawns within 20000, [middle game, endgame]".to_owned(),
                        _ => format!("a list of {len} pairs of whole centipawns within 20000"),
                    },
                })?;
                for (i, p) in read.into_iter().enumerate() {
                    pairs[term.first + i] = Some(p);
                }
            }
        }
        let missing = pairs.iter().position(Option::is_none);
        match missing {
            Some(i) => Err(WeightError::Missing(layout.name_of(i))),
            None => Ok(Weights(pairs.into_iter().flatten().collect())),
        }
    }

    /// The weights as TOML that [`Weights::parse`] reads back, grouped, half boards a rank a line.
    pub fn to_toml(&self, layout: &Layout, about: &[(&str, &str)]) -> String {
        let mut text = String::new();
        if !about.is_empty() {
            text.push_str("[about]\n");
            for (key, value) in about {
                let _ = writeln!(text, "{key} = {}", toml::Value::from(*value));
            }
        }
        let mut groups: Vec<&str> = Vec::new();
        for term in layout.terms() {
            let group = term.name.split('.').next().unwrap_or_default();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        for group in groups {
            let _ = writeln!(text, "\n[{group}]");
            for term in layout.terms() {
                let Some((_, key)) = term.name.split_once('.').filter(|(g, _)| *g == group) else { continue };
                let pairs = &self.0[term.first..term.first + term.rule_of_thumb.len()];
                let _ = match pairs {
                    [p] => writeln!(text, "{key} = [{}, {}]", p.mg, p.eg),
                    _ => {
                        let line = |line: &[Pair]| {
                            let pairs: Vec<String> =
                                line.iter().map(|p| format!("[{}, {}]", p.mg, p.eg)).collect();
                            format!("  {},\n", pairs.join(", "))
                        };
                        let lines: String = pairs.chunks(layout.line.max(1)).map(line).collect();
                        writeln!(text, "{key} = [\n{lines}]")
                    }
                };
            }
        }
        text
    }

    /// The weights, in order.
    pub fn pairs(&self) -> &[Pair] {
        &self.0
    }
}

fn pair(value: &toml::Value) -> Option<Pair> {
    let read = |v: &toml::Value| v.as_integer().filter(|n| (-20_000..=20_000).contains(n)).map(|n| n as i16);
    match value.as_array()?.as_slice() {
        [mg, eg] => Some(Pair { mg: read(mg)?, eg: read(eg)? }),
        _ => None,
    }
}

fn pair_list(value: &toml::Value, len: usize) -> Option<Vec<Pair>> {
    let list = value.as_array()?;
    if list.len() != len {
        return None;
    }
    list.iter().map(pair).collect()
}

fn describe(value: &toml::Value) -> String {
    match value.as_array() {
        Some(list) if list.len() > 4 => format!("a list of {}", list.len()),
        _ => format!("`{value}`"),
    }
}
