//! The rules' sentences and the inventor's examples. Player B offers, player A answers, as in his text.

use super::*;
use crate::outcome::{Ending, GameResult, Termination};
use crate::side::Side::{self, Black, White};

const A: Side = White;
const B: Side = Black;

fn refused_resignation(matrix: &Matrix, move_number: u32) -> OfferState {
    let mut offers = OfferState::new();
    offers.offer_resignation(matrix, B, move_number).unwrap();
    offers.refuse(A).unwrap();
    offers
}

fn refused_draw(matrix: &Matrix, move_number: u32) -> OfferState {
    let mut offers = OfferState::new();
    offers.offer_draw(matrix, B, move_number).unwrap();
    offers.refuse(A).unwrap();
    offers
}

fn paid(matrix: &Matrix, ending: Ending, mover: Side, at: u32, offers: &OfferState) -> Option<Split> {
    matrix.points(&Finish { ending, last_mover: mover, move_number: at }, offers).unwrap()
}

fn mate(matrix: &Matrix, winner: Side, move_number: u32, offers: &OfferState) -> Split {
    paid(matrix, Ending::win(winner, Termination::Checkmate), winner, move_number, offers).unwrap()
}

fn resigned(matrix: &Matrix, loser: Side, move_number: u32) -> Split {
    let mut offers = OfferState::new();
    offers.offer_resignation(matrix, loser, move_number).unwrap();
    offers.accept(loser.other()).unwrap();
    let ending = Ending::win(loser.other(), Termination::Resignation);
    paid(matrix, ending, loser.other(), move_number, &offers).unwrap()
}

#[test]
fn checkmate_without_a_refused_offer_is_12_0_in_every_band() {
    let matrix = sample().unwrap();
    for at in [1, 20, 45, 46, 75, 105, 106, 150] {
        assert_eq!(mate(&matrix, White, at, &OfferState::new()), split(12, 0), "move {at}");
        assert_eq!(mate(&matrix, Black, at, &OfferState::new()), split(0, 12), "move {at}");
    }
}

#[test]
fn checkmate_without_a_refused_offer_is_banded_by_option() {
    let matrix = varied(|spec| spec.checkmate_unoffered = CheckmateUnoffered::Banded).unwrap();
    assert_eq!(mate(&matrix, White, 45, &OfferState::new()), split(12, 0));
    assert_eq!(mate(&matrix, White, 46, &OfferState::new()), split(11, 1));
    assert_eq!(mate(&matrix, Black, 106, &OfferState::new()), split(5, 7));
    // A refused resignation keeps its own rule: the whole stake within the band.
    assert_eq!(mate(&matrix, White, 58, &refused_resignation(&matrix, 53)), split(12, 0));
}

#[test]
fn stalemate_pays_7_to_the_side_that_gave_it_and_5_to_the_other() {
    let matrix = sample().unwrap();
    let stalemate = Ending::draw(Termination::Stalemate);
    assert_eq!(paid(&matrix, stalemate, White, 80, &OfferState::new()), Some(split(7, 5)));
    assert_eq!(paid(&matrix, stalemate, Black, 80, &OfferState::new()), Some(split(5, 7)));
    // Refused offers set the price of checkmates only.
    assert_eq!(paid(&matrix, stalemate, Black, 95, &refused_resignation(&matrix, 53)), Some(split(5, 7)));
}

#[test]
fn any_other_draw_is_6_6() {
    let matrix = sample().unwrap();
    for termination in [Termination::Repetition, Termination::FiftyMove, Termination::DeadPosition] {
        for mover in Side::BOTH {
            let points = paid(&matrix, Ending::draw(termination), mover, 60, &OfferState::new());
            assert_eq!(points, Some(split(6, 6)), "{termination}");
        }
    }
}

#[test]
fn a_game_still_running_after_move_150_is_0_0() {
    let matrix = sample().unwrap();
    let ending = Ending { result: GameResult::BothLose, termination: Termination::MoveRule };
    assert_eq!(paid(&matrix, ending, Black, 150, &OfferState::new()), Some(split(0, 0)));
    assert_eq!(matrix.band_at(150), Some(5));
    assert_eq!(matrix.band_at(151), None);
}

#[test]
fn mate_on_move_150_still_counts() {
    let matrix = sample().unwrap();
    assert_eq!(mate(&matrix, Black, 150, &OfferState::new()), split(0, 12));
    assert_eq!(mate(&matrix, Black, 150, &refused_resignation(&matrix, 100)), split(5, 7));
}

#[test]
fn the_150_move_rule_can_be_switched_off() {
    let matrix = sample().unwrap().with_move_rule(None).unwrap();
    assert_eq!(matrix.spec().move_rule, None);
    assert_eq!(matrix.bands().len(), 6);
    assert_eq!(resigned(&matrix, Black, 150), split(7, 5));
    assert_eq!(resigned(&matrix, Black, 399), split(7, 5));
    // And on again, shorter or longer.
    let shorter = matrix.with_move_rule(Some(80)).unwrap();
    assert_eq!(shorter.bands().len(), 4);
    assert_eq!((shorter.band_at(80), shorter.band_at(81)), (Some(3), None));
    assert_eq!(matrix.with_move_rule(Some(150)), sample_with_rule_only(150));
    assert_eq!(matrix.with_move_rule(Some(0)), Err(MatrixError::MoveRuleZero));
}

fn sample_with_rule_only(limit: u32) -> Result<Matrix, MatrixError> {
    varied(|spec| spec.move_rule = Some(limit))
}

#[test]
fn one_draw_offer_a_game_by_either_player() {
    let matrix = sample().unwrap();
    let mut offers = refused_draw(&matrix, 30);
    for side in Side::BOTH {
        assert_eq!(
            offers.offer_draw(&matrix, side, 60),
            Err(OfferError::Used { kind: OfferKind::Draw, by: B, move_number: 30 })
        );
    }
    assert!(!offers.is_open(OfferKind::Draw));
    assert_eq!(
        offers.offer_draw(&matrix, A, 60).unwrap_err().to_string(),
        "the game's one draw offer was made by black at move 30"
    );
}

#[test]
fn one_resignation_offer_a_game_by_either_player() {
    let matrix = sample().unwrap();
    let mut offers = refused_resignation(&matrix, 53);
    for side in Side::BOTH {
        assert_eq!(
            offers.offer_resignation(&matrix, side, 90),
            Err(OfferError::Used { kind: OfferKind::Resignation, by: B, move_number: 53 })
        );
    }
    assert!(!offers.is_open(OfferKind::Resignation));
}

#[test]
fn a_refused_draw_does_not_forbid_a_later_resignation_offer_nor_the_reverse() {
    let matrix = sample().unwrap();
    let mut draw_first = refused_draw(&matrix, 30);
    assert!(draw_first.is_open(OfferKind::Resignation));
    assert_eq!(draw_first.offer_resignation(&matrix, A, 50), Ok(()));
    let mut resignation_first = refused_resignation(&matrix, 30);
    assert!(resignation_first.is_open(OfferKind::Draw));
    assert_eq!(resignation_first.offer_draw(&matrix, B, 149), Ok(()));
}

#[test]
fn an_accepted_draw_is_6_6_and_saves_the_players_from_0_0() {
    let matrix = sample().unwrap();
    let mut offers = refused_resignation(&matrix, 53);
    offers.offer_draw(&matrix, B, 150).unwrap();
    assert_eq!(offers.accept(A).map(|offer| offer.kind), Ok(OfferKind::Draw));
    let ending = Ending::draw(Termination::DrawAgreed);
    assert_eq!(paid(&matrix, ending, White, 150, &offers), Some(split(6, 6)));
}

#[test]
fn an_offer_is_answered_at_once_by_the_opponent() {
    let matrix = sample().unwrap();
    let mut offers = OfferState::new();
    assert_eq!(offers.accept(A), Err(OfferError::NothingOffered));
    assert_eq!(offers.refuse(A), Err(OfferError::NothingOffered));
    offers.offer_draw(&matrix, B, 70).unwrap();
    let own = OfferError::OwnOffer { kind: OfferKind::Draw, side: B };
    assert_eq!((offers.accept(B), offers.refuse(B)), (Err(own), Err(own)));
    let unanswered = OfferError::Unanswered { kind: OfferKind::Draw, by: B };
    assert_eq!(offers.offer_resignation(&matrix, B, 70), Err(unanswered));
    assert_eq!(offers.offer_resignation(&matrix, A, 70), Err(unanswered));
    assert!(!offers.is_open(OfferKind::Resignation), "not before the answer");
    assert_eq!(offers.pending().map(|offer| (offer.by, offer.band)), Some((B, 2)));
    offers.accept(A).unwrap();
    assert_eq!(offers.refuse(A), Err(OfferError::NothingOffered));
    assert_eq!(offers.offer_resignation(&matrix, A, 71), Err(OfferError::Over { kind: OfferKind::Draw }));
}

#[test]
fn no_offer_outside_the_bands() {
    let matrix = sample().unwrap();
    let mut offers = OfferState::new();
    for move_number in [0, 151] {
        assert_eq!(offers.offer_draw(&matrix, A, move_number), Err(OfferError::NoBand { move_number }));
        assert_eq!(
            offers.offer_resignation(&matrix, A, move_number),
            Err(OfferError::NoBand { move_number })
        );
    }
    assert_eq!(offers, OfferState::new());
}

#[test]
fn accepted_resignation_pays_its_band_the_larger_number_to_the_side_that_accepted() {
    let matrix = sample().unwrap();
    for (from, to, winner, loser) in
        [(1, 45, 12, 0), (46, 60, 11, 1), (61, 75, 10, 2), (76, 90, 9, 3), (91, 105, 8, 4), (106, 150, 7, 5)]
    {
        for at in [from, to] {
            assert_eq!(resigned(&matrix, Black, at), split(winner, loser), "move {at}");
            assert_eq!(resigned(&matrix, White, at), split(loser, winner), "move {at}");
        }
    }
}

#[test]
fn accepted_resignation_counts_at_its_offer_not_at_the_last_move_played() {
    // White resigns before making move 76; the last move on the board is Black's 75th.
    let matrix = sample().unwrap();
    let mut offers = OfferState::new();
    offers.offer_resignation(&matrix, White, 76).unwrap();
    offers.accept(Black).unwrap();
    let ending = Ending::win(Black, Termination::Resignation);
    assert_eq!(paid(&matrix, ending, Black, 75, &offers), Some(split(3, 9)));
}

#[test]
fn seed_resignation_before_move_45_is_12_0() {
    assert_eq!(resigned(&sample().unwrap(), B, 44), split(12, 0));
}

#[test]
fn seed_offer_refused_at_53_mate_at_58_is_12_0() {
    let matrix = sample().unwrap();
    assert_eq!(mate(&matrix, A, 58, &refused_resignation(&matrix, 53)), split(12, 0));
}

#[test]
fn seed_offer_accepted_at_68_is_10_2() {
    assert_eq!(resigned(&sample().unwrap(), B, 68), split(10, 2));
}

#[test]
fn seed_offer_refused_at_68_mate_at_80_is_9_3() {
    let matrix = sample().unwrap();
    assert_eq!(mate(&matrix, A, 80, &refused_resignation(&matrix, 68)), split(9, 3));
}

#[test]
fn seed_offer_refused_at_68_mate_at_95_is_8_4() {
    let matrix = sample().unwrap();
    assert_eq!(mate(&matrix, A, 95, &refused_resignation(&matrix, 68)), split(8, 4));
}

#[test]
fn seed_a_band_changes_at_the_start_of_moves_76_and_91() {
    let matrix = sample().unwrap();
    let offers = refused_resignation(&matrix, 68);
    for (at, winner) in [(75, 12), (76, 9), (90, 9), (91, 8)] {
        assert_eq!(mate(&matrix, A, at, &offers), split(winner, 12 - winner), "move {at}");
    }
}

#[test]
fn refused_resignation_holds_whichever_side_mates() {
    let matrix = sample().unwrap();
    let offers = refused_resignation(&matrix, 53);
    assert_eq!(mate(&matrix, B, 58, &offers), split(0, 12));
    assert_eq!(mate(&matrix, B, 80, &offers), split(3, 9));
}

#[test]
fn refused_draw_leaves_checkmates_at_12_0_by_default() {
    let matrix = sample().unwrap();
    assert_eq!(mate(&matrix, A, 95, &refused_draw(&matrix, 53)), split(12, 0));
}

#[test]
fn refused_draw_starts_the_bands_by_option() {
    let matrix = varied(|spec| spec.refused_draw_starts_bands = true).unwrap();
    let offers = refused_draw(&matrix, 53);
    assert_eq!(mate(&matrix, A, 58, &offers), split(12, 0));
    assert_eq!(mate(&matrix, A, 80, &offers), split(9, 3));
}

#[test]
fn a_refused_resignation_goes_before_a_refused_draw() {
    let matrix = varied(|spec| spec.refused_draw_starts_bands = true).unwrap();
    let mut draw_first = refused_draw(&matrix, 53);
    draw_first.offer_resignation(&matrix, B, 68).unwrap();
    draw_first.refuse(A).unwrap();
    assert_eq!(mate(&matrix, A, 70, &draw_first), split(12, 0));
    let mut resignation_first = refused_resignation(&matrix, 53);
    resignation_first.offer_draw(&matrix, B, 68).unwrap();
    resignation_first.refuse(A).unwrap();
    assert_eq!(mate(&matrix, A, 70, &resignation_first), split(10, 2));
}

#[test]
fn limits_and_faults_have_no_points() {
    let matrix = sample().unwrap();
    for termination in [
        Termination::MoveLimit,
        Termination::FaultCrash,
        Termination::FaultHang,
        Termination::FaultIllegal,
        Termination::FaultProtocol,
    ] {
        let unknown = Ending { result: GameResult::Unknown, termination };
        assert_eq!(paid(&matrix, unknown, White, 400, &OfferState::new()), None);
        assert_eq!(paid(&matrix, Ending::win(White, termination), White, 30, &OfferState::new()), None);
    }
}

#[test]
fn endings_that_contradict_the_offers_are_errors() {
    let matrix = sample().unwrap();
    let pay = |ending: Ending, offers: &OfferState| {
        matrix.points(&Finish { ending, last_mover: White, move_number: 70 }, offers)
    };
    let resignation = Ending::win(A, Termination::Resignation);
    let none = OfferState::new();
    let error = pay(resignation, &none).unwrap_err();
    assert_eq!(error.to_string(), "the game ended by resignation but no offer of that kind was accepted");
    let mut offers = OfferState::new();
    offers.offer_resignation(&matrix, B, 68).unwrap();
    offers.accept(A).unwrap();
    assert_eq!(pay(resignation, &offers), Ok(Some(split(10, 2))));
    let error = pay(Ending::win(A, Termination::Checkmate), &offers).unwrap_err();
    assert_eq!(error.to_string(), "the game ended by checkmate but a resignation offer was accepted");
    let swapped = Ending::win(B, Termination::Resignation);
    assert_eq!(pay(swapped, &offers), Err(PointsError::ResignedAndWon { side: B }));
    let late = Finish { ending: Ending::win(A, Termination::Checkmate), last_mover: A, move_number: 151 };
    assert_eq!(matrix.points(&late, &none), Err(PointsError::NoBand { move_number: 151 }));
}

#[test]
fn milli_points_are_conserved() {
    let matrix = sample().unwrap();
    let stake = matrix.spec().stake.milli();
    for refused_at in 1..=150 {
        let offers = refused_resignation(&matrix, refused_at);
        for at in refused_at..=150 {
            for winner in Side::BOTH {
                let (white, black) = mate(&matrix, winner, at, &offers);
                assert_eq!(white.milli() + black.milli(), stake, "refused at {refused_at}, mate at {at}");
            }
        }
    }
}
