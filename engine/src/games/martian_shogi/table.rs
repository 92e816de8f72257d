//! The move table: data that a designer swaps without touching code.

use super::kinds::{KINDS, PIECES};
use crate::board::army::{ANY, Distances, Shape};
use crate::options::{Free, nearest};

/// The reconstructed table, as text.
const RECONSTRUCTED: &str = include_str!("../../../../data/martian-shogi/moves.toml");
/// Another reading of what is lost, as text.
const CAUTIOUS: &str = include_str!("../../../../data/martian-shogi/moves-cautious.toml");

/// Option `move_table` takes a table of one's own.
pub(super) const FREE: Free = Free {
    form: "a table of one's own on one line (12 groups of five signs joined by -, as F S B DF DB)",
    check: |value, _| MoveTable::from_option(value).map(|t| t.option_value()).map_err(|e| e.to_string()),
    read: |text| MoveTable::parse(text).map(|t| t.option_value()).map_err(|e| e.to_string()),
};

/// The five directions of the table: name, and which of the eight of a [`Shape`] (clockwise from straight
/// forward) it stands for.
const DIRECTIONS: [(&str, &[usize]); 5] =
    [("F", &[0]), ("S", &[2, 6]), ("B", &[4]), ("DF", &[1, 7]), ("DB", &[3, 5])];

/// Why a text is no move table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// Not TOML.
    #[error("the move table is not TOML: {0}")]
    Toml(String),
    /// Something besides the table `moves` at the top level, or no such table.
    #[error("the move table has {0}; expected one table `[moves]` with a line a piece")]
    Outline(String),
    /// A piece that the game does not have.
    #[error("the move table names `{name}`{}; the pieces are {}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default(), piece_names())]
    UnknownPiece {
        /// What was read.
        name: String,
        /// The nearest piece, if one is near.
        nearest: Option<String>,
    },
    /// A piece without a line.
    #[error("the move table has no line for the {0}")]
    MissingPiece(&'static str),
    /// A piece whose entry is not a table of directions, or that can go nowhere.
    #[error(
        "the move table's {piece} is {problem}; expected directions with distances, as {{ F = \"1\", DB = \"*\" }}"
    )]
    Piece {
        /// The piece.
        piece: &'static str,
        /// What was read.
        problem: String,
    },
    /// A table on one line that is none.
    #[error(
        "`{0}` is no move table on one line; expected 12 groups joined by -, each of five signs (F, S, B, DF, DB), 0 to 7 or *"
    )]
    Line(String),
    /// A direction that does not exist.
    #[error("the move table's {piece} goes `{direction}`; the directions are F, S, B, DF, DB")]
    UnknownDirection {
        /// The piece.
        piece: &'static str,
        /// What was read.
        direction: String,
    },
    /// A distance that cannot be.
    #[error(
        "the move table's {piece} goes {direction} by {distance}; expected \"1\" to \"7\", or \"*\" for any distance"
    )]
    Distance {
        /// The piece.
        piece: &'static str,
        /// The direction.
        direction: &'static str,
        /// What was read.
        distance: String,
    },
}

fn piece_names() -> String {
    PIECES.map(|p| p.name).join(", ")
}

/// How the twelve kinds move.
#[derive(Clone, Debug)]
pub struct MoveTable {
    shapes: [Shape; KINDS],
}

impl MoveTable {
    /// The table rebuilt from the inventor's text.
    pub fn reconstructed() -> MoveTable {
        MoveTable::parse(RECONSTRUCTED).expect("the embedded table is read by a test")
    }

    /// The table in which what no sentence of his text asks for is one step.
    pub fn cautious() -> MoveTable {
        MoveTable::parse(CAUTIOUS).expect("the embedded table is read by a test")
    }

    /// Reads a table as in `data/martian-shogi/moves.toml`: every piece once, known directions and
    /// distances only.
    pub fn parse(text: &str) -> Result<MoveTable, TableError> {
        let root: toml::Table = text.parse().map_err(|e: toml::de::Error| TableError::Toml(e.to_string()))?;
        if let Some(name) = root.keys().find(|key| *key != "moves") {
            return Err(TableError::Outline(format!("`{name}` at its top level")));
        }
        let moves = match root.get("moves") {
            Some(toml::Value::Table(moves)) => moves,
            Some(other) => return Err(TableError::Outline(format!("`moves` = `{other}`"))),
            None => return Err(TableError::Outline("no `moves`".to_owned())),
        };
        if let Some(name) = moves.keys().find(|name| PIECES.iter().all(|p| p.name != *name)) {
            let nearest = nearest(name, PIECES.iter().map(|p| p.name));
            return Err(TableError::UnknownPiece { name: name.clone(), nearest });
        }
        let mut shapes = [Shape::NONE; KINDS];
        for (shape, piece) in shapes.iter_mut().zip(PIECES) {
            let value = moves.get(piece.name).ok_or(TableError::MissingPiece(piece.name))?;
            *shape = parse_piece(piece.name, value)?;
        }
        Ok(MoveTable { shapes })
    }

    /// The table that a value of option `move_table` stands for: a name, or its one-line form.
    pub(super) fn from_option(value: &str) -> Result<MoveTable, TableError> {
        match value {
            "reconstructed" => return Ok(MoveTable::reconstructed()),
            "cautious" => return Ok(MoveTable::cautious()),
            _ => {}
        }
        let wrong = || TableError::Line(value.to_owned());
        let groups: Vec<&str> = value.split('-').collect();
        if groups.len() != KINDS {
            return Err(wrong());
        }
        let mut shapes = [Shape::NONE; KINDS];
        for (shape, group) in shapes.iter_mut().zip(groups) {
            let signs: Vec<char> = group.chars().collect();
            if signs.len() != DIRECTIONS.len() || signs.iter().all(|sign| *sign == '0') {
                return Err(wrong());
            }
            for (sign, (_, slides)) in signs.iter().zip(DIRECTIONS) {
                let distances = match sign {
                    '0' => 0,
                    sign => parse_distance(&sign.to_string()).ok_or_else(wrong)?,
                };
                for &slide in slides {
                    shape.slides[slide] = distances;
                }
            }
            shape.colour_bound = !shape.has_rook();
        }
        Ok(MoveTable { shapes })
    }

    /// The table as option `move_table` has it: its name if it has one, else a line of five signs a piece.
    pub(super) fn option_value(&self) -> String {
        let line = |table: &MoveTable| {
            let sign = |shape: &Shape, slide: usize| match shape.slides[slide] {
                0 => '0',
                ANY => '*',
                // Up to n steps is bits 1 to n.
                bits => char::from(b'0' + bits.count_ones() as u8),
            };
            let group =
                |shape: &Shape| -> String { DIRECTIONS.iter().map(|(_, s)| sign(shape, s[0])).collect() };
            table.shapes.iter().map(group).collect::<Vec<_>>().join("-")
        };
        let own = line(self);
        let named = [("reconstructed", MoveTable::reconstructed()), ("cautious", MoveTable::cautious())];
        named.iter().find(|(_, table)| line(table) == own).map_or(own, |(name, _)| (*name).to_owned())
    }

    /// The shapes, in order of kind.
    pub fn shapes(&self) -> &[Shape; KINDS] {
        &self.shapes
    }
}

fn parse_piece(piece: &'static str, value: &toml::Value) -> Result<Shape, TableError> {
    let Some(directions) = value.as_table() else {
        return Err(TableError::Piece { piece, problem: format!("`{value}`") });
    };
    if directions.is_empty() {
        return Err(TableError::Piece { piece, problem: "without any direction".to_owned() });
    }
    let mut shape = Shape::NONE;
    for (name, value) in directions {
        let Some((direction, slides)) = DIRECTIONS.into_iter().find(|(d, _)| d == name) else {
            return Err(TableError::UnknownDirection { piece, direction: name.clone() });
        };
        let distances = value.as_str().and_then(parse_distance);
        let distances = distances.ok_or_else(|| TableError::Distance {
            piece,
            direction,
            distance: value.to_string(),
        })?;
        for &slide in slides {
            shape.slides[slide] = distances;
        }
    }
    // A kind that only ever goes along a diagonal keeps its square colour.
    shape.colour_bound = !shape.has_rook();
    Ok(shape)
}

fn parse_distance(text: &str) -> Option<Distances> {
    match text {
        "*" => Some(ANY),
        _ => match text.as_bytes() {
            // Up to so many steps: bits 1 to n.
            [digit @ b'1'..=b'7'] => Some((2 << (digit - b'0')) - 2),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::army::ONE;

    /// The reconstructed table with one text in it replaced.
    fn changed(from: &str, to: &str) -> Result<MoveTable, TableError> {
        assert!(RECONSTRUCTED.contains(from));
        MoveTable::parse(&RECONSTRUCTED.replace(from, to))
    }

    fn refusal(from: &str, to: &str) -> String {
        changed(from, to).map_or_else(|e| e.to_string(), |_| "read".to_owned())
    }

    #[test]
    fn the_embedded_table_is_the_one_of_the_rules() {
        let shapes = *MoveTable::reconstructed().shapes();
        // F, DF, S, DB, B as distances, by kind; 9 is any.
        let rows: [[u16; 5]; KINDS] = [
            [9, 9, 1, 1, 1],
            [9, 1, 9, 1, 9],
            [1, 9, 1, 9, 1],
            [9, 9, 9, 9, 9],
            [1, 1, 1, 1, 1],
            [9, 0, 1, 0, 9],
            [0, 9, 0, 9, 0],
            [9, 0, 9, 0, 9],
            [1, 1, 0, 0, 0],
            [1, 0, 0, 0, 0],
            [0, 9, 0, 0, 0],
            [9, 0, 0, 0, 0],
        ];
        let distance = |n| match n {
            0 => 0,
            1 => ONE,
            _ => ANY,
        };
        for ((row, shape), piece) in rows.iter().zip(shapes).zip(PIECES) {
            let [f, df, s, db, b] = row.map(distance);
            assert_eq!(shape.slides, [f, df, s, db, b, db, s, df], "{}", piece.name);
            assert!(shape.leaps.is_empty() && shape.quiet_leaps.is_empty());
            assert_eq!(shape.colour_bound, matches!(piece.letter, 'B' | 'V'), "{}", piece.name);
        }
    }

    #[test]
    fn the_cautious_table_differs_in_two_entries() {
        let (all, cautious) = (MoveTable::reconstructed(), MoveTable::cautious());
        let mut differing = Vec::new();
        for (kind, piece) in PIECES.iter().enumerate() {
            for (name, slides) in DIRECTIONS {
                let distances = |table: &MoveTable| table.shapes[kind].slides[slides[0]];
                if distances(&all) != distances(&cautious) {
                    differing.push(format!("{} {name}", piece.name));
                    assert_eq!((distances(&all), distances(&cautious)), (ANY, ONE));
                }
            }
        }
        assert_eq!(differing, ["general DF", "lancer B"]);
    }

    #[test]
    fn a_table_on_one_line_comes_back() -> Result<(), TableError> {
        assert_eq!(MoveTable::reconstructed().option_value(), "reconstructed");
        assert_eq!(MoveTable::cautious().option_value(), "cautious");
        let table = changed("peasant   = { F = \"1\" }", "peasant = { F = \"3\", B = \"7\" }")?;
        let line = table.option_value();
        assert!(line.starts_with("*11*1-") && line.contains("-30700-"), "{line}");
        assert_eq!(
            MoveTable::from_option(&line)?.shapes().map(|s| s.slides),
            table.shapes().map(|s| s.slides)
        );
        for wrong in ["", "1", &line[1..], &line.replace("-30700-", "-00000-"), &line.replace('3', "8")] {
            assert_eq!(MoveTable::from_option(wrong).err(), Some(TableError::Line(wrong.to_owned())));
        }
        Ok(())
    }

    #[test]
    fn a_designer_may_give_any_distance() -> Result<(), TableError> {
        let table = changed("peasant   = { F = \"1\" }", "peasant = { F = \"3\", B = \"7\" }")?;
        assert_eq!(table.shapes()[9].slides, [0b1110, 0, 0, 0, 0b1111_1110, 0, 0, 0]);
        Ok(())
    }

    #[test]
    fn faulty_tables_are_refused_by_piece_and_direction() {
        let peasant = "peasant   = { F = \"1\" }";
        for distance in ["\"0\"", "\"8\"", "\"11\"", "\"\"", "\"**\"", "1", "true"] {
            let text = refusal(peasant, &format!("peasant = {{ F = {distance} }}"));
            assert!(text.starts_with(&format!("the move table's peasant goes F by {distance};")), "{text}");
        }
        assert_eq!(
            refusal(peasant, "peasant = { FD = \"1\" }"),
            "the move table's peasant goes `FD`; the directions are F, S, B, DF, DB"
        );
        assert!(refusal(peasant, "peasant = { f = \"1\" }").contains("peasant goes `f`"));
        assert!(refusal(peasant, "peasant = {}").contains("peasant is without any direction"));
        assert!(refusal(peasant, "peasant = \"F\"").contains("peasant is `\"F\"`"));
        assert!(refusal(peasant, "").contains("no line for the peasant"));
        assert!(
            refusal(peasant, "pesant = { F = \"1\" }").contains("`pesant` (did you mean `peasant`?)"),
            "a misspelt piece"
        );
        // The same piece twice, or a word for a sign, is no TOML.
        assert!(refusal(peasant, &format!("{peasant}\n{peasant}")).contains("not TOML"));
        assert!(refusal(peasant, "peasant : { F = \"1\" }").contains("not TOML"));
        assert!(refusal("[moves]", "[move]").contains("`move` at its top level"));
        assert!(refusal("[moves]", "drops = true\n[moves]").contains("`drops` at its top level"));
        assert_eq!(
            MoveTable::parse("").err(),
            Some(TableError::Outline("no `moves`".to_owned())),
            "an empty text"
        );
    }
}
