//! Each term of the family's evaluation, in positions where one can count it.

use super::Royal;
use super::variant::Variant;
use crate::eval::{Evaluator, Layout, ONE, Pair, Trace, WeightError, Weights};
use crate::game::Game;
use crate::games::chess::{ChessRules, Orthodox};
use crate::games::mageca::MagecaRules;
use crate::games::magi::{Magi, MagiRules};
use crate::options::Options;

/// How often the `index`-th weight of a term counts for White less for Black.
fn count<V: Variant>(fen: &str, term: &str, index: usize) -> i32 {
    let game: Royal<V> = Royal::new(Options::resolve(V::INFO.name, V::INFO.options, []).unwrap());
    let (layout, standard) = Layout::of(&game);
    let term = layout.terms().iter().find(|t| t.name == term).unwrap();
    assert!(index < term.rule_of_thumb.len());
    let state = game.parse_fen(fen).unwrap();
    let trace = Trace::of(&Evaluator::with_defaults(game).unwrap(), &standard, &state);
    let weight = (term.first + index) as u32;
    trace.counts.iter().find(|&&(w, _)| w == weight).map_or(0, |&(_, n)| n / ONE)
}

/// The same in chess, of a placement with White to move.
fn chess(placement: &str, term: &str, index: usize) -> i32 {
    count::<ChessRules<Orthodox>>(&format!("{placement} w - - 0 1"), term, index)
}

#[test]
fn mobility_counts_squares_that_are_free_and_that_no_enemy_pawn_attacks() {
    assert_eq!(chess("4k3/8/8/8/8/8/8/N3K3", "mobility.knight", 2), 1);
    assert_eq!(chess("4k3/8/8/8/8/1P6/8/N3K3", "mobility.knight", 1), 1, "its own pawn stands on b3");
    assert_eq!(chess("4k3/8/8/8/8/1p6/8/N3K3", "mobility.knight", 1), 1, "b3 may be taken, c2 is attacked");
    assert_eq!(chess("n3k3/8/8/8/8/8/8/4K3", "mobility.knight", 2), -1);
}

#[test]
fn a_king_is_in_danger_from_what_is_about_it() {
    assert_eq!(chess("4k3/8/8/8/8/8/8/4K3", "king.danger", 0), 0, "neither");
    assert_eq!(chess("4k3/8/8/8/6q1/6n1/8/4K3", "king.danger", 0), -1, "White's is, Black's is not");
    assert_eq!(chess("4k3/8/8/8/8/8/3PPP2/4K3", "king.shelter", 3), 1);
    assert_eq!(chess("4k3/8/8/8/8/8/3PPP2/4K3", "king.shelter", 0), -1, "Black has no pawn");
    assert_eq!(chess("4k3/8/8/8/8/8/3PP3/4K3", "king.open_file", 0), 1 - 3, "without own pawns");
    assert_eq!(chess("4k3/8/8/8/8/8/3PP3/4K3", "king.open_file", 1), 1 - 1, "without any");
}

#[test]
fn checks_that_could_be_given_unanswered_are_a_danger_by_how_they_go() {
    // By one piece alone, all counts half.
    let danger = |placement, index| chess(placement, "king.danger", index);
    assert_eq!(danger("r6k/8/8/8/8/8/8/4K3", 10 / 2), 1, "on a1 or e8");
    assert_eq!(danger("1b5k/8/8/8/8/8/8/4K3", 8 / 2), 1, "on g3");
    assert_eq!(danger("q6k/8/8/8/8/8/8/4K3", (10 + 8) / 2), 1, "either way, how often does not count");
    assert_eq!(danger("7k/8/8/2n5/8/8/8/4K3", 4 / 2), 1, "on d3");
    assert_eq!(danger("7k/8/8/2n5/8/8/4P3/4K3", 0), 1 - 1, "d3 is held, and nobody is in danger");
}

#[test]
fn pawns_by_themselves() {
    let doubled = "4k3/8/8/8/3P4/3P4/8/4K3";
    assert_eq!((chess(doubled, "pawns.doubled", 0), chess(doubled, "pawns.isolated", 0)), (1, 2));
    assert_eq!(chess("4k3/8/8/8/3PP3/8/8/4K3", "pawns.phalanx", 0), 2);
    assert_eq!(chess("4k3/8/8/8/3P4/4P3/8/4K3", "pawns.supported", 3), 1);
    assert_eq!(chess("4k3/4p3/3p4/8/8/8/8/4K3", "pawns.supported", 2), -1);
    assert_eq!(chess("4k3/8/8/8/1r6/8/1P6/4K3", "pawns.loose", 0), 1);
    assert_eq!(chess("4k3/8/8/8/1r6/8/1P6/2K5", "pawns.loose", 0), 0, "the king defends it");
}

#[test]
fn pawns_that_can_go_two_or_three_squares() {
    let two = |placement| chess(placement, "pawns.two_steps", 0);
    assert_eq!(two("4k3/8/8/8/8/8/PPP5/4K3"), 3);
    assert_eq!(two("4k3/p7/8/8/8/8/PPP5/4K3"), 2);
    assert_eq!(two("4k3/8/8/8/p7/1p6/PPP5/4K3"), 1, "pawns in the way on the fourth rank and on the third");
    assert_eq!(two("4k3/8/8/8/n7/1n6/PPP5/4K3"), 3, "pieces come and go");
    assert_eq!(two("4k3/8/8/8/8/PPP5/8/4K3"), 0);

    let steps = |fen: &str, count: fn(&str, &str, usize) -> i32| {
        (count(fen, "pawns.two_steps", 0), count(fen, "pawns.three_steps", 0))
    };
    let magi = |fen| steps(fen, count::<MagiRules>);
    assert_eq!(magi("5k4/10/10/10/10/10/10/3P6/P9/5K4 w - - 0 1 -"), (1, 1), "d3 has moved");
    assert_eq!(magi("5k4/10/10/10/10/10/10/3P6/P9/5K4 w - - 0 1 d3"), (2, 1), "d3 stands where it began");
    assert_eq!(magi("5k4/10/10/10/10/p9/10/10/P9/5K4 w - - 0 1 -"), (1, 0));
    assert_eq!(magi("5k4/p9/3p6/10/10/10/10/10/10/5K4 b - - 0 1 d8"), (-2, -1));
    let mageca = |fen| steps(fen, count::<MagecaRules>);
    assert_eq!(mageca("5k4/10/10/10/10/10/10/1P8/P9/5K4 w - - 0 1"), (2, 1), "any on the third rank may");
}

#[test]
fn passed_pawns_what_stands_before_them_and_the_kings() {
    let free = "4k3/8/P7/8/8/8/8/4K3";
    assert_eq!((chess(free, "pawns.passed", 5), chess(free, "pawns.blocked", 5)), (1, 0));
    // Three ranks past the stake's beginning; a7 is six steps from one king, four from the other.
    assert_eq!((chess(free, "pawns.own_king", 0), chess(free, "pawns.enemy_king", 0)), (3 * 6, 3 * 4));
    let stopped = "4k3/8/8/3n4/3P4/8/8/4K3";
    assert_eq!((chess(stopped, "pawns.passed", 3), chess(stopped, "pawns.blocked", 3)), (1, 1));
    let watched = "4k3/8/4p3/8/3P4/8/8/4K3";
    assert!((0..8).all(|rank| chess(watched, "pawns.passed", rank) == 0));
}

#[test]
fn rooks_on_files_bishops_together_pieces_on_outposts() {
    let rooks = "4k3/p7/8/8/8/8/1P6/RRR1K3";
    assert_eq!(chess(rooks, "rook.open_file", 0), 1, "a: a pawn of Black alone");
    assert_eq!(chess(rooks, "rook.open_file", 1), 1, "c: none");
    assert_eq!(chess("4k3/8/8/8/8/8/8/2B1KB2", "pair.bishop", 0), 1);
    assert_eq!(chess("4k3/8/8/8/8/8/8/B1B1K3", "pair.bishop", 0), 0, "both on dark squares");
    assert_eq!(chess("4k3/8/8/3N4/2P5/8/8/4K3", "outpost.knight", 0), 1);
    assert_eq!(chess("4k3/4p3/8/3N4/2P5/8/8/4K3", "outpost.knight", 0), 0, "e6 would drive it away");
    assert_eq!(chess("4k3/8/8/3N4/8/8/8/4K3", "outpost.knight", 0), 0, "no pawn holds it");
}

#[test]
fn threats_by_pawns_by_cheaper_pieces_and_to_what_is_undefended() {
    let forked = "4k3/8/8/8/3p4/2N5/8/4K3";
    assert_eq!((chess(forked, "pawn_threat.knight", 0), chess(forked, "hanging.knight", 0)), (1, 1));
    let guarded = "4k3/8/8/8/3p4/2N5/1P6/4K3";
    assert_eq!((chess(guarded, "pawn_threat.knight", 0), chess(guarded, "hanging.knight", 0)), (1, 0));
    let queen = "4k3/8/8/3n4/8/2Q5/8/4K3";
    assert_eq!((chess(queen, "lesser_threat.queen", 0), chess(queen, "lesser_threat.knight", 0)), (1, 0));
}

#[test]
fn a_bare_king_is_driven_to_the_edge() {
    let won = "8/8/8/8/8/8/8/R3K2k";
    assert_eq!((chess(won, "mop_up.edge", 0), chess(won, "mop_up.near", 0)), (6, 16 - 3));
    let level = "7r/8/8/8/8/8/8/R3K2k";
    assert_eq!(chess(level, "mop_up.edge", 0), 0);
}

#[test]
fn weights_from_before_a_term_go_on_meaning_what_they_meant() {
    let magi = Magi::new(Options::resolve("magi", MagiRules::INFO.options, []).unwrap());
    let (layout, _) = Layout::of(&magi);
    let text = Weights::rule_of_thumb(&layout).to_toml(&layout, &[]);
    let without = |key: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(key)).collect();
        assert!(lines.len() < text.lines().count(), "{key}");
        Weights::parse(&layout, &lines.join("\n"))
    };
    let older = without("two_steps").unwrap();
    let changed: Vec<usize> = (0..layout.len())
        .filter(|&i| older.pairs()[i] != Weights::rule_of_thumb(&layout).pairs()[i])
        .collect();
    assert_eq!(changed.iter().map(|&i| layout.name_of(i)).collect::<Vec<_>>(), ["pawns.two_steps"]);
    assert_eq!(older.pairs()[changed[0]], Pair::default());
    assert_eq!(without("doubled"), Err(WeightError::Missing("pawns.doubled".to_owned())));
}
