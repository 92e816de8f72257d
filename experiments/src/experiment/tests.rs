use super::*;
use std::path::Path;

const FULL: &str = r#"
name = "full"
game = "magi"
seed = 0x7fffffffffffffff
games = 40
move_limit = 300
claims = "magi"
claim_ids = ["magi-length", "magi-control"]
[options]
dead_positions = "drawn"
[openings]
method = "random"
plies = 8
balance = 150
balance_nodes = 500
[payoff]
matrix = "magi-16"
move_rule = "none"
[[player]]
name = "a"
nodes = 1000
[player.search]
aspiration = 30
[player.offers]
policy = "threshold"
resign_at = -900
resign_for = 3
play_on_at = 1500
draw_within = 15
draw_from = 60
accept_draw_at = -5
[[player]]
name = "b"
kind = "random"
"#;

fn parse(text: &str) -> Experiment {
    read("x.toml", text, Path::new(".")).unwrap()
}

/// What a manifest says is what is played again.
#[test]
fn a_sequential_test_needs_two_players_and_two_hypotheses_in_order() {
    let two = FULL.replace("[options]", "[sprt]\nelo0 = -5\nelo1 = 2.5\n[options]");
    let experiment = parse(&two);
    assert_eq!(experiment.sprt, Some(SprtSpec { elo0: -5.0, elo1: 2.5 }));
    assert_eq!(parse(&toml::to_string(&experiment.to_toml()).unwrap()), experiment);
    let error = |text: &str| format!("{:#}", read("x.toml", text, Path::new(".")).unwrap_err());
    let one = two.replace("[[player]]\nname = \"b\"\nkind = \"random\"\n", "");
    assert!(error(&one).contains("[sprt] tests one player against another"), "{}", error(&one));
    let wrong = error(&two.replace("elo1 = 2.5", "elo1 = -6"));
    assert!(wrong.contains("[sprt]") && wrong.contains("elo1 is -6"), "{wrong}");
    let missing = error(&two.replace("elo1 = 2.5", ""));
    assert!(missing.contains("[sprt] has no `elo1`"), "{missing}");
}

#[test]
fn a_resolved_experiment_reads_back_to_itself() {
    let temperature = FULL.replace(
        "method = \"random\"\nplies = 8\nbalance = 150\nbalance_nodes = 500",
        "method = \"temperature\"\nplies = 4\nnodes = 10\nscale = 55.5",
    );
    let built_in = BUILT_IN.map(|(_, text)| text);
    let fallible = FULL.replace("nodes = 1000\n", "nodes = 1000\nnoise = 80\nblunder = 0.02\n");
    for text in [FULL, &temperature, &fallible].into_iter().chain(built_in) {
        let experiment = parse(text);
        let written = toml::to_string(&experiment.to_toml()).unwrap();
        assert_eq!(parse(&written), experiment, "{written}");
    }
    let full = parse(FULL);
    assert_eq!((full.units(), full.games_per_unit(), full.seed), (20, 2, MAX_SEED));
    assert_eq!(full.claims.len(), 2);
}

/// Options that are data of the payoff have one truth: they cannot be set and have no effect.
#[test]
fn options_and_payoff_agree() {
    let option = |e: &Experiment, name: &str| {
        e.options.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()).unwrap_or_default()
    };
    let mut e = parse(FULL);
    assert_eq!((option(&e, "move_rule").as_str(), e.limits().move_rule), ("false", None));
    e.set_option("checkmate_unoffered", "banded").unwrap();
    let matrix = e.payoff.clone().unwrap();
    assert_eq!(matrix.spec().checkmate_unoffered.name(), "banded");
    let error = e.set_option("move_rule", "true").unwrap_err().to_string();
    assert!(error.contains("option move_rule is true"), "{error}");
    // A game for points has the sample matrix and its move rule unless told otherwise.
    let plain = FULL
        .replace("[payoff]\nmatrix = \"magi-16\"\nmove_rule = \"none\"\n", "")
        .replace("claim", "# claim");
    let mut e = parse(&plain);
    assert_eq!((option(&e, "move_rule").as_str(), e.limits().move_rule), ("true", Some(150)));
    e.set_option("move_rule", "false").unwrap();
    assert_eq!(e.limits().move_rule, None);
}

#[test]
fn openings_come_from_files_too() {
    let dir = tempfile::tempdir().unwrap();
    let fens = "# two positions\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n\
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - bm d7d5; id \"x\";\n";
    std::fs::write(dir.path().join("two.epd"), fens).unwrap();
    let text = |games: u32| {
        format!(
            "name = \"f\"\ngame = \"chess\"\nseed = 1\ngames = {games}\n[openings]\nmethod = \"file\"\n\
             file = \"two.epd\"\n[[player]]\nname = \"a\"\nkind = \"random\"\n"
        )
    };
    let experiment = read("x.toml", &text(2), dir.path()).unwrap();
    let Openings::File { fens, .. } = &experiment.openings else { panic!("{:?}", experiment.openings) };
    assert_eq!(fens.len(), 2);
    assert!(fens[1].ends_with(" b KQkq - 0 1"), "{}", fens[1]);
    let error = format!("{:#}", read("x.toml", &text(3), dir.path()).unwrap_err());
    assert!(error.contains("the openings file holds 2 positions, and games = 3 needs 3"), "{error}");
    std::fs::write(dir.path().join("two.epd"), "not a position\n").unwrap();
    let error = format!("{:#}", read("x.toml", &text(1), dir.path()).unwrap_err());
    assert!(error.contains("position 1 of the openings file") && error.contains("FEN"), "{error}");
}

/// From a file with random plies after it, units may outnumber the positions.
#[test]
fn positions_of_a_file_can_be_gone_on_from() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let file = |plies| {
        format!(
            "name = \"f\"\ngame = \"chess\"\nseed = 1\ngames = 30\n[openings]\nmethod = \"file\"\n\
             plies = {plies}\nfens = [\"{start}\", \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n[[player]]\n\
             name = \"p\"\nkind = \"random\"\n"
        )
    };
    let message = read("x.toml", &file(0), Path::new(".")).unwrap_err();
    assert!(format!("{message:#}").contains("holds 2 positions"), "{message:#}");
    let experiment = parse(&file(3));
    struct Draw<'a>(&'a Experiment);
    impl engine::games::Visitor for Draw<'_> {
        type Output = Vec<(u64, usize)>;
        fn visit<G: engine::search::Playable>(self, game: G) -> Self::Output {
            let mut source = crate::openings::Source::new(game, self.0).unwrap();
            (0..30).map(|_| source.draw().unwrap()).map(|o| (o.id, o.moves.len())).collect()
        }
    }
    let drawn = engine::games::with("chess", [], Draw(&experiment)).unwrap();
    assert!(drawn.iter().all(|(_, plies)| *plies == 3));
    let first = drawn.iter().filter(|(id, _)| *id == 1).count();
    assert!((5..=25).contains(&first), "both positions are drawn: {first} of 30");
}

/// Units of two games that differ in whose set-up is whose, each pair of set-ups once.
#[test]
fn set_ups_are_exchanged_within_a_unit() {
    let text = "name = \"x\"\ngame = \"mchess\"\nseed = 1\ngames = 40\n[openings]\nmethod = \"setups\"\n\
                exchange = true\n[[player]]\nname = \"a\"\nnodes = 10\n";
    let experiment = parse(text);
    assert_eq!((experiment.games_per_unit(), experiment.units()), (2, 20));
    assert_eq!((experiment.seats(0), experiment.seats(1)), ([0, 0], [0, 0]));
    struct Draw<'a>(&'a Experiment);
    impl engine::games::Visitor for Draw<'_> {
        type Output = Vec<[String; 2]>;
        fn visit<G: engine::search::Playable>(self, game: G) -> Self::Output {
            let mut source = crate::openings::Source::new(game.clone(), self.0).unwrap();
            let fens = |o: crate::openings::Opening<G::State>| [0, 1].map(|i| game.fen(&o.of_game(i).start));
            (0..20).map(|_| fens(source.draw().unwrap())).collect()
        }
    }
    let drawn = engine::games::with("mchess", [], Draw(&experiment)).unwrap();
    for [first, second] in &drawn {
        let ranks =
            |fen: &String| -> Vec<String> { fen.split([' ', '/']).take(8).map(str::to_owned).collect() };
        let turned: Vec<String> = ranks(second)
            .iter()
            .rev()
            .map(|r| {
                r.chars()
                    .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                    .collect()
            })
            .collect();
        assert_eq!(ranks(first), turned);
        assert_ne!(first, second);
    }
    for (change, expected) in [
        (text.replace("games = 40", "games = 41"), "games is 41, expected an even number"),
        (text.replace("exchange", "plies = 2\nexchange"), "exchange = true is for"),
        (text.replace("mchess", "chess960"), "exchange = true is for"),
        (text.replace("exchange = true", "exchange = 1"), "true or false"),
    ] {
        let error = format!("{:#}", read("x.toml", &change, Path::new(".")).unwrap_err());
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn fixed_colours_are_for_two_players() {
    let fixed = parse(&FULL.replace("games = ", "colours = \"fixed\"\ngames = "));
    assert_eq!((fixed.games_per_unit(), fixed.seats(0)), (1, [0, 1]));
    let written = toml::to_string(&fixed.to_toml()).unwrap();
    assert_eq!(parse(&written), fixed);
    let one = "name = \"x\"\ngame = \"chess\"\nseed = 1\ngames = 2\ncolours = \"fixed\"\n[openings]\n\
               method = \"random\"\nplies = 4\n[[player]]\nname = \"a\"\nnodes = 10\n";
    let error = format!("{:#}", read("x.toml", one, Path::new(".")).unwrap_err());
    assert!(error.contains("two players without [sprt]"), "{error}");
}
