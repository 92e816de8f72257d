//! Orthodox chess and Chess960, against a library that others wrote (cozy-chess, MIT) and published counts.

use cozy_chess::{Board, Color, Piece, Square};
use equipoise_engine::board::zobrist::split_mix;
use equipoise_engine::game::{Game, Which};
use equipoise_engine::games::chess;
use equipoise_engine::games::chess::{Chess, Chess960, MultiChess};
use equipoise_engine::notation::legal_uci;
use equipoise_engine::options::Options;
use equipoise_engine::perft::perft;
use std::collections::BTreeMap;

/// Positions that others count in public, with the counts by depth (Chess Programming Wiki, "Perft Results": start,
/// Kiwipete, positions 3, 4 and its mirror, 5, 6).
const PUBLISHED: [(&str, &[u64]); 7] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281, 4_865_609]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862, 4_085_603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    ),
];

#[test]
fn published_perft_counts() {
    let (orthodox, fischer) = (Chess::new(options("chess")), Chess960::new(options("chess960")));
    for (fen, counts) in PUBLISHED {
        for (depth, &nodes) in (1..).zip(counts) {
            assert_eq!(perft(&orthodox, &orthodox.parse_fen(fen).unwrap(), depth), nodes, "{depth} of {fen}");
            // Orthodox positions are Chess960 positions too.
            assert_eq!(perft(&fischer, &fischer.parse_fen(fen).unwrap(), depth), nodes, "{depth} of {fen}");
        }
    }
}

/// The defaults of a game of the family.
fn options(name: &'static str) -> Options {
    with(name, &[])
}

fn with(name: &'static str, given: &[(&str, &str)]) -> Options {
    let info =
        [&chess::CHESS, &chess::CHESS960, &chess::MULTI_CHESS].into_iter().find(|i| i.name == name).unwrap();
    Options::resolve(name, info.options, given.iter().copied()).unwrap()
}

fn below(seed: &mut u64, n: usize) -> usize {
    let (state, out) = split_mix(*seed);
    *seed = state;
    (out % n as u64) as usize
}

/// The library's legal moves in this program's UCI: castling is the king on to his rook in both.
fn library_moves(board: &Board) -> BTreeMap<String, Board> {
    let mut all = BTreeMap::new();
    board.generate_moves(|moves| {
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            all.insert(m.to_string(), next);
        }
        false
    });
    all
}

/// A position's six fields as the library sees them, en passant only where a pawn can take (the library keeps the
/// square after every double step).
fn library_fen(board: &Board) -> String {
    let mut fields: Vec<String> = format!("{board:#}").split(' ').map(str::to_owned).collect();
    if let Some(file) = board.en_passant() {
        let us = board.side_to_move();
        let target = Square::new(file, cozy_chess::Rank::Sixth.relative_to(us));
        let hunters = cozy_chess::get_pawn_attacks(target, !us) & board.colored_pieces(us, Piece::Pawn);
        if hunters.is_empty() {
            fields[3] = "-".to_owned();
        }
    }
    // Shredder-FEN names rooks by file; the outermost ones are K and Q in X-FEN.
    fields[2] = castling(board);
    fields.join(" ")
}

fn castling(board: &Board) -> String {
    let mut text = String::new();
    for color in [Color::White, Color::Black] {
        let rights = board.castle_rights(color);
        let rank = cozy_chess::Rank::First.relative_to(color);
        let rooks = board.colored_pieces(color, Piece::Rook) & rank.bitboard();
        let king = board.king(color).file();
        for (right, letter, kings_side) in [(rights.short, 'K', true), (rights.long, 'Q', false)] {
            let Some(file) = right else { continue };
            let beyond = |f: cozy_chess::File| {
                if kings_side { f > file && f > king } else { f < file && f < king }
            };
            let outermost = !rooks.iter().any(|square| beyond(square.file()));
            let letter = if outermost { letter } else { (b'A' + file as u8) as char };
            text.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// The library's board of a position whose rights name the outermost rooks: it wants the rooks' files.
fn library_board(fen: &str) -> Board {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let rook_file = |letter: char| {
        let row = fields[0].split('/').nth(if letter.is_ascii_uppercase() { 7 } else { 0 }).unwrap();
        // One character a square.
        let squares: String =
            row.chars().flat_map(|c| c.to_digit(10).map_or(vec![c], |n| vec!['.'; n as usize])).collect();
        let rook = if letter.is_ascii_uppercase() { 'R' } else { 'r' };
        let kings_side = letter.eq_ignore_ascii_case(&'k');
        let file = if kings_side { squares.rfind(rook) } else { squares.find(rook) }.unwrap();
        let file = (b'A' + file as u8) as char;
        if rook == 'R' { file } else { file.to_ascii_lowercase() }
    };
    if fields[2] != "-" {
        fields[2] = fields[2].chars().map(rook_file).collect();
    }
    let text = fields.join(" ");
    Board::from_fen(&text, true).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Walks random games from `starts` (six fields each), comparing moves, successors and checks with the library at
/// every position; `tail` are the fields this game has besides. Gives the number of positions.
fn compare<G: Game>(game: &G, starts: &[String], plies: usize, tail: &str) -> usize {
    let mut seed = 7;
    let mut compared = 0;
    let castles_by_king = game.info().name == "chess";
    for start in starts {
        let mut board = library_board(start);
        let mut state = game.parse_fen(&format!("{start}{tail}")).unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..plies {
            compared += 1;
            let fen = game.fen(&state);
            assert_eq!(fen, format!("{}{tail}", library_fen(&board)));
            assert_eq!(game.in_check(&state), !board.checkers().is_empty(), "{fen}");
            let expected = library_moves(&board);
            let mut list = Vec::new();
            game.generate(&state, Which::All, &mut list);
            let ours: BTreeMap<String, _> = list
                .iter()
                .map(|&m| {
                    // The library writes castling king takes rook in every game.
                    let castle = m.flag() == equipoise_engine::moves::Flag::Castle && castles_by_king;
                    let name = equipoise_engine::notation::square_name;
                    let uci = game.uci(&state, m);
                    (if castle { name(m.from(), 8) + &name(m.to(), 8) } else { uci }, m)
                })
                .collect();
            let (names, theirs): (Vec<_>, Vec<_>) = (ours.keys().collect(), expected.keys().collect());
            assert_eq!(names, theirs, "{fen}");
            assert_eq!(legal_uci(game, &state).len(), names.len());
            for (uci, after) in &expected {
                let mut next = state.clone();
                game.play(&mut next, ours[uci], &mut ());
                assert_eq!(game.fen(&next), format!("{}{tail}", library_fen(after)), "{uci} in {fen}");
            }
            if expected.is_empty() {
                break;
            }
            let (uci, after) = expected.into_iter().nth(below(&mut seed, ours.len())).unwrap();
            game.play(&mut state, ours[&uci], &mut ());
            board = after;
        }
    }
    compared
}

fn rounds() -> usize {
    if std::env::var_os("EQUIPOISE_FULL").is_some() { 20 } else { 1 }
}

#[test]
fn random_games_of_chess_equal_the_librarys() {
    let game = Chess::new(options("chess"));
    let starts: Vec<String> =
        PUBLISHED.iter().map(|(fen, _)| fen.to_string()).cycle().take(28 * rounds()).collect();
    assert!(compare(&game, &starts, 150, "") > 2000 * rounds());
}

#[test]
fn random_games_from_chess960_starts_equal_the_librarys() {
    let game = Chess960::new(options("chess960"));
    let starts: Vec<String> = (0..960)
        .step_by(if rounds() > 1 { 1 } else { 24 })
        .map(|n| game.fen(&game.setup(n, n).unwrap()))
        .collect();
    assert!(compare(&game, &starts, 100, "") > 2500);
}

#[test]
fn every_chess960_start_is_the_librarys_of_the_same_number() {
    let game = Chess960::new(options("chess960"));
    for n in 0..960 {
        let ours = game.fen(&game.setup(n, n).unwrap());
        assert_eq!(ours, library_fen(&Board::chess960_startpos(n as u32)), "number {n}");
    }
}

#[test]
fn all_64_multi_chess_arrays_under_king_path_are_chess960_positions_of_the_library() {
    let multi = MultiChess::new(with("multi-chess", &[("castling_threat", "king-path")]));
    let arrays = equipoise_engine::games::royal::arrays(
        &multi.start(),
        &equipoise_engine::games::royal::Arrangement {
            king_with: &[2, 4],
            queen_with: &[4],
            mirrored: false,
        },
    );
    assert_eq!(arrays.len(), 8);
    let pairs = arrays.iter().flat_map(|w| arrays.iter().map(move |b| (w, b)));
    let starts: Vec<String> = pairs
        .map(|(w, b)| format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{w} w KQkq - 0 1", b.to_lowercase()))
        .collect();
    assert_eq!(starts.len(), 64);
    assert!(compare(&multi, &starts, 60, " -") > 3000);
    // Counted to depth 3 as well.
    for start in &starts {
        let board = library_board(start);
        let state = multi.parse_fen(&format!("{start} -")).unwrap();
        assert_eq!(perft(&multi, &state, 3), library_perft(&board, 3), "{start}");
    }
}

fn library_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            nodes += library_perft(&next, depth - 1);
        }
        false
    });
    nodes
}
