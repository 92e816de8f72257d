use super::tests_support::unit;
use super::*;
use crate::stats::Verdict;
use engine::outcome::{GameResult, Termination};
use engine::side::Side;

const WON: (GameResult, Termination, u32) = (GameResult::Win(Side::White), Termination::Checkmate, 80);
const DRAWN: (GameResult, Termination, u32) = (GameResult::Draw, Termination::Repetition, 80);
const CUT: (GameResult, Termination, u32) = (GameResult::Unknown, Termination::MoveLimit, 400);

fn judge(games: impl Iterator<Item = (GameResult, Termination, u32)>) -> Vec<Standing> {
    let claims = file::read("magi", file::built_in("magi").unwrap()).unwrap();
    let mut judge = Judge::new(&claims).unwrap();
    for (i, (result, termination, moves)) in games.enumerate() {
        judge.push(&unit(i as u64 + 1, result, termination, moves)).unwrap();
    }
    judge.standings()
}

fn standing<'a>(list: &'a [Standing], id: &str) -> &'a Standing {
    list.iter().find(|s| s.claim.id == id).unwrap()
}

#[test]
fn the_level_is_shared_by_the_claims_that_rest_on_games() {
    let claims = file::read("magi", file::built_in("magi").unwrap()).unwrap();
    let levels: Vec<f64> = claims.iter().filter_map(|c| c.test.level()).collect();
    assert!((levels.iter().sum::<f64>() - 0.05).abs() < 1e-12, "{levels:?}");
    // A choice among the claims does not raise the level of those chosen.
    let one = file::choose(claims.clone(), "magi", Some(&["magi-draws"])).unwrap();
    assert_eq!(one[0], *claims.iter().find(|c| c.id == "magi-draws").unwrap());
}

#[test]
fn verdicts_are_frozen_at_their_first_crossing() {
    // No draw at all supports "under 5 %"; a flood of draws afterwards changes nothing.
    let early = judge(std::iter::repeat_n(WON, 400));
    let decided = standing(&early, "magi-draws");
    assert_eq!(decided.verdict, Verdict::Supported);
    assert!(decided.units < 400, "{}", decided.units);
    let late = judge(std::iter::repeat_n(WON, 400).chain(std::iter::repeat_n(DRAWN, 400)));
    let late = standing(&late, "magi-draws").clone();
    // The plain figure beside it is of all games.
    assert_eq!((decided.beside, late.beside), (Some((0, 400)), Some((400, 800))));
    assert_eq!(Standing { beside: decided.beside, ..late }, *decided);
    let many = judge(std::iter::repeat_n(DRAWN, 100));
    assert_eq!(standing(&many, "magi-draws").verdict, Verdict::Refuted);
}

/// Unfinished games enter once as 0 and once as 1, and a verdict must hold both ways.
#[test]
fn unfinished_games_decide_nothing_by_themselves() {
    // One in ten unfinished: as 0 there are no draws, as 1 they are 10 %.
    let mixed = judge((0..2000).map(|i| if i % 10 == 0 { CUT } else { WON }));
    let s = standing(&mixed, "magi-draws");
    assert_eq!(s.verdict, Verdict::Undecided);
    assert_eq!(s.unfinished, 200);
    assert_eq!(s.mean.map(|(l, h)| (l, (h * 10.0).round())), Some((0.0, 1.0)));
    assert!(s.interval.lower < 0.001 && s.interval.upper > 0.1, "{:?}", s.interval);
    assert_eq!(s.to_go, None);
    // But a game cut off at move 400 was certainly longer than 150 moves.
    let s = standing(&mixed, "magi-length");
    assert_eq!((s.verdict, s.unfinished), (Verdict::Refuted, 0));
}

#[test]
fn metrics_observe_what_they_say() {
    let one = |metric: Metric, (result, termination, moves)| {
        let unit = unit(1, result, termination, moves);
        let o = metric.observe(&unit.games[0].0, &unit.games[0].1, 0.5).unwrap();
        (o.low, o.high)
    };
    let stalemate = (GameResult::Draw, Termination::Stalemate, 50);
    let both_lose = (GameResult::BothLose, Termination::MoveRule, 150);
    for (metric, game, expected) in [
        (Metric::Draw, stalemate, (1.0, 1.0)),
        (Metric::DrawNotStalemate, stalemate, (0.0, 0.0)),
        (Metric::DrawNotStalemate, DRAWN, (1.0, 1.0)),
        (Metric::Stalemate, stalemate, (1.0, 1.0)),
        (Metric::Draw, both_lose, (0.0, 0.0)),
        (Metric::WhiteScore, both_lose, (0.0, 0.0)),
        (Metric::WhiteScore, DRAWN, (0.5, 0.5)),
        (Metric::WhiteScore, WON, (1.0, 1.0)),
        (Metric::Decisive, CUT, (0.0, 1.0)),
        (Metric::MovesWithin(20, 150), both_lose, (1.0, 1.0)),
        (
            Metric::MovesWithin(20, 150),
            (GameResult::Win(Side::Black), Termination::Checkmate, 19),
            (0.0, 0.0),
        ),
        (Metric::MovesWithin(20, 150), CUT, (0.0, 0.0)),
        (Metric::MovesWithin(20, 450), CUT, (0.0, 1.0)),
    ] {
        assert_eq!(one(metric.clone(), game), expected, "{metric:?} of {game:?}");
    }
}

/// The inventor's figures for Duke, Cardinal and Wizard, and a wrong one that must not pass.
#[test]
fn exact_claims_are_enumerated() {
    use engine::games::Visitor;
    struct Decide(Vec<&'static str>);
    impl Visitor for Decide {
        type Output = (Verdict, Vec<String>);
        fn visit<G: engine::search::Playable>(self, game: G) -> Self::Output {
            exact::Exact::from_parts("control", &self.0).unwrap().decide(&game).unwrap()
        }
    }
    let decide = |list| engine::games::with("magi", [], Decide(list)).unwrap();
    let (verdict, found) = decide(vec!["D 6-12", "C 11-21", "W 5-16"]);
    assert_eq!((verdict, found.join(", ").as_str()), (Verdict::Supported, "D 6-12, C 11-21, W 5-16"));
    assert_eq!(decide(vec!["D 6-12", "W 5-17"]).0, Verdict::Refuted);
}
