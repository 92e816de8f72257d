//! The mixed equilibrium of a zero-sum table, by linear programme.
//!
//! The row player's mixture x and the value v: maximise v under sum over i of x_i a_ij >= v for every column, x a
//! distribution (von Neumann 1928, Mathematische Annalen 100:295; Dantzig 1951 for the programme). The column
//! player's mixture comes from the same programme on the negated, transposed table.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

/// Largest difference between what the two mixtures guarantee that still counts as solved.
const TOLERANCE: f64 = 1e-6;

/// A mixed equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The row player's mixture: a share for each row, together 1.
    pub rows: Vec<f64>,
    /// The column player's mixture.
    pub columns: Vec<f64>,
    /// What the row player gets.
    pub value: f64,
}

/// A table that could not be solved.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EquilibriumError {
    /// No rows, no columns, rows of different lengths, or a cell that is no number.
    #[error("no table to solve: expected rows of equal length with a number in each cell")]
    NoTable,
    /// The linear programme was given up.
    #[error("the linear programme was not solved: {0}")]
    Programme(String),
    /// The mixtures that came out do not belong together.
    #[error("the linear programme's two answers differ by {0:e}, expected less than 1e-6")]
    Gap(f64),
}

/// The mixed equilibrium of `cells`, row by row. Where there are several, one of them: the value is the same.
///
/// # Errors
/// No table; a programme that the solver gives up or whose answer does not check.
pub fn equilibrium(cells: &[Vec<f64>]) -> Result<Equilibrium, EquilibriumError> {
    let width = cells.first().map_or(0, Vec::len);
    let sound = width > 0 && cells.iter().all(|row| row.len() == width && row.iter().all(|c| c.is_finite()));
    if !sound {
        return Err(EquilibriumError::NoTable);
    }
    let turned: Vec<Vec<f64>> = (0..width).map(|j| cells.iter().map(|row| -row[j]).collect()).collect();
    let rows = maximin(cells)?;
    let columns = maximin(&turned)?;
    // What each mixture guarantees on the table itself: a check that does not trust the solver.
    let against_column = |j: usize| rows.iter().zip(cells).map(|(x, row)| x * row[j]).sum::<f64>();
    let against_row = |row: &Vec<f64>| columns.iter().zip(row).map(|(y, c)| y * c).sum::<f64>();
    let least = (0..width).map(against_column).fold(f64::INFINITY, f64::min);
    let most = cells.iter().map(against_row).fold(f64::NEG_INFINITY, f64::max);
    if (most - least).abs() > TOLERANCE {
        return Err(EquilibriumError::Gap(most - least));
    }
    Ok(Equilibrium { rows, columns, value: (least + most) / 2.0 })
}

/// The row player's mixture that guarantees most.
fn maximin(cells: &[Vec<f64>]) -> Result<Vec<f64>, EquilibriumError> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let least = cells.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    // Shifted so that the value is not negative: a variable without a lower bound is harder to solve for.
    let value = problem.add_var(1.0, (0.0, f64::INFINITY));
    let shares: Vec<Variable> = cells.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    for j in 0..cells[0].len() {
        let mut terms: Vec<(Variable, f64)> =
            shares.iter().zip(cells).map(|(&x, row)| (x, row[j] - least)).collect();
        terms.push((value, -1.0));
        problem.add_constraint(terms.as_slice(), ComparisonOp::Ge, 0.0);
    }
    let all: Vec<(Variable, f64)> = shares.iter().map(|&x| (x, 1.0)).collect();
    problem.add_constraint(all.as_slice(), ComparisonOp::Eq, 1.0);
    let outcome = problem.solve().map_err(|e| EquilibriumError::Programme(e.to_string()))?;
    let SolveOutcome::Solution(solution) = outcome else {
        return Err(EquilibriumError::Programme("it was given up".to_owned()));
    };
    let mixture: Vec<f64> = shares.iter().map(|&x| solution.var_value(x).max(0.0)).collect();
    let total: f64 = mixture.iter().sum();
    Ok(mixture.into_iter().map(|x| x / total).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], wanted: &[f64]) {
        assert_eq!(found.len(), wanted.len());
        for (a, b) in found.iter().zip(wanted) {
            assert!((a - b).abs() < 1e-7, "{found:?}, expected {wanted:?}");
        }
    }

    fn solved(cells: &[&[f64]]) -> Equilibrium {
        equilibrium(&cells.iter().map(|row| row.to_vec()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn matching_pennies() {
        let found = solved(&[&[1.0, -1.0], &[-1.0, 1.0]]);
        close(&found.rows, &[0.5, 0.5]);
        close(&found.columns, &[0.5, 0.5]);
        close(&[found.value], &[0.0]);
        // Uneven stakes: x (4) + (1 - x) (-2) = x (-3) + (1 - x) (1), so x = 0.3 and the value -0.2.
        let uneven = solved(&[&[4.0, -3.0], &[-2.0, 1.0]]);
        close(&uneven.rows, &[0.3, 0.7]);
        close(&uneven.columns, &[0.4, 0.6]);
        close(&[uneven.value], &[-0.2]);
    }

    #[test]
    fn rock_paper_scissors() {
        let found = solved(&[&[0.5, 0.0, 1.0], &[1.0, 0.5, 0.0], &[0.0, 1.0, 0.5]]);
        close(&found.rows, &[1.0 / 3.0; 3]);
        close(&found.columns, &[1.0 / 3.0; 3]);
        close(&[found.value], &[0.5]);
        // Uneven stakes: each is played as often as the stake between the other two is high.
        let weighted = solved(&[&[0.0, -1.0, 2.0], &[1.0, 0.0, -1.0], &[-2.0, 1.0, 0.0]]);
        close(&weighted.rows, &[0.25, 0.5, 0.25]);
        close(&[weighted.value], &[0.0]);
    }

    #[test]
    fn dominated_rows_and_columns_are_not_played() {
        // The last row is worse than the first everywhere, the last column worse for its player than the first.
        let found = solved(&[&[0.7, 0.3, 0.8], &[0.2, 0.6, 0.9], &[0.6, 0.2, 0.7]]);
        assert_eq!((found.rows[2], found.columns[2]), (0.0, 0.0));
        // x 0.7 + (1 - x) 0.2 = x 0.3 + (1 - x) 0.6: x = 0.5, value 0.45.
        close(&found.rows, &[0.5, 0.5, 0.0]);
        close(&found.columns, &[0.375, 0.625, 0.0]);
        close(&[found.value], &[0.45]);
    }

    #[test]
    fn a_saddle_point_is_pure_and_one_cell_is_its_own_value() {
        let found = solved(&[&[0.4, 0.6], &[0.3, 0.2]]);
        close(&found.rows, &[1.0, 0.0]);
        close(&found.columns, &[1.0, 0.0]);
        close(&[found.value], &[0.4]);
        close(&[solved(&[&[-3.0]]).value], &[-3.0]);
        close(&[solved(&[&[0.1, 0.7, 0.4]]).value], &[0.1]);
    }

    /// Every mixture of an all-alike table is an equilibrium: degenerate programmes must be solved too.
    #[test]
    fn a_table_all_alike() {
        let found = equilibrium(&vec![vec![0.5; 8]; 8]).unwrap();
        close(&[found.value, found.rows.iter().sum(), found.columns.iter().sum()], &[0.5, 1.0, 1.0]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for cells in [vec![], vec![vec![]], vec![vec![0.1, 0.2], vec![0.3]], vec![vec![f64::NAN]]] {
            assert_eq!(equilibrium(&cells), Err(EquilibriumError::NoTable));
        }
    }
}
