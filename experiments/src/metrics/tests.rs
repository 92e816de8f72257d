use super::*;
use crate::log::MetricsRow;
use engine::games::Visitor;
use engine::notation::parse_uci;
use engine::search::Playable;

struct Derive<'a> {
    fen: Option<&'a str>,
    moves: &'a str,
    opening: usize,
}

impl Visitor for Derive<'_> {
    type Output = MetricsRow;

    fn visit<G: Playable>(self, game: G) -> MetricsRow {
        let start = self.fen.map_or_else(|| game.start(), |fen| game.parse_fen(fen).unwrap());
        let mut state = start.clone();
        let mut moves = Vec::new();
        for text in self.moves.split_whitespace() {
            let m = parse_uci(&game, &state, text).unwrap();
            game.play(&mut state, m, &mut ());
            moves.push(m);
        }
        let values = ValueTable::rule_of_thumb(&game).by_kind(&game).unwrap();
        let evals = vec!["-".to_owned(); moves.len()];
        let opening_plies = self.opening;
        derive(
            1,
            &Replay { game: &game, start, moves: &moves, evals: &evals, opening_plies, values: &values },
        )
    }
}

fn chess(fen: Option<&str>, moves: &str, opening: usize) -> MetricsRow {
    engine::games::with("chess", [], Derive { fen, moves, opening }).unwrap()
}

#[test]
fn captures_checks_and_promotions_are_counted() {
    let m = chess(None, "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a5a4 c7d8q e8d8", 2);
    assert_eq!(m.get("captures"), "4");
    assert_eq!((m.get("ep_captures_white"), m.get("ep_captures_black")), ("1", "0"));
    assert_eq!(m.get("promotions"), "Q");
    assert_eq!(m.get("checks"), "9P");
    assert_eq!(m.get("decision_moves"), "7", "the king's capture was the only move");
    assert_eq!(m.get("drops"), "0");
    assert_eq!(m.get("pawns_at_30"), "");
    // Nothing was quiet for four plies yet.
    assert_eq!((m.get("first_behind"), m.get("max_deficit_black")), ("", "0.00"));
}

#[test]
fn a_deficit_counts_once_it_is_quiet() {
    let game = "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a5a4 c7d8q e8d8 b1c3 b8c6 g1f3 g8f6 h2h3 h7h6";
    let m = chess(None, game, 0);
    // Black has lost the queen and two pawns for a pawn.
    let (side, rest) = m.get("first_behind").split_once(':').unwrap();
    let (ply, pawns) = rest.split_once(':').unwrap();
    assert_eq!(side, "black");
    assert!((13..=14).contains(&ply.parse::<u32>().unwrap()), "{ply}");
    assert_eq!(pawns, m.get("max_deficit_black"));
    assert_eq!(m.get("max_deficit_white"), "0.00");
    assert_eq!(m.get("down3"), "");
}

#[test]
fn three_pieces_down_is_seen() {
    let fen = "4k3/pp6/8/8/8/8/PP6/RNB1K3 w - - 0 1";
    let m = chess(Some(fen), "e1e2 e8e7 e2e3 e7e6 e3e4 e6e7", 0);
    assert_eq!(m.get("down3"), "b");
}

#[test]
fn pawns_are_counted_when_move_30_begins() {
    let fen = "4k3/pp6/8/8/8/8/PPP5/4K3 b - - 0 28";
    assert_eq!(chess(Some(fen), "a7a6 a2a3 b7b6 b2b3", 0).get("pawns_at_30"), "5");
    assert_eq!(chess(Some(fen), "a7a6 a2a3", 0).get("pawns_at_30"), "");
}

#[test]
fn the_centre_is_half_developed_by_a_move() {
    let fen = "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1";
    let m = chess(Some(fen), "a2a4 b7b5 a4a5 b5b4", 0);
    assert_eq!((m.get("centre_half_white"), m.get("centre_half_black")), ("2", "2"));
    assert_eq!(chess(Some(fen), "a2a4 b7b5", 0).get("centre_half_white"), "");
}

/// A pawn that has passed counts for good; one captured before can pass no more.
#[test]
fn captured_pawns_end_the_look_at_their_side() {
    let fen = "4k3/ppp5/8/8/8/2n5/PPP5/4K3 b - - 0 1";
    // The knight takes two of three white pawns on their rank.
    let m = chess(Some(fen), "c3a2 e1f1 a2b4 f1g1", 0);
    assert_eq!((m.get("centre_half_white"), m.get("centre_lost_white")), ("", ""));
    let m = chess(Some(fen), "c3a2 e1f1 a2b4 f1g1 b4c2", 0);
    assert_eq!((m.get("centre_half_white"), m.get("centre_lost_white")), ("", "3"));
    assert_eq!(m.get("centre_lost_black"), "");
    // Past the rank before it is taken: half of one white pawn.
    let fen = "4k3/8/2n5/8/P7/8/8/4K3 w - - 0 1";
    let m = chess(Some(fen), "a4a5 c6a5", 0);
    assert_eq!((m.get("centre_half_white"), m.get("centre_lost_white")), ("1", ""));
}

/// In Martian Shogi Pawns and Peasants count, and those dropped do not.
#[test]
fn dropped_pieces_do_not_develop() {
    let derive = |moves| {
        let fen = "k7/8/3p4/8/2EP4/8/8/K7[EE] w - 0 1";
        engine::games::with("martian-shogi", [], Derive { fen: Some(fen), moves, opening: 0 }).unwrap()
    };
    assert_eq!(derive("E@e6 a8b8 E@e7").get("centre_half_white"), "");
    let m = derive("E@e6 a8b8 d4d5");
    assert_eq!((m.get("centre_half_white"), m.get("drops")), ("2", "1"));
    // Black's only Pawn is captured on its sixth rank.
    assert_eq!(derive("d4d5 a8b8 d5d6").get("centre_lost_black"), "2");
}
