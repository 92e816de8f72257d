//! What moves have done elsewhere in the tree: the memory that orders quiet moves and captures.

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

/// The histories.
pub(super) struct History {
    squares: usize,
    kinds: usize,
    /// `[side][origin][target]`; drops have origins of their own, one a kind.
    butterfly: Vec<i16>,
    /// `[earlier arrival][arrival]`.
    follow: Vec<i16>,
    /// `[mover][target][victim]`.
    capture: Vec<i16>,
}

/// The histories that say how promising a node's quiet moves are.
pub(super) struct Promise<'a> {
    history: &'a History,
    side: Side,
    follow: [&'a [i16]; 2],
}

impl Promise<'_> {
    /// Of one move.
    #[inline(always)]
    pub fn of(&self, mover: Kind, m: Move) -> i32 {
        let at = mover as usize * self.history.squares + usize::from(m.to());
        i32::from(self.history.butterfly[self.history.butterfly_index(self.side, m)])
            + i32::from(self.follow[0][at])
            + i32::from(self.follow[1][at])
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
            butterfly: vec![0; 2 * (squares + kinds) * squares],
            follow: vec![0; (2 * arrivals + 1) * arrivals],
            capture: vec![0; arrivals * (kinds + 1)],
        }
    }

    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.follow.fill(0);
        self.capture.fill(0);
    }

    #[inline]
    pub fn arrival(&self, side: Side, kind: Kind, m: Move) -> Arrival {
        (1 + (side.index() * self.kinds + kind as usize) * self.squares + usize::from(m.to())) as Arrival
    }

    #[inline]
    fn butterfly_index(&self, side: Side, m: Move) -> usize {
        let origin = match m.flag() {
            Flag::Drop => self.squares + m.kind() as usize,
            _ => usize::from(m.from()),
        };
        (side.index() * (self.squares + self.kinds) + origin) * self.squares + usize::from(m.to())
    }

    #[inline]
    fn follow_index(&self, earlier: Arrival, mover: Kind, m: Move) -> usize {
        earlier as usize * (self.kinds * self.squares) + mover as usize * self.squares + usize::from(m.to())
    }

    #[inline]
    fn capture_index(&self, facts: MoveFacts, m: Move) -> usize {
        let victim = facts.captured.map_or(self.kinds, usize::from);
        (facts.mover as usize * self.squares + usize::from(m.to())) * (self.kinds + 1) + victim
    }

    /// How promising quiet moves of `side` are, given the two last arrivals before them.
    #[inline]
    pub fn quiets(&self, side: Side, earlier: [Arrival; 2]) -> Promise<'_> {
        let arrivals = self.kinds * self.squares;
        Promise {
            history: self,
            side,
            follow: earlier.map(|arrival| &self.follow[arrival as usize * arrivals..][..arrivals]),
        }
    }

    /// Rewards or blames a quiet move.
    pub fn update_quiet(&mut self, side: Side, mover: Kind, m: Move, earlier: [Arrival; 2], bonus: i32) {
        let index = self.butterfly_index(side, m);
        update(&mut self.butterfly[index], bonus);
        for arrival in earlier {
            if arrival != 0 {
                let index = self.follow_index(arrival, mover, m);
                update(&mut self.follow[index], bonus);
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
