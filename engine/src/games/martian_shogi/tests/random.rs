//! What holds in every position of random games, under every option.

use super::{game, listed};
use crate::game::{Game, Observer, Which};
use crate::games::martian_shogi::kinds::{IN_ALL, KINDS};
use crate::games::martian_shogi::{MartianShogi, State};
use crate::moves::{Kind, Move, Square};
use crate::side::Side;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

pub const OPTIONS: [&str; 7] = [
    "",
    "drops=false",
    "drops=false promotion=false",
    "squire_sideways=true",
    "move_table=cautious",
    "pawn_double_first_move=true",
    "hand_monarch_saves=true blocked=draw pawn_double_first_move=true",
];

/// Keeps its own board and hands by what the moves tell.
#[derive(Clone, PartialEq, Debug, Default)]
struct Follower {
    board: BTreeMap<Square, (Side, Kind)>,
    hands: BTreeMap<(Side, Kind), i32>,
}

impl Follower {
    fn of(game: &MartianShogi, state: &State) -> Follower {
        let mut follower = Follower::default();
        game.pieces(state, &mut |side, kind, square| follower.put(side, kind, square));
        for side in Side::BOTH {
            for kind in 0..KINDS as Kind {
                follower.hand(side, kind, i32::from(game.in_hand(state, side, kind)));
            }
        }
        follower
    }
}

impl Observer for Follower {
    fn put(&mut self, side: Side, kind: Kind, square: Square) {
        assert_eq!(self.board.insert(square, (side, kind)), None);
    }
    fn lift(&mut self, side: Side, kind: Kind, square: Square) {
        assert_eq!(self.board.remove(&square), Some((side, kind)));
    }
    fn hand(&mut self, side: Side, kind: Kind, n: i32) {
        let held = self.hands.entry((side, kind)).or_default();
        *held += n;
        assert!((0..=5).contains(held));
    }
}

/// Plays random games of `game` and calls `check` in every position; gives the number of plies.
pub fn random_games(game: &MartianShogi, games: u64, mut check: impl FnMut(&State)) -> u32 {
    let mut plies = 0;
    for seed in 0..games {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut state = game.start();
        for _ in 0..300 {
            check(&state);
            let mut list = Vec::new();
            game.generate(&state, Which::All, &mut list);
            if list.is_empty() {
                break;
            }
            let m = list[random.random_range(0..list.len())];
            let mut follower = Follower::of(game, &state);
            let facts = game.facts(&state, m);
            let before = follower.clone();
            game.play(&mut state, m, &mut follower);
            assert_eq!(follower, Follower::of(game, &state));
            let taken: i32 = follower.hands.values().sum::<i32>() - before.hands.values().sum::<i32>();
            assert_eq!(taken == 1, facts.captured.is_some());
            plies += 1;
        }
    }
    plies
}

#[test]
fn the_set_is_conserved_at_sixty() {
    for options in OPTIONS {
        let game = game(options);
        let plies = random_games(&game, 40, |state| {
            let hands: u32 = state.hands.iter().map(|h| h.total()).sum();
            assert_eq!(state.occupied().count_ones() + hands + state.stash.total(), IN_ALL);
            for kind in 0..KINDS as Kind {
                let board = state.kinds[kind as usize].count_ones() as u8;
                let all = board + state.hands[0].of(kind) + state.hands[1].of(kind) + state.stash.of(kind);
                assert_eq!(all, 5, "{state:?}");
            }
        });
        assert!(plies > 2_000, "{options}: {plies}");
    }
}

#[test]
fn keys_text_and_counts_agree_everywhere() {
    for options in OPTIONS {
        let game = game(options);
        random_games(&game, 12, |state| {
            assert_eq!(game.key(state), game.fresh_key(state));
            let fen = game.fen(state);
            assert_eq!(game.parse_fen(&fen).as_ref(), Ok(state), "{fen}");
            let all = listed(&game, state, Which::All);
            let mut parts = listed(&game, state, Which::Noisy);
            parts.extend(listed(&game, state, Which::Quiet));
            parts.sort();
            assert_eq!(all, parts, "{fen}");
            assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "twice the same in {fen}");
            assert_eq!(game.count(state), all.len() as u64);
            assert_eq!(game.ending(state).is_some(), all.is_empty(), "{fen}");
            let mut noisy = Vec::new();
            game.generate(state, Which::Noisy, &mut noisy);
            assert!(noisy.iter().all(|&m| game.facts(state, m).noisy));
        });
    }
}

#[test]
fn the_mirrored_position_is_the_same_game() {
    for options in OPTIONS {
        let game = game(options);
        random_games(&game, 6, |state| {
            let mirror = game.mirrored(state).expect("every position has a mirror");
            assert_eq!(mirror.key, game.fresh_key(&mirror));
            assert_eq!(game.count(&mirror), game.count(state));
            assert_eq!(game.mirrored(&mirror).as_ref(), Some(state));
            assert_eq!(game.parse_fen(&game.fen(&mirror)).as_ref(), Ok(&mirror));
            let winner = |s: &State| game.ending(s).and_then(|e| e.result.winner());
            assert_eq!(winner(&mirror), winner(state).map(Side::other));
        });
    }
}

#[test]
fn a_move_remembered_from_elsewhere_is_legal_exactly_if_it_is_listed() {
    for options in OPTIONS {
        let game = game(options);
        let mut remembered: Vec<Move> = Vec::new();
        let (mut legal, mut asked) = (0, 0);
        random_games(&game, 6, |state| {
            let mut list = Vec::new();
            game.generate(state, Which::All, &mut list);
            for &m in remembered.iter().chain(&list) {
                let listed = list.contains(&m);
                assert_eq!(game.is_legal(state, m, &mut Vec::new()), listed, "{m:?} in {state:?}");
                legal += u32::from(listed);
                asked += 1;
            }
            remembered.extend(list.iter().step_by(7));
            let surplus = remembered.len().saturating_sub(200);
            remembered.drain(..surplus);
        });
        assert!(legal > 0 && asked > 2 * legal);
    }
}
