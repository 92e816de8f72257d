//! An engine that misbehaves on command, for tests of those who must bear it.

use super::output::Output;
use super::uci::Uci;
use super::xboard::XBoard;
use clap::ValueEnum;
use std::io::BufRead;
use std::time::Duration;

/// The protocol it speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Tongue {
    /// UCI.
    Uci,
    /// XBoard's.
    Xboard,
}

/// What it does instead of answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Fault {
    /// Dies at its first line.
    StartCrash,
    /// Never answers anything.
    StartStall,
    /// Dies when it is to move.
    Crash,
    /// Does not answer when it is to move.
    Stall,
    /// Plays a move that is not legal.
    Illegal,
    /// Breaks the protocol in place of a move.
    Garbage,
}

/// Speaks `tongue` like the real engine, but for the fault at the `at`-th move it is asked for (from 1).
pub fn run(input: impl BufRead, out: &Output, tongue: Tongue, fault: Fault, at: u64) {
    let mut uci = Uci::new(out.clone());
    let mut xboard = XBoard::new(out.clone());
    let mut asked = 0;
    for line in input.lines() {
        let Ok(line) = line else { return };
        asked += u64::from(line.split_whitespace().next() == Some("go"));
        let due = asked == at && line.starts_with("go");
        let word = if tongue == Tongue::Uci { "bestmove" } else { "move" };
        match fault {
            Fault::StartCrash => std::process::exit(3),
            Fault::StartStall => continue,
            Fault::Crash if due => std::process::exit(3),
            Fault::Stall if due => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            Fault::Illegal if due => {
                out.line(&format!("{word} a1a1"));
                continue;
            }
            Fault::Garbage if due => {
                out.line(if tongue == Tongue::Uci { "bestmove" } else { "Error (what?): go" });
                continue;
            }
            _ => {}
        }
        let more = match tongue {
            Tongue::Uci => uci.line(&line),
            Tongue::Xboard => xboard.line(&line),
        };
        if !more {
            return;
        }
    }
}
