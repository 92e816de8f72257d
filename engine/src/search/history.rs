//! What moves have done elsewhere in the tree: the memory that orders quiet moves and captures.

use super::memory::Memory;
use crate::game::{Game, MoveFacts};
use crate::moves::{Flag, Kind, Move};
use crate::side::Side;

/// Values stay within plus and minus this.
const LIMIT: i32 = 16_384;

/// Moves an entry towards `bonus`: the further it is there already, the less.
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-2_000, 2_000);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// A piece of a side arriving on a square: what continuation histories are indexed by. 0 stands for none.
pub(super) type Arrival = u32;

/// Room for one side's `butterfly`, and in sight of a row of `follow`: more than any game fills, so that no index that a
/// move and a kind come to needs a check.
const BUTTERFLY: usize = 1 << 14;
const ROW: usize = 1 << 11;
/// A row that says nothing.
static NOTHING: [i16; ROW] = [0; ROW];

/// The histories.
pub(super) struct History {
    squares: usize,
    kinds: usize,
    /// `[side]`, and in each `[origin][target]`; drops have origins of their own, one a kind.
    butterfly: Box<[[i16; BUTTERFLY]; 2]>,
    /// `[earlier arrival][arrival]`.
    follow: Memory<i16>,
    /// The game in which each row of `follow` was last written: a row of another game is wiped out when it
    /// is written again, and until then stands for nothing. All rows together are megabytes.
    written: Vec<u32>,
    game: u32,
    /// `[mover][target][victim]`.
    capture: Vec<i16>,
}

/// The histories that say how promising a node's quiet moves are.
#[derive(Clone, Copy)]
pub(super) struct Promise<'a> {
    /// `[origin][target]`, of the side to move.
    butterfly: &'a [i16; BUTTERFLY],
    follow: [&'a [i16; ROW]; 2],
}

impl Promise<'_> {
    /// Of one move. The game's numbers are constants here: this is asked of every quiet move.
    #[inline(always)]
    pub fn of<G: Game>(&self, mover: Kind, m: Move) -> i32 {
        let squares = usize::from(G::FILES) * usize::from(G::RANKS);
        let target = usize::from(m.to());
        let origin = match G::CAPS.drops && m.flag() == Flag::Drop {
            true => squares + m.kind() as usize,
            false => usize::from(m.from()),
        };
        let arrival = (mover as usize & 15) * squares + target;
        i32::from(self.butterfly[origin * squares + target])
            + i32::from(self.follow[0][arrival])
            + i32::from(self.follow[1][arrival])
    }
}

impl History {
    pub fn new<G: Game>(game: &G) -> History {
        let squares = usize::from(G::FILES) * usize::from(G::RANKS);
        let kinds = game.info().pieces.len();
        let arrivals = kinds * squares;
        History {
            squares,
            kinds,
            butterfly: Box::new([[0; BUTTERFLY]; 2]),
            follow: Memory::zeroed(2 * arrivals * arrivals + ROW),
            written: vec![0; 2 * arrivals + 1],
            game: 1,
            capture: vec![0; arrivals * (kinds + 1)],
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(0);
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.written.fill(0);
            self.game = 1;
        }
        self.capture.fill(0);
    }

    #[inline]
    pub fn arrival(&self, side: Side, kind: Kind, m: Move) -> Arrival {
        (1 + (side.index() * self.kinds + kind as usize) * self.squares + usize::from(m.to())) as Arrival
    }

    #[inline]
    fn butterfly_index(&self, m: Move) -> usize {
        let origin = match m.flag() {
            Flag::Drop => self.squares + m.kind() as usize,
            _ => usize::from(m.from()),
        };
        origin * self.squares + usize::from(m.to())
    }

    /// What followed an arrival. Nothing does none: row 0 is never written.
    #[inline]
    fn follow_row(&self, earlier: Arrival) -> &[i16; ROW] {
        let first = earlier as usize * self.kinds * self.squares;
        match self.written[earlier as usize] == self.game {
            true => self.follow[first..].first_chunk().unwrap_or(&NOTHING),
            false => &NOTHING,
        }
    }

    /// The same to be written.
    #[inline]
    fn follow_row_mut(&mut self, earlier: Arrival) -> &mut [i16] {
        let arrivals = self.kinds * self.squares;
        let row = &mut self.follow[earlier as usize * arrivals..][..arrivals];
        let written = &mut self.written[earlier as usize];
        if *written != self.game {
            *written = self.game;
            row.fill(0);
        }
        row
    }

    #[inline]
    fn capture_index(&self, facts: MoveFacts, m: Move) -> usize {
        let victim = facts.captured.map_or(self.kinds, usize::from);
        (facts.mover as usize * self.squares + usize::from(m.to())) * (self.kinds + 1) + victim
    }

    /// How promising quiet moves of `side` are, given the two last arrivals before them.
    #[inline]
    pub fn quiets(&self, side: Side, earlier: [Arrival; 2]) -> Promise<'_> {
        Promise {
            butterfly: &self.butterfly[side.index()],
            follow: [self.follow_row(earlier[0]), self.follow_row(earlier[1])],
        }
    }

    /// Rewards or blames a quiet move.
    pub fn update_quiet(&mut self, side: Side, mover: Kind, m: Move, earlier: [Arrival; 2], bonus: i32) {
        let index = self.butterfly_index(m);
        update(&mut self.butterfly[side.index()][index], bonus);
        for arrival in earlier {
            if arrival != 0 {
                let at = mover as usize * self.squares + usize::from(m.to());
                update(&mut self.follow_row_mut(arrival)[at], bonus);
            }
        }
    }

    /// How promising a capture or promotion is among those of its victim.
    #[inline]
    pub fn noisy(&self, facts: MoveFacts, m: Move) -> i32 {
        i32::from(self.capture[self.capture_index(facts, m)])
    }

    /// Rewards or blames a capture or promotion.
    pub fn update_noisy(&mut self, facts: MoveFacts, m: Move, bonus: i32) {
        let index = self.capture_index(facts, m);
        update(&mut self.capture[index], bonus);
    }
}
