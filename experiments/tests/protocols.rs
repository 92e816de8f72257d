//! Both protocols over the binary, as other programs speak them.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    fn new(protocol: &str) -> Talk {
        let mut command = support::equipoise();
        let mut child = command
            .arg(protocol)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::<ChildStdout>::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Talk { child, input, lines }
    }

    fn say(&mut self, text: &str) {
        writeln!(self.input, "{text}").unwrap();
    }

    /// The lines up to the first that begins with `start`, that one included.
    #[track_caller]
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            heard.push(line);
            if heard.last().is_some_and(|l| l.starts_with(start)) {
                return heard;
            }
        }
        panic!("no `{start}` after {heard:?}");
    }

    #[track_caller]
    fn last(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap()
    }

    #[track_caller]
    fn quit(mut self) {
        self.say("quit");
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it does not quit");
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What `equipoise play` makes of a game.
fn play(game: &str, moves: &[String]) -> String {
    let mut args = vec!["play", game];
    args.extend(moves.iter().map(String::as_str));
    support::succeed(std::path::Path::new("."), &args)
}

#[test]
fn a_game_of_every_variant_over_uci() {
    let mut uci = Talk::new("uci");
    uci.say("uci");
    let options = uci.until("uciok");
    let combo = options.iter().find(|l| l.contains("name UCI_Variant ")).unwrap().clone();
    let variants: Vec<&str> = combo.split(" var ").skip(1).collect();
    assert!(variants.contains(&"magi") && variants.contains(&"chess"), "{combo}");
    for variant in variants {
        uci.say(&format!("setoption name UCI_Variant value {variant}"));
        uci.say("ucinewgame\nisready");
        uci.until("readyok");
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..10 {
            uci.say(&format!("position startpos moves {}", moves.join(" ")));
            uci.say("go nodes 300");
            let best = uci.last("bestmove ");
            moves.push(best.split(' ').nth(1).unwrap().to_owned());
        }
        assert!(!play(variant, &moves).is_empty(), "{variant}");
    }
    uci.quit();
}

#[test]
fn it_is_ready_and_can_be_stopped_while_it_searches() {
    let mut uci = Talk::new("uci");
    uci.say("setoption name UCI_Variant value magi\ngo infinite");
    uci.until("info depth 3 ");
    uci.say("isready");
    let before = uci.until("readyok");
    assert!(before.iter().all(|l| !l.starts_with("bestmove")), "{before:?}");
    uci.say("stop");
    let best = uci.last("bestmove ");
    assert!(!best.contains("0000"), "{best}");
    uci.say("go infinite");
    uci.until("info depth 1 ");
    uci.quit();
}

#[test]
fn a_move_is_made_in_the_time_given() {
    let mut uci = Talk::new("uci");
    uci.say("isready");
    uci.until("readyok");
    for go in
        ["go movetime 200", "go wtime 2000 btime 2000 winc 0 binc 0", "go wtime 150 btime 150 movestogo 1"]
    {
        let start = Instant::now();
        uci.say(go);
        uci.until("bestmove ");
        // On a machine that does nothing else a fraction of this.
        assert!(start.elapsed() < Duration::from_secs(10), "{go}");
    }
    uci.quit();
}

#[test]
fn no_other_game_is_played_than_the_one_asked_for() {
    let mut uci = Talk::new("uci");
    for (bad, said) in [
        ("setoption name UCI_Variant value shogi", "unknown game `shogi`"),
        ("setoption name UCI_Variant value magi\nposition startpos moves e2e9", "`e2e9` is not a legal move"),
        ("position fen 10/10 w - - 0 1 -", "FEN"),
        ("setoption name EvalFile value /nonexistent", "cannot read /nonexistent"),
    ] {
        uci.say(bad);
        uci.say("go nodes 100");
        let heard = uci.until("bestmove ");
        assert_eq!(heard.last().unwrap(), "bestmove 0000", "{bad}");
        assert!(heard.iter().any(|l| l.starts_with("info string error: ") && l.contains(said)), "{heard:?}");
    }
    uci.say("setoption name EvalFile value <empty>\nposition startpos\ngo nodes 100");
    assert_ne!(uci.last("bestmove "), "bestmove 0000");
    uci.quit();
}

#[test]
fn a_game_with_itself_over_xboard() {
    let mut white = Talk::new("xboard");
    let mut black = Talk::new("xboard");
    for engine in [&mut white, &mut black] {
        engine.say("xboard\nprotover 2");
        engine.until("feature done=1");
        engine.say("new\nvariant magi");
        let setup = engine.last("setup ");
        assert!(setup.contains(") 10x10+0_fairy rnbcqkwbnr/"), "{setup}");
        engine.until("piece W& ");
        engine.say("level 0 5 0\nsd 2\npost");
    }
    white.say("force\ngo");
    let mut moves = Vec::new();
    for ply in 0..20 {
        let (mover, other) = if ply % 2 == 0 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        let line = mover.last("move ");
        let text = line.trim_start_matches("move ");
        assert!(!text.ends_with(','), "no game of 20 plies takes two squares behind: {text}");
        // Ranks are told from 0.
        let bytes: Vec<char> = text.chars().collect();
        let up = |c: char| c.to_digit(10).unwrap() + 1;
        moves.push(format!("{}{}{}{}", bytes[0], up(bytes[1]), bytes[2], up(bytes[3])));
        other.say(&format!("usermove {text}"));
    }
    assert!(!play("magi", &moves).is_empty());
    white.say("ping 5");
    assert_eq!(white.last("pong "), "pong 5");
    white.quit();
    black.quit();
}

#[test]
fn xboard_hears_while_it_thinks() {
    let mut engine = Talk::new("xboard");
    engine.say("new\nst 1000\npost\nusermove e2e4");
    engine.until("3 ");
    engine.say("?");
    engine.until("move ");
    engine.say("usermove d2d4");
    engine.until("2 ");
    engine.say("force\nping 2");
    let heard = engine.until("pong 2");
    assert!(heard.iter().all(|l| !l.starts_with("move ")), "{heard:?}");
    engine.quit();
}
