//! A small evolution of whole numbers: mutants of the best so far, all measured on the same fresh sample, the best
//! of them and of the parent goes on (a (1 + lambda) strategy, the parent measured again; Beyer and Schwefel 2002,
//! Natural Computing 1:3). It needs no gradient and bears noise: a parent that was lucky is found out.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Spread of a mutation in the first and in the last generation, as a share of the number.
const FIRST_SPREAD: f64 = 0.35;
const LAST_SPREAD: f64 = 0.08;

/// A whole number that is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// Least value.
    pub low: u32,
    /// Greatest value.
    pub high: u32,
    /// It is a multiple of this.
    pub step: u32,
}

/// The mutant of number `index` (from 1) in `generation` (from 0) of `generations`: each number changes with
/// probability one half, at least one does, by a share that falls from generation to generation. Same seed, same
/// mutant.
pub fn mutant(
    parent: &[u32],
    genes: &[Gene],
    (generation, generations): (usize, usize),
    index: usize,
    seed: u64,
) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(((generation as u64) << 32) | index as u64);
    let way = generation as f64 / generations.saturating_sub(1).max(1) as f64;
    let spread = FIRST_SPREAD + (LAST_SPREAD - FIRST_SPREAD) * way;
    let mut values = parent.to_vec();
    // A small number may round back to itself: drawn again, a few times.
    for _ in 0..20 {
        for (value, gene) in values.iter_mut().zip(genes) {
            if rng.random_bool(0.5) {
                let moved = f64::from(*value) * (1.0 + spread * (2.0 * rng.random::<f64>() - 1.0));
                let steps = (moved / f64::from(gene.step)).round() as u32;
                *value = (steps * gene.step).clamp(gene.low, gene.high);
            }
        }
        if values != parent {
            break;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENES: [Gene; 3] = [
        Gene { low: 50, high: 400, step: 5 },
        Gene { low: 1, high: 80, step: 1 },
        Gene { low: 5, high: 80, step: 1 },
    ];

    #[test]
    fn mutants_are_seeded_differ_and_keep_within_bounds() {
        let parent = [100, 1, 80];
        for generation in 0..6 {
            for index in 1..20 {
                let child = mutant(&parent, &GENES, (generation, 6), index, 9);
                assert_eq!(child, mutant(&parent, &GENES, (generation, 6), index, 9));
                assert_ne!(child, parent);
                for (value, gene) in child.iter().zip(GENES) {
                    assert!((gene.low..=gene.high).contains(value) && value % gene.step == 0, "{child:?}");
                }
            }
        }
        assert_ne!(mutant(&parent, &GENES, (0, 6), 1, 9), mutant(&parent, &GENES, (0, 6), 2, 9));
    }

    /// A noisy quadratic about (240, 10, 30), measured with a standard deviation of a tenth of its start.
    #[test]
    fn a_noisy_valley_is_found() {
        let loss = |v: &[u32], rng: &mut ChaCha8Rng| {
            let off = [(v[0], 240.0), (v[1], 10.0), (v[2], 30.0)].map(|(x, t)| libm::log(f64::from(x) / t));
            off.iter().map(|d| d * d).sum::<f64>() + 0.2 * (rng.random::<f64>() - 0.5)
        };
        for seed in 0..5 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut parent = vec![100, 20, 60];
            for generation in 0..30 {
                let mut all = vec![parent.clone()];
                all.extend((1..=8).map(|i| mutant(&parent, &GENES, (generation, 30), i, seed)));
                let losses: Vec<f64> = all.iter().map(|v| loss(v, &mut rng)).collect();
                let best = (0..all.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b])).unwrap();
                parent.clone_from(&all[best]);
            }
            let found = [(parent[0], 240.0), (parent[1], 10.0), (parent[2], 30.0)];
            let off = found.map(|(x, t): (u32, f64)| libm::log(f64::from(x) / t).abs());
            assert!(off.iter().all(|d| *d < 0.45), "seed {seed}: {parent:?}");
        }
    }
}
