//! Evaluation weights from positions with known results (Peter Österlund's method for his engine Texel; here
//! with gradients after Andrew Grant, "Evaluation & Tuning in Chess Engines", 2020): the weights E under which
//! sigma = 1 / (1 + exp(-K E)) predicts results R best, by mean (R - sigma)^2. K is found first, for the
//! weights as they are, and then held: it fixes what a centipawn means.
//!
//! Free weights follow the noise of a few hundred games, so a [`Prior`] holds them: how far a weight is
//! expected to move, and how alike neighbours in a table are expected to move.

use engine::eval::{ONE, Trace};
use rayon::prelude::*;

/// Positions that one thread takes at a time. Sums are added in the order of these, so that a fit does not
/// depend on the number of threads.
const CHUNK: usize = 1024;
/// Fewest and most positions a step of the descent.
const BATCH: (usize, usize) = (CHUNK, 16 * CHUNK);
/// Variance of a result about its prediction, as the prior's weight against the data supposes it.
const NOISE: f64 = 0.15;

/// A weight's two values: middle game, endgame. Centipawns.
pub type Weight = [f64; 2];

/// Positions and what came of them: sparse traces, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Where each position's counts end.
    ends: Vec<u32>,
    /// (weight, White's occurrences less Black's).
    counts: Vec<(u32, f32)>,
    /// Share of middle game, 0 to 1.
    phases: Vec<f32>,
    /// White's result, 0 to 1; may be mixed with a search's opinion.
    targets: Vec<f32>,
}

impl Samples {
    /// Adds a position. Past 2^32 counts in all (some fifty million positions) it is left out.
    pub fn push(&mut self, trace: &Trace, target: f64) {
        let Ok(end) = u32::try_from(self.counts.len() + trace.counts.len()) else { return };
        self.counts.extend(trace.counts.iter().map(|&(weight, n)| (weight, n as f32 / ONE as f32)));
        self.ends.push(end);
        self.phases.push(trace.phase as f32 / ONE as f32);
        self.targets.push(target as f32);
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Entries of all traces.
    pub fn entries(&self) -> usize {
        self.counts.len()
    }

    fn counts_of(&self, index: usize) -> &[(u32, f32)] {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.counts[first..self.ends[index] as usize]
    }

    /// Prediction and error of a position.
    fn residual(&self, index: usize, weights: &[[f32; 2]], per_centipawn: f64) -> (f64, f64) {
        let (mut mg, mut eg) = (0f32, 0f32);
        for &(weight, n) in self.counts_of(index) {
            let pair = weights[weight as usize];
            mg += pair[0] * n;
            eg += pair[1] * n;
        }
        let phase = self.phases[index];
        let score = f64::from(mg * phase + eg * (1.0 - phase));
        let sigma = 1.0 / (1.0 + libm::exp(-per_centipawn * score));
        (sigma, sigma - f64::from(self.targets[index]))
    }

    /// Adds the gradient of (R - sigma)^2 / 2K of a chunk to `gradient`; gives its sum of squares.
    fn descend(&self, chunk: &[u32], weights: &[[f32; 2]], k: f64, gradient: &mut [[f32; 2]]) -> f64 {
        let mut squares = 0.0;
        for &index in chunk {
            let (sigma, error) = self.residual(index as usize, weights, k);
            squares += error * error;
            let slope = (error * sigma * (1.0 - sigma)) as f32;
            let phase = self.phases[index as usize];
            let (mg, eg) = (slope * phase, slope * (1.0 - phase));
            for &(weight, n) in self.counts_of(index as usize) {
                let sum = &mut gradient[weight as usize];
                sum[0] += mg * n;
                sum[1] += eg * n;
            }
        }
        squares
    }
}

fn single(weights: &[Weight]) -> Vec<[f32; 2]> {
    weights.iter().map(|w| [w[0] as f32, w[1] as f32]).collect()
}

/// Mean (R - sigma)^2 over the samples; 0 without any. `k` is per centipawn.
pub fn loss(samples: &Samples, weights: &[Weight], k: f64) -> f64 {
    let weights = single(weights);
    let all: Vec<u32> = (0..samples.len() as u32).collect();
    let sum = |chunk: &[u32]| -> f64 {
        let square = |&index: &u32| samples.residual(index as usize, &weights, k).1.powi(2);
        chunk.iter().map(square).sum()
    };
    let sums: Vec<f64> = all.par_chunks(CHUNK).map(sum).collect();
    sums.iter().sum::<f64>() / samples.len().max(1) as f64
}

/// The K, per centipawn, under which `weights` predict best, by golden-section search between 1/2000 and 1/20.
pub fn fit_k(samples: &Samples, weights: &[Weight]) -> f64 {
    let (mut low, mut high) = (20f64, 2000f64);
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let at = |scale: f64| loss(samples, weights, 1.0 / scale);
    for _ in 0..25 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if at(a) < at(b) {
            high = b;
        } else {
            low = a;
        }
    }
    2.0 / (low + high)
}

/// What is believed of the weights before the data: Gaussian, about the weights that the fit begins with.
#[derive(Clone, Debug, Default)]
pub struct Prior {
    /// How far each weight is expected to move: standard deviation, centipawns, above 0.
    pub spread: Vec<f64>,
    /// (weight, weight, standard deviation of the difference between their moves, centipawns).
    pub links: Vec<(u32, u32, f64)>,
    /// Independent results behind the samples (games, not positions): more of them weigh more.
    pub games: f64,
}

impl Prior {
    /// A prior on tables of `shapes` (first weight, number of weights, weights a line): single weights move
    /// by about `single` centipawns and a share of their size; in a table neighbours move alike.
    pub fn of_tables(shapes: &[(usize, usize, usize)], start: &[Weight], single: f64, games: f64) -> Prior {
        let mut prior = Prior { spread: vec![single; start.len()], links: Vec::new(), games };
        for &(first, len, line) in shapes {
            for i in 0..len {
                let at = first + i;
                let size = start[at][0].abs().max(start[at][1].abs());
                prior.spread[at] = single + size * 0.15;
                let mut link = |to: usize| {
                    prior.links.push((at as u32, (first + to) as u32, single * 0.4 + size * 0.03));
                };
                if i + line < len && line > 1 {
                    link(i + line);
                }
                // The end of a line has no neighbour in the next one; a table of one line goes on.
                if i + 1 < len && (line <= 1 || (i + 1) % line != 0) {
                    link(i + 1);
                }
            }
        }
        prior
    }

    /// Adds the gradient of what the prior costs a sample.
    fn descend(&self, weights: &[Weight], start: &[Weight], gradient: &mut [Weight]) {
        let strength = 2.0 * NOISE / self.games.max(1.0);
        let moved = |i: usize| [weights[i][0] - start[i][0], weights[i][1] - start[i][1]];
        for (i, (spread, sum)) in self.spread.iter().zip(gradient.iter_mut()).enumerate() {
            for (g, moved) in sum.iter_mut().zip(moved(i)) {
                *g += strength * moved / (spread * spread);
            }
        }
        for &(a, b, spread) in &self.links {
            let (a, b) = (a as usize, b as usize);
            let (moved_a, moved_b) = (moved(a), moved(b));
            let pull = [0, 1].map(|phase| strength * (moved_a[phase] - moved_b[phase]) / (spread * spread));
            for (phase, pull) in pull.into_iter().enumerate() {
                gradient[a][phase] += pull;
                gradient[b][phase] -= pull;
            }
        }
    }
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// K per centipawn; see [`fit_k`].
    pub k: f64,
    /// Passes over the samples at most.
    pub passes: usize,
    /// Passes without a better held-out loss after which the fit stops.
    pub patience: usize,
    /// Step size at first, centipawns; it falls linearly to nothing.
    pub rate: f64,
}

/// One pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// From 1.
    pub number: usize,
    /// Mean (R - sigma)^2 on the training samples, while they were gone through.
    pub training: f64,
    /// The same on the samples held out, after the pass.
    pub held_out: f64,
}

/// What a fit came to.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weights after the pass with the least held-out loss; the first ones if no pass was better.
    pub weights: Vec<Weight>,
    /// That pass; 0 for none.
    pub best_pass: usize,
    /// Held-out loss before.
    pub loss_before: f64,
    /// Held-out loss of `weights`.
    pub loss_after: f64,
}

/// Fits weights to the samples of `training`, taken in the order given (shuffle them), by Adam (Kingma and
/// Ba 2015) on batches, all threads of the rayon pool at work. `held_out`, which should come from other games,
/// only says when to stop. `report` is told of each pass and stops the fit by answering false.
pub fn fit(
    training: &Samples,
    held_out: &Samples,
    start: &[Weight],
    prior: &Prior,
    settings: Settings,
    report: &mut dyn FnMut(Pass) -> bool,
) -> Fit {
    let loss_before = loss(held_out, start, settings.k);
    let mut best = Fit { weights: start.to_vec(), best_pass: 0, loss_before, loss_after: loss_before };
    let order: Vec<u32> = (0..training.len() as u32).collect();
    let batch = (training.len() / 8).clamp(BATCH.0, BATCH.1) / CHUNK * CHUNK;
    let mut descent = Descent::new(start, settings, settings.passes * training.len().div_ceil(batch));
    for number in 1..=settings.passes {
        let mut squares = 0.0;
        for batch in order.chunks(batch) {
            squares += descent.step(training, batch, prior);
        }
        let held = loss(held_out, &descent.weights, settings.k);
        if held < best.loss_after {
            (best.weights, best.best_pass, best.loss_after) = (descent.weights.clone(), number, held);
        }
        let pass = Pass { number, training: squares / training.len().max(1) as f64, held_out: held };
        if !report(pass) || number - best.best_pass >= settings.patience {
            break;
        }
    }
    best
}

/// The state of Adam.
struct Descent<'a> {
    start: &'a [Weight],
    settings: Settings,
    steps: f64,
    step: f64,
    weights: Vec<Weight>,
    moments: Vec<[(f64, f64); 2]>,
}

impl<'a> Descent<'a> {
    fn new(start: &'a [Weight], settings: Settings, steps: usize) -> Descent<'a> {
        let moments = vec![[(0.0, 0.0); 2]; start.len()];
        Descent { start, settings, steps: steps as f64, step: 0.0, weights: start.to_vec(), moments }
    }

    fn step(&mut self, samples: &Samples, batch: &[u32], prior: &Prior) -> f64 {
        let (k, weights) = (self.settings.k, single(&self.weights));
        let one = |chunk: &[u32]| {
            let mut gradient = vec![[0f32; 2]; weights.len()];
            let squares = samples.descend(chunk, &weights, k, &mut gradient);
            (squares, gradient)
        };
        let parts: Vec<(f64, Vec<[f32; 2]>)> = batch.par_chunks(CHUNK).map(one).collect();
        let mut gradient = vec![[0.0; 2]; weights.len()];
        let per_sample = 2.0 * k / batch.len().max(1) as f64;
        for (_, part) in &parts {
            for (sum, g) in gradient.iter_mut().zip(part) {
                sum[0] += f64::from(g[0]) * per_sample;
                sum[1] += f64::from(g[1]) * per_sample;
            }
        }
        prior.descend(&self.weights, self.start, &mut gradient);
        self.step += 1.0;
        let rate = self.settings.rate * (1.0 - self.step / (self.steps + 1.0));
        let (fade1, fade2) = (1.0 - libm::pow(0.9, self.step), 1.0 - libm::pow(0.999, self.step));
        for ((weight, g), moments) in self.weights.iter_mut().zip(&gradient).zip(&mut self.moments) {
            for phase in 0..2 {
                let (m, v) = &mut moments[phase];
                *m = 0.9 * *m + 0.1 * g[phase];
                *v = 0.999 * *v + 0.001 * g[phase] * g[phase];
                weight[phase] -= rate * (*m / fade1) / ((*v / fade2).sqrt() + 1e-12);
            }
        }
        parts.iter().map(|(squares, _)| squares).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below `n`, the same every time.
    fn stream() -> impl FnMut(u64) -> u64 {
        let mut state = 1u64;
        move |n| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        }
    }

    /// Samples whose targets come from known weights: the expectation itself, or drawn results.
    fn samples(truth: &[Weight], k: f64, n: usize, drawn: bool) -> Samples {
        let mut random = stream();
        let mut samples = Samples::default();
        for _ in 0..n {
            let counts = (0..truth.len() as u32).map(|w| (w, (random(5) as i32 - 2) * ONE)).collect();
            let trace = Trace { counts, phase: random(257) as i32 };
            let pairs: Vec<(f64, f64)> = truth.iter().map(|w| (w[0], w[1])).collect();
            let p = 1.0 / (1.0 + libm::exp(-k * trace.score(&pairs)));
            let target =
                if drawn { f64::from(u8::from((random(1 << 20) as f64) < p * 1048576.0)) } else { p };
            samples.push(&trace, target);
        }
        samples
    }

    fn free(weights: usize) -> Prior {
        Prior { spread: vec![1e6; weights], links: Vec::new(), games: 1e6 }
    }

    const TRUTH: [Weight; 3] = [[100.0, 120.0], [-35.0, 10.0], [300.0, 250.0]];

    #[test]
    fn known_weights_are_found_again() {
        let training = samples(&TRUTH, 0.004, 18_000, false);
        let held_out = samples(&TRUTH, 0.004, 2_000, false);
        let settings = Settings { k: 0.004, passes: 250, patience: 250, rate: 4.0 };
        let fit = fit(&training, &held_out, &[[50.0; 2]; 3], &free(3), settings, &mut |_| true);
        assert!(fit.loss_after < fit.loss_before / 100.0);
        for (found, wanted) in fit.weights.iter().zip(TRUTH) {
            for phase in 0..2 {
                assert!((found[phase] - wanted[phase]).abs() < 3.0, "{:?}", fit.weights);
            }
        }
    }

    #[test]
    fn a_fit_does_not_depend_on_the_number_of_threads() {
        let training = samples(&TRUTH, 0.004, 9_000, true);
        let settings = Settings { k: 0.004, passes: 3, patience: 3, rate: 4.0 };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&training, &training, &TRUTH, &free(3), settings, &mut |_| true).weights)
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn a_prior_holds_a_weight_where_it_was_and_neighbours_together() {
        let training = samples(&[[100.0; 2], [60.0; 2], [-40.0; 2]], 0.004, 10_000, false);
        let mut prior = free(3);
        prior.spread[2] = 2.0;
        prior.games = 1000.0;
        prior.links.push((0, 1, 2.0));
        let settings = Settings { k: 0.004, passes: 150, patience: 150, rate: 2.0 };
        let fit =
            fit(&training, &training, &[[50.0; 2], [50.0; 2], [7.0; 2]], &prior, settings, &mut |_| true);
        let w = &fit.weights;
        assert!((w[2][0] - 7.0).abs() < 6.0, "{w:?}");
        assert!((w[0][0] - w[1][0]).abs() < 8.0 && w[0][0] > 60.0, "{w:?}");
    }

    #[test]
    fn a_fit_stops_when_the_held_out_loss_no_longer_falls() {
        // Nothing to learn: results are independent of the position, and few.
        let training = samples(&[[0.0; 2]; 40], 0.004, 200, true);
        let held_out = samples(&[[0.0; 2]; 40], 0.004, 2_000, true);
        let mut other = Samples::default();
        for i in 200..held_out.len() {
            let counts = held_out.counts_of(i).iter().map(|&(w, n)| (w, n as i32 * ONE)).collect();
            let phase = (held_out.phases[i] * ONE as f32) as i32;
            other.push(&Trace { counts, phase }, f64::from(held_out.targets[i]));
        }
        let settings = Settings { k: 0.004, passes: 200, patience: 5, rate: 4.0 };
        let mut passes = 0;
        let fit = fit(&training, &other, &[[0.0; 2]; 40], &free(40), settings, &mut |_| {
            passes += 1;
            true
        });
        assert!(passes < 20, "{passes}");
        assert!(fit.loss_after <= fit.loss_before);
    }

    #[test]
    fn tables_are_linked_along_lines_and_columns() {
        let start = vec![[0.0; 2]; 7];
        let prior = Prior::of_tables(&[(0, 1, 1), (1, 6, 2)], &start, 5.0, 1.0);
        let mut pairs: Vec<_> = prior.links.iter().map(|l| (l.0, l.1)).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [(1, 2), (1, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 6)]);
        let line = Prior::of_tables(&[(0, 3, 1)], &start, 5.0, 1.0);
        let pairs: Vec<_> = line.links.iter().map(|l| (l.0, l.1)).collect();
        assert_eq!(pairs, [(0, 1), (1, 2)]);
    }

    #[test]
    fn the_scale_of_the_results_is_found() {
        let k = fit_k(&samples(&TRUTH, 1.0 / 170.0, 20_000, false), &TRUTH);
        assert!((1.0 / k - 170.0).abs() < 3.0, "{k}");
    }
}
