//! The terms of a game's evaluation: their names, how many weights each has, and where they stand.

use super::rule_of_thumb;
use super::{Evaluate, Pair};
use crate::game::Game;
use crate::moves::{Kind, Square};

/// A named term: one weight, or a table of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// `group.name`, as in the weights file.
    pub name: String,
    /// Index of its first weight.
    pub first: usize,
    /// Weights by rule of thumb, as many as the term has.
    pub rule_of_thumb: Vec<Pair>,
    /// Whether weights were written before there was such a term: a file without it goes on meaning what it meant.
    pub later: bool,
}

/// All terms of a game's evaluation, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    terms: Vec<Term>,
    len: usize,
    /// Weights a line when tables are written: half a rank.
    pub(super) line: usize,
}

impl Layout {
    /// The layout of `game`: the standard terms, then its own.
    pub fn of<G: Evaluate>(game: &G) -> (Layout, Standard) {
        let line = usize::from(G::FILES.div_ceil(2));
        let mut layout = Layout { line, ..Layout::default() };
        let standard = Standard::add_to(game, &mut layout);
        game.own_layout(&mut layout);
        (layout, standard)
    }

    /// Adds a term with its rule-of-thumb weights; gives the index of its first weight.
    pub fn add(&mut self, name: impl Into<String>, rule_of_thumb: Vec<Pair>) -> usize {
        self.push(name.into(), rule_of_thumb, false)
    }

    /// Adds a term as [`add`](Self::add) does, whose weights are 0 in files that lack it.
    pub fn add_later(&mut self, name: impl Into<String>, rule_of_thumb: Vec<Pair>) -> usize {
        self.push(name.into(), rule_of_thumb, true)
    }

    fn push(&mut self, name: String, rule_of_thumb: Vec<Pair>, later: bool) -> usize {
        let first = self.len;
        self.len += rule_of_thumb.len();
        self.terms.push(Term { name, first, rule_of_thumb, later });
        first
    }

    /// The terms, in order.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The number of weights.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name of one weight: `square.knight[27]`, or the term's own name if it has one weight.
    pub fn name_of(&self, weight: usize) -> String {
        let term = self.terms.iter().rfind(|t| t.first <= weight);
        term.map_or_else(String::new, |t| match t.rule_of_thumb.len() {
            1 => t.name.clone(),
            _ => format!("{}[{}]", t.name, weight - t.first),
        })
    }
}

/// Where the terms that every game has stand in its layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard {
    /// Number of kinds.
    pub kinds: usize,
    /// First of the values on the board, one a kind.
    pub material: usize,
    /// First of the values in hand, one a kind; present with drops only.
    pub hand: usize,
    /// First of the places, half a board (files mirrored) a kind.
    pub place: usize,
    /// The side to move's tempo.
    pub tempo: usize,
    /// First of the game's own terms.
    pub own: usize,
}

impl Standard {
    fn add_to<G: Evaluate>(game: &G, layout: &mut Layout) -> Standard {
        let names: Vec<&str> = game.info().pieces.iter().map(|p| p.name).collect();
        let kinds = || names.iter().enumerate().map(|(kind, name)| (kind as Kind, name));
        let material = layout.len();
        for (kind, name) in kinds() {
            layout.add(format!("material.{name}"), vec![rule_of_thumb::material(game, kind)]);
        }
        let hand = layout.len();
        if G::CAPS.drops {
            for (kind, name) in kinds() {
                layout.add(format!("hand.{name}"), vec![rule_of_thumb::hand(game, kind)]);
            }
        }
        let place = layout.len();
        for (kind, name) in kinds() {
            layout.add(format!("place.{name}"), rule_of_thumb::places(game, kind));
        }
        let tempo = layout.add("tempo.move", vec![Pair { mg: 15, eg: 5 }]);
        Standard { kinds: names.len(), material, hand, place, tempo, own: layout.len() }
    }

    /// The index of the place term of `kind` on a square seen from its own side.
    #[inline]
    pub fn place<G: Game>(&self, kind: Kind, relative: Square) -> usize {
        let (file, rank) = (relative % G::FILES, relative / G::FILES);
        let file = file.min(G::FILES - 1 - file);
        let half = G::FILES.div_ceil(2) as usize;
        self.place + (kind as usize * G::RANKS as usize + rank as usize) * half + file as usize
    }
}
