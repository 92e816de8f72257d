//! First moves: what a search makes of each, and how evenly good they are.

use crate::openings::score_after;
use crate::players::table_bytes;
use crate::stats::entropy::entropy_of_weights;
use anyhow::{Result, anyhow};
use engine::game::Which;
use engine::moves::Move;
use engine::referee::{Limits, Referee};
use engine::search::{Params, Playable, Searcher};

/// Centipawns by which a worse move is e times less likely, in the entropy of first moves.
pub const SCALE: f64 = 20.0;

/// Every legal move of a position with its score in centipawns from the mover's view: a search of `nodes` nodes
/// after it, by the game's own evaluation weights, nothing remembered from one move to the next. Mates are very
/// large values.
///
/// # Errors
/// An evaluation that cannot be set up.
pub fn scores<G: Playable>(game: &G, start: &G::State, nodes: u64) -> Result<Vec<(Move, i32)>> {
    let mut searcher = Searcher::new(game.clone(), table_bytes(nodes), Params::of(game))
        .map_err(|e| anyhow!("the evaluation of {}: {e}", game.info().name))?;
    let referee = Referee::new(game.clone(), start.clone(), Limits::default());
    let mut list = Vec::new();
    game.generate(start, Which::All, &mut list);
    let score = |m: Move| {
        searcher.new_game();
        (m, score_after(&mut searcher, &referee, m, nodes))
    };
    Ok(list.into_iter().map(score).collect())
}

/// Entropy in bits of a choice among moves with the weights exp(score / [`SCALE`]): 0 for one move that is far the
/// best, log2 n for n equally good ones. Nothing without moves.
pub fn entropy(scores: &[(Move, i32)]) -> Option<f64> {
    let best = scores.iter().map(|(_, score)| *score).max()?;
    let weights: Vec<f64> =
        scores.iter().map(|(_, score)| libm::exp((f64::from(*score) - f64::from(best)) / SCALE)).collect();
    Some(entropy_of_weights(&weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::games::Visitor;

    fn with_scores(scores: &[i32]) -> Option<f64> {
        let moves: Vec<(Move, i32)> = scores.iter().map(|s| (Move::NONE, *s)).collect();
        entropy(&moves)
    }

    #[test]
    fn even_moves_have_log2_n_bits_and_a_far_better_one_has_none() {
        assert_eq!(with_scores(&[]), None);
        assert_eq!(with_scores(&[17]), Some(0.0));
        assert!((with_scores(&[5, 5, 5, 5]).unwrap() - 2.0).abs() < 1e-12);
        assert!(with_scores(&[0, i32::MIN]).unwrap() < 1e-12);
        // scipy.stats.entropy(scipy.special.softmax([0, -1, -2]), base=2)
        assert!((with_scores(&[40, 20, 0]).unwrap() - 1.200_892_977_978_363_3).abs() < 1e-9);
    }

    #[test]
    fn a_first_move_that_loses_the_queen_scores_worse() {
        struct Lost;
        impl Visitor for Lost {
            type Output = (i32, i32, usize);
            fn visit<G: Playable>(self, game: G) -> Self::Output {
                let start = game.parse_fen("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1").unwrap();
                let all = scores(&game, &start, 200).unwrap();
                let of = |text: &str| all.iter().find(|(m, _)| game.uci(&start, *m) == text).unwrap().1;
                (of("d1d5"), of("e1f2"), all.len())
            }
        }
        let (takes, loses, moves) = engine::games::with("chess", [], Lost).unwrap();
        assert!(takes > loses + 500, "{takes} {loses}");
        assert!(moves > 15);
    }
}
