//! Time controls as XBoard tells them.

use crate::protocol::clock::{Budget, Remaining};

/// The time control and what is left of it, milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// Moves in a session; 0 for the whole game.
    moves: u64,
    base: u64,
    increment: u64,
    /// Exactly so much a move.
    per_move: Option<u64>,
    /// Our clock.
    left: Option<u64>,
}

impl Level {
    /// Takes `level MOVES BASE INCREMENT`, `st SECONDS` or `time CENTISECONDS`.
    ///
    /// # Errors
    /// What was expected.
    pub fn set(&mut self, word: &str, rest: &str) -> Result<(), String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (word, words.as_slice()) {
            ("level", [moves, base, increment]) => {
                let moves = moves.parse().map_err(|_| format!("`{moves}` is no number of moves"))?;
                let base =
                    minutes(base).ok_or_else(|| format!("`{base}` is not minutes or minutes:seconds"))?;
                let increment =
                    seconds(increment).ok_or_else(|| format!("`{increment}` is no number of seconds"))?;
                *self = Level { moves, base, increment, per_move: None, left: None };
            }
            ("st", [time]) => {
                self.per_move =
                    Some(seconds(time).ok_or_else(|| format!("`{time}` is no number of seconds"))?);
            }
            ("time", [time]) => {
                let left: i64 = time.parse().map_err(|_| format!("`{time}` is no number of centiseconds"))?;
                self.left = Some(left.max(0) as u64 * 10);
            }
            ("level", _) => return Err("`level MOVES BASE INCREMENT` was expected".to_owned()),
            _ => return Err("one number was expected".to_owned()),
        }
        Ok(())
    }

    /// The time for our next move, after `made` of ours.
    pub fn budget(&self, made: usize, overhead: u64) -> Budget {
        if let Some(time) = self.per_move {
            return Budget::exact(time, overhead);
        }
        let time = self.left.unwrap_or(self.base);
        if time == 0 && self.increment == 0 {
            // Nobody has set a clock: a second a move.
            return Budget::exact(1_000, overhead);
        }
        let moves_to_go = (self.moves > 0).then(|| self.moves - made as u64 % self.moves);
        Budget::share(Remaining { time, increment: self.increment, moves_to_go }, overhead)
    }
}

/// Seconds, perhaps with a fraction, in milliseconds.
fn seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..1e9).contains(&seconds).then_some((seconds * 1000.0) as u64)
}

/// `5` or `5:30`, in milliseconds.
fn minutes(text: &str) -> Option<u64> {
    let (minutes, rest) = text.split_once(':').unwrap_or((text, "0"));
    Some(seconds(minutes)? * 60 + seconds(rest)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read() {
        let mut level = Level::default();
        level.set("level", "40 5:30 0.5").unwrap();
        assert_eq!((level.moves, level.base, level.increment), (40, 330_000, 500));
        level.set("time", "1009").unwrap();
        // 39 made: the next is the last before new time comes.
        assert_eq!(level.budget(39, 30), Budget { soft: 6_211, hard: 7_500 });
        level.set("st", "2").unwrap();
        assert_eq!(level.budget(0, 30), Budget { soft: 1_970, hard: 1_970 });
        level.set("level", "0 1 0").unwrap();
        assert_eq!(level.budget(0, 30).hard, 5_991);
    }

    #[test]
    fn nonsense_is_refused() {
        let mut level = Level::default();
        for (word, rest) in [
            ("level", "1 2"),
            ("level", "x 5 0"),
            ("level", "0 a:b 0"),
            ("st", ""),
            ("st", "-1"),
            ("st", "NaN"),
            ("time", "soon"),
        ] {
            assert!(level.set(word, rest).is_err(), "{word} {rest}");
        }
        assert_eq!(level, Level::default());
        level.set("time", "-20").unwrap();
        assert_eq!(level.left, Some(0));
    }
}
