//! One game to step through.
//!
//! The first board is drawn here; each ply is handed to the script as the cells it changes, so a long game stays
//! small and the script needs to know no rules.

use super::html::Esc;
use super::input::{GameView, Position, Run};
use super::page::run_heading;
use serde_json::{Value, json};

/// Side of a square in the drawing's own units.
const SQUARE: usize = 10;
/// Room for the rank numbers at the left and the file letters below.
const MARGIN: usize = 5;
/// Where the evaluation curve is cut off, in centipawns.
const CUT: i64 = 1000;

/// The games of all runs that have one.
pub(super) fn section(runs: &[Run]) -> String {
    runs.iter()
        .enumerate()
        .filter_map(|(index, run)| run.game.as_ref().map(|game| (index, run, game)))
        .filter_map(|(index, run, game)| {
            let body = figure(index, game)?;
            Some(format!("{}{body}", run_heading(runs, run)))
        })
        .collect()
}

/// `None` if there is no board to show.
fn figure(index: usize, game: &GameView) -> Option<String> {
    let first = game.positions.first()?;
    let grid = Grid::of(game);
    let last = game.plies.len().min(game.positions.len() - 1);
    let moves: String = game.plies[..last]
        .iter()
        .enumerate()
        .map(|(at, ply)| {
            let label = match ply.label.as_str() {
                "" => String::new(),
                label => format!("<i>{}</i>", Esc(label)),
            };
            format!(
                "<li><button type=\"button\" tabindex=\"-1\" data-ply=\"{}\">{label}{}</button></li>",
                at + 1,
                Esc(&ply.text)
            )
        })
        .collect();
    Some(format!(
        "<figure class=\"game\" data-game>\n<figcaption>{caption} <span class=\"conditions\">Game {id}</span></figcaption>\n\
         <div class=\"table\">\n<div class=\"left\">\n{board}\n<p class=\"note\" data-note>{note}</p>\n\
         <div class=\"controls\">\n<button type=\"button\" data-go=\"first\" aria-label=\"First position\">«</button>\
         <button type=\"button\" data-go=\"back\" aria-label=\"One ply back\">‹</button>\
         <button type=\"button\" data-go=\"on\" aria-label=\"One ply on\">›</button>\
         <button type=\"button\" data-go=\"last\" aria-label=\"Last position\">»</button>\
         <label class=\"hidden\" for=\"ply-{index}\">Ply</label>\
         <input type=\"range\" id=\"ply-{index}\" min=\"0\" max=\"{last}\" value=\"0\" step=\"1\"></div>\n\
         <p class=\"now\" data-now aria-live=\"polite\">Start position</p>\n{curve}</div>\n\
         <ol class=\"moves\" aria-label=\"Moves\">{moves}</ol>\n</div>\n\
         <script type=\"application/json\">{data}</script>\n</figure>\n",
        caption = Esc(&game.caption),
        id = Esc(&game.id),
        board = grid.board(first, game.a1_dark),
        note = Esc(&first.note),
        curve = curve(game, last),
        data = script_data(&grid, game, last),
    ))
}

/// Size of the board: the largest of all positions, so that uneven rows cannot misplace a square.
struct Grid {
    files: usize,
    ranks: usize,
}

impl Grid {
    fn of(game: &GameView) -> Self {
        let rows = || game.positions.iter().map(|position| &position.rows);
        Self {
            files: rows().flatten().map(Vec::len).max().unwrap_or(0),
            ranks: rows().map(Vec::len).max().unwrap_or(0),
        }
    }

    fn cells(&self) -> usize {
        self.files * self.ranks
    }

    /// Cells are counted from the top left.
    fn cell<'a>(&self, position: &'a Position, at: usize) -> &'a str {
        let row = position.rows.get(at / self.files.max(1));
        row.and_then(|row| row.get(at % self.files.max(1))).map_or("", String::as_str)
    }

    fn board(&self, position: &Position, a1_dark: bool) -> String {
        let (width, height) = (self.files * SQUARE + MARGIN, self.ranks * SQUARE + MARGIN);
        let mut body = String::new();
        for at in 0..self.cells() {
            let (file, row) = (at % self.files, at / self.files);
            let rank = self.ranks - 1 - row;
            let shade = if (file + rank).is_multiple_of(2) == a1_dark { "dark" } else { "light" };
            let (x, y) = (MARGIN + file * SQUARE, row * SQUARE);
            let text = self.cell(position, at);
            body += &format!(
                "<g class=\"{}\"><rect class=\"{shade}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>\
                 <circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\"/><text x=\"{cx}\" y=\"{cy}\" dy=\"0.36em\">{}</text></g>",
                owner(text),
                Esc(&text.to_uppercase()),
                cx = x + SQUARE / 2,
                cy = y + SQUARE / 2,
            );
        }
        for rank in 0..self.ranks {
            let y = (self.ranks - 1 - rank) * SQUARE + SQUARE / 2;
            body += &format!("<text class=\"c\" x=\"2\" y=\"{y}\" dy=\"0.36em\">{}</text>", rank + 1);
        }
        for (file, letter) in ('a'..='z').take(self.files).enumerate() {
            let x = MARGIN + file * SQUARE + SQUARE / 2;
            body += &format!("<text class=\"c\" x=\"{x}\" y=\"{}\">{letter}</text>", self.ranks * SQUARE + 4);
        }
        format!(
            "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Board. White's pieces are \
             light discs, Black's dark ones.\">{body}</svg>"
        )
    }
}

/// Whose piece a cell's text is, as the class that colours it.
fn owner(text: &str) -> &'static str {
    match text.chars().find(|letter| letter.is_alphabetic()) {
        Some(letter) if letter.is_lowercase() => "b",
        Some(_) => "w",
        None if text.is_empty() => "e",
        None => "u",
    }
}

/// For each ply the cells it changes, as they are to be shown, and the text beside the board.
fn script_data(grid: &Grid, game: &GameView, last: usize) -> String {
    let cell = |text: &str| (owner(text), text.to_uppercase());
    let changes = |before: &Position, after: &Position| -> Vec<Value> {
        (0..grid.cells())
            .map(|at| (at, grid.cell(before, at), grid.cell(after, at)))
            .filter(|(_, was, is)| was != is)
            .map(|(at, _, is)| {
                let (owner, text) = cell(is);
                json!([at, owner, text])
            })
            .collect()
    };
    let steps: Vec<Value> = game
        .positions
        .windows(2)
        .zip(&game.plies)
        .take(last)
        .map(|(pair, ply)| {
            let text = [ply.label.as_str(), ply.text.as_str()].join(" ");
            json!({
                "set": changes(&pair[0], &pair[1]),
                "move": text.trim(),
                "eval": eval_words(&ply.eval),
                "note": pair[1].note,
            })
        })
        .collect();
    let start = &game.positions[..1];
    let note = start.first().map_or("", |position| position.note.as_str());
    let cells: Vec<Value> = (0..grid.cells())
        .map(|at| start.first().map_or("", |position| grid.cell(position, at)))
        .map(|text| {
            let (owner, text) = cell(text);
            json!([owner, text])
        })
        .collect();
    // `<` could end the script element early; the escape reads back as the same character.
    json!({ "cells": cells, "note": note, "steps": steps }).to_string().replace('<', "\\u003c")
}

/// An evaluation from the log in words; empty for none.
fn eval_words(eval: &str) -> String {
    if let Some(mate) = eval.strip_prefix('#') {
        return match mate.strip_prefix('-') {
            Some(moves) => format!("Black mates in {moves}"),
            None => format!("White mates in {mate}"),
        };
    }
    eval.parse::<i64>().map_or_else(
        |_| String::new(),
        |cp| {
            let sign = if cp < 0 { "−" } else { "+" };
            format!("{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
        },
    )
}

/// The evaluation over the plies, cut at ten pawns; empty if the log has none.
fn curve(game: &GameView, last: usize) -> String {
    let value = |eval: &str| match eval.strip_prefix('#') {
        Some(mate) if mate.starts_with('-') => Some(-CUT),
        Some(_) => Some(CUT),
        None => eval.parse::<i64>().ok().map(|cp| cp.clamp(-CUT, CUT)),
    };
    let evals = game.plies[..last].iter().map(|ply| value(&ply.eval)).collect::<Vec<_>>();
    if evals.iter().flatten().count() < 2 {
        return String::new();
    }
    let mut path = String::new();
    let mut pen_down = false;
    for (at, value) in evals.iter().enumerate() {
        if let Some(value) = value {
            path += &format!("{}{} {}", if pen_down { "L" } else { "M" }, at + 1, CUT - value);
        }
        pen_down = value.is_some();
    }
    format!(
        "<svg class=\"curve\" viewBox=\"0 0 {last} {height}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"Evaluation from White's view, ply by ply, cut at ten pawns\">\
         <line class=\"axis\" x1=\"0\" x2=\"{last}\" y1=\"{CUT}\" y2=\"{CUT}\"/><path d=\"{path}\"/>\
         <line class=\"cursor\" data-cursor x1=\"0\" x2=\"0\" y1=\"0\" y2=\"{height}\"/></svg>\n\
         <p class=\"note\">Evaluation from White’s view, cut at ±{pawns} pawns.</p>\n",
        height = 2 * CUT,
        pawns = CUT / 100,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_told_by_the_first_letter() {
        for (text, class) in
            [("K", "w"), ("k", "b"), ("+r", "b"), ("K5", "w"), ("", "e"), ("5", "u"), ("é", "b")]
        {
            assert_eq!(owner(text), class, "{text}");
        }
    }

    #[test]
    fn evaluations_are_read_as_the_log_writes_them() {
        for (eval, words) in [
            ("35", "+0.35"),
            ("-1205", "−12.05"),
            ("0", "+0.00"),
            ("#3", "White mates in 3"),
            ("#-12", "Black mates in 12"),
            ("-", ""),
            ("", ""),
            ("-9223372036854775808", "−92233720368547758.08"),
        ] {
            assert_eq!(eval_words(eval), words, "{eval}");
        }
    }
}
