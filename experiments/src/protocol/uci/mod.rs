//! UCI, over all games: `UCI_Variant` names the game.
//!
//! Nothing is ever played in another game or position than the one asked for: after an unknown variant, a
//! bad file of weights, a bad FEN or an illegal move, `go` answers `bestmove 0000` until that is mended.

mod go;
#[cfg(test)]
mod tests;

use super::clock::{Budget, Clock};
use super::output::Output;
use super::session::{Found, News, Session, Task, open};
use super::settings::{Change, Settings};
use super::thinker::Thinker;
use engine::search::Score;
use go::Go;
use std::io::BufRead;
use std::sync::Arc;

/// A move that is none.
const NO_MOVE: &str = "0000";

/// Speaks UCI until `quit` or the end of input. At the end of input a search with a limit is finished.
pub fn run(input: impl BufRead, out: Output) {
    let mut uci = Uci::new(out);
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if !uci.line(&String::from_utf8_lossy(&line)) {
            return;
        }
    }
    uci.drain();
}

/// The conversation so far.
pub(super) struct Uci {
    out: Output,
    options: Settings,
    /// Why the options make no game, if they don't.
    bad_options: Option<String>,
    thinker: Thinker,
    /// The session has to be made anew before it is used.
    stale: bool,
    fen: Option<String>,
    moves: Vec<String>,
    /// Why the last `position` was refused, if it was.
    bad_position: Option<String>,
    /// The time to think once `ponderhit` comes; `None` if it is not awaited.
    pondering: Option<Budget>,
    endless: bool,
}

impl Uci {
    pub(super) fn new(out: Output) -> Uci {
        Uci {
            out,
            options: Settings::default(),
            bad_options: None,
            thinker: Thinker::default(),
            stale: true,
            fen: None,
            moves: Vec::new(),
            bad_position: None,
            pondering: None,
            endless: false,
        }
    }

    /// Handles a line; false at `quit`. As the protocol has it, words before a known command are skipped.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "uci" => self.introduce(),
                "isready" => {
                    if !self.thinker.is_busy() {
                        self.ready();
                    }
                    self.out.line("readyok");
                }
                "setoption" => self.set_option(line),
                "ucinewgame" => {
                    if let Some(session) = self.ready() {
                        session.new_game();
                    }
                }
                "position" => self.position(words.clone().collect()),
                "go" => match Go::parse(words.clone()) {
                    Ok(go) => self.go(go),
                    Err(problem) => self.refuse(&problem),
                },
                "stop" => self.thinker.stop(),
                "ponderhit" => {
                    if let (Some(budget), Some(clock)) = (self.pondering.take(), self.thinker.clock()) {
                        self.endless = false;
                        clock.release(budget);
                    }
                }
                "d" => {
                    if let Some(session) = self.ready() {
                        let picture = session.picture();
                        self.out.line(&picture);
                    }
                }
                "bench" => self.bench(),
                "quit" => return false,
                "debug" | "register" => {}
                _ => {
                    self.info(&format!("unknown command `{word}`"));
                    continue;
                }
            }
            return true;
        }
        true
    }

    /// The end of input.
    fn drain(&mut self) {
        if self.endless {
            self.thinker.stop();
        }
        self.thinker.finish();
    }

    fn info(&self, text: &str) {
        for line in text.lines() {
            self.out.line(&format!("info string {line}"));
        }
    }

    fn error(&self, text: &str) {
        self.info(&format!("error: {text}"));
    }

    /// Answers a `go` that cannot be done.
    fn refuse(&mut self, why: &str) {
        self.thinker.stop();
        self.error(why);
        self.out.line(&format!("bestmove {NO_MOVE}"));
    }

    fn introduce(&self) {
        self.out.line(&format!("id name Equipoise {}", env!("CARGO_PKG_VERSION")));
        self.out.line("id author the Equipoise developers");
        for line in Settings::uci_declarations() {
            self.out.line(&line);
        }
        self.out.line("uciok");
    }

    fn set_option(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().skip_while(|w| *w != "setoption").skip(1).collect();
        let value_at = words.iter().position(|w| *w == "value").unwrap_or(words.len());
        let name = match words.first() {
            Some(&"name") => words[1..value_at.max(1)].join(" "),
            _ => {
                return self
                    .error(&format!("`{}`: `setoption name ... value ...` was expected", line.trim()));
            }
        };
        // The value as it was written: a path may hold spaces.
        let value = line.split_once(" value ").map_or("", |(_, value)| value.trim());
        self.thinker.stop();
        let game_before = self.options.setup().ok().map(|s| (s.game, s.options));
        match self.options.set(&name, value) {
            Err(problem) => self.error(&problem),
            Ok(Change::Nothing) => {}
            Ok(Change::Clear) => {
                if let Some(session) = self.ready() {
                    session.new_game();
                }
            }
            Ok(Change::Session) => {
                self.stale = true;
                match self.options.setup() {
                    Err(problem) => {
                        self.error(&format!("{problem}; no move will be played"));
                        self.bad_options = Some(problem);
                    }
                    Ok(setup) => {
                        self.bad_options = None;
                        if game_before != Some((setup.game, setup.options)) {
                            // A position of the game before means nothing in another, or by other rules.
                            self.fen = None;
                            self.moves.clear();
                        }
                    }
                }
            }
        }
    }

    /// The session as the options have it, with the position set up. `None`, and the reason was told, if
    /// there is none.
    fn ready(&mut self) -> Option<&mut Box<dyn Session>> {
        self.thinker.stop();
        if self.stale || self.thinker.session().is_none() {
            let made = self.options.setup().and_then(|setup| open(&setup).map_err(|e| format!("{e:#}")));
            let session = made.and_then(|mut session| {
                session.set_position(self.fen.as_deref(), &self.moves).map_err(|e| format!("{e:#}"))?;
                Ok(session)
            });
            match session {
                Ok(session) => {
                    self.thinker.install(session);
                    self.stale = false;
                }
                Err(problem) => {
                    self.error(&problem);
                    return None;
                }
            }
        }
        self.thinker.session()
    }

    fn position(&mut self, words: Vec<&str>) {
        self.thinker.stop();
        let moves_at = words.iter().position(|w| *w == "moves").unwrap_or(words.len());
        let moves: Vec<String> = words.iter().skip(moves_at + 1).map(|w| (*w).to_owned()).collect();
        let fen = match words[..moves_at] {
            ["startpos"] => None,
            ["fen", ref fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
            _ => {
                return self.bad_position(
                    "`position` must go on with `startpos` or `fen FEN`, then perhaps `moves MOVE...`",
                );
            }
        };
        if let Some(problem) = self.bad_options.clone() {
            return self.bad_position(&problem);
        }
        let Some(session) = self.ready() else { return };
        match session.set_position(fen.as_deref(), &moves) {
            Ok(()) => {
                self.fen = fen;
                self.moves = moves;
                self.bad_position = None;
            }
            Err(problem) => self.bad_position(&format!("{problem:#}")),
        }
    }

    fn bad_position(&mut self, problem: &str) {
        self.error(problem);
        self.bad_position = Some(problem.to_owned());
    }

    fn go(&mut self, go: Go) {
        for word in &go.unknown {
            self.info(&format!("unknown word `{word}` after go"));
        }
        if let Some(problem) = self.bad_options.clone().or_else(|| self.bad_position.clone()) {
            return self.refuse(&format!("no move is played: {problem}"));
        }
        let Some(session) = self.ready() else {
            return self.refuse("no move is played: there is no game");
        };
        let legal = session.legal();
        if let Some(bad) = go.task.only.iter().find(|m| !legal.contains(m)) {
            let problem = format!("go searchmoves: `{bad}` is not a legal move in `{}`", session.fen());
            return self.refuse(&problem);
        }
        let budget = go.budget(session.side_to_move(), self.options.overhead);
        let held = go.infinite || go.ponder;
        let clock = Clock::start(if held { Budget::NONE } else { budget }, held);
        self.pondering = go.ponder.then_some(budget);
        self.endless = go.is_endless();
        let out = self.out.clone();
        let job: super::thinker::Job = match go.perft {
            Some(depth) => Box::new(move |session, clock| perft(session, depth, clock, &out)),
            None => {
                let task = Task { lines: self.options.lines, ..go.task };
                Box::new(move |session, clock| think(session, &task, clock, &out))
            }
        };
        self.thinker.start(clock, job);
    }

    fn bench(&mut self) {
        let Some(session) = self.ready() else { return };
        let (name, clock) = (session.info().name, Clock::start(Budget::NONE, false));
        match session.bench() {
            Ok((signature, nodes)) => {
                let nps = nodes * 1000 / clock.elapsed().max(1);
                self.out.line(&format!("bench {name} signature {signature} nodes {nodes} nps {nps}"));
            }
            Err(problem) => self.error(&format!("{problem:#}")),
        }
    }
}

/// Answers with no move should the search crash: the other side must not wait for ever.
struct Promise<'a>(Option<&'a Output>);

impl Promise<'_> {
    fn keep(&mut self, best: &str) {
        if let Some(out) = self.0.take() {
            out.line(&format!("bestmove {best}"));
        }
    }
}

impl Drop for Promise<'_> {
    fn drop(&mut self) {
        self.keep(NO_MOVE);
    }
}

/// Searches and answers.
fn think(session: &mut dyn Session, task: &Task, clock: &Arc<Clock>, out: &Output) {
    let mut promise = Promise(Some(out));
    let several = task.lines > 1;
    let found = session.think(task, clock, &mut |news| out.line(&describe(news, several, clock.elapsed())));
    clock.wait();
    match found {
        Ok(Found { best: Some(best), answer, .. }) => {
            let ponder = answer.map(|m| format!(" ponder {m}")).unwrap_or_default();
            promise.keep(&format!("{best}{ponder}"));
        }
        Ok(Found { best: None, score, .. }) => out.line(&format!("info depth 0 score {}", written(score))),
        Err(problem) => out.line(&format!("info string error: {problem:#}")),
    }
}

fn perft(session: &dyn Session, depth: u32, clock: &Clock, out: &Output) {
    match session.perft(depth, clock) {
        Some(counts) => {
            for (name, nodes) in &counts {
                out.line(&format!("{name}: {nodes}"));
            }
            let total = if depth == 0 { 1 } else { counts.iter().map(|(_, n)| n).sum::<u64>() };
            out.line(&format!("\nNodes searched: {total}"));
        }
        None => out.line("info string perft was stopped"),
    }
}

fn describe(news: &News, several: bool, time: u64) -> String {
    let line = if several { format!(" multipv {}", news.line) } else { String::new() };
    format!(
        "info depth {} seldepth {}{line} score {} nodes {} nps {} hashfull {} time {time} pv {}",
        news.depth,
        news.deepest,
        written(news.score),
        news.nodes,
        news.nodes * 1000 / time.max(1),
        news.table_permille,
        news.pv.join(" "),
    )
}

fn written(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.value()),
    }
}
