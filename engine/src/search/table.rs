//! The transposition table: what was found out about positions, by key. Fixed size, deterministic.

use super::memory::Memory;
use super::score::{MATE_BOUND, MAX_PLY};
use crate::moves::Move;
use bytemuck::{Pod, Zeroable};

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Bound {
    /// Nothing stored.
    None = 0,
    /// At most the score.
    Upper = 1,
    /// At least the score.
    Lower = 2,
    /// The score.
    Exact = 3,
}

/// No static evaluation stored.
pub(super) const NO_EVAL: i32 = i16::MIN as i32;

/// An entry: 16 bytes. `data` packs move (21), bound (2), depth (6) and age (3).
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    /// See [`Table::stamp`]; 0 where nothing was ever stored.
    stamp: u64,
    data: u32,
    score: i16,
    eval: i16,
}

impl Entry {
    fn depth(self) -> i32 {
        (self.data >> 23 & 63) as i32
    }

    fn age(self) -> u8 {
        (self.data >> 29) as u8
    }

    /// The game in which it was stored.
    fn game(self) -> u8 {
        self.stamp as u8
    }

    fn bound(self) -> Bound {
        match self.data >> 21 & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// What a probe found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub best: Move,
    pub score: i32,
    pub eval: i32,
    pub depth: i32,
    pub bound: Bound,
}

/// Entries a key may fall on: a cache line.
const WAYS: usize = 4;

/// The table.
pub(super) struct Table {
    entries: Memory<Entry>,
    lines: usize,
    age: u8,
    /// Counts games from 1: what other games have stored is as good as empty, and need not be wiped out.
    game: u8,
}

impl Table {
    /// A table of at most `bytes` (at least one cache line).
    pub fn new(bytes: usize) -> Table {
        let lines = (bytes / (WAYS * size_of::<Entry>())).max(1);
        Table { entries: Memory::zeroed(lines * WAYS), lines, age: 0, game: 1 }
    }

    /// Forgets everything. Memory is written only when the games' numbers come round again.
    pub fn clear(&mut self) {
        self.age = 0;
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.entries.fill(Entry::default());
            self.game = 1;
        }
    }

    /// Marks what is stored so far as older than what will be.
    pub fn next_search(&mut self) {
        self.age = (self.age + 1) & 7;
    }

    /// Thousandths of the table in use by the current search, from a sample.
    pub fn permille(&self) -> u32 {
        let sample = &self.entries[..self.entries.len().min(256)];
        let used = sample.iter().filter(|e| e.game() == self.game && e.age() == self.age).count();
        (used * 1000 / sample.len()) as u32
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        ((u128::from(key) * self.lines as u128) >> 64) as usize * WAYS
    }

    /// What tells an entry's position, and its game. The key's highest bits give way to the game: those choose
    /// the line.
    #[inline]
    fn stamp(&self, key: u64) -> u64 {
        key << 8 | u64::from(self.game)
    }

    /// Says that `key` will be asked for soon.
    #[inline(always)]
    pub fn fetch(&self, key: u64) {
        self.entries.fetch(self.line(key));
    }

    /// What is known of the position `key`, mates counted from `ply` plies into the search.
    #[inline(always)]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Found> {
        let (line, stamp) = (self.line(key), self.stamp(key));
        let entry = self.entries[line..line + WAYS].iter().find(|e| e.stamp == stamp)?;
        let ply = ply as i32;
        let score = match i32::from(entry.score) {
            s if s > MATE_BOUND => s - ply,
            s if s < -MATE_BOUND => s + ply,
            s => s,
        };
        Some(Found {
            best: Move::from_bits(entry.data),
            score,
            eval: i32::from(entry.eval),
            depth: entry.depth(),
            bound: entry.bound(),
        })
    }

    /// Stores what was found of the position `key`.
    #[inline(always)]
    pub fn store(&mut self, key: u64, ply: usize, found: Found) {
        let (line, stamp) = (self.line(key), self.stamp(key));
        let (age, game) = (self.age, self.game);
        let slots = &mut self.entries[line..line + WAYS];
        let worth = |e: &Entry| match e.game() == game {
            true => e.depth() - 8 * i32::from((8 + age - e.age()) & 7),
            false => -1_000,
        };
        let (mut at, mut least) = (0, i32::MAX);
        for (i, slot) in slots.iter().enumerate() {
            if slot.stamp == stamp {
                at = i;
                break;
            }
            if worth(slot) < least {
                (at, least) = (i, worth(slot));
            }
        }
        let slot = &mut slots[at];
        let same = slot.stamp == stamp;
        let depth = found.depth.clamp(0, 63);
        // A shallower bound does not replace a deeper one from the same search.
        if same && found.bound != Bound::Exact && slot.age() == age && depth + 3 < slot.depth() {
            return;
        }
        let best = if found.best.is_none() && same { Move::from_bits(slot.data) } else { found.best };
        let ply = ply.min(MAX_PLY) as i32;
        let score = match found.score {
            s if s > MATE_BOUND => s + ply,
            s if s < -MATE_BOUND => s - ply,
            s => s,
        };
        *slot = Entry {
            stamp,
            data: best.bits() | (found.bound as u32) << 21 | (depth as u32) << 23 | u32::from(age) << 29,
            score: score as i16,
            eval: found.eval as i16,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Flag;

    #[test]
    fn an_entry_comes_back_with_mates_seen_from_the_probing_ply() {
        let mut table = Table::new(1 << 10);
        let best = Move::new(Flag::PawningPromotion, 99, 127, 15);
        let found = Found { best, score: 31_990, eval: -77, depth: 9, bound: Bound::Lower };
        table.next_search();
        table.store(7 << 60, 4, found);
        let back = table.probe(7 << 60, 6).unwrap();
        assert_eq!((back.best, back.score, back.eval, back.depth), (best, 31_988, -77, 9));
        assert_eq!(back.bound, Bound::Lower);
        assert!(table.probe(7 << 60 | 1, 6).is_none());
        // However often the games' numbers come round.
        for _ in 0..600 {
            table.clear();
            assert!(table.probe(7 << 60, 6).is_none());
        }
        assert_eq!(table.permille(), 0);
    }

    #[test]
    fn a_full_line_gives_up_its_shallowest_entry() {
        let mut table = Table::new(1);
        for key in 1..=5 {
            let depth = [8, 3, 9, 7, 6][key as usize - 1];
            table.store(key, 0, Found { best: Move::NONE, score: 0, eval: 0, depth, bound: Bound::Upper });
        }
        let kept: Vec<u64> = (1..=5).filter(|&k| table.probe(k, 0).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
    }
}
