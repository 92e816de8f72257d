//! The empirical table: units of evidence by cell, in the order they were played.

use super::equilibrium::{Equilibrium, EquilibriumError, equilibrium};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Which units are looked at. The units of a cell go to the halves in turn, so both halves of a cell are equally
/// large, up to one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The units on which choices are made: a cell's first, third ...
    Choosing,
    /// The units on which they are valued: a cell's second, fourth ...
    Valuing,
    /// All.
    Both,
}

/// Scores by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    rows: usize,
    columns: usize,
    symmetric: bool,
    units: Vec<Vec<f64>>,
}

/// An interval, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

impl Table {
    /// An empty table of row set-ups against column set-ups: two players with different parts (White and Black).
    pub fn new(rows: usize, columns: usize) -> Table {
        Table { rows, columns, symmetric: false, units: vec![Vec::new(); rows * columns] }
    }

    /// An empty table of `size` set-ups against each other, colours exchanged within a unit: cell (j, i) is 1 less
    /// cell (i, j), the diagonal one half, and only cells above it are played.
    pub fn symmetric(size: usize) -> Table {
        Table { symmetric: true, ..Table::new(size, size) }
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The cells that are played, row by row.
    pub fn cells(&self) -> Vec<(usize, usize)> {
        let all = (0..self.rows).flat_map(|i| (0..self.columns).map(move |j| (i, j)));
        all.filter(|(i, j)| !self.symmetric || i < j).collect()
    }

    /// Adds a unit to a cell that is played; `score` is the row player's, 0 to 1.
    pub fn push(&mut self, (row, column): (usize, usize), score: f64) {
        self.units[row * self.columns + column].push(score);
    }

    /// The scores of a cell that is played, of one half or both.
    pub fn units(&self, (row, column): (usize, usize), half: Half) -> Vec<f64> {
        let all = &self.units[row * self.columns + column];
        let (first, step) = match half {
            Half::Choosing => (0, 2),
            Half::Valuing => (1, 2),
            Half::Both => (0, 1),
        };
        all.iter().skip(first).step_by(step).copied().collect()
    }

    /// Units in all cells.
    pub fn len(&self) -> usize {
        self.units.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mean score of a cell; one half where nothing was played, and on a symmetric table's diagonal.
    pub fn mean(&self, (row, column): (usize, usize), half: Half) -> f64 {
        if self.symmetric && row >= column {
            return if row == column { 0.5 } else { 1.0 - self.mean((column, row), half) };
        }
        mean(&self.units((row, column), half)).unwrap_or(0.5)
    }

    /// All means, row by row.
    pub fn means(&self, half: Half) -> Vec<Vec<f64>> {
        let row = |i| (0..self.columns).map(|j| self.mean((i, j), half)).collect();
        (0..self.rows).map(row).collect()
    }

    /// The variance of a cell's unit (about its mean, n - 1), with two made-up units a quarter and three quarters
    /// of the way so that few units all alike do not look certain. For planning, not for tests.
    pub fn cautious_variance(&self, cell: (usize, usize), half: Half) -> f64 {
        let mut units = self.units(cell, half);
        units.extend([0.25, 0.75]);
        variance(&units)
    }

    /// The equilibrium of the means.
    ///
    /// # Errors
    /// As [`equilibrium`].
    pub fn solve(&self, half: Half) -> Result<Equilibrium, EquilibriumError> {
        equilibrium(&self.means(half))
    }

    /// What the row player gets when both mix as given: the sum over cells of both shares times the mean.
    pub fn value_of(&self, rows: &[f64], columns: &[f64], half: Half) -> f64 {
        let means = self.means(half);
        rows.iter().zip(&means).map(|(x, row)| x * dot(columns, row)).sum()
    }

    /// The tables of `count` bootstrap samples: in every cell its units of `half` drawn anew with replacement, as
    /// many as there are (the stratified bootstrap; Davison and Hinkley 1997, "Bootstrap Methods and their
    /// Application", 3.2). Same seed, same tables.
    pub fn resamples(&self, half: Half, count: usize, seed: u64) -> Vec<Table> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let cells = self.cells();
        let mut one = || {
            let mut table = Table { units: vec![Vec::new(); self.units.len()], ..self.clone() };
            for &cell in &cells {
                let units = self.units(cell, half);
                for _ in 0..units.len() {
                    table.push(cell, units[rng.random_range(0..units.len() as u32) as usize]);
                }
            }
            table
        };
        (0..count).map(|_| one()).collect()
    }
}

/// The percentile interval of replicates (Efron 1979, Annals of Statistics 7:1); nothing without any.
pub fn interval(replicates: &[f64], confidence: f64) -> Option<Bounds> {
    let mut sorted = replicates.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |p: f64| {
        let place = p * last as f64;
        let low = place.floor() as usize;
        sorted[low] + (sorted[(low + 1).min(last)] - sorted[low]) * (place - low as f64)
    };
    let tail = (1.0 - confidence) / 2.0;
    Some(Bounds { lower: at(tail), upper: at(1.0 - tail) })
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Sample variance (n - 1); 0 below two values.
pub(super) fn variance(values: &[f64]) -> f64 {
    let Some(mean) = mean(values).filter(|_| values.len() > 1) else { return 0.0 };
    values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (values.len() - 1) as f64
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units of 0 and 1 whose share of ones is `p`.
    fn planted(table: &mut Table, truth: &[&[f64]], units: usize, rng: &mut ChaCha8Rng) {
        for cell in table.cells() {
            for _ in 0..units {
                table.push(cell, f64::from(u8::from(rng.random_bool(truth[cell.0][cell.1]))));
            }
        }
    }

    #[test]
    fn halves_take_turns_and_together_are_all() {
        let mut table = Table::new(1, 1);
        [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().for_each(|s| table.push((0, 0), s));
        assert_eq!(table.units((0, 0), Half::Choosing), [0.0, 0.5, 1.0]);
        assert_eq!(table.units((0, 0), Half::Valuing), [0.25, 0.75]);
        assert_eq!(table.mean((0, 0), Half::Both), 0.5);
        assert_eq!(table.len(), 5);
    }

    #[test]
    fn a_symmetric_table_is_its_own_mirror_and_worth_one_half() {
        let mut table = Table::symmetric(3);
        assert_eq!(table.cells(), [(0, 1), (0, 2), (1, 2)]);
        for (cell, score) in [((0, 1), 0.8), ((0, 2), 0.3), ((1, 2), 0.9)] {
            table.push(cell, score);
        }
        assert_eq!((table.mean((2, 0), Half::Both), table.mean((1, 1), Half::Both)), (0.7, 0.5));
        let found = table.solve(Half::Both).unwrap();
        assert!((found.value - 0.5).abs() < 1e-9);
        // 0 beats 1, 1 beats 2, 2 beats 0, by 0.3, 0.4 and 0.2: shares as 0.4, 0.2 and 0.3.
        for (share, wanted) in found.rows.iter().zip([4.0 / 9.0, 2.0 / 9.0, 3.0 / 9.0]) {
            assert!((share - wanted).abs() < 1e-7, "{:?}", found.rows);
        }
    }

    /// A planted table with a known equilibrium comes back, and the value's interval covers it as often as stated.
    #[test]
    fn a_planted_table_is_recovered_with_the_stated_coverage() {
        // x = 0.5 and y = (0.375, 0.625) with value 0.45, and a dominated row and column.
        let truth: [&[f64]; 3] = [&[0.7, 0.3, 0.95], &[0.2, 0.6, 0.9], &[0.3, 0.05, 0.7]];
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut large = Table::new(3, 3);
        planted(&mut large, &truth, 20_000, &mut rng);
        let found = large.solve(Half::Both).unwrap();
        assert!((found.value - 0.45).abs() < 0.01 && found.rows[2] < 1e-9, "{found:?}");
        assert!((found.rows[0] - 0.5).abs() < 0.03 && (found.columns[0] - 0.375).abs() < 0.03, "{found:?}");

        let (runs, mut covered) = (200, 0);
        for seed in 0..runs {
            let mut table = Table::new(3, 3);
            planted(&mut table, &truth, 120, &mut rng);
            let values: Vec<f64> = table
                .resamples(Half::Both, 120, seed)
                .iter()
                .map(|t| t.solve(Half::Both).unwrap().value)
                .collect();
            let interval = interval(&values, 0.95).unwrap();
            covered += u32::from((interval.lower..=interval.upper).contains(&0.45));
        }
        // Binomial(200, 0.95): mean 190, standard deviation 3; few resamples cost a little.
        assert!((178..=199).contains(&covered), "{covered} of {runs}");
    }

    #[test]
    fn resamples_are_seeded_and_keep_the_numbers_of_units() {
        let mut table = Table::new(1, 2);
        (0..9).for_each(|i| table.push((0, 0), f64::from(i)));
        table.push((0, 1), 0.5);
        let sizes = |t: &Table| [(0, 0), (0, 1)].map(|c| t.units(c, Half::Both).len());
        let once = table.resamples(Half::Choosing, 20, 3);
        assert_eq!(once, table.resamples(Half::Choosing, 20, 3));
        assert_ne!(once, table.resamples(Half::Choosing, 20, 4));
        assert!(once.iter().all(|t| sizes(t) == [5, 1]));
        // Nothing of the other half comes in.
        assert!(once.iter().all(|t| t.units((0, 0), Half::Both).iter().all(|s| s % 2.0 == 0.0)));
    }

    /// `numpy.quantile([3, 1, 2, 10], [.05, .95])`.
    #[test]
    fn percentiles_interpolate() {
        let found = interval(&[3.0, 1.0, 2.0, 10.0], 0.9).unwrap();
        assert!((found.lower - 1.15).abs() < 1e-12 && (found.upper - 8.95).abs() < 1e-12);
        assert_eq!(interval(&[], 0.9), None);
        assert_eq!(interval(&[2.0], 0.9), Some(Bounds { lower: 2.0, upper: 2.0 }));
    }
}
