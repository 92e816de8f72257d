//! The games, and the registry through which everything else reaches them.

pub mod chess;
pub mod mageca;
pub mod magi;
pub mod martian_shogi;
pub mod mchess;
pub mod royal;

use crate::board::army::{ANY, KNIGHT, Shape, TableArmy};
use crate::board::{Board8, Board10};
use crate::game::Info;
use crate::options::{OptionError, OptionSpec, Options, Provenance, nearest};
use crate::search::Playable;
use royal::Royal;

/// Something done with a game whose type is known only inside: dispatch happens here, once a game,
/// never at a node.
pub trait Visitor {
    /// What it gives.
    type Output;
    /// Does it.
    fn visit<G: Playable>(self, game: G) -> Self::Output;
}

/// An unknown game or a wrong option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// No game has this name.
    #[error("unknown game `{name}`{}; the games are {}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default(), .known.join(", "))]
    Unknown {
        /// What was given.
        name: String,
        /// The nearest known name, if one is near.
        nearest: Option<String>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// A wrong option.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Lists the games once: their info and the type that plays each, and for those whose army is made of
/// constants the type with the same army as run-time tables.
macro_rules! registry {
    ($($info:path => $game:ty $(, tables $tables:ty)?);* $(;)?) => {
        /// All games, in the order they are shown.
        pub const ALL: &[&Info] = &[$(&$info),*];

        /// Builds the game `name` with options `given` (name, value) and hands it to `visitor`.
        pub fn with<'a, V: Visitor>(
            name: &str,
            given: impl IntoIterator<Item = (&'a str, &'a str)>,
            visitor: V,
        ) -> Result<V::Output, GameError> {
            $(if name == $info.name {
                let options = Options::resolve($info.name, $info.options, given)?;
                return Ok(visitor.visit(<$game>::new(options)));
            })*
            let _ = (given, visitor);
            Err(unknown(name))
        }

        /// As [`with`], but the game's army is read from run-time tables, as armies from a file are.
        /// `None` for a game that has no such second form. Both forms play the same game.
        pub fn with_tables<'a, V: Visitor>(
            name: &str,
            given: impl IntoIterator<Item = (&'a str, &'a str)>,
            visitor: V,
        ) -> Result<Option<V::Output>, GameError> {
            $($(if name == $info.name {
                let options = Options::resolve($info.name, $info.options, given)?;
                return Ok(Some(visitor.visit(<$tables>::with_tables(options))));
            })?)*
            let _ = (given, visitor);
            if ALL.iter().any(|info| info.name == name) { Ok(None) } else { Err(unknown(name)) }
        }
    };
}

fn unknown(name: &str) -> GameError {
    GameError::Unknown {
        name: name.to_owned(),
        nearest: nearest(name, ALL.iter().map(|i| i.name)),
        known: ALL.iter().map(|i| i.name).collect(),
    }
}

registry! {
    magi::INFO => magi::Magi, tables Royal<magi::MagiRules, TableArmy<Board10>>;
    mageca::INFO => mageca::Mageca, tables Royal<mageca::MagecaRules, TableArmy<Board10>>;
    mchess::INFO => mchess::MChess;
    martian_shogi::INFO => martian_shogi::MartianShogi;
    chess::MULTI_CHESS => chess::MultiChess, tables Royal<chess::ChessRules<chess::Multi>, TableArmy<Board8>>;
    chess::CHESS484 => chess::Chess484, tables Royal<chess::ChessRules<chess::Regroupment>, TableArmy<Board8>>;
    chess::CHESS => chess::Chess, tables Royal<chess::ChessRules<chess::Orthodox>, TableArmy<Board8>>;
    chess::CHESS960 => chess::Chess960, tables Royal<chess::ChessRules<chess::Fischer>, TableArmy<Board8>>;
}

/// The king's shape in every game that has one.
const KING_SHAPE: Shape =
    Shape { leaps: &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)], ..Shape::NONE };
/// The bishop's.
const BISHOP_SHAPE: Shape = Shape { colour_bound: true, ..Shape::rider(0, ANY) };
/// The knight's.
const KNIGHT_SHAPE: Shape = Shape { leaps: KNIGHT, ..Shape::NONE };

/// The option that turns the rule on dead positions off.
const DEAD_POSITIONS: OptionSpec = OptionSpec {
    name: "dead_positions",
    values: &["drawn", "played"],
    provenance: Provenance::Choice,
    free: None,
    doc: "Positions in which no checkmate can arise (by a list that a test enumerates) end the game as a draw, or are played on.",
};

/// Whether dead positions end the game.
fn dead_positions(options: &Options) -> bool {
    options.get(DEAD_POSITIONS.name) != "played"
}
