//! `equipoise tune setup`: set-ups of a game against each other.

mod findings;
mod rounds;
mod show;

use super::keep::{KeepArgs, share};
use crate::claims::{self, Question, Relation, Test};
use crate::cli::GameArgs;
use crate::experiment::MAX_SEED;
use crate::log::write_whole;
use crate::setups::Population;
use anyhow::{Context, Result};
use clap::Args;
use engine::games::Visitor;
use engine::search::Playable;
use findings::Findings;
use rounds::Plan;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the command finds, beside the rounds.
const RESULT: &str = "result.json";

/// Compare set-ups of a game by self-play: MChess's placements, Multi-chess's arrays.
///
/// Estimates the score of every pair of set-ups, the mixture of set-ups that no answer beats, and, where one side sets
/// up second and sees the other's, what that is worth and whether every start is balanced. It rests on games of the
/// engine against itself from each pair, with random opening plies; choices are made on one half of the games and
/// valued on the other. The 6,400 games of a default run of Multi-chess take some minutes on two cores, and time grows
/// with --games and --nodes.
#[derive(Args, Debug)]
pub struct SetupArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Games in all; at least four for each pair of set-ups (eight where a pair is played with colours exchanged)
    #[arg(long, value_name = "N", default_value_t = 6400, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Random plies that games begin with
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    /// Moves after which a game is broken off; it counts half, and a verdict must hold whatever it counts
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    move_limit: u32,
    /// The set-ups to compare, for a game with too many to list: lines `name = "placement"`, as in
    /// data/mchess/setups.toml; those that the game has names for by default
    #[arg(long, value_name = "FILE")]
    setups: Option<PathBuf>,
    /// So many more set-ups, drawn at random
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100))]
    random: u32,
    /// The same number of games for every pair. By default games go where the equilibrium needs them: better for the
    /// mixture and the order of play, worse for whether every start is balanced
    #[arg(long)]
    even: bool,
    /// How far from the common mean a start's score may be and still count as balanced; by default what the game's
    /// claims say, else 0.06
    #[arg(long, value_name = "SHARE", value_parser = share)]
    margin: Option<f64>,
    /// Probability of a wrong verdict, for each of the two; by default that of the game's claims, else 0.025
    #[arg(long, value_name = "P", value_parser = share)]
    level: Option<f64>,
    #[command(flatten)]
    keep: KeepArgs,
}

pub fn run(args: &SetupArgs, out: &mut dyn Write) -> Result<()> {
    let given = match &args.setups {
        Some(path) => read(path)?,
        None => Vec::new(),
    };
    let findings = args.game.with(Compare { args, given: &given })?;
    let dir = args.dir();
    let json = serde_json::to_string_pretty(&show::json(&findings))?;
    write_whole(&dir.join(RESULT), &format!("{json}\n"))?;
    if args.keep.json.json {
        writeln!(out, "{json}")?;
        return Ok(());
    }
    show::text(&findings, out)?;
    writeln!(out, "\ngames: {}/round-*   this result: {}", dir.display(), dir.join(RESULT).display())?;
    Ok(())
}

/// The set-ups of a file: name and text.
fn read(path: &Path) -> Result<Vec<(String, String)>> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read the set-ups {name}"))?;
    crate::tables::Source { name: &name, text: &text }.read(|t| t.free_texts())
}

impl SetupArgs {
    fn dir(&self) -> PathBuf {
        self.keep.dir(&format!("setup-{}-{}", self.game.game, self.seed))
    }

    fn plan(&self) -> Result<Plan> {
        let dir = self.dir();
        Ok(Plan {
            game: self.game.game.clone(),
            options: self.game.options.pairs(&self.game.game)?,
            seed: self.seed,
            nodes: self.nodes,
            plies: self.plies,
            games: self.games,
            even: self.even,
            move_limit: self.move_limit,
            resume: self.keep.resume,
            threads: self.keep.threads.count(),
            to_resume: format!(
                "the same command with --resume (equipoise tune setup {} ... --out {} --resume)",
                self.game.game,
                dir.display()
            ),
            dir,
        })
    }
}

/// The margin of balance and the level of the verdicts, as the game's own claims file has them.
fn claimed(game: &str) -> Result<(f64, f64)> {
    let (mut margin, mut level) = (0.06, 0.025);
    let Some(text) = claims::file::built_in(game) else { return Ok((margin, level)) };
    for claim in claims::file::read(game, text)? {
        if let Test::Apart { question, relation, level: own, .. } = claim.test
            && matches!(question, Question::Balance | Question::Choice)
        {
            level = own;
            if let Relation::Within(own) = relation {
                margin = own;
            }
        }
    }
    Ok((margin, level))
}

struct Compare<'a> {
    args: &'a SetupArgs,
    given: &'a [(String, String)],
}

impl Visitor for Compare<'_> {
    type Output = Result<Findings>;

    fn visit<G: Playable>(self, game: G) -> Result<Findings> {
        let args = self.args;
        let population = Population::of(&game, self.given, args.random, args.seed)?;
        let plan = args.plan()?;
        let played = rounds::play(&game, &population, &plan)?;
        let (margin, level) = claimed(game.info().name)?;
        Findings::of(&played, population, &plan, args.margin.unwrap_or(margin), args.level.unwrap_or(level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_have_the_level_of_their_claims() {
        let text = claims::file::built_in("multi-chess").unwrap();
        let all = claims::file::read("multi-chess", text).unwrap();
        // The initiative in two games, the order of choosing, the balance: one family.
        assert_eq!(all.iter().filter(|c| c.test.level().is_some()).count(), 4);
        assert_eq!(claimed("multi-chess").unwrap(), (0.06, 0.0125));
        assert_eq!(claimed("mchess").unwrap(), (0.06, 0.025));
    }
}
