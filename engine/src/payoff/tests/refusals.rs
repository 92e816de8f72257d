//! Every way a matrix can be wrong, with the message that says so.

use super::*;

fn refused(change: impl FnOnce(&mut MatrixSpec)) -> String {
    varied(change).unwrap_err().to_string()
}

/// What the reader says of the sample file with one piece of text exchanged.
fn edited(from: &str, to: &str) -> String {
    assert!(SAMPLE_TOML.contains(from), "{from}");
    SAMPLE_TOML.replacen(from, to, 1).parse::<Matrix>().unwrap_err().to_string()
}

#[test]
fn bands_that_are_wrong_are_refused_by_name() {
    let cases: [(&str, String); 12] = [
        (
            "band 3 (moves 60-75, 10-2) overlaps band 2 (moves 46-60, 11-1)",
            refused(|spec| spec.bands[2].from = 60),
        ),
        (
            "band 3 (moves 62-75, 10-2) leaves a gap after band 2 (moves 46-60, 11-1): move 61 has no price",
            refused(|spec| spec.bands[2].from = 62),
        ),
        (
            "band 4 (moves 76-90, 11-1) rises again after band 3 (moves 61-75, 10-2): a later win may pay the winner \
             no more and the loser no less",
            refused(|spec| (spec.bands[3].winner, spec.bands[3].loser) = split(11, 1)),
        ),
        (
            "band 4 (moves 76-90, 9-1) rises again after band 3 (moves 61-75, 10-2): a later win may pay the winner \
             no more and the loser no less",
            refused(|spec| spec.bands[3].loser = points(1)),
        ),
        (
            "band 1 (moves 1-45, 13-0) pays more than the stake of 12",
            refused(|spec| spec.bands[0].winner = points(13)),
        ),
        (
            "band 2 (moves 46-60, 11-2) pays more than the stake of 12",
            refused(|spec| spec.bands[1].loser = points(2)),
        ),
        (
            "band 6 (moves 106-150, 5-7) pays the loser more than the winner",
            refused(|spec| (spec.bands[5].winner, spec.bands[5].loser) = split(5, 7)),
        ),
        (
            "band 1 (moves 2-45, 12-0) comes first but does not start at move 1",
            refused(|spec| spec.bands[0].from = 2),
        ),
        (
            "band 6 (moves 106-149, 7-5) comes last but ends before the move rule of 150",
            refused(|spec| spec.bands[5].to = Some(149)),
        ),
        (
            "band 6 (moves 106-151, 7-5) goes on after the move rule of 150",
            refused(|spec| spec.bands[5].to = Some(151)),
        ),
        (
            "band 6 (moves 106 and later, 7-5) goes on after the move rule of 150",
            refused(|spec| spec.bands[5].to = None),
        ),
        (
            "band 6 (moves 106-105, 7-5) ends before it starts: `to` is 105, expected 106 or later",
            refused(|spec| spec.bands[5].to = Some(105)),
        ),
    ];
    for (expected, message) in cases {
        assert_eq!(message, expected);
    }
}

#[test]
fn matrices_that_are_wrong_as_a_whole_are_refused() {
    assert_eq!(
        refused(|spec| spec.bands.clear()),
        "the matrix has no bands; expected at least one, from move 1 on"
    );
    assert_eq!(
        refused(|spec| spec.stake = MilliPoints::ZERO),
        "stake is 0; expected the points that a whole win pays"
    );
    assert_eq!(
        refused(|spec| spec.move_rule = None),
        "band 6 (moves 106-150, 7-5) ends at move 150 although there is no move rule; leave its `to` out"
    );
    assert_eq!(
        refused(|spec| spec.bands[4].to = None),
        "band 5 (moves 91 and later, 8-4) has no `to` although another band follows"
    );
    assert_eq!(
        refused(|spec| spec.stalemate = split(8, 5)),
        "stalemate = [8, 5] pays more than the stake of 12"
    );
    assert_eq!(refused(|spec| spec.draw = split(6, 7)), "draw = [6, 7] pays more than the stake of 12");
}

#[test]
fn a_band_move_numbers_cannot_overflow() {
    let message = refused(|spec| spec.bands[5].to = Some(u32::MAX));
    assert_eq!(message, "band 6 (moves 106-4294967295, 7-5) goes on after the move rule of 150");
    let message = refused(|spec| {
        spec.bands[0].to = Some(u32::MAX);
    });
    assert!(message.contains("overlaps band 1 (moves 1-4294967295, 12-0)"), "{message}");
}

#[test]
fn misspelt_keys_are_refused_with_the_nearest_known_one() {
    assert_eq!(
        edited("stalemate = ", "stalmate = "),
        "line 18: unknown key `stalmate` in the matrix; did you mean `stalemate`?"
    );
    assert_eq!(
        edited("move_rule", "move-rule"),
        "line 15: unknown key `move-rule` in the matrix; did you mean `move_rule`?"
    );
    assert_eq!(
        edited("winner = 11", "winer = 11"),
        "line 31: unknown key `winer` in band 2; did you mean `winner`?"
    );
    assert_eq!(
        edited("loser = 1 }", "loser = 1, zebra = 2 }"),
        "line 31: unknown key `zebra` in band 2; known keys are from, to, winner, loser"
    );
}

#[test]
fn missing_keys_are_named() {
    assert_eq!(edited("stake = 12", ""), "line 1: the matrix has no `stake`");
    assert_eq!(edited("move_rule = 150", ""), "line 1: the matrix has no `move_rule`");
    assert_eq!(edited(", winner = 10", ""), "line 32: band 3 has no `winner`");
    assert_eq!("".parse::<Matrix>().unwrap_err().to_string(), "line 1: the matrix has no `bands`");
}

#[test]
fn values_of_another_kind_are_quoted() {
    let points = "points, such as 12 or 7.5 (no sign, at most three decimals, at most a million)";
    for (from, to, expected) in [
        ("stake = 12", "stake = \"12\"", format!("line 12: `stake` in the matrix is \"12\", expected {points}")),
        ("stake = 12", "stake = -12", format!("line 12: `stake` in the matrix is -12, expected {points}")),
        ("stake = 12", "stake = 12.0001", format!("line 12: `stake` in the matrix is 12.0001, expected {points}")),
        ("stake = 12", "stake = 1e3", format!("line 12: `stake` in the matrix is 1e3, expected {points}")),
        ("stake = 12", "stake = inf", format!("line 12: `stake` in the matrix is inf, expected {points}")),
        ("stake = 12", "stake = 99999999999", format!("line 12: `stake` in the matrix is 99999999999, expected {points}")),
        (
            "= 150\n",
            "= \"non\"\n",
            "line 15: `move_rule` in the matrix is \"non\", expected a move number or \"none\"".to_owned(),
        ),
        (
            "\"full\"\n",
            "\"ful\"\n",
            "line 24: `checkmate_unoffered` in the matrix is \"ful\", expected \"full\" or \"banded\"".to_owned(),
        ),
        (
            "bands = false",
            "bands = 0",
            "line 26: `refused_draw_starts_bands` in the matrix is 0, expected true or false".to_owned(),
        ),
        (
            "[6, 6]",
            "[6]",
            "line 20: `draw` in the matrix is [6], expected two amounts of points, such as [7, 5]".to_owned(),
        ),
        ("from = 46", "from = -46", "line 31: `from` in band 2 is -46, expected a move number".to_owned()),
        ("from = 46", "from = 46.0", "line 31: `from` in band 2 is 46.0, expected a move number".to_owned()),
        (
            "  { from = 1, to = 45, winner = 12, loser = 0 },",
            "  7,",
            "line 30: `bands` in the matrix is 7, expected a band, such as { from = 1, to = 45, winner = 12, loser = 0 }"
                .to_owned(),
        ),
    ] {
        assert_eq!(edited(from, to), expected);
    }
}

#[test]
fn broken_toml_says_where() {
    assert!(edited("stake = 12", "stake : 12").starts_with("line 12: "));
    assert!(edited("stake = 12", "stake = 12\nstake = 13").starts_with("line 13: "));
    // Cut anywhere, and with a stray byte anywhere: refused or read, never a panic.
    for (end, _) in SAMPLE_TOML.char_indices() {
        let (before, after) = SAMPLE_TOML.split_at(end);
        let _ = before.parse::<Matrix>();
        let _ = format!("{before}é{after}").parse::<Matrix>();
        let _ = format!("{before}]{after}").parse::<Matrix>();
    }
    // Nested far deeper than anything real.
    for open in ["[", "{a=", "[["] {
        assert!(format!("bands = {}", open.repeat(100_000)).parse::<Matrix>().is_err());
    }
}
