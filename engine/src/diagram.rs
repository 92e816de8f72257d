//! How each piece moves, found by asking the rules: a piece is put on every square of an otherwise empty
//! board, and what the generator gives is looked at. A new game is drawn without any code of its own.
//!
//! Where the rules want more on the board (a king of either side), such pieces are put on the border, in
//! several ways, so that none of them hides a move in all. Castling and drops are not drawn.

use crate::game::{Game, Which};
use crate::moves::{Flag, Kind, Move, Square};
use crate::notation::{parse_square, write_placement};
use crate::side::Side;
use std::collections::{BTreeMap, BTreeSet};

/// What a piece may do to a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// Go there, or capture there.
    Both,
    /// Go there if it is empty.
    Move,
    /// Capture there.
    Capture,
    /// Change places with an enemy there.
    Swap,
}

/// Where a diagram holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// On nearly all squares.
    General,
    /// On these squares only.
    Squares(Vec<Square>),
    /// For a piece that stands where the game began with it, on one of these squares, and has not moved.
    Unmoved(Vec<Square>),
}

/// A white piece on a square and what it may do from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Where it stands.
    pub square: Square,
    /// Where else the like holds.
    pub scope: Scope,
    /// The squares it may do something to.
    pub marks: BTreeMap<Square, Mark>,
}

/// How one kind of piece moves.
#[derive(Clone, Debug)]
pub struct PieceMoves {
    /// One for its moves in general (no square at all if it cannot be put on the board alone), then one for
    /// each exception.
    pub diagrams: Vec<Diagram>,
    /// Fewest and most squares on which it could capture, over the squares of an empty board.
    pub controls: Option<(usize, usize)>,
    /// Fewest and most squares to which it could go.
    pub reaches: Option<(usize, usize)>,
    /// What it may become.
    pub becomes: Vec<Kind>,
    /// How many of it each side begins with on the board.
    pub at_start: [usize; 2],
}

/// Ways of placing what the rules want on the board besides the piece.
const WAYS: usize = 4;
/// Squares on which captures everywhere are tried; elsewhere only those found there.
const SAMPLES: usize = 9;

type Step = (i8, i8);
type Marks = BTreeMap<Square, Mark>;

/// How white pieces of `kind` move in `game`.
pub fn piece_moves<G: Game>(game: &G, kind: Kind) -> PieceMoves {
    let board = Board::new(game, kind);
    let squares = G::FILES * G::RANKS;
    let mut at_start = [0; 2];
    let mut homes = Vec::new();
    game.pieces(&game.start(), &mut |side, k, square| {
        if k == kind {
            at_start[side.index()] += 1;
            if side == Side::White {
                homes.push(square);
            }
        }
    });
    let probes: Vec<Option<Probe<'_, G>>> = (0..squares).map(|square| board.probe(square, false)).collect();
    let steps = capture_steps(&probes);
    let all: Vec<Option<Marks>> = probes.iter().map(|p| p.as_ref().map(|p| p.marks(&steps))).collect();
    let unmoved: Vec<(Square, Marks)> =
        homes.iter().filter_map(|&q| Some((q, board.probe(q, true)?.marks(&steps)))).collect();
    let range = |wanted: &[Mark]| {
        let counts = all.iter().flatten().map(|m| m.values().filter(|v| wanted.contains(v)).count());
        counts.clone().min().zip(counts.max())
    };
    let becomes: BTreeSet<Kind> = probes.iter().flatten().flat_map(|p| p.becomes.iter().copied()).collect();
    PieceMoves {
        controls: range(&[Mark::Both, Mark::Capture]),
        reaches: range(&[Mark::Both, Mark::Move]),
        diagrams: diagrams::<G>(&all, unmoved),
        becomes: becomes.into_iter().collect(),
        at_start,
    }
}

/// The steps by which a piece captures from some squares tried in full.
fn capture_steps<G: Game>(probes: &[Option<Probe<'_, G>>]) -> BTreeSet<Step> {
    let possible: Vec<&Probe<'_, G>> = probes.iter().flatten().collect();
    let every = possible.len().div_ceil(SAMPLES).max(1);
    let mut steps = BTreeSet::new();
    for probe in possible.into_iter().step_by(every) {
        for target in (0..G::FILES * G::RANKS).filter(|&t| t != probe.square) {
            if probe.takes(target).is_some() {
                steps.insert(step_between::<G>(probe.square, target));
            }
        }
    }
    steps
}

fn step_between<G: Game>(from: Square, to: Square) -> Step {
    let place = |q: Square| ((q % G::FILES) as i8, (q / G::FILES) as i8);
    (place(to).0 - place(from).0, place(to).1 - place(from).1)
}

fn step<G: Game>(from: Square, step: Step) -> Option<Square> {
    let file = (from % G::FILES).checked_add_signed(step.0).filter(|f| *f < G::FILES)?;
    let rank = (from / G::FILES).checked_add_signed(step.1).filter(|r| *r < G::RANKS)?;
    Some(rank * G::FILES + file)
}

/// A game's board with room for one kind of piece.
struct Board<'a, G: Game> {
    game: &'a G,
    kind: Kind,
    /// The start position's FEN, field by field.
    fields: Vec<String>,
    /// What the placement field of a FEN has after the board (hands).
    tail: &'static str,
    /// Pieces that must be there besides, of White and of Black.
    company: [Option<Kind>; 2],
}

impl<'a, G: Game> Board<'a, G> {
    fn new(game: &'a G, kind: Kind) -> Self {
        let fields: Vec<String> = game.fen(&game.start()).split(' ').map(str::to_owned).collect();
        let tail = if fields[0].ends_with("[]") { "[]" } else { "" };
        let mut board = Board { game, kind, fields, tail, company: [None; 2] };
        let others = 0..game.info().pieces.len() as Kind;
        let both = others.clone().map(|k| [None, Some(k)]).chain(others.map(|k| [Some(k), Some(k)]));
        let middle = (G::RANKS / 2 - 1) * G::FILES + G::FILES / 2 - 1;
        for company in std::iter::once([None; 2]).chain(both) {
            board.company = company;
            if board.ways(middle, false).next().is_some() {
                break;
            }
        }
        board
    }

    /// Squares of the border, in an order that jumps around it, with the one opposite.
    fn border() -> impl Iterator<Item = [Square; 2]> {
        let (files, ranks) = (G::FILES, G::RANKS);
        let bottom = 0..files;
        let right = (1..ranks).map(move |r| r * files + files - 1);
        let top = (0..files - 1).rev().map(move |f| (ranks - 1) * files + f);
        let left = (1..ranks - 1).rev().map(move |r| r * files);
        let ring: Vec<Square> = bottom.chain(right).chain(top).chain(left).collect();
        let n = ring.len();
        (0..n).map(move |i| [ring[i * 5 % n], ring[(i * 5 + n / 2) % n]])
    }

    /// Ways to place the company so that the piece may stand on `square`.
    fn ways(&self, square: Square, unmoved: bool) -> impl Iterator<Item = [Square; 2]> {
        let alone = self.company == [None; 2];
        Self::border()
            .take(if alone { 1 } else { usize::MAX })
            .filter(move |way| alone || !way.contains(&square))
            .filter(move |way| self.state(square, *way, None, unmoved).is_some())
            .take(WAYS)
    }

    /// The position with the piece on `square`, the company, and an enemy; `None` if the rules refuse it
    /// or nothing moves in it.
    fn state(
        &self,
        square: Square,
        way: [Square; 2],
        enemy: Option<(Kind, Square)>,
        unmoved: bool,
    ) -> Option<G::State> {
        let mut cells = BTreeMap::from([(square, (Side::White, self.kind))]);
        for side in Side::BOTH {
            if let Some(kind) = self.company[side.index()] {
                cells.insert(way[side.index()], (side, kind));
            }
        }
        if let Some((kind, at)) = enemy
            && cells.insert(at, (Side::Black, kind)).is_some()
        {
            return None;
        }
        let letter = |q| {
            let (side, kind) = cells.get(&q)?;
            let letter = self.game.info().pieces[*kind as usize].letter;
            Some(if *side == Side::White { letter } else { letter.to_ascii_lowercase() })
        };
        let mut fen = write_placement(G::FILES, G::RANKS, letter) + self.tail + " w";
        for field in &self.fields[2..] {
            let number = field.bytes().all(|b| b.is_ascii_digit());
            let keeps = unmoved && square_list::<G>(field).is_some_and(|list| list.contains(&square));
            fen.push(' ');
            if number {
                fen += field;
            } else if keeps {
                fen += &crate::notation::square_name(square, G::FILES);
            } else {
                fen.push('-');
            }
        }
        let state = self.game.parse_fen(&fen).ok()?;
        self.game.ending(&state).is_none().then_some(state)
    }

    /// What the piece does on `square`; `None` if it cannot stand there (or, if it is to be unmoved, if
    /// the start position says of no piece there that it has not moved).
    fn probe(&self, square: Square, unmoved: bool) -> Option<Probe<'_, G>> {
        let said = |f: &String| square_list::<G>(f).is_some_and(|list| list.contains(&square));
        if unmoved && !self.fields[2..].iter().any(said) {
            return None;
        }
        let ways: Vec<[Square; 2]> = self.ways(square, unmoved).collect();
        if ways.is_empty() {
            return None;
        }
        let mut probe =
            Probe { board: self, square, unmoved, ways, quiet: BTreeSet::new(), becomes: BTreeSet::new() };
        for way in &probe.ways {
            let Some(state) = self.state(square, *way, None, unmoved) else { continue };
            for m in self.moves(&state, square) {
                if matches!(m.flag(), Flag::Plain | Flag::Promotion)
                    && self.game.facts(&state, m).captured.is_none()
                {
                    probe.quiet.insert(m.to());
                }
                if m.flag() == Flag::Promotion {
                    probe.becomes.insert(m.kind());
                }
            }
        }
        Some(probe)
    }

    /// The moves of the piece on `square`, but for castling and exchanges of places with its own side.
    fn moves(&self, state: &G::State, square: Square) -> Vec<Move> {
        let mut list = Vec::new();
        self.game.generate(state, Which::All, &mut list);
        list.retain(|m| m.from() == square && !matches!(m.flag(), Flag::Drop | Flag::Castle | Flag::Arrange));
        list
    }
}

/// The squares that a FEN field lists, if it is such a list.
fn square_list<G: Game>(field: &str) -> Option<Vec<Square>> {
    let mut squares = Vec::new();
    let mut rest = field;
    while !rest.is_empty() {
        let (square, after) = parse_square(rest, G::FILES, G::RANKS)?;
        squares.push(square);
        rest = after;
    }
    Some(squares)
}

/// A piece on a square, with the ways that leave it there.
struct Probe<'a, G: Game> {
    board: &'a Board<'a, G>,
    square: Square,
    unmoved: bool,
    ways: Vec<[Square; 2]>,
    quiet: BTreeSet<Square>,
    becomes: BTreeSet<Kind>,
}

impl<G: Game> Probe<'_, G> {
    /// What it does to an enemy on `target`: capture or swap, or nothing.
    fn takes(&self, target: Square) -> Option<Mark> {
        let Board { game, .. } = self.board;
        for way in &self.ways {
            // The first kind that may stand there is as good as any.
            let mut kinds = (0..game.info().pieces.len() as Kind).rev();
            let state =
                kinds.find_map(|k| self.board.state(self.square, *way, Some((k, target)), self.unmoved));
            let Some(state) = state else { continue };
            for m in self.board.moves(&state, self.square).into_iter().filter(|m| m.to() == target) {
                match m.flag() {
                    Flag::Pawning | Flag::PawningPromotion => return Some(Mark::Swap),
                    Flag::Plain | Flag::Promotion if game.facts(&state, m).captured.is_some() => {
                        return Some(Mark::Capture);
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// All that it does; captures are tried by `steps` and where it can go.
    fn marks(&self, steps: &BTreeSet<Step>) -> Marks {
        let by_steps = steps.iter().filter_map(|&s| step::<G>(self.square, s));
        let targets: BTreeSet<Square> = by_steps.chain(self.quiet.iter().copied()).collect();
        let mark = |t: &Square| match (self.quiet.contains(t), self.takes(*t)) {
            (true, Some(Mark::Capture)) => Some(Mark::Both),
            (true, _) => Some(Mark::Move),
            (false, taken) => taken,
        };
        targets.iter().filter_map(|t| Some((*t, mark(t)?))).collect()
    }
}

/// What is done by a step, for all steps that stay on the board.
type Behaviour = BTreeMap<Step, Option<Mark>>;

fn behaviour<G: Game>(square: Square, marks: &Marks) -> Behaviour {
    let targets = (0..G::FILES * G::RANKS).filter(|&t| t != square);
    targets.map(|t| (step_between::<G>(square, t), marks.get(&t).copied())).collect()
}

/// One diagram for the general case, then one for each group of squares that is unlike it, then those for
/// unmoved pieces that can do more.
fn diagrams<G: Game>(all: &[Option<Marks>], unmoved: Vec<(Square, Marks)>) -> Vec<Diagram> {
    let standing: Vec<(Square, &Marks, Behaviour)> = (0..)
        .zip(all)
        .filter_map(|(q, marks)| marks.as_ref().map(|m| (q, m, behaviour::<G>(q, m))))
        .collect();
    // The general case: by each step, what is done from most squares that allow it.
    let mut votes: BTreeMap<Step, BTreeMap<Option<Mark>, usize>> = BTreeMap::new();
    for (step, mark) in standing.iter().flat_map(|(_, _, b)| b) {
        *votes.entry(*step).or_default().entry(*mark).or_default() += 1;
    }
    let general: Behaviour = votes
        .into_iter()
        .filter_map(|(step, marks)| Some((step, marks.into_iter().max_by_key(|(_, n)| *n)?.0)))
        .collect();
    let (usual, special): (Vec<_>, Vec<_>) =
        standing.iter().partition(|(_, _, b)| b.iter().all(|(step, mark)| general.get(step) == Some(mark)));
    let mut found = Vec::new();
    if let Some((square, marks, _)) = usual.iter().min_by_key(|(q, ..)| off_centre::<G>(*q)) {
        found.push(Diagram { square: *square, scope: Scope::General, marks: (*marks).clone() });
    }
    for group in groups(special.iter().map(|(q, marks, b)| (*q, (*marks).clone(), b.clone()))) {
        found.extend(drawn::<G>(group, Scope::Squares));
    }
    let more = unmoved.into_iter().filter(|(q, marks)| all[*q as usize].as_ref() != Some(marks));
    let more = more.map(|(q, marks)| {
        let b = behaviour::<G>(q, &marks);
        (q, marks, b)
    });
    for group in groups(more) {
        found.extend(drawn::<G>(group, Scope::Unmoved));
    }
    found
}

/// Distance from the middle of the board, in halves of a square.
fn off_centre<G: Game>(square: Square) -> u8 {
    let off = |at: u8, size: u8| (2 * at + 1).abs_diff(size);
    off(square % G::FILES, G::FILES) + off(square / G::FILES, G::RANKS)
}

type Group = Vec<(Square, Marks)>;

/// Squares from which, by every step that both allow, the same is done.
fn groups(squares: impl Iterator<Item = (Square, Marks, Behaviour)>) -> Vec<Group> {
    let mut groups: Vec<(Behaviour, Group)> = Vec::new();
    for (square, marks, b) in squares {
        let same = |g: &Behaviour| b.iter().all(|(step, mark)| g.get(step).is_none_or(|known| known == mark));
        match groups.iter_mut().find(|(known, _)| same(known)) {
            Some((known, members)) => {
                known.extend(b);
                members.push((square, marks));
            }
            None => groups.push((b, vec![(square, marks)])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// The member that shows most, and of those the one nearest the centre.
fn drawn<G: Game>(group: Group, scope: fn(Vec<Square>) -> Scope) -> Option<Diagram> {
    let squares = group.iter().map(|(q, _)| *q).collect();
    let key = |(q, marks): &(Square, Marks)| (marks.len(), u8::MAX - off_centre::<G>(*q));
    let (square, marks) = group.into_iter().rev().max_by_key(key)?;
    Some(Diagram { square, scope: scope(squares), marks })
}
