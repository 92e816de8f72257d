use super::search::{Candidate, Goals, Weights, front, grid};
use super::traces::logged_for_tests;
use engine::side::Side;
use tuner::offers::{Bins, BoardEnd};

#[test]
fn weights_are_read_and_misspelt_ones_named() {
    let weights = Weights::parse("incentive=2, length=-0.5").unwrap();
    assert_eq!(weights, Weights { incentive: 2.0, decisive: 0.0, length: -0.5 });
    let goals = Goals { incentive: 10.0, decisive: 90.0, moves: 40.0 };
    assert_eq!(weights.score(&goals), 0.0);
    for text in ["incentiv=1", "length", "length=x", "decisive=inf", ""] {
        let error = Weights::parse(text).unwrap_err().to_string();
        assert!(error.contains("no weight, expected incentive=N"), "{error}");
    }
}

#[test]
fn the_grid_holds_the_base_and_only_checked_matrices() {
    let base = engine::payoff::sample().unwrap();
    let all = grid(&base).unwrap();
    assert!(all.iter().any(|(m, _)| m.bands() == base.bands()), "the sample itself is on the grid");
    assert!(
        all.iter().all(|(m, _)| m.spec().stake == base.spec().stake && m.spec().draw == base.spec().draw)
    );
    let open = base.with_move_rule(None).unwrap();
    assert!(grid(&open).unwrap_err().to_string().contains("no move rule"));
}

#[test]
fn the_front_is_what_none_beats() {
    let candidate = |incentive, decisive, moves| Candidate {
        matrix: engine::payoff::sample().unwrap(),
        shape: String::new(),
        chosen: Goals { incentive, decisive, moves },
    };
    let all = [
        candidate(10.0, 50.0, 40.0),
        candidate(9.0, 50.0, 40.0),
        candidate(9.0, 60.0, 40.0),
        candidate(10.0, 50.0, 40.0),
        candidate(1.0, 10.0, 39.0),
    ];
    let found: Vec<f64> = front(&all).iter().map(|c| c.chosen.incentive).collect();
    assert_eq!(found, [10.0, 9.0, 10.0, 1.0]);
}

#[test]
fn a_trace_begins_and_ends_where_evaluations_do() {
    let bins = Bins::default();
    let game = logged_for_tests("1-0", "checkmate", "- - 0 -400 #-3 #2", &bins).unwrap();
    assert_eq!((game.trace.first, game.trace.bins.len()), (2, 4));
    assert_eq!(game.trace.end, Some(BoardEnd::Win(Side::White)));
    assert_eq!(game.behind, [None, Some(Side::White), Some(Side::White), Some(Side::Black)]);
    assert_eq!(game.trace.bins[2..], [0, bins.count() as u8 - 1]);
    assert_eq!(game.score, Some(1.0));
    // Where evaluations stop, so does what is known.
    let cut = logged_for_tests("1/2-1/2", "stalemate", "- 5 - 7", &bins).unwrap();
    assert_eq!((cut.trace.bins.len(), cut.trace.end, cut.score), (1, None, Some(0.5)));
    let agreed = logged_for_tests("1/2-1/2", "draw-agreed", "5 5", &bins).unwrap();
    assert_eq!((agreed.trace.end, agreed.score), (None, None));
    assert_eq!(logged_for_tests("*", "move-limit", "- -", &bins), None);
}
