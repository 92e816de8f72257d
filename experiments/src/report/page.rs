//! The page around the sections: head, heading, provenance, foot.

use super::html::{Esc, grouped};
use super::input::{Outcome, ReportInput, Run, Setup};
use super::{figures, game, verdicts};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole page. Sections without data are left out.
pub fn render(input: &ReportInput) -> String {
    let runs = &input.runs;
    let sections = [
        section("verdicts", "Verdicts", &verdicts::section(runs)),
        section("figures", "Figures", &figures::headline(runs)),
        section("length", "Length of the games", &figures::lengths(runs)),
        section("endings", "How the games ended", &figures::terminations(runs)),
        section("game", if runs.len() > 1 { "A game of each" } else { "One game" }, &game::section(runs)),
        section("provenance", "Provenance", &provenance(runs)),
    ];
    let script = if runs.iter().any(|run| run.game.is_some()) {
        format!("<script>\n{SCRIPT}</script>\n")
    } else {
        String::new()
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{header}<main>\n{body}</main>\n\
         <footer><p>{program}</p></footer>\n{script}</body>\n</html>\n",
        title = Esc(&input.title),
        header = header(input),
        body = sections.concat(),
        program = Esc(&input.program),
    )
}

fn section(id: &str, heading: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{heading}</h2>\n{body}</section>\n"
    )
}

/// The name of a run above its part of a section; nothing where there is only one run.
pub(super) fn run_heading(runs: &[Run], run: &Run) -> String {
    if runs.len() > 1 { format!("<h3>{}</h3>\n", Esc(&run.name)) } else { String::new() }
}

/// Engine and effort, which stand beside every figure.
pub(super) fn conditions(setup: &Setup) -> String {
    let parts = [&setup.engine, &setup.budget];
    parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn header(input: &ReportInput) -> String {
    let runs = &input.runs;
    let cards: String = runs.iter().map(|run| run_card(run, runs.len() > 1)).collect();
    format!(
        "<header>\n<h1>{}</h1>\n{}<div class=\"runs\">\n{cards}</div>\n</header>\n",
        Esc(&input.title),
        summary(runs)
    )
}

fn summary(runs: &[Run]) -> String {
    let count = |outcome| runs.iter().flat_map(|run| &run.verdicts).filter(|v| v.outcome == outcome).count();
    let kinds =
        [(Outcome::Supported, "supported"), (Outcome::Refuted, "refuted"), (Outcome::Undecided, "undecided")];
    let parts: Vec<String> = kinds
        .into_iter()
        .map(|(outcome, word)| (count(outcome), word))
        .filter(|&(n, _)| n > 0)
        .map(|(n, word)| format!("<span class=\"{word}\"><b>{n}</b> {word}</span>"))
        .collect();
    if parts.is_empty() { String::new() } else { format!("<p class=\"summary\">{}</p>\n", parts.join(" ")) }
}

fn run_card(run: &Run, named: bool) -> String {
    let setup = &run.setup;
    let mut games = grouped(setup.games);
    if let Some(unique) = setup.unique_games.filter(|&unique| unique != setup.games) {
        games += &format!(" ({} unique)", grouped(unique));
    }
    let facts = [
        ("Game", setup.game.as_str()),
        ("Games", &games),
        ("Unit of evidence", &setup.unit),
        ("Engine", &setup.engine),
        ("Budget", &setup.budget),
        ("Seed", &setup.seed),
    ];
    let facts: String = facts
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(field, value)| format!("<div><dt>{field}</dt><dd>{}</dd></div>\n", Esc(value)))
        .collect();
    let name = if named { format!("<h2>{}</h2>\n", Esc(&run.name)) } else { String::new() };
    let purpose = match run.purpose.as_str() {
        "" => String::new(),
        purpose => format!("<p class=\"purpose\">{}</p>\n", Esc(purpose)),
    };
    let warnings: String =
        run.warnings.iter().map(|warning| format!("<p class=\"warning\">{}</p>\n", Esc(warning))).collect();
    format!("<div class=\"run\">\n{name}{purpose}<dl class=\"facts\">\n{facts}</dl>\n{warnings}</div>\n")
}

/// Every field of every run, a column a run; fields on which the runs differ are marked.
fn provenance(runs: &[Run]) -> String {
    let mut fields: Vec<&str> = Vec::new();
    for (field, _) in runs.iter().flat_map(|run| &run.provenance) {
        if !fields.contains(&field.as_str()) {
            fields.push(field);
        }
    }
    if fields.is_empty() {
        return String::new();
    }
    let rows: String = fields
        .iter()
        .map(|field| {
            let value = |run: &Run| {
                run.provenance
                    .iter()
                    .find(|(name, _)| name == field)
                    .map_or("–".to_owned(), |(_, v)| v.clone())
            };
            let values: Vec<String> = runs.iter().map(value).collect();
            let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
            let cells: String = values.iter().map(|value| format!("<td>{}</td>", Esc(value))).collect();
            let class = if differs { " class=\"differs\"" } else { "" };
            let note = if differs { " <span class=\"tag\">differs</span>" } else { "" };
            format!("<tr{class}><th scope=\"row\">{}{note}</th>{cells}</tr>\n", Esc(field))
        })
        .collect();
    let head = if runs.len() > 1 {
        let names: String =
            runs.iter().map(|run| format!("<th scope=\"col\">{}</th>", Esc(&run.name))).collect();
        format!("<thead><tr><th scope=\"col\">Field</th>{names}</tr></thead>\n")
    } else {
        String::new()
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Provenance\">\n\
         <table class=\"provenance\">\n<caption>What the run was made with, from its manifest.</caption>\n\
         {head}<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}
