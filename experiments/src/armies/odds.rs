//! Odds written out, and the start arrays they make.

use super::Array;
use anyhow::{Result, anyhow, bail};
use engine::game::Game;
use engine::moves::{Kind, Square};
use engine::search::Playable;
use engine::side::Side;

/// Start arrays that each odds are played from with either colour ahead: every piece of a kind has its turn to be
/// the one that is missing.
const ARRAYS: usize = 12;

/// A kind of piece, on the board or in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its kind.
    pub kind: Kind,
    /// Whether it is in hand.
    pub in_hand: bool,
}

/// Pieces with how many there are: `M`, `3P`, `Q2R`, `@S` (in hand).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces(pub Vec<(Piece, usize)>);

impl Pieces {
    /// Reads a list of pieces by the letters of `game`.
    ///
    /// # Errors
    /// What is no piece of the game.
    pub fn parse<G: Game>(game: &G, text: &str) -> Result<Pieces> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = &rest[..rest.len() - letters.len()];
            let count = if digits.is_empty() { Ok(1) } else { digits.parse() };
            let count = count.ok().filter(|n| (1..=99).contains(n));
            let count =
                count.ok_or_else(|| anyhow!("`{text}`: expected a number from 1 to 99 for `{digits}`"))?;
            let letter = letters.strip_prefix('@').unwrap_or(letters);
            let in_hand = letter.len() < letters.len();
            let known = game.info().pieces;
            let kind = letter.chars().next().and_then(|c| known.iter().position(|p| p.letter == c));
            let Some(kind) = kind else {
                let known: String = known.iter().map(|p| p.letter).collect();
                let name = game.info().name;
                bail!("`{text}`: expected a piece of {name} ({known}) at `{letter}`, such as M or 3P");
            };
            if in_hand && !G::CAPS.drops {
                bail!("`{text}`: {} has no pieces in hand", game.info().name);
            }
            pieces.push((Piece { kind: kind as Kind, in_hand }, count));
            rest = &letter[1..];
        }
        Ok(Pieces(pieces))
    }

    fn on_board(&self) -> impl Iterator<Item = (Kind, usize)> + '_ {
        self.0.iter().filter(|(piece, _)| !piece.in_hand).map(|&(piece, n)| (piece.kind, n))
    }

    fn in_hand(&self, side: Side) -> impl Iterator<Item = (Side, Kind, usize)> + '_ {
        self.0.iter().filter(|(piece, _)| piece.in_hand).map(move |&(piece, n)| (side, piece.kind, n))
    }
}

/// What one side has over the other, for what the other has over it: `P`, `M-N`, `Q-2R`, `@S-S`. A piece on the
/// board is had over the other side by the other's being without it, one in hand by having it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    over: Pieces,
    under: Pieces,
}

impl Odds {
    /// Reads odds by the letters of `game`.
    ///
    /// # Errors
    /// What is no piece of the game.
    pub fn parse<G: Game>(game: &G, text: &str) -> Result<Odds> {
        let (over, under) = text.split_once('-').unwrap_or((text, ""));
        let odds = Odds { over: Pieces::parse(game, over)?, under: Pieces::parse(game, under)? };
        if odds.over == odds.under {
            bail!("`{text}`: expected what one side has over the other, such as P or M-N");
        }
        Ok(odds)
    }

    /// The start arrays of these odds, each side being ahead in half of them; from both sides `thinned` is taken
    /// first.
    ///
    /// # Errors
    /// More pieces of a kind than the array has; no position of the game.
    pub fn arrays<G: Playable>(
        &self,
        game: &G,
        array: &Array<'_, G>,
        thinned: &Pieces,
    ) -> Result<Vec<String>> {
        let mut fens = Vec::new();
        for number in 0..ARRAYS {
            for ahead in Side::BOTH {
                let mut gone = Vec::new();
                for (side, lacks) in [(ahead, &self.under), (ahead.other(), &self.over)] {
                    take(game, array, side, thinned, number, &mut gone)?;
                    take(game, array, side, lacks, number, &mut gone)?;
                }
                let hands = self.over.in_hand(ahead).chain(self.under.in_hand(ahead.other()));
                let fen = array.with(&gone, &hands.collect::<Vec<_>>());
                let state = fen.as_ref().and_then(|fen| game.parse_fen(fen).ok());
                match (fen, state) {
                    (Some(fen), Some(state)) if game.ending(&state).is_none() => fens.push(fen),
                    _ => bail!("a start array without these pieces is no position of {}", game.info().name),
                }
            }
        }
        Ok(fens)
    }
}

/// Marks pieces of a side as gone: another choice for each `number`, evenly spread over what is there.
fn take<G: Playable>(
    game: &G,
    array: &Array<'_, G>,
    side: Side,
    pieces: &Pieces,
    number: usize,
    gone: &mut Vec<Square>,
) -> Result<()> {
    for (kind, n) in pieces.on_board() {
        let there: Vec<Square> =
            array.squares(side, kind).into_iter().filter(|square| !gone.contains(square)).collect();
        if n > there.len() {
            let letter = game.info().pieces[usize::from(kind)].letter;
            bail!("{n}{letter} is more than a side has there ({})", there.len());
        }
        gone.extend((0..n).map(|i| there[(number + i * there.len() / n) % there.len()]));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::games::Visitor;

    struct Make<'a>(&'a str, &'a str);

    impl Visitor for Make<'_> {
        type Output = Result<Vec<String>>;
        fn visit<G: Playable>(self, game: G) -> Result<Vec<String>> {
            let array = Array::of_start(&game).unwrap();
            Odds::parse(&game, self.0)?.arrays(&game, &array, &Pieces::parse(&game, self.1)?)
        }
    }

    fn make(game: &str, odds: &str, thinned: &str) -> Result<Vec<String>> {
        engine::games::with(game, [], Make(odds, thinned)).unwrap()
    }

    #[test]
    fn either_side_is_ahead_in_half_of_the_arrays() {
        let fens = make("chess", "B-N", "").unwrap();
        assert_eq!(fens.len(), 2 * ARRAYS);
        assert_eq!(fens[0], "rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1");
        assert_eq!(fens[1], "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1QKBNR w KQkq - 0 1");
        let pawns = make("chess", "3P", "").unwrap();
        assert_eq!(pawns[0], "rnbqkbnr/1p1pp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_ne!(pawns[0], pawns[2]);
    }

    #[test]
    fn thinned_armies_and_hands() {
        let fens = make("chess", "P", "Q2R2B2N").unwrap();
        assert_eq!(fens[0], "4k3/1ppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        // The stash has what was taken off.
        let fens = make("martian-shogi", "V-S", "").unwrap();
        assert_eq!(fens[0], "mlbkkblm/s1eppevs/8/8/8/8/1VEPPEVS/MLBKKBLM[] w 1.1.5/1.1.5/2.1.5/2.5.1 0 1");
        let fens = make("martian-shogi", "@S-S", "").unwrap();
        assert_eq!(fens[0], "mlbkkblm/sveppevs/8/8/8/8/1VEPPEVS/MLBKKBLM[S] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1");
        assert_eq!(fens[1], "mlbkkblm/1veppevs/8/8/8/8/SVEPPEVS/MLBKKBLM[s] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1");
        assert!(make("mchess", "K-R", "").unwrap()[0].starts_with("rnbq1bnr/pppppppp/8"));
    }

    #[test]
    fn what_cannot_be_is_refused_in_one_line() {
        let error = |game, odds, thinned| format!("{:#}", make(game, odds, thinned).unwrap_err());
        assert_eq!(
            error("chess", "M", ""),
            "`M`: expected a piece of chess (PKQRBN) at `M`, such as M or 3P"
        );
        assert_eq!(error("chess", "3N", ""), "3N is more than a side has there (2)");
        assert_eq!(error("chess", "N", "2N"), "1N is more than a side has there (0)");
        assert_eq!(error("chess", "@N", ""), "`@N`: chess has no pieces in hand");
        assert_eq!(error("chess", "K", ""), "a start array without these pieces is no position of chess");
        for odds in ["", "-", "P-P"] {
            assert!(
                error("chess", odds, "")
                    .ends_with("expected what one side has over the other, such as P or M-N")
            );
        }
        for odds in ["0P", "100P", "P-é", "9", "@", "P-R-N"] {
            let error = error("chess", odds, "");
            assert!(error.contains(": expected a ") && !error.contains('\n'), "{error}");
        }
    }
}
