//! Measuring a set of numbers: games from random placements, and odds games in which one side lacks a piece.

use crate::cli::tune::batch::Came;
use crate::random::{Domain, below, generator};
use crate::stats::sample::{Sample, quantile};
use anyhow::{Result, anyhow, bail};
use engine::game::Setups;
use engine::notation::square_name;
use engine::outcome::GameResult;
use engine::search::Playable;
use engine::side::Side;

/// Positions of a measurement, the same whatever the numbers are: all pieces stand at full health.
pub struct Sheet {
    /// Two a unit: a pair of placements, then the placements exchanged; first the plain units, then those of each
    /// kind of piece in turn.
    pub fens: Vec<String>,
    plain: usize,
    odds: usize,
    kinds: usize,
}

impl Sheet {
    /// `plain` units with full armies and `odds` units for each kind of piece. Seeded; another `sheet` number, other
    /// placements.
    ///
    /// # Errors
    /// A game without placements.
    pub fn draw<G: Playable>(game: &G, plain: usize, odds: usize, seed: u64, sheet: u64) -> Result<Sheet> {
        let Setups::PerSide(count) = game.setups() else {
            bail!("the sides of {} do not place their pieces", game.info().name);
        };
        let letters: Vec<char> = game.info().pieces.iter().map(|p| p.letter).collect();
        let mut rng = generator(seed, Domain::Opening, sheet, 0);
        let mut fens = Vec::new();
        for unit in 0..plain + odds * letters.len() {
            let (a, b) = (below(&mut rng, count), below(&mut rng, count));
            let pair = [(a, b), (b, a)].map(|(w, b)| game.setup(w, b).map(|state| game.fen(&state)));
            let [Some(first), Some(second)] = pair else { bail!("a pair of placements is barred") };
            if unit < plain {
                fens.extend([first, second]);
            } else {
                // The first placement's owner lacks the piece: White, then Black.
                let letter = letters[(unit - plain) / odds];
                fens.push(without(&first, letter, Side::White)?);
                fens.push(without(&second, letter, Side::Black)?);
            }
        }
        Ok(Sheet { fens, plain, odds, kinds: letters.len() })
    }

    /// What the games, in the order of the positions, say.
    pub fn measure(&self, games: &[Came]) -> Measure {
        let white = |came: &Came| match came.result {
            GameResult::Win(Side::White) => 1.0,
            GameResult::Win(Side::Black) => 0.0,
            _ => 0.5,
        };
        let (plain, odds) = games.split_at((2 * self.plain).min(games.len()));
        let pairs = |games: &[Came], f: &dyn Fn(f64, f64) -> f64| {
            Sample::of(games.chunks_exact(2).map(|pair| f(white(&pair[0]), white(&pair[1]))))
        };
        let mut lengths: Vec<f64> = plain.iter().map(|came| f64::from(came.moves)).collect();
        lengths.sort_by(f64::total_cmp);
        // The score of the full army less one half: Black's in the first game, White's in the second.
        let worth = |kind: usize| {
            let own = &odds[2 * self.odds * kind..2 * self.odds * (kind + 1)];
            pairs(own, &|first, second| (1.0 - first + second) / 2.0 - 0.5)
        };
        Measure {
            white: pairs(plain, &|first, second| (first + second) / 2.0),
            worth: (0..self.kinds).map(worth).collect(),
            unfinished: games.iter().filter(|came| came.result == GameResult::Unknown).count(),
            lengths,
        }
    }
}

/// What a set of numbers comes to.
#[derive(Clone, Debug)]
pub struct Measure {
    /// White's score, by unit.
    pub white: Sample,
    /// What having a piece of each kind is worth: the score of the side that has it against one that lacks it, less
    /// one half.
    pub worth: Vec<Sample>,
    /// Lengths in moves of the games with full armies, in ascending order.
    pub lengths: Vec<f64>,
    /// Games broken off at the move limit; they count half.
    pub unfinished: usize,
}

impl Measure {
    /// Median length in moves.
    pub fn median(&self) -> f64 {
        quantile(&self.lengths, 0.5).unwrap_or(0.0)
    }

    /// How far the numbers are from what is wanted, 0 at best: White's score in units of the margin, what a piece
    /// lacks of a worth of two hundredths, what the median exceeds the limit by in tenths of it; squares added.
    pub fn loss(&self, margin: f64, most_moves: u32) -> f64 {
        const WANTED: f64 = 0.02;
        let limit = f64::from(most_moves);
        let edge = (self.white.mean - 0.5) / margin;
        let length = ((self.median() - limit) / (0.1 * limit)).max(0.0);
        let lacking = |worth: &Sample| ((WANTED - worth.mean) / WANTED).max(0.0).powi(2);
        edge * edge
            + length * length
            + self.worth.iter().map(lacking).sum::<f64>() / self.worth.len().max(1) as f64
    }
}

/// A position without one piece: the first with `letter` (a capital) that `side` has, its own first rank first.
///
/// # Errors
/// No position, or no such piece.
fn without(fen: &str, letter: char, side: Side) -> Result<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, mover, unmoved, rest @ ..] = fields.as_slice() else { bail!("`{fen}` is no position") };
    let wanted = if side == Side::White { letter } else { letter.to_ascii_lowercase() };
    // Ranks from the top, one character a square.
    let mut ranks: Vec<Vec<char>> = board
        .split('/')
        .map(|rank| {
            let square = |c: char| c.to_digit(10).map_or(vec![c], |n| vec!['.'; n as usize]);
            rank.chars().flat_map(square).collect()
        })
        .collect();
    let last = ranks.len().saturating_sub(1);
    let order: Vec<usize> =
        if side == Side::White { (0..ranks.len()).rev().collect() } else { (0..ranks.len()).collect() };
    let found = order
        .into_iter()
        .find_map(|rank| ranks[rank].iter().position(|c| *c == wanted).map(|file| (rank, file)))
        .ok_or_else(|| anyhow!("`{fen}` has no {wanted}"))?;
    ranks[found.0][found.1] = '.';
    let square = square_name((8 * (last - found.0) + found.1) as u8, 8);
    let text: Vec<String> = ranks.iter().map(|rank| squeezed(rank)).collect();
    let unmoved = unmoved.replace(&square, "");
    let unmoved = if unmoved.is_empty() { "-" } else { &unmoved };
    Ok(format!("{} {mover} {unmoved} {}", text.join("/"), rest.join(" ")))
}

/// A rank as FEN writes it.
fn squeezed(rank: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for c in rank.iter().chain([&'/']) {
        if *c == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        if *c != '/' {
            text.push(*c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::games::Visitor;

    struct Draw(u64);

    impl Visitor for Draw {
        type Output = Sheet;
        fn visit<G: Playable>(self, game: G) -> Sheet {
            let sheet = Sheet::draw(&game, 3, 2, 7, self.0).unwrap();
            for fen in &sheet.fens {
                game.parse_fen(fen).unwrap();
            }
            sheet
        }
    }

    fn sheet(number: u64) -> Sheet {
        engine::games::with("mchess", [], Draw(number)).unwrap()
    }

    #[test]
    fn a_piece_is_taken_off_its_owners_first_rank_first() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a2b2c2d2e2f2g2h2a7b7c7d7e7f7g7h7 - 0 1 -";
        let less = |letter, side| without(fen, letter, side).unwrap();
        assert!(less('N', Side::White).starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w a2b2"));
        assert!(less('N', Side::Black).starts_with("r1bqkbnr/"));
        let pawn = less('P', Side::Black);
        assert!(pawn.starts_with("rnbqkbnr/1ppppppp/8/") && pawn.contains(" a2b2c2d2e2f2g2h2b7c7"), "{pawn}");
        assert!(without("8/8/8/8/8/8/8/K6k w - - 0 1 -", 'Q', Side::White).is_err());
    }

    #[test]
    fn a_sheet_is_seeded_and_each_unit_is_a_pair_exchanged() {
        let (one, other) = (sheet(1), sheet(2));
        assert_eq!(one.fens, sheet(1).fens);
        assert_ne!(one.fens, other.fens);
        assert_eq!(one.fens.len(), 2 * (3 + 2 * 6));
        let pieces = |fen: &String| {
            fen.split(' ').next().unwrap_or("").chars().filter(char::is_ascii_alphabetic).count()
        };
        assert!(one.fens[..6].iter().all(|fen| pieces(fen) == 32));
        assert!(one.fens[6..].iter().all(|fen| pieces(fen) == 31));
        // Turned over rank by rank and recoloured, the second position of a unit is the first.
        for pair in one.fens.chunks(2) {
            let board = |fen: &String| fen.split(' ').next().unwrap_or("").to_owned();
            let ranks: Vec<String> = board(&pair[1]).split('/').rev().map(str::to_owned).collect();
            let swap = |c: char| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            };
            assert_eq!(board(&pair[0]), ranks.join("/").chars().map(swap).collect::<String>());
        }
    }

    /// White wins every plain game in 30 moves; the side that lacks a piece loses, but that with one pawn less wins.
    #[test]
    fn games_are_measured() {
        let sheet = sheet(1);
        let (white, black) = (GameResult::Win(Side::White), GameResult::Win(Side::Black));
        let mut games: Vec<Came> = (0..6).map(|i| Came { result: white, moves: 28 + i }).collect();
        for kind in 0..6 {
            for _ in 0..2 {
                let full = if kind == 0 { [white, black] } else { [black, white] };
                games.extend(full.map(|result| Came { result, moves: 99 }));
            }
        }
        let found = sheet.measure(&games);
        assert_eq!((found.white.n, found.white.mean, found.median()), (3, 1.0, 30.5));
        let worth: Vec<f64> = found.worth.iter().map(|w| w.mean).collect();
        assert_eq!(worth, [-0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
        // 25 margins off, 5 limits of 30 in excess 0.5 moves, and a pawn 26 times a fiftieth short.
        let loss = found.loss(0.02, 30);
        assert!((loss - (625.0 + (0.5_f64 / 3.0).powi(2) + 676.0 / 6.0)).abs() < 1e-9, "{loss}");
    }
}
