//! A UCI program as a player.

use super::super::{Fault, Player, Thought};
use super::process::Process;
use super::{centipawns, fault, mate, protocol};
use crate::experiment::ExternalSpec;
use engine::notation::parse_uci;
use engine::outcome::Termination;
use engine::referee::Referee;
use engine::search::{Playable, Score};
use std::collections::BTreeMap;
use std::time::Instant;

/// A program and the game it was started for.
pub struct UciPlayer<G> {
    game: G,
    spec: ExternalSpec,
    /// `None` after a fault, until the next game.
    process: Option<Process>,
}

impl<G: Playable> UciPlayer<G> {
    /// Starts the program.
    ///
    /// # Errors
    /// It does not start, does not answer, or does not play the game.
    pub fn start(game: &G, spec: &ExternalSpec) -> Result<UciPlayer<G>, Fault> {
        let process = Some(launch(game, spec)?);
        Ok(UciPlayer { process, ..UciPlayer::idle(game, spec) })
    }

    /// The player without its program, which is started when it is needed.
    pub fn idle(game: &G, spec: &ExternalSpec) -> UciPlayer<G> {
        UciPlayer { game: game.clone(), spec: spec.clone(), process: None }
    }

    fn ask(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        if self.process.is_none() {
            self.process = Some(launch(&self.game, &self.spec)?);
        }
        let Some(process) = &mut self.process else { return Err(protocol("the program is gone")) };
        let mut position = format!("position fen {}", self.game.fen(referee.start()));
        let mut state = referee.start().clone();
        for (i, &m) in referee.moves().iter().enumerate() {
            position += if i == 0 { " moves " } else { " " };
            position += &self.game.uci(&state, m);
            self.game.play(&mut state, m, &mut ());
        }
        let limits =
            [("nodes", self.spec.nodes), ("depth", self.spec.depth), ("movetime", self.spec.move_time)];
        let limits =
            limits.iter().filter_map(|(name, n)| n.map(|n| format!(" {name} {n}"))).collect::<String>();
        process.skip_waiting();
        process.send(&position)?;
        process.send(&format!("go{limits}"))?;
        let deadline = Instant::now() + self.spec.timeout;
        let mut news = News::default();
        loop {
            let line = process.line(deadline, "bestmove")?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => news.read(&line),
                Some("bestmove") => {
                    let text = words.next().ok_or_else(|| protocol("`bestmove` without a move"))?;
                    let best = parse_uci(&self.game, referee.state(), text)
                        .map_err(|e| fault(Termination::FaultIllegal, e.to_string()))?;
                    return Ok(Thought { best, score: news.score, nodes: news.nodes });
                }
                _ => {}
            }
        }
    }
}

impl<G: Playable> Player<G> for UciPlayer<G> {
    fn new_game(&mut self, _seed: u64) {
        let told = self
            .process
            .as_mut()
            .map(|process| process.send("ucinewgame").and_then(|()| ready(process, &self.spec)));
        if matches!(told, Some(Err(_))) {
            // It is started again when it is asked for a move; if it fails then, that is the game's fault.
            self.process = None;
        }
    }

    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        let thought = self.ask(referee);
        if thought.is_err() {
            self.process = None;
        }
        thought
    }
}

/// What `info` lines said of the best line.
#[derive(Default)]
struct News {
    score: Option<Score>,
    nodes: u64,
}

impl News {
    fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.get(1) == Some(&"string") {
            return;
        }
        let after = |word: &str| words.iter().position(|w| *w == word).map(|i| &words[i + 1..]);
        let number = |word: &str| after(word)?.first()?.parse::<i64>().ok();
        if let Some(nodes) = number("nodes") {
            self.nodes = nodes.max(0) as u64;
        }
        // Bounds say less than the last full score, and second lines nothing of the first.
        let partial = words.iter().any(|w| ["lowerbound", "upperbound"].contains(w));
        if partial || number("multipv").is_some_and(|line| line != 1) {
            return;
        }
        if let Some(n) = number("mate") {
            self.score = Some(mate(n));
        } else if let Some(n) = number("cp") {
            self.score = Some(centipawns(n));
        }
    }
}

/// Starts the program, sets its options, and waits until it is ready.
fn launch<G: Playable>(game: &G, spec: &ExternalSpec) -> Result<Process, Fault> {
    let mut process = Process::start(&spec.command)?;
    process.send("uci")?;
    let deadline = Instant::now() + spec.start_timeout;
    let mut declared = Declared::default();
    loop {
        let line = process.line(deadline, "uciok")?;
        match line.split_whitespace().next() {
            Some("uciok") => break,
            Some("option") => declared.read(&line),
            _ => {}
        }
    }
    for (name, value) in declared.wanted(game, spec)? {
        process.send(&format!("setoption name {name} value {value}"))?;
    }
    process.send("ucinewgame")?;
    ready(&mut process, spec)?;
    Ok(process)
}

fn ready(process: &mut Process, spec: &ExternalSpec) -> Result<(), Fault> {
    process.send("isready")?;
    let deadline = Instant::now() + spec.start_timeout;
    while process.line(deadline, "readyok")? != "readyok" {}
    Ok(())
}

/// The options a program declared: names in lower case, and the values of combos.
#[derive(Default)]
struct Declared(BTreeMap<String, Vec<String>>);

impl Declared {
    fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = |word: &str| words.iter().position(|w| *w == word);
        let (Some(name), Some(kind)) = (at("name"), at("type")) else { return };
        if name + 1 > kind {
            return;
        }
        let values = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].to_owned());
        self.0.insert(words[name + 1..kind].join(" ").to_lowercase(), values.collect());
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(&name.to_lowercase())
    }

    /// What has to be set so that the program plays the game.
    fn wanted<G: Playable>(&self, game: &G, spec: &ExternalSpec) -> Result<Vec<(String, String)>, Fault> {
        let name = game.info().name;
        let variant = spec.variant.as_deref().unwrap_or(name);
        let variants = self.0.get("uci_variant");
        let offers = |v: &str| variants.is_some_and(|list| list.iter().any(|known| known == v));
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut wanted = Vec::new();
        if offers(variant) {
            wanted.push(set("UCI_Variant", variant));
        } else if variant == "chess960" && self.has("UCI_Chess960") {
            if offers("chess") {
                wanted.push(set("UCI_Variant", "chess"));
            }
            wanted.push(set("UCI_Chess960", "true"));
        } else if variant != "chess" || variants.is_some() {
            let known = match variants {
                Some(list) => format!("it offers {}", list.join(", ")),
                None => "it has no option UCI_Variant".to_owned(),
            };
            return Err(protocol(format!("the program does not play `{variant}`: {known}")));
        }
        for rule in game.info().options {
            let (option, value) = (format!("{name}.{}", rule.name), game.options().get(rule.name));
            // Programs that know the rule by this name are told; what others play is checked move by move.
            if value != rule.default() && self.has(&option) {
                wanted.push((option, value.to_owned()));
            }
        }
        for (option, value) in &spec.options {
            if !self.has(option) {
                return Err(protocol(format!("the program has no option `{option}`")));
            }
            wanted.push(set(option, value));
        }
        Ok(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_keep_the_last_full_score_of_the_first_line() {
        let mut news = News::default();
        news.read("info depth 3 seldepth 4 multipv 1 score cp 31 nodes 120 pv e2e4");
        news.read("info depth 3 multipv 2 score cp -5 nodes 140 pv d2d4");
        news.read("info depth 4 score cp 900 lowerbound nodes 180");
        news.read("info string score cp 7 nodes 1");
        news.read("info nodes many");
        assert_eq!((news.score, news.nodes), (Some(Score::centipawns(31)), 180));
        news.read("info score mate -2");
        assert_eq!(news.score, Some(Score::loss_in(4)));
        news.read("info score mate 1 nodes -9223372036854775808");
        assert_eq!((news.score, news.nodes), (Some(Score::win_in(1)), 0));
    }

    #[test]
    fn options_are_read_with_their_values() {
        let mut declared = Declared::default();
        declared.read("option name Clear Hash type button");
        declared.read("option name UCI_Variant type combo default chess var chess var magi");
        declared.read("option name");
        assert!(declared.has("clear hash") && declared.has("UCI_VARIANT"));
        assert_eq!(declared.0["uci_variant"], ["chess", "magi"]);
    }
}
