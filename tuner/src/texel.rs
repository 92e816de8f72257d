//! Evaluation weights from positions with known results, by logistic regression (Peter Österlund's method
//! for his engine Texel): the weights under which the evaluation predicts results best.

use engine::eval::Trace;

/// A position and what came of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its evaluation, term by term, from White's view.
    pub trace: Trace,
    /// The result for White, 0 to 1; may be mixed with a search's opinion.
    pub target: f64,
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Centipawns that make the odds of winning e times as good; see [`fit_scale`].
    pub scale: f64,
    /// Passes over the samples.
    pub epochs: usize,
    /// Step size at first, centipawns; it falls linearly to nothing.
    pub rate: f64,
    /// Pull of each weight towards where it began, in log-loss per sample a squared pawn.
    pub pull: f64,
}

/// What a fit came to.
#[derive(Clone, Debug)]
pub struct Fit {
    /// (middle game, endgame) in centipawns, in the order of the layout.
    pub weights: Vec<(f64, f64)>,
    /// Mean log-loss before, on samples held out (every tenth).
    pub loss_before: f64,
    /// Mean log-loss after, on the same.
    pub loss_after: f64,
}

const BATCH: usize = 1024;

fn expected(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-score / scale))
}

/// Mean log-loss of the predictions that `weights` make, in nats a sample.
pub fn loss<'a>(samples: impl Iterator<Item = &'a Sample>, weights: &[(f64, f64)], scale: f64) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for sample in samples {
        let p = expected(sample.trace.score(weights), scale).clamp(1e-9, 1.0 - 1e-9);
        sum -= sample.target * libm::log(p) + (1.0 - sample.target) * libm::log(1.0 - p);
        n += 1.0;
    }
    if n > 0.0 { sum / n } else { 0.0 }
}

/// The scale under which `weights` as they are predict best, by golden-section search over 20 to 2000.
pub fn fit_scale(samples: &[Sample], weights: &[(f64, f64)]) -> f64 {
    let (mut low, mut high) = (20f64, 2000f64);
    let ratio = 0.618_033_988_749_895;
    let at = |scale: f64| loss(samples.iter(), weights, scale);
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

/// Fits weights to `samples`, which are taken in the order given (shuffle them), by Adam (Kingma and Ba
/// 2015) on mini-batches. Every tenth sample is held out and only measured on.
pub fn fit(samples: &[Sample], initial: &[(f64, f64)], settings: Settings) -> Fit {
    let held = |i: &usize| i % 10 == 9;
    let training: Vec<&Sample> = (0..samples.len()).filter(|i| !held(i)).map(|i| &samples[i]).collect();
    let held_out = || (0..samples.len()).filter(held).map(|i| &samples[i]);
    let mut weights = initial.to_vec();
    let loss_before = loss(held_out(), initial, settings.scale);
    let zero = vec![(0.0, 0.0); weights.len()];
    let (mut first, mut second) = (zero.clone(), zero.clone());
    let steps = (settings.epochs * training.len().div_ceil(BATCH)) as f64;
    let mut step = 0.0;
    for _ in 0..settings.epochs {
        for batch in training.chunks(BATCH) {
            let mut gradient = zero.clone();
            for sample in batch {
                let error = expected(sample.trace.score(&weights), settings.scale) - sample.target;
                let phase = f64::from(sample.trace.phase) / f64::from(engine::eval::ONE);
                for &(weight, n) in &sample.trace.counts {
                    let share = error * f64::from(n) / f64::from(engine::eval::ONE) / settings.scale;
                    let slot = &mut gradient[weight as usize];
                    slot.0 += share * phase;
                    slot.1 += share * (1.0 - phase);
                }
            }
            step += 1.0;
            let rate = settings.rate * (1.0 - step / (steps + 1.0));
            let (fade1, fade2) = (1.0 - libm::pow(0.9, step), 1.0 - libm::pow(0.999, step));
            let n = batch.len() as f64;
            let pull = 2.0 * settings.pull / 10_000.0;
            let update = |weight: &mut f64, g: f64, m: &mut f64, v: &mut f64, start: f64| {
                let g = g / n + pull * (*weight - start);
                *m = 0.9 * *m + 0.1 * g;
                *v = 0.999 * *v + 0.001 * g * g;
                *weight -= rate * (*m / fade1) / ((*v / fade2).sqrt() + 1e-12);
            };
            for i in 0..weights.len() {
                let (w, g, m, v) = (&mut weights[i], gradient[i], &mut first[i], &mut second[i]);
                update(&mut w.0, g.0, &mut m.0, &mut v.0, initial[i].0);
                update(&mut w.1, g.1, &mut m.1, &mut v.1, initial[i].1);
            }
        }
    }
    let loss_after = loss(held_out(), &weights, settings.scale);
    Fit { weights, loss_before, loss_after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::ONE;

    /// Samples whose results come from known weights.
    fn samples(truth: &[(f64, f64)], scale: f64) -> Vec<Sample> {
        let mut state = 1u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut samples = Vec::new();
        for _ in 0..20_000 {
            let counts = (0..truth.len() as u32).map(|w| (w, (random(5) as i32 - 2) * ONE)).collect();
            let trace = Trace { counts, phase: random(257) as i32 };
            let target = expected(trace.score(truth), scale);
            samples.push(Sample { trace, target });
        }
        samples
    }

    #[test]
    fn known_weights_are_found_again() {
        let truth = [(100.0, 120.0), (-35.0, 10.0), (300.0, 250.0)];
        let samples = samples(&truth, 250.0);
        let settings = Settings { scale: 250.0, epochs: 60, rate: 4.0, pull: 0.0 };
        let fit = fit(&samples, &[(50.0, 50.0); 3], settings);
        assert!(fit.loss_after < fit.loss_before);
        for (found, wanted) in fit.weights.iter().zip(truth) {
            assert!(
                (found.0 - wanted.0).abs() < 3.0 && (found.1 - wanted.1).abs() < 3.0,
                "{:?}",
                fit.weights
            );
        }
    }

    #[test]
    fn the_scale_of_the_results_is_found() {
        let truth = [(100.0, 100.0), (-40.0, 20.0)];
        let scale = fit_scale(&samples(&truth, 170.0), &truth);
        assert!((scale - 170.0).abs() < 3.0, "{scale}");
    }
}
