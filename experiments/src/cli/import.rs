//! `equipoise import`.

use super::{JsonArgs, OptionArgs};
use crate::experiment::{Experiment, OfferPolicy, Openings, PlayerKind, PlayerSpec};
use crate::import::{Importer, Notes, read_csv, read_pgn};
use crate::log::{Folder, GAMES, METRICS, MOVES, Manifest, SUMMARY, Shard};
use crate::session;
use crate::summary::Summary;
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::games::Visitor;
use engine::search::Playable;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct ImportArgs {
    /// A PGN file, or a games.csv with its moves.csv beside it
    file: PathBuf,
    /// The game that the file's games are of
    #[arg(long)]
    game: String,
    #[command(flatten)]
    options: OptionArgs,
    /// The folder to write; results/import-FILE if left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

pub fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<()> {
    let mut experiment = experiment(args)?;
    let dir = args.out.clone().unwrap_or_else(|| Path::new("results").join(&experiment.name));
    if !args.file.is_file() {
        bail!("cannot read {}: there is no such file", args.file.display());
    }
    Folder::check_free(&dir, false)?;
    let new = !dir.exists();
    let folder = Folder::take(&dir)?;
    let read = engine::games::with(
        &experiment.game,
        experiment.option_pairs(),
        Read { file: &args.file, folder: &folder, experiment: &experiment },
    )?;
    let finished = read.and_then(|(summary, notes)| {
        if summary.games == 0 {
            bail!("{} holds no game with a move", args.file.display());
        }
        experiment.games = summary.games;
        let json = serde_json::to_string_pretty(&summary.to_json(&[], None))?;
        folder.write(SUMMARY, &format!("{json}\n"))?;
        // The manifest last: with it the folder is a run.
        let manifest = session::manifest(&experiment, Shard::WHOLE, true)?;
        Manifest { engine: "none".to_owned(), ..manifest }.write(&folder)?;
        Ok((summary, notes))
    });
    let (summary, notes) = match finished {
        Ok(done) => done,
        Err(error) => {
            clean(&dir, new);
            return Err(error);
        }
    };
    tell(args, &dir, &summary, &notes, out)
}

/// Deletes what a failed import wrote.
fn clean(dir: &Path, new: bool) {
    for name in [GAMES, MOVES, METRICS, SUMMARY] {
        // What cannot be deleted stands in the way of the next import, which says so.
        let _ = std::fs::remove_file(dir.join(name));
    }
    if new {
        let _ = std::fs::remove_dir_all(dir);
    }
}

/// The manifest's experiment: games of nobody's planning.
fn experiment(args: &ImportArgs) -> Result<Experiment> {
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._+-".contains(c) { c } else { '-' };
    let name: String = format!("import-{stem}").chars().map(plain).take(60).collect();
    let file = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut experiment = Experiment {
        name,
        game: args.game.clone(),
        options: Vec::new(),
        seed: 0,
        games: 1,
        move_limit: None,
        payoff: None,
        openings: Openings::Imported { file },
        players: vec![PlayerSpec {
            name: "imported".to_owned(),
            kind: PlayerKind::Imported,
            offers: OfferPolicy::Never,
        }],
        fixed_colours: false,
        claims: Vec::new(),
        sprt: None,
        ladder: None,
        race: None,
    };
    experiment.settle()?;
    for (name, value) in args.options.pairs(&args.game)? {
        experiment.set_option(&name, &value)?;
    }
    Ok(experiment)
}

struct Read<'a> {
    file: &'a Path,
    folder: &'a Folder,
    experiment: &'a Experiment,
}

impl Visitor for Read<'_> {
    type Output = Result<(Summary, Notes)>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let mut importer = Importer::new(&game, self.folder, self.experiment.limits())?;
        if self.file.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv")) {
            read_csv(&game, self.file, &mut importer)?;
        } else {
            let name = self.file.display();
            let bytes = std::fs::read(self.file).with_context(|| format!("cannot read {name}"))?;
            // The standard of 1994 has ISO 8859-1, today's programs write UTF-8.
            let text = String::from_utf8(bytes)
                .unwrap_or_else(|e| e.into_bytes().iter().map(|b| char::from(*b)).collect());
            read_pgn(&game, &text, &mut importer).with_context(|| name.to_string())?;
        }
        importer.finish()?;
        Ok((importer.summary, importer.notes))
    }
}

fn tell(args: &ImportArgs, dir: &Path, summary: &Summary, notes: &Notes, out: &mut dyn Write) -> Result<()> {
    let [resigned, agreed, broken_off] = notes.assumed;
    if args.json.json {
        let object = json!({
            "folder": dir.display().to_string(), "games": summary.games,
            "duplicate_games": summary.duplicates, "games_without_moves": notes.empty,
            "taken_as_resigned": resigned, "taken_as_agreed": agreed, "taken_as_broken_off": broken_off,
            "reasons": notes.reasons, "draws_not_claimed": notes.unclaimed,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "{} games of {} ({} unique) in {}",
        summary.games,
        args.game,
        summary.games - summary.duplicates,
        dir.display()
    )?;
    if notes.empty > 0 {
        writeln!(out, "{} games without a move were left out", notes.empty)?;
    }
    if resigned + agreed + broken_off > 0 {
        let reasons: Vec<String> = notes.reasons.iter().map(|(r, n)| format!("{r} {n}")).collect();
        let given = if reasons.is_empty() {
            String::new()
        } else {
            format!(" (the file says: {})", reasons.join(", "))
        };
        writeln!(
            out,
            "not over on the board: {resigned} entered as resigned, {agreed} as drawn by agreement, {broken_off} as broken off{given}"
        )?;
    }
    if notes.unclaimed > 0 {
        writeln!(out, "{} games went on after a draw that nobody claimed", notes.unclaimed)?;
    }
    writeln!(out, "next: equipoise check {0}   or: equipoise report {0}", dir.display())?;
    Ok(())
}
