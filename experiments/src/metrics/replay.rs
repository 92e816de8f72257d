//! Replaying one game for its metrics.

use super::centre::Centre;
use super::material::{Balance, army, is_calm, officers};
use crate::log::{MetricsRow, MovesRow};
use engine::eval::Role;
use engine::moves::{Flag, Move};
use engine::search::Playable;
use engine::side::Side;

/// Positions in a row that have to be calm for the last one to be quiet.
const CALM_PLIES: usize = 4;
/// A side is behind from this share of its army on, in percent.
pub const BEHIND_PERCENT: i32 = 5;

/// A game to be replayed.
#[derive(Debug)]
pub struct Replay<'a, G: Playable> {
    /// The game.
    pub game: &'a G,
    /// The array before any ply.
    pub start: G::State,
    /// All plies.
    pub moves: &'a [Move],
    /// One evaluation a ply, as logged.
    pub evals: &'a [String],
    /// Plies of the opening.
    pub opening_plies: usize,
    /// Centipawns by kind.
    pub values: &'a [i32],
}

/// One position of the game; whether it is calm is found out only if something turns on it.
struct Past<S> {
    state: S,
    centipawns: i32,
    calm: Option<bool>,
}

/// Derives the metrics of a game.
pub fn derive<G: Playable>(game_id: u64, replay: &Replay<'_, G>) -> MetricsRow {
    let mut metrics = Metrics::new(replay);
    let mut state = replay.start.clone();
    for (index, &m) in replay.moves.iter().enumerate() {
        metrics.before_move(replay, &state, m, index);
        let (mover, number) = (replay.game.side_to_move(&state), replay.game.clocks(&state).1);
        let mut balance = Balance::of(replay.game, &state, replay.values);
        replay.game.play(&mut state, m, &mut balance);
        metrics.centre.after(replay.game, mover, m, number, &state);
        metrics.after_move(replay, &state, index + 1, balance.centipawns);
    }
    MetricsRow { game_id, values: metrics.values(replay) }
}

/// A game's rows of metrics.csv and moves.csv.
pub fn rows<G: Playable>(game_id: u64, replay: &Replay<'_, G>) -> (MetricsRow, MovesRow) {
    let mut state = replay.start.clone();
    let mut moves = Vec::with_capacity(replay.moves.len());
    for &m in replay.moves {
        moves.push(replay.game.uci(&state, m));
        replay.game.play(&mut state, m, &mut ());
    }
    (derive(game_id, replay), MovesRow { game_id, moves, evals: replay.evals.to_vec() })
}

struct Metrics<S> {
    armies: [i32; 2],
    past: Vec<Past<S>>,
    first_behind: Option<(Side, usize, i32)>,
    down3: [bool; 2],
    max_deficit: [i32; 2],
    checks: Vec<String>,
    captures: u32,
    ep_captures: [u32; 2],
    promotions: String,
    drops: u32,
    pawns_at_30: Option<u32>,
    legal_moves: u64,
    decisions: u32,
    centre: Centre,
    last_mover: Option<char>,
}

impl<S: Clone> Metrics<S> {
    fn new<G: Playable<State = S>>(r: &Replay<'_, G>) -> Metrics<S> {
        Metrics {
            armies: Side::BOTH.map(|side| army(r.game, &r.start, side, r.values)),
            past: Vec::new(),
            first_behind: None,
            down3: [false; 2],
            max_deficit: [0; 2],
            checks: Vec::new(),
            captures: 0,
            ep_captures: [0; 2],
            promotions: String::new(),
            drops: 0,
            pawns_at_30: None,
            legal_moves: 0,
            decisions: 0,
            centre: Centre::new(r.game, &r.start),
            last_mover: None,
        }
    }

    fn before_move<G: Playable<State = S>>(&mut self, r: &Replay<'_, G>, state: &S, m: Move, index: usize) {
        let side = r.game.side_to_move(state);
        let (_, number) = r.game.clocks(state);
        if number >= 30 && self.pawns_at_30.is_none() {
            let count = |side| pawns(r.game, state, side);
            self.pawns_at_30 = Some(Side::BOTH.map(count).iter().sum());
        }
        if index >= r.opening_plies {
            let legal = r.game.count(state);
            self.legal_moves += legal;
            self.decisions += u32::from(legal > 1);
        }
        let letter = |kind: u8| r.game.info().pieces[kind as usize].letter;
        let facts = r.game.facts(state, m);
        self.last_mover = Some(letter(facts.mover));
        self.captures += u32::from(facts.captured.is_some());
        match m.flag() {
            Flag::EnPassant => self.ep_captures[side.index()] += 1,
            Flag::Drop => self.drops += 1,
            Flag::Promotion | Flag::PawningPromotion => self.promotions.push(match side {
                Side::White => letter(m.kind()),
                Side::Black => letter(m.kind()).to_ascii_lowercase(),
            }),
            _ => {}
        }
    }

    fn after_move<G: Playable<State = S>>(&mut self, r: &Replay<'_, G>, state: &S, ply: usize, balance: i32) {
        if r.game.in_check(state) {
            let letter = self.last_mover.map(String::from).unwrap_or_default();
            self.checks.push(format!("{ply}{letter}"));
        }
        self.past.push(Past { state: state.clone(), centipawns: balance, calm: None });
        if self.past.len() > CALM_PLIES {
            self.past.remove(0);
        }
        self.deficits(r, state, ply, balance);
    }

    fn deficits<G: Playable<State = S>>(&mut self, r: &Replay<'_, G>, state: &S, ply: usize, balance: i32) {
        let ahead = officers(r.game, state, Side::White) - officers(r.game, state, Side::Black);
        for side in Side::BOTH {
            let i = side.index();
            let deficit = -side.sign() * balance;
            let three_down = -side.sign() * ahead >= 3 && !self.down3[i];
            if (deficit <= self.max_deficit[i] && !three_down) || !self.is_quiet(r) {
                continue;
            }
            self.down3[i] |= three_down;
            self.max_deficit[i] = self.max_deficit[i].max(deficit);
            if self.first_behind.is_none() && deficit * 100 >= self.armies[i] * BEHIND_PERCENT && deficit > 0
            {
                self.first_behind = Some((side, ply, deficit));
            }
        }
    }

    /// Whether the present position is calm, and those of the three plies before it.
    fn is_quiet<G: Playable<State = S>>(&mut self, r: &Replay<'_, G>) -> bool {
        self.past.len() == CALM_PLIES
            && self.past.iter_mut().rev().all(|p| {
                *p.calm.get_or_insert_with(|| {
                    let mut balance = Balance::of(r.game, &p.state, r.values);
                    balance.centipawns = p.centipawns;
                    is_calm(r.game, &p.state, balance)
                })
            })
    }

    fn values<G: Playable<State = S>>(&self, r: &Replay<'_, G>) -> Vec<String> {
        let optional = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
        let behind = self.first_behind.map(|(side, ply, cp)| format!("{side}:{ply}:{}", in_pawns(cp)));
        let down: String = Side::BOTH.iter().filter(|s| self.down3[s.index()]).map(|s| s.letter()).collect();
        vec![
            behind.unwrap_or_default(),
            down,
            in_pawns(self.max_deficit[0]),
            in_pawns(self.max_deficit[1]),
            lead_changes(r.evals).to_string(),
            self.checks.join(" "),
            self.captures.to_string(),
            self.ep_captures[0].to_string(),
            self.ep_captures[1].to_string(),
            self.promotions.clone(),
            self.drops.to_string(),
            optional(self.pawns_at_30),
            self.legal_moves.to_string(),
            self.decisions.to_string(),
            optional(self.centre.half()[0]),
            optional(self.centre.half()[1]),
            optional(self.centre.lost()[0]),
            optional(self.centre.lost()[1]),
        ]
    }
}

/// A side's pawns on the board.
fn pawns<G: Playable>(game: &G, state: &G::State, side: Side) -> u32 {
    let mut count = 0;
    game.pieces(state, &mut |s, kind, _| {
        count += u32::from(s == side && game.role(kind) == Role::Pawn);
    });
    count
}

/// Centipawns in pawns with two decimals, exactly.
fn in_pawns(centipawns: i32) -> String {
    format!("{}.{:02}", centipawns / 100, centipawns % 100)
}

/// Changes of sign among the evaluations, zeros and the opening apart.
fn lead_changes(evals: &[String]) -> usize {
    let leads = evals.iter().filter_map(|e| match e.strip_prefix('#') {
        Some(mate) => Some(!mate.starts_with('-')),
        None => e.parse::<i32>().ok().filter(|cp| *cp != 0).map(|cp| cp > 0),
    });
    let leads: Vec<bool> = leads.collect();
    leads.windows(2).filter(|w| w[0] != w[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_change_with_the_sign() {
        let evals = ["-", "-", "20", "0", "-5", "-#3", "#-3", "#2"].map(str::to_owned);
        assert_eq!(lead_changes(&evals), 2);
        assert_eq!(lead_changes(&[]), 0);
        assert_eq!(in_pawns(1234), "12.34");
        assert_eq!(in_pawns(5), "0.05");
    }
}
