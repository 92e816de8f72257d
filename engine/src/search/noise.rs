//! Errors of judgement, for players that are to be fallible.

/// What a player takes a position for is off by an error that belongs to the position: the same however
/// often and by whatever line it is reached, another one in another game. In centipawns and whole numbers
/// throughout, so that every machine errs alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Noise {
    /// Standard deviation of the error, centipawns; 0 for a player that does not err.
    pub deviation: u32,
    /// Which errors, of all that have this deviation.
    pub seed: u64,
}

impl Noise {
    /// Largest deviation, centipawns. Four times it is well below any mate.
    pub const MAX_DEVIATION: u32 = 5_000;

    /// The error about the position with this key: nearly normal, the sum of four uniform numbers (an
    /// Irwin-Hall law, which ends at 3.46 deviations).
    pub fn error(self, key: u64) -> i32 {
        let bits = mix(key ^ mix(self.seed));
        let sum: i64 = (0..4).map(|lane| (bits >> (16 * lane) & 0xffff) as i64).sum();
        // Four uniform numbers from 0 to 65,535 have the mean 131,070 and the standard deviation 37,837.
        let deviation = i64::from(self.deviation.min(Self::MAX_DEVIATION));
        ((sum - 131_070) * deviation / 37_837) as i32
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the result hangs on every bit given.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_stated_mean_deviation_and_ends() {
        let noise = Noise { deviation: 1000, seed: 5 };
        let n = 100_000;
        let errors: Vec<f64> = (0..n).map(|key| f64::from(noise.error(key))).collect();
        let mean = errors.iter().sum::<f64>() / n as f64;
        let variance = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / n as f64;
        // The mean's standard error is 3.2.
        assert!(mean.abs() < 13.0, "{mean}");
        assert!((variance.sqrt() - 1000.0).abs() < 12.0, "{}", variance.sqrt());
        assert!(errors.iter().all(|e| e.abs() <= 3465.0));
        // Of a normal law, 68.3 % are within one deviation; of this one 67 %.
        let within = errors.iter().filter(|e| e.abs() < 1000.0).count();
        assert!((64_000..70_000).contains(&within), "{within}");
    }

    #[test]
    fn errors_belong_to_position_and_seed() {
        let noise = |seed| Noise { deviation: 300, seed };
        assert_eq!(noise(1).error(99), noise(1).error(99));
        let differ = |a: Noise, b: Noise| (0..100).filter(|&k| a.error(k) != b.error(k)).count();
        assert!(differ(noise(1), noise(2)) > 90);
        assert!((0..100).all(|k| Noise { deviation: 0, seed: 3 }.error(k) == 0));
    }
}
