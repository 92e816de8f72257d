//! Piece values from results: logistic regression of the result on differences of piece counts, as Tomašev et
//! al. (2020, "Assessing Game Balance with AlphaZero", 4.3) do with a tanh, which is the same curve; values are
//! coefficients over the pawn's.
//!
//! Results may be halves (draws): the estimate is then a quasi-likelihood one (Papke and Wooldridge 1996,
//! Journal of Applied Econometrics 11:619). Positions of one unit share its result, so errors are
//! cluster-robust (Liang and Zeger 1986, Biometrika 73:13), and a bootstrap over whole units stands beside them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Newton steps at most.
const STEPS: usize = 40;
/// A coefficient beyond this is on its way to infinity: the column separates wins from losses.
const SEPARATED: f64 = 30.0;

/// Rows of a regression, by unit of evidence.
#[derive(Clone, Debug, Default)]
pub struct Data {
    columns: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    cluster: Vec<u32>,
    clusters: u32,
    last: Option<u64>,
}

/// An interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// Coefficients with their covariance.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// One a column, in log-odds.
    pub coefficients: Vec<f64>,
    /// Cluster-robust covariance, row by row.
    pub covariance: Vec<f64>,
}

impl Data {
    /// No rows yet, of `columns` columns.
    pub fn new(columns: usize) -> Data {
        Data { columns, ..Data::default() }
    }

    /// Adds a row of unit `unit`; rows of a unit come one after the other. A row of another length is an
    /// error of the caller and is cut or filled with zeros.
    pub fn push(&mut self, unit: u64, x: &[f64], y: f64) {
        if self.last != Some(unit) {
            self.last = Some(unit);
            self.clusters += 1;
        }
        let filled = x.iter().copied().chain(std::iter::repeat(0.0)).take(self.columns);
        self.x.extend(filled);
        self.y.push(y);
        self.cluster.push(self.clusters - 1);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.y.len()
    }

    /// Number of units.
    pub fn units(&self) -> usize {
        self.clusters as usize
    }

    /// Whether a column is the same in all rows (its coefficient is then not to be known).
    pub fn is_constant(&self, column: usize) -> bool {
        let first = self.x.get(column);
        self.x.chunks(self.columns.max(1)).all(|row| row.get(column) == first)
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.x[i * self.columns..(i + 1) * self.columns]
    }

    /// The coefficients under which the results are likeliest; nothing if there are none (columns that depend
    /// on one another, results that a column separates, fewer units than columns).
    pub fn fit(&self) -> Option<Fit> {
        if self.units() <= self.columns {
            return None;
        }
        let ones = vec![1.0; self.units()];
        let coefficients = self.newton(&ones, vec![0.0; self.columns])?;
        let covariance = self.sandwich(&coefficients)?;
        Some(Fit { coefficients, covariance })
    }

    /// Newton's method from `beta`, units counting by `weights`.
    fn newton(&self, weights: &[f64], mut beta: Vec<f64>) -> Option<Vec<f64>> {
        let p = self.columns;
        for _ in 0..STEPS {
            let (mut gradient, mut information) = (vec![0.0; p], vec![0.0; p * p]);
            for i in 0..self.rows() {
                let weight = weights[self.cluster[i] as usize];
                if weight == 0.0 {
                    continue;
                }
                let x = self.row(i);
                let mu = expected(x, &beta);
                let (error, slope) = (weight * (self.y[i] - mu), weight * mu * (1.0 - mu));
                for a in 0..p {
                    gradient[a] += error * x[a];
                    for b in 0..=a {
                        information[a * p + b] += slope * x[a] * x[b];
                    }
                }
            }
            let step = Cholesky::of(&information, p)?.solve(&gradient);
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            // Far from the maximum a whole step may overshoot.
            let scale = if longest > 2.0 { 2.0 / longest } else { 1.0 };
            for (b, s) in beta.iter_mut().zip(&step) {
                *b += scale * s;
            }
            if beta.iter().any(|b| b.is_nan() || b.abs() > SEPARATED) {
                return None;
            }
            if longest < 1e-9 {
                return Some(beta);
            }
        }
        None
    }

    fn sandwich(&self, beta: &[f64]) -> Option<Vec<f64>> {
        let p = self.columns;
        let mut information = vec![0.0; p * p];
        let mut scores = vec![0.0; p * self.units()];
        for i in 0..self.rows() {
            let x = self.row(i);
            let mu = expected(x, beta);
            let score = &mut scores[self.cluster[i] as usize * p..][..p];
            for a in 0..p {
                score[a] += (self.y[i] - mu) * x[a];
                for b in 0..=a {
                    information[a * p + b] += mu * (1.0 - mu) * x[a] * x[b];
                }
            }
        }
        let bread = Cholesky::of(&information, p)?;
        let mut covariance = vec![0.0; p * p];
        for score in scores.chunks(p) {
            let part = bread.solve(score);
            for a in 0..p {
                for b in 0..p {
                    covariance[a * p + b] += part[a] * part[b];
                }
            }
        }
        // The small-sample factor of Liang and Zeger's estimator in common use (Stata's `vce(cluster)`).
        let units = self.units() as f64;
        covariance.iter_mut().for_each(|c| *c *= units / (units - 1.0));
        Some(covariance)
    }

    /// The coefficients of resamples of whole units, those left out that have none. Same seed, same answer.
    pub fn bootstrap(&self, fit: &Fit, resamples: u64, seed: u64) -> Vec<Vec<f64>> {
        let one = |number: u64| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(number);
            let mut weights = vec![0.0; self.units()];
            for _ in 0..self.units() {
                weights[rng.random_range(0..self.clusters) as usize] += 1.0;
            }
            self.newton(&weights, fit.coefficients.clone())
        };
        let all: Vec<Option<Vec<f64>>> = (0..resamples).into_par_iter().map(one).collect();
        all.into_iter().flatten().collect()
    }
}

fn expected(x: &[f64], beta: &[f64]) -> f64 {
    let score: f64 = x.iter().zip(beta).map(|(x, b)| x * b).sum();
    1.0 / (1.0 + libm::exp(-score))
}

impl Fit {
    /// Coefficient `column` over coefficient `unit`, with Fieller's interval; see [`fieller`].
    pub fn ratio(&self, column: usize, unit: usize, z: f64) -> (f64, Option<Interval>) {
        let p = self.coefficients.len();
        let (a, b) = (self.coefficients[column], self.coefficients[unit]);
        if column == unit {
            return (1.0, Some(Interval { lower: 1.0, upper: 1.0 }));
        }
        let at = |i: usize, j: usize| self.covariance[i * p + j];
        (a / b, fieller(a, b, [at(column, column), at(unit, unit), at(column, unit)], z))
    }

    /// A sum of coefficients, each so many times, over coefficient `unit`, with Fieller's interval.
    pub fn ratio_of(&self, sum: &[(usize, f64)], unit: usize, z: f64) -> (f64, Option<Interval>) {
        let p = self.coefficients.len();
        let at = |i: usize, j: usize| self.covariance[i * p + j];
        let a: f64 = sum.iter().map(|&(i, n)| n * self.coefficients[i]).sum();
        let b = self.coefficients[unit];
        let variance = sum.iter().flat_map(|&(i, n)| sum.iter().map(move |&(j, m)| n * m * at(i, j))).sum();
        let shared = sum.iter().map(|&(i, n)| n * at(i, unit)).sum();
        (a / b, fieller(a, b, [variance, at(unit, unit), shared], z))
    }
}

/// The interval for a / b by Fieller's theorem (1954, JRSS B 16:175), which holds its level where b is
/// uncertain; `covariance` is of a, of b, and of both, `z` the normal quantile. Nothing if b cannot be told from
/// 0: every value is then possible.
pub fn fieller(a: f64, b: f64, covariance: [f64; 3], z: f64) -> Option<Interval> {
    let [var_a, var_b, both] = covariance;
    let g = b * b - z * z * var_b;
    if g.is_nan() || g <= 0.0 {
        return None;
    }
    let middle = a * b - z * z * both;
    let root = (middle * middle - g * (a * a - z * z * var_a)).max(0.0).sqrt();
    Some(Interval { lower: (middle - root) / g, upper: (middle + root) / g })
}

/// The percentile interval of replicates (Efron 1979); nothing below 20 of them.
pub fn percentile(mut replicates: Vec<f64>, confidence: f64) -> Option<Interval> {
    if replicates.len() < 20 {
        return None;
    }
    replicates.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = share * (replicates.len() - 1) as f64;
        let (below, part) = (place as usize, place.fract());
        let above = (below + 1).min(replicates.len() - 1);
        replicates[below] + part * (replicates[above] - replicates[below])
    };
    Some(Interval { lower: at(0.5 - confidence / 2.0), upper: at(0.5 + confidence / 2.0) })
}

/// The Cholesky factor of a symmetric matrix of which the lower half is given.
struct Cholesky {
    p: usize,
    l: Vec<f64>,
}

impl Cholesky {
    /// Nothing if the matrix is not positive definite, or so nearly that the answer would be noise.
    fn of(matrix: &[f64], p: usize) -> Option<Cholesky> {
        let mut l = vec![0.0; p * p];
        for i in 0..p {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| l[i * p + k] * l[j * p + k]).sum();
                let rest = matrix[i * p + j] - sum;
                if i == j {
                    if rest.is_nan() || rest <= 1e-10 * matrix[i * p + i].max(1e-300) {
                        return None;
                    }
                    l[i * p + i] = rest.sqrt();
                } else {
                    l[i * p + j] = rest / l[j * p + j];
                }
            }
        }
        Some(Cholesky { p, l })
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (p, l) = (self.p, &self.l);
        let mut x = right.to_vec();
        for i in 0..p {
            let sum: f64 = (0..i).map(|k| l[i * p + k] * x[k]).sum();
            x[i] = (x[i] - sum) / l[i * p + i];
        }
        for i in (0..p).rev() {
            let sum: f64 = (i + 1..p).map(|k| l[k * p + i] * x[k]).sum();
            x[i] = (x[i] - sum) / l[i * p + i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const Z95: f64 = 1.959_963_984_540_054;

    #[test]
    fn a_two_by_two_table_has_its_closed_form() {
        // One column 0/1 beside the intercept: the coefficient is the log odds ratio, ln(30*20 / (10*40)); with
        // units of one row the robust variance is that of the table, 1/30 + 1/10 + 1/40 + 1/20, times n/(n-1).
        let mut data = Data::new(2);
        let mut unit = 0;
        for (x, y, n) in [(1.0, 1.0, 30), (1.0, 0.0, 10), (0.0, 1.0, 40), (0.0, 0.0, 20)] {
            for _ in 0..n {
                unit += 1;
                data.push(unit, &[1.0, x], y);
            }
        }
        let fit = data.fit().unwrap();
        assert!((fit.coefficients[1] - 1.5_f64.ln()).abs() < 1e-9);
        let variance = (1.0 / 30.0 + 0.1 + 1.0 / 40.0 + 0.05) * 100.0 / 99.0;
        assert!((fit.covariance[3] - variance).abs() < 1e-9, "{:?}", fit.covariance);
    }

    #[test]
    fn what_cannot_be_estimated_is_not() {
        let mut data = Data::new(2);
        for unit in 0..20 {
            data.push(unit, &[1.0, f64::from(unit as u8 % 2)], f64::from(unit as u8 % 2));
        }
        assert_eq!(data.fit(), None, "separated");
        let mut data = Data::new(2);
        for unit in 0..20 {
            data.push(unit, &[1.0, 2.0], f64::from(unit as u8 % 2));
        }
        assert_eq!(data.fit(), None, "dependent");
        assert!(data.is_constant(1));
        assert_eq!(Data::new(1).fit(), None);
        assert_eq!(fieller(1.0, 0.1, [0.1, 0.1, 0.0], Z95), None);
    }

    #[test]
    fn fieller_is_the_plain_interval_where_the_pawn_is_certain() {
        let i = fieller(6.0, 2.0, [0.04, 0.0, 0.0], 2.0).unwrap();
        assert!((i.lower - 2.8).abs() < 1e-12 && (i.upper - 3.2).abs() < 1e-12);
    }

    /// A log of games in which a pawn is worth `PAWN` in log-odds, the first piece 3.2 pawns and the other 5, and
    /// White moves first for a fifth of a pawn; three positions a game, which share their result, and draws.
    fn synthetic(seed: u64, games: u64) -> Data {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut data = Data::new(4);
        for game in 0..games {
            let x = [
                1.0,
                f64::from(rng.random_range(-2..=2)),
                f64::from(rng.random_range(-1..=1)),
                f64::from(rng.random_range(-1..=1)),
            ];
            let p = expected(&x, &[0.2 * PAWN, PAWN, 3.2 * PAWN, 5.0 * PAWN]);
            // Two draws from p: a win, a loss, or a draw between, with the right mean.
            let half = |rng: &mut ChaCha8Rng| if rng.random::<f64>() < p { 0.5 } else { 0.0 };
            let y = half(&mut rng) + half(&mut rng);
            for _ in 0..3 {
                data.push(game, &x, y);
            }
        }
        data
    }

    const PAWN: f64 = 0.4;

    /// Share of `n` synthetic logs whose interval holds the planted values, by `interval(data, fit, column)`.
    fn coverage(n: u64, interval: impl Fn(&Data, &Fit, usize) -> Option<Interval> + Sync) -> f64 {
        let one = |seed: u64| {
            let data = synthetic(seed, 400);
            let fit = data.fit().unwrap();
            [(2, 3.2), (3, 5.0)].map(|(column, truth)| {
                interval(&data, &fit, column).is_some_and(|i| (i.lower..=i.upper).contains(&truth))
            })
        };
        let held: Vec<[bool; 2]> = (0..n).into_par_iter().map(one).collect();
        held.iter().flatten().filter(|h| **h).count() as f64 / (2 * n) as f64
    }

    #[test]
    fn planted_values_come_back_with_the_stated_coverage() {
        let share = coverage(2000, |_, fit, column| fit.ratio(column, 1, Z95).1);
        assert!((0.94..=0.96).contains(&share), "{share}");
        // Were the three positions of a game taken for three games, the intervals would be too narrow.
        let naive = coverage(500, |data, _, column| {
            let mut apart = Data::new(4);
            for i in 0..data.rows() {
                apart.push(i as u64, data.row(i), data.y[i]);
            }
            apart.fit()?.ratio(column, 1, Z95).1
        });
        assert!(naive < 0.85, "{naive}");
    }

    #[test]
    fn sums_of_coefficients_cover_their_planted_values() {
        let (n, mut held) = (1000, 0);
        for seed in 0..n {
            let fit = synthetic(seed, 400).fit().unwrap();
            let (_, interval) = fit.ratio_of(&[(2, 1.0), (3, 0.5)], 1, Z95);
            held += u32::from(interval.is_some_and(|i| (i.lower..=i.upper).contains(&5.7)));
            assert_eq!(fit.ratio_of(&[(3, 1.0)], 1, Z95), fit.ratio(3, 1, Z95));
        }
        let share = f64::from(held) / n as f64;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn the_bootstrap_over_units_covers_too_and_is_repeatable() {
        let share = coverage(200, |data, fit, column| {
            let replicates = data.bootstrap(fit, 200, 7);
            percentile(replicates.iter().map(|b| b[column] / b[1]).collect(), 0.95)
        });
        // 400 intervals: standard error 0.011; 200 replicates cost a little coverage.
        assert!((0.91..=0.98).contains(&share), "{share}");
        let data = synthetic(1, 100);
        let fit = data.fit().unwrap();
        assert_eq!(data.bootstrap(&fit, 5, 3), data.bootstrap(&fit, 5, 3));
        assert_ne!(data.bootstrap(&fit, 5, 3), data.bootstrap(&fit, 5, 4));
    }
}
