//! Move lists and what making a move does.

use crate::at;
use crate::rng::Rng;
use equipoise_engine::game::{Game, Observer, Which};
use equipoise_engine::moves::{Flag, Kind, Move, Square};
use equipoise_engine::side::Side;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

pub fn list<G: Game>(game: &G, state: &G::State, which: Which) -> Vec<Move> {
    let mut moves = Vec::new();
    game.generate(state, which, &mut moves);
    moves
}

fn hash(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// A copy is played on; the original stays as it was, in every way one can ask.
pub fn play_changes_the_copy_alone<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let seen = (game.fen(state), game.key(state), hash(state), list(game, state, Which::All));
        let twin = state.clone();
        for m in seen.3.clone() {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            assert_ne!(next, *state, "{m:?} changes nothing: {}", at(game, state));
        }
        assert_eq!(*state, twin);
        assert_eq!(seen, (game.fen(state), game.key(state), hash(state), list(game, state, Which::All)));
    }
}

/// Noisy and quiet moves have none in common and are together all moves; no list has a move twice; what was in
/// the list before stays; a decided position has none.
pub fn noisy_and_quiet_are_all_moves<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let [all, noisy, quiet] =
            [Which::All, Which::Noisy, Which::Quiet].map(|which| list(game, state, which));
        let set = |moves: &[Move]| moves.iter().copied().collect::<HashSet<Move>>();
        assert_eq!(set(&all).len(), all.len(), "a move twice: {}", at(game, state));
        assert_eq!(noisy.len() + quiet.len(), all.len(), "{}", at(game, state));
        assert_eq!(&set(&noisy) | &set(&quiet), set(&all), "{}", at(game, state));
        assert!(all.iter().all(|m| !m.is_none()), "{}", at(game, state));
        assert_eq!(game.ending(state).is_some(), all.is_empty(), "{}", at(game, state));
        let mut after_others = vec![Move::NONE; 3];
        game.generate(state, Which::All, &mut after_others);
        assert_eq!(after_others[..3], [Move::NONE; 3]);
        assert_eq!(after_others[3..], all[..], "{}", at(game, state));
    }
}

pub fn count_is_the_length_of_the_list<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let listed = list(game, state, Which::All).len() as u64;
        assert_eq!(game.count(state), listed, "{}", at(game, state));
    }
}

/// `is_legal` of moves of this and of other positions says what the list says.
pub fn legality_is_membership<G: Game>(game: &G, states: &[G::State]) {
    let mut rng = Rng::new("legality");
    let mut scratch = vec![Move::NONE];
    for state in states {
        let legal = list(game, state, Which::All);
        let mut others: Vec<Move> = legal.clone();
        for _ in 0..6 {
            others.extend(list(game, rng.pick(states), Which::All));
        }
        for m in others {
            let said = game.is_legal(state, m, &mut scratch);
            assert_eq!(said, legal.contains(&m), "{m:?}: {}", at(game, state));
        }
        assert_eq!(scratch, [Move::NONE]);
    }
}

/// What a move puts on the board and takes off, in order.
#[derive(Default)]
pub struct Changes {
    pub put: Vec<(Side, Kind, Square)>,
    pub lifted: Vec<(Side, Kind, Square)>,
    pub hands: Vec<(Side, Kind, i32)>,
}

impl Observer for Changes {
    fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.put.push((side, kind, square));
    }
    fn lift(&mut self, side: Side, kind: Kind, square: Square) {
        self.lifted.push((side, kind, square));
    }
    fn hand(&mut self, side: Side, kind: Kind, n: i32) {
        self.hands.push((side, kind, n));
    }
}

/// What is said of a move before it is made, who moves, what is captured and whether it is noisy, is what
/// happens.
pub fn facts_are_what_happens<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let us = game.side_to_move(state);
        let noisy = list(game, state, Which::Noisy);
        let board = crate::sample::board(game, state);
        for m in list(game, state, Which::All) {
            let facts = game.facts(state, m);
            let mover = match m.flag() {
                Flag::Drop => Some((us, m.kind())),
                _ => board[m.from() as usize],
            };
            assert_eq!(mover, Some((us, facts.mover)), "{m:?}: {}", at(game, state));
            assert_eq!(facts.noisy, noisy.contains(&m), "{m:?}: {}", at(game, state));
            let mut changes = Changes::default();
            game.play(&mut state.clone(), m, &mut changes);
            if G::CAPS.captures {
                let taken: Vec<Kind> = changes
                    .lifted
                    .iter()
                    .filter(|(side, ..)| *side != us)
                    .map(|(_, kind, _)| *kind)
                    .collect();
                assert_eq!(taken, Vec::from_iter(facts.captured), "{m:?}: {}", at(game, state));
            } else {
                assert_eq!(facts.captured, None, "{m:?}: {}", at(game, state));
            }
        }
    }
}

/// Pieces on the board and in hand.
fn pieces<G: Game>(game: &G, state: &G::State) -> usize {
    let mut n = 0;
    game.pieces(state, &mut |_, _, _| n += 1);
    for side in Side::BOTH {
        n += (0..game.info().pieces.len() as Kind)
            .map(|k| usize::from(game.in_hand(state, side, k)))
            .sum::<usize>();
    }
    n
}

/// With drops no piece is ever lost; without, a move loses what it captures, and where nothing is captured no
/// move adds a piece.
pub fn material_is_conserved<G: Game>(game: &G, states: &[G::State]) {
    for state in states {
        let before = pieces(game, state);
        for m in list(game, state, Which::All) {
            let captured = usize::from(game.facts(state, m).captured.is_some());
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            let after = pieces(game, &next);
            if G::CAPS.drops {
                assert_eq!(after, before, "{m:?}: {}", at(game, state));
            } else if G::CAPS.captures {
                assert_eq!(after + captured, before, "{m:?}: {}", at(game, state));
            } else {
                assert!(after <= before, "{m:?}: {}", at(game, state));
            }
        }
    }
}

/// What a piece controls on an empty board is the same for both sides with the board turned over, names no square
/// twice, and never its own.
pub fn reach_is_the_same_for_both_sides<G: Game>(game: &G, _: &[G::State]) {
    let flip = |square: Square| (G::RANKS - 1 - square / G::FILES) * G::FILES + square % G::FILES;
    for kind in 0..game.info().pieces.len() as Kind {
        let [white, black] = Side::BOTH.map(|side| game.reach(side, kind));
        assert_eq!(white.len(), black.len());
        for (from, targets) in (0..).zip(&white) {
            let set = |list: &[Square]| list.iter().copied().collect::<HashSet<Square>>();
            let turned: Vec<Square> = black[flip(from) as usize].iter().map(|&to| flip(to)).collect();
            assert_eq!(set(targets), set(&turned), "kind {kind} on {from}");
            assert_eq!(set(targets).len(), targets.len(), "kind {kind} on {from}");
            assert!(!targets.contains(&from), "kind {kind} on {from}");
        }
    }
}

/// A game that calls positions with left and right exchanged equally good has as many moves in both, two plies
/// deep, and the same end.
pub fn left_and_right_are_as_the_game_says<G: Game>(game: &G, states: &[G::State]) {
    if !game.is_left_right_symmetric() {
        return;
    }
    let mut compared = 0;
    for state in states {
        let board = crate::sample::board(game, state);
        let mut turned = vec![None; board.len()];
        for (square, cell) in board.iter().enumerate() {
            let (file, files) = (square % G::FILES as usize, G::FILES as usize);
            turned[square - file + files - 1 - file] = *cell;
        }
        // Fields that name squares or list pieces do not turn with the board: without them, then.
        let plain = |board: &[crate::sample::Cell]| {
            let text = crate::sample::with_board(game, &game.fen(state), board);
            let fields = text.split(' ').enumerate();
            let kept =
                fields.map(|(i, f)| if i < 2 || f.bytes().all(|b| b.is_ascii_digit()) { f } else { "-" });
            game.parse_fen(&kept.collect::<Vec<_>>().join(" ")).ok()
        };
        let (Some(as_it_is), Some(turned)) = (plain(&board), plain(&turned)) else { continue };
        compared += 1;
        let tree = |state: &G::State| equipoise_engine::perft::perft(game, state, 2);
        assert_eq!(tree(&as_it_is), tree(&turned), "{}", at(game, &as_it_is));
        assert_eq!(game.ending(&as_it_is), game.ending(&turned), "{}", at(game, &as_it_is));
    }
    assert!(compared * 2 > states.len(), "{compared} of {} positions were turned", states.len());
}
