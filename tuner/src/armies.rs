//! Piece values from games between uneven armies, all imbalances at once. As in [odds matches](crate::odds), what
//! a side has too much adds up in the log-odds of its score; here one logistic regression of results on the
//! armies' differences takes every start together, so that any combination of values has an interval, in pawns.

use crate::logistic::{Data, Fit, Interval, fieller};

/// Games by what White's army has over Black's.
#[derive(Clone, Debug, Default)]
pub struct Games {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    unit: u64,
    lead: Vec<f64>,
    result: f64,
}

/// What armies turned out to be worth, in log-odds of the result.
#[derive(Clone, Debug)]
pub struct Worths {
    fit: Fit,
    basis: Basis,
    /// A pawn in the basis.
    pawn: Vec<f64>,
}

/// An orthonormal basis of the leads there were. Exchanges alone fix what one piece is worth more than another and
/// no piece's own worth: what is in their span is known, and nothing else.
#[derive(Clone, Debug, Default)]
struct Basis(Vec<Vec<f64>>);

impl Basis {
    /// What of a vector is not in the span, and the vector's coordinates there (Gram and Schmidt).
    fn split(&self, vector: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut rest = vector.to_vec();
        let mut coordinates = Vec::new();
        for axis in &self.0 {
            let part = dot(axis, &rest);
            rest.iter_mut().zip(axis).for_each(|(r, a)| *r -= part * a);
            coordinates.push(part);
        }
        (rest, coordinates)
    }

    /// Adds a vector, unless it is in the span.
    fn add(&mut self, vector: &[f64]) {
        let (mut rest, _) = self.split(vector);
        let length = dot(&rest, &rest).sqrt();
        if length > 1e-6 {
            rest.iter_mut().for_each(|r| *r /= length);
            self.0.push(rest);
        }
    }

    /// The coordinates of a vector in the span.
    fn coordinates(&self, vector: &[f64]) -> Option<Vec<f64>> {
        let (rest, coordinates) = self.split(vector);
        (dot(&rest, &rest) < 1e-9).then_some(coordinates)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A value in pawns or in log-odds, with its interval; in pawns without, where a pawn's own worth cannot be told from
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: Option<Interval>,
}

impl Games {
    /// Adds a game of unit `unit`: White's pieces less Black's, one number a kind, and White's result, 0 to 1. Games
    /// of a unit come one after the other.
    pub fn push(&mut self, unit: u64, lead: &[f64], result: f64) {
        self.rows.push(Row { unit, lead: lead.to_vec(), result });
    }

    /// Games so far.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The likeliest worths, kind `pawn` being the unit. Nothing if no start tells what a pawn is worth, or if a
    /// side won every game that it was ahead in.
    pub fn fit(&self, pawn: usize) -> Option<Worths> {
        let width = self.rows.first()?.lead.len();
        let mut basis = Basis::default();
        self.rows.iter().for_each(|row| basis.add(&row.lead));
        let unit: Vec<f64> = (0..width).map(|kind| f64::from(u8::from(kind == pawn))).collect();
        let pawn = basis.coordinates(&unit)?;
        let mut data = Data::new(1 + basis.0.len());
        for row in &self.rows {
            let x: Vec<f64> = std::iter::once(1.0).chain(basis.split(&row.lead).1).collect();
            data.push(row.unit, &x, row.result);
        }
        Some(Worths { fit: data.fit()?, basis, pawn })
    }
}

impl Worths {
    /// What a combination of kinds (so much of each) is worth in pawns, with its interval at normal quantile `z`
    /// (Fieller's). Nothing if the starts do not tell, or if pawns are worth less than nothing.
    pub fn of(&self, combination: &[f64], z: f64) -> Option<Worth> {
        let sum = self.basis.coordinates(combination)?;
        let coefficients = &self.fit.coefficients[1..];
        let (value, unit) = (dot(&sum, coefficients), dot(&self.pawn, coefficients));
        if unit <= 0.0 {
            return None;
        }
        let covariance = [(&sum, &sum), (&self.pawn, &self.pawn), (&sum, &self.pawn)];
        let covariance = covariance.map(|(a, b)| self.covariance(a, b));
        Some(Worth { value: value / unit, interval: fieller(value, unit, covariance, z) })
    }

    /// The same in log-odds of the score, with its normal interval: what something is worth where a pawn's worth
    /// is not to be relied on as a unit.
    pub fn log_odds(&self, combination: &[f64], z: f64) -> Option<Worth> {
        let sum = self.basis.coordinates(combination)?;
        let value = dot(&sum, &self.fit.coefficients[1..]);
        let reach = z * self.covariance(&sum, &sum).sqrt();
        Some(Worth { value, interval: Some(Interval { lower: value - reach, upper: value + reach }) })
    }

    fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let width = self.fit.coefficients.len();
        let rows = self.fit.covariance.chunks(width).skip(1);
        rows.zip(a).map(|(row, a)| a * dot(&row[1..], b)).sum()
    }
}

impl Worth {
    /// This worth less an independent one. The interval recovers its variance from those of both (MOVER; Zou and
    /// Donner 2008, Statistics in Medicine 27:1693), so that lopsided intervals are taken as they are.
    pub fn less(self, other: Worth) -> Worth {
        let value = self.value - other.value;
        let interval = self.interval.zip(other.interval).map(|(a, b)| Interval {
            lower: value - (self.value - a.lower).hypot(b.upper - other.value),
            upper: value + (a.upper - self.value).hypot(other.value - b.lower),
        });
        Worth { value, interval }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const Z95: f64 = 1.959_963_984_540_054;
    /// Pawn, knight, rook, Mageca, in pawns.
    const TRUTH: [f64; 4] = [1.0, 3.0, 5.0, 4.2];

    /// Games at pawn odds and at two exchanges, colours in turn; `pawn` is a pawn's worth in log-odds, and White has
    /// the first move.
    fn games(seed: u64, per_match: u32, truth: [f64; 4], pawn: f64) -> Games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut games = Games::default();
        for lead in [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 1.0, -1.0]] {
            for game in 0..per_match {
                let turn = if game % 2 == 0 { 1.0 } else { -1.0 };
                let lead = lead.map(|n| n * turn);
                let worth: f64 = lead.iter().zip(truth).map(|(n, worth)| n * worth).sum();
                let p = 1.0 / (1.0 + libm::exp(-(0.2 + pawn * worth)));
                // Two draws from p: a win, a loss, or a draw between, with the right mean.
                let mut half = || if rng.random::<f64>() < p { 0.5 } else { 0.0 };
                let result = half() + half();
                games.push(games.len() as u64, &lead, result);
            }
        }
        games
    }

    #[test]
    fn planted_values_come_back_with_the_stated_coverage() {
        let half_way = [0.0, -0.5, -0.5, 1.0];
        let truth: f64 = half_way.iter().zip(TRUTH).map(|(c, t)| c * t).sum();
        let n = 1000;
        let mut held = 0;
        for seed in 0..n {
            let worths = games(seed, 400, TRUTH, 0.5).fit(0).unwrap();
            let interval = worths.of(&half_way, Z95).unwrap().interval.unwrap();
            held += u32::from((interval.lower..=interval.upper).contains(&truth));
        }
        let share = f64::from(held) / n as f64;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_difference_of_two_runs_covers_too() {
        let (opening, endgame) = (TRUTH, [1.0, 3.0, 5.0, 3.7]);
        let knight_up = [0.0, -1.0, 0.0, 1.0];
        let n = 600;
        let mut held = 0;
        for seed in 0..n {
            let worth = |truth, seed, pawn| {
                games(seed, 300, truth, pawn).fit(0).unwrap().of(&knight_up, Z95).unwrap()
            };
            let gain = worth(endgame, seed, 0.8).less(worth(opening, seed + n, 0.5));
            held += u32::from(gain.interval.is_some_and(|i| (i.lower..=i.upper).contains(&-0.5)));
        }
        let share = f64::from(held) / n as f64;
        assert!((0.93..=0.975).contains(&share), "{share}");
    }

    #[test]
    fn what_the_games_do_not_say_is_not_said() {
        let worths = games(1, 200, TRUTH, 0.5).fit(0).unwrap();
        assert!((worths.of(&[2.0, 0.0, 0.0, 0.0], Z95).unwrap().value - 2.0).abs() < 1e-9);
        // Exchanges fix differences, and no kind's own worth.
        assert!(worths.of(&[0.0, -1.0, 1.0, 0.0], Z95).is_some());
        assert_eq!(worths.of(&[0.0, 1.0, 0.0, 0.0], Z95), None);
        // Nor is there a worth without pawn odds, or without a game.
        assert!(Games::default().fit(0).is_none());
        assert!(games(1, 200, TRUTH, 0.5).fit(1).is_none());
        // Games that pawns decide the wrong way have no unit to measure by.
        let wrong = games(2, 400, TRUTH, -0.5).fit(0).unwrap();
        assert_eq!(wrong.of(&[0.0, -1.0, 0.0, 1.0], Z95), None);
        let worth = wrong.log_odds(&[0.0, -1.0, 0.0, 1.0], Z95).unwrap();
        assert!(worth.interval.is_some_and(|i| i.lower < -0.6 && i.upper > -0.6), "{worth:?}");
    }
}
