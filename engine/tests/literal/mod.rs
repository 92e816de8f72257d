//! The slow, literal second implementation of every game's rules: the differential oracle of the conformance suite.
//!
//! Written from the rules alone and sharing no line with the engine, so that a mistake has to be made twice to go
//! unseen. Text in, text out; mailbox boards, rays walked square by square, and legality by making the move and
//! looking whether the king can be taken. Wrong text panics: this is test support and its input is known good.
#![allow(dead_code, reason = "each test program that includes this module uses a part of it")]

pub mod arrangement;
pub mod board;
pub mod castling;
pub mod martian;
pub mod mchess;
pub mod pieces;
pub mod royal;

use std::collections::BTreeMap;

/// A game's rule options as text, option to value; what is absent has its default.
///
/// | game | option | values (default first) |
/// |---|---|---|
/// | mageca | `ep_passed` | `false`, `true` |
/// | mageca | `promote_to_mageca`, `castling_lifts_king` | `true`, `false` |
/// | multi-chess, chess484 | `castling_threat` | `king-to-rook`, `king-path` |
/// | martian-shogi | `drops`, `promotion` | `true`, `false` |
/// | martian-shogi | `squire_sideways`, `pawn_double_first_move`, `hand_monarch_saves` | `false`, `true` |
/// | martian-shogi | `move_table` | `reconstructed`, `cautious` |
/// | mchess | `numbers` | `first`, `hot` |
/// | mchess | the other readings | as the engine lists them |
#[derive(Clone, Debug, Default)]
pub struct Options(pub BTreeMap<String, String>);

impl Options {
    /// Options from pairs of name and value.
    pub fn of(pairs: &[(&str, &str)]) -> Options {
        Options(pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
    }

    /// The value of `name`, which must be one of `values`; the first of them when it isn't set.
    fn choice<'a>(&self, name: &str, values: &[&'a str]) -> &'a str {
        match self.0.get(name) {
            None => values[0],
            Some(given) => values
                .iter()
                .find(|value| *value == given)
                .unwrap_or_else(|| panic!("option {name} = {given:?}: expected one of {values:?}")),
        }
    }

    fn flag(&self, name: &str, default: bool) -> bool {
        let values = if default { ["true", "false"] } else { ["false", "true"] };
        self.choice(name, &values) == "true"
    }
}

/// What a family of games has to offer to be asked in text.
pub trait Position: Sized {
    /// One ply, or one action of an arrangement phase.
    type Move;
    /// Reads a position; panics on text that isn't one.
    fn read(game: &str, fen: &str, options: &Options) -> Self;
    /// Writes it.
    fn fen(&self) -> String;
    /// All legal moves, none in a decided position.
    fn moves(&self) -> Vec<Self::Move>;
    /// The position after a legal move.
    fn after(&self, m: &Self::Move) -> Self;
    /// The move in UCI.
    fn uci(&self, m: &Self::Move) -> String;
    /// The termination that can be seen without the game's history.
    fn outcome(&self) -> Option<&'static str>;
}

/// Calls a function that is generic over the family with the family of `$game`.
macro_rules! by_family {
    ($game:expr, $function:ident($($argument:expr),*)) => {
        match $game {
            "martian-shogi" => $function::<martian::Martian>($($argument),*),
            "mchess" => $function::<mchess::MChess>($($argument),*),
            _ => $function::<royal::Royal>($($argument),*),
        }
    };
}

/// All legal moves in UCI, sorted as bytes.
pub fn legal_moves(game: &str, fen: &str, options: &Options) -> Vec<String> {
    fn of<P: Position>(game: &str, fen: &str, options: &Options) -> Vec<String> {
        let position = P::read(game, fen, options);
        let mut moves: Vec<String> = position.moves().iter().map(|m| position.uci(m)).collect();
        moves.sort();
        moves
    }
    by_family!(game, of(game, fen, options))
}

/// The FEN after a legal move; panics when the move isn't legal.
pub fn play(game: &str, fen: &str, uci: &str, options: &Options) -> String {
    fn of<P: Position>(game: &str, fen: &str, uci: &str, options: &Options) -> String {
        let position = P::read(game, fen, options);
        let moves = position.moves();
        let m = moves
            .iter()
            .find(|m| position.uci(m) == uci)
            .unwrap_or_else(|| panic!("{game}: {uci} is not legal in {fen}"));
        position.after(m).fen()
    }
    by_family!(game, of(game, fen, uci, options))
}

/// `checkmate`, `stalemate`, `monarchs-captured`, `annihilation` or `blocked`, if the position is one.
pub fn outcome(game: &str, fen: &str, options: &Options) -> Option<&'static str> {
    fn of<P: Position>(game: &str, fen: &str, options: &Options) -> Option<&'static str> {
        P::read(game, fen, options).outcome()
    }
    by_family!(game, of(game, fen, options))
}

/// Every legal move in UCI with the FEN after it, sorted by move.
pub fn successors(game: &str, fen: &str, options: &Options) -> Vec<(String, String)> {
    fn of<P: Position>(game: &str, fen: &str, options: &Options) -> Vec<(String, String)> {
        let position = P::read(game, fen, options);
        let mut all: Vec<_> =
            position.moves().iter().map(|m| (position.uci(m), position.after(m).fen())).collect();
        all.sort();
        all
    }
    by_family!(game, of(game, fen, options))
}

/// Whether the game is among those written down here.
pub fn plays(game: &str) -> bool {
    OPTIONS.iter().any(|(name, _)| *name == game)
}

/// Whether the option is among those written down here, or known to change no move and no position.
pub fn knows(game: &str, option: &str) -> bool {
    OPTIONS.iter().any(|(name, options)| *name == game && options.contains(&option))
}

/// The games and the options whose every value is played here. Dead positions, payoffs, move
/// limits and what a blocked side's end is worth change no move.
const OPTIONS: [(&str, &[&str]); 8] = [
    ("magi", &["checkmate_unoffered", "refused_draw_starts_bands", "move_rule", "dead_positions"]),
    ("mageca", &["promote_to_mageca", "castling_lifts_king", "ep_passed", "dead_positions"]),
    ("chess", &["dead_positions"]),
    ("chess960", &["dead_positions"]),
    ("multi-chess", &["castling_threat", "dead_positions"]),
    ("chess484", &["castling_threat", "dead_positions"]),
    (
        "martian-shogi",
        &[
            "drops",
            "promotion",
            "squire_sideways",
            "pawn_double_first_move",
            "hand_monarch_saves",
            "move_table",
            "blocked",
        ],
    ),
    (
        "mchess",
        &[
            // Where the pieces stand at first; they change no move.
            "white_setup",
            "black_setup",
            "numbers",
            "buffs",
            "bishop_buff_blocked",
            "king_damage",
            "queen_decay",
            "queen_past_own",
            "pawning_damage",
            "pawn_swapped_home",
        ],
    ),
];

/// The number of sequences of `depth` legal moves.
pub fn perft(game: &str, fen: &str, depth: u32, options: &Options) -> u64 {
    fn count<P: Position>(position: &P, depth: u32) -> u64 {
        let moves = position.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|m| count(&position.after(m), depth - 1)).sum()
    }
    fn of<P: Position>(game: &str, fen: &str, depth: u32, options: &Options) -> u64 {
        let position = P::read(game, fen, options);
        if depth == 0 { 1 } else { count(&position, depth) }
    }
    by_family!(game, of(game, fen, depth, options))
}

/// The position read and written again.
pub fn round_trip(game: &str, fen: &str, options: &Options) -> String {
    fn of<P: Position>(game: &str, fen: &str, options: &Options) -> String {
        P::read(game, fen, options).fen()
    }
    by_family!(game, of(game, fen, options))
}

/// The start position under default options (Martian Shogi's `pawn_double_first_move` wants the field
/// `d2e2d7e7` after it).
pub fn start(game: &str) -> String {
    match game {
        "magi" => {
            "rnbcqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR w KQkq - 0 1 d3g3d8g8"
        }
        "mageca" => "rnbmqkmbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBMQKMBNR w KQkq - 0 1",
        "chess" | "chess960" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "multi-chess" | "chess484" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 kqKQ",
        "martian-shogi" => "mlbkkblm/sveppevs/8/8/8/8/SVEPPEVS/MLBKKBLM[] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1",
        "mchess" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a2b2c2d2e2f2g2h2a7b7c7d7e7f7g7h7 - 0 1 -",
        _ => panic!("no game {game:?}"),
    }
    .to_string()
}
