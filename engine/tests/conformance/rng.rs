//! A seeded generator of its own, so that samples are the same on every machine and with every library.

use equipoise_engine::board::zobrist::split_mix;

/// SplitMix64.
pub struct Rng(u64);

impl Rng {
    /// The generator for a purpose: other words, other numbers.
    pub fn new(purpose: &str) -> Rng {
        Rng(purpose.bytes().fold(0, |seed, byte| split_mix(seed ^ u64::from(byte)).1))
    }

    pub fn next(&mut self) -> u64 {
        let (state, out) = split_mix(self.0);
        self.0 = state;
        out
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// An index into a list that is not empty.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// True once in `n` times on average.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.index(list.len())]
    }
}
