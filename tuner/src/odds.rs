//! Piece values from odds matches (after H. G. Muller): games between armies that differ by one piece, or by a
//! piece against some pawns. How much the stronger side scores is put in pawns by the score of pawn odds in the
//! same game, on the scale on which advantages add up, the log-odds of the score.

use crate::logistic::{Interval, fieller};

/// Results of the side with the piece: by whether it was White.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Match {
    white: Tally,
    black: Tally,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Tally {
    games: f64,
    sum: f64,
    squares: f64,
}

impl Tally {
    /// Mean and its variance. A half result is added to either end, so that a side that won every game is not
    /// taken to win for ever.
    fn mean(&self) -> (f64, f64) {
        let (n, sum, squares) = (self.games + 1.0, self.sum + 0.5, self.squares + 0.5);
        let mean = sum / n;
        (mean, (squares / n - mean * mean).max(0.0) / n)
    }
}

impl Match {
    /// Adds a game: the result of the side with the piece, 0 to 1, and whether it had White.
    pub fn add(&mut self, result: f64, had_white: bool) {
        let tally = if had_white { &mut self.white } else { &mut self.black };
        tally.games += 1.0;
        tally.sum += result;
        tally.squares += result * result;
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        (self.white.games + self.black.games) as u64
    }

    /// Score of the side with the piece and its variance, both colours counting alike, so that the first move's
    /// edge falls out. Nothing unless both colours were played.
    pub fn score(&self) -> Option<(f64, f64)> {
        if self.white.games == 0.0 || self.black.games == 0.0 {
            return None;
        }
        let ((w, var_w), (b, var_b)) = (self.white.mean(), self.black.mean());
        Some(((w + b) / 2.0, (var_w + var_b) / 4.0))
    }

    /// Log-odds of the score and their variance.
    fn log_odds(&self) -> Option<(f64, f64)> {
        let (score, variance) = self.score()?;
        let slope = 1.0 / (score * (1.0 - score));
        Some((libm::log(score / (1.0 - score)), variance * slope * slope))
    }
}

/// The value of a piece in pawns with its interval: `odds` was played with the piece against `pawns` pawns,
/// `pawn` with one pawn more. `z` is the normal quantile. Nothing if either match is one-sided in colours; no
/// interval if a pawn's odds cannot be told from none.
pub fn value(odds: &Match, pawns: u32, pawn: &Match, z: f64) -> Option<(f64, Option<Interval>)> {
    let ((a, var_a), (b, var_b)) = (odds.log_odds()?, pawn.log_odds()?);
    let shift = f64::from(pawns);
    let interval = fieller(a, b, [var_a, var_b, 0.0], z);
    let shifted = interval.map(|i| Interval { lower: i.lower + shift, upper: i.upper + shift });
    Some((a / b + shift, shifted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A match at an advantage of `pawns`, a pawn being worth 0.6 in log-odds and the first move 0.3.
    fn play(rng: &mut ChaCha8Rng, pawns: f64, games: u32) -> Match {
        let mut odds = Match::default();
        for game in 0..games {
            let had_white = game % 2 == 0;
            let p = 1.0 / (1.0 + libm::exp(-(0.6 * pawns + if had_white { 0.3 } else { -0.3 })));
            odds.add(f64::from(u8::from(rng.random::<f64>() < p)), had_white);
        }
        odds
    }

    #[test]
    fn planted_values_come_back_with_the_stated_coverage() {
        let (mut held, n) = (0, 4000);
        for seed in 0..n {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            // A piece of 3.4 pawns, played against three of them.
            let (odds, pawn) = (play(&mut rng, 0.4, 400), play(&mut rng, 1.0, 400));
            let (_, interval) = value(&odds, 3, &pawn, 1.96).unwrap();
            held += u64::from(interval.is_some_and(|i| (i.lower..=i.upper).contains(&3.4)));
        }
        let share = held as f64 / n as f64;
        assert!((0.94..=0.96).contains(&share), "{share}");
    }

    #[test]
    fn one_sided_matches_have_defined_answers() {
        let mut won = Match::default();
        assert_eq!(won.score(), None);
        for game in 0..10 {
            won.add(1.0, game % 2 == 0);
        }
        assert_eq!(won.games(), 10);
        let (value, interval) = value(&won, 0, &won, 1.96).unwrap();
        assert!((value - 1.0).abs() < 1e-12);
        assert!(interval.is_none_or(|i| i.lower < 1.0 && i.upper > 1.0));
    }
}
