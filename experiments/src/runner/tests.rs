//! The runner with players that misbehave on command.

use super::*;
use crate::experiment::{self, PlayerSpec};
use crate::log::Shard;
use crate::players::{BuiltIn, Fault, Player, Thought};
use crate::session;
use crate::verify::Verifier;
use engine::games::Visitor;
use engine::outcome::{GameResult, Termination};
use engine::referee::Referee;
use std::path::Path;
use tempfile::tempdir;

const TEXT: &str = "name = \"t\"\ngame = \"chess\"\nseed = 1\ngames = 6\nmove_limit = 20\n\
    [openings]\nmethod = \"random\"\nplies = 4\n[[player]]\nname = \"p\"\nkind = \"random\"\n";

/// Plays like the player it wraps until the ply at which it does what it was told to, in games of whose seeds
/// the second bit is set (the first tells White's player from Black's).
struct Moody<G: Playable> {
    inner: Box<dyn Player<G>>,
    mood: Mood,
    moody: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Panics,
    GivesUp,
}

impl<G: Playable> Player<G> for Moody<G> {
    fn new_game(&mut self, seed: u64) {
        self.moody = seed & 2 == 2;
        self.inner.new_game(seed);
    }

    fn think(&mut self, referee: &Referee<G>) -> Result<Thought, Fault> {
        if self.moody && referee.game().clocks(referee.state()).1 == 6 {
            match self.mood {
                Mood::Panics => panic!("a player that panics on command"),
                Mood::GivesUp => {
                    return Err(Fault { termination: Termination::FaultHang, text: "it sleeps".to_owned() });
                }
            }
        }
        self.inner.think(referee)
    }
}

struct MoodyFactory(Mood);

impl<G: Playable> Factory<G> for MoodyFactory {
    fn make(&self, game: &G, spec: &PlayerSpec) -> Result<Box<dyn Player<G>>> {
        let inner = BuiltIn::default().make(game, spec)?;
        Ok(Box::new(Moody { inner, mood: self.0, moody: false }))
    }
}

struct Play<'a> {
    manifest: &'a Manifest,
    dir: &'a Path,
    mood: Mood,
    threads: usize,
}

impl Visitor for Play<'_> {
    type Output = Vec<(GameResult, Termination, u32)>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let folder = Folder::take(self.dir).unwrap();
        let interrupted = AtomicBool::new(false);
        let settings = Settings { threads: self.threads, interrupted: &interrupted };
        let outcome = run(&game, self.manifest, &folder, &MoodyFactory(self.mood), &settings).unwrap();
        assert_eq!(outcome.played_units, 6);
        let mut reader = LogReader::open(self.dir, 1).unwrap();
        let mut verifier = Verifier::new(&game, self.manifest).unwrap();
        let mut endings = Vec::new();
        while let Some(unit) = verifier.next(&mut reader).unwrap() {
            endings.extend(unit.games.iter().map(|(g, _, _)| (g.result, g.termination, g.plies)));
        }
        endings
    }
}

fn endings(mood: Mood, threads: usize) -> (Vec<(GameResult, Termination, u32)>, Vec<u8>) {
    let experiment = experiment::read("t.toml", TEXT, Path::new(".")).unwrap();
    let manifest = session::manifest(&experiment, Shard::WHOLE, false).unwrap();
    let dir = tempdir().unwrap();
    let play = Play { manifest: &manifest, dir: dir.path(), mood, threads };
    let endings = engine::games::with("chess", [], play).unwrap();
    (endings, std::fs::read(dir.path().join("games.csv")).unwrap())
}

#[test]
fn a_panic_ends_its_game_and_no_other() {
    let (found, bytes) = endings(Mood::Panics, 2);
    assert_eq!(found.len(), 6);
    let crashed: Vec<_> = found.iter().filter(|(_, t, _)| *t == Termination::FaultCrash).collect();
    assert!(!crashed.is_empty() && crashed.len() < 6, "{found:?}");
    // A fault is never a draw, and what was played before it stands.
    assert!(crashed.iter().all(|(result, _, plies)| *result == GameResult::Unknown && *plies >= 10));
    assert!(bytes == endings(Mood::Panics, 1).1);
}

#[test]
fn faults_are_told_apart() {
    let (found, _) = endings(Mood::GivesUp, 1);
    assert!(found.iter().any(|(r, t, _)| *t == Termination::FaultHang && *r == GameResult::Unknown));
    assert!(found.iter().all(|(_, t, _)| *t != Termination::FaultCrash));
}

/// Openings: distinct, the same for every shard and resume, and the units of shards together are all.
#[test]
fn openings_are_distinct_and_shards_complete() {
    struct Draw;
    impl Visitor for Draw {
        type Output = ();
        fn visit<G: Playable>(self, game: G) {
            let text = TEXT.replace("plies = 4", "plies = 1").replace("games = 6", "games = 20");
            let experiment = experiment::read("t.toml", &text, Path::new(".")).unwrap();
            let draw = || {
                let mut source = Source::new(game.clone(), &experiment).unwrap();
                (0..20).map(|_| source.draw().unwrap().moves[0]).collect::<Vec<_>>()
            };
            let moves = draw();
            // Chess has 20 first moves: all of them, each once, by redrawing alone.
            let mut sorted = moves.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), 20);
            assert_eq!(moves, draw());
        }
    }
    engine::games::with("chess", [], Draw).unwrap();
    for unit in 1..100 {
        let owners = (1..=7).filter(|&index| Shard { index, count: 7 }.has(unit)).count();
        assert_eq!(owners, 1);
    }
}

#[test]
fn unit_counts_of_shards_add_up() {
    let experiment = experiment::read("t.toml", TEXT, Path::new(".")).unwrap();
    let whole = session::manifest(&experiment, Shard::WHOLE, false).unwrap();
    for count in 1..9 {
        let of = |index| units_of(&Manifest { shard: Shard { index, count }, ..whole.clone() });
        assert_eq!((1..=count).map(of).sum::<u64>(), 6, "{count} shards");
    }
}
