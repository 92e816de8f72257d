//! `equipoise games` and `equipoise games show GAME`.

mod show;

use super::{GameArgs, JsonArgs, table};
use anyhow::Result;
use clap::{Args, Subcommand};
use engine::games::ALL;
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
        Some(Show::Show { game, json }) => game.with(show::Describe { json: json.json, out }),
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
