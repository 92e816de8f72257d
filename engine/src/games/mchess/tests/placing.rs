//! Free placement.

use super::super::{KINDS, PAWN, PLACEMENTS, Placement};
use super::*;
use crate::game::Setups;
use crate::side::Side;

#[test]
fn the_number_of_placements_is_the_multinomial() {
    let factorial = |n: u128| (1..=n).product::<u128>();
    let ways = factorial(24) / (factorial(8) * factorial(8) * 2 * 2 * 2);
    assert_eq!(u128::from(PLACEMENTS), ways);
}

#[test]
fn numbers_and_placements_are_in_bijection() {
    // An arithmetic sequence through the whole range, and both ends.
    let step = PLACEMENTS / 4999;
    for index in (0..5000).map(|i| i * step).chain([1, PLACEMENTS - 2, PLACEMENTS - 1]) {
        let placement = Placement::nth(index).unwrap();
        assert_eq!(placement.index(), index);
        let mut counts = [0; KINDS];
        for (kind, square) in placement.pieces() {
            assert!(square < 24);
            counts[usize::from(kind)] += 1;
        }
        assert_eq!(counts, [8, 2, 2, 2, 1, 1]);
        assert_eq!(placement.to_string().parse::<Placement>().unwrap(), placement);
    }
    // In order of the squares from a1, pieces in the order P N B R Q K and an empty square last.
    assert_eq!(Placement::nth(0).unwrap().to_string(), "8/NNBBRRQK/PPPPPPPP");
    assert_eq!(Placement::nth(PLACEMENTS - 1).unwrap().to_string(), "PPPPPPPP/KQRRBBNN/8");
    assert_eq!(
        Placement::nth(PLACEMENTS).unwrap_err().to_string(),
        "there is no placement 47706179320800: the numbers go from 0 to 47706179320799"
    );
}

#[test]
fn each_side_is_on_its_own_three_ranks_and_no_pawn_has_moved() {
    let game = game(&[]);
    let (white, black) =
        (Placement::nth(12_345_678_901_234).unwrap(), Placement::nth(40_000_000_000_000).unwrap());
    let state = game.placed(&white, &black);
    assert_eq!(state.of(Side::White) & !0xff_ffff, 0);
    assert_eq!(state.of(Side::Black) & !(0xff_ffff << 40), 0);
    assert_eq!(state.unmoved().count_ones(), 16);
    assert_eq!(state.unmoved(), state.of_kind(Side::White, PAWN) | state.of_kind(Side::Black, PAWN));
    assert_eq!(game.side_to_move(&state), Side::White);
    let fen = game.fen(&state);
    assert_eq!(read(&game, &fen), state);
    // The same placement for both makes a position that is its own mirror but for the side to move.
    let same = game.placed(&white, &white);
    let mirror = game.fen(&game.mirrored(&same).unwrap());
    assert_eq!(mirror, game.fen(&same).replace(" w ", " b "));
}

#[test]
fn set_ups_are_placements_by_name() {
    let game = game(&[]);
    let standard = Placement::by_name("standard").unwrap();
    assert_eq!(game.placed(&standard, &standard), game.start());
    // The options name exactly the set-ups of the data.
    for option in INFO.options.iter().filter(|o| o.name.ends_with("_setup")) {
        let mut values = option.values.to_vec();
        values.sort_unstable();
        assert!(values.iter().eq(Placement::named().keys()), "{values:?}");
    }
    let fen =
        super::game(&[("black_setup", "advanced")]).fen(&super::game(&[("black_setup", "advanced")]).start());
    assert!(fen.starts_with("rnbqkbnr/8/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w a2"), "{fen}");
    // A set-up's number, name and text are one.
    let named = game.named_setups();
    assert_eq!((named.len(), named[0].0.as_str()), (4, "standard"));
    for (name, number) in named {
        let text = game.setup_text(number).unwrap();
        assert_eq!(game.setup_number(&text), Ok(number), "{name}");
        assert_eq!(Placement::by_name(&name).unwrap().to_string(), text);
    }
    assert!(game.setup_number("8/8/8").is_err());
    let message = Placement::by_name("standart").unwrap_err().to_string();
    assert!(message.contains("did you mean `standard`?"), "{message}");
}

#[test]
fn a_text_that_is_no_placement_is_refused() {
    for (text, problem) in [
        ("8/PPPPPPPP/RNBQKBN1", "1 of the 2 rooks were found"),
        ("8/PPPPPPPP/RNBQKBNr", "capitals were expected"),
        ("8/PPPPPPPP", "2 ranks were found"),
        ("8/PPPPPPPP/RNBQKBNQ", "1 of the 2 rooks"),
        ("8/8/PPPPPPPPP", "9 squares wide"),
    ] {
        let message = text.parse::<Placement>().unwrap_err().to_string();
        assert!(message.contains(problem) && message.contains(text), "{message}");
    }
}

#[test]
fn a_start_is_drawn_for_each_side_from_all_placements() {
    let game = game(&[]);
    assert_eq!(game.setups(), Setups::PerSide(PLACEMENTS));
    let state = game.setup(0, PLACEMENTS - 1).unwrap();
    assert!(game.setup(0, PLACEMENTS).is_none());
    assert_eq!(game.fen(&state).split(' ').next().unwrap(), "8/kqrrbbnn/pppppppp/8/8/8/NNBBRRQK/PPPPPPPP");
}

#[test]
fn reach_is_what_a_piece_acts_on() {
    let game = game(&[]);
    let count = |kind| game.reach(Side::White, kind).iter().map(Vec::len).sum::<usize>();
    let by_kind = [0, 1, 2, 3, 4, 5].map(count);
    assert_eq!(by_kind, [98, 336, 560, 896, 1456, 420]);
}
