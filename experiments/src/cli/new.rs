//! `equipoise new`.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use engine::eval::{Layout, Weights};
use engine::games::Visitor;
use engine::search::Playable;
use std::io::Write;

#[derive(Args, Debug)]
pub struct NewArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// An experiment
    Experiment(super::GameArgs),
    /// A claims file
    Claims(super::GameArgs),
    /// A payoff matrix
    Matrix(super::GameArgs),
    /// A file of evaluation weights, for a player's `eval`: those in force
    Weights(WeightsArgs),
}

#[derive(Args, Debug)]
struct WeightsArgs {
    #[command(flatten)]
    game: super::GameArgs,
    /// The rules of thumb instead, which tuning begins with where a game has no tuned weights
    #[arg(long)]
    rule_of_thumb: bool,
}

pub fn run(args: &NewArgs, out: &mut dyn Write) -> Result<()> {
    let (game, template) = match &args.what {
        What::Experiment(game) => (game, Template::Experiment),
        What::Claims(game) => (game, Template::Claims),
        What::Matrix(game) => (game, Template::Matrix),
        What::Weights(args) if args.rule_of_thumb => (&args.game, Template::RuleOfThumb),
        What::Weights(args) => (&args.game, Template::Weights),
    };
    let text = game.with(Fill { template })?;
    write!(out, "{text}")?;
    Ok(())
}

enum Template {
    Experiment,
    Claims,
    Matrix,
    Weights,
    RuleOfThumb,
}

struct Fill {
    template: Template,
}

impl Visitor for Fill {
    type Output = Result<String>;

    fn visit<G: Playable>(self, game: G) -> Result<String> {
        let name = game.info().name;
        Ok(match self.template {
            Template::Experiment => experiment(&game),
            Template::Claims => include_str!("templates/claims.toml").replace("GAME", name),
            Template::Matrix if game.info().options.iter().any(|o| o.name == "checkmate_unoffered") => {
                engine::payoff::SAMPLE_TOML.to_owned()
            }
            Template::Weights => weights(&game, Weights::default_of(&game)?),
            Template::RuleOfThumb => weights(&game, Weights::rule_of_thumb(&Layout::of(&game).0)),
            Template::Matrix => bail!("{name} is not played for points: it has no payoff options"),
        })
    }
}

fn weights<G: Playable>(game: &G, weights: Weights) -> String {
    weights.to_toml(&Layout::of(game).0, &[("game", game.info().name)])
}

fn experiment<G: Playable>(game: &G) -> String {
    let mut options = String::new();
    for option in game.info().options {
        let value = game.options().get(option.name);
        let comment = if value == option.default() { "# " } else { "" };
        options += &format!(
            "# {} ({}: {})\n{comment}{} = \"{value}\"\n",
            option.doc,
            option.provenance,
            option.values.join(", "),
            option.name
        );
    }
    include_str!("templates/experiment.toml").replace("GAME", game.info().name).replace("OPTIONS\n", &options)
}
