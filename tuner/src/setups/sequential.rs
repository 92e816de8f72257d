//! The game in which the column player sets up first and the row player, who sees it, second.

use super::table::{Half, Table, variance};

/// What setting up second with knowledge is worth, chosen on one half of the units and valued on the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Relocation {
    /// The row player's best answer to each column, by the choosing half.
    pub answers: Vec<usize>,
    /// The column that the first player chooses, knowing that it is answered so.
    pub column: usize,
    /// The row player's score in that line of play, by the valuing half.
    pub value: f64,
    /// His score when both set up at random, uniformly over the pairs allowed, by the valuing half.
    pub random: f64,
    /// His score when the first player sets up at random (each column as often as pairs allowed are drawn from it)
    /// and he answers best, by the valuing half.
    pub answering_random: f64,
    /// `value` less `random`.
    pub gain: f64,
    /// Standard error of `gain`.
    pub gain_error: f64,
    /// `answering_random` less `random`.
    pub answering_gain: f64,
    /// Standard error of `answering_gain`.
    pub answering_error: f64,
}

/// Solves the sequential game over the pairs (row, column) that `allowed` allows. Nothing if some column has no
/// answer, or a cell has fewer than two units in the valuing half.
pub fn relocation(table: &Table, allowed: impl Fn(usize, usize) -> bool) -> Option<Relocation> {
    let (rows, columns) = table.size();
    let cells: Vec<(usize, usize)> = table.cells().into_iter().filter(|&(i, j)| allowed(i, j)).collect();
    let choosing = table.means(Half::Choosing);
    let mut answers = Vec::new();
    let met_by = |i: usize, j: usize| choosing[i][j];
    for j in 0..columns {
        let open = (0..rows).filter(|&i| allowed(i, j));
        answers.push(open.max_by(|&a, &b| met_by(a, j).total_cmp(&met_by(b, j)).then(b.cmp(&a)))?);
    }
    let met = |j: usize| met_by(answers[j], j);
    let column = (0..columns).min_by(|&a, &b| met(a).total_cmp(&met(b)))?;
    // Each figure is a weighted sum of cell means on the other half, so its variance is one of cell variances.
    let mut errors = Vec::new();
    let mut sums = Vec::new();
    for &cell in &cells {
        let units = table.units(cell, Half::Valuing);
        if units.len() < 2 {
            return None;
        }
        sums.push(table.mean(cell, Half::Valuing));
        errors.push(variance(&units) / units.len() as f64);
    }
    let even = 1.0 / cells.len() as f64;
    let weighted = |weights: &[f64]| -> (f64, f64) {
        let value = weights.iter().zip(&sums).map(|(w, m)| w * m).sum();
        let error = weights.iter().zip(&errors).map(|(w, e)| w * w * e).sum::<f64>().sqrt();
        (value, error)
    };
    let line: Vec<f64> = cells.iter().map(|&c| f64::from(u8::from(c == (answers[column], column)))).collect();
    let drawn = |j: usize| cells.iter().filter(|c| c.1 == j).count() as f64 * even;
    let answering: Vec<f64> =
        cells.iter().map(|&(i, j)| if answers[j] == i { drawn(j) } else { 0.0 }).collect();
    let random = vec![even; cells.len()];
    let less = |a: &[f64]| a.iter().map(|w| w - even).collect::<Vec<f64>>();
    let (gain, gain_error) = weighted(&less(&line));
    let (answering_gain, answering_error) = weighted(&less(&answering));
    Some(Relocation {
        column,
        value: weighted(&line).0,
        random: weighted(&random).0,
        answering_random: weighted(&answering).0,
        answers,
        gain,
        gain_error,
        answering_gain,
        answering_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn played(truth: &[[f64; 3]; 3], units: usize, seed: u64) -> Table {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut table = Table::new(3, 3);
        for cell in table.cells() {
            for _ in 0..units {
                table.push(cell, f64::from(u8::from(rng.random_bool(truth[cell.0][cell.1]))));
            }
        }
        table
    }

    /// The best answers are 0.6, 0.7 and 0.8 (the last is barred, so 0.55): the first player takes the last column.
    #[test]
    fn a_planted_game_is_solved_within_the_pairs_allowed() {
        let truth = [[0.6, 0.4, 0.55], [0.3, 0.7, 0.5], [0.2, 0.1, 0.8]];
        let table = played(&truth, 20_000, 1);
        let found = relocation(&table, |i, j| (i, j) != (2, 2)).unwrap();
        assert_eq!((found.answers.as_slice(), found.column), ([0, 1, 0].as_slice(), 2));
        let random = (0.6 + 0.4 + 0.55 + 0.3 + 0.7 + 0.5 + 0.2 + 0.1) / 8.0;
        let answering = (3.0 * 0.6 + 3.0 * 0.7 + 2.0 * 0.55) / 8.0;
        for (value, wanted) in [
            (found.value, 0.55),
            (found.random, random),
            (found.answering_random, answering),
            (found.gain, 0.55 - random),
            (found.answering_gain, answering - random),
        ] {
            assert!((value - wanted).abs() < 0.015, "{value}, expected {wanted}");
        }
    }

    /// Where all set-ups are alike the gain is nought: chosen and valued on the same games it would be well above.
    #[test]
    fn nothing_is_gained_by_choosing_among_equals() {
        let (runs, mut gains, mut within) = (400, 0.0, 0);
        for seed in 0..runs {
            let found = relocation(&played(&[[0.5; 3]; 3], 40, seed), |_, _| true).unwrap();
            gains += found.answering_gain / runs as f64;
            within += u32::from(found.answering_gain.abs() < 1.96 * found.answering_error);
        }
        // A run's standard error is about 0.05, so the mean's is 0.0025.
        assert!(gains.abs() < 0.008, "{gains}");
        assert!((368..=394).contains(&within), "{within}");
    }

    #[test]
    fn too_few_units_or_no_answer_is_no_solution() {
        assert_eq!(relocation(&played(&[[0.5; 3]; 3], 3, 1), |_, _| true), None);
        assert_eq!(relocation(&played(&[[0.5; 3]; 3], 9, 1), |_, j| j > 0), None);
    }
}
