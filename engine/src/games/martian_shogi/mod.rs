//! Martian Shogi (Ryan McGuire, 2001): twelve kinds of Icehouse pyramids on 8x8, drops, promotion out of
//! a shared stash, several Monarchs a side.
//!
//! The move table is data ([`MoveTable`]): it had to be reconstructed, and a designer swaps it with
//! [`MartianShogi::with_table`].

mod eval;
mod exchange;
mod generate;
mod kinds;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use state::State;
pub use table::{MoveTable, TableError};

use crate::board::army::{NO_PIECE, ONE, TableArmy};
use crate::board::{Bits, Board8, Geometry};
use crate::game::{Caps, Game, Info, MoveFacts, Observer, Which};
use crate::moves::{Flag, Kind, Move, Square};
use crate::notation::{FenError, square_name};
use crate::options::{OptionSpec, Options, Provenance};
use crate::outcome::{Ending, Termination};
use crate::side::Side;
use kinds::{LETTERS, MONARCH, PAWN, PIECES, SQUIRE};

/// The arrays' ranks by kind, from the a-file: MLBKKBLM behind SVEPPEVS.
const BACK: [Kind; 8] = [4, 5, 6, 3, 3, 6, 5, 4];
const FRONT: [Kind; 8] = [11, 10, 9, 8, 8, 9, 10, 11];

const fn flag(name: &'static str, on: bool, provenance: Provenance, doc: &'static str) -> OptionSpec {
    let values: &[&str] = if on { &["true", "false"] } else { &["false", "true"] };
    OptionSpec { name, values, provenance, free: None, doc }
}

const OPTIONS: &[OptionSpec] = &[
    flag(
        "drops",
        true,
        Provenance::Seed,
        "Captured pieces may be dropped; without drops they only sit in the hand (\"A Little Easier\").",
    ),
    flag(
        "promotion",
        true,
        Provenance::Seed,
        "Pieces may be promoted; with neither drops nor promotion the game is \"A Lot Easier\".",
    ),
    flag("squire_sideways", false, Provenance::Seed, "Squires may also step once to either side."),
    flag(
        "pawn_double_first_move",
        false,
        Provenance::Seed,
        "A Pawn that has not moved since the start may go two squares straight ahead over an empty one.",
    ),
    flag(
        "hand_monarch_saves",
        false,
        Provenance::Choice,
        "A side with no Monarch on the board has not lost while it holds one in hand.",
    ),
    OptionSpec {
        name: "move_table",
        values: &["reconstructed", "cautious"],
        provenance: Provenance::Reconstructed,
        free: Some(&table::FREE),
        doc: "Which reading of the lost table of moves: in the cautious one the Lancer's way back and the \
              General's forward diagonals are one step.",
    },
    OptionSpec {
        name: "blocked",
        values: &["loss", "draw"],
        provenance: Provenance::Choice,
        free: None,
        doc: "What a side without any legal action comes to.",
    },
];

/// What the game is.
pub const INFO: Info = Info {
    name: "martian-shogi",
    title: "Martian Shogi",
    inventor: "Ryan McGuire, 2001",
    summary: "Twelve kinds of pyramid, drops, optional promotion out of a shared stash, several Monarchs a side.",
    pieces: &PIECES,
    a1_dark: true,
    options: OPTIONS,
    reconstructed: &[
        "The inventor's table of moves was a picture and is lost; the one in force is rebuilt from his text.",
    ],
};

/// Martian Shogi with its options and its move table.
#[derive(Clone)]
pub struct MartianShogi {
    options: Options,
    army: TableArmy<Board8>,
    drops: bool,
    promotion: bool,
    pawn_double: bool,
    hand_monarch_saves: bool,
    blocked_draws: bool,
}

impl MartianShogi {
    /// The game with the move table that the options name.
    pub fn new(options: Options) -> MartianShogi {
        let table = MoveTable::from_option(options.get("move_table"))
            .expect("a table of one's own is checked when options are resolved");
        MartianShogi::with_table(options, &table)
    }

    /// The game with `table` in place of the one that option `move_table` names; the option then holds it, so that
    /// logs and fingerprints do too. `squire_sideways` adds to what the table gives the Squire.
    pub fn with_table(mut options: Options, table: &MoveTable) -> MartianShogi {
        options.set("move_table", table.option_value());
        let mut shapes = *table.shapes();
        if options.is_true("squire_sideways") {
            let squire = &mut shapes[SQUIRE as usize];
            squire.slides[2] |= ONE;
            squire.slides[6] |= ONE;
            squire.colour_bound = false;
        }
        MartianShogi {
            army: TableArmy::new(&shapes),
            drops: options.is_true("drops"),
            promotion: options.is_true("promotion"),
            pawn_double: options.is_true("pawn_double_first_move"),
            hand_monarch_saves: options.is_true("hand_monarch_saves"),
            blocked_draws: options.get("blocked") == "draw",
            options,
        }
    }

    /// Whether a side has lost its Monarchs.
    #[inline(always)]
    fn lost(&self, state: &State, side: Side) -> bool {
        state.of(side, MONARCH).is_empty()
            && !(self.hand_monarch_saves && state.hands[side.index()].of(MONARCH) > 0)
    }
}

impl Game for MartianShogi {
    type State = State;

    const CAPS: Caps = Caps {
        check: false,
        captures: true,
        drops: true,
        // Two captures and two drops can come back to the same position.
        clock_bounds_repetition: false,
        fifty_move_plies: None,
    };
    const FILES: u8 = 8;
    const RANKS: u8 = 8;

    fn info(&self) -> &'static Info {
        &INFO
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn start(&self) -> State {
        let mut state = State::empty(Side::White);
        for (rank, row) in [&BACK, &FRONT].into_iter().enumerate() {
            for (file, &kind) in row.iter().enumerate() {
                let square = (8 * rank + file) as Square;
                state.put(Side::White, kind, square);
                state.put(Side::Black, kind, Board8::flip(square));
                state.stash.take(kind);
                state.stash.take(kind);
            }
        }
        if self.pawn_double {
            state.set_unmoved(state.kinds[PAWN as usize]);
        }
        state
    }

    #[inline(always)]
    fn side_to_move(&self, state: &State) -> Side {
        state.side
    }

    #[inline(always)]
    fn key(&self, state: &State) -> u64 {
        state.key
    }

    fn fresh_key(&self, state: &State) -> u64 {
        state.fresh_key()
    }

    #[inline(always)]
    fn clocks(&self, state: &State) -> (u16, u32) {
        (state.clock, state.full_move)
    }

    fn generate(&self, state: &State, which: Which, out: &mut Vec<Move>) {
        self.list(state, which, out);
    }

    fn count(&self, state: &State) -> u64 {
        self.tally(state)
    }

    fn is_legal(&self, state: &State, m: Move, _scratch: &mut Vec<Move>) -> bool {
        self.allows(state, m)
    }

    #[inline]
    fn play(&self, state: &mut State, m: Move, observer: &mut impl Observer) {
        let (us, to) = (state.side, m.to());
        let mut quiet = false;
        if m.flag() == Flag::Drop {
            state.hand_take(us, m.kind());
            observer.hand(us, m.kind(), -1);
            state.put(us, m.kind(), to);
            observer.put(us, m.kind(), to);
        } else {
            let from = m.from();
            let (mover, captured) = (state.at(from), state.at(to));
            if captured == NO_PIECE {
                quiet = true;
            } else {
                state.lift(us.other(), captured, to);
                observer.lift(us.other(), captured, to);
                state.hand_add(us, captured);
                observer.hand(us, captured, 1);
            }
            state.lift(us, mover, from);
            observer.lift(us, mover, from);
            let mut arrives = mover;
            if m.flag() == Flag::Promotion {
                arrives = m.kind();
                state.stash.add(mover);
                state.stash.take(arrives);
                quiet = false;
            }
            state.put(us, arrives, to);
            observer.put(us, arrives, to);
            state.clear_unmoved(u64::bit(from) | u64::bit(to));
        }
        state.clock = if quiet { state.clock.saturating_add(1) } else { 0 };
        state.end_turn();
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        let us = state.side;
        for loser in [us, us.other()] {
            if self.lost(state, loser) {
                return Some(Ending::win(loser.other(), Termination::MonarchsCaptured));
            }
        }
        self.is_blocked(state).then(|| {
            if self.blocked_draws {
                Ending::draw(Termination::Blocked)
            } else {
                Ending::win(us.other(), Termination::Blocked)
            }
        })
    }

    fn facts(&self, state: &State, m: Move) -> MoveFacts {
        if m.flag() == Flag::Drop {
            return MoveFacts { mover: m.kind(), captured: None, noisy: false };
        }
        let captured = Some(state.at(m.to())).filter(|&kind| kind != NO_PIECE);
        let noisy = captured.is_some() || m.flag() == Flag::Promotion;
        MoveFacts { mover: state.at(m.from()), captured, noisy }
    }

    fn pieces(&self, state: &State, f: &mut dyn FnMut(Side, Kind, Square)) {
        state.occupied().each(|q| f(state.owner(q), state.at(q), q));
    }

    fn in_hand(&self, state: &State, side: Side, kind: Kind) -> u8 {
        state.hands[side.index()].of(kind)
    }

    fn reach(&self, side: Side, kind: Kind) -> Vec<Vec<Square>> {
        let targets = |square| {
            let mut list = Vec::new();
            self.army.attacks_of(kind, side, square, 0).each(|target| list.push(target));
            list
        };
        (0..Self::FILES * Self::RANKS).map(targets).collect()
    }

    fn is_left_right_symmetric(&self) -> bool {
        true
    }

    fn mirrored(&self, state: &State) -> Option<State> {
        Some(state.mirrored())
    }

    fn parse_fen(&self, text: &str) -> Result<State, FenError> {
        self.read_fen(text)
    }

    fn fen(&self, state: &State) -> String {
        self.write_fen(state)
    }

    fn uci(&self, _state: &State, m: Move) -> String {
        let to = square_name(m.to(), 8);
        match m.flag() {
            Flag::Drop => format!("{}@{to}", LETTERS[m.kind() as usize]),
            Flag::Promotion => format!("{}{to}+", square_name(m.from(), 8)),
            _ => format!("{}{to}", square_name(m.from(), 8)),
        }
    }
}
