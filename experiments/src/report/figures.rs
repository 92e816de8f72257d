//! Headline figures, lengths and terminations.

use super::chart::{self, Bins, Domain};
use super::html::{Esc, counted, grouped, in_unit, interval_text};
use super::input::{Figure, Lengths, Run, TerminationCount, Unit};
use super::page::{conditions, run_heading};

/// The table of figures: one run with drawings and methods, several runs a column each.
pub(super) fn headline(runs: &[Run]) -> String {
    match runs {
        [] => String::new(),
        [run] if run.figures.is_empty() => String::new(),
        [run] => single(run),
        _ if runs.iter().all(|run| run.figures.is_empty()) => String::new(),
        _ => side_by_side(runs),
    }
}

fn single(run: &Run) -> String {
    let rows: String = run
        .figures
        .iter()
        .map(|figure| {
            let estimate = &figure.estimate;
            format!(
                "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><span>{}</span></th>\
                 <td role=\"cell\" class=\"n\"><b>{}</b></td>\
                 <td role=\"cell\" class=\"n bounds\">{}</td>\
                 <td role=\"cell\" class=\"drawing\">{}</td>\
                 <td role=\"cell\" class=\"n games\">{}</td>\
                 <td role=\"cell\"><small>{}</small></td></tr>\n",
                Esc(&figure.name),
                Esc(&in_unit(estimate.value, &estimate.unit)),
                Esc(interval_text(estimate).as_deref().unwrap_or("–")),
                scale(figure).map(|scale| chart::interval(estimate, None, Some(scale))).unwrap_or_default(),
                grouped(figure.games),
                Esc(&estimate.method),
            )
        })
        .collect();
    format!(
        "<table class=\"stack figures\" role=\"table\">\n<caption>{}</caption>\n\
         <thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">Figure</th>\
         <th scope=\"col\" role=\"columnheader\" class=\"n\">Value</th>\
         <th scope=\"col\" role=\"columnheader\" class=\"n\">Interval</th>\
         <th scope=\"col\" role=\"columnheader\"><span class=\"hidden\">Drawing</span></th>\
         <th scope=\"col\" role=\"columnheader\" class=\"n\">Games</th>\
         <th scope=\"col\" role=\"columnheader\">Method</th></tr></thead>\n\
         <tbody role=\"rowgroup\">\n{rows}</tbody>\n</table>\n",
        Esc(&format!("{}. Shares are drawn from 0 to 100 %.", conditions(&run.setup)))
    )
}

/// Shares are drawn on their whole scale; other figures have none, and are not drawn.
fn scale(figure: &Figure) -> Option<Domain> {
    match figure.estimate.unit {
        Unit::Share => Domain::new(0.0, 1.0),
        Unit::ShareDifference => Domain::new(-1.0, 1.0),
        Unit::Plain { .. } => None,
    }
}

fn side_by_side(runs: &[Run]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for figure in runs.iter().flat_map(|run| &run.figures) {
        if !names.contains(&figure.name.as_str()) {
            names.push(&figure.name);
        }
    }
    let rows: String = names.iter().map(|name| compared(name, runs)).collect();
    let head: String = runs
        .iter()
        .map(|run| {
            format!(
                "<th scope=\"col\" role=\"columnheader\">{}<small>{}</small></th>",
                Esc(&run.name),
                Esc(&conditions(&run.setup))
            )
        })
        .collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\">\n\
         <table class=\"stack compared\" role=\"table\">\n\
         <caption>Each figure with its interval; a row has one scale.</caption>\n\
         <thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">Figure</th>{head}</tr></thead>\n\
         <tbody role=\"rowgroup\">\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

fn compared(name: &str, runs: &[Run]) -> String {
    let found: Vec<(&Run, Option<&Figure>)> =
        runs.iter().map(|run| (run, run.figures.iter().find(|figure| figure.name == name))).collect();
    let ends = found.iter().filter_map(|(_, figure)| *figure).flat_map(|figure| {
        let (low, high) = figure.estimate.interval.unwrap_or((f64::NAN, f64::NAN));
        [figure.estimate.value, low, high]
    });
    let domain = Domain::around(ends);
    let cells: String = found
        .iter()
        .map(|(run, figure)| {
            let body = figure.map_or("–".to_owned(), |figure| compared_cell(figure, domain));
            format!("<td role=\"cell\" data-label=\"{}\">{body}</td>", Esc(&run.name))
        })
        .collect();
    format!("<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">{}</th>{cells}</tr>\n", Esc(name))
}

fn compared_cell(figure: &Figure, domain: Option<Domain>) -> String {
    let estimate = &figure.estimate;
    format!(
        "<div><b>{}</b> <span class=\"bounds\">{}</span></div>{}<small>{}; {}</small>",
        Esc(&in_unit(estimate.value, &estimate.unit)),
        Esc(interval_text(estimate).as_deref().unwrap_or("")),
        chart::interval(estimate, None, domain),
        counted(figure.games, "game", "games"),
        Esc(&estimate.method),
    )
}

/// Histograms with the same axes.
pub(super) fn lengths(runs: &[Run]) -> String {
    let shown: Vec<(&Run, &Lengths)> =
        runs.iter().filter_map(|run| run.lengths.as_ref().map(|lengths| (run, lengths))).collect();
    if shown.is_empty() {
        return String::new();
    }
    let bins = Bins::over(shown.iter().map(|(_, lengths)| *lengths));
    let tallest = shown.iter().flat_map(|(_, lengths)| bins.counts(lengths)).max().unwrap_or(0);
    let figures: String = shown
        .iter()
        .map(|(run, lengths)| {
            let words = length_words(lengths);
            format!(
                "<figure>\n{}{}\n<figcaption>{} <span class=\"conditions\">{}</span></figcaption>\n{}</figure>\n",
                run_heading(runs, run),
                chart::histogram(lengths, bins, tallest, &words),
                Esc(&words),
                Esc(&conditions(&run.setup)),
                length_table(lengths, bins),
            )
        })
        .collect();
    format!("<div class=\"multiples\">\n{figures}</div>\n")
}

fn length_words(lengths: &Lengths) -> String {
    let mut sorted = lengths.values.clone();
    sorted.sort_unstable();
    // The nearest-rank quantile, so that every number named is the length of a game.
    let rank = |share: usize| sorted.get((sorted.len() * share).div_ceil(4).saturating_sub(1)).copied();
    let games = counted(sorted.len() as u64, "game", "games");
    match (sorted.first(), rank(1), rank(2), rank(3), sorted.last()) {
        (Some(min), Some(lower), Some(median), Some(upper), Some(max)) => format!(
            "{games} by length in {}: median {median}, middle half {lower} to {upper}, all {min} to {max}.",
            lengths.unit
        ),
        _ => format!("{games}."),
    }
}

fn length_table(lengths: &Lengths, bins: Bins) -> String {
    let rows: String = bins
        .counts(lengths)
        .into_iter()
        .enumerate()
        .filter(|&(_, games)| games > 0)
        .map(|(bin, games)| {
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td></tr>\n",
                bins.label(bin),
                grouped(games)
            )
        })
        .collect();
    format!(
        "<details><summary>As a table</summary>\n<table class=\"bins\"><thead><tr><th scope=\"col\">{}</th>\
         <th scope=\"col\" class=\"n\">Games</th></tr></thead>\n<tbody>\n{rows}</tbody></table>\n</details>\n",
        Esc(&lengths.unit)
    )
}

/// Bars of terminations with the same scale.
pub(super) fn terminations(runs: &[Run]) -> String {
    let shown: Vec<&Run> = runs.iter().filter(|run| !run.terminations.is_empty()).collect();
    if shown.is_empty() {
        return String::new();
    }
    let ends = shown.iter().flat_map(|run| {
        let total = total(run);
        run.terminations.iter().map(move |t| t.interval.map_or(0.0, |(_, high)| high).max(share(t, total)))
    });
    let full = ends.filter(|end| end.is_finite()).fold(0.0_f64, f64::max).clamp(0.01, 1.0);
    let figures: String = shown.iter().map(|run| termination_table(runs, run, full)).collect();
    format!("<div class=\"multiples\">\n{figures}</div>\n")
}

fn total(run: &Run) -> u64 {
    run.terminations.iter().map(|termination| termination.games).sum()
}

fn share(termination: &TerminationCount, total: u64) -> f64 {
    if total == 0 { 0.0 } else { termination.games as f64 / total as f64 }
}

fn termination_table(runs: &[Run], run: &Run, full: f64) -> String {
    let total = total(run);
    let rows: String = run
        .terminations
        .iter()
        .map(|termination| {
            let share = share(termination, total);
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"drawing\">{}</td><td class=\"n\">{}</td>\
                 <td class=\"n\">{}</td></tr>\n",
                Esc(&termination.name),
                chart::bar(share, termination.interval, full),
                grouped(termination.games),
                in_unit(share, &Unit::Share),
            )
        })
        .collect();
    let whiskers = if run.terminations.iter().any(|t| t.interval.is_some()) {
        " Lines are 95 % intervals of the shares."
    } else {
        ""
    };
    format!(
        "<div>\n{}<table class=\"endings\">\n<caption>{}</caption>\n<thead><tr><th scope=\"col\">Termination</th>\
         <th scope=\"col\"><span class=\"hidden\">Drawing</span></th><th scope=\"col\" class=\"n\">Games</th>\
         <th scope=\"col\" class=\"n\">Share</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        run_heading(runs, run),
        Esc(&format!("{}, {}.{whiskers}", counted(total, "game", "games"), conditions(&run.setup))),
    )
}
