//! Node ladders: one player with N nodes a move against itself with 2N, for N doubled again and again.

use super::{Experiment, PlayerKind, PlayerSpec};
use anyhow::{Result, bail};

/// One step of a ladder: a match of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// Nodes a move of the weaker player; the stronger has twice as many.
    pub nodes: u64,
    /// The match, the stronger player the first.
    pub experiment: Experiment,
}

impl Rung {
    /// The name of its folder within the ladder's.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.nodes, 2 * self.nodes)
    }
}

impl Experiment {
    /// The matches of an experiment with a ladder up to `top` nodes: from its player's nodes up, each against
    /// twice as many. The experiment's `games` are those of each.
    ///
    /// # Errors
    /// A player that has no nodes to double, a top that doubling does not reach.
    pub fn rungs(&self, top: u64) -> Result<Vec<Rung>> {
        let [player] = self.players.as_slice() else {
            bail!("[ladder] is about one player, and there are {}", self.players.len())
        };
        let PlayerKind::Search { nodes: start, .. } = player.kind else {
            bail!("[ladder] doubles the nodes of player `{}`, which is no search of ours", player.name)
        };
        let steps: Vec<u64> =
            std::iter::successors(Some(start), |n| n.checked_mul(2)).take_while(|n| *n < top).collect();
        if steps.last().is_none_or(|last| last.checked_mul(2) != Some(top)) {
            bail!(
                "[ladder] to = {top} is not reached from nodes = {start} by doubling, expected {start} times 2, 4, 8 ..."
            );
        }
        steps.into_iter().map(|nodes| self.rung(player, nodes)).collect()
    }

    fn rung(&self, player: &PlayerSpec, nodes: u64) -> Result<Rung> {
        let with = |nodes: u64| {
            let mut player = player.clone();
            player.name = format!("{}-{nodes}", player.name);
            if let PlayerKind::Search { nodes: own, .. } = &mut player.kind {
                *own = nodes;
            }
            player
        };
        let experiment = Experiment {
            name: format!("{}-{nodes}", self.name),
            players: vec![with(2 * nodes), with(nodes)],
            ladder: None,
            race: None,
            ..self.clone()
        };
        experiment.check()?;
        Ok(Rung { nodes, experiment })
    }
}
