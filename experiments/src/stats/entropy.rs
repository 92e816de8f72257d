//! Entropy of counted outcomes (first moves, results).

/// Shannon's entropy of the relative frequencies, in bits (Shannon 1948, Bell System Technical Journal 27:379).
/// 0 without observations. Biased downwards in small samples; see [`miller_madow`].
pub fn entropy(counts: &[u64]) -> f64 {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return 0.0;
    }
    let n = n as f64;
    counts
        .iter()
        .filter(|&&c| c > 0)
        .map(|&c| {
            let p = c as f64 / n;
            -p * libm::log2(p)
        })
        .sum::<f64>()
        .max(0.0)
}

/// The entropy in bits of a choice with the probabilities `weights` over their sum. Weights that are not positive
/// count as none; 0 without any.
pub fn entropy_of_weights(weights: &[f64]) -> f64 {
    let positive = || weights.iter().copied().filter(|w| *w > 0.0);
    let total: f64 = positive().sum();
    positive().map(|w| -(w / total) * libm::log2(w / total)).sum::<f64>().max(0.0)
}

/// The entropy in bits with the Miller-Madow correction of the bias: (classes seen - 1) / (2 n) nats more
/// (Miller 1955, "Note on the bias of information estimates"). 0 without observations.
pub fn miller_madow(counts: &[u64]) -> f64 {
    let n: u64 = counts.iter().sum();
    let seen = counts.iter().filter(|&&c| c > 0).count();
    if n == 0 {
        return 0.0;
    }
    entropy(counts) + (seen as f64 - 1.0) / (2.0 * n as f64) * std::f64::consts::LOG2_E
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::test_support::assert_close;

    #[test]
    fn known_entropies() {
        assert_eq!(entropy(&[]), 0.0);
        assert_eq!(entropy(&[0, 0]), 0.0);
        assert_eq!(entropy(&[5]), 0.0);
        assert_close(entropy(&[1, 1, 1, 1]), 2.0, 1e-12);
        // scipy.stats.entropy([40, 30, 20, 10, 0], base=2)
        assert_close(entropy(&[40, 30, 20, 10, 0]), 1.84643934467102, 1e-12);
        // Weights are counts of any size.
        assert_close(entropy_of_weights(&[0.4, 0.3, 0.2, 0.1, 0.0, -1.0]), 1.84643934467102, 1e-12);
        assert_eq!(entropy_of_weights(&[]), 0.0);
        assert_close(miller_madow(&[1, 1]), 1.0 + 0.25 * std::f64::consts::LOG2_E, 1e-12);
        assert_eq!(miller_madow(&[]), 0.0);
        assert_eq!(miller_madow(&[9]), 0.0);
    }
}
