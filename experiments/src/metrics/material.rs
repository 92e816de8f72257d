//! Material in a fixed value table, and whether a position is quiet by it.

use crate::tables::Table as Reader;
use anyhow::{Result, anyhow};
use engine::eval::{Evaluate, Role};
use engine::game::{Observer, Which};
use engine::moves::{Kind, Square};
use engine::search::Playable;
use engine::side::Side;

/// Centipawns a kind of piece: fixed for a run and named in its log, whatever the players believe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTable {
    /// Where the values come from.
    pub name: String,
    /// (letter, centipawns), by letter.
    pub values: Vec<(char, i32)>,
}

impl ValueTable {
    /// The game's rule-of-thumb values.
    pub fn rule_of_thumb<G: Evaluate>(game: &G) -> ValueTable {
        let pieces = game.info().pieces.iter().enumerate();
        let mut values: Vec<_> = pieces.map(|(kind, p)| (p.letter, game.rough_value(kind as Kind))).collect();
        values.sort_unstable();
        ValueTable { name: "rule-of-thumb".to_owned(), values }
    }

    /// As a table of a manifest.
    pub fn to_toml(&self) -> toml::Table {
        let mut t = toml::Table::new();
        t.insert("table".into(), toml::Value::String(self.name.clone()));
        for (letter, value) in &self.values {
            t.insert(letter.to_string(), toml::Value::Integer((*value).into()));
        }
        t
    }

    /// From a table of a manifest.
    ///
    /// # Errors
    /// A value that is no number.
    pub fn from_table(t: &Reader<'_, '_>) -> Result<ValueTable> {
        let mut table = ValueTable { name: String::new(), values: Vec::new() };
        for (key, value) in t.free_texts()? {
            match (key.as_str(), key.chars().next(), value.parse()) {
                ("table", _, _) => table.name = value,
                (_, Some(letter), Ok(value)) if key.len() == letter.len_utf8() => {
                    table.values.push((letter, value));
                }
                _ => {
                    return Err(anyhow!(
                        "{}: `{key}` is no piece letter with its centipawns",
                        t.place_of(&key)
                    ));
                }
            }
        }
        table.values.sort_unstable();
        Ok(table)
    }

    /// Centipawns by kind of `game`.
    ///
    /// # Errors
    /// A piece of the game without a value.
    pub fn by_kind<G: Evaluate>(&self, game: &G) -> Result<Vec<i32>> {
        let value = |letter| self.values.iter().find(|(l, _)| *l == letter).map(|(_, v)| *v);
        let pieces = game.info().pieces.iter();
        pieces
            .map(|p| value(p.letter).ok_or_else(|| anyhow!("the value table has no value for {}", p.letter)))
            .collect()
    }
}

/// White's material less Black's, kept up to date through moves.
#[derive(Clone, Copy, Debug)]
pub struct Balance<'a> {
    values: &'a [i32],
    /// Centipawns, hands included.
    pub centipawns: i32,
}

impl<'a> Balance<'a> {
    /// The balance of a position, by values of kinds.
    pub fn of<G: Playable>(game: &G, state: &G::State, values: &'a [i32]) -> Balance<'a> {
        let army = |side| army(game, state, side, values);
        Balance { values, centipawns: army(Side::White) - army(Side::Black) }
    }

    fn add(&mut self, side: Side, kind: Kind, n: i32) {
        self.centipawns += side.sign() * n * self.values[kind as usize];
    }
}

impl Observer for Balance<'_> {
    fn put(&mut self, side: Side, kind: Kind, _: Square) {
        self.add(side, kind, 1);
    }
    fn lift(&mut self, side: Side, kind: Kind, _: Square) {
        self.add(side, kind, -1);
    }
    fn hand(&mut self, side: Side, kind: Kind, n: i32) {
        self.add(side, kind, n);
    }
}

/// A side's material in centipawns, its hand included.
pub fn army<G: Playable>(game: &G, state: &G::State, side: Side, values: &[i32]) -> i32 {
    let mut sum = 0;
    game.pieces(state, &mut |s, kind, _| sum += if s == side { values[kind as usize] } else { 0 });
    for (kind, value) in values.iter().enumerate() {
        sum += i32::from(game.in_hand(state, side, kind as Kind)) * value;
    }
    sum
}

/// Pieces of a side on the board, pawns and royal pieces apart.
pub fn officers<G: Playable>(game: &G, state: &G::State, side: Side) -> i32 {
    let mut count = 0;
    game.pieces(state, &mut |s, kind, _| {
        count += i32::from(s == side && game.role(kind) == Role::Piece);
    });
    count
}

/// Plies of captures followed before a position counts as gaining nothing.
const DEPTH: u32 = 6;

/// Whether the side to move is not in check and gains no material by captures and promotions.
pub fn is_calm<G: Playable>(game: &G, state: &G::State, balance: Balance<'_>) -> bool {
    if game.in_check(state) {
        return false;
    }
    if !G::CAPS.captures {
        return true;
    }
    let side = game.side_to_move(state);
    let now = side.sign() * balance.centipawns;
    !gains(game, state, balance, side, now, DEPTH)
}

/// Whether `side` comes out above `floor` (its own view) from here, everyone free to stop capturing.
fn gains<G: Playable>(
    game: &G,
    state: &G::State,
    balance: Balance<'_>,
    side: Side,
    floor: i32,
    depth: u32,
) -> bool {
    let ours = game.side_to_move(state) == side;
    let above = side.sign() * balance.centipawns > floor;
    // Whoever is to move and content stops here.
    if ours == above || depth == 0 {
        return above;
    }
    let mut list = Vec::new();
    game.generate(state, Which::Noisy, &mut list);
    let reply = |m| {
        let (mut next, mut after) = (state.clone(), balance);
        game.play(&mut next, m, &mut after);
        gains(game, &next, after, side, floor, depth - 1)
    };
    if ours { list.into_iter().any(reply) } else { list.into_iter().all(reply) }
}
