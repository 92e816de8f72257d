//! Text from anywhere: PGN and move text may be wrong, but must not bring the reader down.

use crate::random::walk;
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::notation::parse_move;
use equipoise_engine::notation::pgn::{Eval, PgnGame, PgnReader, write_pgn};
use equipoise_engine::outcome::GameResult;
use equipoise_engine::search::Playable;
use proptest::prelude::*;

/// A change of a text: at which place (in thousandths), how many characters go, what comes instead.
type Edit = (usize, usize, String);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let piece = prop_oneof![
        "[\\[\\]{}();%$\"\\\\*+#=~@!?. \n]{0,3}",
        "[a-j][0-9]{1,2}",
        "[KQRNBDCWM]?[a-j]?x?[a-j](10|Ø|[1-9])",
        Just("0-0".to_owned()),
        Just("1-0".to_owned()),
        Just("1/2-1/2".to_owned()),
        Just("\n[Event \"x\"]\n".to_owned()),
        ".{0,4}",
    ];
    proptest::collection::vec((0_usize..=1000, 0_usize..6, piece), 0..4)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, gone, piece) in edits {
        let at = chars.len() * place / 1000;
        let end = (at + gone).min(chars.len());
        chars.splice(at..end, piece.chars());
    }
    chars.into_iter().collect()
}

/// Reads a PGN with changes in it; games that can still be read are written and read again.
struct Edited<'a> {
    seed: u64,
    edits: &'a [Edit],
}

impl Visitor for Edited<'_> {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let moves = walk(&game, self.seed, 12);
        let record = PgnGame {
            tags: vec![("White".to_owned(), "x".to_owned())],
            start: game.start(),
            evals: vec![Some(Eval::Centipawns(-7)); moves.len()],
            moves,
            result: GameResult::Unknown,
            termination: None,
        };
        let text = edited(&(write_pgn(&game, &record) + &write_pgn(&game, &record)), self.edits);
        for record in PgnReader::new(&game, &text).flatten() {
            let written = write_pgn(&game, &record);
            let again = PgnReader::new(&game, &written).next().and_then(Result::ok);
            let again = again.unwrap_or_else(|| panic!("{text}\nwas read, but this not:\n{written}"));
            assert_eq!((again.start, again.moves), (record.start, record.moves));
        }
    }
}

/// Reads a text as PGN and as a move.
struct Any<'a>(&'a str);

impl Visitor for Any<'_> {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let games = PgnReader::new(&game, self.0).count();
        assert!(games <= self.0.len() + 1);
        let _ = parse_move(&game, &game.start(), self.0);
    }
}

/// The game that a number stands for.
fn name(number: usize) -> &'static str {
    games::ALL[number % games::ALL.len()].name
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_games_are_read_or_refused(number in 0_usize..16, seed in 0_u64..8, edits in edits()) {
        games::with(name(number), [], Edited { seed, edits: &edits }).unwrap();
    }

    #[test]
    fn any_text_is_read_or_refused(number in 0_usize..16, text in "\\PC{0,60}") {
        games::with(name(number), [], Any(&text)).unwrap();
    }

    #[test]
    fn any_likely_text_is_read_or_refused(
        number in 0_usize..16,
        text in "([a-jKQRN]{0,2}[0-9x=~@+-]{0,2}|[\\[\\]{}();%$\"\\\\ \n]|\\[FEN \"|O-O|0-0|1-0|\\*| ){0,30}",
    ) {
        games::with(name(number), [], Any(&text)).unwrap();
    }
}
