//! The words of PGN text.

/// A piece of PGN that matters. What does not (variations, glyph numbers, rest-of-line comments) is skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A tag: its name, and its value as it stands between the quotes.
    Tag(&'a str, &'a str),
    /// A move, a move number, a result: a run of other characters.
    Word(&'a str),
    /// What stands between braces.
    Comment(&'a str),
}

/// Text that is no PGN: the line, the text there, what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    pub line: usize,
    pub text: String,
    pub problem: &'static str,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Byte offset; always at a character's first byte.
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // Some editors begin a file with a byte-order mark.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { text, at, line: 1 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes `bytes` of the text and gives them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.rest()[..bytes];
        self.line += taken.bytes().filter(|b| *b == b'\n').count();
        self.at += bytes;
        taken
    }

    fn problem(&self, problem: &'static str) -> Problem {
        let text = self.rest().lines().next().unwrap_or("").chars().take(60).collect();
        Problem { line: self.line, text, problem }
    }

    /// Passes the text up to where a game may begin anew: a line with an `Event` tag.
    pub(super) fn recover(&mut self) {
        let next = self.rest().match_indices("\n[Event ").next().map_or(self.rest().len(), |(i, _)| i + 1);
        self.take(next);
    }

    fn at_line_start(&self) -> bool {
        // A byte order mark may stand before the first line.
        matches!(&self.text[..self.at], "" | "\u{feff}") || self.text.as_bytes()[self.at - 1] == b'\n'
    }

    fn skip_line(&mut self) {
        self.take(self.rest().find('\n').unwrap_or(self.rest().len()));
    }

    /// A comment, the brace being next.
    fn comment(&mut self) -> Result<&'a str, Problem> {
        let end = self.rest().find('}').ok_or_else(|| self.problem("the comment has no closing `}`"))?;
        Ok(&self.take(end + 1)[1..end])
    }

    /// Skips a variation, the parenthesis being next; variations may hold others.
    fn variation(&mut self) -> Result<(), Problem> {
        let unclosed = self.problem("the variation has no closing `)`");
        let mut depth = 0_usize;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '{' => {
                    self.comment()?;
                    continue;
                }
                ';' => {
                    self.skip_line();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.take(c.len_utf8());
            if depth == 0 {
                return Ok(());
            }
        }
        Err(unclosed)
    }

    /// A tag, the bracket being next: `[Name "value"]`. A quote within the value ends it only if the
    /// bracket follows, since many files leave quotes as they are.
    fn tag(&mut self) -> Result<Token<'a>, Problem> {
        let problem = self.problem("a tag of the form [Name \"value\"] was expected");
        let line = self.rest().lines().next().unwrap_or("");
        let parse = || {
            let inner = line[1..].trim_start();
            let name_end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            let name = Some(&inner[..name_end]).filter(|n| !n.is_empty())?;
            let value = inner[name_end..].trim_start().strip_prefix('"')?;
            let (end, close) = value.match_indices('"').find_map(|(i, _)| {
                let after = &value[i + 1..];
                let close = after.trim_start().starts_with(']').then(|| after.find(']'))??;
                // `\"` is a quote, but `\\"` ends the value after a backslash.
                let slashes = value[..i].bytes().rev().take_while(|b| *b == b'\\').count();
                slashes.is_multiple_of(2).then_some((i, i + 1 + close + 1))
            })?;
            let start = line.len() - value.len();
            Some((Token::Tag(name, &value[..end]), start + close))
        };
        let (token, length) = parse().ok_or(problem)?;
        self.take(length);
        Ok(token)
    }

    /// The next token and its line.
    pub(super) fn next(&mut self) -> Option<Result<(usize, Token<'a>), Problem>> {
        loop {
            let c = self.rest().chars().next()?;
            let line = self.line;
            let token = match c {
                '%' if self.at_line_start() => {
                    self.skip_line();
                    continue;
                }
                ';' => {
                    self.skip_line();
                    continue;
                }
                c if c.is_whitespace() => {
                    self.take(c.len_utf8());
                    continue;
                }
                '(' => match self.variation() {
                    Ok(()) => continue,
                    Err(problem) => return Some(Err(problem)),
                },
                '$' => {
                    let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.take(1 + digits);
                    continue;
                }
                '{' => self.comment().map(Token::Comment),
                '[' => self.tag(),
                ')' | '}' | ']' => Err(self.problem("there is nothing here to close")),
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                    let end = self.rest().find(ends).unwrap_or(self.rest().len());
                    Ok(Token::Word(self.take(end)))
                }
            };
            return Some(token.map(|t| (line, t)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<Token<'_>>, Problem> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.next()).map(|t| t.map(|(_, t)| t)).collect()
    }

    #[test]
    fn what_does_not_matter_is_skipped() {
        let text = "\u{feff}% a note\n[A \"b\"]\r\n1. e4$1 (1. d4 {)} (1. c4 ; )\n)) {good} e5;x\n%\n1-0";
        let expected = [
            Token::Tag("A", "b"),
            Token::Word("1."),
            Token::Word("e4"),
            Token::Comment("good"),
            Token::Word("e5"),
            Token::Word("1-0"),
        ];
        assert_eq!(tokens(text).unwrap(), expected);
    }

    #[test]
    fn tags_survive_quotes_and_brackets() {
        for (text, value) in [
            (r#"[A "x"]"#, "x"),
            (r#"[ A   "" ]"#, ""),
            (r#"[A "say "x" twice"]"#, r#"say "x" twice"#),
            (r#"[A "say \"x\"]\" twice"]"#, r#"say \"x\"]\" twice"#),
            (r#"[A "x\\"]"#, r"x\\"),
            (r#"[A "8/8[Pp] w"]"#, "8/8[Pp] w"),
        ] {
            assert_eq!(tokens(text).unwrap(), [Token::Tag("A", value)], "{text}");
        }
        assert_eq!(
            tokens("[A \"x\"][B \"y\"]").unwrap(),
            [Token::Tag("A", "x"), Token::Tag("B", "y")],
            "on one line"
        );
    }

    #[test]
    fn problems_say_where() {
        for (text, line, start) in [
            ("1. e4\n{ so", 2, "{ so"),
            ("\n\n(1. e4", 3, "(1. e4"),
            ("[A x]", 1, "[A x]"),
            ("[A \"x\n\"]", 1, "[A \"x"),
            ("[\"x\"]", 1, "[\"x\"]"),
            ("e4 ) e5", 1, ") e5"),
            ("é }", 1, "}"),
        ] {
            let problem = tokens(text).unwrap_err();
            assert_eq!((problem.line, problem.text.as_str()), (line, start), "{text}");
        }
    }
}
