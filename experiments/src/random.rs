//! Everything random: ChaCha8, seeded from the experiment's seed and the unit's number, for one purpose each.
//!
//! The key is the seed (8 bytes, little-endian), then the purpose (1 byte, then 7 zero bytes), then the
//! attempt (8 bytes), then zeros; the unit's number is the stream. So no two units, purposes or attempts
//! share random numbers, and none depends on what was drawn before.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What random numbers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Domain {
    /// A unit's own seed.
    Unit = 1,
    /// Its opening.
    Opening = 2,
    /// The order of an openings file.
    Order = 3,
    /// A player's choices in one game.
    Player = 4,
    /// Which positions of a game are looked at.
    Positions = 5,
    /// What the players of an experiment on beliefs believe.
    Beliefs = 6,
}

/// The generator for a purpose.
pub fn generator(seed: u64, domain: Domain, unit: u64, attempt: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = domain as u8;
    key[16..24].copy_from_slice(&attempt.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(unit);
    rng
}

/// A unit's seed, below 2^63.
pub fn unit_seed(seed: u64, unit: u64) -> u64 {
    generator(seed, Domain::Unit, unit, 0).next_u64() >> 1
}

/// A whole number below `n` (at least 1), each equally likely: numbers beyond the last whole multiple of `n`
/// are drawn again.
pub fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    let n = n.max(1);
    let whole = u64::MAX - u64::MAX % n;
    loop {
        let x = rng.next_u64();
        if x < whole {
            return x % n;
        }
    }
}

/// A number in [0, 1) with 53 random bits.
pub fn fraction(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Shuffles without bias (Fisher and Yates).
pub fn shuffle<T>(rng: &mut ChaCha8Rng, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(rng, i as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_units_and_attempts_share_nothing() {
        let first = |d, u, a| generator(7, d, u, a).next_u64();
        let all = [
            first(Domain::Unit, 1, 0),
            first(Domain::Unit, 2, 0),
            first(Domain::Opening, 1, 0),
            first(Domain::Opening, 1, 1),
            generator(8, Domain::Unit, 1, 0).next_u64(),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }

    /// Logs depend on this stream: it must never change. The numbers are those of ChaCha with eight rounds
    /// written out in Python from RFC 8439, with the key and stream documented above.
    #[test]
    fn the_stream_is_pinned() {
        assert_eq!(unit_seed(1, 1), 7_074_399_171_219_008_486);
        assert_eq!(unit_seed(1, 2), 3_767_472_818_046_429_588);
    }

    #[test]
    fn shuffles_reach_every_order_equally() {
        let mut counts = std::collections::HashMap::new();
        for unit in 0..6000 {
            let mut items = [0, 1, 2];
            shuffle(&mut generator(1, Domain::Order, unit, 0), &mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        // Binomial(6000, 1/6): mean 1000, standard deviation 29.
        assert!(counts.values().all(|&n| (880..1120).contains(&n)), "{counts:?}");
    }
}
