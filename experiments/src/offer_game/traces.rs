//! From a run's log to traces of evaluations.

use crate::log::{GameRow, LogReader, Manifest, MovesRow};
use crate::metrics::{BEHIND_PERCENT, army};
use anyhow::{Context, Result, bail};
use engine::games::Visitor;
use engine::outcome::{GameResult, Termination};
use engine::search::{Playable, Score};
use engine::side::Side;
use std::path::Path;
use tuner::offers::{BoardEnd, Trace};

/// Move numbers up to here are modelled: a table has a block for every move.
pub const LATEST_MOVE: u32 = 10_000;

/// One game of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedGame {
    /// Its trace.
    pub trace: Trace,
    /// The side that is behind at each ply of the trace, if one is: by its evaluation at least 5 % of the army it
    /// began with.
    pub behind: Vec<Option<Side>>,
    /// White's score, where the game ended on the board or by its own move rule (half).
    pub score: Option<f64>,
    /// Full moves.
    pub moves: u32,
}

/// The games of a log by unit of evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// The run.
    pub manifest: Manifest,
    /// Units in order; games without any evaluation are left out.
    pub units: Vec<Vec<LoggedGame>>,
}

impl Logged {
    /// Reads the log in `dir`.
    ///
    /// # Errors
    /// No run there, a log that cannot be read, sides that do not alternate, no evaluation at all.
    pub fn read(dir: &Path, bins: &tuner::offers::Bins) -> Result<Logged> {
        let manifest = Manifest::read(dir)?;
        let mut reader = LogReader::open(dir, manifest.experiment.games_per_unit())?;
        let experiment = &manifest.experiment;
        let mut units = Vec::new();
        let Some(first) = reader.next_unit()? else { bail!("{} holds no game yet", dir.display()) };
        let mut next = Some(first);
        while let Some(unit) = next {
            let rows: Vec<(&GameRow, &MovesRow)> = unit.games.iter().map(|(g, _, m)| (g, m)).collect();
            let values = &manifest.values;
            let take = Take { rows: &rows, values, bins };
            let games = engine::games::with(&experiment.game, experiment.option_pairs(), take)?;
            units.push(games.with_context(|| reader.at())?);
            next = reader.next_unit()?;
        }
        if units.iter().flatten().next().is_none() {
            bail!("{}: no game has an evaluation; expected a run of players that search", dir.display());
        }
        Ok(Logged { manifest, units })
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.units.iter().map(Vec::len).sum()
    }
}

struct Take<'a> {
    rows: &'a [(&'a GameRow, &'a MovesRow)],
    values: &'a crate::metrics::ValueTable,
    bins: &'a tuner::offers::Bins,
}

impl Visitor for Take<'_> {
    type Output = Result<Vec<LoggedGame>>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let values = self.values.by_kind(&game)?;
        let mut games = Vec::new();
        for (row, moves) in self.rows {
            let start = game.parse_fen(&row.start_fen)?;
            let number = game.clocks(&start).1;
            if number > LATEST_MOVE {
                bail!("game {}: begins at move {number}, expected {LATEST_MOVE} at most", row.game_id);
            }
            let ply = 2 * number.saturating_sub(1) + game.side_to_move(&start).index() as u32;
            let last = ply + (moves.evals.len() as u32).saturating_sub(1);
            if !moves.evals.is_empty() && last / 2 + 1 != row.moves {
                bail!(
                    "game {}: {} plies and {} moves; offers are modelled for games in which sides alternate",
                    row.game_id,
                    moves.evals.len(),
                    row.moves
                );
            }
            let limits = Side::BOTH.map(|side| army(&game, &start, side, &values) * BEHIND_PERCENT / 100);
            games.extend(logged(row, moves, ply, limits, self.bins));
        }
        Ok(games)
    }
}

/// A game from its first evaluation to its end, or to where evaluations are missing.
fn logged(
    row: &GameRow,
    moves: &MovesRow,
    start: u32,
    limits: [i32; 2],
    bins: &tuner::offers::Bins,
) -> Option<LoggedGame> {
    let scores: Vec<Option<Score>> = moves.evals.iter().map(|text| score(text)).collect();
    let skip = scores.iter().position(Option::is_some)?;
    let known: Vec<Score> = scores[skip..].iter().map_while(|s| *s).collect();
    let whole = skip + known.len() == scores.len();
    let side_behind = |s: &Score| {
        Side::BOTH.into_iter().find(|side| s.white_view(*side).value() <= -limits[side.index()].max(1))
    };
    let trace = Trace {
        first: start + skip as u32,
        bins: known.iter().map(|&s| bins.of(s) as u8).collect(),
        end: board_end(row).filter(|_| whole),
    };
    let score = match (row.result, row.termination) {
        (_, Termination::Resignation | Termination::DrawAgreed) | (GameResult::Unknown, _) => None,
        (GameResult::Win(side), _) => Some(if side == Side::White { 1.0 } else { 0.0 }),
        (GameResult::Draw | GameResult::BothLose, _) => Some(0.5),
    };
    Some(LoggedGame { trace, behind: known.iter().map(side_behind).collect(), score, moves: row.moves })
}

/// An evaluation as logs have it; nothing for `-`.
fn score(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(mate) => {
            let moves: u32 = mate.trim_start_matches('-').parse().ok()?;
            // How far away it is makes no difference here.
            Some(if mate.starts_with('-') { Score::loss_in(2 * moves) } else { Score::win_in(2 * moves) })
        }
        None => text.parse().ok().map(Score::centipawns),
    }
}

fn board_end(row: &GameRow) -> Option<BoardEnd> {
    match (row.result, row.termination) {
        (_, Termination::Resignation | Termination::DrawAgreed) => None,
        (GameResult::Win(side), _) => Some(BoardEnd::Win(side)),
        (GameResult::Draw, Termination::Stalemate) => Some(BoardEnd::Stalemate),
        (GameResult::Draw, _) => Some(BoardEnd::Draw),
        (GameResult::BothLose | GameResult::Unknown, _) => None,
    }
}

/// A game with this ending and these evaluations, from the start, whose sides are behind from 400 centipawns on.
#[cfg(test)]
pub(super) fn logged_for_tests(
    result: &str,
    termination: &str,
    evals: &str,
    bins: &tuner::offers::Bins,
) -> Option<LoggedGame> {
    let words: Vec<String> = evals.split(' ').map(str::to_owned).collect();
    let (result, termination) = (result.parse().ok()?, termination.parse().ok()?);
    let unit = crate::claims::tests_support::unit(1, result, termination, 3);
    let row = &unit.games.first()?.0;
    let moves = MovesRow { game_id: 1, moves: vec!["a1a2".to_owned(); words.len()], evals: words };
    logged(row, &moves, 0, [400; 2], bins)
}
