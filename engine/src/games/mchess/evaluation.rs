//! What evaluation needs to know of MChess beyond its rules: wounds, and damage to come.
//!
//! Nothing is captured, so no exchange and no quiescence shows what is about to be lost: the volleys that
//! either side would fire as the board stands do. The side to move fires first (after one move of its
//! choice), the other only if its attackers still live and stand there: hence two sets of weights.

use super::geometry::pop;
use super::{BISHOP, KINDS, KING, KNIGHT, MChess, Numbers, PAWN, QUEEN, ROOK};
use crate::eval::{Accumulator, Evaluate, Layout, Pair, Role};
use crate::game::Game;
use crate::moves::{Kind, Square};
use crate::search::{Exchange, Playable};
use crate::side::Side;

/// A piece with no health left, but alive, in percent of its value.
const ALIVE: i32 = 25;
/// How much of the loss that a volley would bring is expected to come, in percent: of the side to move's
/// volley, and of the other's.
const EXPECTED: [i32; 2] = [105, 45];
/// Value of a pawn, and of two knights, two rooks, queen and king together, in centipawns.
const PAWN_VALUE: i64 = 100;
const ARMY_VALUE: i64 = 9000;

/// The game's own terms, each a table by kind: where they stand after the first.
const WOUNDS: usize = 0;
/// Health that a volley takes, then pieces that it kills; by whose volley it is.
const LOSSES: [usize; 2] = [KINDS, 2 * KINDS];
const DEATHS: [usize; 2] = [3 * KINDS, 4 * KINDS];

/// Value in centipawns from the numbers: what a piece does in its life, which is as long as its health.
///
/// A turn's action is the attack times the enemies usually in reach; the factors are those under which
/// the values for both embedded sets come near what regression on self-play gave for them. Only the pieces'
/// proportions follow the numbers; their sum is held, so that the search's margins keep their meaning.
fn value(numbers: &Numbers, kind: Kind) -> i64 {
    let health = |kind: Kind| i64::from(numbers.health[usize::from(kind)]);
    let mean = (0..KINDS as Kind).map(health).sum::<i64>() / KINDS as i64;
    let life = |kind: Kind| {
        let attack = i64::from(numbers.attack[usize::from(kind)]);
        // Tenths of a point a turn.
        let action = match kind {
            KNIGHT => attack * 10,
            ROOK => attack * 30,
            QUEEN => attack * 40,
            _ => i64::from(numbers.king_percent) * mean * 22 / 100,
        };
        action * health(kind)
    };
    match kind {
        PAWN => PAWN_VALUE,
        BISHOP => i64::from(numbers.buff_percent) * 7,
        _ => {
            let army = 2 * life(KNIGHT) + 2 * life(ROOK) + life(QUEEN) + life(KING);
            life(kind) * ARMY_VALUE / army.max(1)
        }
    }
}

/// Weights tuned by self-play under the first set of numbers.
const WITH_FIRST_NUMBERS: &str = include_str!("../../../../data/eval/mchess.toml");

impl Evaluate for MChess {
    fn default_weights(&self) -> Option<&'static str> {
        // Under other numbers the pieces are worth other things, which the rules of thumb follow.
        (*self.numbers() == Numbers::first()).then_some(WITH_FIRST_NUMBERS)
    }

    fn rough_value(&self, kind: Kind) -> i32 {
        value(self.numbers(), kind) as i32
    }

    fn role(&self, kind: Kind) -> Role {
        // A king is a piece like others here.
        if kind == PAWN { Role::Pawn } else { Role::Piece }
    }

    fn missing(&self, state: &Self::State, square: Square) -> i32 {
        let kind = state.kind_on(square);
        self.rules.tables.share(kind, self.max_health(kind) - state.health(square))
    }

    fn own_layout(&self, layout: &mut Layout) {
        let mut table = |name: &str, percent: i32| {
            for kind in 0..KINDS as Kind {
                let weight = -self.rough_value(kind) * percent / 100;
                let kind = self.info().pieces[usize::from(kind)].name;
                layout.add(format!("{name}.{kind}"), vec![Pair::new(weight, weight)]);
            }
        };
        table("wound", 100 - ALIVE);
        table("loss_now", (100 - ALIVE) * EXPECTED[0] / 100);
        table("loss_next", (100 - ALIVE) * EXPECTED[1] / 100);
        table("death_now", ALIVE * EXPECTED[0] / 100);
        table("death_next", ALIVE * EXPECTED[1] / 100);
    }

    fn own_terms<A: Accumulator>(&self, state: &Self::State, acc: &mut A) {
        let t = &self.rules.tables;
        for side in Side::BOTH {
            for kind in 0..KINDS as Kind {
                let pieces = state.of_kind(side, kind).count_ones() as i32;
                let missing = pieces * self.max_health(kind) - state.total_health(side, kind);
                acc.add_fraction(WOUNDS + usize::from(kind), side, t.share(kind, missing));
            }
        }
        for actor in Side::BOTH {
            let turn = usize::from(actor != state.side);
            let volley = self.volley(state, actor);
            let mut hit = volley.hit;
            while hit != 0 {
                let square = pop(&mut hit);
                let kind = state.kind_on(square);
                let (health, harm) = (state.health(square), volley.harm[usize::from(square)]);
                let lost = t.share(kind, harm.min(health));
                acc.add_fraction(LOSSES[turn] + usize::from(kind), actor.other(), lost);
                if harm > health {
                    acc.add(DEATHS[turn] + usize::from(kind), actor.other(), 1);
                }
            }
            let mut healed = volley.healed;
            while healed != 0 {
                let square = pop(&mut healed);
                let kind = state.kind_on(square);
                let gained = self.healed_to(&volley, kind, state.health(square)) - state.health(square);
                acc.add_fraction(LOSSES[turn] + usize::from(kind), actor, -t.share(kind, gained));
            }
        }
    }
}

impl Exchange for MChess {}

impl Playable for MChess {
    /// Found by `equipoise tune search` under the first numbers: wider windows than elsewhere, late moves reduced less.
    fn settings(&self) -> &'static [(&'static str, i32)] {
        &[
            ("aspiration", 107),
            ("reverse_futility", 98),
            ("reverse_futility_depth", 8),
            ("futility", 105),
            ("futility_base", 116),
            ("late_moves", 4),
            ("history_pruning", 3391),
            ("reduction_base", 2),
            ("reduction_slope", 21),
            ("reduction_history", 7039),
        ]
    }

    crate::compiled_search!(Self);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, ONE, Trace};
    use crate::games::mchess::INFO;
    use crate::options::Options;

    fn game(numbers: &str) -> MChess {
        MChess::new(Options::resolve(INFO.name, INFO.options, [("numbers", numbers)]).unwrap())
    }

    /// The own terms of a position: name and White's less Black's occurrences, in parts of `ONE`.
    fn terms(fen: &str) -> Vec<(String, i32)> {
        let game = game("first");
        let (layout, standard) = Layout::of(&game);
        let state = game.parse_fen(fen).unwrap();
        let trace = Trace::of(&Evaluator::with_defaults(game).unwrap(), &standard, &state);
        let own = trace.counts.into_iter().filter(|&(weight, _)| weight as usize >= standard.own);
        own.map(|(weight, n)| (layout.name_of(weight as usize), n)).collect()
    }

    fn named(expected: &[(&str, i32)]) -> Vec<(String, i32)> {
        expected.iter().map(|&(name, n)| (name.to_owned(), n)).collect()
    }

    #[test]
    fn damage_to_come_is_told_apart_by_whose_turn_it_is() {
        // The pawns e4 and d5 hit each other for 15 of 100.
        let fen = "7k/8/8/3p4/4P3/8/8/K7 w - - 0 1 -";
        let share = 15 * ONE / 100;
        assert_eq!(terms(fen), named(&[("loss_now.pawn", -share), ("loss_next.pawn", share)]));
        let black = fen.replace(" w ", " b ");
        assert_eq!(terms(&black), named(&[("loss_now.pawn", share), ("loss_next.pawn", -share)]));
    }

    #[test]
    fn wounds_healing_and_deaths_count() {
        // White's pawn has 10 left: 90 missing, dies by 15. The knight, 10 short, would be healed by as much.
        let fen = "7k/8/8/3p4/4P3/8/KN6/8 w - - 0 1 250,100,10,250,140";
        let share = |milli: i32, full: i32| milli * ONE / full;
        assert_eq!(
            terms(fen),
            named(&[
                ("wound.pawn", share(90, 100)),
                ("wound.knight", share(10, 150)),
                ("loss_now.pawn", -share(15, 100)),
                ("loss_now.knight", -share(10, 150)),
                ("loss_next.pawn", share(10, 100)),
                ("death_next.pawn", ONE),
            ])
        );
    }

    #[test]
    fn what_is_missing_is_a_share_of_all_health() {
        let game = game("first");
        let state = game.parse_fen("7k/8/8/3p4/4P3/8/KN6/8 w - - 0 1 250,100,10,250,150").unwrap();
        let missing = |square: &str| {
            let (file, rank) = (square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1');
            game.missing(&state, rank * 8 + file)
        };
        assert_eq!((missing("e4"), missing("b2"), missing("d5")), (90 * ONE / 100, 0, 0));
    }

    #[test]
    fn mirrored_positions_have_the_same_score_for_the_side_to_move() {
        let game = game("hot");
        let evaluator = Evaluator::with_defaults(game.clone()).unwrap();
        for line in include_str!("../../../tests/fixtures/perft-mchess.tsv").lines() {
            let state = game.parse_fen(line.split('\t').next().unwrap()).unwrap();
            let mirror = game.mirrored(&state).unwrap();
            let score = |state| evaluator.score(state, &evaluator.sum(state));
            assert_eq!(score(&state), score(&mirror), "{line}");
            assert_eq!(score(&state), evaluator.fresh_score(&state), "{line}");
        }
    }

    #[test]
    fn tuned_weights_are_for_the_numbers_they_were_tuned_under() {
        assert!(game("first").default_weights().is_some());
        assert!(game("hot").default_weights().is_none());
    }

    #[test]
    fn stronger_attacks_make_attackers_worth_more() {
        let value = |numbers, kind| game(numbers).rough_value(kind);
        assert_eq!((value("first", PAWN), value("hot", PAWN)), (100, 100));
        assert!(value("hot", QUEEN) > value("first", QUEEN));
        assert!(value("hot", KING) < value("first", KING));
    }
}
