//! The rows of the CSV files, to text and back.

use engine::outcome::{GameResult, Termination};
use engine::payoff::MilliPoints;
use engine::side::Side;
use std::fmt;
use std::str::FromStr;

/// A field that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column `{column}` is `{text}`, expected {expected}")]
pub struct RowError {
    /// The column.
    pub column: &'static str,
    /// Its text.
    pub text: String,
    /// What was expected.
    pub expected: &'static str,
}

/// An offer as logged: `ply:side:accepted|refused:eval_of_offerer:eval_of_answerer`, evaluations from White's
/// view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferLog {
    /// Plies played before the offer.
    pub ply: u32,
    /// Who offered.
    pub side: Side,
    /// Whether the other side accepted.
    pub accepted: bool,
    /// The offerer's evaluation.
    pub eval_offerer: String,
    /// The answering side's evaluation.
    pub eval_answerer: String,
}

impl fmt::Display for OfferLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = if self.accepted { "accepted" } else { "refused" };
        write!(f, "{}:{}:{answer}:{}:{}", self.ply, self.side, self.eval_offerer, self.eval_answerer)
    }
}

impl FromStr for OfferLog {
    type Err = ();
    fn from_str(text: &str) -> Result<OfferLog, ()> {
        let mut parts = text.split(':');
        let mut next = || parts.next().ok_or(());
        let ply = next()?.parse().map_err(drop)?;
        let side = match next()? {
            "white" => Side::White,
            "black" => Side::Black,
            _ => return Err(()),
        };
        let accepted = match next()? {
            "accepted" => true,
            "refused" => false,
            _ => return Err(()),
        };
        let (eval_offerer, eval_answerer) = (next()?.to_owned(), next()?.to_owned());
        if !is_eval(&eval_offerer) || !is_eval(&eval_answerer) || parts.next().is_some() {
            return Err(());
        }
        Ok(OfferLog { ply, side, accepted, eval_offerer, eval_answerer })
    }
}

/// Whether a text is an evaluation as logs have it: centipawns, `#n`, `#-n` or `-`.
pub fn is_eval(text: &str) -> bool {
    text == "-" || text.strip_prefix('#').unwrap_or(text).parse::<i32>().is_ok()
}

/// A row of games.csv.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// From 1, without gaps.
    pub game_id: u64,
    /// From 1.
    pub unit_id: u64,
    /// Its number in the openings file, or the unit's.
    pub opening_id: u64,
    /// The game.
    pub game: String,
    /// Rule options, all of them.
    pub options: String,
    /// The unit's seed, below 2^63.
    pub seed: u64,
    /// The array before any ply.
    pub start_fen: String,
    /// Plies played for the players.
    pub opening_plies: u32,
    /// White's player.
    pub white: String,
    /// Black's player.
    pub black: String,
    /// What the game came to.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
    /// Plies, arrangement actions apart.
    pub plies: u32,
    /// Full-move number of the last ply (0 if there is none).
    pub moves: u32,
    /// Name of the payoff matrix, or empty.
    pub payoff: String,
    /// Points to White and Black, where the game has points and came to something.
    pub points: Option<(MilliPoints, MilliPoints)>,
    /// The game's draw offer.
    pub draw_offer: Option<OfferLog>,
    /// The game's resignation offer.
    pub resign_offer: Option<OfferLog>,
    /// The last evaluation, from White's view.
    pub eval_final: String,
    /// Nodes searched by White's player.
    pub nodes_white: u64,
    /// Nodes searched by Black's player.
    pub nodes_black: u64,
    /// An earlier game with the same start and moves.
    pub duplicate_of: Option<u64>,
}

/// The columns of a file and how each of its fields is read and written.
macro_rules! columns {
    ($row:ident, $($column:literal),* $(,)?) => {
        impl $row {
            /// The columns, in order.
            pub const COLUMNS: &'static [&'static str] = &[$($column),*];
        }
    };
}

columns!(
    GameRow,
    "game_id",
    "unit_id",
    "opening_id",
    "game",
    "options",
    "seed",
    "start_fen",
    "opening_plies",
    "white",
    "black",
    "result",
    "winner",
    "termination",
    "plies",
    "moves",
    "payoff",
    "points_white",
    "points_black",
    "draw_offer",
    "resign_offer",
    "eval_final",
    "nodes_white",
    "nodes_black",
    "duplicate_of",
);

/// The fields of one row, by column name.
pub(super) struct Fields<'a> {
    pub get: &'a dyn Fn(&'static str) -> &'a str,
}

impl<'a> Fields<'a> {
    fn text(&self, column: &'static str) -> String {
        (self.get)(column).to_owned()
    }

    fn read<T: FromStr>(&self, column: &'static str, expected: &'static str) -> Result<T, RowError> {
        let text = (self.get)(column);
        text.parse().map_err(|_| RowError { column, text: text.to_owned(), expected })
    }

    fn number<T: FromStr>(&self, column: &'static str) -> Result<T, RowError> {
        self.read(column, "a whole number")
    }

    /// Nothing for an empty field.
    fn option<T: FromStr>(
        &self,
        column: &'static str,
        expected: &'static str,
    ) -> Result<Option<T>, RowError> {
        if (self.get)(column).is_empty() { Ok(None) } else { self.read(column, expected).map(Some) }
    }

    fn wrong(&self, column: &'static str, expected: &'static str) -> RowError {
        RowError { column, text: self.text(column), expected }
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

impl GameRow {
    pub(super) fn fields(&self) -> Vec<String> {
        let winner = self.result.winner().map_or_else(|| "none".to_owned(), |s| s.to_string());
        vec![
            self.game_id.to_string(),
            self.unit_id.to_string(),
            self.opening_id.to_string(),
            self.game.clone(),
            self.options.clone(),
            self.seed.to_string(),
            self.start_fen.clone(),
            self.opening_plies.to_string(),
            self.white.clone(),
            self.black.clone(),
            self.result.to_string(),
            winner,
            self.termination.to_string(),
            self.plies.to_string(),
            self.moves.to_string(),
            self.payoff.clone(),
            or_empty(self.points.map(|p| p.0)),
            or_empty(self.points.map(|p| p.1)),
            or_empty(self.draw_offer.as_ref()),
            or_empty(self.resign_offer.as_ref()),
            self.eval_final.clone(),
            self.nodes_white.to_string(),
            self.nodes_black.to_string(),
            or_empty(self.duplicate_of),
        ]
    }

    pub(super) fn from_fields(f: &Fields<'_>) -> Result<GameRow, RowError> {
        let result: GameResult = f.read("result", "1-0, 0-1, 1/2-1/2, 0-0 or *")?;
        let winner = result.winner().map_or_else(|| "none".to_owned(), |s| s.to_string());
        if f.text("winner") != winner {
            return Err(f.wrong("winner", "the winner that `result` names"));
        }
        let points = |column| match (f.get)(column) {
            "" => Ok(None),
            text => MilliPoints::parse(text).map(Some).ok_or_else(|| f.wrong(column, "points")),
        };
        let points = match (points("points_white")?, points("points_black")?) {
            (Some(white), Some(black)) => Some((white, black)),
            (None, None) => None,
            _ => return Err(f.wrong("points_black", "points for both sides or for neither")),
        };
        let eval_final = f.text("eval_final");
        if !is_eval(&eval_final) {
            return Err(f.wrong("eval_final", "centipawns, #n, #-n or -"));
        }
        const OFFER: &str = "`ply:side:accepted|refused:eval:eval` or nothing";
        Ok(GameRow {
            game_id: f.number("game_id")?,
            unit_id: f.number("unit_id")?,
            opening_id: f.number("opening_id")?,
            game: f.text("game"),
            options: f.text("options"),
            seed: f.number("seed")?,
            start_fen: f.text("start_fen"),
            opening_plies: f.number("opening_plies")?,
            white: f.text("white"),
            black: f.text("black"),
            result,
            termination: f.read("termination", "the name of a termination")?,
            plies: f.number("plies")?,
            moves: f.number("moves")?,
            payoff: f.text("payoff"),
            points,
            draw_offer: f.option("draw_offer", OFFER)?,
            resign_offer: f.option("resign_offer", OFFER)?,
            eval_final,
            nodes_white: f.number("nodes_white")?,
            nodes_black: f.number("nodes_black")?,
            duplicate_of: f.option("duplicate_of", "a game's number or nothing")?,
        })
    }
}

/// A row of moves.csv.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesRow {
    /// The game.
    pub game_id: u64,
    /// All plies in UCI, the opening's too.
    pub moves: Vec<String>,
    /// One evaluation a ply, from White's view; `-` in the opening.
    pub evals: Vec<String>,
}

columns!(MovesRow, "game_id", "moves", "evals");

impl MovesRow {
    pub(super) fn fields(&self) -> Vec<String> {
        vec![self.game_id.to_string(), self.moves.join(" "), self.evals.join(" ")]
    }

    pub(super) fn from_fields(f: &Fields<'_>) -> Result<MovesRow, RowError> {
        let words = |column| (f.get)(column).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let row = MovesRow { game_id: f.number("game_id")?, moves: words("moves"), evals: words("evals") };
        if row.evals.len() != row.moves.len() || !row.evals.iter().all(|e| is_eval(e)) {
            return Err(f.wrong("evals", "one evaluation (centipawns, #n, #-n or -) a ply"));
        }
        Ok(row)
    }
}

/// A row of metrics.csv; see [`crate::metrics`] for what each column is.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MetricsRow {
    /// The game.
    pub game_id: u64,
    /// The derived values, in the order of [`crate::metrics::COLUMNS`].
    pub values: Vec<String>,
}

impl MetricsRow {
    pub(super) fn fields(&self) -> Vec<String> {
        let mut fields = vec![self.game_id.to_string()];
        fields.extend(self.values.iter().cloned());
        fields
    }

    pub(super) fn from_fields(f: &Fields<'_>) -> Result<MetricsRow, RowError> {
        let values = crate::metrics::COLUMNS.iter().map(|c| f.text(c)).collect();
        Ok(MetricsRow { game_id: f.number("game_id")?, values })
    }

    /// The value of a column; empty if there is no such column.
    pub fn get(&self, column: &str) -> &str {
        let at = crate::metrics::COLUMNS.iter().position(|c| *c == column);
        at.and_then(|i| self.values.get(i)).map_or("", String::as_str)
    }
}

/// The rows of one unit of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRows {
    /// The unit.
    pub unit_id: u64,
    /// Its games in order.
    pub games: Vec<(GameRow, MetricsRow, MovesRow)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_survive_text() {
        let offer = OfferLog {
            ply: 91,
            side: Side::Black,
            accepted: false,
            eval_offerer: "830".into(),
            eval_answerer: "#-7".into(),
        };
        assert_eq!(offer.to_string(), "91:black:refused:830:#-7");
        assert_eq!(offer.to_string().parse(), Ok(offer));
        for text in
            ["", "91:black:refused:830", "91:green:refused:8:8", "91:black:taken:8:8", "1:white:accepted:x:1"]
        {
            assert!(text.parse::<OfferLog>().is_err(), "{text}");
        }
    }
}
