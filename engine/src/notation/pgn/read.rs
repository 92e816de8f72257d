//! Reading PGN.

use super::lexer::{Lexer, Problem, Token};
use super::{Eval, PgnGame};
use crate::game::Game;
use crate::notation::parse_move;
use crate::options::{Options, parse_pair};
use crate::outcome::{GameResult, Termination};

/// A game that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("PGN game {game}, line {line}{}, `{text}`: {problem}", .ply.map(|p| format!(", ply {p}")).unwrap_or_default())]
pub struct PgnError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// The ply, from 1, where the trouble is with a move.
    pub ply: Option<usize>,
    /// The text there.
    pub text: String,
    /// What is wrong, and what was expected.
    pub problem: String,
}

/// Reads the games of a text one after the other. A game that cannot be read is an error in its place, and
/// the next one is read all the same.
pub struct PgnReader<'a, G> {
    game: &'a G,
    lexer: Lexer<'a>,
    /// A token read too early: the next game's first tag.
    early: Option<(usize, Token<'a>)>,
    number: usize,
}

/// The tags that become fields of [`PgnGame`].
const DERIVED: [&str; 5] = ["Result", "Variant", "Options", "SetUp", "FEN"];

/// What the text says of one game, before the game's rules are asked.
#[derive(Default)]
struct Raw<'a> {
    tags: Vec<(usize, &'a str, String)>,
    moves: Vec<(usize, &'a str)>,
    evals: Vec<Option<Eval>>,
    result: Option<(usize, &'a str)>,
    /// The line of the last token.
    line: usize,
}

impl Raw<'_> {
    fn tag(&self, name: &str) -> Option<(usize, &str)> {
        self.tags.iter().find(|(_, n, _)| *n == name).map(|(line, _, value)| (*line, value.as_str()))
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }
}

impl<'a, G: Game> PgnReader<'a, G> {
    /// Reads `text` as games of `game`.
    pub fn new(game: &'a G, text: &'a str) -> Self {
        PgnReader { game, lexer: Lexer::new(text), early: None, number: 0 }
    }

    fn next_token(&mut self) -> Option<Result<(usize, Token<'a>), Problem>> {
        self.early.take().map(Ok).or_else(|| self.lexer.next())
    }

    /// Splits off the next game; `None` at the end of the text.
    fn split(&mut self) -> Option<Result<Raw<'a>, Problem>> {
        let mut raw = Raw::default();
        // A `0-0` that may turn out to be the result: what follows decides.
        let mut double_zero: Option<(usize, &'a str)> = None;
        let mut its_eval = None;
        while let Some(next) = self.next_token() {
            let (line, token) = match next {
                Ok(next) => next,
                Err(problem) => {
                    self.lexer.recover();
                    return Some(Err(problem));
                }
            };
            let word = match token {
                Token::Tag(name, value) => {
                    let again = name == "Event" && raw.tag(name).is_some();
                    if again || !raw.moves.is_empty() || double_zero.is_some() {
                        self.early = Some((line, token));
                        break;
                    }
                    raw.tags.push((line, name, unescaped(value)));
                    raw.line = line;
                    continue;
                }
                Token::Comment(text) => {
                    let last = if double_zero.is_some() { Some(&mut its_eval) } else { raw.evals.last_mut() };
                    if let (Some(last), Some(eval)) = (last, eval_in(text)) {
                        *last = Some(eval);
                    }
                    continue;
                }
                Token::Word(word) => without_number(word),
            };
            raw.line = line;
            if word.is_empty() {
                continue;
            }
            if let Some(castling) = double_zero.take() {
                raw.moves.push(castling);
                raw.evals.push(its_eval.take());
            }
            let both_lose = word == GameResult::BothLose.name();
            if both_lose && raw.tag("Result").is_some_and(|(_, result)| result == word) {
                double_zero = Some((line, word));
            } else if !both_lose && result_of(word).is_some() {
                raw.result = Some((line, word));
                return Some(Ok(raw));
            } else {
                raw.moves.push((line, word));
                raw.evals.push(None);
            }
        }
        raw.result = double_zero;
        (!raw.is_empty()).then_some(Ok(raw))
    }

    /// Plays the game through.
    fn build(&self, raw: Raw<'a>) -> Result<PgnGame<G::State>, PgnError> {
        let error = |line: usize, ply: Option<usize>, text: &str, problem: String| PgnError {
            game: self.number,
            line,
            ply,
            text: text.to_owned(),
            problem,
        };
        let game = self.game;
        for (i, (line, name, value)) in raw.tags.iter().enumerate() {
            if raw.tags[..i].iter().any(|(_, n, _)| n == name) {
                return Err(error(*line, None, value, format!("tag {name} is given a second time")));
            }
        }
        if let Some((line, variant)) = raw.tag("Variant") {
            self.check_variant(variant).map_err(|p| error(line, None, variant, p))?;
        }
        if let Some((line, options)) = raw.tag("Options") {
            self.check_options(options).map_err(|p| error(line, None, options, p))?;
        }
        let start = match raw.tag("FEN") {
            Some((line, fen)) => game.parse_fen(fen).map_err(|e| error(line, None, fen, e.to_string()))?,
            None => game.start(),
        };
        let mut state = start.clone();
        let mut moves = Vec::with_capacity(raw.moves.len());
        for (ply, (line, text)) in raw.moves.iter().enumerate() {
            let m = parse_move(game, &state, text)
                .map_err(|e| error(*line, Some(ply + 1), text, e.to_string()))?;
            game.play(&mut state, m, &mut ());
            moves.push(m);
        }
        let Some((line, text)) = raw.result else {
            let last = raw.moves.last().map_or("", |(_, text)| text);
            let problem = "the game breaks off here: a move or one of 1-0, 0-1, 1/2-1/2, * was expected";
            return Err(error(raw.line, Some(raw.moves.len()), last, problem.to_owned()));
        };
        let result = result_of(text).unwrap_or(GameResult::Unknown);
        if let Some((tag_line, tag)) = raw.tag("Result") {
            let known = result_of(tag).ok_or_else(|| {
                let problem = "tag Result is none of 1-0, 0-1, 1/2-1/2, 0-0, *".to_owned();
                error(tag_line, None, tag, problem)
            })?;
            if known != result {
                let problem = format!("the moves end with another result than tag Result has, `{tag}`");
                return Err(error(line, None, text, problem));
            }
        }
        if let Some(ending) = game.ending(&state)
            && result != GameResult::Unknown
            && result != ending.result
        {
            let (result, why) = (ending.result, ending.termination);
            let problem = format!("the last position is {result} by {why}, which contradicts the result");
            return Err(error(line, Some(moves.len()), text, problem));
        }
        let termination = raw.tag("Termination").and_then(|(_, t)| t.parse::<Termination>().ok());
        let derived =
            |name: &str| DERIVED.contains(&name) || (name == "Termination" && termination.is_some());
        let evals = if raw.evals.iter().any(Option::is_some) { raw.evals } else { Vec::new() };
        let tags = raw.tags.into_iter().filter(|(_, name, _)| !derived(name));
        let tags = tags.map(|(_, name, value)| (name.to_owned(), value)).collect();
        Ok(PgnGame { tags, start, moves, evals, result, termination })
    }

    /// The tag must name this game, or none in particular.
    fn check_variant(&self, variant: &str) -> Result<(), String> {
        let bare = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let same = |a: &str| bare(a).eq_ignore_ascii_case(&bare(variant));
        let info = self.game.info();
        // Titles give a second name in parentheses; some servers name the rules that go without saying.
        let known = info.title.split(['(', ')']).chain([info.name, "Standard", "From Position"]);
        if known.filter(|k| !k.is_empty()).any(same) {
            return Ok(());
        }
        Err(format!("the text is read as {}, but tag Variant names another game", info.name))
    }

    /// Options that the tag names must have the values that the game is read with.
    fn check_options(&self, text: &str) -> Result<(), String> {
        let info = self.game.info();
        for pair in text.split_whitespace() {
            let (name, value) = parse_pair(pair).map_err(|e| e.to_string())?;
            Options::resolve(info.name, info.options, [(name, value)]).map_err(|e| e.to_string())?;
            let now = self.game.options().get(name);
            if now != value {
                return Err(format!(
                    "the game was played with {name}={value}, but is read with {name}={now}"
                ));
            }
        }
        Ok(())
    }
}

impl<G: Game> Iterator for PgnReader<'_, G> {
    type Item = Result<PgnGame<G::State>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let raw = self.split()?;
        self.number += 1;
        Some(match raw {
            Ok(raw) => self.build(raw),
            Err(Problem { line, text, problem }) => {
                Err(PgnError { game: self.number, line, ply: None, text, problem: problem.to_owned() })
            }
        })
    }
}

/// A tag's value with `\"` and `\\` as the characters they stand for.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = (c == '\\').then(|| chars.next_if(|n| matches!(n, '"' | '\\'))).flatten();
        text.push(escaped.unwrap_or(c));
    }
    text
}

/// A word without the move number before it; empty if nothing else is there, or only a mark.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let word = if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word };
    if word == "e.p." || word.bytes().all(|b| matches!(b, b'!' | b'?')) { "" } else { word }
}

/// The result that a whole word names; of `0-0`, which may be castling, the caller knows which it is.
fn result_of(word: &str) -> Option<GameResult> {
    match word {
        "1/2" | "½-½" => Some(GameResult::Draw),
        _ => word.parse().ok(),
    }
}

/// The evaluation in a comment, if it holds one.
fn eval_in(comment: &str) -> Option<Eval> {
    let (_, rest) = comment.split_once("[%eval ")?;
    Eval::parse(rest.split(']').next()?)
}
