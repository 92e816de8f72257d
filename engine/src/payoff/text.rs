//! Matrices as TOML text.

use super::matrix::{Band, CheckmateUnoffered, Matrix, MatrixError, MatrixSpec, Split};
use super::points::MilliPoints;
use crate::options::nearest;
use std::fmt::Write as _;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const KEYS: [&str; 10] = [
    "name",
    "provenance",
    "reconstructed",
    "stake",
    "bands",
    "stalemate",
    "draw",
    "move_rule",
    "checkmate_unoffered",
    "refused_draw_starts_bands",
];
const BAND_KEYS: [&str; 4] = ["from", "to", "winner", "loser"];
const POINTS: &str = "points, such as 12 or 7.5 (no sign, at most three decimals, at most a million)";

/// Why a matrix file is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Not TOML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// What the TOML reader says.
        message: String,
    },
    /// A key that nothing reads.
    #[error("line {line}: unknown key `{key}` in {place}; {hint}")]
    UnknownKey {
        /// Line, from 1.
        line: usize,
        /// The key as written.
        key: String,
        /// Table it stands in.
        place: String,
        /// The nearest known key, or all of them.
        hint: String,
    },
    /// A key that has to be there.
    #[error("line {line}: {place} has no `{key}`")]
    Missing {
        /// Line on which the table starts, from 1.
        line: usize,
        /// Table that lacks it.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// A value of another kind.
    #[error("line {line}: `{key}` in {place} is {found}, expected {expected}")]
    Value {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// Table it stands in.
        place: String,
        /// The value as written.
        found: String,
        /// What would have been read.
        expected: &'static str,
    },
    /// Well-formed, but not a payoff matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

impl FromStr for Matrix {
    type Err = ParseError;

    /// Reads a matrix file. Left out, `provenance` is empty, `reconstructed` and `refused_draw_starts_bands` are
    /// false and `checkmate_unoffered` is `"full"`; every number has to be there.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let root = DeTable::parse(text).map_err(|error| ParseError::Syntax {
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        let table = Table { text, table: root.get_ref(), place: "the matrix".to_owned(), start: 0 };
        table.check_keys(&KEYS)?;
        let bands = table.required("bands")?;
        let bands =
            bands.get_ref().as_array().ok_or_else(|| table.wrong("bands", bands, "a list of bands"))?;
        let bands = bands.iter().enumerate().map(|(index, band)| table.band(index, band));
        let spec = MatrixSpec {
            name: table.text("name")?.ok_or_else(|| table.missing("name"))?,
            provenance: table.text("provenance")?.unwrap_or_default(),
            reconstructed: table.flag("reconstructed")?.unwrap_or(false),
            stake: table.points("stake")?,
            bands: bands.collect::<Result<_, _>>()?,
            stalemate: table.pair("stalemate")?,
            draw: table.pair("draw")?,
            move_rule: table.move_rule()?,
            checkmate_unoffered: table.checkmate_unoffered()?,
            refused_draw_starts_bands: table.flag("refused_draw_starts_bands")?.unwrap_or(false),
        };
        Ok(Matrix::new(spec)?)
    }
}

impl Matrix {
    /// The matrix as a file that reads back to the same matrix.
    pub fn to_toml(&self) -> String {
        let spec = self.spec();
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let rule = spec.move_rule.map_or_else(|| "\"none\"".to_owned(), |limit| limit.to_string());
        let mut out = format!(
            "name = {}\nprovenance = {}\nreconstructed = {}\nstake = {}\nmove_rule = {rule}\n\
             stalemate = [{}, {}]\ndraw = [{}, {}]\ncheckmate_unoffered = \"{}\"\n\
             refused_draw_starts_bands = {}\nbands = [\n",
            quoted(&spec.name),
            quoted(&spec.provenance),
            spec.reconstructed,
            spec.stake,
            spec.stalemate.0,
            spec.stalemate.1,
            spec.draw.0,
            spec.draw.1,
            spec.checkmate_unoffered.name(),
            spec.refused_draw_starts_bands,
        );
        for Band { from, to, winner, loser } in self.bands() {
            let to = to.map(|to| format!(", to = {to}")).unwrap_or_default();
            // Writing to a String cannot fail.
            let _ = writeln!(out, "  {{ from = {from}{to}, winner = {winner}, loser = {loser} }},");
        }
        out.push_str("]\n");
        out
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// A table of the file and where it stands in it.
struct Table<'a, 'i> {
    text: &'a str,
    table: &'a DeTable<'i>,
    place: String,
    start: usize,
}

impl<'a, 'i> Table<'a, 'i> {
    fn line(&self, span: Range<usize>) -> usize {
        line_of(self.text, span.start)
    }

    fn check_keys(&self, known: &[&'static str]) -> Result<(), ParseError> {
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys are {}", known.join(", ")),
            };
            let line = self.line(key.span());
            return Err(ParseError::UnknownKey {
                line,
                key: name.to_owned(),
                place: self.place.clone(),
                hint,
            });
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
        self.table.get(key)
    }

    fn required(&self, key: &'static str) -> Result<&'a Spanned<DeValue<'i>>, ParseError> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    fn missing(&self, key: &'static str) -> ParseError {
        ParseError::Missing { line: line_of(self.text, self.start), place: self.place.clone(), key }
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'i>>, expected: &'static str) -> ParseError {
        ParseError::Value {
            line: self.line(value.span()),
            key: key.to_owned(),
            place: self.place.clone(),
            found: self.text.get(value.span()).unwrap_or_default().to_owned(),
            expected,
        }
    }

    fn text(&self, key: &str) -> Result<Option<String>, ParseError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = value.get_ref().as_str().ok_or_else(|| self.wrong(key, value, "text in quotes"))?;
        Ok(Some(text.to_owned()))
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, ParseError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.get_ref().as_bool().map(Some).ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    fn number(&self, key: &str, value: &Spanned<DeValue<'i>>) -> Result<u32, ParseError> {
        let integer = value.get_ref().as_integer();
        integer
            .and_then(|integer| u32::from_str_radix(integer.as_str(), integer.radix()).ok())
            .ok_or_else(|| self.wrong(key, value, "a move number"))
    }

    fn amount(&self, key: &str, value: &Spanned<DeValue<'i>>) -> Result<MilliPoints, ParseError> {
        let digits = match value.get_ref() {
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            DeValue::Float(float) => float.as_str(),
            _ => "",
        };
        MilliPoints::parse(digits).ok_or_else(|| self.wrong(key, value, POINTS))
    }

    fn points(&self, key: &'static str) -> Result<MilliPoints, ParseError> {
        self.amount(key, self.required(key)?)
    }

    fn pair(&self, key: &'static str) -> Result<Split, ParseError> {
        let value = self.required(key)?;
        let array = value.get_ref().as_array().map(|array| array.iter().collect::<Vec<_>>());
        match array.as_deref() {
            Some([one, other]) => Ok((self.amount(key, one)?, self.amount(key, other)?)),
            _ => Err(self.wrong(key, value, "two amounts of points, such as [7, 5]")),
        }
    }

    fn move_rule(&self) -> Result<Option<u32>, ParseError> {
        let value = self.required("move_rule")?;
        if value.get_ref().as_str() == Some("none") {
            return Ok(None);
        }
        self.number("move_rule", value)
            .map(Some)
            .map_err(|_| self.wrong("move_rule", value, "a move number or \"none\""))
    }

    fn checkmate_unoffered(&self) -> Result<CheckmateUnoffered, ParseError> {
        let Some(value) = self.get("checkmate_unoffered") else { return Ok(CheckmateUnoffered::default()) };
        value
            .get_ref()
            .as_str()
            .and_then(CheckmateUnoffered::from_name)
            .ok_or_else(|| self.wrong("checkmate_unoffered", value, "\"full\" or \"banded\""))
    }

    fn band(&self, index: usize, value: &'a Spanned<DeValue<'i>>) -> Result<Band, ParseError> {
        let expected = "a band, such as { from = 1, to = 45, winner = 12, loser = 0 }";
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong("bands", value, expected))?;
        let place = format!("band {}", index + 1);
        let band = Table { text: self.text, table, place, start: value.span().start };
        band.check_keys(&BAND_KEYS)?;
        Ok(Band {
            from: band.number("from", band.required("from")?)?,
            to: band.get("to").map(|to| band.number("to", to)).transpose()?,
            winner: band.points("winner")?,
            loser: band.points("loser")?,
        })
    }
}
