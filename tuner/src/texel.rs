//! Evaluation weights from positions with known results, by logistic regression (Peter Österlund's method
//! for his engine Texel): the weights under which the evaluation predicts results best.

use engine::eval::{ONE, Trace};

/// A position and what came of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// (weight, how often it counts for White less Black), so that the score is their scalar product.
    pub features: Vec<(u32, f32)>,
    /// The result for White, 0 to 1; may be mixed with a search's opinion.
    pub target: f64,
}

impl Sample {
    /// A sample with two weights a term: its middle-game value and its endgame value.
    pub fn of_trace(trace: &Trace, target: f64) -> Sample {
        let phase = f64::from(trace.phase) / f64::from(ONE);
        let split = |&(term, n): &(u32, i32)| {
            let n = f64::from(n) / f64::from(ONE);
            [(2 * term, (n * phase) as f32), (2 * term + 1, (n * (1.0 - phase)) as f32)]
        };
        let features = trace.counts.iter().flat_map(split).filter(|&(_, n)| n != 0.0).collect();
        Sample { features, target }
    }

    /// The same position with weights tied together: weight `w` is `group[w].0` times `group[w].1`'s
    /// factor, and the factors are what is fitted.
    pub fn tied(&self, group: &[(f64, u32)]) -> Sample {
        let mut features: Vec<(u32, f32)> = Vec::new();
        for &(weight, n) in &self.features {
            let (share, factor) = group[weight as usize];
            match features.iter_mut().find(|(f, _)| *f == factor) {
                Some((_, sum)) => *sum += n * share as f32,
                None => features.push((factor, n * share as f32)),
            }
        }
        Sample { features, target: self.target }
    }

    fn score(&self, weights: &[f64]) -> f64 {
        self.features.iter().map(|&(weight, n)| weights[weight as usize] * f64::from(n)).sum()
    }
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Centipawns that make the odds of winning e times as good; see [`fit_scale`].
    pub scale: f64,
    /// Passes over the samples.
    pub epochs: usize,
    /// Step size at first, in units of a weight; it falls linearly to nothing.
    pub rate: f64,
}

/// What a fit came to.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weights.
    pub weights: Vec<f64>,
    /// Mean log-loss before, on the samples held out.
    pub loss_before: f64,
    /// Mean log-loss after, on the same.
    pub loss_after: f64,
}

const BATCH: usize = 1024;

fn expected(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-score / scale))
}

/// Mean log-loss of the predictions that `weights` make, in nats a sample.
pub fn loss(samples: &[Sample], weights: &[f64], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let p = expected(sample.score(weights), scale).clamp(1e-9, 1.0 - 1e-9);
        -(sample.target * libm::log(p) + (1.0 - sample.target) * libm::log(1.0 - p))
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// The scale under which `weights` as they are predict best, by golden-section search over 20 to 2000.
pub fn fit_scale(samples: &[Sample], weights: &[f64]) -> f64 {
    let (mut low, mut high) = (20f64, 2000f64);
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let at = |scale: f64| loss(samples, weights, scale);
    for _ in 0..30 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if at(a) < at(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// Fits weights to the samples of `training`, taken in the order given (shuffle them), by Adam (Kingma and
/// Ba 2015) on mini-batches; `held_out`, which should come from other games, is only measured on. `pull`
/// draws each weight towards where it began: what a deviation by one costs, in log-loss a sample, growing
/// with its square.
pub fn fit(
    training: &[Sample],
    held_out: &[Sample],
    initial: &[f64],
    pull: &[f64],
    settings: Settings,
) -> Fit {
    let mut weights = initial.to_vec();
    let loss_before = loss(held_out, initial, settings.scale);
    let mut moments = vec![(0.0, 0.0); weights.len()];
    let steps = (settings.epochs * training.len().div_ceil(BATCH)) as f64;
    let mut step = 0.0;
    let mut gradient = vec![0.0; weights.len()];
    for _ in 0..settings.epochs {
        for batch in training.chunks(BATCH) {
            gradient.fill(0.0);
            for sample in batch {
                let error = expected(sample.score(&weights), settings.scale) - sample.target;
                for &(weight, n) in &sample.features {
                    gradient[weight as usize] += error * f64::from(n);
                }
            }
            step += 1.0;
            let rate = settings.rate * (1.0 - step / (steps + 1.0));
            let (fade1, fade2) = (1.0 - libm::pow(0.9, step), 1.0 - libm::pow(0.999, step));
            let per_sample = 1.0 / (batch.len() as f64 * settings.scale);
            for (i, weight) in weights.iter_mut().enumerate() {
                let g = gradient[i] * per_sample + 2.0 * pull[i] * (*weight - initial[i]);
                let (m, v) = &mut moments[i];
                *m = 0.9 * *m + 0.1 * g;
                *v = 0.999 * *v + 0.001 * g * g;
                *weight -= rate * (*m / fade1) / ((*v / fade2).sqrt() + 1e-12);
            }
        }
    }
    let loss_after = loss(held_out, &weights, settings.scale);
    Fit { weights, loss_before, loss_after }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose results come from known weights.
    fn samples(truth: &[f64], scale: f64) -> Vec<Sample> {
        let mut state = 1u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut samples = Vec::new();
        for _ in 0..20_000 {
            let counts = (0..truth.len() as u32 / 2).map(|w| (w, (random(5) as i32 - 2) * ONE)).collect();
            let trace = Trace { counts, phase: random(257) as i32 };
            let mut sample = Sample::of_trace(&trace, 0.0);
            sample.target = expected(sample.score(truth), scale);
            samples.push(sample);
        }
        samples
    }

    #[test]
    fn known_weights_are_found_again() {
        let truth = [100.0, 120.0, -35.0, 10.0, 300.0, 250.0];
        let samples = samples(&truth, 250.0);
        let settings = Settings { scale: 250.0, epochs: 60, rate: 4.0 };
        let fit = fit(&samples[..18_000], &samples[18_000..], &[50.0; 6], &[0.0; 6], settings);
        assert!(fit.loss_after < fit.loss_before);
        for (found, wanted) in fit.weights.iter().zip(truth) {
            assert!((found - wanted).abs() < 3.0, "{:?}", fit.weights);
        }
    }

    #[test]
    fn a_pull_holds_a_weight_where_it_was() {
        let samples = samples(&[100.0, 100.0, -40.0, -40.0], 250.0);
        let settings = Settings { scale: 250.0, epochs: 30, rate: 4.0 };
        let pull = [0.0, 0.0, 1.0, 1.0];
        let fit = fit(&samples, &samples, &[50.0, 50.0, 7.0, 7.0], &pull, settings);
        assert!((fit.weights[2] - 7.0).abs() < 1.0 && fit.weights[0] > 70.0, "{:?}", fit.weights);
    }

    #[test]
    fn tied_weights_move_together() {
        let truth = [100.0, 100.0, 300.0, 300.0];
        let group = [(1.0, 0), (1.0, 0), (3.0, 0), (3.0, 0)];
        let tied: Vec<Sample> = samples(&truth, 250.0).iter().map(|s| s.tied(&group)).collect();
        let settings = Settings { scale: 250.0, epochs: 40, rate: 4.0 };
        let fit = fit(&tied, &tied, &[40.0], &[0.0], settings);
        assert!((fit.weights[0] - 100.0).abs() < 2.0, "{:?}", fit.weights);
    }

    #[test]
    fn the_scale_of_the_results_is_found() {
        let truth = [100.0, 100.0, -40.0, 20.0];
        let scale = fit_scale(&samples(&truth, 170.0), &truth);
        assert!((scale - 170.0).abs() < 3.0, "{scale}");
    }
}
