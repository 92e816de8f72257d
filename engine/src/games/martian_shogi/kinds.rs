//! The twelve kinds of pyramid: three sizes of four colours, five of each in the set.

use crate::game::PieceInfo;
use crate::moves::Kind;

/// Number of kinds. They are numbered in the order of the hands: large, medium, small, and within a size
/// red, yellow, green, blue.
pub const KINDS: usize = 12;
/// Colours of the set; also the distance in number between one size and the next.
pub const COLOURS: usize = 4;
/// Pyramids of each kind in the set.
pub const OF_EACH: u8 = 5;
/// Pyramids in the set.
#[cfg(test)]
pub const IN_ALL: u32 = KINDS as u32 * OF_EACH as u32;

/// The large blue pyramid, on which the game hangs.
pub const MONARCH: Kind = 3;
/// The small red pyramid.
pub const PAWN: Kind = 8;
/// The small blue pyramid.
pub const SQUIRE: Kind = 11;

/// FEN letters in order of kind.
pub const LETTERS: [char; KINDS] = ['G', 'D', 'C', 'K', 'M', 'L', 'B', 'R', 'P', 'E', 'V', 'S'];

/// The next size of the same colour; none above large.
#[inline(always)]
pub const fn next_size(kind: Kind) -> Option<Kind> {
    kind.checked_sub(COLOURS as Kind)
}

/// 0 for small, 1 for medium, 2 for large.
#[inline(always)]
pub const fn size(kind: Kind) -> usize {
    2 - kind as usize / COLOURS
}

const fn piece(letter: char, name: &'static str, doc: &'static str) -> PieceInfo {
    PieceInfo { letter, name, doc }
}

/// The pieces, for people. The moves are those of the reconstructed table.
pub const PIECES: [PieceInfo; KINDS] = [
    piece('G', "general", "Large red. Any distance forward and diagonally forward, else one step anywhere."),
    piece('D', "duke", "Large yellow. A rook that may also step once along a diagonal."),
    piece('C', "cardinal", "Large green. A bishop that may also step once along rank or file."),
    piece('K', "monarch", "Large blue. A chess queen; a side with none on the board has lost."),
    piece('M', "musketeer", "Medium red. One step anywhere, as a chess king. Becomes a General."),
    piece('L', "lancer", "Medium yellow. Any distance forward or back, one step sideways. Becomes a Duke."),
    piece('B', "bishop", "Medium green. A chess bishop. Becomes a Cardinal."),
    piece('R', "rook", "Medium blue. A chess rook. Becomes a Monarch."),
    piece('P', "pawn", "Small red. One step forward or diagonally forward. Becomes a Musketeer."),
    piece('E', "peasant", "Small yellow. One step forward. Becomes a Lancer."),
    piece('V', "vicar", "Small green. Any distance diagonally forward. Becomes a Bishop."),
    piece('S', "squire", "Small blue. Any distance forward. Becomes a Rook."),
];

/// How many there are of each kind, four bits a kind: a hand, or the stash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Counts(u64);

impl Counts {
    /// None of any kind.
    pub const NONE: Counts = Counts(0);
    /// The whole set.
    pub const SET: Counts = Counts(0x5555_5555_5555);

    /// How many of `kind`.
    #[inline(always)]
    pub const fn of(self, kind: Kind) -> u8 {
        (self.0 >> (4 * (kind & 15)) & 15) as u8
    }

    /// One more of `kind`. There are never more than [`OF_EACH`].
    #[inline(always)]
    pub const fn add(&mut self, kind: Kind) {
        self.0 += 1 << (4 * (kind & 15));
    }

    /// One less of `kind`, of which there is one.
    #[inline(always)]
    pub const fn take(&mut self, kind: Kind) {
        self.0 -= 1 << (4 * (kind & 15));
    }

    /// A bit for each kind of which there are any: bit `4 * kind`.
    #[inline(always)]
    const fn present(self) -> u64 {
        (self.0 | self.0 >> 1 | self.0 >> 2 | self.0 >> 3) & 0x1111_1111_1111
    }

    /// How many kinds there are any of.
    #[inline(always)]
    pub const fn distinct(self) -> u32 {
        self.present().count_ones()
    }

    /// Calls `f` for every kind of which there are any, in order.
    #[inline(always)]
    pub fn each_kind(self, mut f: impl FnMut(Kind)) {
        let mut present = self.present();
        while present != 0 {
            f((present.trailing_zeros() / 4) as Kind);
            present &= present - 1;
        }
    }

    /// How many in all.
    #[cfg(test)]
    pub fn total(self) -> u32 {
        (0..KINDS as Kind).map(|kind| u32::from(self.of(kind))).sum()
    }
}

/// The counts in order of kind.
impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map()
            .entries(
                (0..KINDS as Kind).filter(|&k| self.of(k) > 0).map(|k| (LETTERS[k as usize], self.of(k))),
            )
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_apart() {
        let mut counts = Counts::NONE;
        for _ in 0..5 {
            counts.add(0);
            counts.add(11);
        }
        counts.add(MONARCH);
        counts.take(0);
        assert_eq!((counts.of(0), counts.of(MONARCH), counts.of(11), counts.of(1)), (4, 1, 5, 0));
        assert_eq!((counts.distinct(), counts.total()), (3, 10));
        let mut kinds = Vec::new();
        counts.each_kind(|k| kinds.push(k));
        assert_eq!(kinds, [0, MONARCH, 11]);
        assert_eq!((Counts::SET.total(), Counts::SET.distinct()), (IN_ALL, 12));
        assert_eq!(format!("{counts:?}"), "{'G': 4, 'K': 1, 'S': 5}");
    }

    #[test]
    fn letters_and_pieces_agree() {
        assert_eq!(PIECES.map(|p| p.letter), LETTERS);
        assert_eq!(PIECES[PAWN as usize].name, "pawn");
        assert_eq!(PIECES[SQUIRE as usize].name, "squire");
        assert_eq!(PIECES[MONARCH as usize].name, "monarch");
    }

    #[test]
    fn the_next_size_has_the_same_colour() {
        let next = |letter| {
            let kind = LETTERS.iter().position(|&l| l == letter).unwrap_or(15) as Kind;
            next_size(kind).map(|k| LETTERS[k as usize])
        };
        let pairs: Vec<_> = "PMELVBSR".chars().map(next).collect();
        assert_eq!(pairs.into_iter().flatten().collect::<String>(), "MGLDBCRK");
        assert!("GDCK".chars().all(|large| next(large).is_none()));
    }
}
