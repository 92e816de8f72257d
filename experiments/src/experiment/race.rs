//! Races between first moves: what an experiment with one plays.

use super::{Experiment, Openings, PlayerKind};
use crate::claims::{Claim, Control, Question, Test};
use anyhow::{Result, bail};

/// A race between first moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// Rounds; after each, first moves that are clearly worse play no more.
    pub rounds: u32,
}

impl Experiment {
    /// Checks an experiment with a race: it is many small runs, and its claims are decided by all of them.
    ///
    /// # Errors
    /// What does not go with a race.
    pub(super) fn check_race(&self) -> Result<()> {
        if self.ladder.is_some() || self.sprt.is_some() {
            bail!("an experiment with a [race] has neither [ladder] nor [sprt]");
        }
        let [player] = self.players.as_slice() else {
            bail!("[race] is about one player, and there are {}", self.players.len())
        };
        if !matches!(player.kind, PlayerKind::Search { .. }) {
            bail!("[race] needs a player that searches, and `{}` is none of ours", player.name);
        }
        if !matches!(self.openings, Openings::Random { balance: None, .. }) {
            bail!(
                "[race] expects [openings] method = \"random\" without balance: its plies follow each first move"
            );
        }
        if self.claims.is_empty() {
            bail!("[race] decides claims with test = \"race\", and there are none under `claims`");
        }
        for claim in &self.claims {
            claim.check_conditions(self)?;
            if !is_raced(claim) {
                bail!(
                    "claim {} is decided otherwise than by a race; choose those with test = \"race\" by `claim_ids`",
                    claim.id
                );
            }
        }
        self.raced().map(drop)
    }

    /// The experiments whose first moves are raced: this one, then one for each game it is compared with.
    ///
    /// # Errors
    /// Options or a payoff that the other game does not have.
    pub fn raced(&self) -> Result<Vec<Experiment>> {
        let mut list = vec![Experiment { race: None, ..self.clone() }];
        for claim in &self.claims {
            let Some(control) = claim.test.control() else { continue };
            let other = self.as_control(control)?;
            if list.iter().all(|e| e.name != other.name) {
                list.push(other);
            }
        }
        Ok(list)
    }

    fn as_control(&self, control: &Control) -> Result<Experiment> {
        let options: Vec<String> = control.options.iter().map(|(n, v)| format!("-{n}-{v}")).collect();
        let mut other = Experiment {
            name: format!("{}{}", control.game, options.concat()),
            game: control.game.clone(),
            options: control.options.clone(),
            // A matrix goes with its own game.
            payoff: self.payoff.clone().filter(|_| control.game == self.game),
            claims: Vec::new(),
            race: None,
            ..self.clone()
        };
        other.settle()?;
        Ok(other)
    }
}

fn is_raced(claim: &Claim) -> bool {
    matches!(
        &claim.test,
        Test::Apart { question: Question::FirstMoves { .. } | Question::FirstSquares { .. }, .. }
    )
}
