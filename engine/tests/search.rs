//! Search and evaluation on every game of the registry.

use equipoise_engine::bench;
use equipoise_engine::eval::{Evaluator, Layout, Trace, Weights};
use equipoise_engine::game::{Game, Which};
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::moves::Move;
use equipoise_engine::referee::{Limits as GameLimits, Referee};
use equipoise_engine::search::{Limits, Params, Playable, Searcher};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn for_every_game<V: Visitor<Output = ()> + Copy>(visitor: V) {
    for info in games::ALL {
        games::with(info.name, [], visitor).unwrap();
    }
}

/// Calls `f` with the positions of random games and the legal moves there.
fn wander<G: Game>(game: &G, walks: u64, mut f: impl FnMut(&Referee<G>, &[Move])) {
    for seed in 0..walks {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut referee = Referee::new(game.clone(), game.start(), GameLimits::default());
        for _ in 0..80 {
            let mut list = Vec::new();
            game.generate(referee.state(), Which::All, &mut list);
            if referee.ending().is_some() || list.is_empty() {
                break;
            }
            f(&referee, &list);
            referee.play(list[rng.random_range(0..list.len())]);
        }
    }
}

#[derive(Clone, Copy)]
struct Legality;

impl Visitor for Legality {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        // Moves of earlier positions, legal here or not, are what a search remembers.
        let mut pool: Vec<Move> = Vec::new();
        let mut refused = 0;
        wander(&game, 40, |referee, legal| {
            let state = referee.state();
            for &m in pool.iter().rev().take(300).chain(legal) {
                let expected = legal.contains(&m);
                refused += u32::from(!expected);
                let found = game.is_legal(state, m, &mut Vec::new());
                assert_eq!(found, expected, "{} {m:?} in {}", game.info().name, game.fen(state));
            }
            pool.extend_from_slice(legal);
        });
        assert!(refused > 10_000);
    }
}

#[test]
fn remembered_moves_are_legal_exactly_where_they_are_listed() {
    for_every_game(Legality);
}

#[derive(Clone, Copy)]
struct Scores;

impl Visitor for Scores {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let evaluator = Evaluator::with_defaults(game.clone()).unwrap();
        let (layout, standard) = Layout::of(&game);
        let weights = Weights::default_of(&game).unwrap();
        let text = weights.to_toml(&layout, &[("source", "a test")]);
        assert_eq!(Weights::parse(&layout, &text).unwrap(), weights, "weights survive being written");
        let floats: Vec<(f64, f64)> =
            weights.pairs().iter().map(|p| (f64::from(p.mg), f64::from(p.eg))).collect();
        wander(&game, 30, |referee, legal| {
            let state = referee.state();
            let sum = evaluator.sum(state);
            let score = evaluator.score(state, &sum);
            let fen = game.fen(state);
            assert_eq!(score, evaluator.fresh_score(state), "{fen}");
            let white = game.side_to_move(state).sign() * score;
            let traced = Trace::of(&evaluator, &standard, state).score(&floats);
            assert!((traced - f64::from(white)).abs() < 1.0, "{fen}: trace {traced}, score {white}");
            if let Some(mirrored) = game.mirrored(state) {
                assert_eq!(score, evaluator.fresh_score(&mirrored), "{fen} and its mirror");
            }
            for &m in legal {
                let mut next = state.clone();
                let mut watcher = evaluator.watch(sum);
                game.play(&mut next, m, &mut watcher);
                assert_eq!(game.gives_check(state, m), game.in_check(&next), "{fen} {}", game.uci(state, m));
                assert_eq!(watcher.sum, evaluator.sum(&next), "{fen} {}", game.uci(state, m));
            }
        });
    }
}

#[test]
fn scores_are_incremental_mirrored_and_equal_to_their_traces() {
    for_every_game(Scores);
}

#[derive(Clone, Copy)]
struct Nodes;

impl Visitor for Nodes {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let start = Referee::new(game.clone(), game.start(), GameLimits::default());
        for referee in bench::positions(&game, 4).into_iter().chain([start]) {
            let mut legal = Vec::new();
            game.generate(referee.state(), Which::All, &mut legal);
            for nodes in [1, 2, 30, 999, 3000] {
                let search = || {
                    let mut searcher = Searcher::new(game.clone(), 1 << 20, Params::of(&game)).unwrap();
                    searcher.search(referee.state(), referee.keys(), &Limits::nodes(nodes), &mut |_| {})
                };
                let result = search();
                assert_eq!(result, search(), "the same again");
                assert!(result.nodes == nodes || result.score.is_mate(), "{}: {result:?}", game.info().name);
                assert!(legal.contains(&result.best));
                // The line expected can be played.
                let mut state = referee.state().clone();
                for &m in &result.pv {
                    assert!(game.is_legal(&state, m, &mut Vec::new()), "{:?}", result.pv);
                    game.play(&mut state, m, &mut ());
                }
            }
        }
    }
}

#[test]
fn node_limits_are_exact_and_results_repeat() {
    for_every_game(Nodes);
}

fn search_fen(name: &'static str, fen: &'static str, nodes: u64) -> (String, String) {
    struct Position {
        fen: &'static str,
        nodes: u64,
    }
    impl Visitor for Position {
        type Output = (String, String);
        fn visit<G: Playable>(self, game: G) -> (String, String) {
            let state = game.parse_fen(self.fen).unwrap();
            let mut searcher = Searcher::new(game.clone(), 1 << 22, Params::of(&game)).unwrap();
            let result = searcher.search(&state, &[], &Limits::nodes(self.nodes), &mut |_| {});
            let score = result.score.white_view(game.side_to_move(&state));
            (game.uci(&state, result.best), score.to_string())
        }
    }
    games::with(name, [], Position { fen, nodes }).unwrap()
}

#[test]
fn mates_are_found_and_written_from_whites_view() {
    let found = |name, fen| search_fen(name, fen, 400_000);
    let pair = |m: &str, score: &str| (m.to_owned(), score.to_owned());
    assert_eq!(found("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), pair("d1d8", "#1"));
    assert_eq!(found("chess", "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"), pair("d8d1", "#-1"));
    // Philidor's smothered mate, the queen given up on the way.
    assert_eq!(found("chess", "r6k/6pp/8/6N1/2Q5/8/6PP/6K1 w - - 0 1"), pair("g5f7", "#4"));
    // Two rooks: one bars the g-file, the other mates on the h-file.
    assert_eq!(found("chess", "8/8/8/8/7k/R7/1R6/7K w - - 0 1").1, "#2");
    // A rook to the ninth rank, then the queen to the tenth (or the other way round).
    assert_eq!(found("magi", "5k4/10/Q9/9R/10/10/10/10/10/5K4 w - - 0 1 -").1, "#2");
}

#[test]
fn the_draw_by_count_is_seen_in_the_tree() {
    let (_, score) = search_fen("chess", "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 99 80", 20_000);
    assert_eq!(score, "#1", "a mate on the hundredth ply comes before the draw");
    let (_, score) = search_fen("chess", "8/8/8/3k4/8/8/4R3/4K3 w - - 98 80", 20_000);
    assert_eq!(score, "0", "no mate within two plies: drawn");
}

#[derive(Clone, Copy)]
struct Signature;

impl Visitor for Signature {
    type Output = u64;

    fn visit<G: Playable>(self, game: G) -> u64 {
        bench::run(&game, Params::of(&game), bench::POSITIONS, bench::NODES).unwrap().signature
    }
}

/// The same search on every machine: `equipoise bench` gives these numbers. A change of search or evaluation
/// changes them on purpose and says so in the changelog; anything else must leave them alone.
#[test]
fn every_game_has_its_bench_signature() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/bench.txt");
    let line = |info: &equipoise_engine::game::Info| {
        format!("{} {}\n", info.name, games::with(info.name, [], Signature).unwrap())
    };
    let found: String = games::ALL.iter().map(|info| line(info)).collect();
    if std::env::var("EQUIPOISE_SNAPSHOTS").as_deref() == Ok("write") {
        std::fs::write(path, &found).unwrap();
    }
    let recorded = std::fs::read_to_string(path).unwrap();
    assert_eq!(recorded, found, "if meant: EQUIPOISE_SNAPSHOTS=write in the environment, and the changelog");
}
