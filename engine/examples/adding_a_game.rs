//! The sixth game: Ralph Betza's Almost Chess, chess with a chancellor (rook and knight in one) in place of
//! the queen. `docs/adding-a-game.md` walks through it; a test here holds the page against this file.
//!
//! In the engine this would be `engine/src/games/almost.rs`, with `crate::` for `equipoise_engine::`.

use equipoise_engine::board::army::{ANY, KNIGHT, Pieces, Shape, tables8};
use equipoise_engine::board::{Board8, Geometry, Reach};
use equipoise_engine::game::{Game, Info, PieceInfo};
use equipoise_engine::games::royal::{Castling, KING, Royal, Variant};
use equipoise_engine::moves::Kind;
use equipoise_engine::notation::draw;
use equipoise_engine::notation::pgn::{PgnGame, write_pgn};
use equipoise_engine::options::{OptionSpec, Options, Provenance};
use equipoise_engine::outcome::GameResult;
use equipoise_engine::perft::perft;
use equipoise_engine::referee::{Limits as GameLimits, Referee};
use equipoise_engine::search::{Limits, Params, Searcher};

/// What Almost Chess is.
pub static INFO: Info = Info {
    name: "almost-chess",
    title: "Almost Chess",
    inventor: "Ralph Betza, 1977",
    summary: "chess with a chancellor in place of the queen",
    pieces: &[
        PieceInfo { letter: 'P', name: "pawn", doc: "As in chess." },
        PieceInfo { letter: 'K', name: "king", doc: "As in chess." },
        PieceInfo { letter: 'C', name: "chancellor", doc: "As a rook, or leaps as a knight." },
        PieceInfo { letter: 'R', name: "rook", doc: "Any distance along rank or file." },
        PieceInfo { letter: 'B', name: "bishop", doc: "Any distance along a diagonal." },
        PieceInfo { letter: 'N', name: "knight", doc: "Leaps two squares one way and one the other." },
    ],
    a1_dark: true,
    options: &[PROMOTE_TO_CHANCELLOR],
    reconstructed: &[],
};

const PROMOTE_TO_CHANCELLOR: OptionSpec = OptionSpec {
    name: "promote_to_chancellor",
    values: &["true", "false"],
    provenance: Provenance::Choice,
    free: None,
    doc: "A pawn may become a chancellor.",
};

/// The army.
#[derive(Clone, Copy, Default, Debug)]
pub struct AlmostPieces;

const CHANCELLOR: Kind = 2;

const SHAPES: [Shape; 6] = [
    Shape::NONE,
    Shape { leaps: &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)], ..Shape::NONE },
    Shape { leaps: KNIGHT, ..Shape::rider(ANY, 0) },
    Shape::rider(ANY, 0),
    Shape { colour_bound: true, ..Shape::rider(0, ANY) },
    Shape { leaps: KNIGHT, ..Shape::NONE },
];

static TABLES: [[Reach<u64>; 64]; 6] = tables8(&SHAPES);

impl Pieces for AlmostPieces {
    type G = Board8;
    const SHAPES: &'static [Shape] = &SHAPES;
    const TABLES: &'static [<Board8 as Geometry>::Table] = &TABLES;
}

/// The rules, with the options resolved.
#[derive(Clone, Debug)]
pub struct AlmostRules {
    promote_to_chancellor: bool,
}

impl Variant for AlmostRules {
    type G = Board8;
    type P = AlmostPieces;
    type Sets = [u64; 6];

    const INFO: &'static Info = &INFO;
    const START: &'static str = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1";
    const PAWN_REACH: u8 = 2;
    const CASTLING: Castling = Castling { king_to: [6, 2], rook_to: [5, 3], king_from: Some(4) };
    const LONE_PIECES_DRAW: &'static [Kind] = &[4, 5];
    const VALUES: &'static [i32] = &[100, 0, 850, 525, 350, 325];

    equipoise_engine::compiled_search!(Royal<Self>);

    fn new(options: &Options) -> Self {
        AlmostRules { promote_to_chancellor: options.is_true("promote_to_chancellor") }
    }

    fn passed_squares(&self, steps: u8, _landing: u8, _first_move: bool) -> u8 {
        (steps == 2) as u8
    }

    fn promotes_to(&self, kind: Kind) -> bool {
        kind > KING && (kind != CHANCELLOR || self.promote_to_chancellor)
    }

    fn dead_positions(&self) -> bool {
        true
    }
}

/// A game with these options.
pub fn build(options: Options) -> Royal<AlmostRules> {
    Royal::new(options)
}

/// Shows the game, and a short game of the search against itself: nothing here is written for this game.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = build(Options::resolve(INFO.name, INFO.options, [])?);
    let start = game.start();
    print!("{}", draw(&game, &start));
    for depth in 1..=4 {
        println!("perft {depth}: {}", perft(&game, &start, depth));
    }
    let limits = GameLimits { move_limit: Some(40), ..GameLimits::default() };
    let mut referee = Referee::new(game.clone(), start, limits);
    let mut searcher = Searcher::new(game.clone(), 1 << 20, Params::of(&game))?;
    let mut moves = Vec::new();
    while referee.ending().is_none() {
        let found = searcher.search(referee.state(), referee.keys(), &Limits::nodes(500), &mut |_| {});
        moves.push(found.best);
        referee.play(found.best);
    }
    let ending = referee.ending();
    let record = PgnGame {
        tags: Vec::new(),
        start,
        moves,
        evals: Vec::new(),
        result: ending.map_or(GameResult::Unknown, |e| e.result),
        termination: ending.map(|e| e.termination),
    };
    print!("\n{}", write_pgn(&game, &record));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise_engine::diagram::{Mark, piece_moves};
    use equipoise_engine::notation::pgn::PgnReader;

    fn game(given: &[(&'static str, &'static str)]) -> Royal<AlmostRules> {
        build(Options::resolve(INFO.name, INFO.options, given.iter().copied()).unwrap())
    }

    /// The page's code is this file's, block for block.
    #[test]
    fn the_page_shows_this_file() {
        let page = include_str!("../../docs/adding-a-game.md");
        let here = include_str!("adding_a_game.rs");
        let blocks: Vec<&str> =
            page.split("```rust\n").skip(1).filter_map(|part| part.split("```").next()).collect();
        assert!(blocks.len() >= 4);
        for block in blocks {
            assert!(here.contains(block), "not in engine/examples/adding_a_game.rs:\n{block}");
        }
    }

    #[test]
    fn it_plays_as_the_rules_say() {
        let almost = game(&[]);
        let start = almost.start();
        // 16 pawn moves, 4 of knights, and the chancellor leaps to two squares; Black has as many.
        assert_eq!((perft(&almost, &start, 1), perft(&almost, &start, 2)), (22, 484));
        let tables = Royal::<AlmostRules, _>::with_tables(almost.options().clone());
        assert_eq!(perft(&tables, &tables.start(), 4), perft(&almost, &start, 4));
        let drawn = piece_moves(&almost, CHANCELLOR);
        assert_eq!(drawn.controls, Some((14 + 2, 14 + 8)));
        assert!(drawn.diagrams[0].marks.values().all(|m| *m == Mark::Both));
    }

    #[test]
    fn its_option_changes_the_game() {
        let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for (given, becomes) in [(&[][..], 4), (&[("promote_to_chancellor", "false")], 3)] {
            let almost = game(given);
            let state = almost.parse_fen(fen).unwrap();
            assert_eq!(almost.count(&state), 3 + becomes);
        }
    }

    #[test]
    fn its_games_are_written_and_read() {
        let almost = game(&[]);
        let text = "[Variant \"Almost Chess\"]\n1. Cc3 Ce6 2. Cxc7+ Cxc7 *";
        let record = PgnReader::new(&almost, text).next().unwrap().unwrap();
        assert!(write_pgn(&almost, &record).ends_with("\n1. Cc3 Ce6 2. Cxc7+ Cxc7 *\n\n"));
    }
}
