//! Random games: what must hold in every position.

use super::super::{KINDS, Placement};
use super::*;
use crate::game::Observer;
use crate::moves::{Flag, Kind, Move, Square};
use crate::perft::perft;
use crate::side::Side;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Keeps a board of its own from what it is told.
#[derive(Clone, PartialEq, Debug)]
struct Board([Option<(Side, Kind)>; 64]);

impl Board {
    fn of(game: &MChess, state: &State) -> Board {
        let mut board = Board([None; 64]);
        game.pieces(state, &mut |side, kind, square| board.0[usize::from(square)] = Some((side, kind)));
        board
    }
}

impl Observer for Board {
    fn put(&mut self, side: Side, kind: Kind, square: Square) {
        assert_eq!(self.0[usize::from(square)], None, "put on a piece");
        self.0[usize::from(square)] = Some((side, kind));
    }
    fn lift(&mut self, side: Side, kind: Kind, square: Square) {
        assert_eq!(self.0[usize::from(square)], Some((side, kind)), "lifted what is not there");
        self.0[usize::from(square)] = None;
    }
    fn hand(&mut self, _: Side, _: Kind, _: i32) {
        panic!("MChess has no hand");
    }
}

fn check(game: &MChess, state: &State) {
    assert_eq!(game.key(state), game.fresh_key(state));
    let fen = game.fen(state);
    assert_eq!(&read(game, &fen), state, "{fen}");
    let all = list(game, state, Which::All);
    let (mut noisy, mut quiet) = (list(game, state, Which::Noisy), list(game, state, Which::Quiet));
    assert!(noisy.iter().all(|&m| game.facts(state, m).noisy));
    assert!(quiet.iter().all(|&m| !game.facts(state, m).noisy));
    noisy.append(&mut quiet);
    noisy.sort_unstable();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    assert_eq!(noisy, sorted);
    assert_eq!(game.count(state), all.len() as u64);
    // Every move and its neighbours in packing: legal if and only if listed.
    for m in all.iter().flat_map(|m| (0..21).map(|bit| Move::from_bits(m.bits() ^ 1 << bit)).chain([*m])) {
        assert_eq!(game.is_legal(state, m, &mut Vec::new()), all.contains(&m), "{m:?} in {fen}");
    }
    let mirror = game.mirrored(state).unwrap();
    assert_eq!(&game.mirrored(&mirror).unwrap(), state);
    assert_eq!(game.count(&mirror), all.len() as u64);
    for side in Side::BOTH {
        let mut set = state.of(side);
        while set != 0 {
            let square = super::super::geometry::pop(&mut set);
            let kind = state.at(square).unwrap().1;
            assert!((0..=game.max_health(kind)).contains(&state.health(square)), "{fen}");
        }
    }
}

/// Plays random games from random placements, at most `plies` long, checking every position.
pub(super) fn walk(game: &MChess, games: u64, plies: usize) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = || Placement::nth(rng.random_range(0..super::super::PLACEMENTS)).unwrap();
        let mut state = game.placed(&draw(), &draw());
        let mut board = Board::of(game, &state);
        for _ in 0..plies {
            check(game, &state);
            let moves = list(game, &state, Which::All);
            if moves.is_empty() {
                assert!(game.ending(&state).is_some());
                break;
            }
            assert_eq!(game.ending(&state), None);
            let m = moves[rng.next_u64() as usize % moves.len()];
            let mut mirror = game.mirrored(&state).unwrap();
            let turned = Move::new(m.flag(), m.from() ^ 56, m.to() ^ 56, m.kind());
            let before = state.clone();
            game.play(&mut state, m, &mut board);
            assert_eq!(board, Board::of(game, &state), "{}", game.fen(&state));
            // Only the other side is hurt: both cannot die in one turn.
            let side = before.side;
            assert_eq!(before.of(side).count_ones(), state.of(side).count_ones());
            for kind in 1..KINDS as Kind {
                let healthier = state.total_health(side, kind) >= before.total_health(side, kind);
                assert!(healthier, "{m:?} in {}", game.fen(&before));
            }
            game.play(&mut mirror, turned, &mut ());
            let mut again = game.mirrored(&mirror).unwrap();
            // Only the full-move number depends on the colour.
            again.full_move = state.full_move;
            assert_eq!(again, state, "{m:?} in {}", game.fen(&before));
            if m.flag() == Flag::Plain && before.kind_on(m.from()) != super::super::PAWN {
                let died = before.occupied().count_ones() > state.occupied().count_ones();
                assert_eq!(game.clocks(&state).0 == 0, died);
            }
        }
    }
}

#[test]
fn random_games_keep_keys_text_mirror_and_observer() {
    walk(&game(&[]), 40, 250);
    walk(&game(&[("numbers", "hot")]), 40, 250);
}

#[test]
fn mirrored_positions_have_the_same_perft() {
    let game = game(&[("numbers", "hot")]);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..10 {
        let mut draw = || Placement::nth(rng.random_range(0..super::super::PLACEMENTS)).unwrap();
        let state = game.placed(&draw(), &draw());
        assert_eq!(perft(&game, &state, 3), perft(&game, &game.mirrored(&state).unwrap(), 3));
    }
}

#[test]
fn keys_tell_health_unmoved_pawns_and_side_apart() {
    let game = game(&[]);
    let key = |fen: &str| game.key(&read(&game, fen));
    let keys = [
        key("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 -"),
        key("7k/8/8/3p4/4P3/8/8/K7 b - - 0 1 -"),
        key("7k/8/8/3p4/4P3/8/8/K7 w e4 - 0 1 -"),
        key("7k/8/8/3p4/4P3/8/8/K7 w d5 - 0 1 -"),
        key("7k/8/8/3p4/4P3/8/8/K7 w e4d5 - 0 1 -"),
        key("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 250,99,100,250"),
        key("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 250,100,99,250"),
        key("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 250,99,99,250"),
        key("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 250,99.999,100,250"),
    ];
    for (i, a) in keys.iter().enumerate() {
        assert!(keys[..i].iter().all(|b| a != b), "{i}");
    }
    // Clocks are no part of what makes two positions the same.
    assert_eq!(keys[0], key("7k/8/8/3p4/4P3/8/8/K7 w - - 9 30 -"));
}
