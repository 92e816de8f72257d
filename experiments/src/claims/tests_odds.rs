//! Claims on worths, judged on games whose worths are planted.

use super::tests_support::unit;
use super::{Judge, Standing, file};
use crate::random::{Domain, fraction, generator};
use crate::stats::Verdict;
use engine::outcome::{GameResult, Termination};
use engine::side::Side;

/// Start arrays of a game with kings and three kinds, and what the side that has more is ahead by, in log-odds: a pawn
/// 0.5, a knight 1.5 (a bishop as much), and the pawn 1.0 where hardly a piece is left.
const STARTS: [(&str, f64); 6] = [
    ("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.5),
    ("rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1", -0.5),
    ("r1bqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1", 1.0),
    ("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", -1.0),
    ("4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 1.0),
    ("4k3/pppppppp/8/8/8/8/1PPPPPPP/4K3 w - - 0 1", -1.0),
];

fn judged(worth: &str, rest: &str, games: u64, unfinished_every: u64) -> Standing {
    let text = format!(
        "game = \"chess\"\n[[claim]]\nid = \"x\"\nseed = \"s\"\nsentence = \"t\"\ntest = \"odds\"\nworth = {worth}\n{rest}\n"
    );
    let mut judge = Judge::new(&file::read("c.toml", &text).unwrap()).unwrap();
    for id in 1..=games {
        let (fen, ahead) = STARTS[id as usize % STARTS.len()];
        let white = 1.0 / (1.0 + libm::exp(-ahead));
        let won = if fraction(&mut generator(3, Domain::Opening, id, 0)) < white {
            Side::White
        } else {
            Side::Black
        };
        let result = if id % unfinished_every == 0 { GameResult::Unknown } else { GameResult::Win(won) };
        let mut unit = unit(id, result, Termination::Checkmate, 30);
        unit.games[0].0.start_fen = fen.to_owned();
        judge.push(&unit).unwrap();
    }
    judge.standings().remove(0)
}

#[test]
fn worths_are_judged_by_their_intervals() {
    let verdict = |worth, rest| judged(worth, rest, 6000, u64::MAX).verdict;
    let within = "phase = \"opening\"\ncomparison = \"within\"\nthreshold = 3.0\nmargin = 1.0";
    assert_eq!(verdict("[\"N\"]", within), Verdict::Supported);
    assert_eq!(verdict("[\"N - P\"]", within), Verdict::Undecided);
    assert_eq!(verdict("[\"N - 2P\"]", within), Verdict::Refuted);
    // In log-odds; and every one of several has to bear the claim out.
    let above = "phase = \"opening\"\nunit = \"log-odds\"\ncomparison = \"above\"\nthreshold = 0.8";
    assert_eq!(verdict("[\"N\", \"2P + N\"]", above), Verdict::Supported);
    assert_eq!(verdict("[\"N\", \"P\"]", above), Verdict::Refuted);
    // A bishop was never missing.
    assert_eq!(verdict("[\"N\", \"B\"]", above), Verdict::Undecided);
}

#[test]
fn an_undecided_claim_says_what_it_hangs_on_and_what_would_decide() {
    let rest = "phase = \"opening\"\ncomparison = \"above\"\nthreshold = 2.0";
    let few = judged("[\"N + P\", \"N\"]", rest, 600, u64::MAX);
    assert_eq!((few.verdict, few.hangs_on.as_deref()), (Verdict::Undecided, Some("N")));
    let names: Vec<&str> = few.worths.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["N + P", "N", "P"]);
    let enough = few.to_go.unwrap();
    assert!((700..20_000).contains(&enough), "{enough}");
    assert_eq!(judged("[\"N + P\", \"N\"]", rest, 2 * enough, u64::MAX).verdict, Verdict::Supported);
}

#[test]
fn a_gain_is_the_endgame_less_the_opening() {
    let rest =
        "unit = \"log-odds\"\nphase = \"endgame-less-opening\"\ncomparison = \"above\"\nthreshold = 0.0";
    let gain = judged("[\"P\"]", rest, 6000, u64::MAX);
    assert_eq!(gain.verdict, Verdict::Supported);
    assert!(gain.interval.contains(0.5), "{:?}", gain.interval);
    let names: Vec<&str> = gain.worths.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["P", "P (opening)", "P (endgame)"]);
}

#[test]
fn a_verdict_holds_whatever_unfinished_games_would_have_come_to() {
    let rest = "phase = \"opening\"\nunit = \"log-odds\"\ncomparison = \"above\"\nthreshold = 1.0";
    let plain = judged("[\"N\"]", rest, 6000, u64::MAX);
    let open = judged("[\"N\"]", rest, 6000, 5);
    assert_eq!((plain.verdict, plain.unfinished), (Verdict::Supported, 0));
    assert_eq!((open.verdict, open.unfinished), (Verdict::Undecided, 1200));
    assert!(open.interval.width() > plain.interval.width());
}

#[test]
fn claims_on_worths_are_read_back_and_refused_in_one_line() {
    let read = |rest: &str| {
        let text = format!(
            "game = \"chess\"\n[[claim]]\nid = \"x\"\nseed = \"s\"\nsentence = \"t\"\ntest = \"odds\"\n{rest}\n"
        );
        file::read("c.toml", &text)
    };
    let error = |rest: &str| format!("{:#}", read(rest).unwrap_err());
    let rest = "comparison = \"above\"\nthreshold = 0.0";
    assert_eq!(
        error(&format!("worth = [\"N - M\"]\n{rest}")),
        "c.toml, line 7: `worth` in [[claim]] number 1 is [\"N - M\"], expected sums of pieces (PKQRBN) and of the \
         army, such as [\"R - N\"]"
    );
    assert!(error(rest).contains("no `worth`, expected sums of pieces"));
    assert!(error(&format!("worth = [\"N\"]\nunit = \"pawn\"\n{rest}")).contains("did you mean \"pawns\"?"));
    let claims = read(&format!("worth = [\"N\", \"army/2 - Q\"]\nphase = \"endgame\"\n{rest}")).unwrap();
    assert_eq!(claims[0].to_toml()["worth"].as_array().unwrap().len(), 2);
    assert_eq!(claims[0].to_toml()["phase"].as_str(), Some("endgame"));
}
