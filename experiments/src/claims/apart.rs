//! Questions that no figure of single games answers: each is decided by a computation of its own.

use crate::experiment::named_matrix;
use crate::tables::Table;
use anyhow::{Context, Result};
use std::path::Path;

/// A question, as a claims file asks it.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// How many first moves score, in expectation, at most so much less than the best: by a race.
    FirstMoves {
        /// Share of a point.
        of_best: f64,
    },
    /// The same for each piece with this letter (upper case) among its own first moves; the least of them counts.
    FirstSquares {
        /// The piece.
        piece: char,
        /// Share of a point.
        of_best: f64,
    },
    /// White's score from each start, less the mean over all starts: by a table of set-ups.
    Balance,
    /// What setting up second, seeing the other's set-up, is worth to White over doing so at random.
    Choice,
    /// Points to the side behind under a matrix, less its points at the same states if every win paid the whole
    /// stake, in each band of the matrix: by the game of offers on a log's evaluations.
    Incentive {
        /// A built-in matrix's name.
        matrix: String,
    },
}

impl Question {
    /// Names of tests in claims files, each with the questions (`metric`) it answers.
    pub const TESTS: [(&str, &[&str]); 3] = [
        ("race", &["first-moves", "first-squares"]),
        ("setups", &["balance", "choice"]),
        ("offers", &["incentive"]),
    ];

    /// Reads the question of a test.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn read(t: &Table<'_, '_>, test: &str) -> Result<Question> {
        let names = Self::TESTS.iter().find(|(name, _)| *name == test).map_or(&[][..], |(_, names)| names);
        let metric = t.one_of("metric", names)?.ok_or_else(|| t.wrong("metric", &names.join(" or ")))?;
        let of_best = || {
            t.number("of_best", 1e-6, 1.0)?.ok_or_else(|| {
                t.wrong("of_best", "the share of a point that a move may be worse, such as 0.03")
            })
        };
        Ok(match metric {
            "first-moves" => Question::FirstMoves { of_best: of_best()? },
            "first-squares" => {
                let letters = t.required_text("pieces")?;
                let mut chars = letters.chars();
                match (chars.next().filter(char::is_ascii_uppercase), chars.next()) {
                    (Some(piece), None) => Question::FirstSquares { piece, of_best: of_best()? },
                    _ => return Err(t.wrong("pieces", "one upper-case letter, such as \"N\"")),
                }
            }
            "balance" => Question::Balance,
            "choice" => Question::Choice,
            _ => {
                let matrix = t.required_text("matrix")?.to_owned();
                named_matrix(&matrix, Path::new(".")).with_context(|| t.place_of("matrix"))?;
                Question::Incentive { matrix }
            }
        })
    }

    /// Its name in claims files.
    pub fn name(&self) -> &'static str {
        match self {
            Question::FirstMoves { .. } => "first-moves",
            Question::FirstSquares { .. } => "first-squares",
            Question::Balance => "balance",
            Question::Choice => "choice",
            Question::Incentive { .. } => "incentive",
        }
    }

    /// The test that answers it.
    pub fn test(&self) -> &'static str {
        let has = |(_, names): &&(&str, &[&str])| names.contains(&self.name());
        Self::TESTS.iter().find(has).map_or("", |(test, _)| test)
    }

    /// The question in words, before "above" and the threshold.
    pub fn words(&self) -> String {
        match self {
            Question::FirstMoves { of_best } => format!("first moves within {of_best} of the best"),
            Question::FirstSquares { piece, of_best } => {
                format!("for each {piece}, first moves within {of_best} of its best")
            }
            Question::Balance => "each start's score, less their mean,".to_owned(),
            Question::Choice => "White's gain by setting up second".to_owned(),
            Question::Incentive { matrix } => {
                format!("points to the side behind in each band, {matrix} less winner takes all,")
            }
        }
    }

    /// The range a threshold lies in.
    pub fn range(&self) -> (f64, f64) {
        if self.is_share() { (-1.0, 1.0) } else { (-1000.0, 1000.0) }
    }

    /// Whether what it asks for is a share of a point.
    pub fn is_share(&self) -> bool {
        matches!(self, Question::Balance | Question::Choice)
    }

    /// Whether a run's own log answers it, once the run is complete.
    pub fn is_of_a_log(&self) -> bool {
        matches!(self, Question::Incentive { .. })
    }

    /// What answers it, for a claim about `game` on whose log it cannot be answered.
    pub fn how(&self, game: &str) -> String {
        match self.test() {
            "race" => "a race: run of an experiment with [race]".to_owned(),
            "setups" => format!("equipoise tune setup {game}"),
            _ => "a whole run without offers: check DIR".to_owned(),
        }
    }
}
