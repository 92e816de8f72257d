//! Conversations.

use super::*;
use crate::protocol::output::testing::Captured;

/// The answers to `lines`. Each `ping` waits for what came before.
fn talk(lines: &[&str]) -> String {
    let captured = Captured::default();
    let mut engine = XBoard::new(captured.output());
    for line in lines {
        engine.line(line);
        if line.starts_with("ping") && !engine.analysing {
            engine.thinker.finish();
        }
    }
    engine.quiet_stop();
    captured.text()
}

fn moves(text: &str) -> Vec<&str> {
    text.lines().filter_map(|l| l.strip_prefix("move ")).collect()
}

#[test]
fn features_are_told_before_done() {
    let text = talk(&["xboard", "protover 2"]);
    assert!(text.starts_with("feature done=0\n") && text.ends_with("feature done=1\n"), "{text}");
    assert!(text.contains("setboard=1") && text.contains("usermove=1") && text.contains("ping=1"));
    assert!(text.contains("variants=\"normal,fischerandom,magi,mageca\""), "{text}");
    assert!(text.contains("feature option=\"magi.move_rule -check 1\""), "{text}");
}

#[test]
fn boards_unknown_to_xboard_are_described() {
    let text = talk(&["new", "variant magi"]);
    let setup = "setup (PNBRQ..CDW...........Kpnbrq..cdw...........k) 10x10+0_fairy \
                 rnbcqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBCQKWBNR w KQkq - 0 1\n";
    assert!(text.starts_with(setup), "{text}");
    assert!(text.contains("\npiece D& R3\n") && text.contains("\npiece W& WAN\n"), "{text}");
    assert_eq!(talk(&["new", "variant normal"]), "");
}

#[test]
fn it_answers_the_users_move() {
    let text = talk(&["new", "variant magi", "force", "sd 2", "st 1", "usermove e1e3", "go", "ping 1"]);
    assert_eq!(moves(&text).len(), 1, "{text}");
    assert!(text.ends_with("pong 1\n"), "{text}");
    let text = talk(&["new", "sd 2", "usermove e2e4", "ping 1", "usermove e4e6", "ping 2"]);
    assert_eq!(moves(&text).len(), 1, "{text}");
    assert!(text.contains("Illegal move: e4e6\n") && text.ends_with("pong 2\n"), "{text}");
}

#[test]
fn force_means_silence() {
    let text = talk(&["new", "usermove e2e4", "force", "usermove e7e5", "usermove g1f3", "ping 3"]);
    assert_eq!(moves(&text).len(), 0, "{text}");
    assert!(!text.contains("Illegal"), "{text}");
}

#[test]
fn moves_are_taken_back() {
    let text = talk(&[
        "new",
        "force",
        "usermove e2e4",
        "usermove e7e5",
        "remove",
        "usermove e2e4",
        "undo",
        "usermove d2d4",
        "ping 1",
    ]);
    assert_eq!(text, "pong 1\n");
}

#[test]
fn an_unknown_variant_plays_nothing() {
    let text = talk(&["new", "variant xiangqi", "usermove e2e4", "go", "ping 1"]);
    assert!(text.contains("Error (unknown variant `xiangqi`): variant xiangqi\n"), "{text}");
    assert!(moves(&text).is_empty() && text.contains("Illegal move (there is no game): e2e4\n"), "{text}");
    let text = talk(&["new", "variant xiangqi", "new", "sd 1", "usermove e2e4", "ping 1"]);
    assert_eq!(moves(&text).len(), 1, "{text}");
}

#[test]
fn a_bad_position_plays_nothing() {
    let text = talk(&["new", "force", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "go", "ping 1"]);
    assert!(text.contains("tellusererror Illegal position: ") && moves(&text).is_empty(), "{text}");
}

#[test]
fn results_are_claimed() {
    let mate =
        talk(&["new", "force", "usermove f2f3", "usermove e7e5", "usermove g2g4", "sd 3", "go", "ping 1"]);
    assert!(mate.contains("move d8h4\n0-1 {checkmate}\n"), "{mate}");
    let mate = talk(&["new", "force", "usermove f2f3", "usermove e7e5", "usermove g2g4", "usermove d8h4"]);
    assert_eq!(mate, "0-1 {checkmate}\n");
}

#[test]
fn thinking_is_shown_on_request() {
    let text = talk(&["new", "post", "sd 3", "usermove e2e4", "ping 1"]);
    let line = text.lines().next().unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert!(words.len() >= 5 && words[..4].iter().all(|w| w.parse::<i64>().is_ok()), "{text}");
    let text = talk(&["new", "nopost", "sd 3", "usermove e2e4", "ping 1"]);
    assert!(text.starts_with("move "), "{text}");
}

#[test]
fn analysis_goes_on_through_moves_and_back() {
    let captured = Captured::default();
    let mut engine = XBoard::new(captured.output());
    let wait = |after: &str, what: &str| {
        for _ in 0..1000 {
            if captured.text().split_once(after).is_some_and(|(_, text)| text.contains(what)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("no {what} in {}", captured.text());
    };
    engine.line("new");
    engine.line("analyze");
    wait("", "\n2 ");
    engine.line("usermove e2e4");
    engine.line(".");
    // The position after the move is analysed: Black's moves come first now.
    wait("stat01: ", "\n3 ");
    let text = captured.text();
    let line = text.lines().rfind(|line| line.starts_with("3 ")).unwrap();
    assert!(matches!(line.split(' ').nth(4).unwrap().as_bytes()[1], b'7' | b'8'), "{line}");
    engine.line("ping 7");
    engine.line("undo");
    engine.line("exit");
    assert!(captured.text().contains("stat01: ") && captured.text().contains("pong 7\n"));
    assert!(moves(&captured.text()).is_empty());
    let before = captured.text();
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert_eq!(captured.text(), before);
}

#[test]
fn move_now_moves() {
    let captured = Captured::default();
    let mut engine = XBoard::new(captured.output());
    for line in ["new", "st 1000", "usermove e2e4", "usermove d2d4", "?"] {
        engine.line(line);
    }
    engine.thinker.finish();
    assert_eq!(moves(&captured.text()).len(), 1);
    assert!(captured.text().contains("Illegal move (not your turn): d2d4\n"));
}

mod fuzz {
    use super::talk;
    use proptest::prelude::*;

    fn line() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            4 => proptest::sample::select(vec![
                "xboard", "protover", "new", "variant", "setboard", "usermove", "force", "go", "playother", "?",
                "level", "st", "sd", "time", "otim", "undo", "remove", "result", "post", "analyze", "exit", ".",
                "ping", "memory", "option", "magi", "mchess", "normal", "fischerandom", "e2e4", "e7e5", "O-O",
                "0-0-0", "a0a9,a9a0", "e2;", "P@e4", "0", "1", "-1", "99999999999999999999", "5:30", "w", "-",
                "8/8/8/8/8/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "magi.move_rule=1", "EvalFile=/", "é", ",", ";",
            ]).prop_map(str::to_owned),
            1 => "[ -~]{0,12}",
            1 => "\\PC{0,4}",
        ];
        proptest::collection::vec(word, 1..5).prop_map(|words| words.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn no_line_is_the_end(lines in proptest::collection::vec(line(), 0..16)) {
            let mut all: Vec<&str> = Vec::new();
            for l in &lines {
                all.push(l);
                all.push("?");
            }
            all.push("exit");
            all.push("force");
            all.push("ping 77");
            prop_assert!(talk(&all).contains("pong 77\n"));
        }
    }
}
