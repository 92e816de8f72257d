//! Pieces drawn from the rules, held against what the rules pages say of them.

use equipoise_engine::diagram::{Mark, PieceMoves, Scope, piece_moves};
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::notation::square_name;
use equipoise_engine::search::Playable;
use equipoise_engine::side::Side;

struct Pieces;

/// What the attack tables say a kind controls, for games that say so.
struct Tables(u8);

impl Visitor for Tables {
    type Output = Option<(usize, usize)>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let reach = game.reach(Side::White, self.0);
        let counts = reach.iter().map(Vec::len);
        counts.clone().min().zip(counts.max()).filter(|_| G::CAPS.captures)
    }
}

impl Visitor for Pieces {
    type Output = Vec<(char, u8, PieceMoves)>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let letters = game.info().pieces.iter().map(|p| p.letter);
        letters.zip(0..).map(|(letter, kind)| (letter, G::FILES, piece_moves(&game, kind))).collect()
    }
}

fn pieces(game: &str) -> Vec<(char, u8, PieceMoves)> {
    games::with(game, [], Pieces).unwrap()
}

/// A diagram as text: the square, whom it is for, the squares by mark.
fn texts(game: &str, letter: char) -> Vec<String> {
    let (_, files, moves) = pieces(game).into_iter().find(|(l, ..)| *l == letter).unwrap();
    let names = |squares: &[u8]| squares.iter().map(|q| square_name(*q, files)).collect::<Vec<_>>().join(" ");
    let mut texts = Vec::new();
    for diagram in &moves.diagrams {
        let scope = match &diagram.scope {
            Scope::General => String::new(),
            Scope::Squares(squares) => format!(" only {}", names(squares)),
            Scope::Unmoved(squares) => format!(" unmoved {}", names(squares)),
        };
        let mut text = format!("{}{scope}:", square_name(diagram.square, files));
        for (mark, name) in
            [(Mark::Both, "both"), (Mark::Move, "move"), (Mark::Capture, "capture"), (Mark::Swap, "swap")]
        {
            let of = diagram.marks.iter().filter(|(_, m)| **m == mark).map(|(q, _)| *q).collect::<Vec<_>>();
            if !of.is_empty() {
                text += &format!(" {name} {}", names(&of));
            }
        }
        texts.push(text);
    }
    texts
}

#[test]
fn magi_controls_what_its_inventor_counted() {
    let magi = pieces("magi");
    for (letter, low, high) in
        [('D', 6, 12), ('C', 11, 21), ('W', 5, 16), ('K', 3, 8), ('N', 2, 8), ('P', 1, 2), ('R', 18, 18)]
    {
        let moves = &magi.iter().find(|(l, ..)| *l == letter).unwrap().2;
        assert_eq!(moves.controls, Some((low, high)), "{letter}");
    }
    let start: Vec<[usize; 2]> = magi.iter().map(|(_, _, m)| m.at_start).collect();
    assert_eq!(start, [12, 1, 1, 2, 2, 2, 2, 1, 1].map(|n| [n, n]));
    let pawn = &magi[0].2;
    assert_eq!(pawn.becomes.len(), 7);
}

#[test]
fn pawns_are_drawn_with_their_first_moves() {
    let rank = |r| "abcdefgh".chars().map(|f| format!("{f}{r}")).collect::<Vec<_>>().join(" ");
    assert_eq!(
        texts("chess", 'P'),
        ["d4: move d5 capture c5 e5".to_owned(), format!("d2 only {}: move d3 d4 capture c3 e3", rank(2))]
    );
    let magi = texts("magi", 'P');
    assert_eq!(magi.len(), 3, "{magi:?}");
    assert!(magi[1].ends_with(": move e3 e4 e5 capture d3 f3"), "{magi:?}");
    assert_eq!(magi[2], "d3 unmoved d3 g3: move d4 d5 capture c4 e4");
    assert_eq!(texts("mageca", 'P').len(), 3);
    let mchess = texts("mchess", 'P');
    assert_eq!(mchess[0], "d4: move d5 swap c5 e5");
    assert_eq!(mchess[1], format!("d2 unmoved {}: move d3 d4 swap c3 e3", rank(2)));
    assert_eq!(mchess.len(), 2);
}

#[test]
fn exceptions_are_found() {
    let knight = texts("mageca", 'N');
    assert_eq!(knight.len(), 2, "{knight:?}");
    let courts = "a1 b1 i1 j1 a2 b2 i2 j2 a9 b9 i9 j9 a10 b10 i10 j10";
    assert!(knight[1].starts_with("b2 only ") || knight[1].contains(courts), "{knight:?}");
    assert!(knight[1].contains(courts) && knight[1].contains(" move "), "{knight:?}");
    let mageca = texts("mageca", 'M');
    assert_eq!(
        mageca,
        ["e5: both e1 e3 d4 f4 a5 c5 g5 i5 d6 f6 e7 e9 move c3 g3 c7 g7"],
        "the second and fourth square, the diagonal neighbours; leaps without capture"
    );
    assert_eq!(texts("martian-shogi", 'L')[0], "d4: both d1 d2 d3 c4 e4 d5 d6 d7 d8");
}

#[test]
fn every_piece_of_every_game_is_drawn() {
    let mut compared = 0;
    for info in games::ALL {
        for (kind, (letter, files, moves)) in (0..).zip(pieces(info.name)) {
            // A pawn cannot stand on every square.
            let tables = games::with(info.name, [], Tables(kind)).unwrap();
            if tables.is_some() && letter != 'P' {
                assert_eq!(moves.controls, tables, "{}: {letter}", info.name);
                compared += 1;
            }
            let first = moves.diagrams.first().unwrap_or_else(|| panic!("{}: no {letter}", info.name));
            assert_eq!(first.scope, Scope::General, "{}: {letter}", info.name);
            assert!(!first.marks.is_empty(), "{}: {letter}", info.name);
            let file = first.square % files;
            assert!(file == files / 2 || file + 1 == files / 2, "{}: {letter} at the side", info.name);
        }
    }
    assert!(compared > 20, "only {compared} kinds were compared with the tables");
}
