//! Where the next games go.

use super::equilibrium::EquilibriumError;
use super::table::{Half, Table};

/// Shares of the games: for the mixtures' own cells, for deviations of either player from the other's mixture, and
/// spread evenly so that no cell is written off by bad luck.
const BOTH: f64 = 0.5;
const DEVIATION: f64 = 0.2;
const EVEN: f64 = 0.1;

/// How the next `units` units are best spread over the cells that are played (in the order of [`Table::cells`]):
/// the answer adds up to `units`.
///
/// Each resample of the choosing half has its equilibrium; a cell matters as much as both mixtures play it on
/// average, and also if one player's mixture meets it when the other tries something else. A cell's fair number of
/// units goes with that and with the spread of its scores (Neyman 1934, JRSS 97:558); the next units go where most
/// are lacking. Only the choosing half decides, so the valuing half of a cell stays an honest sample of that cell.
///
/// # Errors
/// A resample that cannot be solved.
pub fn allocate(
    table: &Table,
    units: usize,
    resamples: usize,
    seed: u64,
) -> Result<Vec<usize>, EquilibriumError> {
    let cells = table.cells();
    let (rows, columns) = table.size();
    let mut weights = vec![EVEN / cells.len() as f64; cells.len()];
    for sample in table.resamples(Half::Choosing, resamples, seed) {
        let found = sample.solve(Half::Both)?;
        for (weight, &(i, j)) in weights.iter_mut().zip(&cells) {
            let (x, y) = (found.rows[i], found.columns[j]);
            let own = BOTH * x * y + DEVIATION * (x / columns as f64 + y / rows as f64);
            *weight += own / resamples as f64;
        }
    }
    for (weight, &cell) in weights.iter_mut().zip(&cells) {
        *weight *= table.cautious_variance(cell, Half::Choosing).sqrt();
    }
    let played: Vec<f64> = cells.iter().map(|&c| table.units(c, Half::Both).len() as f64).collect();
    let total: f64 = weights.iter().sum();
    let after = played.iter().sum::<f64>() + units as f64;
    let lacking: Vec<f64> =
        weights.iter().zip(&played).map(|(w, n)| (after * w / total - n).max(0.0)).collect();
    Ok(apportion(&lacking, units))
}

/// `units` shared out in proportion to `claims` (evenly if all are 0), whole numbers by largest remainder, the
/// first of equals.
fn apportion(claims: &[f64], units: usize) -> Vec<usize> {
    let total: f64 = claims.iter().sum();
    let share = |claim: f64| {
        let part = if total > 0.0 { claim / total } else { 1.0 / claims.len() as f64 };
        units as f64 * part
    };
    let shares: Vec<f64> = claims.iter().map(|c| share(*c)).collect();
    let mut given: Vec<usize> = shares.iter().map(|s| s.floor() as usize).collect();
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by(|&a, &b| (shares[b] - shares[b].floor()).total_cmp(&(shares[a] - shares[a].floor())));
    let left = units.saturating_sub(given.iter().sum());
    for &place in order.iter().cycle().take(left) {
        given[place] += 1;
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_follow_the_claims() {
        assert_eq!(apportion(&[1.0, 1.0, 2.0], 8), [2, 2, 4]);
        assert_eq!(apportion(&[1.0, 1.0, 1.0], 8), [3, 3, 2]);
        assert_eq!(apportion(&[0.0, 0.0], 3), [2, 1]);
        assert_eq!(apportion(&[0.0, 5.0], 3), [0, 3]);
    }

    /// Games go to the cells that the equilibrium plays, and away from rows that are far too bad.
    #[test]
    fn games_go_where_the_equilibrium_needs_them() {
        let mut table = Table::new(3, 2);
        let truth = [[0.7, 0.3], [0.3, 0.7], [0.1, 0.1]];
        for (i, j) in table.cells() {
            for unit in 0..40 {
                table.push((i, j), f64::from(u8::from(f64::from(unit % 10) < truth[i][j] * 10.0)));
            }
        }
        let next = allocate(&table, 600, 50, 1).unwrap();
        assert_eq!(next.iter().sum::<usize>(), 600);
        let row = |i: usize| next[2 * i] + next[2 * i + 1];
        assert!(row(0) > 180 && row(1) > 180 && row(2) < 120, "{next:?}");
        assert_eq!(next, allocate(&table, 600, 50, 1).unwrap());
    }

    #[test]
    fn the_valuing_half_decides_nothing() {
        let mut table = Table::new(2, 2);
        for cell in table.cells() {
            (0..20).for_each(|unit| table.push(cell, f64::from(u8::from(unit % 4 < 2))));
        }
        let before = allocate(&table, 100, 20, 1).unwrap();
        let mut other = Table::new(2, 2);
        for cell in table.cells() {
            for (unit, score) in table.units(cell, Half::Both).into_iter().enumerate() {
                other.push(cell, if unit % 2 == 1 { f64::from(cell.0 as u32) } else { score });
            }
        }
        assert_ne!(table, other);
        assert_eq!(before, allocate(&other, 100, 20, 1).unwrap());
    }
}
