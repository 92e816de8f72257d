//! Static evaluations by position. A position's evaluation is always the same, so that nothing here ever needs to
//! be forgotten, and what is found here is what would have been computed.

/// Positions remembered: few enough to stay in a core's own cache.
const SIZE: usize = 1 << 14;

/// The evaluations of the positions seen last, one a slot.
pub(super) struct Scores(Box<[(u64, i32)]>);

impl Scores {
    /// Empty: no slot holds a key that falls on it.
    pub fn new() -> Scores {
        Scores((0..SIZE as u64).map(|slot| (!slot, 0)).collect())
    }

    /// The evaluation of the position `key`, if it is known.
    #[inline]
    pub fn get(&self, key: u64) -> Option<i32> {
        let (known, score) = self.0[slot(key)];
        (known == key).then_some(score)
    }

    /// Remembers it.
    #[inline]
    pub fn put(&mut self, key: u64, score: i32) {
        self.0[slot(key)] = (key, score);
    }
}

#[inline]
fn slot(key: u64) -> usize {
    key as usize & (SIZE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_belongs_to_its_key() {
        let mut scores = Scores::new();
        assert!((0..2 * SIZE as u64).chain([u64::MAX]).all(|key| scores.get(key).is_none()));
        scores.put(7, -30);
        assert_eq!((scores.get(7), scores.get(7 + SIZE as u64)), (Some(-30), None));
    }
}
