//! The `go` command.

use crate::protocol::clock::{Budget, Remaining};
use crate::protocol::session::Task;
use engine::side::Side;
use std::str::SplitWhitespace;

/// A `go` command, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The search.
    pub task: Task,
    /// Plies of a perft in place of a search.
    pub perft: Option<u32>,
    /// The result waits for `stop`.
    pub infinite: bool,
    /// The result waits for `stop` or `ponderhit`.
    pub ponder: bool,
    move_time: Option<u64>,
    times: [Option<u64>; 2],
    increments: [u64; 2],
    moves_to_go: Option<u64>,
    /// Words that mean nothing here; the protocol wants them skipped.
    pub unknown: Vec<String>,
}

/// Words that begin a part of `go`, and so end a list of moves.
const WORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl Go {
    /// Reads what follows `go`.
    ///
    /// # Errors
    /// A word that wants a number and has none, named.
    pub fn parse(words: SplitWhitespace<'_>) -> Result<Go, String> {
        let mut words = words.peekable();
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|w| !WORDS.contains(w)) {
                        go.task.only.push(m.to_owned());
                    }
                }
                _ if WORDS.contains(&word) => {
                    let text = words.next().unwrap_or("");
                    let number = number(word, text)?;
                    go.set(word, number);
                }
                _ => go.unknown.push(word.to_owned()),
            }
        }
        Ok(go)
    }

    fn set(&mut self, word: &str, number: u64) {
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "wtime" => self.times[0] = Some(number),
            "btime" => self.times[1] = Some(number),
            "winc" => self.increments[0] = number,
            "binc" => self.increments[1] = number,
            "movestogo" => self.moves_to_go = Some(number),
            "depth" => self.task.depth = Some(small),
            "nodes" => self.task.nodes = Some(number),
            "mate" => self.task.mate = Some(small),
            "movetime" => self.move_time = Some(number),
            _ => self.perft = Some(small),
        }
    }

    /// The time for `side`'s move, once the search is not infinite or pondering.
    pub fn budget(&self, side: Side, overhead: u64) -> Budget {
        if let Some(time) = self.move_time {
            return Budget::exact(time, overhead);
        }
        match self.times[side.index()] {
            Some(time) => {
                let increment = self.increments[side.index()];
                Budget::share(Remaining { time, increment, moves_to_go: self.moves_to_go }, overhead)
            }
            None => Budget::NONE,
        }
    }

    /// Whether nothing but `stop` ends the search.
    pub fn is_endless(&self) -> bool {
        self.infinite || self.ponder || !(self.is_timed() || self.is_limited() || self.perft.is_some())
    }

    fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.times.iter().any(Option::is_some)
    }

    fn is_limited(&self) -> bool {
        self.task.depth.is_some() || self.task.nodes.is_some() || self.task.mate.is_some()
    }
}

/// A whole number; times below zero, which some programs send, count as zero.
fn number(word: &str, text: &str) -> Result<u64, String> {
    match text.parse::<i128>() {
        Ok(n) if n >= 0 => Ok(u64::try_from(n).unwrap_or(u64::MAX)),
        Ok(_) if word.ends_with("time") || word.ends_with("inc") => Ok(0),
        _ => Err(format!("`go {word} {text}`: a whole number was expected after `{word}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::parse(text.split_whitespace()).unwrap()
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let read = go("searchmoves e2e4 d2d4 depth 5 nodes 100 mate 3");
        assert_eq!(read.task.only, ["e2e4", "d2d4"]);
        assert_eq!((read.task.depth, read.task.nodes, read.task.mate), (Some(5), Some(100), Some(3)));
        assert!(!read.is_endless());
        assert_eq!(go("depth 3 quickly").unknown, ["quickly"]);
    }

    #[test]
    fn each_side_has_its_own_time() {
        let read = go("wtime 60090 btime 1090 winc 0 binc 0");
        assert_eq!(read.budget(Side::White, 30).hard, 6_000);
        assert_eq!(read.budget(Side::Black, 30).hard, 99);
        assert_eq!(go("wtime 1000").budget(Side::Black, 30), Budget::NONE);
        assert_eq!(go("wtime -5 btime -5").budget(Side::White, 30).hard, 1);
    }

    #[test]
    fn a_bare_go_is_endless() {
        for text in ["", "infinite", "ponder wtime 100 btime 100", "searchmoves e2e4"] {
            assert!(go(text).is_endless(), "{text}");
        }
        assert!(!go("perft 2").is_endless());
    }

    #[test]
    fn a_missing_number_is_named() {
        for text in ["depth", "nodes x", "movetime depth 3", "depth -1"] {
            let error = Go::parse(text.split_whitespace()).unwrap_err();
            assert!(error.contains("a whole number was expected"), "{error}");
        }
    }
}
