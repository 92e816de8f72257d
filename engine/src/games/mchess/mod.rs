//! MChess: pieces have health, nothing is captured, and after each move all pieces of the mover act at once.
//!
//! A turn: one piece moves ([`turn`](MChess::play)), then every piece of that side acts ([`Volley`]), then
//! what is below zero dies. All health is in exact whole milli-points.

mod evaluation;
mod fen;
mod geometry;
mod numbers;
mod placement;
mod state;
mod turn;
mod volley;

#[cfg(test)]
mod tests;

pub use numbers::{Numbers, NumbersError};
pub use placement::{PLACEMENTS, Placement, PlacementError};
pub use state::State;
pub use volley::Volley;

use crate::game::{Caps, Game, Info, MoveFacts, Observer, PieceInfo, Setups, Which};
use crate::moves::{Flag, Kind, Move, Square};
use crate::notation::{FenError, square_name};
use crate::options::{OptionSpec, Options, Provenance};
use crate::outcome::{Ending, Termination};
use crate::side::Side;
use geometry::pop;
use numbers::{Readings, Tables};
use placement::placed;
use turn::PROMOTIONS;

/// Number of piece kinds.
pub(crate) const KINDS: usize = 6;
/// The kinds, in order of [`Info::pieces`].
pub const PAWN: Kind = 0;
/// Knight.
pub const KNIGHT: Kind = 1;
/// Bishop.
pub const BISHOP: Kind = 2;
/// Rook.
pub const ROOK: Kind = 3;
/// Queen.
pub const QUEEN: Kind = 4;
/// King.
pub const KING: Kind = 5;

const NAMES: [&str; KINDS] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// A choice between two readings of the inventor's text, the default first.
const fn choice(name: &'static str, values: &'static [&'static str], doc: &'static str) -> OptionSpec {
    OptionSpec { name, values, provenance: Provenance::Choice, free: None, doc }
}

/// A named placement; the names are those of the data file, in its order.
const fn placement_option(name: &'static str, doc: &'static str) -> OptionSpec {
    let values = &["standard", "advanced", "shielded", "storm"];
    OptionSpec { name, values, provenance: Provenance::Experiment, free: None, doc }
}

/// What MChess is.
pub const INFO: Info = Info {
    name: "mchess",
    title: "MChess",
    inventor: "the anonymous author of the MChess description",
    summary: "No captures: pieces have health, and after every move all pieces of the mover attack, heal and buff at once.",
    pieces: &[
        PieceInfo {
            letter: 'P',
            name: NAMES[0],
            doc: "One square forward, two on its first move; swaps places with an enemy diagonally forward (pawning, 40 % of its health). Attacks both squares diagonally forward.",
        },
        PieceInfo {
            letter: 'N',
            name: NAMES[1],
            doc: "A knight's move to an empty square. Attacks every enemy a knight's move away.",
        },
        PieceInfo {
            letter: 'B',
            name: NAMES[2],
            doc: "Along diagonals over empty squares. No attack; adds 60 % to attack and healing of every own piece on its diagonals.",
        },
        PieceInfo {
            letter: 'R',
            name: NAMES[3],
            doc: "Along rank and file over empty squares. Attacks every enemy on both through everything; takes 40 % of the damage to own pieces there.",
        },
        PieceInfo {
            letter: 'Q',
            name: NAMES[4],
            doc: "In all eight directions over empty squares. Attacks the first piece in each if it is an enemy, the less the farther.",
        },
        PieceInfo {
            letter: 'K',
            name: NAMES[5],
            doc: "One step to an empty square. Takes 8 % of its maximum health from each adjacent enemy, gives 8 % to each adjacent own piece.",
        },
    ],
    a1_dark: true,
    options: &[
        OptionSpec {
            name: "numbers",
            values: &["first", "hot"],
            provenance: Provenance::Reconstructed,
            free: Some(&numbers::FREE),
            doc: "Health and attack of the pieces, which the inventor does not give: the first set, one with stronger attacks, or one's own.",
        },
        choice(
            "buffs",
            &["additive", "multiplicative"],
            "Whether k bishops give 1 + 0.6 k, or multiply (two count at most: 1.6, 2.56).",
        ),
        choice(
            "bishop_buff_blocked",
            &["false", "true"],
            "Whether a bishop's buff ends at the first piece on its diagonal.",
        ),
        choice("king_damage", &["victim", "own"], "Whose maximum health a king's attack is a percentage of."),
        choice(
            "queen_decay",
            &["eighths", "tenths"],
            "What a queen's attack loses with each step of distance beyond the first.",
        ),
        choice(
            "queen_past_own",
            &["false", "true"],
            "Whether a queen's attack passes over own pieces to the first enemy.",
        ),
        choice(
            "pawning_damage",
            &["at_once", "as_attack"],
            "Whether pawning costs its 40 % plainly, or as an attack from where the pawn arrives, buffed and absorbed.",
        ),
        choice(
            "pawn_swapped_home",
            &["queen", "forbidden"],
            "Whether an enemy pawn may be pawned on to its own last rank and becomes a queen there, or may not be.",
        ),
        placement_option("white_setup", "White's placement at the start, by name."),
        placement_option("black_setup", "Black's placement at the start, by name, seen from Black's side."),
    ],
    reconstructed: &["Initial health and attack strengths (option `numbers`): the inventor gives none."],
};

/// The rules in force, resolved from the options.
#[derive(Clone, Debug)]
struct Rules {
    tables: Tables,
    buff_blocked: bool,
    queen_past_own: bool,
    pawning_attack: bool,
    no_forced_queen: bool,
}

/// The game with its rules resolved.
#[derive(Clone, Debug)]
pub struct MChess {
    rules: Rules,
    numbers: Numbers,
    options: Options,
    start: State,
}

impl MChess {
    /// The game with resolved `options` (of [`INFO`]) and the numbers that they name.
    pub fn new(options: Options) -> MChess {
        let numbers = Numbers::from_option(options.get("numbers"))
            .expect("numbers of one's own are checked when options are resolved");
        MChess::with_numbers(options, numbers)
            .expect("a test proves the embedded numbers, and resolving options proves others")
    }

    /// The game with `numbers` in place of those that option `numbers` names; the option then holds them, so
    /// that logs and fingerprints do too. Refuses numbers whose products are not exact under the options,
    /// naming the piece.
    pub fn with_numbers(mut options: Options, numbers: Numbers) -> Result<MChess, NumbersError> {
        let readings = Readings::of(&options);
        options.set("numbers", numbers.option_value());
        let rules = Rules {
            tables: Tables::new(&numbers, readings)?,
            buff_blocked: options.is_true("bishop_buff_blocked"),
            queen_past_own: options.is_true("queen_past_own"),
            pawning_attack: readings.pawning_attack,
            no_forced_queen: options.get("pawn_swapped_home") == "forbidden",
        };
        let placement = |option: &str| {
            Placement::by_name(options.get(option))
                .expect("a test finds each value of the option in the data")
        };
        let start = placed(&rules.tables.health, &placement("white_setup"), &placement("black_setup"));
        Ok(MChess { rules, numbers, options, start })
    }

    /// The numbers in force.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Maximum health of a kind, in milli-points.
    #[inline]
    pub fn max_health(&self, kind: Kind) -> i32 {
        self.rules.tables.health[usize::from(kind)]
    }
}

impl Game for MChess {
    type State = State;

    const CAPS: Caps = Caps {
        check: false,
        captures: false,
        // Passing would forgo a whole volley; measured, it neither gains nor loses (-12 +- 33 Elo at 1000 nodes).
        drops: false,
        // Pawns, displaced ones too, only ever go forward, and the dead stay dead.
        clock_bounds_repetition: true,
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
        self.start.clone()
    }

    fn setups(&self) -> Setups {
        Setups::PerSide(PLACEMENTS)
    }

    fn setup(&self, white: u64, black: u64) -> Option<State> {
        Some(self.placed(&Placement::nth(white).ok()?, &Placement::nth(black).ok()?))
    }

    fn named_setups(&self) -> Vec<(String, u64)> {
        // In the order of the option, which has the standard one first.
        let named = INFO.options.iter().find(|o| o.name == "white_setup").map_or(&[][..], |o| o.values);
        let number = |name: &&str| Placement::by_name(name).ok().map(|p| ((*name).to_owned(), p.index()));
        named.iter().filter_map(number).collect()
    }

    fn setup_number(&self, text: &str) -> Result<u64, String> {
        text.parse::<Placement>().map(|p| p.index()).map_err(|e| e.to_string())
    }

    fn setup_text(&self, number: u64) -> Option<String> {
        Placement::nth(number).ok().map(|p| p.to_string())
    }

    #[inline]
    fn side_to_move(&self, state: &State) -> Side {
        state.side
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn fresh_key(&self, state: &State) -> u64 {
        state.fresh_key()
    }

    #[inline]
    fn clocks(&self, state: &State) -> (u16, u32) {
        (state.clock, state.full_move)
    }

    fn generate(&self, state: &State, which: Which, out: &mut Vec<Move>) {
        self.batches(state, which, |batch| {
            let mut targets = batch.targets;
            while targets != 0 {
                let to = pop(&mut targets);
                match batch.flag {
                    Flag::Promotion | Flag::PawningPromotion => {
                        out.extend(PROMOTIONS.map(|kind| Move::new(batch.flag, batch.from, to, kind)));
                    }
                    flag => out.push(Move::new(flag, batch.from, to, 0)),
                }
            }
            false
        });
    }

    fn count(&self, state: &State) -> u64 {
        let mut n = 0;
        self.batches(state, Which::All, |batch| {
            n += batch.count();
            false
        });
        n
    }

    fn is_legal(&self, state: &State, m: Move, _scratch: &mut Vec<Move>) -> bool {
        let promotes = matches!(m.flag(), Flag::Promotion | Flag::PawningPromotion);
        let becomes = if promotes { PROMOTIONS.contains(&m.kind()) } else { m.kind() == 0 };
        becomes
            && m.to() < 64
            && self.batches(state, Which::All, |batch| {
                batch.flag == m.flag() && batch.from == m.from() && batch.targets >> m.to() & 1 > 0
            })
    }

    fn play(&self, state: &mut State, m: Move, observer: &mut impl Observer) {
        self.turn(state, m, observer);
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        let winner = |side: Side, why| Some(Ending::win(side, why));
        if let Some(gone) = Side::BOTH.into_iter().find(|side| state.of(*side) == 0) {
            return winner(gone.other(), Termination::Annihilation);
        }
        if self.batches(state, Which::All, |_| true) {
            None
        } else {
            winner(state.side.other(), Termination::Blocked)
        }
    }

    fn facts(&self, state: &State, m: Move) -> MoveFacts {
        MoveFacts { mover: state.kind_on(m.from()), captured: None, noisy: m.flag() != Flag::Plain }
    }

    fn pieces(&self, state: &State, f: &mut dyn FnMut(Side, Kind, Square)) {
        let mut set = state.occupied();
        while set != 0 {
            let square = pop(&mut set);
            if let Some((side, kind)) = state.at(square) {
                f(side, kind, square);
            }
        }
    }

    fn reach(&self, side: Side, kind: Kind) -> Vec<Vec<Square>> {
        (0..64).map(|square| geometry::reach(side, kind, square)).collect()
    }

    fn is_left_right_symmetric(&self) -> bool {
        true
    }

    fn mirrored(&self, state: &State) -> Option<State> {
        Some(state.mirrored())
    }

    fn parse_fen(&self, text: &str) -> Result<State, FenError> {
        self.read(text)
    }

    fn fen(&self, state: &State) -> String {
        self.write(state)
    }

    fn uci(&self, _state: &State, m: Move) -> String {
        let swap = if matches!(m.flag(), Flag::Pawning | Flag::PawningPromotion) { "x" } else { "" };
        let mut text = format!("{}{swap}{}", square_name(m.from(), 8), square_name(m.to(), 8));
        if matches!(m.flag(), Flag::Promotion | Flag::PawningPromotion) {
            text.push(fen::letter(Side::Black, usize::from(m.kind())));
        }
        text
    }
}
