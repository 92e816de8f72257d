//! The table of verdicts, and the rules they rest on.

use super::chart;
use super::html::{Esc, counted, grouped, in_unit, interval_text};
use super::input::{Outcome, Reliance, Run, Standing, Verdict};
use super::page::{conditions, run_heading};

/// Verdicts and reliance of every run that has them.
pub(super) fn section(runs: &[Run]) -> String {
    let part = |run: &Run| {
        let body = [table(run), reliance(run)].concat();
        if body.is_empty() { body } else { format!("{}{body}", run_heading(runs, run)) }
    };
    runs.iter().map(part).collect()
}

fn table(run: &Run) -> String {
    if run.verdicts.is_empty() {
        return String::new();
    }
    let rows: String = run.verdicts.iter().map(row).collect();
    // The roles keep the table a table where a narrow screen stacks its cells.
    format!(
        "<table class=\"stack verdicts\" role=\"table\">\n<caption>Claims as stated before the run, and what the \
         games say. {}</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">\
         <th scope=\"col\" role=\"columnheader\">Claim</th><th scope=\"col\" role=\"columnheader\">Verdict</th>\
         <th scope=\"col\" role=\"columnheader\">Estimate and interval</th>\
         <th scope=\"col\" role=\"columnheader\" class=\"n\">Games</th>\
         <th scope=\"col\" role=\"columnheader\">To decide it</th></tr></thead>\n\
         <tbody role=\"rowgroup\">\n{rows}</tbody>\n</table>\n",
        Esc(&format!("{}.", conditions(&run.setup)))
    )
}

fn row(verdict: &Verdict) -> String {
    let (class, word) = match verdict.outcome {
        Outcome::Supported => ("supported", "SUPPORTED"),
        Outcome::Refuted => ("refuted", "REFUTED"),
        Outcome::Undecided => ("undecided", "UNDECIDED"),
    };
    // An exact claim rests on no games.
    let mut games = if verdict.games == 0 { "–".to_owned() } else { grouped(verdict.games) };
    if let Some(unique) = verdict.unique_games.filter(|&unique| unique != verdict.games) {
        games += &format!("<small>{} unique</small>", grouped(unique));
    }
    let (to_decide, decided) = if verdict.to_decide.is_empty() {
        ("–", " class=\"none\"")
    } else {
        (verdict.to_decide.as_str(), "")
    };
    format!(
        "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><code>{claim}</code><span>{statement}</span>{rests}</th>\
         <td role=\"cell\"><strong class=\"{class}\">{word}</strong></td>\
         <td role=\"cell\">{estimate}</td>\
         <td role=\"cell\" data-label=\"Games\" class=\"n\">{games}</td>\
         <td role=\"cell\" data-label=\"To decide it\"{decided}>{to_decide}</td></tr>\n",
        claim = Esc(&verdict.claim),
        statement = Esc(&prose(&verdict.statement)),
        rests = rests_on(&verdict.rests_on),
        estimate = estimate(verdict),
        to_decide = Esc(to_decide),
    )
}

fn estimate(verdict: &Verdict) -> String {
    let small = |text: &String| format!("<small>{}</small>", Esc(&prose(text)));
    let criterion = small(&verdict.criterion);
    let beside: String = verdict.beside.iter().map(small).collect();
    let Some(estimate) = &verdict.estimate else { return format!("{criterion}{beside}") };
    let bounds = match interval_text(estimate) {
        Some(text) => format!(" <span class=\"bounds\">{}</span>", Esc(&text)),
        None => String::new(),
    };
    let method = match estimate.method.as_str() {
        "" => String::new(),
        method => format!("<small>{}</small>", Esc(&prose(method))),
    };
    format!(
        "<div><b>{}</b>{bounds}</div>{}{criterion}{method}{beside}",
        Esc(&in_unit(estimate.value, &estimate.unit)),
        chart::interval(estimate, verdict.threshold, None)
    )
}

/// Keeps a per cent sign on the line of its number.
fn prose(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

fn rests_on(rules: &[Reliance]) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let rules: Vec<String> =
        rules.iter().map(|rule| format!("<code>{}</code> {}", Esc(&rule.rule), tag(rule.standing))).collect();
    format!("<small class=\"rests\">rests on {}</small>", rules.join(", "))
}

fn tag(standing: Standing) -> &'static str {
    match standing {
        Standing::Choice => "<span class=\"tag\">choice</span>",
        Standing::Reconstructed => "<span class=\"tag reconstructed\">reconstructed</span>",
    }
}

fn reliance(run: &Run) -> String {
    if run.reliance.is_empty() {
        return String::new();
    }
    let items: String = run
        .reliance
        .iter()
        .map(|rule| {
            format!("<li><code>{}</code> {} {}</li>\n", Esc(&rule.rule), tag(rule.standing), Esc(&rule.note))
        })
        .collect();
    let count = counted(run.reliance.len() as u64, "rule", "rules");
    format!(
        "<details class=\"reliance\" open><summary>The results rest on {count} that the inventor’s text leaves open \
         or lost</summary>\n<ul>\n{items}</ul>\n</details>\n"
    )
}
