//! The inventors' exact claims, proved by enumeration.

use equipoise_engine::exact::{control_range, destinations, is_colour_bound, lone_piece, starts, unguarded};
use equipoise_engine::game::{Game, Which};
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::moves::Kind;
use equipoise_engine::search::Playable;
use equipoise_engine::side::Side;

fn kind<G: Game>(game: &G, letter: char) -> Kind {
    game.info().pieces.iter().position(|p| p.letter == letter).unwrap() as Kind
}

/// Runs a closure-like visitor on a game.
macro_rules! on {
    ($name:expr, |$game:ident| -> $output:ty $body:block) => {{
        struct Ask;
        impl Visitor for Ask {
            type Output = $output;
            fn visit<G: Playable>(self, $game: G) -> $output $body
        }
        games::with($name, [], Ask).unwrap()
    }};
}

#[test]
fn magi_control_duke_6_to_12_cardinal_11_to_21_wizard_5_to_16() {
    let found = on!("magi", |game| -> Vec<Option<(usize, usize)>> {
        ['D', 'C', 'W'].into_iter().map(|letter| control_range(&game, kind(&game, letter))).collect()
    });
    assert_eq!(found, [Some((6, 12)), Some((11, 21)), Some((5, 16))]);
}

#[test]
fn mageca_guarded_every_pawn_is_defended_in_the_start_position() {
    let found = on!("mageca", |game| -> [(Vec<u8>, usize); 2] {
        let pawn = kind(&game, 'P');
        Side::BOTH.map(|side| unguarded(&game, &game.start(), side, pawn))
    });
    assert_eq!(found, [(vec![], 10), (vec![], 10)]);
    // The question can be answered with no: a bare pawn on a4 is not guarded, one beside its king is.
    let bare = on!("chess", |game| -> (Vec<u8>, usize) {
        let state = game.parse_fen("4k3/8/8/8/P7/8/4P3/4K3 w - - 0 1").unwrap();
        unguarded(&game, &state, Side::White, kind(&game, 'P'))
    });
    assert_eq!(bare, (vec![24], 2));
}

#[test]
fn mageca_colour_the_mageca_never_leaves_its_square_colour() {
    let found = on!("mageca", |game| -> Vec<char> {
        let king = kind(&game, 'K');
        let bound = |letter: &char| is_colour_bound(&game, kind(&game, *letter), king);
        ['Q', 'R', 'B', 'N', 'M'].into_iter().filter(bound).collect()
    });
    assert_eq!(found, ['B', 'M']);
    // The quiet leaps are among its destinations: from e5 sixteen squares, four of them leaps.
    let from_e5 =
        on!("mageca", |game| -> usize { destinations(&game, kind(&game, 'M'), kind(&game, 'K'))[44].len() });
    assert_eq!(from_e5, 16);
}

#[test]
fn multi_57_and_chess484_484_start_positions() {
    let starts = |name: &str| on!(name, |game| -> usize { starts(&game) });
    assert_eq!((starts("multi-chess"), starts("chess484"), starts("chess")), (57, 484, 1));
}

/// A lone piece beside the king is on the list of dead positions exactly if no position of it holds a checkmate.
fn dead_list(name: &str) -> String {
    on!(name, |game| -> String {
        let king = kind(&game, 'K');
        let pieces = (0..game.info().pieces.len() as Kind).filter(|&k| k != king && k != kind(&game, 'P'));
        let draws = pieces.filter(|&piece| {
            let found = lone_piece(&game, piece, king, true);
            assert!(found.checks > 0, "{piece}");
            // The list of the game says the same, with the piece on every square.
            for square in 0..G::FILES * G::RANKS {
                let kings = [(Side::White, king, 0), (Side::Black, king, G::FILES * G::RANKS - 1)];
                for side in Side::BOTH {
                    let all = [kings[0], kings[1], (side, piece, square)];
                    let position = equipoise_engine::exact::position(&game, &all, side);
                    let whole = |state: &G::State| {
                        let mut n = 0;
                        game.pieces(state, &mut |_, _, _| n += 1);
                        n == 3
                    };
                    if let Some(state) = position.filter(whole) {
                        assert_eq!(game.is_dead(&state), found.mates == 0, "{piece} on {square}");
                    }
                }
            }
            found.mates == 0
        });
        draws.map(|k| game.info().pieces[k as usize].letter).collect()
    })
}

#[test]
fn dead_list_of_magi_is_bishop_and_knight() {
    assert_eq!(dead_list("magi"), "BN");
}

#[test]
fn dead_list_of_mageca_is_bishop_knight_and_mageca() {
    assert_eq!(dead_list("mageca"), "BNM");
}

#[test]
fn dead_list_of_the_chess_family_is_bishop_and_knight() {
    for name in ["chess", "chess960", "multi-chess", "chess484"] {
        assert_eq!(dead_list(name), "BN", "{name}");
    }
}

#[test]
fn lone_queen_and_rook_mate_in_as_many_positions_as_counted_by_hand_of_old() {
    // Known of orthodox chess, all checkmates of the lone king on 8x8: 364 with the queen, 216 with the rook.
    let mates = on!("chess", |game| -> (u64, u64) {
        let of = |letter| lone_piece(&game, kind(&game, letter), kind(&game, 'K'), false).mates;
        (of('Q'), of('R'))
    });
    assert_eq!(mates, (364, 216));
}

#[test]
fn start_positions_have_as_many_moves_as_the_pieces_allow() {
    // By hand. Mageca: ten pawns with 3, two knights with 2 and 2 camel leaps, two Magecas with 2 leaps. Magi: six
    // pawns with 3 (a2, d2, g2 and j2 are shut in), d3 and g3 with 2; two knights with 1; dukes with 3 up and 2
    // aside; the wizard with e3, f3, h3 and i3.
    let count = |name: &str| {
        on!(name, |game| -> (u64, u64) {
            let mut list = Vec::new();
            game.generate(&game.start(), Which::All, &mut list);
            (game.count(&game.start()), list.len() as u64)
        })
    };
    for (name, moves) in [
        ("chess", 20),
        ("multi-chess", 4),
        ("chess484", 6),
        ("mageca", 30 + 8 + 4),
        ("magi", 18 + 4 + 2 + 10 + 4),
    ] {
        assert_eq!(count(name), (moves, moves), "{name}");
    }
}
