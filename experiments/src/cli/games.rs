//! `equipoise games` and `equipoise games show GAME`.

use super::{GameArgs, JsonArgs, table};
use anyhow::Result;
use clap::{Args, Subcommand};
use engine::game::{Game, Info};
use engine::games::{ALL, Visitor};
use engine::moves::Kind;
use engine::notation::draw;
use engine::side::Side;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct GamesArgs {
    #[command(subcommand)]
    show: Option<Show>,
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(Subcommand, Debug)]
enum Show {
    /// One game's board, pieces with their moves, and rule options
    Show {
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        json: JsonArgs,
    },
}

pub fn run(args: &GamesArgs, out: &mut dyn Write) -> Result<()> {
    match &args.show {
        Some(Show::Show { game, json }) => game.with(Describe { json: json.json, out }),
        None => list(args.json.json, out),
    }
}

fn list(json: bool, out: &mut dyn Write) -> Result<()> {
    if json {
        let all: Vec<Value> = ALL
            .iter()
            .map(|i| json!({"name": i.name, "title": i.title, "inventor": i.inventor, "summary": i.summary}))
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let rows: Vec<Vec<String>> =
        ALL.iter().map(|i| [i.name, i.title, i.inventor, i.summary].map(str::to_owned).to_vec()).collect();
    table::write(out, &["game", "title", "inventor", "what is unlike chess"], &rows)?;
    Ok(())
}

struct Describe<'a> {
    json: bool,
    out: &'a mut dyn Write,
}

impl Visitor for Describe<'_> {
    type Output = Result<()>;

    fn visit<G: Game>(self, game: G) -> Result<()> {
        let info = game.info();
        let start = game.start();
        if self.json {
            let text = serde_json::to_string_pretty(&as_json(&game, info))?;
            writeln!(self.out, "{text}")?;
            return Ok(());
        }
        let out = self.out;
        writeln!(out, "{} ({}), {}x{}", info.title, info.inventor, G::FILES, G::RANKS)?;
        writeln!(out, "{}\n", info.summary)?;
        write!(out, "{}", draw(&game, &start))?;
        writeln!(out, "\n{}\n", game.fen(&start))?;
        for piece in info.pieces {
            writeln!(out, "{}  {}: {}", piece.letter, piece.name, piece.doc)?;
        }
        pictures(&game, out)?;
        if !info.options.is_empty() {
            writeln!(out)?;
            let rows: Vec<Vec<String>> = info
                .options
                .iter()
                .map(|o| {
                    vec![
                        o.name.to_owned(),
                        game.options().get(o.name).to_owned(),
                        o.values.join(" | "),
                        o.provenance.to_string(),
                        o.doc.to_owned(),
                    ]
                })
                .collect();
            table::write(out, &["option", "now", "values, default first", "from", "what it decides"], &rows)?;
        }
        for text in info.reconstructed {
            writeln!(out, "\nreconstructed: {text}")?;
        }
        Ok(())
    }
}

/// Every kind of White's pieces alone in the middle of the board: `*` where it controls a square (a pawn's
/// captures). Four side by side.
fn pictures<G: Game>(game: &G, out: &mut dyn Write) -> Result<()> {
    let (files, ranks) = (G::FILES as usize, G::RANKS as usize);
    let home = (ranks / 2 - 1) * files + files / 2 - 1;
    let mut drawn = Vec::new();
    for (kind, piece) in game.info().pieces.iter().enumerate() {
        if let Some(targets) = game.reach(Side::White, kind as Kind).get(home) {
            let mut cells = vec!['.'; files * ranks];
            targets.iter().for_each(|&t| cells[t as usize] = '*');
            cells[home] = piece.letter;
            let rows = cells.chunks(files).rev().map(|row| row.iter().map(|c| format!(" {c}")).collect());
            drawn.push((piece.name, rows.collect::<Vec<String>>()));
        }
    }
    let width = 2 * files + 3;
    for group in drawn.chunks(4) {
        let names: String = group.iter().map(|(name, _)| format!(" {name:<0$}", width - 1)).collect();
        writeln!(out, "\n{}", names.trim_end())?;
        for rank in 0..ranks {
            let row: String = group.iter().map(|(_, rows)| format!("{:<width$}", rows[rank])).collect();
            writeln!(out, "{}", row.trim_end())?;
        }
    }
    Ok(())
}

fn as_json<G: Game>(game: &G, info: &Info) -> Value {
    json!({
        "name": info.name,
        "title": info.title,
        "inventor": info.inventor,
        "summary": info.summary,
        "files": G::FILES,
        "ranks": G::RANKS,
        "start": game.fen(&game.start()),
        "pieces": info.pieces.iter().map(|p| json!({
            "letter": p.letter.to_string(), "name": p.name, "doc": p.doc,
        })).collect::<Vec<_>>(),
        "options": info.options.iter().map(|o| json!({
            "name": o.name, "value": game.options().get(o.name), "values": o.values,
            "provenance": o.provenance.to_string(), "doc": o.doc,
        })).collect::<Vec<_>>(),
        "reconstructed": info.reconstructed,
    })
}
