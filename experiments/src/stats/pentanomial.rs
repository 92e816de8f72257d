//! One player against another over units of two games with the players exchanged: Elo and its relatives from
//! the five-way (pentanomial) counts, so that the two games' dependence is accounted for.
//!
//! Definitions are those that match users know from fishtest (`server/fishtest/stats/stat_util.py`) and
//! fastchess (`elo_pentanomial.cpp`, `stats.hpp`).

use super::proportion::clopper_pearson_upper;
use super::sprt::{Law, NORMALISED_ELO_PER_T};
use super::{Interval, normal_cdf, two_sided_z};

/// Units by the first player's two results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pentanomial {
    /// Both lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

/// An estimate and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its interval.
    pub interval: Interval,
}

/// Logistic Elo of an expected score, held within the Elo of 0.001 and 0.999 (+-1199.8) as in fishtest.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Expected score of a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Pentanomial {
    /// Counts a unit by the first player's points in its two games, each 0, 1/2 or 1 in half points (0, 1, 2).
    /// Other values count as the nearest.
    pub fn add(&mut self, half_points: [u8; 2]) {
        let [a, b] = half_points.map(|h| h.min(2));
        let class = match (a.min(b), a.max(b)) {
            (0, 0) => &mut self.ll,
            (0, 1) => &mut self.ld,
            (0, _) => &mut self.wl,
            (1, 1) => &mut self.dd,
            (1, _) => &mut self.wd,
            _ => &mut self.ww,
        };
        *class += 1;
    }

    /// The counts as fishtest's `Ptnml(0-2)`: LL, LD, WL+DD, WD, WW.
    pub fn counts(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    /// Number of units.
    pub fn units(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// The first player's mean score, 0 to 1; 1/2 without units.
    pub fn score(&self) -> f64 {
        let quarters: u64 = self.counts().iter().zip(0..).map(|(c, points)| c * points).sum();
        if self.units() == 0 { 0.5 } else { quarters as f64 / (4 * self.units()) as f64 }
    }

    /// Interval for the expected score of a unit: the normal one over units, as fishtest and fastchess have it.
    ///
    /// If all units came out alike there is no variance to see. The score is then bounded through the
    /// Clopper-Pearson bound on the share of units that come out otherwise, whatever they may give.
    /// [0, 1] without units.
    pub fn score_interval(&self, confidence: f64) -> Interval {
        let units = self.units();
        let score = self.score();
        if self.counts().contains(&units) {
            let otherwise = clopper_pearson_upper(0, units, 0.5 + confidence / 2.0);
            let lower = score * (1.0 - otherwise);
            return Interval { lower, upper: lower + otherwise };
        }
        let law = Law::from_counts(self.counts());
        let error = (Law::moments(&law.shares).1 / units as f64).sqrt();
        let half = two_sided_z(confidence) * error;
        Interval { lower: (score - half).max(0.0), upper: (score + half).min(1.0) }
    }

    /// Logistic Elo of the first player over the second, within +-1199.8.
    pub fn elo(&self, confidence: f64) -> Estimate {
        let score = self.score_interval(confidence);
        Estimate {
            value: elo_of_score(self.score()),
            interval: Interval { lower: elo_of_score(score.lower), upper: elo_of_score(score.upper) },
        }
    }

    /// Normalised Elo (Van den Bergh, "Normalized Elo"): the score's distance from 1/2 in standard deviations
    /// of a game, times 800 / ln 10, with empty classes counted as 0.001 as in fishtest. The interval takes the
    /// deviation as known, as fastchess does. Nothing without units.
    pub fn normalised_elo(&self, confidence: f64) -> Option<Estimate> {
        if self.units() == 0 {
            return None;
        }
        let (mean, variance) = Law::moments(&Law::from_counts(self.counts()).shares);
        // A game's variance is twice that of the mean of two.
        let per_score = NORMALISED_ELO_PER_T / (2.0 * variance).sqrt();
        let value = (mean - 0.5) * per_score;
        let half = two_sided_z(confidence) * (variance / self.units() as f64).sqrt() * per_score;
        Some(Estimate { value, interval: Interval { lower: value - half, upper: value + half } })
    }

    /// Likelihood of superiority: the normal approximation to the probability that the first player is the
    /// stronger one.
    ///
    /// If all units came out alike, the sign test (mid-p): after n units won and none lost 1 - 2^-(n+1);
    /// 1/2 after none, or if all were level.
    pub fn los(&self) -> f64 {
        let units = self.units();
        let score = self.score();
        if self.counts().contains(&units) {
            let tail = 0.5_f64.powf(units as f64 + 1.0);
            return match score {
                s if s > 0.5 => 1.0 - tail,
                s if s < 0.5 => tail,
                _ => 0.5,
            };
        }
        let (_, variance) = Law::moments(&Law::from_counts(self.counts()).shares);
        normal_cdf((score - 0.5) / (variance / units as f64).sqrt())
    }

    /// Share of level units (WL and DD) of all; nothing without units.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.wl + self.dd, self.units())
    }

    /// Units won (WW, WD) to units lost (LL, LD); nothing if none was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        ratio(self.ww + self.wd, self.ld + self.ll)
    }

    /// Level units with two decided games to level units with two draws; nothing if there are none of these.
    pub fn wl_dd_ratio(&self) -> Option<f64> {
        ratio(self.wl, self.dd)
    }

    /// Games won, drawn and lost by the first player.
    pub fn games(&self) -> [u64; 3] {
        [2 * self.ww + self.wd + self.wl, 2 * self.dd + self.wd + self.ld, 2 * self.ll + self.ld + self.wl]
    }
}

fn ratio(numerator: u64, denominator: u64) -> Option<f64> {
    (denominator > 0).then(|| numerator as f64 / denominator as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    fn penta(ll: u64, ld: u64, wl: u64, dd: u64, wd: u64, ww: u64) -> Pentanomial {
        Pentanomial { ll, ld, wl, dd, wd, ww }
    }

    #[test]
    fn golden_values_of_fastchess() {
        // Disservin/fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" to "3": normalised Elo and its half
        // width, Elo and its half width, LOS as printed.
        for (p, nelo, nelo_error, elo, elo_error, los) in [
            (penta(34, 54, 31, 32, 64, 75), 57.94, 28.28, 55.58, 27.65, 1.0),
            (penta(332, 433, 457, 41, 333, 334), -9.17, 10.96, -8.64, 10.33, 0.0505),
            (penta(7895, 8757, 5485, 200, 568, 9999), -19.01, 2.65, -21.04, 2.95, 0.0),
        ] {
            let e = p.elo(0.95);
            assert_close(e.value, elo, 0.006);
            assert_close(e.interval.width() / 2.0, elo_error, 0.006);
            let n = p.normalised_elo(0.95).unwrap();
            assert_close(n.value, nelo, 0.006);
            assert_close(n.interval.width() / 2.0, nelo_error, 0.006);
            assert_close(p.los(), los, 0.00006);
        }
    }

    #[test]
    fn ratios_and_games() {
        let p = penta(1, 2, 3, 4, 5, 6);
        assert_eq!(p.units(), 21);
        assert_eq!(p.counts(), [1, 2, 7, 5, 6]);
        assert_eq!(p.draw_ratio(), Some(7.0 / 21.0));
        assert_eq!(p.pairs_ratio(), Some(11.0 / 3.0));
        assert_eq!(p.wl_dd_ratio(), Some(0.75));
        assert_eq!(p.games(), [20, 15, 7]);
        assert_eq!(p.games().iter().sum::<u64>(), 2 * p.units());
        assert_close(p.score(), (20.0 + 7.5) / 42.0, 1e-12);
        let mut counted = Pentanomial::default();
        for unit in [[0, 0], [0, 1], [1, 0], [2, 0], [1, 1], [2, 1], [2, 2]] {
            counted.add(unit);
        }
        assert_eq!(counted, penta(1, 2, 1, 1, 1, 1));
    }

    #[test]
    fn degenerate_samples_have_defined_answers() {
        let finite = |p: Pentanomial| {
            for e in p.normalised_elo(0.95).into_iter().chain([p.elo(0.95)]) {
                for x in [e.value, e.interval.lower, e.interval.upper] {
                    assert!(x.is_finite(), "{p:?}: {e:?}");
                }
                assert!(e.interval.contains(e.value), "{p:?}: {e:?}");
            }
            assert!((0.0..=1.0).contains(&p.los()), "{p:?}");
        };
        let empty = Pentanomial::default();
        finite(empty);
        assert_eq!(empty.normalised_elo(0.95), None);
        assert_eq!((empty.elo(0.95).value, empty.los(), empty.score()), (0.0, 0.5, 0.5));
        assert_eq!(empty.score_interval(0.95), Interval::UNIT);
        assert_eq!((empty.draw_ratio(), empty.pairs_ratio(), empty.wl_dd_ratio()), (None, None, None));
        for n in [1, 2, 500] {
            let won = penta(0, 0, 0, 0, 0, n);
            let lost = penta(n, 0, 0, 0, 0, 0);
            let drawn = penta(0, 0, 0, n, 0, 0);
            for p in
                [won, lost, drawn, penta(0, 0, n, 0, 0, 0), penta(0, n, 0, 0, 0, 0), penta(0, 0, 0, 0, n, 0)]
            {
                finite(p);
            }
            assert_close(won.elo(0.95).value, 1199.8, 0.1);
            assert_close(lost.elo(0.95).value, -1199.8, 0.1);
            assert_eq!(drawn.elo(0.95).value, 0.0);
            assert_eq!(won.los() + lost.los(), 1.0);
            assert_eq!(drawn.los(), 0.5);
        }
        // One unit won proves nothing: 0.025 is the score's lower bound, and the upper one is 1.
        let one = penta(0, 0, 0, 0, 0, 1);
        assert_close(one.score_interval(0.95).lower, 0.025, 1e-9);
        assert_eq!(one.los(), 0.75);
        // 500 drawn units do say that the players are close.
        let drawn = penta(0, 0, 0, 500, 0, 0).score_interval(0.95);
        assert!(drawn.lower > 0.49 && drawn.upper < 0.51, "{drawn:?}");
        let extremes = penta(10, 0, 0, 0, 0, 10);
        finite(extremes);
        assert_eq!(extremes.pairs_ratio(), Some(1.0));
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-400.0, -3.5, 0.0, 100.0] {
            assert_close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        assert_close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
    }
}
