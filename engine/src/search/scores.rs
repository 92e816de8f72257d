//! Static evaluations by position. A position's evaluation is always the same, so that nothing here ever needs to
//! be forgotten, and what is found here is what would have been computed.

/// Positions remembered: so few that looking one up costs next to nothing beside evaluating it.
const SLOTS: u64 = 1 << 13;
/// The bits of an entry that hold the score. The others hold the key's, whose lowest bits choose the slot.
const SCORE: u64 = 0xffff;
/// Nothing kept: what no score is taken for.
const NOTHING: i16 = i16::MIN;

/// The evaluations of the positions seen last, one a slot.
pub(super) struct Scores(Box<[u64]>);

impl Scores {
    /// Empty.
    pub fn new() -> Scores {
        Scores(vec![pack(0, NOTHING); SLOTS as usize].into_boxed_slice())
    }

    /// The evaluation of the position `key`, if it is known.
    #[inline]
    pub fn get(&self, key: u64) -> Option<i32> {
        let entry = self.0[(key % SLOTS) as usize];
        let score = entry as i16;
        (entry & !SCORE == key & !SCORE && score != NOTHING).then_some(i32::from(score))
    }

    /// Remembers it, unless it is beyond all that weights in use come to.
    #[inline]
    pub fn put(&mut self, key: u64, score: i32) {
        self.0[(key % SLOTS) as usize] = pack(key, i16::try_from(score).unwrap_or(NOTHING));
    }
}

#[inline]
fn pack(key: u64, score: i16) -> u64 {
    key & !SCORE | u64::from(score as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_belongs_to_its_key() {
        let mut scores = Scores::new();
        assert!((0..2 * SLOTS).all(|key| scores.get(key).is_none()));
        scores.put(7, -30);
        assert_eq!((scores.get(7), scores.get(8 + SCORE)), (Some(-30), None));
        for far in [40_000, -40_000, i32::from(NOTHING)] {
            scores.put(7, far);
            assert_eq!(scores.get(7), None);
        }
    }
}
