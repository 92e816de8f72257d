//! A race between first moves with successive elimination.
//!
//! Each first move is a lane: games from the position after it, with random plies following, no position twice.
//! Lanes are compared within groups (all first moves; those of one piece). A lane's games fall alternately into two
//! halves. All that is chosen - which lanes play on, which is the best of a group - is chosen on the first half; what
//! is counted is counted on the second, whose sizes then depend on nothing in it.

mod count;

pub use count::{Count, Finding, Place, count, judge};

use crate::claims::Question;
use crate::stats::sample::Sample;
use anyhow::{Result, bail};
use engine::game::Which;
use engine::outcome::GameResult;
use engine::search::Playable;
use engine::side::Side;

/// Standard errors by which a lane has to be worse than the best less the margin to play no more. A lane dropped by
/// mistake costs an answer, no wrong one.
const DROP: f64 = 3.0;

/// A first move.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// The move, as UCI has it.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// Its games' scores to the side that made it, by half; nothing for a game that did not finish.
    pub halves: [Vec<Option<f64>>; 2],
}

/// Lanes that are compared with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// The piece they move, if they are those of one piece of a kind.
    pub piece: Option<char>,
    /// How much worse than the best a lane may be and still count.
    pub of_best: f64,
    /// Their places among the lanes.
    pub members: Vec<usize>,
    /// Which of them play no more.
    pub dropped: Vec<bool>,
}

/// A game's first moves in a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The side that makes them.
    pub mover: Side,
    /// The first moves that a question is about, in the generator's order.
    pub lanes: Vec<Lane>,
    /// The comparisons.
    pub groups: Vec<Group>,
}

impl Field {
    /// The field that questions are about.
    ///
    /// # Errors
    /// A piece that the side to move does not have, or that has no first move; no first move at all.
    pub fn of<G: Playable>(game: &G, questions: &[&Question]) -> Result<Field> {
        let start = game.start();
        let mover = game.side_to_move(&start);
        let mut moves = Vec::new();
        game.generate(&start, Which::All, &mut moves);
        let all: Vec<Lane> = moves
            .iter()
            .map(|&m| {
                let mut after = start.clone();
                game.play(&mut after, m, &mut ());
                Lane { uci: game.uci(&start, m), fen: game.fen(&after), halves: Default::default() }
            })
            .collect();
        let mut groups = Vec::new();
        let mut group = |name: String, piece, of_best, members: Vec<usize>| {
            let dropped = vec![false; members.len()];
            groups.push(Group { name, piece, of_best, members, dropped });
        };
        for question in questions {
            match question {
                Question::FirstMoves { of_best } => {
                    group("all".to_owned(), None, *of_best, (0..all.len()).collect());
                }
                Question::FirstSquares { piece, of_best } => {
                    let mut squares = Vec::new();
                    game.pieces(&start, &mut |side, kind, square| {
                        let letter = game.info().pieces.get(usize::from(kind)).map(|p| p.letter);
                        if side == mover && letter == Some(*piece) {
                            squares.push(square);
                        }
                    });
                    squares.sort_unstable();
                    if squares.is_empty() {
                        bail!("{mover} has no {piece} in the start position of {}", game.info().name);
                    }
                    for square in squares {
                        let members: Vec<usize> =
                            (0..moves.len()).filter(|&i| moves[i].from() == square).collect();
                        let Some(&first) = members.first() else {
                            bail!("a {piece} of {} has no first move", game.info().name)
                        };
                        let from: String = from_of(&all[first].uci).to_owned();
                        group(format!("{piece}{from}"), Some(*piece), *of_best, members);
                    }
                }
                Question::Balance | Question::Choice | Question::Incentive { .. } => {}
            }
        }
        // Only lanes that some question is about are played.
        let wanted: Vec<usize> =
            (0..all.len()).filter(|i| groups.iter().any(|g| g.members.contains(i))).collect();
        for group in &mut groups {
            group.members.retain_mut(|m| match wanted.iter().position(|w| w == m) {
                Some(place) => {
                    *m = place;
                    true
                }
                None => false,
            });
        }
        let lanes: Vec<Lane> = wanted.into_iter().map(|i| all[i].clone()).collect();
        if lanes.is_empty() {
            bail!("{} has no first move", game.info().name);
        }
        Ok(Field { mover, lanes, groups })
    }

    /// Games of each lane in a round of about `size`: even numbers, the same for all lanes that play on, more for the
    /// best of a group, which every other one is compared with (by the root of their number; Dunnett 1955, JASA
    /// 50:1096).
    pub fn round(&self, size: u64) -> Vec<u64> {
        let mut weights = vec![0.0_f64; self.lanes.len()];
        for group in &self.groups {
            let open = group.dropped.iter().filter(|d| !**d).count();
            let best = group.best(self);
            for (&member, &dropped) in group.members.iter().zip(&group.dropped) {
                let weight = match (best == Some(member), dropped) {
                    (true, _) if open > 1 => ((open - 1) as f64).sqrt(),
                    (false, false) => 1.0,
                    _ => 0.0,
                };
                weights[member] = weights[member].max(weight);
            }
        }
        let total: f64 = weights.iter().sum();
        let games = |w: &f64| if *w > 0.0 { 2 * ((size as f64 * w / total / 2.0) as u64).max(1) } else { 0 };
        weights.iter().map(games).collect()
    }

    /// Takes a lane's next game.
    pub fn push(&mut self, lane: usize, result: GameResult) {
        let score = match result {
            GameResult::Win(side) => Some(if side == self.mover { 1.0 } else { 0.0 }),
            GameResult::Draw => Some(0.5),
            GameResult::BothLose => Some(0.0),
            GameResult::Unknown => None,
        };
        let halves = &mut self.lanes[lane].halves;
        let half = usize::from(halves[0].len() > halves[1].len());
        halves[half].push(score);
    }

    /// Drops the lanes that the choosing half shows to be worse than the best by more than the margin.
    pub fn drop_worse(&mut self) {
        for g in 0..self.groups.len() {
            let group = &self.groups[g];
            let Some(best) = group.best(self) else { continue };
            let (of_best, pooled) = (self.lanes[best].sample(0, 0.5), group.pooled(self, 0, 0.5));
            let worse = |member: usize| {
                let own = self.lanes[member].sample(0, 0.5);
                let gap = of_best.mean - own.mean;
                own.n > 0 && gap - DROP * error_of_gap(pooled, &of_best, &own) > group.of_best
            };
            let dropped = group.members.iter().zip(&group.dropped).map(|(&m, &d)| d || worse(m)).collect();
            self.groups[g].dropped = dropped;
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.lanes.iter().map(Lane::games).sum()
    }
}

impl Group {
    /// The member with the highest score on the choosing half; nothing before there are games.
    pub fn best(&self, field: &Field) -> Option<usize> {
        self.best_with(field, 0.5)
    }

    fn best_with(&self, field: &Field, unknown: f64) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for &member in &self.members {
            let sample = field.lanes[member].sample(0, unknown);
            if sample.n > 0 && best.is_none_or(|(_, mean)| sample.mean > mean) {
                best = Some((member, sample.mean));
            }
        }
        best.map(|(member, _)| member)
    }

    /// The variance of a game's score within the members' lanes, on a half: a lane of few games borrows it from the
    /// others.
    fn pooled(&self, field: &Field, half: usize, unknown: f64) -> f64 {
        let samples = self.members.iter().map(|&m| field.lanes[m].sample(half, unknown));
        let add = |(squares, freedom): (f64, f64), s: Sample| {
            let own = s.n.saturating_sub(1) as f64;
            (squares + own * s.variance, freedom + own)
        };
        let (squares, freedom) = samples.fold((0.0, 0.0), add);
        if freedom > 0.0 { squares / freedom } else { 0.0 }
    }
}

/// Standard error of the difference of two lanes' means.
fn error_of_gap(pooled: f64, a: &Sample, b: &Sample) -> f64 {
    (pooled * (1.0 / a.n.max(1) as f64 + 1.0 / b.n.max(1) as f64)).sqrt()
}

impl Lane {
    /// Games so far.
    pub fn games(&self) -> u64 {
        self.halves.iter().map(|half| half.len() as u64).sum()
    }

    /// Games that did not finish.
    pub fn unfinished(&self) -> usize {
        self.halves.iter().flatten().filter(|s| s.is_none()).count()
    }

    /// The scores of a half, unfinished games counting `unknown`.
    fn sample(&self, half: usize, unknown: f64) -> Sample {
        Sample::of(self.halves[half].iter().map(|s| s.unwrap_or(unknown)))
    }
}

/// The square a move starts from, in its UCI form: a letter and digits.
fn from_of(uci: &str) -> &str {
    let digits = uci.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    uci.get(..=digits).unwrap_or(uci)
}

#[cfg(test)]
mod tests;
