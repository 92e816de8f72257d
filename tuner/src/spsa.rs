//! Simultaneous perturbation stochastic approximation (Spall 1998, "Implementation of the simultaneous
//! perturbation algorithm", IEEE TAES 34:817): each step tries all parameters a little up or down at once, in
//! both senses, and moves them towards the better of the two. With Spall's exponents, A a tenth of the steps,
//! and step and perturbation given at the end of the run, as fishtest does
//! (`server/fishtest/spsa_handler.py`).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Exponent of the falling steps.
pub const ALPHA: f64 = 0.602;
/// Exponent of the falling perturbations.
pub const GAMMA: f64 = 0.101;
/// A, as a share of the number of steps.
pub const A_SHARE: f64 = 0.1;

/// A parameter that is a whole number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Where it starts.
    pub start: f64,
    /// Perturbation at the end of the run, in units of the parameter.
    pub c_end: f64,
    /// Step at the end of the run as a share of c_end squared; fishtest's r_end.
    pub r_end: f64,
}

impl Axis {
    /// An axis with fishtest's usual perturbation: a twentieth of the range in the end, but at least half a unit.
    ///
    /// Fishtest's usual `r_end` of 0.002 is for runs of tens of thousands of pairs; shorter runs need larger steps
    /// to come anywhere.
    pub fn usual(min: i32, max: i32, start: i32, r_end: f64) -> Axis {
        let c_end = (f64::from(max - min) / 20.0).max(0.5);
        Axis { min, max, start: f64::from(start), c_end, r_end }
    }
}

/// A run: where it is after some steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    axes: Vec<Axis>,
    steps: u64,
    seed: u64,
    done: u64,
    theta: Vec<f64>,
}

/// Two settings to be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Values with each perturbation added.
    pub plus: Vec<i32>,
    /// Values with each perturbation taken away.
    pub minus: Vec<i32>,
}

impl Spsa {
    /// A run of `steps` steps from the start. Two runs with the same seed and the same answers are the same.
    pub fn new(axes: Vec<Axis>, steps: u64, seed: u64) -> Spsa {
        let theta = axes.iter().map(|axis| axis.start).collect();
        Spsa { axes, steps, seed, done: 0, theta }
    }

    /// Goes on after `done` steps that came to `theta`; nothing unless that is a place of this run.
    pub fn resumed(mut self, done: u64, theta: Vec<f64>) -> Option<Spsa> {
        let inside = |(axis, x): (&Axis, &f64)| (f64::from(axis.min)..=f64::from(axis.max)).contains(x);
        let fits = theta.len() == self.axes.len() && self.axes.iter().zip(&theta).all(inside);
        (fits && done <= self.steps).then(|| {
            (self.done, self.theta) = (done, theta);
            self
        })
    }

    /// Steps made.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Whether all steps are made.
    pub fn is_over(&self) -> bool {
        self.done >= self.steps
    }

    /// Where the run is.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// Where the run is, as whole numbers.
    pub fn values(&self) -> Vec<i32> {
        self.axes
            .iter()
            .zip(&self.theta)
            .map(|(axis, x)| (x.round() as i32).clamp(axis.min, axis.max))
            .collect()
    }

    /// Step size and perturbation of an axis in the step to come.
    fn gains(&self, axis: &Axis) -> (f64, f64) {
        let (n, k) = (self.steps as f64, self.done as f64);
        let big = A_SHARE * n;
        let a_end = axis.r_end * axis.c_end * axis.c_end;
        let a = a_end * libm::pow((big + n) / (big + k + 1.0), ALPHA);
        let c = axis.c_end * libm::pow(n / (k + 1.0), GAMMA);
        (a, c)
    }

    /// What this step draws: for each axis a sign, and a fraction that rounds its value.
    fn draws(&self) -> Vec<(f64, f64)> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(self.done);
        let axes = self.axes.iter();
        axes.map(|_| (if rng.random_range(0..2) == 0 { 1.0 } else { -1.0 }, rng.random::<f64>())).collect()
    }

    /// The two settings of the step to come. Values are rounded up with the probability of their fraction,
    /// both of an axis by the same draw, so that a perturbation below one unit is not lost.
    pub fn probe(&self) -> Probe {
        let mut probe = Probe { plus: Vec::new(), minus: Vec::new() };
        for ((axis, x), (sign, fraction)) in self.axes.iter().zip(&self.theta).zip(self.draws()) {
            let (_, c) = self.gains(axis);
            let at = |x: f64| ((x + fraction).floor() as i32).clamp(axis.min, axis.max);
            probe.plus.push(at(x + sign * c));
            probe.minus.push(at(x - sign * c));
        }
        probe
    }

    /// Makes the step: `result` is by how much `plus` did better than `minus`, in games won less games lost.
    pub fn update(&mut self, result: f64) {
        let draws = self.draws();
        let gains: Vec<(f64, f64)> = self.axes.iter().map(|axis| self.gains(axis)).collect();
        for (((x, axis), (sign, _)), (a, c)) in self.theta.iter_mut().zip(&self.axes).zip(draws).zip(gains) {
            *x = (*x + a / c * result * sign).clamp(f64::from(axis.min), f64::from(axis.max));
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> Vec<Axis> {
        vec![Axis::usual(0, 200, 40, 0.02), Axis::usual(-50, 50, 30, 0.02)]
    }

    /// Two games a step between settings whose strength falls with the square of the distance from (120, -10),
    /// the results drawn.
    fn climb(seed: u64, from: Spsa, until: u64) -> Spsa {
        let mut run = from;
        let strength = |v: &[i32]| {
            let (x, y) = (f64::from(v[0] - 120) / 100.0, f64::from(v[1] + 10) / 50.0);
            -400.0 * (x * x + y * y)
        };
        while run.done() < until {
            let probe = run.probe();
            let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xABCD);
            rng.set_stream(run.done());
            let elo = strength(&probe.plus) - strength(&probe.minus);
            let p = 1.0 / (1.0 + libm::pow(10.0, -elo / 400.0));
            let result = (0..2).map(|_| if rng.random::<f64>() < p { 1.0 } else { -1.0 }).sum();
            run.update(result);
        }
        run
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        for seed in 0..10 {
            let run = climb(seed, Spsa::new(axes(), 3000, seed), 3000);
            let found = run.values();
            assert!((found[0] - 120).abs() <= 15 && (found[1] + 10).abs() <= 10, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn a_resumed_run_is_the_same_run() {
        let whole = climb(3, Spsa::new(axes(), 200, 3), 200);
        let half = climb(3, Spsa::new(axes(), 200, 3), 77);
        let resumed = Spsa::new(axes(), 200, 3).resumed(77, half.theta().to_vec()).unwrap();
        assert_eq!(climb(3, resumed, 200), whole);
        assert!(Spsa::new(axes(), 200, 3).resumed(77, vec![1.0]).is_none());
        assert!(Spsa::new(axes(), 200, 3).resumed(201, vec![1.0, 1.0]).is_none());
        assert!(Spsa::new(axes(), 200, 3).resumed(7, vec![1.0, 99.0]).is_none());
    }

    #[test]
    fn gains_come_to_their_end_values() {
        let mut run = Spsa::new(axes(), 1000, 1);
        run.done = 999;
        let axis = run.axes[0];
        let (a, c) = run.gains(&axis);
        assert!((c - axis.c_end).abs() < 1e-9 && (a - axis.r_end * axis.c_end * axis.c_end).abs() < 1e-9);
    }

    #[test]
    fn rounding_keeps_the_mean_and_the_bounds() {
        let axis = Axis { min: 0, max: 9, start: 4.3, c_end: 1e-9, r_end: 0.0 };
        let mut run = Spsa::new(vec![axis], 20_000, 5);
        let mut sum = 0;
        while !run.is_over() {
            sum += run.probe().plus[0];
            run.update(1.0);
        }
        // Standard error 0.0032.
        let mean = f64::from(sum) / 20_000.0;
        assert!((mean - 4.3).abs() < 0.015, "{mean}");
        let edge = Spsa::new(vec![Axis { start: 9.0, c_end: 5.0, ..axis }], 10, 1);
        for value in [edge.probe().plus[0], edge.probe().minus[0]] {
            assert!((0..=9).contains(&value));
        }
    }
}
