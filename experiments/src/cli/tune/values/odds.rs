//! Odds matches: games from the start array with a piece of one side taken off, and from the other as many pawns
//! as the evaluation thinks the piece worth, so that the score stays where it can be read.

use super::{ValuesArgs, Worth, Z};
use crate::armies::{Array, Piece};
use crate::cli::tune::self_play::{Terms, player};
use crate::log::LogReader;
use crate::positions;
use anyhow::{Context, Result, bail};
use engine::eval::Role;
use engine::moves::{Kind, Square};
use engine::search::Playable;
use engine::side::Side;
use std::path::Path;
use tuner::odds::{Match, value};

/// Random plies after the array.
const PLIES: i64 = 4;

/// The arrays of one match, and which side has the piece in each.
struct Arrays {
    fens: Vec<String>,
    ahead: Vec<Side>,
    pawns: u32,
}

/// Plays the odds matches of all kinds; the values by kind on the board, then in hand.
///
/// # Errors
/// A start array from which no pawn can be taken, the disk; [`Interrupted`] with the command that goes on.
pub fn play<G: Playable>(
    game: &G,
    args: &ValuesArgs,
    options: &[(String, String)],
    pawn: usize,
    evaluation: &[f64],
) -> Result<Vec<Option<Worth>>> {
    let name = game.info().name;
    let array = Array::of_start(game);
    let array = array.with_context(|| format!("odds matches cannot change the start array of {name}"))?;
    let dir = args
        .odds_log
        .clone()
        .unwrap_or_else(|| Path::new("results").join(format!("odds-{name}-{}", args.source.seed)));
    let pawn = pawn as Kind;
    let on_board = |kind| Piece { kind, in_hand: false };
    let Some(unit) = arrays(game, &array, on_board(pawn), pawn, 0.0) else {
        bail!("odds matches need a start array that a pawn can be taken from; {name} has none");
    };
    let mut matcher = Matches { args, options, name, dir: &dir, index: 0 };
    let unit = matcher.play("pawn", &unit)?;
    let mut values = Vec::new();
    let kinds = 0..game.info().pieces.len() as Kind;
    let in_hand = kinds.clone().filter(|_| G::CAPS.drops).map(|kind| Piece { kind, in_hand: true });
    for (column, piece) in kinds.map(on_board).chain(in_hand).enumerate() {
        if piece == on_board(pawn) {
            values.push(value(&unit, 0, &unit, Z).map(|(value, interval)| Worth { value, interval }));
            continue;
        }
        let mut label = game.info().pieces[usize::from(piece.kind)].name.to_owned();
        label += if piece.in_hand { "-in-hand" } else { "" };
        if game.role(piece.kind) == Role::Royal {
            values.push(None);
            continue;
        }
        let worth = evaluation.get(column).copied().unwrap_or(0.0);
        let Some(arrays) = arrays(game, &array, piece, pawn, worth) else {
            eprintln!("odds: {name} has no start array for the odds of a {label}");
            values.push(None);
            continue;
        };
        let odds = matcher.play(&label, &arrays)?;
        values.push(value(&odds, arrays.pawns, &unit, Z).map(|(value, interval)| Worth { value, interval }));
    }
    Ok(values)
}

/// For each side and each piece of a kind, the array without it (or, for each side, the array and one in the other's
/// hand), the side ahead without `worth` pawns (half of its pawns at most), those in the middle of the row's gaps.
fn arrays<G: Playable>(
    game: &G,
    array: &Array<'_, G>,
    piece: Piece,
    pawn: Kind,
    worth: f64,
) -> Option<Arrays> {
    let most = array.squares(Side::White, pawn).len() / 2;
    let pawns = (worth.round().max(0.0) as usize).min(most);
    let (mut fens, mut ahead) = (Vec::new(), Vec::new());
    for side in Side::BOTH {
        let others = spread(&array.squares(side.other(), pawn), pawns);
        let squares = array.squares(side, piece.kind).into_iter().map(Some);
        let choices: Vec<Option<Square>> = if piece.in_hand { vec![None] } else { squares.collect() };
        let hand = [(side.other(), piece.kind, 1)];
        for square in choices {
            let gone: Vec<Square> = others.iter().copied().chain(square).collect();
            let Some(fen) = array.with(&gone, &hand[..usize::from(piece.in_hand)]) else { continue };
            // A side without the piece is behind by it; the other one is ahead.
            let over = game.parse_fen(&fen).ok().is_none_or(|state| game.ending(&state).is_some());
            if !over {
                fens.push(fen);
                ahead.push(side.other());
            }
        }
    }
    let both = Side::BOTH.iter().all(|side| ahead.contains(side));
    both.then_some(Arrays { fens, ahead, pawns: pawns as u32 })
}

/// `n` of the squares, evenly spread over them.
fn spread(squares: &[Square], n: usize) -> Vec<Square> {
    (0..n).filter_map(|i| squares.get((2 * i + 1) * squares.len() / (2 * n))).copied().collect()
}

struct Matches<'a> {
    args: &'a ValuesArgs,
    options: &'a [(String, String)],
    name: &'a str,
    dir: &'a Path,
    index: u64,
}

impl Matches<'_> {
    /// Plays a match, or goes on with it, or reads it if it was finished.
    fn play(&mut self, piece: &str, arrays: &Arrays) -> Result<Match> {
        let source = &self.args.source;
        self.index += 1;
        let set: Vec<String> = self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let terms = Terms {
            game: self.name,
            set: &set,
            // Each match has openings of its own.
            seed: source.seed.wrapping_add(self.index * 7_919) & crate::experiment::MAX_SEED,
            games: self.args.odds_games,
            plies: source.plies,
        };
        let mut openings = toml::Table::new();
        openings.insert("method".into(), "file".into());
        openings.insert("plies".into(), PLIES.into());
        let fens = arrays.fens.iter().map(|fen| toml::Value::from(fen.as_str())).collect();
        openings.insert("fens".into(), toml::Value::Array(fens));
        let experiment = terms.starting(
            &format!("odds-{}-{piece}", self.name),
            openings,
            vec![player("self", source.nodes)],
        )?;
        let dir = self.dir.join(piece);
        let against =
            if arrays.pawns > 0 { format!(" against {} pawns", arrays.pawns) } else { String::new() };
        eprintln!("odds: {piece}{against}, into {}", dir.display());
        let manifest = self.args.play(&experiment, &dir, self.dir)?;
        let mut reader = LogReader::open(&dir, manifest.experiment.games_per_unit())?;
        let mut odds = Match::default();
        while let Some(unit) = reader.next_unit()? {
            for (row, ..) in &unit.games {
                let Some(result) = positions::result(row.result) else { continue };
                let index = row.opening_id.checked_sub(1).and_then(|i| usize::try_from(i).ok());
                let ahead = index.and_then(|i| arrays.ahead.get(i)).copied();
                let ahead = ahead.with_context(|| {
                    format!(
                        "{}: opening_id is {}, and the match has {} arrays",
                        reader.at(),
                        row.opening_id,
                        arrays.fens.len()
                    )
                })?;
                let white = ahead == Side::White;
                odds.add(if white { result } else { 1.0 - result }, white);
            }
        }
        Ok(odds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_are_taken_evenly() {
        let row: Vec<Square> = (8..16).collect();
        assert!(spread(&row, 0).is_empty());
        assert_eq!(spread(&row, 1), [12]);
        assert_eq!(spread(&row, 3), [9, 12, 14]);
        assert_eq!(spread(&row, 8), row);
    }
}
