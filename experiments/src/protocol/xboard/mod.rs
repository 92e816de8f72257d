//! XBoard's protocol (CECP, version 2), with the `setup` and `piece` commands by which XBoard 4.9 learns
//! boards and pieces it does not know.

pub(crate) mod dialect;
mod level;
#[cfg(test)]
mod tests;

use super::clock::{Budget, Clock};
use super::output::Output;
use super::session::{News, Session, Task, open};
use super::settings::{Change, Settings};
use super::thinker::Thinker;
use engine::search::Score;
use engine::side::Side;
use level::Level;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// XBoard's name of a mate in 0: it adds the number of moves.
const MATE: i32 = 100_000;

/// Speaks XBoard's protocol until `quit` or the end of input.
pub fn run(input: impl BufRead, out: Output) {
    let mut engine = XBoard::new(out);
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if !engine.line(String::from_utf8_lossy(&line).trim()) {
            break;
        }
    }
    engine.quiet_stop();
}

/// What both threads touch: the searching one plays its move and answers the pings that came meanwhile.
#[derive(Default)]
struct Shared {
    moves: Vec<String>,
    /// Our move is still to come.
    thinking: bool,
    pings: Vec<String>,
}

/// The conversation so far.
pub(super) struct XBoard {
    out: Output,
    settings: Settings,
    thinker: Thinker,
    /// The session has to be made anew before it is used.
    stale: bool,
    /// Why nothing may be played, if so.
    problem: Option<String>,
    fen: Option<String>,
    shared: Arc<Mutex<Shared>>,
    /// Whose moves are ours; `None` in force mode.
    side: Option<Side>,
    /// What the search finds is not to be played any more.
    discard: Arc<AtomicBool>,
    analysing: bool,
    post: bool,
    level: Level,
    depth: Option<u32>,
}

impl XBoard {
    pub(super) fn new(out: Output) -> XBoard {
        XBoard {
            out,
            settings: Settings::default(),
            thinker: Thinker::default(),
            stale: true,
            problem: None,
            fen: None,
            shared: Arc::default(),
            side: Some(Side::Black),
            discard: Arc::default(),
            analysing: false,
            post: false,
            level: Level::default(),
            depth: None,
        }
    }

    /// Handles a line; false at `quit`.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" | "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer" | "name"
            | "rating" | "ics" | "bk" | "hint" | "draw" | "otim" | "cores" | "egtpath" | "white"
            | "black" => {}
            "protover" => self.features(),
            "new" => self.new_game(),
            "variant" => self.variant(rest),
            "setboard" => self.setboard(rest),
            "usermove" => self.usermove(rest),
            "force" => {
                self.quiet_stop();
                self.side = None;
            }
            "go" | "playother" => {
                self.quiet_stop();
                if let Some(session) = self.ready() {
                    let side = session.side_to_move();
                    self.side = Some(if word == "go" { side } else { side.other() });
                    self.move_if_ours();
                }
            }
            "?" => {
                if let Some(clock) = self.thinker.clock().filter(|_| !self.analysing) {
                    clock.stop();
                }
            }
            "level" | "st" | "time" => {
                if let Err(problem) = self.level.set(word, rest) {
                    self.out.line(&format!("Error ({problem}): {line}"));
                }
            }
            "sd" => match rest.parse::<u32>() {
                Ok(depth) if depth > 0 => self.depth = Some(depth),
                _ => self.out.line(&format!("Error (a depth of at least 1 was expected): {line}")),
            },
            "undo" => self.undo(1),
            "remove" => self.undo(2),
            "result" => {
                self.quiet_stop();
                self.side = None;
            }
            "post" => self.post = true,
            "nopost" => self.post = false,
            "analyze" => {
                self.quiet_stop();
                self.side = None;
                self.analysing = true;
                self.analyse();
            }
            "exit" => {
                self.quiet_stop();
                self.analysing = false;
            }
            "." => {
                if let Some(clock) = self.thinker.clock().filter(|_| self.analysing) {
                    self.out.line(&format!("stat01: {} 0 0 0 0", clock.elapsed() / 10));
                }
            }
            "ping" => self.ping(rest),
            "memory" => self.change(|settings| settings.set("Hash", rest), line),
            "option" => self.change(|settings| settings.set_xboard(rest), line),
            "quit" => return false,
            _ => self.out.line(&format!("Error (unknown command): {line}")),
        }
        true
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search; what it found is forgotten.
    fn quiet_stop(&mut self) {
        self.discard.store(true, Ordering::Relaxed);
        self.thinker.stop();
    }

    fn features(&self) {
        self.out.line("feature done=0");
        self.out.line(&format!(
            "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1 \
             analyze=1 colors=0 memory=1 myname=\"Equipoise {}\" variants=\"{}\"",
            env!("CARGO_PKG_VERSION"),
            dialect::variants()
        ));
        for option in Settings::xboard_declarations() {
            self.out.line(&format!("feature option=\"{option}\""));
        }
        self.out.line("feature done=1");
    }

    fn new_game(&mut self) {
        self.quiet_stop();
        self.depth = None;
        self.side = Some(Side::Black);
        self.choose("normal");
        if let Some(session) = self.ready() {
            session.new_game();
        }
    }

    fn variant(&mut self, name: &str) {
        self.quiet_stop();
        self.choose(name);
        if let Some(session) = self.ready() {
            let lines = dialect::setup(session.as_ref());
            for line in lines {
                self.out.line(&line);
            }
        }
    }

    /// Turns to the start of another game, or to none if there is no game of this name.
    fn choose(&mut self, variant: &str) {
        self.fen = None;
        self.shared().moves.clear();
        self.stale = true;
        let game = dialect::game_of(variant).ok_or_else(|| format!("unknown variant `{variant}`"));
        let set = game.and_then(|game| self.settings.set("UCI_Variant", game));
        self.problem = set.and_then(|_| self.settings.setup()).err();
        if let Some(problem) = &self.problem {
            self.out.line(&format!("Error ({problem}): variant {variant}"));
        }
    }

    /// The session with the position set up; `None`, and the reason was told, if there is none.
    fn ready(&mut self) -> Option<&mut Box<dyn Session>> {
        self.thinker.finish();
        if let Some(problem) = &self.problem {
            self.out.line(&format!("telluser no move is played: {problem}"));
            return None;
        }
        if self.stale || self.thinker.session().is_none() {
            let moves = self.shared().moves.clone();
            let made = self.settings.setup().and_then(|setup| open(&setup).map_err(|e| format!("{e:#}")));
            let placed = made.and_then(|mut session| {
                session.set_position(self.fen.as_deref(), &moves).map_err(|e| format!("{e:#}"))?;
                Ok(session)
            });
            match placed {
                Ok(session) => {
                    self.thinker.install(session);
                    self.stale = false;
                }
                Err(problem) => {
                    self.out.line(&format!("telluser no move is played: {problem}"));
                    self.problem = Some(problem);
                    return None;
                }
            }
        }
        self.thinker.session()
    }

    fn setboard(&mut self, text: &str) {
        self.quiet_stop();
        let Some(session) = self.ready() else { return };
        let fen = dialect::read_fen(session.as_ref(), text);
        match session.set_position(Some(&fen), &[]) {
            Ok(()) => {
                self.fen = Some(fen);
                self.shared().moves.clear();
                self.analyse();
            }
            Err(problem) => {
                self.out.line(&format!("tellusererror Illegal position: {problem:#}"));
                // The position before is not the one that was asked for.
                self.problem = Some(format!("{problem:#}"));
            }
        }
    }

    fn usermove(&mut self, text: &str) {
        if self.analysing || self.side.is_none() {
            self.quiet_stop();
        } else if self.shared().thinking && self.thinker.is_busy() {
            self.out.line(&format!("Illegal move (not your turn): {text}"));
            return;
        }
        let Some(session) = self.ready() else {
            self.out.line(&format!("Illegal move (there is no game): {text}"));
            return;
        };
        let uci = dialect::read_move(session.as_ref(), text);
        match session.play(&uci) {
            Ok(()) => {
                let ended = claim(session.as_ref());
                self.shared().moves.push(uci);
                if let Some(result) = ended {
                    self.out.line(&result);
                    return;
                }
                self.move_if_ours();
                self.analyse();
            }
            Err(_) => self.out.line(&format!("Illegal move: {text}")),
        }
    }

    fn undo(&mut self, plies: usize) {
        self.quiet_stop();
        let moves = {
            let mut shared = self.shared();
            let left = shared.moves.len().saturating_sub(plies);
            shared.moves.truncate(left);
            shared.moves.clone()
        };
        let fen = self.fen.clone();
        if let Some(session) = self.ready() {
            // These moves were legal before.
            if let Err(problem) = session.set_position(fen.as_deref(), &moves) {
                self.problem = Some(format!("{problem:#}"));
            }
        }
        self.analyse();
    }

    fn ping(&mut self, number: &str) {
        // The answer to a ping tells that all before it is done, the move we are thinking about included.
        // With the lock held, the search is either still to look for pings or over.
        let mut shared = self.shared();
        if self.thinker.is_busy() && !self.analysing {
            shared.pings.push(number.to_owned());
            drop(shared);
            if !self.thinker.is_busy() {
                answer_pings(&self.shared, &self.out);
            }
        } else {
            drop(shared);
            self.out.line(&format!("pong {number}"));
        }
    }

    fn change(&mut self, set: impl FnOnce(&mut Settings) -> Result<Change, String>, line: &str) {
        self.quiet_stop();
        match set(&mut self.settings) {
            Ok(Change::Session) => {
                self.stale = true;
                self.problem = self.settings.setup().err();
                if let Some(problem) = &self.problem {
                    self.out.line(&format!("tellusererror {problem}"));
                }
            }
            Ok(Change::Clear) => {
                if let Some(session) = self.ready() {
                    session.new_game();
                }
            }
            Ok(Change::Nothing) => {}
            Err(problem) => self.out.line(&format!("Error ({problem}): {line}")),
        }
        self.analyse();
    }

    /// Starts the search for our move, if it is our turn.
    fn move_if_ours(&mut self) {
        let Some(session) = self.ready() else { return };
        let (turn, over) = (session.side_to_move(), session.ending().is_some());
        let Some(side) = self.side.filter(|side| *side == turn && !over) else { return };
        let budget = self.level.budget(self.shared().moves.len() / 2, self.settings.overhead);
        let task = Task { depth: self.depth, lines: 1, ..Task::default() };
        let turn = Turn {
            out: self.out.clone(),
            shared: self.shared.clone(),
            discard: self.fresh_discard(),
            post: self.post,
            budget,
            side,
            task,
        };
        self.shared().thinking = true;
        self.thinker.start(Clock::start(budget, false), Box::new(move |s, clock| turn.think(s, clock)));
    }

    /// Starts analysis, if that is what we do.
    fn analyse(&mut self) {
        if !self.analysing {
            return;
        }
        let (out, discard) = (self.out.clone(), self.fresh_discard());
        let task = Task { lines: self.settings.lines, ..Task::default() };
        if self.ready().is_none() {
            return;
        }
        self.thinker.start(
            Clock::start(Budget::NONE, true),
            Box::new(move |session, clock| {
                let shown = Shown::of(session);
                // Root moves are not restricted, so there is nothing that could be wrong with the task.
                let _ = session.think(&task, clock, &mut |news| {
                    if !discard.load(Ordering::Relaxed) {
                        out.line(&shown.describe(news, clock.elapsed()));
                    }
                });
            }),
        );
    }

    fn fresh_discard(&mut self) -> Arc<AtomicBool> {
        self.discard = Arc::default();
        self.discard.clone()
    }
}

fn answer_pings(shared: &Mutex<Shared>, out: &Output) {
    let pings = std::mem::take(&mut shared.lock().unwrap_or_else(PoisonError::into_inner).pings);
    for number in pings {
        out.line(&format!("pong {number}"));
    }
}

/// One turn of ours, on the searching thread.
struct Turn {
    out: Output,
    shared: Arc<Mutex<Shared>>,
    discard: Arc<AtomicBool>,
    post: bool,
    budget: Budget,
    side: Side,
    task: Task,
}

impl Turn {
    /// Thinks and moves, as long as it is our turn and nobody says stop.
    fn think(&self, session: &mut dyn Session, clock: &Arc<Clock>) {
        while session.side_to_move() == self.side && session.ending().is_none() {
            let shown = Shown::of(session);
            let found = session.think(&self.task, clock, &mut |news| {
                if self.post {
                    self.out.line(&shown.describe(news, clock.elapsed()));
                }
            });
            let best = found.ok().and_then(|f| f.best);
            let Some(best) = best.filter(|_| !self.discard.load(Ordering::Relaxed)) else { break };
            let lines = dialect::tell_move(session, &best);
            if session.play(&best).is_err() {
                break;
            }
            // On the record before it is told: the answer may come at once.
            {
                let mut shared = self.shared();
                shared.moves.push(best);
                shared.thinking = session.side_to_move() == self.side && session.ending().is_none();
            }
            for line in lines {
                self.out.line(&line);
            }
            if let Some(result) = claim(session) {
                self.out.line(&result);
            }
            clock.again(self.budget);
        }
        self.shared().thinking = false;
        answer_pings(&self.shared, &self.out);
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result to claim, if the game is over.
fn claim(session: &dyn Session) -> Option<String> {
    session.ending().map(|ending| format!("{} {{{}}}", ending.result, ending.termination))
}

/// How lines are shown for the position at hand.
struct Shown {
    from_zero: bool,
}

impl Shown {
    fn of(session: &dyn Session) -> Shown {
        Shown { from_zero: dialect::counts_from_zero(session) }
    }

    /// `ply score time nodes pv`, time in hundredths of a second.
    fn describe(&self, news: &News, time: u64) -> String {
        let score = match (news.score.mate_moves(), news.score) {
            (Some(moves), _) if moves > 0 => MATE + moves,
            (Some(moves), score) if moves < 0 || score < Score::ZERO => -MATE + moves,
            (_, score) => score.value(),
        };
        let pv: Vec<String> = news.pv.iter().map(|m| dialect::shift_ranks(m, self.from_zero)).collect();
        format!("{} {score} {} {} {}", news.depth, time / 10, news.nodes, pv.join(" "))
    }
}
