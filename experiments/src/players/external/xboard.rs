//! An XBoard program (CECP 2) as a player.

use super::super::{Fault, Player, Thought};
use super::process::Process;
use super::{centipawns, fault, mate, protocol};
use crate::experiment::ExternalSpec;
use crate::protocol::session::{Session, Setup, open};
use crate::protocol::xboard::dialect;
use engine::notation::parse_uci;
use engine::outcome::Termination;
use engine::referee::Referee;
use engine::search::{Playable, Score};
use std::time::{Duration, Instant};

/// XBoard's scores from here on tell mates.
const MATE: i64 = 100_000;

/// A program and the game it was started for.
pub struct XboardPlayer<G> {
    game: G,
    spec: ExternalSpec,
    /// `None` after a fault, until the next game.
    running: Option<Running>,
}

/// A program that runs, and what it was told of the game at hand.
struct Running {
    process: Process,
    /// Translates moves; its position is that of the program.
    board: Box<dyn Session>,
    start: String,
    /// Moves on the program's board, UCI.
    moves: Vec<String>,
}

impl<G: Playable> XboardPlayer<G> {
    /// Starts the program.
    ///
    /// # Errors
    /// It does not start, does not answer, or does not play the game.
    pub fn start(game: &G, spec: &ExternalSpec) -> Result<XboardPlayer<G>, Fault> {
        let running = Some(Running::launch(game, spec)?);
        Ok(XboardPlayer { running, ..XboardPlayer::idle(game, spec) })
    }

    /// The player without its program, which is started when it is needed.
    pub fn idle(game: &G, spec: &ExternalSpec) -> XboardPlayer<G> {
        XboardPlayer { game: game.clone(), spec: spec.clone(), running: None }
    }

    fn ask(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        if self.running.is_none() {
            self.running = Some(Running::launch(&self.game, &self.spec)?);
        }
        let Some(running) = &mut self.running else { return Err(protocol("the program is gone")) };
        let start = self.game.fen(referee.start());
        let mut state = referee.start().clone();
        let mut moves = Vec::new();
        for &m in referee.moves() {
            moves.push(self.game.uci(&state, m));
            self.game.play(&mut state, m, &mut ());
        }
        running.set_up(&start, &moves, &self.spec)?;
        running.process.skip_waiting();
        running.process.send("go")?;
        let deadline = Instant::now() + self.spec.timeout;
        let mut thought = (None, 0);
        let mut first_leg = None;
        loop {
            let line = running.process.line(deadline, "move")?;
            if let Some(text) = line.strip_prefix("move ") {
                if let Some(leg) = text.strip_suffix(',') {
                    first_leg = Some(leg.to_owned());
                    continue;
                }
                let text = first_leg.map_or_else(|| text.to_owned(), |leg| format!("{leg},{text}"));
                let uci = dialect::read_move(running.board.as_ref(), &text);
                let best = parse_uci(&self.game, referee.state(), &uci)
                    .map_err(|e| fault(Termination::FaultIllegal, e.to_string()))?;
                running.process.send("force")?;
                running.board.play(&uci).map_err(|e| protocol(e.to_string()))?;
                running.moves.push(uci);
                return Ok(Thought { best, score: thought.0, nodes: thought.1 });
            }
            if let Some(problem) = refusal(&line) {
                return Err(protocol(problem));
            }
            if let Some(news) = thinking(&line) {
                thought = news;
            }
        }
    }
}

impl<G: Playable> Player<G> for XboardPlayer<G> {
    fn new_game(&mut self, _seed: u64) {
        if let Some(running) = &mut self.running {
            // Told anew before the next move.
            running.start.clear();
        }
    }

    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        let thought = self.ask(referee);
        if thought.is_err() {
            self.running = None;
        }
        thought
    }
}

impl Running {
    /// Starts the program and reads its features.
    fn launch<G: Playable>(game: &G, spec: &ExternalSpec) -> Result<Running, Fault> {
        let mut process = Process::start(&spec.command)?;
        process.send("xboard")?;
        process.send("protover 2")?;
        let mut features = Features::default();
        let deadline = Instant::now() + spec.start_timeout;
        while !features.done {
            let line = process.line(deadline, "feature done=1")?;
            if let Some(text) = line.strip_prefix("feature ") {
                features.read(text);
            }
        }
        let name = game.info().name;
        let variant = spec.variant.as_deref().unwrap_or_else(|| dialect::variant_of(name));
        features.check(variant)?;
        for (option, value) in &spec.options {
            if !features.options.contains(option) {
                return Err(protocol(format!("the program has no option `{option}`")));
            }
            process.send(&format!("option {option}={value}"))?;
        }
        for rule in game.info().options {
            let (option, value) = (format!("{name}.{}", rule.name), game.options().get(rule.name));
            if value != rule.default() && features.options.contains(&option) {
                let value = value.replace("true", "1").replace("false", "0");
                process.send(&format!("option {option}={value}"))?;
            }
        }
        let options = game.info().options.iter();
        let options = options.map(|o| (o.name.to_owned(), game.options().get(o.name).to_owned()));
        let setup = Setup { game: name.to_owned(), options: options.collect(), ..Setup::default() };
        let board = open(&setup).map_err(|e| protocol(format!("{e:#}")))?;
        Ok(Running { process, board, start: String::new(), moves: Vec::new() })
    }

    /// Brings the program's board to a position of a game.
    fn set_up(&mut self, start: &str, moves: &[String], spec: &ExternalSpec) -> Result<(), Fault> {
        let broken = |e: anyhow::Error| protocol(format!("{e:#}"));
        if self.start != start {
            let name = self.board.info().name;
            let variant = spec.variant.as_deref().unwrap_or_else(|| dialect::variant_of(name));
            self.process.send("new")?;
            if variant != "normal" {
                self.process.send(&format!("variant {variant}"))?;
            }
            self.process.send("force")?;
            self.process.send("post")?;
            self.process.send("easy")?;
            if let Some(depth) = spec.depth {
                self.process.send(&format!("sd {depth}"))?;
            }
            if let Some(time) = spec.move_time {
                self.process.send(&format!("st {}", time.div_ceil(1000).max(1)))?;
            }
            if start != self.board.start_fen() {
                self.process.send(&format!("setboard {start}"))?;
            }
            self.board.set_position(Some(start), &[]).map_err(broken)?;
            self.start = start.to_owned();
            self.moves.clear();
        }
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        for _ in common..self.moves.len() {
            self.process.send("undo")?;
        }
        if common < self.moves.len() {
            self.moves.truncate(common);
            self.board.set_position(Some(start), &self.moves).map_err(broken)?;
        }
        for uci in &moves[common..] {
            let text = dialect::sent_move(self.board.as_ref(), uci);
            self.process.send(&format!("usermove {text}"))?;
            self.board.play(uci).map_err(broken)?;
            self.moves.push(uci.clone());
        }
        self.await_pong(spec.start_timeout)
    }

    /// Waits until the program has read all that it was told, and sees whether it objected.
    fn await_pong(&mut self, timeout: Duration) -> Result<(), Fault> {
        let number = self.moves.len();
        self.process.skip_waiting();
        self.process.send(&format!("ping {number}"))?;
        let deadline = Instant::now() + timeout;
        loop {
            let line = self.process.line(deadline, "pong")?;
            if let Some(problem) = refusal(&line) {
                return Err(protocol(problem));
            }
            if line == format!("pong {number}") {
                return Ok(());
            }
        }
    }
}

/// What a line says against what the program was told, or instead of a move.
fn refusal(line: &str) -> Option<String> {
    let first = line.split_whitespace().next().unwrap_or("");
    let refuses = ["Illegal", "Error", "tellusererror", "resign"].contains(&first);
    refuses.then(|| format!("the program said `{line}`"))
}

/// The score and nodes of a line of thinking, `ply score time nodes ...`.
fn thinking(line: &str) -> Option<(Option<Score>, u64)> {
    let mut numbers =
        line.split_whitespace().map(|w| w.trim_end_matches(['.', '&', '+', '-']).parse::<i64>());
    let (_ply, score) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    let (_time, nodes) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    let score = match score {
        MATE.. => mate(score - MATE),
        s if s <= -MATE => mate(s + MATE),
        s => centipawns(s),
    };
    Some((Some(score), nodes.max(0) as u64))
}

/// What a program said of itself.
#[derive(Default)]
struct Features {
    done: bool,
    given: Vec<(String, String)>,
    options: Vec<String>,
}

impl Features {
    /// Reads `name=value name="quoted value" ...`.
    fn read(&mut self, text: &str) {
        let mut rest = text.trim();
        while let Some((name, after)) = rest.split_once('=') {
            let (value, left) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            match name {
                "done" => self.done = value == "1",
                "option" => {
                    self.options.extend(value.split(" -").next().map(str::to_owned));
                }
                _ => self.given.push((name.to_owned(), value.to_owned())),
            }
            rest = left.trim_start();
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Whether we can talk to the program, and it plays the variant.
    fn check(&self, variant: &str) -> Result<(), Fault> {
        for name in ["setboard", "usermove", "ping"] {
            if self.get(name) != Some("1") {
                return Err(protocol(format!("the program lacks the feature {name}=1")));
            }
        }
        if self.get("san") == Some("1") {
            return Err(protocol("the program wants moves in SAN (feature san=1)"));
        }
        match self.get("variants") {
            Some(list) if !list.split(',').any(|v| v.trim() == variant) => {
                Err(protocol(format!("the program does not play `{variant}`: it offers {list}")))
            }
            None if variant != "normal" => {
                Err(protocol(format!("the program does not say that it plays `{variant}`")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_quoted_or_not() {
        let mut features = Features::default();
        features.read("ping=1 setboard=1 myname=\"Some = engine\" usermove=1");
        features.read("option=\"Some thing -spin 1 0 3\" variants=\"normal,magi\" done=1");
        assert!(features.done);
        assert_eq!(features.get("myname"), Some("Some = engine"));
        assert_eq!(features.options, ["Some thing"]);
        features.check("magi").unwrap();
        assert!(features.check("mageca").unwrap_err().text.contains("normal,magi"));
        features.read("setboard=0");
        assert!(features.check("magi").unwrap_err().text.contains("setboard=1"));
    }

    #[test]
    fn thinking_tells_score_and_nodes() {
        assert_eq!(thinking("5 -23 12 3444 e2e4 e7e5"), Some((Some(Score::centipawns(-23)), 3444)));
        assert_eq!(thinking("9. 100002 1 7 a1a8"), Some((Some(Score::win_in(3)), 7)));
        assert_eq!(thinking("9 -100001 1 7 a1a8"), Some((Some(Score::loss_in(2)), 7)));
        assert_eq!(thinking("tellics hello"), None);
        assert_eq!(thinking("1 2"), None);
    }

    #[test]
    fn objections_are_faults() {
        assert!(refusal("Illegal move: e2e5").is_some());
        assert!(refusal("Error (unknown variant): variant magi").is_some());
        assert!(refusal("resign").is_some());
        assert!(refusal("offer draw").is_none());
        assert!(refusal("# Illegal thoughts").is_none());
    }
}
