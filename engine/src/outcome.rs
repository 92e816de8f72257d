//! How games end. Every game has exactly one [`Termination`] and one [`GameResult`].

use crate::side::Side;
use std::fmt;
use std::str::FromStr;

/// Why a game ended. A fault or the harness's limit is never a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Third occurrence of a position.
    Repetition,
    /// 100 plies without a capture or pawn move.
    FiftyMove,
    /// No checkmate can arise any more.
    DeadPosition,
    /// The game's own move limit (Magi's 150 moves).
    MoveRule,
    /// The harness's limit on the length of a game.
    MoveLimit,
    /// An accepted resignation.
    Resignation,
    /// An accepted draw offer.
    DrawAgreed,
    /// A side has no Monarch on the board.
    MonarchsCaptured,
    /// A side has no piece left.
    Annihilation,
    /// The side to move has no legal move, and loses by it.
    Blocked,
    /// A player's program died.
    FaultCrash,
    /// A player's program stopped answering.
    FaultHang,
    /// A player's program made an illegal move.
    FaultIllegal,
    /// A player's program broke the protocol.
    FaultProtocol,
}

impl Termination {
    /// All of them, in the order of the rules pages.
    pub const ALL: [Termination; 16] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::Repetition,
        Termination::FiftyMove,
        Termination::DeadPosition,
        Termination::MoveRule,
        Termination::MoveLimit,
        Termination::Resignation,
        Termination::DrawAgreed,
        Termination::MonarchsCaptured,
        Termination::Annihilation,
        Termination::Blocked,
        Termination::FaultCrash,
        Termination::FaultHang,
        Termination::FaultIllegal,
        Termination::FaultProtocol,
    ];

    /// Its name in logs.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "repetition",
            Termination::FiftyMove => "fifty-move",
            Termination::DeadPosition => "dead-position",
            Termination::MoveRule => "move-rule",
            Termination::MoveLimit => "move-limit",
            Termination::Resignation => "resignation",
            Termination::DrawAgreed => "draw-agreed",
            Termination::MonarchsCaptured => "monarchs-captured",
            Termination::Annihilation => "annihilation",
            Termination::Blocked => "blocked",
            Termination::FaultCrash => "fault-crash",
            Termination::FaultHang => "fault-hang",
            Termination::FaultIllegal => "fault-illegal",
            Termination::FaultProtocol => "fault-protocol",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no [`Termination`] or [`GameResult`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown {what} `{text}`")]
pub struct UnknownName {
    what: &'static str,
    text: String,
}

impl FromStr for Termination {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Termination::ALL
            .into_iter()
            .find(|t| t.name() == text)
            .ok_or_else(|| UnknownName { what: "termination", text: text.to_owned() })
    }
}

/// What a game came to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// A side won: `1-0` or `0-1`.
    Win(Side),
    /// `1/2-1/2`.
    Draw,
    /// `0-0`: both sides get nothing, by a game's own move rule.
    BothLose,
    /// `*`: unfinished (the harness's limit, a fault).
    Unknown,
}

impl GameResult {
    /// As in PGN: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `*`.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::Win(Side::White) => "1-0",
            GameResult::Win(Side::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::Unknown => "*",
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::Win(side) => Some(side),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameResult {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        [
            GameResult::Win(Side::White),
            GameResult::Win(Side::Black),
            GameResult::Draw,
            GameResult::BothLose,
            GameResult::Unknown,
        ]
        .into_iter()
        .find(|r| r.name() == text)
        .ok_or_else(|| UnknownName { what: "result", text: text.to_owned() })
    }
}

/// The end of a game: what it came to and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// What it came to.
    pub result: GameResult,
    /// Why.
    pub termination: Termination,
}

impl Ending {
    /// `winner` won by `termination`.
    pub const fn win(winner: Side, termination: Termination) -> Ending {
        Ending { result: GameResult::Win(winner), termination }
    }

    /// A draw by `termination`.
    pub const fn draw(termination: Termination) -> Ending {
        Ending { result: GameResult::Draw, termination }
    }
}
