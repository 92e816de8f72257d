//! Hand-made games for tests.

use crate::log::{GameRow, MetricsRow, MovesRow, UnitRows};
use crate::metrics::COLUMNS;
use engine::outcome::{GameResult, Termination};

/// A game that ended like this after so many moves, nothing measured in it.
pub(crate) fn unit(id: u64, result: GameResult, termination: Termination, moves: u32) -> UnitRows {
    let game = GameRow {
        game_id: id,
        unit_id: id,
        opening_id: id,
        game: "magi".into(),
        options: String::new(),
        seed: 0,
        start_fen: String::new(),
        opening_plies: 0,
        white: "a".into(),
        black: "a".into(),
        result,
        termination,
        plies: 2 * moves,
        moves,
        payoff: String::new(),
        points: None,
        draw_offer: None,
        resign_offer: None,
        eval_final: "-".into(),
        nodes_white: 0,
        nodes_black: 0,
        duplicate_of: None,
    };
    let moves = MovesRow { game_id: id, moves: Vec::new(), evals: Vec::new() };
    UnitRows { unit_id: id, games: vec![(game, MetricsRow::default(), moves)] }
}

/// A game of so many moves with these values in metrics.csv.
pub(crate) fn game(
    id: u64,
    end: (GameResult, Termination),
    moves: u32,
    columns: &[(&str, &str)],
) -> UnitRows {
    let mut unit = unit(id, end.0, end.1, moves);
    unit.games[0].1.values = vec![String::new(); COLUMNS.len()];
    for (column, value) in columns {
        set(&mut unit, column, value);
    }
    unit
}

/// Sets a column of metrics.csv.
pub(crate) fn set(unit: &mut UnitRows, column: &str, value: &str) {
    let at = COLUMNS.iter().position(|c| *c == column).unwrap();
    unit.games[0].1.values[at] = value.to_owned();
}
