//! One game for people (80 columns, no colours) and as JSON.

use anyhow::Result;
use engine::diagram::{Diagram, Mark, PieceMoves, Scope, piece_moves};
use engine::game::{Game, Info, PieceInfo, Setups};
use engine::games::Visitor;
use engine::moves::{Kind, Square};
use engine::notation::{draw, square_name};
use engine::options::{OptionSpec, Provenance};
use engine::search::Playable;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Lines are at most this long.
const COLUMNS: usize = 80;
/// Between two diagrams.
const GAP: usize = 3;

/// Writes all there is to know of a game.
pub struct Describe<'a> {
    pub json: bool,
    pub out: &'a mut dyn Write,
}

impl Visitor for Describe<'_> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, game: G) -> Result<()> {
        let info = game.info();
        let kinds = 0..info.pieces.len() as Kind;
        let pieces: Vec<PieceMoves> = kinds.map(|kind| piece_moves(&game, kind)).collect();
        if self.json {
            writeln!(self.out, "{}", serde_json::to_string_pretty(&as_json(&game, &pieces))?)?;
            return Ok(());
        }
        let out = self.out;
        writeln!(out, "{} ({}), {}x{}", info.title, info.inventor, G::FILES, G::RANKS)?;
        paragraph(out, "", info.summary)?;
        write!(out, "\n{}\n", draw(&game, &game.start()))?;
        writeln!(out, "{}", game.fen(&game.start()))?;
        match game.setups() {
            Setups::None => {}
            Setups::Shared(n) => writeln!(out, "Random starts: {n}, the same for both sides.")?,
            Setups::PerSide(n) => writeln!(out, "Random starts: each side one of {n}.")?,
        }
        writeln!(out, "\nPIECES")?;
        for (piece, moves) in info.pieces.iter().zip(&pieces) {
            let heading = format!("{} {}: {}", piece.letter, piece.name, facts::<G>(info, moves));
            writeln!(out)?;
            paragraph(out, "", &heading)?;
            paragraph(out, "   ", piece.doc)?;
        }
        writeln!(out, "\nMOVES")?;
        paragraph(out, "", &legend(&pieces))?;
        grid::<G>(out, info, &pieces)?;
        options(out, &game, info)?;
        if !info.reconstructed.is_empty() {
            writeln!(out, "\nRECONSTRUCTED")?;
            let text = "What the inventor wrote is lost; this was reconstructed, and results depend on it.";
            paragraph(out, "", text)?;
            info.reconstructed.iter().try_for_each(|text| paragraph(out, "   ", text))?;
        }
        Ok(())
    }
}

/// Words on lines of at most [`COLUMNS`], each after `indent`.
fn paragraph(out: &mut dyn Write, indent: &str, text: &str) -> io::Result<()> {
    let mut line = String::new();
    for word in text.split_whitespace() {
        let width = indent.len() + line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && width > COLUMNS {
            writeln!(out, "{indent}{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    writeln!(out, "{indent}{line}")
}

/// How many there are, what they control, what they become.
fn facts<G: Game>(info: &Info, moves: &PieceMoves) -> String {
    let mut facts = vec![match moves.at_start {
        [0, 0] => "none at the start".to_owned(),
        [w, b] if w == b => format!("{w} a side"),
        [w, b] => format!("{w} of White, {b} of Black"),
    }];
    let (does, range) =
        if G::CAPS.captures { ("controls", moves.controls) } else { ("can go to", moves.reaches) };
    if let Some((low, high)) = range {
        let range = if low == high { low.to_string() } else { format!("{low}-{high}") };
        facts.push(format!("{does} {range} squares"));
    }
    if !moves.becomes.is_empty() {
        let letters: Vec<String> = moves.becomes.iter().map(|k| letter(info, *k)).collect();
        facts.push(format!("may become {}", letters.join(" ")));
    }
    facts.join("; ")
}

fn letter(info: &Info, kind: Kind) -> String {
    info.pieces[kind as usize].letter.to_string()
}

fn sign(mark: Mark) -> char {
    match mark {
        Mark::Both => 'o',
        Mark::Move => 'm',
        Mark::Capture => 'x',
        Mark::Swap => 's',
    }
}

/// What the signs mean that come up.
fn legend(pieces: &[PieceMoves]) -> String {
    let used = |mark| pieces.iter().flat_map(|p| &p.diagrams).any(|d| d.marks.values().any(|m| *m == mark));
    let all = [
        (Mark::Both, "moves or captures"),
        (Mark::Move, "moves only"),
        (Mark::Capture, "captures only"),
        (Mark::Swap, "changes places with an enemy"),
    ];
    let signs: Vec<String> =
        all.into_iter().filter(|(m, _)| used(*m)).map(|(m, text)| format!("{} {text}", sign(m))).collect();
    format!("Alone on the board, White going up: {}. Castling and drops are not shown.", signs.join(", "))
}

/// The diagrams side by side, and below each row where those hold that do not hold everywhere.
fn grid<G: Game>(out: &mut dyn Write, info: &Info, pieces: &[PieceMoves]) -> io::Result<()> {
    let width = 2 * G::FILES as usize - 1;
    let a_row = ((COLUMNS + GAP) / (width + GAP)).max(1);
    let all: Vec<(&PieceInfo, &Diagram)> = info
        .pieces
        .iter()
        .zip(pieces)
        .flat_map(|(info, moves)| moves.diagrams.iter().map(move |d| (info, d)))
        .collect();
    for row in all.chunks(a_row) {
        let mut lines = vec![String::new(); 1 + G::RANKS as usize];
        for (piece, diagram) in row {
            for (line, cell) in lines.iter_mut().zip(cells::<G>(piece, diagram)) {
                *line += &format!("{cell:<width$}{:GAP$}", "");
            }
        }
        writeln!(out)?;
        lines.iter().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
        for (piece, diagram) in row {
            if let Some(text) = scope::<G>(&diagram.scope) {
                let at = square_name(diagram.square, G::FILES);
                paragraph(out, "", &format!("{} as on {at}: {text}", piece.letter))?;
            }
        }
    }
    Ok(())
}

/// A heading and the ranks from the top.
fn cells<G: Game>(piece: &PieceInfo, diagram: &Diagram) -> Vec<String> {
    let mut lines = vec![format!("{} on {}", piece.name, square_name(diagram.square, G::FILES))];
    for rank in (0..G::RANKS).rev() {
        let cell = |file| {
            let square = rank * G::FILES + file;
            if square == diagram.square {
                piece.letter.to_string()
            } else {
                diagram.marks.get(&square).map_or('.', |m| sign(*m)).to_string()
            }
        };
        lines.push((0..G::FILES).map(cell).collect::<Vec<_>>().join(" "));
    }
    lines
}

fn scope<G: Game>(scope: &Scope) -> Option<String> {
    match scope {
        Scope::General => None,
        Scope::Squares(squares) => Some(format!("only {}", places::<G>(squares))),
        Scope::Unmoved(squares) => Some(format!("only {}, not yet moved", places::<G>(squares))),
    }
}

/// `from rank 2`, or the squares by name.
fn places<G: Game>(squares: &[Square]) -> String {
    let ranks: Vec<u8> = (0..G::RANKS)
        .filter(|rank| squares.iter().filter(|q| *q / G::FILES == *rank).count() == G::FILES as usize)
        .collect();
    if ranks.len() * G::FILES as usize == squares.len() {
        let names: Vec<String> = ranks.iter().map(|r| (r + 1).to_string()).collect();
        return format!("from rank {}", names.join(", "));
    }
    let names: Vec<String> = squares.iter().map(|q| square_name(*q, G::FILES)).collect();
    format!("from {}", names.join(" "))
}

fn options<G: Game>(out: &mut dyn Write, game: &G, info: &Info) -> io::Result<()> {
    if info.options.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nOPTIONS (--set name=value)")?;
    for option in info.options {
        writeln!(out, "\n{}", option_line(option, game.options().get(option.name)))?;
        paragraph(out, "   ", option.doc)?;
        if let Some(free) = option.free {
            paragraph(out, "   ", &format!("Also @FILE, a data file as in data/, or {}.", free.form))?;
        }
    }
    let meaning = |from| match from {
        Provenance::Seed => "the inventor names it",
        Provenance::Choice => "the inventor is silent or unclear, and this project chose the default",
        Provenance::Reconstructed => "the inventor's text is lost, and this project rebuilt it",
        Provenance::Experiment => "of use to experiments only",
    };
    let all = [Provenance::Seed, Provenance::Choice, Provenance::Reconstructed, Provenance::Experiment];
    let used = all.into_iter().filter(|from| info.options.iter().any(|o| o.provenance == *from));
    let texts: Vec<String> = used.map(|from| format!("[{from}] {}", meaning(from))).collect();
    writeln!(out)?;
    paragraph(out, "", &(texts.join("; ") + "."))
}

/// `name = value (default) | other   [where it comes from]`, the value in force first.
fn option_line(option: &OptionSpec, now: &str) -> String {
    let default = |value: &str| if value == option.default() { " (default)" } else { "" };
    let mut text = format!("{} = {now}{}", option.name, default(now));
    for value in option.values.iter().filter(|v| **v != now) {
        text += &format!(" | {value}{}", default(value));
    }
    if option.free.is_some() {
        text += " | @FILE";
    }
    format!("{text}  [{}]", option.provenance)
}

fn as_json<G: Game>(game: &G, pieces: &[PieceMoves]) -> Value {
    let info = game.info();
    let setups = match game.setups() {
        Setups::None => Value::Null,
        Setups::Shared(n) => json!({"count": n, "shared": true}),
        Setups::PerSide(n) => json!({"count": n, "shared": false}),
    };
    json!({
        "name": info.name,
        "title": info.title,
        "inventor": info.inventor,
        "summary": info.summary,
        "files": G::FILES,
        "ranks": G::RANKS,
        "start": game.fen(&game.start()),
        "random_starts": setups,
        "pieces": info.pieces.iter().zip(pieces).map(|(p, m)| piece_json::<G>(info, p, m)).collect::<Vec<_>>(),
        "options": info.options.iter().map(|o| json!({
            "name": o.name, "value": game.options().get(o.name), "default": o.default(),
            "values": o.values, "takes_data": o.free.is_some(), "provenance": o.provenance.to_string(), "doc": o.doc,
        })).collect::<Vec<_>>(),
        "reconstructed": info.reconstructed,
    })
}

fn piece_json<G: Game>(info: &Info, piece: &PieceInfo, moves: &PieceMoves) -> Value {
    let name = |q: &Square| square_name(*q, G::FILES);
    let diagram = |d: &Diagram| {
        let (squares, unmoved) = match &d.scope {
            Scope::General => (None, false),
            Scope::Squares(squares) => (Some(squares), false),
            Scope::Unmoved(squares) => (Some(squares), true),
        };
        let of = |mark| d.marks.iter().filter(|(_, m)| **m == mark).map(|(q, _)| name(q)).collect::<Vec<_>>();
        json!({
            "square": name(&d.square),
            "only_from": squares.map(|list| list.iter().map(name).collect::<Vec<_>>()),
            "unmoved": unmoved,
            "moves_or_captures": of(Mark::Both),
            "moves": of(Mark::Move),
            "captures": of(Mark::Capture),
            "swaps": of(Mark::Swap),
        })
    };
    let range = |r: Option<(usize, usize)>| r.map(|(low, high)| [low, high]);
    json!({
        "letter": piece.letter.to_string(),
        "name": piece.name,
        "doc": piece.doc,
        "at_start": {"white": moves.at_start[0], "black": moves.at_start[1]},
        "controls": range(moves.controls),
        "goes_to": range(moves.reaches),
        "becomes": moves.becomes.iter().map(|k| letter(info, *k)).collect::<Vec<_>>(),
        "diagrams": moves.diagrams.iter().map(diagram).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(game: &str, json: bool) -> String {
        let mut out = Vec::new();
        engine::games::with(game, [], Describe { json, out: &mut out }).unwrap().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_game_fits_the_terminal_and_shows_what_was_chosen() {
        for info in engine::games::ALL {
            let text = shown(info.name, false);
            for line in text.lines() {
                // Positions are one word.
                assert!(line.chars().count() <= COLUMNS || line.contains('/'), "{}: {line}", info.name);
                assert!(!line.contains('\u{1b}') && line == line.trim_end(), "{}: `{line}`", info.name);
            }
            for option in info.options {
                assert!(text.contains(&format!("\n{} = {} (default)", option.name, option.default())));
            }
            assert_eq!(text.contains("RECONSTRUCTED"), !info.reconstructed.is_empty());
        }
    }

    #[test]
    fn a_diagram_looks_like_this() {
        let text = shown("magi", false);
        let expected = "
cardinal on e5        wizard on e5
. . . . . . . . . o   . . . . . . . . . .
o . . . . . . . o .   . . . . . . . . . .
. o . . . . . o . .   . . . . . . . . . .
. . o . . . o . . .   . . o o . o o . . .
. . . o o o . . . .   . . o . o . o . . .
. . . o C o . . . .   . . . o W o . . . .
. . . o o o . . . .   . . o . o . o . . .
. . o . . . o . . .   . . o o . o o . . .
. o . . . . . o . .   . . . . . . . . . .
o . . . . . . . o .   . . . . . . . . . .
";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("D duke: 2 a side; controls 6-12 squares\n"), "{text}");
        assert!(text.contains("P as on d3: only from d3 g3, not yet moved\n"), "{text}");
    }

    #[test]
    fn json_has_the_same() {
        let value: Value = serde_json::from_str(&shown("mchess", true)).unwrap();
        let pawn = &value["pieces"][0];
        assert_eq!(pawn["diagrams"][0]["swaps"], json!(["c5", "e5"]));
        assert_eq!(pawn["diagrams"][1]["unmoved"], json!(true));
        assert_eq!(pawn["at_start"], json!({"white": 8, "black": 8}));
        assert_eq!(value["options"][0]["value"], value["options"][0]["default"]);
    }
}
