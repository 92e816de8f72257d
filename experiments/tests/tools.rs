//! `compare`, `plan` and `sensitivity` on small experiments.

mod support;

use serde_json::Value;
use support::{experiment, fail, succeed, write};
use tempfile::tempdir;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn figure<'a>(compared: &'a Value, name: &str) -> &'a Value {
    compared["figures"].as_array().unwrap().iter().find(|f| f["name"] == name).unwrap()
}

#[test]
fn runs_of_the_same_openings_are_compared_opening_by_opening() {
    let dir = tempdir().unwrap();
    write(dir.path(), "a.toml", &experiment(""));
    write(dir.path(), "b.toml", &experiment("").replace("nodes = 60", "nodes = 30"));
    succeed(dir.path(), &["run", "a.toml", "--out", "a", "--games", "8"]);
    succeed(dir.path(), &["run", "b.toml", "--out", "b", "--games", "6"]);
    succeed(dir.path(), &["run", "a.toml", "--out", "other", "--games", "8", "--seed", "9"]);
    let paired = json(&succeed(dir.path(), &["compare", "a", "b", "--json"]));
    assert_eq!(paired["paired_units"], 6);
    let length = figure(&paired, "Length");
    assert_eq!(length["units"], serde_json::json!([6, 6]));
    let (low, high) = (length["interval"][0].as_f64().unwrap(), length["interval"][1].as_f64().unwrap());
    let difference = length["difference"].as_f64().unwrap();
    assert!(low <= difference && difference <= high);
    // A run less itself is nothing, without any doubt.
    let same = json(&succeed(dir.path(), &["compare", "a", "a", "--json"]));
    assert_eq!(figure(&same, "Length")["interval"], serde_json::json!([0.0, 0.0]));
    assert_eq!(same["differs"], serde_json::json!([]));
    let apart = json(&succeed(dir.path(), &["compare", "a", "other", "--json"]));
    assert_eq!(apart["paired_units"], Value::Null);
    assert_eq!(apart["differs"], serde_json::json!(["seed (7 against 9)"]));
    assert_eq!(figure(&apart, "Completion")["method"], "two proportions, Newcombe");
    let text = succeed(dir.path(), &["compare", "a", "b"]);
    assert!(text.contains("they differ in: games (8 against 6), player"), "{text}");
    assert!(text.contains("paired by opening, t"), "{text}");
    // A log that does not add up is not compared.
    let path = dir.path().join("b/games.csv");
    let games = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, games.replacen(",magi,", ",mageca,", 1)).unwrap();
    let error = fail(dir.path(), 2, &["compare", "a", "b"]);
    assert!(error.contains("games.csv, row 1"), "{error}");
}

#[test]
fn a_plan_has_time_and_power_and_plays_no_game_of_the_run() {
    let dir = tempdir().unwrap();
    write(dir.path(), "x.toml", &experiment(""));
    let plan = json(&succeed(dir.path(), &["plan", "x.toml", "--seconds", "1", "--json", "--threads", "1"]));
    assert_eq!((&plan["games"], &plan["units"]), (&24.into(), &24.into()));
    let (hours, unit) = (plan["hours"].as_f64().unwrap(), plan["seconds_a_unit"].as_f64().unwrap());
    assert!(unit > 0.0 && (hours - unit * 24.0 / 3600.0).abs() < 1e-9);
    let claims = plan["claims"].as_array().unwrap();
    let of = |id: &str| claims.iter().find(|c| c["id"] == id).unwrap();
    assert_eq!(of("magi-control")["exact"], true);
    let draws = of("magi-draws")["outlooks"].as_array().unwrap();
    assert_eq!(draws.len(), 4);
    for outlook in draws {
        let chance = |key: &str| outlook[key].as_f64().unwrap();
        assert!(chance("supported") >= 0.0 && chance("supported") + chance("refuted") <= 1.0);
    }
    // 24 games cannot support a rate below 5 %.
    assert_eq!(draws[3]["supported"], 0.0);
    let text = succeed(dir.path(), &["plan", "x.toml", "--seconds", "1"]);
    assert!(text.starts_with("small: at most 24 games of magi in 24 units"), "{text}");
    assert!(text.contains("decided by enumeration"), "{text}");
    assert!(!dir.path().join("results").exists(), "a plan leaves nothing behind");
}

#[test]
fn every_reading_of_the_rules_is_played_and_counted() {
    let dir = tempdir().unwrap();
    let text = "name = \"s\"\ngame = \"mageca\"\nseed = 5\ngames = 6\nmove_limit = 30\n\
        claims = \"mageca\"\nclaim_ids = [\"mageca-guarded\", \"mageca-check\"]\n\
        [openings]\nmethod = \"random\"\nplies = 4\n[[player]]\nname = \"p\"\nnodes = 20\n";
    write(dir.path(), "s.toml", text);
    let args = ["sensitivity", "s.toml", "--games", "4", "--out", "o", "--json"];
    let first = succeed(dir.path(), &args);
    let found = json(&first);
    let readings = found["readings"].as_array().unwrap();
    let names: Vec<&str> = readings.iter().map(|r| r["reading"].as_str().unwrap()).collect();
    assert_eq!(names[0], "the rules as in the experiment");
    assert!(
        names.contains(&"castling_lifts_king=false") || names.contains(&"castling_lifts_king=true"),
        "{names:?}"
    );
    assert!(readings.iter().all(|r| r["games"] == 4));
    let guarded = &found["claims"].as_array().unwrap()[0];
    assert_eq!((&guarded["id"], &guarded["readings"]), (&"mageca-guarded".into(), &readings.len().into()));
    assert_eq!(guarded["holds_under"], guarded["readings"]);
    // Each reading is a run of its own, with the same openings.
    let starts = |folder: &str| {
        let text = std::fs::read_to_string(dir.path().join("o").join(folder).join("moves.csv")).unwrap();
        text.lines().map(|l| l.split(' ').take(4).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    for name in &names[1..] {
        assert_eq!(starts("as-is"), starts(&name.replace('=', "-")));
    }
    // Asked again, nothing is played and the answer is the same; broken off, it goes on.
    assert_eq!(succeed(dir.path(), &args), first);
    std::fs::remove_dir_all(dir.path().join("o/as-is")).unwrap();
    assert_eq!(succeed(dir.path(), &args), first);
    let text = succeed(dir.path(), &args[..6]);
    assert!(text.contains("on mageca-guarded holds under"), "{text}");
    // More games go on with those that are there; fewer are another run.
    let longer = json(&succeed(dir.path(), &["sensitivity", "s.toml", "--out", "o", "--json"]));
    assert!(longer["readings"].as_array().unwrap().iter().all(|r| r["games"] == 6), "{longer}");
    let error = fail(dir.path(), 2, &args);
    assert!(error.contains("maximum of games is 6, and 4 was asked for"), "{error}");
}
