//! Metrics of derived columns, comparisons of two runs, ratios, times.

use super::tests_support::game;
use super::*;
use crate::experiment;
use crate::log::UnitRows;
use crate::stats::Verdict;
use crate::tables::Source;
use engine::outcome::{GameResult, Termination};
use engine::side::Side;
use std::path::Path;

const WHITE: (GameResult, Termination) = (GameResult::Win(Side::White), Termination::Checkmate);
const BLACK: (GameResult, Termination) = (GameResult::Win(Side::Black), Termination::Checkmate);
const DRAWN: (GameResult, Termination) = (GameResult::Draw, Termination::Repetition);
const CUT: (GameResult, Termination) = (GameResult::Unknown, Termination::MoveLimit);

fn observe(metric: &Metric, unit: &UnitRows) -> Option<(f64, f64)> {
    let (row, metrics, _) = &unit.games[0];
    metric.observe(row, metrics, 0.5).map(|o| (o.low, o.high))
}

#[test]
fn a_comeback_is_a_win_of_the_side_first_behind() {
    let behind = [("first_behind", "black:31:2.00"), ("down3", "b")];
    for (end, columns, comeback, from_three) in [
        (BLACK, &behind[..], Some((1.0, 1.0)), Some((1.0, 1.0))),
        (WHITE, &behind[..], Some((0.0, 0.0)), Some((0.0, 0.0))),
        (BLACK, &behind[..1], Some((1.0, 1.0)), None),
        // Draws are apart, and games in which nobody was ever behind.
        (DRAWN, &behind[..], None, None),
        (WHITE, &[], None, None),
        (CUT, &behind[..], Some((0.0, 1.0)), Some((0.0, 1.0))),
    ] {
        let unit = game(1, end, 60, columns);
        assert_eq!(observe(&Metric::Comeback, &unit), comeback, "{end:?} {columns:?}");
        assert_eq!(observe(&Metric::ComebackFromThree, &unit), from_three, "{end:?} {columns:?}");
    }
}

#[test]
fn derived_columns_are_read() {
    let won = Metric::WonWithin(1, 44);
    for (end, moves, expected) in [
        (WHITE, 44, Some((1.0, 1.0))),
        (WHITE, 45, Some((0.0, 0.0))),
        (DRAWN, 30, None),
        (CUT, 400, Some((0.0, 1.0))),
    ] {
        assert_eq!(observe(&won, &game(1, end, moves, &[])), expected, "{end:?} {moves}");
    }
    let early = Metric::CheckBy("M".into(), (1, 10));
    for (checks, moves, end, expected) in [
        ("20M 31Q", 60, WHITE, (1.0, 1.0)),
        ("21M", 60, WHITE, (0.0, 0.0)),
        ("5Q 9N", 60, WHITE, (0.0, 0.0)),
        ("", 60, CUT, (0.0, 0.0)),
        ("3M", 8, CUT, (1.0, 1.0)),
        ("", 8, CUT, (0.0, 1.0)),
    ] {
        let unit = game(1, end, moves, &[("checks", checks)]);
        assert_eq!(observe(&early, &unit), Some(expected), "{checks} {moves}");
    }
    let pawns = Metric::PawnsAt30(20);
    assert_eq!(observe(&pawns, &game(1, WHITE, 60, &[("pawns_at_30", "13")])), Some((13.0, 13.0)));
    assert_eq!(observe(&pawns, &game(1, WHITE, 25, &[])), None);
    assert_eq!(observe(&pawns, &game(1, CUT, 25, &[])), Some((0.0, 20.0)));
    let passing = game(1, WHITE, 60, &[("ep_captures_white", "1"), ("ep_captures_black", "2")]);
    assert_eq!(observe(&Metric::EnPassant(20), &passing), Some((3.0, 3.0)));
    assert_eq!(observe(&Metric::EnPassant(2), &passing), Some((2.0, 2.0)), "cut off at the stated most");
    // 60 moves are 120 plies here.
    let branching = game(1, WHITE, 60, &[("legal_moves_sum", "3600")]);
    assert_eq!(observe(&Metric::Branching(400), &branching), Some((30.0, 30.0)));
    let ended = Metric::EndedBy(vec![Termination::Annihilation, Termination::Blocked]);
    let end = (GameResult::Win(Side::White), Termination::Blocked);
    assert_eq!(observe(&ended, &game(1, end, 60, &[])), Some((1.0, 1.0)));
    assert_eq!(observe(&ended, &game(1, CUT, 60, &[])), Some((0.0, 1.0)));
}

fn claim(body: &str) -> Claim {
    let text = format!("[[claim]]\nid = \"c\"\nseed = \"0\"\nsentence = \"s\"\nlevel = 0.05\n{body}");
    let source = Source { name: "c.toml", text: &text };
    source.read(|t| file::claim(&t.tables("claim")?[0], "magi", 0.05)).unwrap()
}

fn experiment(name: &str, game: &str, nodes: u64) -> experiment::Experiment {
    let text = format!(
        "name = \"{name}\"\ngame = \"{game}\"\nseed = 1\ngames = 500\n[openings]\nmethod = \"random\"\n\
         plies = 8\n[[player]]\nname = \"p\"\nnodes = {nodes}\n"
    );
    experiment::read("t.toml", &text, Path::new(".")).unwrap()
}

const FEWER_DRAWS: &str = "test = \"sequence\"\nmetric = \"draw\"\ncomparison = \"below\"\nthreshold = 0.0\n\
                           control = { game = \"chess\" }\n";

fn units(n: u64, drawn: impl Fn(u64) -> bool) -> impl Iterator<Item = UnitRows> {
    (1..=n).map(move |i| game(i, if drawn(i) { DRAWN } else { WHITE }, 60, &[]))
}

#[test]
fn a_difference_needs_the_other_run() {
    let (run, other) = (experiment("m", "magi", 500), experiment("c", "chess", 500));
    let mut judge = Judge::new(&[claim(FEWER_DRAWS)]).unwrap();
    for unit in units(300, |i| i % 10 == 0) {
        judge.push(&unit).unwrap();
    }
    let alone = &judge.standings()[0];
    assert_eq!((alone.verdict, alone.units, alone.mean), (Verdict::Undecided, 0, None));
    assert!(!judge.all_decided(), "the run must not stop on it");
    assert_eq!(judge.expect(&run, &other).unwrap(), 1);
    for unit in units(300, |i| i % 2 == 0) {
        judge.push_other(&unit).unwrap();
    }
    let standing = &judge.standings()[0];
    assert_eq!(standing.verdict, Verdict::Supported);
    assert!(standing.compared && standing.units < 300, "{}", standing.units);
    assert!(standing.interval.contains(-0.4) && standing.interval.upper < 0.0, "{:?}", standing.interval);
    // Twice the same control, or one with another budget, is no comparison.
    assert!(judge.expect(&run, &other).is_err());
    let mut judge = Judge::new(&[claim(FEWER_DRAWS)]).unwrap();
    let message = judge.expect(&run, &experiment("c", "chess", 501)).unwrap_err().to_string();
    assert_eq!(message, "m and c have other players: expected the same budgets");
    assert_eq!(judge.expect(&run, &run).unwrap(), 0);
}

/// With the option on and off, a game of one run has its partner of the same unit in the other.
#[test]
fn runs_of_one_game_are_paired_by_unit() {
    let body = "game = \"mageca\"\ntest = \"sequence\"\nmetric = \"pawns-at-30\"\nmost = 20\n\
                comparison = \"above\"\nthreshold = 0.0\ncontrol = { options = { ep_passed = \"true\" } }\n";
    let (run, mut other) = (experiment("m", "mageca", 500), experiment("m", "mageca", 500));
    other.set_option("ep_passed", "true").unwrap();
    let mut judge = Judge::new(&[claim(body)]).unwrap();
    // Openings differ much, the rule little: one pawn, and every tenth game does not get to move 30.
    let pawns = |i: u64, less: u64| (!i.is_multiple_of(10)).then(|| (5 + i % 7 - less).to_string());
    let play = |i, less| match pawns(i, less) {
        Some(n) => game(i, WHITE, 60, &[("pawns_at_30", n.as_str())]),
        None => game(i, WHITE, 20, &[]),
    };
    for i in 1..=200 {
        judge.push(&play(i, 0)).unwrap();
    }
    assert_eq!(judge.expect(&run, &run).unwrap(), 0, "the rule is off there");
    assert_eq!(judge.expect(&run, &other).unwrap(), 1);
    for i in 1..=200 {
        judge.push_other(&play(i, 1)).unwrap();
    }
    let standing = &judge.standings()[0];
    assert_eq!(standing.verdict, Verdict::Supported);
    let (low, high) = standing.mean.unwrap();
    assert!((low - 1.0).abs() < 1e-9 && (high - 1.0).abs() < 1e-9, "paired: {low} {high}");
}

#[test]
fn a_share_of_promotions_is_a_ratio() {
    let body = "test = \"sequence\"\nmetric = \"promotions-to\"\npieces = \"QW\"\nmost = 20\n\
                comparison = \"above\"\nthreshold = 0.5\n";
    let mut judge = Judge::new(&[claim(body)]).unwrap();
    // Games without promotions say nothing; three of four promotions are to Q or W.
    for i in 1..=1500 {
        let letters = if i % 3 == 0 { "QwnQ" } else { "" };
        judge.push(&game(i, WHITE, 60, &[("promotions", letters)])).unwrap();
    }
    let standing = &judge.standings()[0];
    assert_eq!(standing.mean, Some((0.75, 0.75)));
    assert_eq!(standing.verdict, Verdict::Supported);
    assert!(standing.interval.contains(0.75) && standing.interval.lower >= 0.5, "{:?}", standing.interval);
}

#[test]
fn equivalence_is_shown_not_assumed() {
    let body = "test = \"sequence\"\nmetric = \"white-score\"\ncomparison = \"within\"\nthreshold = 0.5\n\
                margin = 0.05\n";
    let judged = |n: u64, black: fn(u64) -> bool| {
        let mut judge = Judge::new(&[claim(body)]).unwrap();
        for i in 1..=n {
            judge.push(&game(i, if black(i) { BLACK } else { WHITE }, 60, &[])).unwrap();
        }
        judge.standings()[0].verdict
    };
    assert_eq!(judged(60, |i| i % 2 == 0), Verdict::Undecided, "not significant is not equal");
    assert_eq!(judged(4000, |i| i % 2 == 0), Verdict::Supported);
    assert_eq!(judged(4000, |i| i % 3 == 0), Verdict::Refuted);
}

#[test]
fn times_respect_censoring() {
    let body = "game = \"martian-shogi\"\ntest = \"restricted-mean\"\nmetric = \"centre-half\"\nhorizon = 40\n\
                comparison = \"above\"\nthreshold = 12\n";
    let mut judge = Judge::new(&[claim(body)]).unwrap();
    // White is there at move 10 or 20; Black's pawns are captured at move 5 in every other game, else he is
    // there at 30. Kaplan-Meier: 100 of 350 by 10, then 100 of 250 by 20, then 100 of the 150 left at 30.
    for i in 1..=200_u64 {
        let white = if i % 2 == 0 { "10" } else { "20" };
        let black = if i % 2 == 0 { ("centre_lost_black", "5") } else { ("centre_half_black", "30") };
        judge.push(&game(i, WHITE, 60, &[("centre_half_white", white), black])).unwrap();
    }
    let standing = &judge.standings()[0];
    let (mean, _) = standing.mean.unwrap();
    // 300 are at risk when the first get there: a third at 10, a third at 20, a third at 30.
    assert!((mean - 20.0).abs() < 1e-9, "{mean}");
    assert_eq!((standing.verdict, standing.units, standing.unfinished), (Verdict::Supported, 200, 100));
    assert!(!judge.all_decided(), "its size is fixed before the run");
    assert!(standing.interval.lower > 12.0 && standing.interval.contains(20.0), "{:?}", standing.interval);
}

/// Where nobody gets there, the spread is 0 and their number alone speaks.
#[test]
fn a_time_that_never_comes_is_bounded_by_the_number_of_games() {
    let body = "game = \"martian-shogi\"\ntest = \"restricted-mean\"\nmetric = \"centre-half\"\nhorizon = 40\n\
                comparison = \"above\"\nthreshold = 12\n";
    let judged = |games: u64, moves| {
        let mut judge = Judge::new(&[claim(body)]).unwrap();
        for i in 1..=games {
            judge.push(&game(i, WHITE, moves, &[])).unwrap();
        }
        judge.standings().remove(0)
    };
    let standing = judged(100, 60);
    // 1 - 0.025^(1/100) = 0.036217, of 40 moves (scipy.stats.beta.ppf(0.975, 1, 100)).
    assert!((standing.interval.lower - 40.0 * (1.0 - 0.036_216_7)).abs() < 1e-4, "{:?}", standing.interval);
    assert_eq!((standing.verdict, standing.interval.upper), (Verdict::Supported, 40.0));
    assert_eq!(judged(2, 60).verdict, Verdict::Undecided);
    // Games over by move 30 were not looked at up to the horizon.
    assert_eq!(judged(100, 30).verdict, Verdict::Undecided);
}

#[test]
fn claims_survive_a_manifest() {
    for (name, text) in file::BUILT_IN {
        let claims = file::read(name, text).unwrap();
        assert!(!claims.is_empty());
        for claim in claims {
            let text = format!("claim = [{}]", toml::Value::Table(claim.to_toml()));
            let source = Source { name, text: &text };
            let again = source.read(|t| file::claim(&t.tables("claim")?[0], "chess", 0.01)).unwrap();
            assert_eq!(again, claim);
        }
    }
}

#[test]
fn a_wrong_claim_is_refused_with_the_nearest_name() {
    let error = |body: &str| {
        let text = format!("[[claim]]\nid = \"c\"\nseed = \"0\"\nsentence = \"s\"\n{body}");
        let source = Source { name: "c.toml", text: &text };
        format!("{:#}", source.read(|t| file::claim(&t.tables("claim")?[0], "magi", 0.05)).unwrap_err())
    };
    for (body, expected) in [
        ("test = \"sequence\"\nmetric = \"comback\"\n", "did you mean \"comeback\"?"),
        (
            "test = \"sequence\"\nmetric = \"draw\"\ncomparison = \"below\"\nthreshold = 2\n",
            "a number from 0 to 1",
        ),
        (
            "test = \"sequence\"\nmetric = \"draw\"\ncomparison = \"below\"\nthreshold = 0.1\nwithin = [1, 2]\n",
            "unknown key `within`",
        ),
        (
            "test = \"sequence\"\nmetric = \"ended-by\"\nterminations = [\"blockd\"]\n",
            "did you mean \"blocked\"?",
        ),
        (
            "test = \"sequence\"\nmetric = \"draw\"\ncomparison = \"below\"\nthreshold = 0\ncontrol = { game = \"ches\" }\n",
            "chess",
        ),
        (
            "test = \"sequence\"\nmetric = \"draw\"\ncomparison = \"below\"\nthreshold = 0\ncontrol = { gmae = \"chess\" }\n",
            "did you mean `game`?",
        ),
        (
            "test = \"sequence\"\nmetric = \"white-score\"\ncomparison = \"within\"\nthreshold = 0.5\nmargin = 0.7\n",
            "`margin`",
        ),
        ("test = \"exact\"\nmetric = \"starts\"\nexpect = [\"many\"]\n", "[\"57\"]"),
    ] {
        let message = error(body);
        assert!(message.starts_with("c.toml, line ") && message.contains(expected), "{message}");
    }
}

#[test]
fn what_needs_no_games_is_enumerated() {
    use engine::games::Visitor;
    struct Decide(exact::Exact);
    impl Visitor for Decide {
        type Output = (Verdict, Vec<String>);
        fn visit<G: engine::search::Playable>(self, game: G) -> Self::Output {
            self.0.decide(&game).unwrap()
        }
    }
    let decide = |game, name, expect: &str| {
        let exact = exact::Exact::from_parts(name, &[expect]).unwrap();
        let (verdict, found) = engine::games::with(game, [], Decide(exact)).unwrap();
        (verdict, found.join(", "))
    };
    let supported = |text: &str| (Verdict::Supported, text.to_owned());
    let refuted = |text: &str| (Verdict::Refuted, text.to_owned());
    assert_eq!(decide("multi-chess", "starts", "57"), supported("57"));
    assert_eq!(decide("chess484", "starts", "57").0, Verdict::Refuted);
    assert_eq!(decide("mageca", "one-colour", "M one colour"), supported("M one colour"));
    assert_eq!(decide("mageca", "one-colour", "N one colour"), refuted("N both colours"));
    assert_eq!(decide("chess", "one-colour", "B one colour"), supported("B one colour"));
    // Every pawn of chess is, too.
    assert_eq!(decide("chess", "defended-pawns", "16 of 16"), supported("16 of 16"));
    assert_eq!(decide("mageca", "defended-pawns", "20 of 20"), supported("20 of 20"));
    // The lists of dead positions.
    assert_eq!(decide("magi", "lone-draws", "BN"), supported("BN"));
    assert_eq!(decide("mageca", "lone-draws", "BNM"), supported("BNM"));
    assert_eq!(decide("chess", "lone-draws", "BNR"), refuted("BN"));
}

/// Beside the verdict: the same games as if a rule had ended those that went on after it.
#[test]
fn a_move_rule_is_counted_beside_the_verdict() {
    let claims = file::read("magi", file::built_in("magi").unwrap()).unwrap();
    let mut judge = Judge::new(&claims).unwrap();
    // Four draws, two of them after move 150; a broken-off game that the rule would have ended, and one it would not.
    let broken = (GameResult::Unknown, Termination::FaultCrash);
    let games =
        [(DRAWN, 100), (DRAWN, 150), (DRAWN, 151), (DRAWN, 200), (WHITE, 90), (CUT, 400), (broken, 20)];
    for (i, (end, moves)) in (1..).zip(games) {
        judge.push(&game(i, end, moves, &[])).unwrap();
    }
    let standings = judge.standings();
    let beside = |id: &str| standings.iter().find(|s| s.claim.id == id).unwrap().beside;
    assert_eq!(beside("magi-draws"), Some((2, 6)));
    assert_eq!(beside("magi-stalemates"), Some((0, 6)));
    // A game that the rule ended took 150 moves.
    assert_eq!(beside("magi-length"), Some((6, 6)));
    assert_eq!(beside("magi-band"), None);
}

#[test]
fn points_are_compared_between_players_on_the_same_openings() {
    let claims = file::read("magi", file::built_in("magi").unwrap()).unwrap();
    let own = file::choose(claims, "magi", Some(&["magi-defence"])).unwrap();
    let full =
        experiment::read("x", experiment::built_in("31-magi-defence").unwrap(), Path::new(".")).unwrap();
    let text = experiment::built_in("32-magi-defence-eighth").unwrap();
    let eighth = experiment::read("x", text, Path::new(".")).unwrap();
    let other = experiment::read("x", &text.replace("seed = 2", "seed = 3"), Path::new(".")).unwrap();
    assert_eq!((full.games_per_unit(), eighth.games_per_unit()), (1, 1));
    assert!(Judge::new(&own).unwrap().expect(&full, &other).unwrap_err().to_string().contains("openings"));
    let mut judge = Judge::new(&own).unwrap();
    assert_eq!(judge.expect(&full, &eighth).unwrap(), 1);
    let points = |id: u64, white: u32| {
        let mut unit = game(id, WHITE, 60, &[]);
        let of = |n| engine::payoff::MilliPoints::from_points(n).unwrap();
        unit.games[0].0.points = Some((of(white), of(12 - white)));
        unit
    };
    let most = Metric::PointsWhite(12);
    assert_eq!(observe(&most, &points(1, 6)), Some((6.0, 6.0)));
    assert_eq!(observe(&most, &game(1, CUT, 400, &[])), Some((0.0, 12.0)));
    assert_eq!(observe(&most, &game(1, WHITE, 60, &[])), None);
    for id in 1..=100 {
        // Six points more in two games of three, the same in the others.
        judge.push(&points(id, if id % 3 == 0 { 0 } else { 6 })).unwrap();
        judge.push_other(&points(id, 0)).unwrap();
    }
    let standing = &judge.standings()[0];
    assert_eq!(standing.verdict, Verdict::Supported);
    assert!((2.0..=6.0).contains(&standing.mean.unwrap().0), "{standing:?}");
}

#[test]
fn what_no_figure_of_games_answers_is_read_and_written() {
    let claim = |body: &str| {
        let text = format!("[[claim]]\nid = \"c\"\nseed = \"0\"\nsentence = \"s\"\n{body}");
        Source { name: "c.toml", text: &text }
            .read(|t| file::claim(&t.tables("claim")?[0], "mageca", 0.05))
            .map_err(|e| format!("{e:#}"))
    };
    let race = "test = \"race\"\nmetric = \"first-squares\"\ncomparison = \"above\"\nthreshold = 1\n";
    let read = claim(&format!("{race}pieces = \"N\"\nof_best = 0.03\n")).unwrap();
    assert!(matches!(&read.test, Test::Apart { question: Question::FirstSquares { piece: 'N', .. }, .. }));
    assert!(read.test.can_stop_run());
    for (body, expected) in [
        (format!("{race}pieces = \"NB\"\nof_best = 0.03\n"), "one upper-case letter"),
        (format!("{race}pieces = \"N\"\n"), "`of_best`"),
        ("test = \"setups\"\nmetric = \"first-moves\"\n".to_owned(), "balance"),
        ("test = \"offers\"\nmetric = \"incentive\"\nmatrix = \"magi-sampel\"\n".to_owned(), "magi-sample"),
        ("test = \"races\"\n".to_owned(), "did you mean \"race\"?"),
    ] {
        let message = claim(&body).unwrap_err();
        assert!(message.starts_with("c.toml, line ") && message.contains(expected), "{message}");
    }
    let beside = "test = \"sequence\"\nmetric = \"draw\"\ncomparison = \"below\"\nthreshold = 0.1\nbeside_rule = 150\n";
    assert!(claim(beside).unwrap_err().contains("move_rule"));
}
