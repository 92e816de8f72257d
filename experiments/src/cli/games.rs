//! `equipoise games` and `equipoise games show GAME`.

use super::{GameArgs, JsonArgs, table};
use anyhow::Result;
use clap::{Args, Subcommand};
use engine::game::{Game, Info};
use engine::games::{ALL, Visitor};
use engine::notation::draw;
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
