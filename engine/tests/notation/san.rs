//! Short move text.

use crate::random::walk;
use equipoise_engine::game::Which;
use equipoise_engine::games::{self, Visitor};
use equipoise_engine::notation::{SanError, legal_uci, parse_move, parse_uci, san, with_slashed_ten};
use equipoise_engine::search::Playable;
use std::collections::BTreeSet;

/// What the moves of a position are written as, sorted by UCI.
struct Texts<'a>(&'a str);

impl Visitor for Texts<'_> {
    type Output = Vec<String>;
    fn visit<G: Playable>(self, game: G) -> Vec<String> {
        let state = if self.0.is_empty() { game.start() } else { game.parse_fen(self.0).unwrap() };
        let moves = legal_uci(&game, &state);
        moves.iter().map(|uci| san(&game, &state, parse_uci(&game, &state, uci).unwrap())).collect()
    }
}

#[track_caller]
fn has(game: &str, fen: &str, expected: &[&str]) {
    let texts = games::with(game, [], Texts(fen)).unwrap();
    for text in expected {
        assert!(texts.iter().any(|t| t == text), "`{text}` is not among {}", texts.join(" "));
    }
}

/// What a text is read as, in UCI, or the error.
struct Read<'a>(&'a str, &'a str);

impl Visitor for Read<'_> {
    type Output = Result<String, SanError>;
    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let state = if self.0.is_empty() { game.start() } else { game.parse_fen(self.0).unwrap() };
        parse_move(&game, &state, self.1).map(|m| game.uci(&state, m))
    }
}

fn read(game: &str, fen: &str, text: &str) -> Result<String, SanError> {
    games::with(game, [], Read(fen, text)).unwrap()
}

#[test]
fn chess_is_written_as_the_standard_says() {
    has("chess", "", &["e4", "Nf3", "a3"]);
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    has("chess", castling, &["O-O", "O-O-O", "Rxa8+", "Rd1", "Kd1"]);
    has("chess", "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1", &["a8=Q+", "a8=N"]);
    has("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["exd6", "e6"]);
    // Two knights on a file, two rooks on a rank, three queens around a square.
    has("chess", "4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", &["N1c3", "N5c3", "N1a3"]);
    has("chess", "3k4/8/8/8/8/8/K7/R6R w - - 0 1", &["Rad1+", "Rhd1+", "Rhb1"]);
    has("chess", "8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", &["Qh4e1", "Qee1", "Q1e1"]);
    has("chess", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &["Ra8#"]);
}

#[test]
fn other_games_add_their_own() {
    has("multi-chess", "", &["Ke8~e8", "Ke8~f8", "Ke8~d8"]);
    has("magi", "9k/10/10/10/10/10/10/10/10/1N3K4 w - - 0 1 -", &["Nc3", "Na3"]);
    has("magi", "9k/1N8/10/10/10/10/10/10/10/5K4 w - - 0 1 -", &["Nd10"]);
    has("mchess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 -", &["e4~d5", "e5"]);
    has("mchess", "3pk3/4P3/8/8/8/8/8/4K3 w - - 0 1 -", &["e7~d8=Q"]);
    assert_eq!(with_slashed_ten("Nxb10+"), "NxbØ+");
}

#[test]
fn what_people_write_is_read() {
    let chess = |fen, text| read("chess", fen, text).unwrap();
    for text in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3!?", "Nf3+", "g1f3", " Nf3 "] {
        assert_eq!(chess("", text), "g1f3", "{text}");
    }
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["O-O", "0-0", "o-o", "e1g1", "0-0!"] {
        assert_eq!(chess(castling, text), "e1g1", "{text}");
    }
    assert_eq!(chess(castling, "0-0-0"), "e1c1");
    let promotion = "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1";
    for text in ["a8=R+", "a8R", "a8(R)", "a7a8r"] {
        assert_eq!(chess(promotion, text), "a7a8r", "{text}");
    }
    assert_eq!(chess("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e.p."), "e5d6");
    let magi = "9k/1N8/10/10/10/10/10/10/10/5K4 w - - 0 1 -";
    assert_eq!(read("magi", magi, "NdØ").unwrap(), "b9d10");
}

#[test]
fn errors_quote_the_text_and_the_choices() {
    let error = read("chess", "", "Nf4").unwrap_err().to_string();
    assert!(error.starts_with("`Nf4` is not a legal move of chess in `rnbqkbnr/"), "{error}");
    assert!(error.contains("did you mean `Nf3`"), "{error}");
    let error = read("chess", "4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "Nc3").unwrap_err().to_string();
    assert!(error.contains("`Nc3` may mean N1c3 or N5c3"), "{error}");
    // A promotion must say to what.
    assert!(read("chess", "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1", "a8").is_err());
    for text in ["", "x", "=", "O", "0-0-0-0", "Ø", "é4", "e4e", "--", "1-0"] {
        assert!(read("chess", "", text).is_err(), "{text}");
    }
}

/// Every legal move of every position of some random games is written apart from all others and read
/// back, short and in UCI; gives the number of moves and what kinds of text came up.
struct RoundTrip;

impl Visitor for RoundTrip {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let name = game.info().name;
        let mut read = 0;
        for seed in 0..6 {
            let mut state = game.start();
            for (ply, m) in walk(&game, seed, 160).into_iter().enumerate() {
                let mut list = Vec::new();
                game.generate(&state, Which::All, &mut list);
                let texts: BTreeSet<String> = list.iter().map(|&m| san(&game, &state, m)).collect();
                assert_eq!(
                    texts.len(),
                    list.len(),
                    "{name}: two moves are written alike in {}",
                    game.fen(&state)
                );
                // Reading is quadratic in the moves: the whole list now and then, one move each time.
                let sample = if ply % 20 == 0 { &list[..list.len().min(80)] } else { &[m][..] };
                for &m in sample {
                    let text = san(&game, &state, m);
                    let again = parse_move(&game, &state, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
                    assert_eq!(again, m, "{name}: {text} in {}", game.fen(&state));
                    let uci = game.uci(&state, m);
                    let again = parse_move(&game, &state, &uci).unwrap_or_else(|e| panic!("{name}: {e}"));
                    assert_eq!(again, m, "{name}: {uci} in {}", game.fen(&state));
                    read += 1;
                }
                game.play(&mut state, m, &mut ());
            }
        }
        assert!(read > 500, "{name}: only {read} moves were read");
    }
}

#[test]
fn every_game_reads_what_it_writes() {
    for info in games::ALL {
        games::with(info.name, [], RoundTrip).unwrap();
    }
}
