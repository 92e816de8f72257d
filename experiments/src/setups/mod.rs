//! Set-ups that sides choose, as a population to compare: their names, the start position of each pair, and openings
//! from them.

pub mod verdicts;

use crate::openings::identity;
use crate::random::{Domain, below, generator};
use anyhow::{Result, anyhow, bail};
use engine::game::{Game, Setups, Which};
use engine::games::ALL;
use engine::moves::Flag;
use engine::referee::{Limits, Referee};
use engine::search::Playable;
use std::collections::HashSet;

/// Most set-ups a side may have for all of them to be the population.
const LISTED: u64 = 64;
/// Attempts at a new opening before a pair's openings count as used up.
const ATTEMPTS: u64 = 1000;

/// Set-ups to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// Their names.
    pub names: Vec<String>,
    /// How each is written out; its name where that says it all.
    pub texts: Vec<String>,
    /// The start of each pair, White's set-up first; pairs that the rules bar have one too, for the comparison.
    pub starts: Vec<Vec<String>>,
    /// Whether the rules allow the pair.
    pub allowed: Vec<Vec<bool>>,
    /// Whether one side sets up after the other and sees how: then White's and Black's scores are a table of two
    /// parts. Otherwise both choose without knowing, and a pair is played with colours exchanged.
    pub sequential: bool,
}

impl Population {
    /// All set-ups of a game that lists few; of another game the `given` ones (name, text), or, if none are given,
    /// those that it has names for, and `random` drawn by `seed`, each set-up equally likely.
    ///
    /// # Errors
    /// A game whose sides do not set up apart; set-ups asked for where the game lists its own; a wrong text; fewer
    /// than two.
    pub fn of<G: Playable>(
        game: &G,
        given: &[(String, String)],
        random: u32,
        seed: u64,
    ) -> Result<Population> {
        let name = game.info().name;
        let Setups::PerSide(count) = game.setups() else {
            bail!(
                "the sides of {name} do not choose set-ups of their own; games in which they do: {}",
                with_setups()
            );
        };
        if count <= LISTED {
            if !given.is_empty() || random > 0 {
                bail!(
                    "{name} has {count} set-ups a side and all are compared; --setups and --random are for games with too many to list"
                );
            }
            return listed(game, count);
        }
        let mut chosen: Vec<(String, u64)> = Vec::new();
        for (name, text) in given {
            let number = game.setup_number(text).map_err(|e| anyhow!("set-up {name}: {e}"))?;
            chosen.push((name.clone(), number));
        }
        if given.is_empty() {
            chosen = game.named_setups();
        }
        let mut rng = generator(seed, Domain::Order, 0, 1);
        chosen.extend((1..=random).map(|i| (format!("random-{i}"), below(&mut rng, count))));
        for (i, (name, number)) in chosen.iter().enumerate() {
            if let Some((other, _)) = chosen[..i].iter().find(|(n, k)| n == name || k == number) {
                bail!("set-ups {other} and {name} are the same, or have the same name");
            }
        }
        if chosen.len() < 2 {
            bail!("{} set-up to compare; expected at least two (--setups FILE, --random N)", chosen.len());
        }
        let start = |white: u64, black: u64| {
            let state = game.setup(white, black);
            state.map(|s| game.fen(&s)).ok_or_else(|| anyhow!("{name} bars a pair of these set-ups"))
        };
        let row =
            |&(_, w): &(String, u64)| chosen.iter().map(|&(_, b)| start(w, b)).collect::<Result<Vec<_>>>();
        let starts = chosen.iter().map(row).collect::<Result<Vec<_>>>()?;
        let text = |(name, number): &(String, u64)| game.setup_text(*number).unwrap_or_else(|| name.clone());
        Ok(Population {
            texts: chosen.iter().map(text).collect(),
            allowed: vec![vec![true; chosen.len()]; chosen.len()],
            names: chosen.into_iter().map(|(name, _)| name).collect(),
            starts,
            sequential: false,
        })
    }

    /// How many set-ups there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Openings of pairs (White's, Black's set-up), one each, as [`openings_from`] draws them.
    ///
    /// # Errors
    /// No new opening can be found.
    pub fn openings<G: Playable>(
        &self,
        game: &G,
        pairs: &[(usize, usize)],
        draw: Draw<'_>,
    ) -> Result<Vec<String>> {
        let start = |&(white, black): &(usize, usize)| {
            let name = format!("{} against {}", self.names[white], self.names[black]);
            (name, self.starts[white][black].as_str())
        };
        openings_from(game, pairs.iter().map(start), draw)
    }
}

/// Openings from start positions (name, FEN), one each: random plies from the start, no position twice. Each is drawn
/// by the seed and its own number.
///
/// # Errors
/// No new opening can be found; a start that is no position.
pub fn openings_from<'a, G: Playable>(
    game: &G,
    starts: impl Iterator<Item = (String, &'a str)>,
    draw: Draw<'_>,
) -> Result<Vec<String>> {
    let Draw { plies, seed, first, seen } = draw;
    let mut fens = Vec::new();
    for (number, (name, fen)) in (first..).zip(starts) {
        let start = game.parse_fen(fen)?;
        let new = (0..ATTEMPTS).find_map(|attempt| {
            let mut rng = generator(seed, Domain::Opening, number, attempt);
            let mut referee = Referee::new(game.clone(), start.clone(), Limits::default());
            for _ in 0..plies {
                let mut list = Vec::new();
                game.generate(referee.state(), Which::All, &mut list);
                if referee.ending().is_some() || list.is_empty() {
                    return None;
                }
                referee.play(list[below(&mut rng, list.len() as u64) as usize]);
            }
            let fresh = referee.ending().is_none() && seen.insert(identity(game, referee.state()));
            fresh.then(|| game.fen(referee.state()))
        });
        let Some(fen) = new else {
            bail!("no new opening from {name} in {ATTEMPTS} attempts; play more plies, or fewer games");
        };
        fens.push(fen);
    }
    Ok(fens)
}

/// How openings are drawn.
pub struct Draw<'a> {
    /// Random plies from the start.
    pub plies: u32,
    /// The seed.
    pub seed: u64,
    /// The number of the first opening.
    pub first: u64,
    /// What positions there have been, by [`identity`].
    pub seen: &'a mut HashSet<u64>,
}

fn with_setups() -> String {
    struct PerSide;
    impl engine::games::Visitor for PerSide {
        type Output = bool;
        fn visit<G: Playable>(self, game: G) -> bool {
            matches!(game.setups(), Setups::PerSide(_))
        }
    }
    let has = |name: &&str| engine::games::with(name, [], PerSide).unwrap_or(false);
    ALL.iter().map(|info| info.name).filter(has).collect::<Vec<_>>().join(", ")
}

/// All `count` set-ups of a game.
fn listed<G: Playable>(game: &G, count: u64) -> Result<Population> {
    let fen = |white: u64, black: u64| game.setup(white, black).map(|s| game.fen(&s));
    // Some pair with White's set-up, some pair with Black's: their halves of the board make the pair itself.
    let of_white = (0..count).map(|w| (0..count).find_map(|b| fen(w, b))).collect::<Option<Vec<_>>>();
    let of_black = (0..count).map(|b| (0..count).find_map(|w| fen(w, b))).collect::<Option<Vec<_>>>();
    let (Some(of_white), Some(of_black)) = (of_white, of_black) else {
        bail!("{} has a set-up that no pair has", game.info().name);
    };
    let mut actions = Vec::new();
    game.generate(&game.start(), Which::All, &mut actions);
    let mut starts = Vec::new();
    for (w, white) in (0..).zip(&of_white) {
        let row = (0..).zip(&of_black).map(|(b, black)| match fen(w, b) {
            Some(fen) => Ok(fen),
            None => graft::<G>(white, black),
        });
        starts.push(row.collect::<Result<Vec<_>>>()?);
    }
    let allowed = (0..count).map(|w| (0..count).map(|b| fen(w, b).is_some()).collect()).collect();
    let rank = |fen: &String| fen.split([' ', '/']).nth(usize::from(G::RANKS) - 1).unwrap_or(fen).to_owned();
    let names: Vec<String> = of_white.iter().map(rank).collect();
    Ok(Population {
        texts: names.clone(),
        names,
        starts,
        allowed,
        sequential: actions.iter().any(|m| m.flag() == Flag::Arrange),
    })
}

/// The position with White's half of the board from one FEN and Black's from another, the rest of White's.
fn graft<G: Game>(white: &str, black: &str) -> Result<String> {
    let half = usize::from(G::RANKS / 2);
    let (Some((white_board, rest)), Some((black_board, _))) = (white.split_once(' '), black.split_once(' '))
    else {
        bail!("`{white}` or `{black}` is no position");
    };
    let upper = black_board.split('/').take(half);
    let ranks: Vec<&str> = upper.chain(white_board.split('/').skip(half)).collect();
    Ok(format!("{} {rest}", ranks.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::games::Visitor;

    struct Of<'a>(&'a [(String, String)], u32);

    impl Visitor for Of<'_> {
        type Output = Result<Population>;
        fn visit<G: Playable>(self, game: G) -> Result<Population> {
            let population = Population::of(&game, self.0, self.1, 3)?;
            // Every start is a position of the game, and openings from it are all different.
            let pairs: Vec<(usize, usize)> =
                (0..population.len()).flat_map(|i| (0..population.len()).map(move |j| (i, j))).collect();
            let openings = |seen: &mut HashSet<u64>| {
                population.openings(&game, &pairs, Draw { plies: 4, seed: 1, first: 1, seen })
            };
            let mut seen = HashSet::new();
            let fens = openings(&mut seen)?;
            assert_eq!(seen.len(), pairs.len());
            assert_eq!(fens, openings(&mut HashSet::new())?);
            Ok(population)
        }
    }

    fn of(game: &str, given: &[(String, String)], random: u32) -> Result<Population, String> {
        engine::games::with(game, [], Of(given, random)).unwrap().map_err(|e| e.to_string())
    }

    #[test]
    fn all_arrays_of_a_game_that_lists_them_and_which_pairs_it_bars() {
        let found = of("multi-chess", &[], 0).unwrap();
        assert!(found.sequential);
        assert_eq!(found.names[..2], ["RNBQKBNR", "RNBBKQNR"]);
        let barred = |i: usize| found.allowed[i].iter().filter(|a| !**a).count();
        assert_eq!((0..8).map(barred).sum::<usize>(), 7);
        assert!(found.allowed[0][0] && !found.allowed[3][3] && found.allowed[3][4]);
        // Barred pairs have a start too, for the comparison.
        let barred = &found.names[3];
        assert!(
            found.starts[3][3]
                .starts_with(&format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{barred} w", barred.to_lowercase()))
        );
        let (white, black) = (&found.names[2], found.names[5].to_lowercase());
        assert!(
            found.starts[2][5].starts_with(&black) && found.starts[2][5].contains(&format!("/{white} w"))
        );
        assert!(of("multi-chess", &[], 1).unwrap_err().contains("all are compared"));
    }

    #[test]
    fn set_ups_by_name_by_text_and_by_chance() {
        let found = of("mchess", &[], 2).unwrap();
        assert!(!found.sequential);
        assert_eq!(found.names, ["standard", "advanced", "shielded", "storm", "random-1", "random-2"]);
        assert_eq!(found.texts[0], "8/PPPPPPPP/RNBQKBNR");
        let own = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let two = [own("a", "8/PPPPPPPP/RNBQKBNR"), own("b", "PPPPPPPP/8/RNBQKBNR")];
        assert_eq!(of("mchess", &two, 0).unwrap().names, ["a", "b"]);
        assert!(of("mchess", &two[..1], 0).unwrap_err().contains("at least two"));
        assert!(of("mchess", &[two[0].clone(), own("c", &two[0].1)], 0).unwrap_err().contains("the same"));
        assert!(of("mchess", &[own("bad", "8/8/8")], 0).unwrap_err().contains("set-up bad: `8/8/8`"));
    }

    #[test]
    fn a_game_without_set_ups_is_told_which_have() {
        let message = of("magi", &[], 0).unwrap_err();
        assert!(message.contains("multi-chess") && message.contains("mchess"), "{message}");
    }
}
