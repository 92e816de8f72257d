//! Sets of numbers as text: a TOML file for people, one line for options and logs.

use super::{Numbers, NumbersError, Readings, Tables};
use crate::games::mchess::{BISHOP, KINDS, KING};
use crate::options::{Free, Options, nearest};
use std::fmt;
use std::str::FromStr;

/// The tables of a file and the numbers in each, in the order of the one-line form.
const TABLES: [(&str, &[&str]); 3] = [
    ("health", &["pawn", "knight", "bishop", "rook", "queen", "king"]),
    ("attack", &["pawn", "knight", "rook", "queen"]),
    ("percent", &["king", "pawning", "buff", "absorb"]),
];
/// A table that says where the numbers come from; it is not read.
const PROVENANCE: &str = "provenance";

/// Option `numbers` takes a set of one's own.
pub(in crate::games::mchess) const FREE: Free = Free {
    form: "a set of one's own on one line (health of P-N-B-R-Q-K/attack of P-N-R-Q/percent of king-pawning-buff-absorb), such as 100-150-125-200-175-250/15-20-10-20/8-40-60-40",
    check: |value, options| {
        let numbers: Numbers = value.parse().map_err(|e: NumbersError| e.to_string())?;
        Tables::new(&numbers, Readings::of(options)).map_err(|e| e.to_string())?;
        Ok(numbers.option_value())
    },
    read: |text| Numbers::parse(text).map(|n| n.option_value()).map_err(|e| e.to_string()),
};

impl Readings {
    /// The readings that the options name.
    pub fn of(options: &Options) -> Readings {
        Readings {
            multiplicative: options.get("buffs") == "multiplicative",
            tenths: options.get("queen_decay") == "tenths",
            king_own: options.get("king_damage") == "own",
            pawning_attack: options.get("pawning_damage") == "as_attack",
        }
    }
}

impl Numbers {
    /// Reads a set from TOML: tables `health`, `attack` and `percent`, every number required, each whole and not
    /// negative. A table `provenance` may say where they come from.
    ///
    /// Whether the products are exact depends on the rule options too, so that is proved when a game is
    /// built with the numbers ([`super::super::MChess::with_numbers`]).
    ///
    /// # Errors
    /// What is wrong, with the nearest name for a misspelt one.
    pub fn parse(text: &str) -> Result<Numbers, NumbersError> {
        let root: toml::Table = text.parse().map_err(|e: toml::de::Error| {
            let line = e.span().map_or(1, |at| text[..at.start.min(text.len())].lines().count().max(1));
            NumbersError::Text(format!("line {line}: {}", e.message().replace('\n', " ")))
        })?;
        let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).chain([PROVENANCE]).collect();
        known("the file", root.keys(), &names)?;
        let mut all = Vec::new();
        for (table, keys) in TABLES {
            let Some(found) = root.get(table) else {
                return Err(NumbersError::Text(format!("the table [{table}] is missing")));
            };
            let Some(found) = found.as_table() else {
                return Err(NumbersError::Text(format!("`{table}` is {found}, expected a table [{table}]")));
            };
            known(&format!("[{table}]"), found.keys(), keys)?;
            for key in keys {
                let Some(value) = found.get(*key) else {
                    return Err(NumbersError::Text(format!("[{table}] lacks `{key}`")));
                };
                let number = value.as_integer().and_then(|n| u32::try_from(n).ok());
                all.push(number.ok_or_else(|| {
                    NumbersError::Text(format!("[{table}] {key} is {value}, expected a whole number from 0"))
                })?);
            }
        }
        Ok(Numbers::from_list(&all))
    }

    /// From the numbers in the order of [`TABLES`], all there.
    fn from_list(n: &[u32]) -> Numbers {
        let mut numbers = Numbers {
            health: [0; KINDS],
            attack: [0; KINDS],
            king_percent: n[10],
            pawning_percent: n[11],
            buff_percent: n[12],
            absorb_percent: n[13],
        };
        numbers.health.copy_from_slice(&n[..KINDS]);
        for (kind, value) in armed().zip(&n[KINDS..]) {
            numbers.attack[kind] = *value;
        }
        numbers
    }

    /// The set as option `numbers` has it: its name if it has one, else its one-line form.
    pub fn option_value(&self) -> String {
        let named = |name: &&&str| Numbers::named(name).as_ref() == Some(self);
        ["first", "hot"].iter().find(named).map_or_else(|| self.to_string(), |name| (*name).to_owned())
    }

    /// The set that a value of option `numbers` stands for.
    ///
    /// # Errors
    /// Neither a name nor a set on one line.
    pub fn from_option(value: &str) -> Result<Numbers, NumbersError> {
        Numbers::named(value).map_or_else(|| value.parse(), Ok)
    }

    /// The set as a data file, every line of `comment` above it and `provenance` (TOML) below.
    pub fn to_toml(&self, comment: &str, provenance: &str) -> String {
        let line = self.to_string();
        let mut text: String = comment.lines().map(|line| format!("# {line}\n")).collect();
        for ((table, keys), values) in TABLES.iter().zip(line.split('/')) {
            text += &format!("\n[{table}]\n");
            for (key, value) in keys.iter().zip(values.split('-')) {
                text += &format!("{key} = {value}\n");
            }
        }
        if !provenance.is_empty() {
            text += &format!("\n[{PROVENANCE}]\n{}\n", provenance.trim_end());
        }
        text
    }
}

/// The kinds that have an attack in points.
fn armed() -> impl Iterator<Item = usize> {
    (0..KINDS).filter(|&kind| kind != usize::from(BISHOP) && kind != usize::from(KING))
}

/// Complains of a name that is not among `names`.
fn known<'a>(
    place: &str,
    found: impl Iterator<Item = &'a String>,
    names: &[&'static str],
) -> Result<(), NumbersError> {
    for name in found {
        if !names.contains(&name.as_str()) {
            return Err(NumbersError::UnknownName {
                place: place.to_owned(),
                name: name.clone(),
                nearest: nearest(name, names.iter().copied()),
                known: names.to_vec(),
            });
        }
    }
    Ok(())
}

/// One line without spaces: health of pawn, knight, bishop, rook, queen and king, attack of pawn, knight, rook and
/// queen, percent of king, pawning, buff and absorption.
impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |list: &[u32]| list.iter().map(u32::to_string).collect::<Vec<_>>().join("-");
        let attack: Vec<u32> = armed().map(|kind| self.attack[kind]).collect();
        let percent = [self.king_percent, self.pawning_percent, self.buff_percent, self.absorb_percent];
        write!(f, "{}/{}/{}", join(&self.health), join(&attack), join(&percent))
    }
}

impl FromStr for Numbers {
    type Err = NumbersError;

    fn from_str(text: &str) -> Result<Numbers, NumbersError> {
        let wrong = || {
            let form = "6 of health, 4 of attack and 4 percentages as in 100-150-125-200-175-250/15-20-10-20/8-40-60-40";
            NumbersError::Text(format!("`{text}` is no set on one line; expected {form}"))
        };
        let groups: Vec<&str> = text.split('/').collect();
        if groups.len() != TABLES.len() {
            return Err(wrong());
        }
        let mut all = Vec::new();
        for ((_, keys), group) in TABLES.iter().zip(groups) {
            let numbers: Vec<&str> = group.split('-').collect();
            let plain = |n: &&str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
            if numbers.len() != keys.len() || !numbers.iter().all(plain) {
                return Err(wrong());
            }
            for n in numbers {
                all.push(n.parse().map_err(|_| wrong())?);
            }
        }
        Ok(Numbers::from_list(&all))
    }
}

#[cfg(test)]
mod tests {
    use super::super::FIRST;
    use super::*;

    #[test]
    fn text_errors_name_the_key_and_the_nearest() {
        let message = |text: &str| Numbers::parse(text).unwrap_err().to_string();
        let misspelt = message(&FIRST.replace("knight = 20", "night = 20"));
        assert!(misspelt.contains("`night` in [attack]") && misspelt.contains("did you mean `knight`?"));
        assert!(message(&FIRST.replace("[attack]", "[attak]")).contains("did you mean `attack`?"));
        assert!(message(&FIRST.replace("rook = 200", "")).contains("[health] lacks `rook`"));
        assert!(message(&FIRST.replace("pawn = 100", "pawn = -100")).contains("[health] pawn is -100"));
        assert!(message(&FIRST.replace("pawn = 100", "pawn = 1.5")).contains("[health] pawn is 1.5"));
        let broken = message(&FIRST.replace("pawn = 100", "pawn: 100"));
        assert!(broken.contains("line 5") && !broken.contains('\n'), "{broken}");
    }

    #[test]
    fn both_forms_come_back_and_named_sets_keep_their_names() {
        for name in ["first", "hot"] {
            assert_eq!(Numbers::from_option(name).unwrap().option_value(), name);
        }
        let own = Numbers { health: [105, 110, 115, 120, 125, 130], king_percent: 9, ..Numbers::hot() };
        let line = own.to_string();
        assert_eq!(line, "105-110-115-120-125-130/20-35-25-40/9-40-60-40");
        assert_eq!(own.option_value(), line);
        assert_eq!(Numbers::from_option(&line).unwrap(), own);
        let file = own.to_toml("Of one's own.\nTwo lines.", "seed = 7");
        assert!(
            file.starts_with("# Of one's own.\n# Two lines.\n") && file.contains("[provenance]\nseed = 7")
        );
        assert_eq!(Numbers::parse(&file).unwrap(), own);
    }

    #[test]
    fn a_line_that_is_no_set_is_quoted() {
        for text in ["", "1", "100-150-125-200-175/15-20-10-20/8-40-60-40", "1-2-3-4-5-+6/1-2-3-4/1-2-3-4"] {
            let message = Numbers::from_option(text).unwrap_err().to_string();
            assert!(message.contains(&format!("`{text}`")), "{message}");
        }
    }
}
