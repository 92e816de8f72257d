//! What is derived by replaying a game: one versioned piece of code, used when logging and on logs from
//! elsewhere.

mod centre;
mod material;
mod replay;

pub use material::{Balance, ValueTable, army, is_calm};
pub use replay::{BEHIND_PERCENT, Replay, derive, rows};

/// Version of the definitions below; a log says which it has.
pub const VERSION: u64 = 2;

/// Columns of metrics.csv after `game_id`. Plies are numbered from 1, the opening included. A position is
/// quiet if the side to move is not in check, no sequence of captures and promotions gains material, and both
/// held for the three plies before it.
///
/// - `first_behind`: `side:ply:pawns`, the first quiet deficit of at least 5 % of a side's army at the start.
/// - `down3`: sides (`w`, `b`) that were ever quietly three pieces (pawns and royal pieces apart) behind.
/// - `max_deficit_white`, `max_deficit_black`: largest quiet deficit in pawns.
/// - `lead_changes`: how often the logged evaluation changed sign, evaluations of 0 apart.
/// - `checks`: `ply+letter` of the piece that moved, for each check.
/// - `captures`, `ep_captures_white`, `ep_captures_black`, `drops`: how many.
/// - `promotions`: letters, upper case for White.
/// - `pawns_at_30`: pawns on the board when move 30 begins; empty if the game was over.
/// - `legal_moves_sum`: legal moves, summed over the plies after the opening.
/// - `decision_moves`: plies after the opening with more than one legal move.
/// - `centre_half_white`, `centre_half_black`: the first move after which half of the pawns (in Martian Shogi,
///   Pawns and Peasants) that the side began with have passed its fourth rank; empty for never.
/// - `centre_lost_white`, `centre_lost_black`: the move after which so many of them had been captured that half
///   can pass no more: there the look at that side ended without an answer. Empty for never.
pub const COLUMNS: [&str; 18] = [
    "first_behind",
    "down3",
    "max_deficit_white",
    "max_deficit_black",
    "lead_changes",
    "checks",
    "captures",
    "ep_captures_white",
    "ep_captures_black",
    "promotions",
    "drops",
    "pawns_at_30",
    "legal_moves_sum",
    "decision_moves",
    "centre_half_white",
    "centre_half_black",
    "centre_lost_white",
    "centre_lost_black",
];

#[cfg(test)]
mod tests;
