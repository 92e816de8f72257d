//! The other readings of the rules, each against the default in one position.

use super::*;
use crate::options::Provenance;

/// The FEN after one move under the default and under one option.
fn both(option: (&str, &str), fen: &str, m: &str) -> (String, String) {
    (health_after(&game(&[]), fen, m), health_after(&game(&[option]), fen, m))
}

#[test]
fn numbers_are_reconstructed_other_readings_choices() {
    for option in INFO.options {
        let expected = match option.name {
            "numbers" => Provenance::Reconstructed,
            "white_setup" | "black_setup" => Provenance::Experiment,
            _ => Provenance::Choice,
        };
        assert_eq!(option.provenance, expected, "{}", option.name);
    }
}

#[test]
fn every_option_value_makes_a_game_whose_random_games_keep_their_keys() {
    for option in INFO.options {
        for value in option.values {
            super::walks::walk(&game(&[(option.name, value)]), 3, 60);
        }
    }
}

#[test]
fn hot_numbers_hit_harder() {
    let fen = "7k/8/8/3n1q2/4P3/8/8/K7 w - - 0 1 -";
    let (first, hot) = both(("numbers", "hot"), fen, "a1a2");
    assert_eq!((first.as_str(), hot.as_str()), ("250,135,160,100,250", "250,130,155,100,250"));
}

/// Numbers of one's own are in the option's value, so in whatever names the game: two sets cannot be confused.
#[test]
fn numbers_of_ones_own_are_an_options_value() {
    let own = Numbers { attack: [20, 35, 0, 25, 45, 0], ..Numbers::hot() };
    let by_call = MChess::with_numbers(game(&[("numbers", "hot")]).options().clone(), own.clone()).unwrap();
    let line = "100-150-125-200-175-250/20-35-25-45/8-40-60-40";
    assert_eq!(by_call.options().get("numbers"), line);
    let by_option = game(&[("numbers", line)]);
    assert_eq!((by_option.options(), by_option.numbers()), (by_call.options(), &own));
    // Numbers that are a named set go by its name.
    let hot = game(&[("numbers", &Numbers::hot().to_string())]);
    assert_eq!(hot.options(), game(&[("numbers", "hot")]).options());
    let fen = "7k/8/8/3n1q2/4P3/8/8/K7 w - - 0 1 -";
    let stronger = line.replacen("20-", "30-", 1);
    let (weak, strong) = (by_option, game(&[("numbers", &stronger)]));
    assert_ne!(health_after(&weak, fen, "a1a2"), health_after(&strong, fen, "a1a2"));
}

#[test]
fn numbers_that_are_not_exact_under_the_options_are_refused() {
    let resolve = |pairs: &[(&str, &str)]| {
        Options::resolve("mchess", INFO.options, pairs.iter().copied()).map_err(|e| e.to_string())
    };
    // 105 points of a bishop: 8,400 x 2.56 x 0.4 is not whole; under additive buffs all is.
    let line = "100-150-105-200-175-250/15-20-10-20/8-40-60-40";
    assert!(resolve(&[("numbers", line)]).is_ok());
    for order in
        [[("numbers", line), ("buffs", "multiplicative")], [("buffs", "multiplicative"), ("numbers", line)]]
    {
        let message = resolve(&order).unwrap_err();
        assert!(message.contains(line) && message.contains("the numbers of the bishop"), "{message}");
    }
    let message = resolve(&[("numbers", "frist")]).unwrap_err();
    assert!(message.contains("did you mean `first`?"), "{message}");
    assert!(resolve(&[("numbers", "1-2-3")]).unwrap_err().contains("`1-2-3` is no set on one line"));
}

#[test]
fn buffs_multiply() {
    let fen = "7k/8/8/3n4/8/4N3/8/K1B3B1 w - - 0 1 -";
    // 20 x 2.2 = 44; 20 x 2.56 = 51.2.
    let (additive, multiplicative) = both(("buffs", "multiplicative"), fen, "a1a2");
    assert!(additive.starts_with("250,106,") && multiplicative.starts_with("250,98.8,"), "{multiplicative}");
}

#[test]
fn bishops_buff_is_blocked() {
    // Black's pawn on d3 is between the bishop b1 and the pawn e4; the pawn d3 itself is no own piece.
    let fen = "7k/8/8/3n4/4P3/3p4/8/KB6 w - - 0 1 -";
    let (through, blocked) = both(("bishop_buff_blocked", "true"), fen, "a1a2");
    assert!(through.starts_with("250,126,") && blocked.starts_with("250,135,"), "{through} {blocked}");
    // The first piece on the diagonal is buffed.
    let near = "7k/8/8/3n4/4P3/8/8/KB6 w - - 0 1 -";
    let (through, blocked) = both(("bishop_buff_blocked", "true"), near, "a1a2");
    assert_eq!(through, blocked);
}

#[test]
fn kings_damage_is_of_his_own_health() {
    let fen = "8/8/3qkp2/8/4K3/8/8/8 w - - 0 1 -";
    let (victim, own) = both(("king_damage", "own"), fen, "e4e5");
    assert_eq!((victim.as_str(), own.as_str()), ("161,230,92,250", "155,230,80,250"));
}

#[test]
fn queen_loses_tenths() {
    let fen = "7k/8/8/q7/8/8/8/Q6K w - - 0 1 -";
    // a5 at 4 steps: 20 x 5/8 = 12.5; 20 x 7/10 = 14.
    let (eighths, tenths) = both(("queen_decay", "tenths"), fen, "h1g1");
    assert_eq!(eighths.split(',').nth(1), Some("162.5"));
    assert_eq!(tenths.split(',').nth(1), Some("161"));
}

#[test]
fn queen_attacks_past_her_own_pieces() {
    let fen = "6k1/8/8/8/n7/8/P7/Q6K w - - 0 1 249,150,100,175,250";
    // a4 at 3 steps: 20 x 6/8 = 15.
    let (first_piece, first_enemy) = both(("queen_past_own", "true"), fen, "h1g1");
    assert_eq!(first_piece.split(',').nth(1), Some("150"));
    assert_eq!(first_enemy.split(',').nth(1), Some("135"));
    // An enemy still stops her.
    let fen = "6k1/8/n7/8/n7/8/P7/Q6K w - - 0 1 249,150,150,100,175,250";
    assert!(health_after(&game(&[("queen_past_own", "true")]), fen, "h1g1").starts_with("249,150,135,"));
}

#[test]
fn pawning_as_an_attack_is_buffed_and_absorbed() {
    let fen = "4r2k/8/8/3n4/4P3/8/B7/K7 w - - 0 1 -";
    // 60 x 1.6 (bishop a2 on d5) = 96: rook e8 takes 38.4, the knight on e4 57.6. Rook e8 is not hit by d5.
    let (at_once, as_attack) = both(("pawning_damage", "as_attack"), fen, "e4xd5");
    assert_eq!(
        (at_once.as_str(), as_attack.as_str()),
        ("200,250,100,90,125,250", "161.6,250,100,92.4,125,250")
    );
}

#[test]
fn pawning_a_pawn_home_may_be_forbidden() {
    let forbidden = game(&[("pawn_swapped_home", "forbidden")]);
    let fen = "K6k/8/8/8/8/8/3p1n2/4P3 w e1 - 0 1 -";
    assert_eq!(moves_from(&game(&[]), fen, "e1"), ["e2", "e3", "xd2", "xf2"]);
    assert_eq!(moves_from(&forbidden, fen, "e1"), ["e2", "e3", "xf2"]);
    let higher = "K6k/8/8/8/8/3p4/4P3/8 w e2 - 0 1 -";
    assert_eq!(moves_from(&forbidden, higher, "e2"), ["e3", "e4", "xd3"]);
}
