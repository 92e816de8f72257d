//! Martian Shogi: twelve kinds of pyramid, drops, promotion out of a shared stash, several Monarchs a side.

use super::board::{Board, EMPTY, belongs, coloured, fields, forward, number, side, white_moves};
use super::{Options, Position};

/// The kinds in the order of the hands, large to small; a kind's next larger size stands four places before it.
const KINDS: &[u8; 12] = b"GDCKMLBRPEVS";
/// Pyramids of each kind in the set.
const OF_EACH: usize = 5;

/// How far each kind goes straight forward, to the sides, straight back, diagonally forward, diagonally back.
const MOVES: [(u8, [i32; 5]); 12] = {
    const ANY: i32 = 100;
    [
        (b'P', [1, 0, 0, 1, 0]),
        (b'M', [1, 1, 1, 1, 1]),
        (b'G', [ANY, 1, 1, ANY, 1]),
        (b'E', [1, 0, 0, 0, 0]),
        (b'L', [ANY, 1, ANY, 0, 0]),
        (b'D', [ANY, ANY, ANY, 1, 1]),
        (b'V', [0, 0, 0, ANY, 0]),
        (b'B', [0, 0, 0, ANY, ANY]),
        (b'C', [1, 1, 1, ANY, ANY]),
        (b'S', [ANY, 0, 0, 0, 0]),
        (b'R', [ANY, ANY, ANY, 0, 0]),
        (b'K', [ANY, ANY, ANY, ANY, ANY]),
    ]
};

/// A turn.
#[derive(Clone, Copy, Debug)]
pub enum Turn {
    /// A piece moves; it may be promoted.
    Move { from: usize, to: usize, promote: bool },
    /// A piece of this kind (upper case) comes back from the hand.
    Drop { kind: u8, to: usize },
}

/// A position.
#[derive(Clone, Debug)]
pub struct Martian {
    drops: bool,
    promotion: bool,
    squire_sideways: bool,
    pawn_double: bool,
    hand_monarch_saves: bool,
    cautious: bool,
    board: Board,
    /// Captured pieces, as letters in their holder's case.
    hands: Vec<u8>,
    white: bool,
    half: u32,
    full: u32,
    /// Pawns that have not moved since the start; kept only with `pawn_double_first_move`.
    unmoved: Vec<usize>,
}

impl Position for Martian {
    type Move = Turn;

    fn read(_game: &str, fen: &str, options: &Options) -> Martian {
        let pawn_double = options.flag("pawn_double_first_move", false);
        let fields = fields(fen, if pawn_double { 6 } else { 5 });
        let (placement, hands) = fields[0]
            .strip_suffix(']')
            .and_then(|text| text.split_once('['))
            .unwrap_or_else(|| panic!("{fen:?} has no hands"));
        let board = Board::read(8, placement);
        let position = Martian {
            drops: options.flag("drops", true),
            promotion: options.flag("promotion", true),
            squire_sideways: options.flag("squire_sideways", false),
            pawn_double,
            hand_monarch_saves: options.flag("hand_monarch_saves", false),
            cautious: options.choice("move_table", &["reconstructed", "cautious"]) == "cautious",
            unmoved: if pawn_double { board.squares_in(fields[5]) } else { Vec::new() },
            board,
            hands: hands.bytes().collect(),
            white: white_moves(fields[1]),
            half: number(fields[3]),
            full: number(fields[4]),
        };
        let stash = position.stash();
        assert!(fields[2] == "-" || fields[2] == stash, "stash of {fen:?}: expected {stash}");
        position
    }

    fn fen(&self) -> String {
        let hands: String = [true, false]
            .into_iter()
            .flat_map(|white| KINDS.iter().map(move |&kind| coloured(kind, white)))
            .flat_map(|piece| self.hands.iter().filter(move |&&held| held == piece))
            .map(|&held| held as char)
            .collect();
        let mut text = format!(
            "{}[{hands}] {} {} {} {}",
            self.board.placement(),
            side(self.white),
            self.stash(),
            self.half,
            self.full
        );
        if self.pawn_double {
            text += &format!(" {}", self.board.names(&self.unmoved));
        }
        text
    }

    fn moves(&self) -> Vec<Turn> {
        if self.decided() {
            return Vec::new();
        }
        let mut turns = Vec::new();
        for from in self.board.of_side(self.white) {
            for to in self.targets(from) {
                turns.push(Turn::Move { from, to, promote: false });
                if self.may_promote(from, to) {
                    turns.push(Turn::Move { from, to, promote: true });
                }
            }
        }
        if self.drops {
            let held = |kind: u8| self.hands.contains(&coloured(kind, self.white));
            for &kind in KINDS.iter().filter(|&&kind| held(kind)) {
                turns.extend(self.board.find(EMPTY).map(|to| Turn::Drop { kind, to }));
            }
        }
        turns
    }

    fn after(&self, turn: &Turn) -> Martian {
        let mut next = self.clone();
        let mut quiet = false;
        match *turn {
            Turn::Move { from, to, promote } => {
                let taken = self.board.at(to);
                let piece = self.board.at(from);
                if taken != EMPTY {
                    next.hands.push(coloured(taken.to_ascii_uppercase(), self.white));
                }
                let arrives = match larger(piece.to_ascii_uppercase()) {
                    Some(kind) if promote => coloured(kind, self.white),
                    _ => piece,
                };
                next.board.put(from, EMPTY);
                next.board.put(to, arrives);
                next.unmoved.retain(|&square| square != from && square != to);
                quiet = taken == EMPTY && !promote;
            }
            Turn::Drop { kind, to } => {
                let piece = coloured(kind, self.white);
                let place = next.hands.iter().position(|&held| held == piece);
                next.hands.remove(place.expect("only a piece in hand is dropped"));
                next.board.put(to, piece);
            }
        }
        next.half = if quiet { self.half + 1 } else { 0 };
        next.full = if self.white { self.full } else { self.full + 1 };
        next.white = !self.white;
        next
    }

    fn uci(&self, turn: &Turn) -> String {
        match *turn {
            Turn::Move { from, to, promote } => {
                let plus = if promote { "+" } else { "" };
                format!("{}{}{plus}", self.board.name(from), self.board.name(to))
            }
            Turn::Drop { kind, to } => format!("{}@{}", kind as char, self.board.name(to)),
        }
    }

    fn outcome(&self) -> Option<&'static str> {
        if self.decided() {
            Some("monarchs-captured")
        } else if self.moves().is_empty() {
            Some("blocked")
        } else {
            None
        }
    }
}

/// The next size of the same colour; nothing for a large pyramid.
fn larger(kind: u8) -> Option<u8> {
    let place = KINDS.iter().position(|&other| other == kind)?;
    place.checked_sub(4).map(|place| KINDS[place])
}

impl Martian {
    /// Whether a side has no Monarch on the board, nor, with the option, in its hand.
    fn decided(&self) -> bool {
        let saved = |monarch: u8| self.hand_monarch_saves && self.hands.contains(&monarch);
        [b'K', b'k'].into_iter().any(|k| self.board.find(k).next().is_none() && !saved(k))
    }

    /// How many of a kind are left of the set, neither on the board nor in a hand.
    fn left(&self, kind: u8) -> usize {
        let is_kind = |piece: u8| piece.to_ascii_uppercase() == kind;
        let on_board = self.board.squares().filter(|&square| is_kind(self.board.at(square)));
        let in_hand = self.hands.iter().filter(|&&piece| is_kind(piece));
        let used = on_board.count() + in_hand.count();
        OF_EACH.checked_sub(used).unwrap_or_else(|| panic!("{used} of {:?}", kind as char))
    }

    /// What is left: small, medium, large of each colour.
    fn stash(&self) -> String {
        let colours: Vec<String> = (0..4)
            .map(|colour| [8, 4, 0].map(|size| self.left(KINDS[size + colour]).to_string()).join("."))
            .collect();
        colours.join("/")
    }

    fn may_promote(&self, from: usize, to: usize) -> bool {
        let kind = self.board.at(from).to_ascii_uppercase();
        self.promotion
            && self.board.own_rank(from, self.white) <= 6
            && self.board.own_rank(to, self.white) >= 7
            && larger(kind).is_some_and(|kind| self.left(kind) > 0)
    }

    /// Where the piece on `from` can go.
    fn targets(&self, from: usize) -> Vec<usize> {
        let kind = self.board.at(from).to_ascii_uppercase();
        let ahead = forward(self.white);
        let mut reach = MOVES
            .iter()
            .find(|(of, _)| *of == kind)
            .unwrap_or_else(|| panic!("no piece {:?}", kind as char))
            .1;
        if self.cautious && kind == b'L' {
            reach[2] = 1;
        }
        if self.cautious && kind == b'G' {
            reach[3] = 1;
        }
        if kind == b'S' && self.squire_sideways {
            reach[1] = 1;
        }
        if kind == b'P' && self.unmoved.contains(&from) {
            reach[0] = 2;
        }
        let [front, sides, back, front_diagonals, back_diagonals] = reach;
        let directions = [
            (0, 1, front),
            (-1, 0, sides),
            (1, 0, sides),
            (0, -1, back),
            (-1, 1, front_diagonals),
            (1, 1, front_diagonals),
            (-1, -1, back_diagonals),
            (1, -1, back_diagonals),
        ];
        let mut found = Vec::new();
        for (files, ranks, most) in directions {
            for steps in 1..=most {
                match self.board.offset(from, files * steps, ranks * steps * ahead) {
                    Some(to) if !belongs(self.board.at(to), self.white) => {
                        found.push(to);
                        if self.board.at(to) != EMPTY {
                            break;
                        }
                    }
                    _ => break,
                }
            }
        }
        found
    }
}
