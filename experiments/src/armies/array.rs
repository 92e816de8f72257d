//! Start arrays with pieces taken off, by way of text: what a position without a piece is, the game's own reader
//! decides.

use engine::moves::{Kind, Square};
use engine::search::Playable;
use engine::side::Side;

/// The start array as text that can be changed.
pub struct Array<'a, G: Playable> {
    game: &'a G,
    /// Placement, rank by rank from the top, a letter a square; then what follows it in its field (hands).
    board: Vec<Option<char>>,
    rest_of_field: String,
    fields: Vec<String>,
}

impl<'a, G: Playable> Array<'a, G> {
    /// The game's start array; nothing if its placement is not one letter a piece.
    pub fn of_start(game: &'a G) -> Option<Array<'a, G>> {
        let fen = game.fen(&game.start());
        let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
        let placement = fields.remove(0);
        let end = placement.find('[').unwrap_or(placement.len());
        let mut board = Vec::new();
        for rank in placement[..end].split('/') {
            let mut digits = 0;
            for c in rank.chars() {
                match c.to_digit(10) {
                    Some(digit) => digits = digits * 10 + digit as usize,
                    None if c.is_alphabetic() => {
                        board.extend(std::iter::repeat_n(None, std::mem::take(&mut digits)));
                        board.push(Some(c));
                    }
                    None => return None,
                }
            }
            board.extend(std::iter::repeat_n(None, digits));
        }
        let squares = usize::from(G::FILES) * usize::from(G::RANKS);
        let rest_of_field = placement[end..].to_owned();
        (board.len() == squares).then_some(Array { game, board, rest_of_field, fields })
    }

    /// Squares on which a side's pieces of a kind stand.
    pub fn squares(&self, side: Side, kind: Kind) -> Vec<Square> {
        let mut squares = Vec::new();
        self.game.pieces(&self.game.start(), &mut |s, k, square| {
            if s == side && k == kind {
                squares.push(square);
            }
        });
        squares
    }

    /// The array without the pieces on some squares; see [`Array::with`].
    pub fn without(&self, gone: &[Square]) -> Option<String> {
        self.with(gone, &[])
    }

    /// The array without the pieces on some squares, and with more in hand; nothing if the game knows no such
    /// position. Where the other fields of the text speak of a piece that is gone (a right to castle, a pawn's first
    /// move, the number of pieces in stock), they no longer do.
    pub fn with(&self, gone: &[Square], hands: &[(Side, Kind, usize)]) -> Option<String> {
        let (files, ranks) = (usize::from(G::FILES), usize::from(G::RANKS));
        let mut board = self.board.clone();
        let mut fields = self.fields.clone();
        for &square in gone {
            let (file, rank) = (usize::from(square) % files, usize::from(square) / files);
            board[(ranks - 1 - rank) * files + file] = None;
            let name = format!("{}{}", (b'a' + file as u8) as char, rank + 1);
            for field in &mut fields {
                *field = without_square(field, &name);
            }
        }
        let placement: Vec<String> = board.chunks(files).map(rank_text).collect();
        let placement = placement.join("/") + &self.in_hand(hands)?;
        let described = |second: Option<String>| {
            let mut fields = fields.clone();
            if let (Some(field), Some(second)) = (fields.get_mut(1), second) {
                *field = second;
            }
            let fen = format!("{placement} {}", fields.join(" "));
            self.game.parse_fen(&fen).ok().map(|state| self.game.fen(&state))
        };
        described(None).or_else(|| self.fewer_rights().into_iter().find_map(|rights| described(Some(rights))))
    }

    /// What stands behind the placement, with more pieces in hand.
    fn in_hand(&self, hands: &[(Side, Kind, usize)]) -> Option<String> {
        let mut text = self.rest_of_field.clone();
        for &(side, kind, n) in hands {
            let letter = self.game.info().pieces.get(usize::from(kind))?.letter;
            let letter = if side == Side::White { letter } else { letter.to_ascii_lowercase() };
            let end = text.len().checked_sub(1)?;
            text.insert_str(end, &letter.to_string().repeat(n));
        }
        Some(text)
    }

    /// The second field with fewer and fewer rights to castle, then without anything (`-`): what hangs on the
    /// pieces that are there the game then finds out for itself.
    fn fewer_rights(&self) -> Vec<String> {
        let rights: Vec<char> = self.fields.get(1).map(|f| f.chars().collect()).unwrap_or_default();
        let mut subsets: Vec<u32> =
            if rights.len() <= 4 { (1..1u32 << rights.len()).collect() } else { Vec::new() };
        subsets.sort_by_key(|dropped| dropped.count_ones());
        let kept = |dropped: u32| -> String {
            rights.iter().enumerate().filter(|(i, _)| dropped & (1 << i) == 0).map(|(_, c)| *c).collect()
        };
        let fewer = subsets.into_iter().map(kept).filter(|kept| !kept.is_empty());
        fewer.chain(["-".to_owned()]).collect()
    }
}

/// A list of squares without one of them: `a2b2c2` without `b2`. Other fields stay as they are.
fn without_square(field: &str, name: &str) -> String {
    let mut squares = Vec::new();
    let mut rest = field;
    while let Some(first) = rest.chars().next() {
        let end = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |at| at + 1);
        if !first.is_ascii_lowercase() || end == 1 {
            return field.to_owned();
        }
        squares.push(&rest[..end]);
        rest = &rest[end..];
    }
    squares.retain(|square| *square != name);
    if squares.is_empty() { "-".to_owned() } else { squares.concat() }
}

fn rank_text(rank: &[Option<char>]) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for square in rank {
        match square {
            Some(letter) => {
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(*letter);
            }
            None => empty += 1,
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::games::Visitor;

    struct Without(&'static [Square]);

    impl Visitor for Without {
        type Output = Option<String>;
        fn visit<G: Playable>(self, game: G) -> Option<String> {
            Array::of_start(&game)?.without(self.0)
        }
    }

    #[test]
    fn pieces_are_taken_off_with_what_hangs_on_them() {
        let without = |game: &str, gone| engine::games::with(game, [], Without(gone)).unwrap();
        assert_eq!(
            without("chess", &[0, 8]).unwrap(),
            "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/1NBQKBNR w Kkq - 0 1"
        );
        // Magi: the pawn on d3 has its first move before it; the rook on a1 could castle.
        let magi = without("magi", &[23, 0]).unwrap();
        assert!(magi.contains("/D5P2D/") && magi.contains(" w Kkq ") && magi.ends_with(" g3d8g8"), "{magi}");
        let mchess = without("mchess", &[8]).unwrap();
        assert!(mchess.contains(" b2c2d2e2f2g2h2a7"), "{mchess}");
        // No chess without a king.
        assert_eq!(without("chess", &[4]), None);
    }

    #[test]
    fn only_lists_of_squares_are_changed() {
        assert_eq!(without_square("a2b2j10", "j10"), "a2b2");
        assert_eq!(without_square("d3", "d3"), "-");
        for field in ["KQkq", "-", "0", "w", "1.1.5/1.5"] {
            assert_eq!(without_square(field, "d3"), field);
        }
    }
}
