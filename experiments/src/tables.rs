//! TOML read key by key, so that every complaint names file and line, quotes what stands there and says
//! what was expected, and no key passes unread.

use anyhow::{Result, anyhow, bail};
use engine::options::nearest;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A TOML text and the name it goes by in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// File name, for messages.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Parses the text and hands the root table to `read`; then every key must have been asked for.
    ///
    /// # Errors
    /// The syntax error, `read`'s own error, or an unknown key.
    pub fn read<T>(self, read: impl FnOnce(&Table<'_, '_>) -> Result<T>) -> Result<T> {
        let root = DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            anyhow!("{}, line {}: {}", self.name, self.line(at), error.message().trim())
        })?;
        let table = Table::new(self, root.get_ref(), "the file".to_owned(), 0);
        let value = read(&table)?;
        table.finish()?;
        Ok(value)
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
    }
}

/// A table of a file: remembers which keys it was asked for.
#[derive(Debug)]
pub struct Table<'a, 'i> {
    source: Source<'a>,
    table: &'a DeTable<'i>,
    place: String,
    start: usize,
    asked: RefCell<Vec<&'static str>>,
    /// Whether all keys were taken, whatever their names.
    free: Cell<bool>,
}

impl<'a, 'i> Table<'a, 'i> {
    fn new(source: Source<'a>, table: &'a DeTable<'i>, place: String, start: usize) -> Self {
        Table { source, table, place, start, asked: RefCell::default(), free: Cell::default() }
    }

    fn get(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'i>>> {
        self.asked.borrow_mut().push(key);
        self.table.get(key)
    }

    /// Complains of the first key that nothing asked for.
    ///
    /// # Errors
    /// That key, its line and the nearest known key.
    pub fn finish(&self) -> Result<()> {
        if self.free.get() {
            return Ok(());
        }
        let known = self.asked.borrow();
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let hint = match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known keys are {}", known.join(", ")),
                };
                bail!("{}: unknown key `{name}` in {}; {hint}", self.at(key.span()), self.place);
            }
        }
        Ok(())
    }

    fn at(&self, span: Range<usize>) -> String {
        format!("{}, line {}", self.source.name, self.source.line(span.start))
    }

    /// A key nothing has asked for that is probably a misspelt `key`, and where it stands.
    fn misspelt(&self, key: &str) -> Option<(String, String)> {
        let asked = self.asked.borrow();
        let unread = || self.table.iter().filter(|(k, _)| !asked.contains(&k.get_ref().as_ref()));
        let near = nearest(key, unread().map(|(k, _)| k.get_ref().as_ref()))?;
        let (key, _) = unread().find(|(k, _)| k.get_ref().as_ref() == near)?;
        Some((self.at(key.span()), near))
    }

    /// An error about the value of `key` (or about the table, if the key is not there).
    pub fn wrong(&self, key: &str, expected: &str) -> anyhow::Error {
        match self.table.get(key) {
            Some(value) => {
                let found = self.source.text.get(value.span()).unwrap_or_default();
                let found = found.lines().next().unwrap_or_default();
                anyhow!(
                    "{}: `{key}` in {} is {found}, expected {expected}",
                    self.at(value.span()),
                    self.place
                )
            }
            None => match self.misspelt(key) {
                Some((at, name)) => {
                    anyhow!("{at}: unknown key `{name}` in {}; did you mean `{key}`?", self.place)
                }
                None => anyhow!(
                    "{}: {} has no `{key}`, expected {expected}",
                    self.at(self.start..self.start),
                    self.place
                ),
            },
        }
    }

    /// Text, if the key is there.
    ///
    /// # Errors
    /// Not a text.
    pub fn text(&self, key: &'static str) -> Result<Option<&'a str>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.get_ref().as_str().map(Some).ok_or_else(|| self.wrong(key, "text in quotes"))
    }

    /// Text that has to be there.
    ///
    /// # Errors
    /// No such key, or not a text.
    pub fn required_text(&self, key: &'static str) -> Result<&'a str> {
        self.text(key)?.ok_or_else(|| self.wrong(key, "text in quotes"))
    }

    /// True or false, if the key is there.
    ///
    /// # Errors
    /// Another value.
    pub fn flag(&self, key: &'static str) -> Result<Option<bool>> {
        let read = |value: &Spanned<DeValue<'_>>| {
            value.get_ref().as_bool().ok_or_else(|| self.wrong(key, "true or false"))
        };
        self.get(key).map(read).transpose()
    }

    /// True or false that has to be there.
    ///
    /// # Errors
    /// No such key, or another value.
    pub fn required_flag(&self, key: &'static str) -> Result<bool> {
        self.flag(key)?.ok_or_else(|| self.wrong(key, "true or false"))
    }

    /// One of `names`, if the key is there.
    ///
    /// # Errors
    /// Another text; the message has the nearest name.
    pub fn one_of(&self, key: &'static str, names: &[&'static str]) -> Result<Option<&'static str>> {
        let expected = || names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(" or ");
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = value.get_ref().as_str().ok_or_else(|| self.wrong(key, &expected()))?;
        match names.iter().copied().find(|n| *n == text) {
            Some(name) => Ok(Some(name)),
            None => Err(match nearest(text, names.iter().copied()) {
                Some(near) => self.wrong(key, &format!("{} (did you mean \"{near}\"?)", expected())),
                None => self.wrong(key, &expected()),
            }),
        }
    }

    /// A whole number from `low` to `high`, if the key is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn whole(&self, key: &'static str, low: u64, high: u64) -> Result<Option<u64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let integer = value.get_ref().as_integer();
        integer
            .and_then(|i| u64::from_str_radix(i.as_str(), i.radix()).ok())
            .filter(|n| (low..=high).contains(n))
            .map(Some)
            .ok_or_else(|| self.wrong(key, &format!("a whole number from {low} to {high}")))
    }

    /// A whole number that has to be there.
    ///
    /// # Errors
    /// No such key, or not a whole number from `low` to `high`.
    pub fn required_whole(&self, key: &'static str, low: u64, high: u64) -> Result<u64> {
        self.whole(key, low, high)?
            .ok_or_else(|| self.wrong(key, &format!("a whole number from {low} to {high}")))
    }

    /// A whole number that may be negative, if the key is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn signed(&self, key: &'static str, low: i64, high: i64) -> Result<Option<i64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let integer = value.get_ref().as_integer();
        integer
            .and_then(|i| i64::from_str_radix(i.as_str(), i.radix()).ok())
            .filter(|n| (low..=high).contains(n))
            .map(Some)
            .ok_or_else(|| self.wrong(key, &format!("a whole number from {low} to {high}")))
    }

    /// A whole number, or `None` for the text `"none"`, if the key is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn whole_or_none(&self, key: &'static str, low: u64, high: u64) -> Result<Option<Option<u64>>> {
        if self.table.get(key).is_some_and(|v| v.get_ref().as_str() == Some("none")) {
            self.asked.borrow_mut().push(key);
            return Ok(Some(None));
        }
        match self.whole(key, low, high) {
            Ok(value) => Ok(value.map(Some)),
            Err(_) => Err(self.wrong(key, &format!("a whole number from {low} to {high}, or \"none\""))),
        }
    }

    /// A number from `low` to `high`, if the key is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn number(&self, key: &'static str, low: f64, high: f64) -> Result<Option<f64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Integer(i) if i.radix() == 10 => i.as_str(),
            DeValue::Float(f) => f.as_str(),
            _ => "",
        };
        text.parse::<f64>()
            .ok()
            .filter(|x| (low..=high).contains(x))
            .map(Some)
            .ok_or_else(|| self.wrong(key, &format!("a number from {low} to {high}")))
    }

    /// Two whole numbers in ascending order, if the key is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn range(&self, key: &'static str) -> Result<Option<(u64, u64)>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let read = |v: &Spanned<DeValue<'i>>| {
            v.get_ref().as_integer().and_then(|i| u64::from_str_radix(i.as_str(), i.radix()).ok())
        };
        let numbers: Option<Vec<u64>> = value.get_ref().as_array().and_then(|a| a.iter().map(read).collect());
        match numbers.as_deref() {
            Some(&[low, high]) if low <= high => Ok(Some((low, high))),
            _ => Err(self.wrong(key, "two whole numbers in ascending order, such as [20, 150]")),
        }
    }

    /// A list of texts, if the key is there.
    ///
    /// # Errors
    /// Anything else.
    pub fn texts(&self, key: &'static str) -> Result<Option<Vec<&'a str>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let texts = value.get_ref().as_array().and_then(|a| a.iter().map(|v| v.get_ref().as_str()).collect());
        match texts {
            Some(texts) => Ok(Some(texts)),
            None => Err(self.wrong(key, "a list of texts in quotes")),
        }
    }

    /// Every key of this table with its value as text: `true`, `3` and `"a"` alike. For tables whose keys
    /// are data (rule options).
    ///
    /// # Errors
    /// A value that is a list or a table.
    pub fn free_texts(&self) -> Result<Vec<(String, String)>> {
        self.free.set(true);
        let mut pairs = Vec::new();
        for (key, value) in self.table {
            let name: &str = key.get_ref();
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(i) => i.as_str().to_owned(),
                DeValue::Float(f) => f.as_str().to_owned(),
                DeValue::Boolean(b) => b.to_string(),
                _ => return Err(self.wrong(name, "a text, a number, true or false")),
            };
            pairs.push((name.to_owned(), text));
        }
        Ok(pairs)
    }

    /// Where `key` stands: `FILE, line N`.
    pub fn place_of(&self, key: &str) -> String {
        let start = self.table.get(key).map_or(self.start, |v| v.span().start);
        self.at(start..start)
    }

    /// The table under `key`, if it is there.
    ///
    /// # Errors
    /// Not a table.
    pub fn table(&self, key: &'static str) -> Result<Option<Table<'a, 'i>>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(key, "a table"))?;
        Ok(Some(Table::new(self.source, table, format!("[{key}]"), value.span().start)))
    }

    /// The tables of the list under `key`, none if it is not there.
    ///
    /// # Errors
    /// Not a list of tables.
    pub fn tables(&self, key: &'static str) -> Result<Vec<Table<'a, 'i>>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let expected = format!("a list of tables, each under [[{key}]]");
        let list = value.get_ref().as_array().ok_or_else(|| self.wrong(key, &expected))?;
        list.iter()
            .enumerate()
            .map(|(i, item)| {
                let table = item.get_ref().as_table().ok_or_else(|| self.wrong(key, &expected))?;
                let place = format!("[[{key}]] number {}", i + 1);
                Ok(Table::new(self.source, table, place, item.span().start))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, read: impl FnOnce(&Table<'_, '_>) -> Result<()>) -> String {
        format!("{:#}", Source { name: "x.toml", text }.read(read).unwrap_err())
    }

    #[test]
    fn complaints_name_line_value_and_expectation() {
        assert_eq!(
            error("a = 1\ngames = \"many\"\n", |t| {
                t.whole("a", 0, 9)?;
                t.whole("games", 1, 10).map(drop)
            }),
            "x.toml, line 2: `games` in the file is \"many\", expected a whole number from 1 to 10"
        );
        assert_eq!(
            error("gmaes = 3\n", |t| t.whole("games", 1, 10).map(drop)),
            "x.toml, line 1: unknown key `gmaes` in the file; did you mean `games`?"
        );
        assert_eq!(
            error("[openings]\nmethod = \"randm\"\n", |t| {
                let openings = t.table("openings")?.unwrap();
                openings.one_of("method", &["random", "file"]).map(drop)
            }),
            "x.toml, line 2: `method` in [openings] is \"randm\", expected \"random\" or \"file\" (did you mean \"random\"?)"
        );
        assert!(error("a : 1\n", |_| Ok(())).starts_with("x.toml, line 1: "));
        assert_eq!(
            error("\n", |t| t.required_text("game").map(drop)),
            "x.toml, line 1: the file has no `game`, expected text in quotes"
        );
    }
}
