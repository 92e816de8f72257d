//! `equipoise new`.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
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
}

pub fn run(args: &NewArgs, out: &mut dyn Write) -> Result<()> {
    let (game, template) = match &args.what {
        What::Experiment(game) => (game, Template::Experiment),
        What::Claims(game) => (game, Template::Claims),
        What::Matrix(game) => (game, Template::Matrix),
    };
    let text = game.with(Fill { template })?;
    write!(out, "{text}")?;
    Ok(())
}

enum Template {
    Experiment,
    Claims,
    Matrix,
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
            Template::Matrix => bail!("{name} is not played for points: it has no payoff options"),
        })
    }
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
