//! Games from uneven armies, end to end.

mod support;

use support::{fail, succeed, write};
use tempfile::tempdir;

const CLAIMS: &str = r#"
game = "martian-shogi"
[[claim]]
id = "kings"
seed = "mine"
sentence = "A Monarch is worth more than a Pawn, and a Squire in hand than nothing."
test = "odds"
worth = ["K - P", "@S"]
unit = "log-odds"
comparison = "above"
threshold = 0.0
"#;

fn experiment(odds: &str) -> String {
    format!(
        "name = \"x\"\ngame = \"martian-shogi\"\nseed = 1\ngames = 60\nmove_limit = 60\nclaims = \"claims.toml\"\n\
         [openings]\nmethod = \"odds\"\nplies = 2\n[[openings.armies]]\nodds = {odds}\n\
         [[player]]\nname = \"p\"\nnodes = 30\n"
    )
}

#[test]
fn a_claim_on_worths_is_one_command_and_the_log_says_it_again() {
    let dir = tempdir().unwrap();
    write(dir.path(), "claims.toml", CLAIMS);
    write(dir.path(), "x.toml", &experiment("[\"P\", \"K-2P\", \"@S\"]"));
    let run = succeed(dir.path(), &["run", "x.toml", "--out", "log"]);
    for text in ["kings", "worth of", "K - P", "@S", "budget: 30 nodes", "60 unique"] {
        assert!(run.contains(text), "{text}: {run}");
    }
    let json = succeed(dir.path(), &["check", "log", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let claim = &json["claims"][0];
    assert_eq!(claim["worths"][1]["of"], "@S");
    assert_eq!(claim["unit"], "log-odds");
    assert!(
        claim["worths"][0]["interval"][0].as_f64().unwrap() < claim["worths"][0]["value"].as_f64().unwrap()
    );
    // Resolved, it names no odds: the manifest has the arrays.
    let manifest = std::fs::read_to_string(dir.path().join("log/manifest.toml")).unwrap();
    assert!(manifest.contains("MLBKKBLM[S] w"), "{manifest}");
}

#[test]
fn odds_that_cannot_be_are_refused_where_they_stand() {
    let dir = tempdir().unwrap();
    write(dir.path(), "claims.toml", CLAIMS);
    let error = |text: &str| {
        write(dir.path(), "x.toml", text);
        fail(dir.path(), 2, &["run", "x.toml", "--out", "log"])
    };
    let unknown = error(&experiment("[\"P\", \"N\"]"));
    assert!(
        unknown.contains("x.toml, line 11: odds `N`: `N`: expected a piece of martian-shogi"),
        "{unknown}"
    );
    let many = error(&experiment("[\"3K\"]"));
    assert!(many.contains("3K is more than a side has there (2)"), "{many}");
    // A claim on worths needs such openings.
    let plain = experiment("[]")
        .replace("method = \"odds\"\nplies = 2\n[[openings.armies]]\nodds = []", "method = \"fixed\"");
    let plain = error(&plain.replace("claims.toml\"", "claims.toml\"\nclaim_ids = [\"kings\"]"));
    assert!(plain.contains("claim kings is judged on games from uneven armies"), "{plain}");
    assert!(!dir.path().join("log").exists());
}
