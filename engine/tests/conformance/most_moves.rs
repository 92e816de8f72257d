//! The position with the most legal moves that a search finds, on record for each game.
//!
//! The engine has no list of fixed size for moves to overflow: every list is a `Vec`. The record is there to keep it
//! so, and to say how long lists get: other programs have crashed on boards of this size.

use crate::full;
use crate::moves::list;
use crate::rng::Rng;
use crate::sample::{Cell, board, with_board};
use equipoise_engine::eval::{Evaluate, Role};
use equipoise_engine::game::{Game, Which};
use equipoise_engine::games::Visitor;
use equipoise_engine::moves::Kind;
use equipoise_engine::search::Playable;
use equipoise_engine::side::Side;
use libtest_mimic::Failed;
use std::path::PathBuf;

/// Steps of a long search.
const CLIMB: u64 = 300_000;

/// Compares the game's record (moves, a tab, a position) with what the position gives, and searches a
/// little for more; `EQUIPOISE_MOST_MOVES=write` searches for long and writes the record.
pub struct Longest;

impl Visitor for Longest {
    type Output = Result<(), Failed>;
    fn visit<G: Playable>(self, game: G) -> Result<(), Failed> {
        let name = game.info().name;
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.most-moves"));
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        let on_record =
            recorded.trim_end().split_once('\t').and_then(|(n, fen)| Some((n.parse().ok()?, fen)));
        if std::env::var("EQUIPOISE_MOST_MOVES").as_deref() == Ok("write") {
            let start = on_record.map_or(String::new(), |(_, fen)| fen.to_owned());
            // From nothing, as the full check does it, and on from what is on record.
            let fresh = (0..3).map(|n| climb(&game, "", CLIMB, n));
            let further = (3..6).map(|n| climb(&game, &start, CLIMB, n));
            let (most, fen) = fresh.chain(further).max().unwrap_or_default();
            return std::fs::write(&path, format!("{most}\t{fen}\n"))
                .map_err(|e| format!("{}: {e}", path.display()).into());
        }
        let Some((most, fen)) = on_record else {
            let hint = "run again with EQUIPOISE_MOST_MOVES=write in the environment";
            return Err(format!("{name} has no record of its longest move list; {hint}").into());
        };
        let state = game.parse_fen(fen).map_err(|e| e.to_string())?;
        assert_eq!(game.count(&state), most, "{name}: `{fen}`");
        assert_eq!(list(&game, &state, Which::All).len() as u64, most, "{name}: `{fen}`");
        let steps = if full() { CLIMB } else { 3_000 };
        let (found, better) = climb(&game, "", steps, 0);
        assert!(found <= most, "{name}: {found} moves in `{better}` are more than the {most} on record");
        Ok(())
    }
}

/// Pieces by square, and the kinds in the hand of the side to move (White).
#[derive(Clone)]
struct Crowd {
    cells: Vec<Cell>,
    hand: Vec<Kind>,
}

/// Threshold accepting over positions of one side's material, promotions included: the count and the FEN.
fn climb<G: Evaluate>(game: &G, start: &str, steps: u64, seed: u64) -> (u64, String) {
    let mut rng = Rng::new(&format!("{} {seed}", game.info().name));
    let array = game.parse_fen(start).unwrap_or_else(|_| game.start());
    let mut now = Crowd { cells: board(game, &array), hand: Vec::new() };
    let stock = board(game, &game.start());
    let fen_of_start = game.fen(&game.start());
    let mut count = value(game, &fen_of_start, &now).map_or(0, |(n, _)| n);
    let mut best = value(game, &fen_of_start, &now).unwrap_or_default();
    for step in 0..steps {
        let mut next = now.clone();
        change(game, &mut next, &mut rng);
        if !is_possible(game, &next, &stock) {
            continue;
        }
        let Some((n, fen)) = value(game, &fen_of_start, &next) else { continue };
        // Worse is accepted by less and less.
        let slack = 12 * (steps - step) / steps;
        if n + slack >= count {
            (now, count) = (next, n);
            if n > best.0 {
                best = (n, fen);
            }
        }
    }
    best
}

fn change<G: Evaluate>(game: &G, crowd: &mut Crowd, rng: &mut Rng) {
    let kinds = game.info().pieces.len() as u64;
    let (a, b) = (rng.index(crowd.cells.len()), rng.index(crowd.cells.len()));
    match rng.below(8) {
        0 => crowd.cells[a] = None,
        1 | 2 => crowd.cells[a] = Some((Side::White, rng.below(kinds) as Kind)),
        3 if G::CAPS.drops => {
            let kind = rng.below(kinds) as Kind;
            match crowd.hand.iter().position(|&k| k == kind) {
                Some(at) => drop(crowd.hand.remove(at)),
                None => crowd.hand.push(kind),
            }
        }
        3 => crowd.cells[a] = Some((Side::Black, rng.below(kinds) as Kind)),
        _ => crowd.cells.swap(a, b),
    }
}

/// No side has more pieces than it began with, nor more of a kind than pawns that are gone can have become; a game
/// with drops has a set of its own, which its reader knows.
fn is_possible<G: Evaluate>(game: &G, crowd: &Crowd, stock: &[Cell]) -> bool {
    if G::CAPS.drops {
        return true;
    }
    Side::BOTH.into_iter().all(|side| {
        let of = |cells: &[Cell], kind: Kind| cells.iter().filter(|c| **c == Some((side, kind))).count();
        let (mut missing, mut extra) = (0, 0);
        for kind in 0..game.info().pieces.len() as Kind {
            let (had, has) = (of(stock, kind), of(&crowd.cells, kind));
            match game.role(kind) {
                Role::Pawn if has > had => return false,
                Role::Pawn => missing += had - has,
                Role::Royal if has > had => return false,
                _ => extra += has.saturating_sub(had),
            }
        }
        extra <= missing
    })
}

/// The number of legal moves, if it is a position. `array` is the start's FEN.
fn value<G: Game>(game: &G, array: &str, crowd: &Crowd) -> Option<(u64, String)> {
    let hand: String = crowd.hand.iter().map(|&k| game.info().pieces[k as usize].letter).collect();
    let fields = array.split(' ').enumerate().map(|(i, field)| match i {
        0 => with_board(game, field, &crowd.cells).trim_end().replace("[]", &format!("[{hand}]")),
        1 => "w".to_owned(),
        _ if field.bytes().all(|b| b.is_ascii_digit()) => field.to_owned(),
        _ => "-".to_owned(),
    });
    let text = fields.collect::<Vec<_>>().join(" ");
    let state = game.parse_fen(&text).ok()?;
    Some((game.count(&state), game.fen(&state)))
}
