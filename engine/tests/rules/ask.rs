//! Questions to a game in text: a position, what may be played in it, what comes of it.

use equipoise_engine::games::{self, Visitor};
use equipoise_engine::notation::{legal_uci, parse_uci};
use equipoise_engine::referee::{Limits, Referee};
use equipoise_engine::search::Playable;

/// A game under given options.
#[derive(Clone)]
pub struct Rules {
    name: &'static str,
    options: Vec<(&'static str, &'static str)>,
}

/// The game `name` under its default options.
pub fn rules(name: &'static str) -> Rules {
    Rules { name, options: Vec::new() }
}

enum Question<'a> {
    Moves,
    After(&'a str),
    End(&'a str),
    Check,
    Key,
    Error,
    Perft(u32),
}

struct Asked<'a> {
    fen: &'a str,
    question: Question<'a>,
}

impl Visitor for Asked<'_> {
    type Output = String;
    fn visit<G: Playable>(self, game: G) -> String {
        let state = match (game.parse_fen(self.fen), &self.question) {
            (Err(error), Question::Error) => return error.to_string(),
            (Ok(state), Question::Error) => panic!("`{}` was read as `{}`", self.fen, game.fen(&state)),
            (read, _) => read.unwrap_or_else(|e| panic!("{e}")),
        };
        match self.question {
            Question::Moves => legal_uci(&game, &state).join(" "),
            Question::Check => game.in_check(&state).to_string(),
            Question::Key => game.key(&state).to_string(),
            Question::Perft(depth) => equipoise_engine::perft::perft(&game, &state, depth).to_string(),
            Question::After(moves) => {
                let mut state = state;
                for text in moves.split_whitespace() {
                    let m = parse_uci(&game, &state, text).unwrap_or_else(|e| panic!("{e}"));
                    game.play(&mut state, m, &mut ());
                }
                game.fen(&state)
            }
            Question::End(moves) => {
                let mut referee = Referee::new(game.clone(), state, Limits::default());
                for text in moves.split_whitespace() {
                    assert_eq!(referee.ending(), None, "before {text} of {moves} from `{}`", self.fen);
                    let m = parse_uci(&game, referee.state(), text).unwrap_or_else(|e| panic!("{e}"));
                    referee.play(m);
                }
                referee.ending().map_or(String::new(), |e| format!("{} {}", e.result, e.termination))
            }
            Question::Error => String::new(),
        }
    }
}

impl Rules {
    /// The same game with an option changed.
    pub fn with(&self, option: &'static str, value: &'static str) -> Rules {
        let mut changed = self.clone();
        changed.options.push((option, value));
        changed
    }

    fn ask(&self, fen: &str, question: Question<'_>) -> String {
        games::with(self.name, self.options.iter().copied(), Asked { fen, question })
            .unwrap_or_else(|e| panic!("{e}"))
    }

    /// The array before any ply.
    pub fn start(&self) -> String {
        struct Start;
        impl Visitor for Start {
            type Output = String;
            fn visit<G: Playable>(self, game: G) -> String {
                game.fen(&game.start())
            }
        }
        games::with(self.name, self.options.iter().copied(), Start).unwrap_or_else(|e| panic!("{e}"))
    }

    /// All legal moves, sorted.
    pub fn moves(&self, fen: &str) -> Vec<String> {
        let moves = self.ask(fen, Question::Moves);
        moves.split_whitespace().map(str::to_owned).collect()
    }

    pub fn allows(&self, fen: &str, uci: &str) -> bool {
        self.moves(fen).iter().any(|m| m == uci)
    }

    /// What comes after `from` in the moves of the piece there: targets with promotions, sorted as text.
    pub fn from(&self, fen: &str, from: &str) -> String {
        let rest = |m: &String| m.strip_prefix(from).map(str::to_owned);
        // a10 begins with a1: what is left over of a longer square is no target.
        let targets: Vec<String> = self
            .moves(fen)
            .iter()
            .filter_map(rest)
            .filter(|t| !t.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        targets.join(" ")
    }

    /// The FEN after moves.
    pub fn after(&self, fen: &str, moves: &str) -> String {
        self.ask(fen, Question::After(moves))
    }

    /// Result and termination after moves, empty while the game goes on.
    pub fn end(&self, fen: &str, moves: &str) -> String {
        self.ask(fen, Question::End(moves))
    }

    pub fn in_check(&self, fen: &str) -> bool {
        self.ask(fen, Question::Check) == "true"
    }

    pub fn key(&self, fen: &str) -> String {
        self.ask(fen, Question::Key)
    }

    pub fn perft(&self, fen: &str, depth: u32) -> u64 {
        self.ask(fen, Question::Perft(depth)).parse().unwrap_or_else(|e| panic!("{e}"))
    }

    /// Why a text is no position.
    pub fn error(&self, fen: &str) -> String {
        self.ask(fen, Question::Error)
    }
}

/// The placement field for pieces written as `Kf1 pd9`, upper case White's, on a square board of `size`.
pub fn placement(size: usize, pieces: &str) -> String {
    let mut cells = vec![vec![' '; size]; size];
    for piece in pieces.split_whitespace() {
        let mut chars = piece.chars();
        let (letter, file) = (chars.next(), chars.next());
        let rank: usize = chars.as_str().parse().unwrap_or_else(|_| panic!("`{piece}` is no piece"));
        let (Some(letter), Some(file)) = (letter, file) else { panic!("`{piece}` is no piece") };
        let cell = &mut cells[rank - 1][file as usize - 'a' as usize];
        assert_eq!(*cell, ' ', "two pieces on one square in `{pieces}`");
        *cell = letter;
    }
    let row = |cells: &Vec<char>| {
        let mut text = String::new();
        let mut run = 0;
        for &cell in cells.iter().chain(['!'].iter()) {
            if cell == ' ' {
                run += 1;
                continue;
            }
            if run > 0 {
                text += &run.to_string();
                run = 0;
            }
            text.push(cell);
        }
        text.trim_end_matches('!').to_owned()
    };
    cells.iter().rev().map(row).collect::<Vec<_>>().join("/")
}

/// How many pieces of a letter a placement has.
pub fn count(placement: &str, letter: char) -> usize {
    placement.chars().filter(|&c| c == letter).count()
}
