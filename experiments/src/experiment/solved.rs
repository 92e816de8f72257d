//! Solved offers as a file: what `tune payoff --policy` writes and players with the policy `equilibrium` follow.

use crate::tables::{Source, Table};
use anyhow::{Result, anyhow, bail};
use engine::payoff::Matrix;
use engine::side::Side;
use std::fmt::Write as _;
use tuner::offers::{Bins, Book, Decision, Policy, PolicyRow, Utility};

/// Best offers under one matrix, given how some logged players play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedOffers {
    /// The matrix they are solved for.
    pub matrix: Matrix,
    /// What both players maximise.
    pub utility: Utility,
    /// From which games.
    pub provenance: String,
    /// What is offered and accepted.
    pub policy: Policy,
}

const HEAD: &str = "\
# Best offers under a payoff matrix, for `[player.offers] policy = \"equilibrium\"`.
#
# `edges` are centipawns from White's view between classes of evaluations; a forced loss and a forced win are classes
# of their own at the ends. A row holds for moves `from` to `to` of one side. Its nine words are for what became of
# the draw offer (open, refused in this band, refused in an earlier band) and, within each, of the resignation offer
# (likewise). A word has a digit a class: 1 the side to move offers a draw, 2 the other accepts it, 4 the side to
# move offers to resign, 8 the other accepts; sums of these as a hexadecimal digit.
";

impl SolvedOffers {
    /// As a file that reads back to the same.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let edges: Vec<String> = self.policy.bins.edges().iter().map(i32::to_string).collect();
        let mut out = format!(
            "{HEAD}\nprovenance = {}\nutility = \"{}\"\nedges = \"{}\"\nmatrix_text = {}\n",
            quoted(&self.provenance),
            self.utility.name(),
            edges.join(" "),
            quoted(&self.matrix.to_toml()),
        );
        for row in &self.policy.rows {
            let words = row.cells.chunks(self.policy.bins.count());
            let words: Vec<String> =
                words.map(|word| word.iter().map(|d| format!("{:x}", d.bits())).collect()).collect();
            // Writing to a String cannot fail.
            let _ = write!(
                out,
                "\n[[row]]\nside = \"{}\"\nfrom = {}\nto = {}\ncells = \"{}\"\n",
                row.side,
                row.from,
                row.to,
                words.join(" ")
            );
        }
        out
    }

    /// Reads a file's text; `name` is for messages.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn read(name: &str, text: &str) -> Result<SolvedOffers> {
        Source { name, text }.read(|t| {
            let matrix = t.required_text("matrix_text")?;
            let matrix = matrix.parse().map_err(|e| anyhow!("{}: {e}", t.place_of("matrix_text")))?;
            let utility = t.one_of("utility", &Utility::NAMES)?.and_then(Utility::from_name);
            let bins = edges(t)?;
            let rows = t.tables("row")?;
            let rows: Vec<PolicyRow> = rows.iter().map(|r| row(r, &bins)).collect::<Result<_>>()?;
            for pair in rows.windows(2) {
                if let [a, b] = pair
                    && a.side == b.side
                    && b.from <= a.to
                {
                    bail!("{name}: a row of {} starts at move {} after one to move {}", b.side, b.from, a.to);
                }
            }
            Ok(SolvedOffers {
                matrix,
                utility: utility.ok_or_else(|| t.wrong("utility", "\"own\" or \"difference\""))?,
                provenance: t.required_text("provenance")?.to_owned(),
                policy: Policy { bins, rows },
            })
        })
    }

    /// Whether these offers are solved for games that pay like this.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, payoff: &Matrix) -> Result<()> {
        let pay = |matrix: &Matrix| {
            let mut spec = matrix.spec().clone();
            (spec.name, spec.provenance, spec.reconstructed) = (String::new(), String::new(), false);
            spec
        };
        if pay(&self.matrix) == pay(payoff) {
            return Ok(());
        }
        let (ours, theirs) = (self.matrix.spec(), payoff.spec());
        let rule =
            |rule: Option<u32>| rule.map_or_else(|| "no move rule".to_owned(), |n| format!("move rule {n}"));
        bail!(
            "the offers are solved for matrix {} with {}, and games are played for {} with {}; expected the same \
             bands, prices and rules",
            ours.name,
            rule(ours.move_rule),
            theirs.name,
            rule(theirs.move_rule)
        )
    }
}

fn edges(t: &Table<'_, '_>) -> Result<Bins> {
    let text = t.required_text("edges")?;
    let numbers: Option<Vec<i32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|list| list.len() <= 200);
    let bins = numbers.map(Bins::new).ok_or_else(|| t.wrong("edges", "at most 200 whole numbers"))?;
    bins.map_err(|e| t.wrong("edges", &e.to_string()))
}

fn row(t: &Table<'_, '_>, bins: &Bins) -> Result<PolicyRow> {
    let side = match t.one_of("side", &["white", "black"])? {
        Some("white") => Side::White,
        Some(_) => Side::Black,
        None => return Err(t.wrong("side", "\"white\" or \"black\"")),
    };
    let from = t.required_whole("from", 1, 100_000)? as u32;
    let to = t.required_whole("to", from.into(), 100_000)? as u32;
    let text = t.required_text("cells")?;
    let words: Vec<&str> = text.split(' ').collect();
    let digit = |c: char| c.to_digit(16).and_then(|d| Decision::from_bits(d as u8));
    let cells: Option<Vec<Decision>> = words.concat().chars().map(digit).collect();
    let fits = words.len() == Book::COUNT && words.iter().all(|word| word.chars().count() == bins.count());
    match cells.filter(|_| fits) {
        Some(cells) => {
            t.finish()?;
            Ok(PolicyRow { side, from, to, cells })
        }
        None => {
            let expected = format!("{} words of {} hexadecimal digits", Book::COUNT, bins.count());
            Err(t.wrong("cells", &expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved() -> SolvedOffers {
        let bins = Bins::new(vec![-100, 100]).unwrap();
        let cells = |n: u32| (0..45).map(|i| Decision::from_bits((i * n % 16) as u8).unwrap()).collect();
        let rows = vec![
            PolicyRow { side: Side::White, from: 5, to: 45, cells: cells(1) },
            PolicyRow { side: Side::White, from: 46, to: 150, cells: cells(7) },
            PolicyRow { side: Side::Black, from: 5, to: 150, cells: cells(3) },
        ];
        SolvedOffers {
            matrix: engine::payoff::sample().unwrap(),
            utility: Utility::Difference,
            provenance: "a \"test\"".into(),
            policy: Policy { bins, rows },
        }
    }

    #[test]
    fn a_file_reads_back_to_the_same_offers() {
        let text = solved().to_toml();
        assert_eq!(SolvedOffers::read("x.toml", &text).unwrap(), solved());
        assert!(text.contains("cells = \"01234 56789 "), "{text}");
    }

    #[test]
    fn damage_is_named() {
        let text = solved().to_toml();
        let cases = [
            ("utility = \"difference\"", "utility = \"differenc\"", "differenc"),
            ("edges = \"-100 100\"", "edges = \"100 -100\"", "ascending order"),
            ("edges = \"-100 100\"", "edges = \"-100 x\"", "whole numbers"),
            ("edges = \"-100 100\"", "edges = \"-100\"", "9 words of 4 hexadecimal digits"),
            ("cells = \"01234", "cells = \"0123g", "9 words of 5 hexadecimal digits"),
            ("\nfrom = 46\n", "\nfrom = 40\n", "starts at move 40 after one to move 45"),
            ("side = \"black\"", "sid = \"black\"", "did you mean `side`?"),
            ("provenance = ", "provenanc = ", "provenance"),
        ];
        for (from, to, expected) in cases {
            assert!(text.contains(from), "{from}");
            let error =
                format!("{:#}", SolvedOffers::read("x.toml", &text.replacen(from, to, 1)).unwrap_err());
            assert!(error.contains(expected) && error.contains("x.toml"), "{to}: {error}");
        }
    }

    #[test]
    fn offers_are_held_to_their_matrix() {
        let solved = solved();
        let sample = engine::payoff::sample().unwrap();
        assert!(solved.check(&sample).is_ok());
        let error = solved.check(&sample.with_move_rule(None).unwrap()).unwrap_err().to_string();
        assert!(error.contains("move rule 150") && error.contains("no move rule"), "{error}");
    }
}
