//! The report page from outside: structure, escaping, nothing loaded.
//!
//! The pages are also written to the target's `tmp` folder (`report-one.html`, `report-two.html`), to be looked at.

use experiments::report::{
    Estimate, Figure, GameView, Lengths, Outcome, Ply, Position, Reliance, ReportInput, Run, Setup, Standing,
    TerminationCount, Unit, Verdict, render,
};

fn share(value: f64, low: f64, high: f64, method: &str) -> Estimate {
    Estimate { value, interval: Some((low, high)), unit: Unit::Share, method: method.to_owned() }
}

fn plain(value: f64, low: f64, high: f64, decimals: usize, name: &str, method: &str) -> Estimate {
    let unit = Unit::Plain { decimals, name: name.to_owned() };
    Estimate { value, interval: Some((low, high)), unit, method: method.to_owned() }
}

fn reliance(rule: &str, standing: Standing, note: &str) -> Reliance {
    Reliance { rule: rule.to_owned(), standing, note: note.to_owned() }
}

fn verdict(
    claim: &str,
    statement: &str,
    criterion: &str,
    outcome: Outcome,
    estimate: Estimate,
    threshold: f64,
) -> Verdict {
    Verdict {
        claim: claim.to_owned(),
        statement: statement.to_owned(),
        criterion: criterion.to_owned(),
        outcome,
        estimate: Some(estimate),
        beside: Vec::new(),
        threshold: Some(threshold),
        games: 1286,
        unique_games: Some(1285),
        to_decide: String::new(),
        rests_on: Vec::new(),
    }
}

fn verdicts() -> Vec<Verdict> {
    let sequence = "confidence sequence, alpha 0.05 over 4 claims";
    let mut draws = verdict(
        "magi-draws",
        "Draws other than stalemate come in under 5 % of games.",
        "share of draws other than stalemate < 5 %",
        Outcome::Undecided,
        share(0.043, 0.021, 0.071, sequence),
        0.05,
    );
    draws.to_decide = "about 2,400 more games (1.6 CPU-hours)".to_owned();
    draws.rests_on = vec![
        reliance("dead_position = enumerated", Standing::Choice, ""),
        reliance("move_rule = none", Standing::Choice, ""),
    ];
    let mut incentive = verdict(
        "magi-incentive",
        "The payoff matrix keeps the losing side playing for something.",
        "value to the side behind, minus winner-takes-all > 0.5 points",
        Outcome::Supported,
        plain(1.31, 1.05, 1.58, 2, "points", sequence),
        0.5,
    );
    incentive.beside = vec!["moves 1-45: 0.71 (0.50 to 0.91)".to_owned()];
    incentive.rests_on = vec![reliance("payoff = magi-sample", Standing::Reconstructed, "")];
    let length = verdict(
        "magi-length",
        "A game takes about 20 to 150 moves.",
        "share of games within 20–150 moves ≥ 95 %",
        Outcome::Refuted,
        share(0.902, 0.874, 0.927, sequence),
        0.95,
    );
    let mut exact = verdict(
        "magi-control",
        "Dukes control 6–12 squares, Cardinals 11–21, Wizards 5–16.",
        "exact enumeration of all squares of the empty board",
        Outcome::Supported,
        share(1.0, 1.0, 1.0, ""),
        1.0,
    );
    (exact.estimate, exact.threshold, exact.games, exact.unique_games) = (None, None, 0, None);
    vec![draws, incentive, length, exact]
}

/// A deterministic spread of lengths, with a hump and a tail.
fn game_lengths(shift: u32) -> Lengths {
    let values = (0..1286_u32)
        .map(|i| 24 + shift + (i * 7919 % 61) + (i * 104_729 % 53) + (i % 17) * (i % 3))
        .collect();
    Lengths { unit: "moves".to_owned(), values, marks: vec![(150, "150-move rule".to_owned())] }
}

fn board(text: &str) -> Vec<Vec<String>> {
    let cell = |c: char| if c == '.' { String::new() } else { c.to_string() };
    text.split('/').map(|row| row.chars().map(cell).collect()).collect()
}

fn game() -> GameView {
    let mut rows = board(
        "rnbcqkwbnr/pppppppppp/d..p..p..d/........../........../........../........../D..P..P..D/PPPPPPPPPP/RNBCQKWBNR",
    );
    let mut positions = vec![Position { rows: rows.clone(), note: String::new() }];
    let mut plies = Vec::new();
    // File and row of both ends of each move, not all of them legal: the page knows no rules.
    let moves = [
        ("e2e5", 4, 8, 4, 5, "12"),
        ("e9e6", 4, 1, 4, 4, "18"),
        ("g1h3", 6, 9, 7, 7, "40"),
        ("g10h8", 6, 0, 7, 2, "-25"),
        ("d1e2", 3, 9, 4, 8, "-140"),
        ("d10e9", 3, 0, 4, 1, "-90"),
        ("f1i1", 5, 9, 8, 9, "#-5"),
        ("f10i10", 5, 0, 8, 0, "#-5"),
    ];
    for (at, (text, from_file, from_row, to_file, to_row, eval)) in
        moves.into_iter().cycle().take(64).enumerate()
    {
        let piece = std::mem::take(&mut rows[from_row][from_file]);
        rows[to_row][to_file] = piece;
        let dots = if at % 2 == 0 { "." } else { "…" };
        plies.push(Ply {
            label: format!("{}{dots}", at / 2 + 1),
            text: text.to_owned(),
            eval: eval.to_owned(),
        });
        let note = if at == 5 { "Black's resignation offer refused".to_owned() } else { String::new() };
        positions.push(Position { rows: rows.clone(), note });
    }
    GameView {
        id: "u000017-0".to_owned(),
        caption: "Longest decisive game: 0-1, checkmate at move 131.".to_owned(),
        a1_dark: true,
        positions,
        plies,
    }
}

fn run(name: &str, budget: &str, shift: u32) -> Run {
    let figure = |name: &str, estimate| Figure { name: name.to_owned(), estimate, games: 1286 };
    let wilson = "95 % Wilson, design effect 1.00";
    let bootstrap = "95 % unit bootstrap";
    let termination = |name: &str, games, low, high| TerminationCount {
        name: name.to_owned(),
        games,
        interval: Some((low, high)),
    };
    Run {
        name: name.to_owned(),
        purpose: "Does Magi keep its inventor’s promise of few draws, and how long do games take?".to_owned(),
        setup: Setup {
            game: "magi, move_rule=none".to_owned(),
            engine: "equipoise 0.1.0".to_owned(),
            budget: budget.to_owned(),
            seed: "20260101".to_owned(),
            unit: "one opening, one game".to_owned(),
            games: 1286,
            unique_games: Some(1285),
        },
        warnings: vec![
            "14 games reached the harness's limit of 400 moves; they count against every claim.".to_owned(),
        ],
        verdicts: verdicts(),
        reliance: vec![
            reliance(
                "payoff = magi-sample",
                Standing::Reconstructed,
                "The picture of the table is lost; the bands follow the examples in the text.",
            ),
            reliance(
                "checkmate_unoffered = full",
                Standing::Choice,
                "A checkmate without an earlier offer pays 12-0 in every band.",
            ),
            reliance("dead_position = enumerated", Standing::Choice, ""),
        ],
        figures: vec![
            figure("White’s expected score", share(0.532, 0.504, 0.559, wilson)),
            figure("Decisive games", share(0.951, 0.938, 0.962, wilson)),
            figure("Draws", share(0.043, 0.033, 0.056, "nominal, biased after stopping")),
            figure(
                "Length",
                plain(
                    88.0 + f64::from(shift),
                    86.1 + f64::from(shift),
                    89.9 + f64::from(shift),
                    1,
                    "moves",
                    bootstrap,
                ),
            ),
            figure("Branching factor", plain(47.2, 46.8, 47.7, 1, "", bootstrap)),
            figure("Lead changes", plain(2.31, 2.2, 2.42, 2, "", bootstrap)),
        ],
        lengths: Some(game_lengths(shift)),
        terminations: vec![
            termination("checkmate", 1223, 0.938, 0.962),
            termination("repetition", 31, 0.017, 0.034),
            termination("fifty-move", 14, 0.006, 0.018),
            termination("move-limit", 14, 0.006, 0.018),
            termination("stalemate", 4, 0.001, 0.008),
        ],
        game: Some(game()),
        provenance: [
            ("program", "equipoise 0.1.0"),
            ("engine fingerprint", "3b1f9c0a77d2e514"),
            ("rules fingerprint", "9e02ab44c1d0f773"),
            ("budget", budget),
            ("value table", "P 100, N 260, D 310, B 330, W 480, R 520, C 540, Q 960"),
            ("seed", "20260101"),
            ("schema", "1"),
        ]
        .map(|(field, value)| (field.to_owned(), value.to_owned()))
        .to_vec(),
    }
}

fn page(title: &str, runs: Vec<Run>) -> String {
    render(&ReportInput { title: title.to_owned(), program: "Made by equipoise 0.1.0.".to_owned(), runs })
}

fn one() -> String {
    page("Magi: draws and length", vec![run("quickstart", "2,000 nodes a move", 0)])
}

fn two() -> String {
    let mut second = run("magi-8k", "8,000 nodes a move", 9);
    second.figures.remove(5);
    page("Magi at two budgets", vec![run("magi-2k", "2,000 nodes a move", 0), second])
}

#[test]
fn pages_are_written_for_looking_at() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("report-one.html"), one()).unwrap();
    std::fs::write(folder.join("report-two.html"), two()).unwrap();
}

/// The page's start and end tags, without the raw text of `style` and `script`.
fn tags(html: &str) -> Vec<String> {
    let mut rest = html;
    let mut found = Vec::new();
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("every tag ends");
        let tag = rest[start + 1..end].to_owned();
        rest = &rest[end + 1..];
        for raw in ["style", "script"] {
            if tag.split_whitespace().next() == Some(raw) {
                rest = &rest[rest.find(&format!("</{raw}>")).expect("raw text ends")..];
            }
        }
        found.push(tag);
    }
    found
}

fn assert_well_formed(html: &str) {
    let mut open: Vec<String> = Vec::new();
    for tag in tags(html) {
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        let name = tag.split_whitespace().next().unwrap_or_default();
        if let Some(closed) = name.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "</{closed}>");
        } else if !tag.ends_with('/') && !matches!(name, "!DOCTYPE" | "meta" | "input") {
            open.push(name.to_owned());
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn tags_are_balanced_and_ids_unique() {
    for html in [one(), two(), page("empty", Vec::new()), page("bare", vec![Run::default(), Run::default()])]
    {
        assert_well_formed(&html);
        let mut ids: Vec<&str> =
            html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{ids:?}");
        for label in html.split("aria-labelledby=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(ids.contains(&label), "{label}");
        }
    }
}

#[test]
fn sections_come_in_order_and_only_with_data() {
    let html = one();
    let order = [
        "<h1>",
        "id=\"verdicts\"",
        "id=\"figures\"",
        "id=\"length\"",
        "id=\"endings\"",
        "id=\"game\"",
        "id=\"provenance\"",
    ];
    let at: Vec<usize> =
        order.iter().map(|mark| html.find(mark).unwrap_or_else(|| panic!("{mark}"))).collect();
    assert!(at.is_sorted(), "{at:?}");
    let bare = page("bare", vec![Run::default()]);
    assert_eq!(bare.matches("<section").count(), 0);
    assert!(!bare.contains("<script"), "no game, no script");
}

#[test]
fn verdicts_show_interval_games_what_deciding_takes_and_what_they_rest_on() {
    let html = one();
    for expected in [
        "<strong class=\"undecided\">UNDECIDED</strong>",
        "<strong class=\"supported\">SUPPORTED</strong>",
        "<strong class=\"refuted\">REFUTED</strong>",
        "2.1 to 7.1\u{a0}%",
        "1,286<small>1,285 unique</small>",
        "about 2,400 more games (1.6 CPU-hours)",
        "rests on <code>payoff = magi-sample</code> <span class=\"tag reconstructed\">reconstructed</span>",
        "<b>2</b> supported",
        "threshold 5.0\u{a0}%",
        "nominal, biased after stopping",
        "equipoise 0.1.0, 2,000 nodes a move",
    ] {
        assert!(html.contains(expected), "{expected}");
    }
}

#[test]
fn several_runs_share_rows_and_scales() {
    let html = two();
    for expected in [
        "<th scope=\"col\" role=\"columnheader\">magi-8k<small>equipoise 0.1.0, 8,000 nodes a move</small></th>",
        "<th scope=\"row\">budget <span class=\"tag\">differs</span></th>",
        "Lead changes</th><td role=\"cell\" data-label=\"magi-2k\"><div><b>2.31</b>",
        "data-label=\"magi-8k\">–</td></tr>",
    ] {
        assert!(html.contains(expected), "{expected}");
    }
    assert_eq!(html.matches("<svg class=\"histogram\"").count(), 2);
    assert_eq!(html.matches("data-game>").count(), 2);
    // Both histograms have the same axis, though one run's games are longer.
    let axes: Vec<Vec<&str>> = html
        .split("<svg class=\"histogram\"")
        .skip(1)
        .map(|svg| svg.split("</svg>").next().unwrap_or_default())
        .map(|svg| {
            svg.split("<text class=\"x\"").skip(1).filter_map(|text| text.split("</text>").next()).collect()
        })
        .collect();
    assert!(axes.len() == 2 && axes[0].len() > 2 && axes[0] == axes[1], "{axes:?}");
}

#[test]
fn the_page_loads_nothing() {
    for html in [one(), two()] {
        assert!(html.contains("default-src 'none'"));
        for forbidden in [
            "http:", "https:", "//", "url(", "@import", " src=", " href=", "<link", "<img", "<iframe",
            "file:",
        ] {
            // The script's own comments are the only place for two slashes.
            let found =
                html.lines().filter(|line| line.contains(forbidden) && !line.trim_start().starts_with("// "));
            assert_eq!(found.collect::<Vec<_>>(), Vec::<&str>::new(), "{forbidden}");
        }
    }
}

#[test]
fn every_text_is_escaped() {
    const EVIL: &str = "</script><script>alert(\"1\")</script>'&x";
    let evil = || EVIL.to_owned();
    let mut run = run("x", "y", 0);
    (run.name, run.purpose, run.warnings) = (evil(), evil(), vec![evil()]);
    run.setup = Setup {
        game: evil(),
        engine: evil(),
        budget: evil(),
        seed: evil(),
        unit: evil(),
        games: 1,
        unique_games: None,
    };
    let rule = Reliance { rule: evil(), standing: Standing::Choice, note: evil() };
    let nasty =
        Estimate { unit: Unit::Plain { decimals: 1, name: evil() }, ..plain(1.0, 0.0, 2.0, 1, "", EVIL) };
    run.reliance = vec![rule.clone()];
    run.verdicts = vec![Verdict {
        to_decide: evil(),
        rests_on: vec![rule],
        ..verdict(EVIL, EVIL, EVIL, Outcome::Refuted, nasty.clone(), 0.5)
    }];
    run.figures = vec![Figure { name: evil(), estimate: nasty, games: 1 }];
    run.lengths = Some(Lengths { unit: evil(), values: vec![3, 4], marks: vec![(2, evil())] });
    run.terminations = vec![TerminationCount { name: evil(), games: 1, interval: None }];
    run.provenance = vec![(evil(), evil())];
    let position = Position { rows: vec![vec![evil()]], note: evil() };
    let empty = Position { rows: vec![vec![String::new()]], note: evil() };
    run.game = Some(GameView {
        id: evil(),
        caption: evil(),
        a1_dark: false,
        positions: vec![position.clone(), empty, position],
        plies: vec![Ply { label: evil(), text: evil(), eval: evil() }; 2],
    });
    let clean = |html: &str| {
        assert_well_formed(html);
        let scripts = tags(html).iter().filter(|tag| tag.starts_with("script")).count();
        assert_eq!(
            scripts,
            html.matches("data-game>").count() + 1,
            "data of each game and the page's own script"
        );
        assert!(!html.to_lowercase().contains("<script>alert"));
    };
    clean(&render(&ReportInput { title: evil(), program: evil(), runs: vec![run.clone()] }));
    clean(&render(&ReportInput { title: evil(), program: evil(), runs: vec![run.clone(), run] }));
}

#[test]
fn a_game_is_handed_over_as_changes() {
    let html = one();
    let start =
        html.find("<script type=\"application/json\">").unwrap() + "<script type=\"application/json\">".len();
    let data = &html[start..start + html[start..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["cells"].as_array().unwrap().len(), 100);
    assert_eq!(data["cells"][0], serde_json::json!(["b", "R"]));
    assert_eq!(data["steps"].as_array().unwrap().len(), 64);
    // e2-e5: the pawn leaves row 8 (rank 2) and stands on row 5 (rank 5).
    assert_eq!(data["steps"][0]["set"], serde_json::json!([[54, "w", "P"], [84, "e", ""]]));
    assert_eq!(data["steps"][0]["move"], "1. e2e5");
    assert_eq!(data["steps"][6]["eval"], "Black mates in 5");
}

#[test]
fn uneven_games_are_cut_not_panicked_on() {
    let mut run = run("x", "y", 0);
    let mut view = game();
    view.positions.truncate(3);
    view.positions[1].rows.truncate(4);
    view.positions[2].rows[0].push("Q".to_owned());
    run.game = Some(view);
    let html = page("uneven", vec![run.clone()]);
    assert!(html.contains("max=\"2\"") && !html.contains("data-ply=\"3\""));
    run.game = Some(GameView { plies: game().plies, ..GameView::default() });
    assert!(!page("no boards", vec![run.clone()]).contains("data-game>"));
    run.game = Some(GameView { positions: vec![Position::default()], ..GameView::default() });
    assert_well_formed(&page("no squares", vec![run]));
}

#[test]
fn same_input_same_bytes() {
    assert_eq!(two(), two());
}
