//! Whether an experiment makes sense as a whole.

use super::{Experiment, OfferPolicy, Openings, PlayerKind};
use anyhow::{Context, Result, bail};
use engine::eval::{Layout, Weights};
use engine::game::Setups;
use engine::games::Visitor;
use engine::search::Playable;

impl Experiment {
    /// Checks what a single key cannot show.
    ///
    /// # Errors
    /// What does not go together.
    pub fn check(&self) -> Result<()> {
        match self.players.len() {
            1 => {}
            2 if self.players[0].name == self.players[1].name => {
                bail!("both players are named `{}`; expected two names", self.players[0].name)
            }
            2 => {}
            n => bail!("{n} players under [[player]], expected one (playing itself) or two"),
        }
        if self.fixed_colours && (self.players.len() != 2 || self.sprt.is_some()) {
            bail!("colours = \"fixed\" is for two players without [sprt]: the first is White in every game");
        }
        if !self.games.is_multiple_of(self.games_per_unit()) {
            bail!(
                "games is {}, expected an even number: each opening is played twice, players or set-ups exchanged",
                self.games
            );
        }
        if self.race.is_some() {
            return self.check_race();
        }
        if let Some(top) = self.ladder {
            if !self.claims.is_empty() || self.sprt.is_some() {
                bail!("an experiment with a [ladder] has neither claims nor [sprt]: it is several matches");
            }
            self.rungs(top)?;
            return Ok(());
        }
        match &self.sprt {
            Some(_) if self.players.len() != 2 => {
                bail!("[sprt] tests one player against another, and there is one player only")
            }
            Some(sprt) => drop(sprt.test().context("[sprt]")?),
            None => {}
        }
        for player in &self.players {
            if player.offers != OfferPolicy::Never && self.payoff.is_none() {
                bail!("player `{}` makes offers, but there is no [payoff] matrix to price them", player.name);
            }
            if let (OfferPolicy::Equilibrium(solved), Some(matrix)) = (&player.offers, &self.payoff) {
                solved.check(matrix).with_context(|| format!("player `{}`", player.name))?;
            }
        }
        for claim in &self.claims {
            claim.check_conditions(self)?;
        }
        let imported = self.players.iter().any(|p| p.kind == PlayerKind::Imported);
        if imported != self.is_imported() || imported && self.players.len() != 1 {
            bail!(
                "kind = \"imported\" and method = \"imported\" go together, with one player: they are written by \
                 `equipoise import`"
            );
        }
        let units = self.units();
        match &self.openings {
            Openings::Fixed if units > 1 => bail!(
                "method = \"fixed\" is one opening, and games = {} needs {units}: the same game would be \
                 played again; expected another method or games = {}",
                self.games,
                self.games_per_unit()
            ),
            Openings::File { fens, plies: 0 } if units > fens.len() as u64 => bail!(
                "the openings file holds {} positions, and games = {} needs {units}; an opening is used once",
                fens.len(),
                self.games
            ),
            _ => {}
        }
        engine::games::with(&self.game, self.option_pairs(), Check(self))?
    }
}

struct Check<'a>(&'a Experiment);

impl Visitor for Check<'_> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, game: G) -> Result<()> {
        if let Openings::Setups { plies, exchange: true } = self.0.openings
            && (plies > 0 || self.0.players.len() != 1 || !matches!(game.setups(), Setups::PerSide(_)))
        {
            bail!(
                "exchange = true is for one player, plies = 0 and a game whose sides set up apart: the two games of a \
                 unit differ in nothing but whose set-up is whose"
            );
        }
        if let Openings::File { fens, .. } = &self.0.openings {
            for (i, fen) in fens.iter().enumerate() {
                game.parse_fen(fen).with_context(|| format!("position {} of the openings file", i + 1))?;
            }
        }
        for player in &self.0.players {
            if let PlayerKind::Search { eval: Some(text), .. } = &player.kind {
                Weights::parse(&Layout::of(&game).0, text)
                    .with_context(|| format!("evaluation of player `{}`", player.name))?;
            }
        }
        Ok(())
    }
}
