//! The games, and the registry through which everything else reaches them.

pub mod chess;
pub mod mageca;
pub mod magi;
pub mod martian_shogi;
pub mod mchess;
pub mod royal;

use crate::board::army::{ANY, KNIGHT, Shape};
use crate::game::Info;
use crate::options::{OptionError, OptionSpec, Options, Provenance, nearest};
use crate::search::Playable;

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

/// Lists the games once: their info, how each is built from its resolved options, and for those whose
/// army is made of constants how it is built with the same army as run-time tables.
macro_rules! registry {
    ($($info:path => $build:path $(, tables $tables:path)?);* $(;)?) => {
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
                return Ok(visitor.visit($build(options)));
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
                return Ok(Some(visitor.visit($tables(options))));
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
    magi::INFO => magi::build, tables royal::Royal::<magi::MagiRules, _>::with_tables;
    mageca::INFO => mageca::build, tables royal::Royal::<mageca::MagecaRules, _>::with_tables;
    mchess::INFO => mchess::MChess::new;
    martian_shogi::INFO => martian_shogi::MartianShogi::new;
    chess::MULTI_CHESS => chess::build_multi_chess,
        tables royal::Royal::<chess::ChessRules<chess::Multi>, _>::with_tables;
    chess::CHESS484 => chess::build_chess484,
        tables royal::Royal::<chess::ChessRules<chess::Regroupment>, _>::with_tables;
    chess::CHESS => chess::build_chess, tables royal::Royal::<chess::ChessRules<chess::Orthodox>, _>::with_tables;
    chess::CHESS960 => chess::build_chess960,
        tables royal::Royal::<chess::ChessRules<chess::Fischer>, _>::with_tables;
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
    doc: "Positions in which no checkmate can arise (by a list that a test enumerates) end the game as a draw, or are played on.",
};

/// Whether dead positions end the game.
fn dead_positions(options: &Options) -> bool {
    options.get(DEAD_POSITIONS.name) != "played"
}
