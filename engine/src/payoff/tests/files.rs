//! The matrix files that come with the program, and what else must load.

use super::*;

const FILES: [(&str, &str); 5] = [
    ("magi-sample", SAMPLE_TOML),
    ("magi-16", include_str!("../../../../data/payoff/magi-16.toml")),
    ("magi-bands-20", include_str!("../../../../data/payoff/magi-bands-20.toml")),
    ("magi-first-10-2", include_str!("../../../../data/payoff/magi-first-10-2.toml")),
    ("winner-takes-all", include_str!("../../../../data/payoff/winner-takes-all.toml")),
];

fn load(name: &str) -> Matrix {
    let (_, text) = FILES.iter().find(|(known, _)| *known == name).unwrap();
    text.parse().unwrap()
}

#[test]
fn every_file_loads_says_its_own_name_and_where_it_comes_from() {
    for (name, text) in FILES {
        let matrix: Matrix = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(matrix.spec().name, name);
        assert!(!matrix.spec().provenance.is_empty());
        assert_eq!(matrix.spec().reconstructed, name == "magi-sample", "{name}");
        assert_eq!(matrix.spec().move_rule, Some(150));
    }
}

#[test]
fn every_file_survives_writing_and_reading() {
    for (name, _) in FILES {
        let matrix = load(name);
        assert_eq!(matrix.to_toml().parse(), Ok(matrix.clone()), "{name}");
        let open = matrix.with_move_rule(None).unwrap();
        assert_eq!(open.to_toml().parse(), Ok(open), "{name} without a move rule");
    }
    let quoted = varied(|spec| spec.provenance = "a \"quoted\"\nline \\ and 'more'".to_owned()).unwrap();
    assert_eq!(quoted.to_toml().parse(), Ok(quoted));
}

#[test]
fn the_sample_is_the_inventors_table() {
    let matrix = sample().unwrap();
    let spec = matrix.spec();
    assert_eq!(spec.stake, points(12));
    assert_eq!((spec.stalemate, spec.draw), (split(7, 5), split(6, 6)));
    assert_eq!(spec.checkmate_unoffered, CheckmateUnoffered::Full);
    assert!(!spec.refused_draw_starts_bands);
    let table: Vec<_> = matrix.bands().iter().map(|b| (b.from, b.to.unwrap(), b.winner, b.loser)).collect();
    let expected = [
        (1, 45, points(12), points(0)),
        (46, 60, points(11), points(1)),
        (61, 75, points(10), points(2)),
        (76, 90, points(9), points(3)),
        (91, 105, points(8), points(4)),
        (106, 150, points(7), points(5)),
    ];
    assert_eq!(table, expected);
}

#[test]
fn other_stakes_other_bands_and_a_first_band_of_10_2_load() {
    assert_eq!(load("magi-16").spec().stake, points(16));
    let twenty = load("magi-bands-20");
    assert_eq!((twenty.bands()[1].from, twenty.bands()[1].to), (41, Some(60)));
    assert_eq!((twenty.bands()[2].from, twenty.bands()[2].to), (61, Some(80)));
    let first = load("magi-first-10-2");
    assert_eq!(first.band_price(1), Ok(split(10, 2)));
    let half = MilliPoints::parse("9.5").unwrap();
    assert_eq!(first.band_price(46).unwrap().0, half);
    assert_eq!(load("winner-takes-all").band_price(150), Ok(split(12, 0)));
}

#[test]
fn odd_and_fractional_stakes_load_exactly() {
    let text = r#"
        name = "odd"
        stake = 7.125
        move_rule = "none"
        stalemate = [4, 3.125]
        draw = [3.5, 3.5]
        [[bands]]
        from = 1
        to = 30
        winner = 7.125
        loser = 0
        [[bands]]
        from = 31
        winner = 3.563
        loser = 3.562
    "#;
    let matrix: Matrix = text.parse().unwrap();
    assert_eq!(matrix.band_price(1000).map(|(w, l)| (w.milli(), l.milli())), Ok((3_563, 3_562)));
    assert_eq!(matrix.spec().draw.0.milli(), 3_500);
    assert!(!matrix.spec().reconstructed);
}

#[test]
fn paying_less_than_the_stake_is_allowed() {
    let matrix = varied(|spec| {
        spec.bands[5].winner = points(6);
        spec.draw = split(4, 5);
    });
    assert_eq!(matrix.unwrap().band_price(150), Ok(split(6, 5)));
}
