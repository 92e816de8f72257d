//! Several claims at once.

/// Each claim's share of the error probability when `claims` of them are decided as one family: alpha / m
/// (Bonferroni; Dunn 1961, JASA 56:52). It holds for any dependence and any stopping. Without claims, alpha.
pub fn bonferroni_share(alpha: f64, claims: usize) -> f64 {
    alpha / claims.max(1) as f64
}

/// Holm's step-down adjusted p values (Holm 1979, Scandinavian Journal of Statistics 6:65), in the order given:
/// the family-wise error is at most alpha if those at most alpha are rejected. A p that is not a number counts
/// as 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let m = p_values.len();
    let mut adjusted = vec![1.0; m];
    let mut largest = 0.0_f64;
    for (rank, (index, p)) in ascending(p_values).into_iter().enumerate() {
        largest = largest.max(p * (m - rank) as f64).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// Benjamini and Hochberg's adjusted p values (1995, JRSS B 57:289), in the order given: rejecting those at
/// most q keeps the false discovery rate at q for independent tests. A p that is not a number counts as 1.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let m = p_values.len();
    let mut adjusted = vec![1.0; m];
    let mut least = 1.0_f64;
    for (rank, (index, p)) in ascending(p_values).into_iter().enumerate().rev() {
        least = least.min(p * m as f64 / (rank + 1) as f64);
        adjusted[index] = least;
    }
    adjusted
}

/// Positions and values, smallest first.
fn ascending(p_values: &[f64]) -> Vec<(usize, f64)> {
    let clean = |p: &f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let mut order: Vec<(usize, f64)> = p_values.iter().map(clean).enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    // statsmodels.stats.multitest.multipletests(P, method="holm" / "fdr_bh")[1]
    const P: [f64; 8] = [0.01, 0.5, 0.002, 0.04, 0.03, 0.9, 0.013, 0.04];
    const HOLM: [f64; 8] = [0.07, 1.0, 0.016, 0.16, 0.15, 1.0, 0.078, 0.16];
    const BH: [f64; 8] = [
        0.03466666666667,
        0.5714285714286,
        0.016,
        0.05333333333333,
        0.05333333333333,
        0.9,
        0.03466666666667,
        0.05333333333333,
    ];

    #[test]
    fn agree_with_statsmodels() {
        for ((actual, expected), (bh, expected_bh)) in
            holm(&P).into_iter().zip(HOLM).zip(benjamini_hochberg(&P).into_iter().zip(BH))
        {
            assert_close(actual, expected, 1e-12);
            assert_close(bh, expected_bh, 1e-12);
        }
    }

    #[test]
    fn empty_single_and_undefined() {
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
        assert_eq!((holm(&[0.03]), benjamini_hochberg(&[0.03])), (vec![0.03], vec![0.03]));
        assert_eq!(holm(&[f64::NAN, 0.01]), vec![1.0, 0.02]);
        assert_eq!(bonferroni_share(0.05, 10), 0.005);
        assert_eq!(bonferroni_share(0.05, 0), 0.05);
    }
}
