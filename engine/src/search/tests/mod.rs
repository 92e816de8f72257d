mod toy;

use super::tree::{POLL_INTERVAL, log2_hundredths};
use super::*;
use crate::eval::{Layout, Standard, Trace};
use crate::game::{Game, Which};
use crate::moves::Move;
use crate::side::Side;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use toy::{Board, Toy};

const TABLE: usize = 1 << 16;

fn searcher<G: Playable>(game: G, params: Params) -> Searcher<G> {
    Searcher::new(game, TABLE, params).unwrap()
}

/// A position after some random moves, and the keys that led there.
fn wander<G: Game>(game: &G, seed: u64, plies: usize) -> (G::State, Vec<u64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start();
    let mut keys = vec![game.key(&state)];
    for _ in 0..plies {
        let mut list = Vec::new();
        game.generate(&state, Which::All, &mut list);
        if list.is_empty() {
            break;
        }
        game.play(&mut state, list[rng.random_range(0..list.len())], &mut ());
        keys.push(game.key(&state));
    }
    (state, keys)
}

/// Plain minimax from White's view, written without any of the search's machinery.
fn minimax<const N: u8>(
    s: &Searcher<Toy<N>>,
    state: &Board,
    path: &mut Vec<u64>,
    root: usize,
    depth: u32,
    ply: u32,
) -> i32 {
    let game = s.game();
    let side = game.side_to_move(state);
    if let Some(ending) = game.ending(state) {
        let winner = ending.result.winner().unwrap();
        return winner.sign() * Score::win_in(ply).value();
    }
    let key = game.key(state);
    path.push(key);
    let clock = usize::from(game.clocks(state).0);
    let (last, before) = (path.len() - 1, path.len() - 1 - clock.min(path.len() - 1));
    let times: Vec<usize> = (before..last).filter(|&i| path[i] == key).collect();
    let value = if ply > 0 && (times.len() >= 2 || times.iter().any(|&i| i > root)) {
        0
    } else if depth == 0 {
        side.sign() * s.evaluator().fresh_score(state)
    } else {
        let mut list = Vec::new();
        game.generate(state, Which::All, &mut list);
        let scores = list.into_iter().map(|m| {
            let mut next = state.clone();
            game.play(&mut next, m, &mut ());
            side.sign() * minimax(s, &next, path, root, depth - 1, ply + 1)
        });
        side.sign() * scores.max().unwrap()
    };
    path.pop();
    value
}

fn compare_with_minimax<const N: u8>() {
    for seed in 0..30 {
        let mut s = searcher(Toy::<N>::new(), Params::exhaustive());
        let (state, mut keys) = wander(s.game(), seed, 2 + seed as usize % 9);
        let side = s.game().side_to_move(&state);
        if s.game().ending(&state).is_some() {
            continue;
        }
        for depth in 1..=4 {
            let result = s.search(&state, &keys, &Limits::depth(depth), &mut |_| {});
            let root = keys.len() - 1;
            let key = keys.pop().unwrap();
            let expected = side.sign() * minimax(&s, &state, &mut keys, root, depth, 0);
            keys.push(key);
            assert_eq!(result.score.value(), expected, "seed {seed}, depth {depth}");
        }
    }
}

#[test]
fn without_prunings_the_search_is_minimax() {
    compare_with_minimax::<1>();
}

#[test]
fn without_prunings_the_search_is_minimax_where_a_side_acts_twice() {
    compare_with_minimax::<2>();
}

#[test]
fn a_win_is_found_and_its_distance_told() {
    let mut s = searcher(Toy::<1>::new(), Params::default());
    // The tower takes the king at once.
    let state = s.game().position(["...k", "p...", "....", "...T", "K..."], Side::White);
    let result = s.search(&state, &[], &Limits::nodes(500), &mut |_| {});
    assert_eq!(result.score.to_string(), "#1");
    assert_eq!(result.best, Move::plain(7, 19));
    // One tower holds the fourth rank, the other comes to the fifth: the king must step into one of them.
    let state = s.game().position(["k...", "...T", "....", "....", "..TK"], Side::White);
    s.new_game();
    let result = s.search(&state, &[], &Limits { mate: Some(3), ..Limits::nodes(200_000) }, &mut |_| {});
    assert_eq!(result.score.mate_moves(), Some(2), "{result:?}");
    assert_eq!(result.best, Move::plain(2, 18));
    // The side that is lost knows it as well.
    let lost = s.game().position(["k.T.", "...T", "....", "....", "...K"], Side::Black);
    let result = s.search(&lost, &[], &Limits::nodes(20_000), &mut |_| {});
    assert_eq!(result.score.to_string(), "#-1");
}

#[test]
fn two_actions_in_a_row_take_a_king_two_steps_away() {
    let mut s = searcher(Toy::<2>::new(), Params::default());
    let state = s.game().position(["...k", "....", "T...", "....", "K..."], Side::White);
    let result = s.search(&state, &[], &Limits::nodes(5_000), &mut |_| {});
    assert_eq!(result.score.mate_plies(), Some(2), "{result:?}");
}

#[test]
fn a_node_limit_is_kept_exactly_and_every_result_is_legal() {
    for nodes in [0, 1, 2, 3, 7, 50, 333, 1000, 4321] {
        let mut s = searcher(Toy::<1>::new(), Params::default());
        let state = s.game().start();
        let result = s.search(&state, &[], &Limits::nodes(nodes), &mut |_| {});
        assert_eq!(result.nodes, nodes);
        let mut list = Vec::new();
        s.game().generate(&state, Which::All, &mut list);
        assert!(list.contains(&result.best), "{nodes} nodes");
        assert_eq!(result.pv[0], result.best);
    }
}

#[test]
fn the_same_game_is_searched_the_same_way_again() {
    let mut s = searcher(Toy::<1>::new(), Params::default());
    let play = |s: &mut Searcher<Toy<1>>| {
        s.new_game();
        let mut state = s.game().start();
        let mut keys = vec![s.game().key(&state)];
        let mut results = Vec::new();
        for _ in 0..12 {
            let result = s.search(&state, &keys, &Limits::nodes(700), &mut |_| {});
            if result.best.is_none() {
                break;
            }
            s.game().clone().play(&mut state, result.best, &mut ());
            keys.push(s.game().key(&state));
            results.push(result);
        }
        results
    };
    let first = play(&mut s);
    assert!(first.len() > 4);
    assert_eq!(first, play(&mut s));
    assert_eq!(first, play(&mut searcher(Toy::<1>::new(), Params::default())));
}

#[test]
fn noise_changes_play_by_its_seed_and_does_not_stay() {
    let mut s = searcher(Toy::<1>::new(), Params::default());
    let mut search = |noise| {
        s.set_noise(noise);
        s.new_game();
        let state = s.game().start();
        s.search(&state, &[], &Limits::nodes(2_000), &mut |_| {})
    };
    let noise = |seed| Noise { deviation: 200, seed };
    let sober = search(Noise::default());
    assert_eq!(search(noise(1)), search(noise(1)));
    assert_ne!(search(noise(1)), search(noise(2)));
    assert_ne!(search(noise(1)), sober);
    assert_eq!(search(Noise::default()), sober);
    // A win in sight is seen all the same.
    let state = s.game().position(["...k", "p...", "....", "...T", "K..."], Side::White);
    s.set_noise(Noise { deviation: Noise::MAX_DEVIATION, seed: 7 });
    s.new_game();
    assert_eq!(s.search(&state, &[], &Limits::nodes(500), &mut |_| {}).score.to_string(), "#1");
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let mut s = searcher(Toy::<1>::new(), Params::exhaustive());
    let state = s.game().start();
    let limits = Limits { lines: 4, ..Limits::depth(3) };
    let result = s.search(&state, &[], &limits, &mut |_| {});
    let mut scores = Vec::new();
    let mut list = Vec::new();
    s.game().generate(&state, Which::All, &mut list);
    for &m in &list {
        let only = Limits { only: vec![m], ..Limits::depth(3) };
        s.new_game();
        scores.push(s.search(&state, &[], &only, &mut |_| {}).score);
    }
    scores.sort_unstable_by_key(|s| std::cmp::Reverse(*s));
    let found: Vec<Score> = result.lines.iter().map(|l| l.score).collect();
    assert_eq!(found, scores[..4]);
    let moves: std::collections::HashSet<_> = result.lines.iter().map(|l| l.pv[0]).collect();
    assert_eq!(moves.len(), 4);
}

#[test]
fn the_caller_can_stop_a_search() {
    let mut s = searcher(Toy::<1>::new(), Params::default());
    let state = s.game().start();
    let limits = Limits { should_stop: Some(Arc::new(|| true)), ..Limits::default() };
    let result = s.search(&state, &[], &limits, &mut |_| {});
    assert_eq!(result.nodes, POLL_INTERVAL);
    assert!(!result.best.is_none());
}

#[test]
fn incremental_scores_mirrors_and_traces_agree() {
    let game = Toy::<1>::new();
    let evaluator = Evaluator::with_defaults(game.clone()).unwrap();
    let (_, standard): (Layout, Standard) = Layout::of(&game);
    let weights = Weights::default_of(&game).unwrap();
    let weights: Vec<_> = weights.pairs().iter().map(|p| (f64::from(p.mg), f64::from(p.eg))).collect();
    for seed in 0..50 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = game.start();
        let mut sum = evaluator.sum(&state);
        for _ in 0..20 {
            let score = evaluator.score(&state, &sum);
            assert_eq!(score, evaluator.fresh_score(&state));
            let mirrored = game.mirrored(&state).unwrap();
            assert_eq!(score, evaluator.fresh_score(&mirrored), "the side to move sees the same");
            let trace = Trace::of(&evaluator, &standard, &state);
            let side = game.side_to_move(&state).sign();
            assert!((trace.score(&weights) - f64::from(side * score)).abs() < 1.0);
            let mut list = Vec::new();
            game.generate(&state, Which::All, &mut list);
            if list.is_empty() {
                break;
            }
            let mut watcher = evaluator.watch(sum);
            game.play(&mut state, list[rng.random_range(0..list.len())], &mut watcher);
            sum = watcher.sum;
            assert_eq!(sum, evaluator.sum(&state));
        }
    }
}

#[test]
fn logarithms_are_right_to_a_hundredth() {
    for n in 1..200u64 {
        assert_eq!(log2_hundredths(n), ((n as f64).log2() * 100.0 + 1e-9).floor() as i32, "{n}");
    }
}

#[test]
fn the_bench_repeats_itself_and_sees_a_changed_setting() {
    let game = Toy::<1>::new();
    let first = crate::bench::run(&game, Params::default(), 5, 2_000).unwrap();
    assert_eq!(first, crate::bench::run(&game, Params::default(), 5, 2_000).unwrap());
    let other = Params { reductions: 0, ..Params::default() };
    assert_ne!(first.signature, crate::bench::run(&game, other, 5, 2_000).unwrap().signature);
}
