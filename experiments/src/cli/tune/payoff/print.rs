//! What `tune payoff` found, for people and for programs.

use super::Found;
use crate::cli::table;
use crate::offer_game::Logged;
use crate::offer_game::figures::{Figures, Measured};
use crate::offer_game::fit::Fit;
use crate::offer_game::search::Goals;
use crate::stats::Interval;
use anyhow::Result;
use engine::payoff::Matrix;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use tuner::offers::Utility;

/// Everything there is to show.
pub struct Shown<'a> {
    /// The run's folder.
    pub dir: &'a Path,
    /// The games.
    pub logged: &'a Logged,
    /// What players maximise.
    pub utility: Utility,
    /// The matrices compared.
    pub matrices: &'a [Matrix],
    /// Their figures.
    pub measured: &'a [Measured],
    /// How well the chain foretells.
    pub fit: &'a Fit,
    /// What the search found, if there was one.
    pub found: Option<&'a Found>,
}

/// Figures that are shares, shown in per cent.
const SHARES: [&str; 5] = ["games with an offer", "resigned", "draw agreed", "decisive", "unfinished"];
/// Rows of the printed front.
const FRONT: usize = 15;

fn cell((value, i): (f64, Interval), share: bool) -> String {
    match (value.is_nan(), share) {
        (true, _) => "-".to_owned(),
        (_, true) => {
            format!("{:.1} % [{:.1}, {:.1}]", 100.0 * value, 100.0 * i.lower, 100.0 * i.upper)
        }
        (_, false) => format!("{value:.2} [{:.2}, {:.2}]", i.lower, i.upper),
    }
}

impl Shown<'_> {
    /// As text.
    pub fn text(&self, out: &mut dyn Write) -> Result<()> {
        let experiment = &self.logged.manifest.experiment;
        writeln!(
            out,
            "{}: {} games of {} ({}), both sides maximise {}; 95 % intervals over units\n",
            self.dir.display(),
            self.logged.games(),
            experiment.game,
            experiment.name,
            match self.utility {
                Utility::Own => "their own points",
                Utility::Difference => "their points less the other's",
            },
        )?;
        let figures = Figures::NAMES.iter().map(|&name| {
            let share = SHARES.contains(&name);
            let cells =
                self.measured.iter().map(|m| m.get(name).map_or_else(String::new, |v| cell(v, share)));
            std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>()
        });
        let mut header = vec![""];
        header.extend(self.matrices.iter().map(|m| m.spec().name.as_str()));
        table::write(out, &header, &figures.collect::<Vec<_>>())?;
        writeln!(
            out,
            "\nIncentive by band: points to the side behind (by 5 % of its army or more in its evaluation, first \
             time in the band)\nless its points at the same states if every win paid the whole stake"
        )?;
        for (matrix, measured) in self.matrices.iter().zip(self.measured) {
            let bands = matrix.bands().iter().zip(measured.bands()).map(|(band, value)| {
                let to = band.to.map_or_else(|| "on".to_owned(), |to| to.to_string());
                vec![
                    format!("{}-{to}", band.from),
                    format!("{}-{}", band.winner, band.loser),
                    cell(value, false),
                ]
            });
            writeln!(out)?;
            table::write(out, &[&matrix.spec().name, "pays", "incentive"], &bands.collect::<Vec<_>>())?;
        }
        self.fit_text(out)?;
        self.found.map_or(Ok(()), |found| found_text(found, out))
    }

    fn fit_text(&self, out: &mut dyn Write) -> Result<()> {
        let fit = self.fit;
        writeln!(
            out,
            "\nFit: the chain of {} games, held against the {} others at every 20th ply\n",
            fit.games[0], fit.games[1]
        )?;
        let rows = fit.classes.iter().map(|c| {
            let verdict = if c.interval.contains(c.predicted) { "" } else { "off" };
            vec![
                format!("{:.3}", c.predicted),
                cell((c.actual, c.interval), false),
                c.states.to_string(),
                verdict.to_owned(),
            ]
        });
        table::write(out, &["foretold for White", "found", "states", ""], &rows.collect::<Vec<_>>())?;
        writeln!(
            out,
            "\nsquared error {:.4} (always foretelling the mean: {:.4})\ndecisive games: foretold {:.1} %, found \
             {:.1} %; moves: foretold {:.1}, found {:.1}",
            fit.brier,
            fit.brier_base,
            100.0 * fit.decisive.0,
            100.0 * fit.decisive.1,
            fit.moves.0,
            fit.moves.1
        )?;
        Ok(())
    }

    /// As JSON.
    pub fn json(&self, out: &mut dyn Write) -> Result<()> {
        let pair = |(value, i): (f64, Interval)| match value.is_nan() {
            true => Value::Null,
            false => json!({"value": value, "lower": i.lower, "upper": i.upper}),
        };
        let matrices = self.matrices.iter().zip(self.measured).map(|(matrix, measured)| {
            let figures = Figures::NAMES.iter().filter_map(|&n| Some((n.to_owned(), pair(measured.get(n)?))));
            let bands = matrix.bands().iter().zip(measured.bands()).map(|(band, value)| {
                json!({"from": band.from, "to": band.to, "winner": band.winner.to_f64(),
                       "loser": band.loser.to_f64(), "incentive": pair(value)})
            });
            json!({"matrix": matrix.spec().name, "figures": figures.collect::<serde_json::Map<_, _>>(),
                   "bands": bands.collect::<Vec<_>>()})
        });
        let classes = self.fit.classes.iter().map(
            |c| json!({"foretold": c.predicted, "found": pair((c.actual, c.interval)), "states": c.states}),
        );
        let found = self.found.map(|found| {
            let front = found.front.iter().map(
                |(c, held)| json!({"shape": c.shape, "chosen_on": goals(&c.chosen), "held_out": goals(held)}),
            );
            json!({"tried": found.tried, "file": found.file, "front": front.collect::<Vec<_>>()})
        });
        let all = json!({
            "folder": self.dir, "experiment": self.logged.manifest.experiment.name, "games": self.logged.games(),
            "utility": self.utility.name(), "matrices": matrices.collect::<Vec<_>>(),
            "fit": {"games_fitted": self.fit.games[0], "games_held_out": self.fit.games[1],
                    "classes": classes.collect::<Vec<_>>(), "squared_error": self.fit.brier,
                    "squared_error_of_mean": self.fit.brier_base,
                    "decisive": {"foretold": self.fit.decisive.0, "found": self.fit.decisive.1},
                    "moves": {"foretold": self.fit.moves.0, "found": self.fit.moves.1}},
            "search": found,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        Ok(())
    }
}

fn goals(goals: &Goals) -> Value {
    json!({"incentive": goals.incentive, "decisive": goals.decisive, "moves": goals.moves})
}

fn found_text(found: &Found, out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "\nSearch: {} matrices, {} that none beats in incentive, decisive games and shortness at once; best first.\n\
         Chosen on every other unit; \"held out\" are the figures on the rest.\n",
        found.tried,
        found.front.len()
    )?;
    let rows = found.front.iter().take(FRONT).map(|(candidate, held)| {
        let both = |a: f64, b: f64| format!("{a:.1} ({b:.1})");
        vec![
            both(candidate.chosen.incentive, held.incentive),
            both(candidate.chosen.decisive, held.decisive),
            both(candidate.chosen.moves, held.moves),
            candidate.shape.clone(),
        ]
    });
    let header = ["incentive, % of stake (held out)", "decisive, % (held out)", "moves (held out)", "matrix"];
    table::write(out, &header, &rows.collect::<Vec<_>>())?;
    if found.front.len() > FRONT {
        writeln!(out, "and {} more; --json has them all", found.front.len() - FRONT)?;
    }
    writeln!(out)?;
    let rows = ["incentive for the side behind", "decisive", "moves", "sum"].map(|name| {
        let share = SHARES.contains(&name);
        let of = |m: &Measured| m.get(name).map_or_else(String::new, |v| cell(v, share));
        vec![name.to_owned(), of(&found.base), of(&found.held_out)]
    });
    table::write(out, &["on the held-out units", "first matrix", "best matrix"], &rows)?;
    writeln!(out, "\nThe best matrix is in {}", found.file.display())?;
    Ok(())
}
