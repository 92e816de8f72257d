//! Extended Position Description (S. J. Edwards, 1994): a position and what is known of it, on one line.
//!
//! EPD leaves out a FEN's two clocks. The games here have fields of their own after the clocks, so the whole
//! FEN is written in the position's place, and the operations follow it. What is read may have the whole FEN
//! or EPD's four fields.

use engine::game::Game;

/// A position with its operations: opcode and operand, the operand without quotes.
pub type Line = (String, Vec<(String, String)>);

/// Writes a line, without a line break. Text operands are put in quotes; `operations` are (opcode, operand,
/// whether it is text).
pub fn write(fen: &str, operations: &[(&str, String, bool)]) -> String {
    let mut line = fen.to_owned();
    for (code, operand, text) in operations {
        let quote = if *text { "\"" } else { "" };
        line += &format!(" {code} {quote}{}{quote};", operand.replace(['"', '\n', '\r'], " "));
    }
    line
}

/// Reads a line: the position's FEN and the operations after it. Nothing if no position of the game stands at
/// its front. Operations are looked for after the position only, so nothing in a FEN is taken for one.
pub fn read<G: Game>(game: &G, line: &str) -> Option<Line> {
    let line = line.trim();
    let fields = game.fen(&game.start()).split(' ').count();
    // A position without operations may have fewer fields than the game's FEN, or more.
    let whole = line.split(';').next().unwrap_or_default().trim();
    for (fields, clocks) in [(whole.split_whitespace().count(), ""), (fields, ""), (4, " 0 1")] {
        let (front, rest) = split_words(line, fields);
        let fen = front.split_whitespace().collect::<Vec<_>>().join(" ") + clocks;
        if game.parse_fen(&fen).is_ok() {
            return Some((fen, operations(rest)));
        }
    }
    None
}

/// The first `count` words of a line, and what follows them.
fn split_words(line: &str, count: usize) -> (&str, &str) {
    let mut at = 0;
    for _ in 0..count {
        let rest = &line[at..];
        let start = rest.len() - rest.trim_start().len();
        let word = rest[start..].find([' ', '\t', ';']).unwrap_or(rest.len() - start);
        at += start + word;
    }
    line.split_at(at)
}

/// `code operand; code "text";`
fn operations(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t', ';']);
    while !rest.is_empty() {
        let (code, after) = rest.split_at(rest.find([' ', '\t', ';']).unwrap_or(rest.len()));
        let after = after.trim_start_matches([' ', '\t']);
        // A semicolon in quotes does not end an operation.
        let mut quoted = false;
        let end = after.find(|c: char| {
            quoted ^= c == '"';
            c == ';' && !quoted
        });
        let (operand, next) = after.split_at(end.unwrap_or(after.len()));
        let operand = operand.trim();
        let plain = operand.strip_prefix('"').and_then(|o| o.strip_suffix('"')).unwrap_or(operand);
        found.push((code.to_owned(), plain.to_owned()));
        rest = next.trim_start_matches([' ', '\t', ';']);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::games::Visitor;
    use engine::search::Playable;

    /// Reads lines of a game and gives, of each, what was found.
    struct Read<'a>(&'a [&'a str]);

    impl Visitor for Read<'_> {
        type Output = Vec<Option<Line>>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            self.0.iter().map(|line| read(&game, line)).collect()
        }
    }

    const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn one(game: &str, line: &str) -> Option<Line> {
        engine::games::with(game, [], Read(&[line])).unwrap().remove(0)
    }

    #[test]
    fn operations_come_back() {
        let operations = [("c9", "1/2-1/2".to_owned(), true), ("ce", "-5".to_owned(), false)];
        let line = write(&format!("{CHESS} 3 7"), &operations);
        assert_eq!(line, format!("{CHESS} 3 7 c9 \"1/2-1/2\"; ce -5;"));
        let (fen, found) = one("chess", &line).unwrap();
        assert_eq!(fen, format!("{CHESS} 3 7"));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(found, [pair("c9", "1/2-1/2"), pair("ce", "-5")]);
        // Four fields, as other programs write them; a semicolon within quotes; no last semicolon.
        let line = format!("{CHESS} id \"a;b\"; c9 \"1-0\"");
        let (fen, found) = one("chess", &line).unwrap();
        assert_eq!(fen, format!("{CHESS} 0 1"));
        assert_eq!(found, [pair("id", "a;b"), pair("c9", "1-0")]);
        assert_eq!(one("chess", CHESS).unwrap().1, []);
    }

    /// Half-move clock 1 and move number 2, or counters such as `1/2`, look like results and are none.
    #[test]
    fn nothing_in_a_position_is_an_operation() {
        for (game, fen) in [
            ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 1 2"),
            ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("martian-shogi", "mlbkkblm/sveppevs/8/8/8/8/SVEPPEVS/MLBKKBLM[] w 1.1.5/1.1.5/1.1.5/1.5.1 0 1"),
        ] {
            assert_eq!(one(game, fen), Some((fen.to_owned(), vec![])), "{game}");
            let (read, found) = one(game, &write(fen, &[("c9", "0-1".to_owned(), true)])).unwrap();
            assert_eq!((read.as_str(), found.len()), (fen, 1), "{game}");
        }
        assert_eq!(one("chess", "no position at all"), None);
        assert_eq!(one("chess", ""), None);
    }
}
