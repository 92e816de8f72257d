//! The games, and the registry through which everything else reaches them.

pub mod mchess;

use crate::game::Info;
use crate::options::{OptionError, Options, nearest};
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

/// Lists the games once: their info and how each is built from its resolved options.
macro_rules! registry {
    ($($info:path => $build:path),* $(,)?) => {
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
            Err(GameError::Unknown {
                name: name.to_owned(),
                nearest: nearest(name, ALL.iter().map(|i| i.name)),
                known: ALL.iter().map(|i| i.name).collect(),
            })
        }
    };
}

registry! {
    mchess::INFO => mchess::MChess::new,
}
