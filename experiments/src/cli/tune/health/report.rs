//! What a search for numbers found, for people, as JSON and as the data file.

use super::HealthArgs;
use super::measure::Measure;
use crate::cli::table;
use crate::decimals::signed;
use crate::stats::equivalence::{Margins, tost_one_sample};
use crate::stats::normal_quantile;
use crate::stats::sample::Sample;
use anyhow::Result;
use engine::games::mchess::Numbers;
use serde_json::{Value, json};
use std::io::Write;

const CONFIDENCE: f64 = 0.95;
const LEVEL: f64 = 0.05;
const KINDS: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// The set at the start and the set found, both measured on the fresh starts.
pub struct Report<'a> {
    pub args: &'a HealthArgs,
    pub given: &'a [(String, String)],
    pub start: &'a Numbers,
    pub best: &'a Numbers,
    pub before: Measure,
    pub after: Measure,
}

/// `+3.1 % (+1.0 to +5.2)`.
fn worth(sample: &Sample) -> String {
    let text = |v: f64| signed(100.0 * v, 1);
    let interval = sample.mean_interval(CONFIDENCE);
    let bounds = interval.map(|i| format!(" ({} to {})", text(i.lower), text(i.upper))).unwrap_or_default();
    format!("{} %{bounds}", text(sample.mean))
}

fn plain(sample: &Sample) -> String {
    let interval = sample.mean_interval(CONFIDENCE);
    let bounds =
        interval.map(|i| format!(" ({:.1} to {:.1})", 100.0 * i.lower, 100.0 * i.upper)).unwrap_or_default();
    format!("{:.1} %{bounds}", 100.0 * sample.mean)
}

impl Report<'_> {
    /// The three aims, and whether the fresh games show that each is met.
    fn aims(&self) -> [(String, bool); 3] {
        let (a, m) = (self.args, &self.after);
        let fair = Margins::new(0.5 - a.margin, 0.5 + a.margin)
            .is_ok_and(|margins| tost_one_sample(m.white, margins).p_value() <= LEVEL);
        // One-sided, corrected for the kinds: that a piece is worth something is claimed of all of them.
        let z = normal_quantile(1.0 - LEVEL / m.worth.len().max(1) as f64);
        let worth = m.worth.iter().all(|w| w.mean - z * w.standard_error() > 0.0);
        // The one-sided interval of the median by order statistics, with the normal law for the binomial.
        let n = m.lengths.len() as f64;
        let place = (n / 2.0 + normal_quantile(1.0 - LEVEL) * n.sqrt() / 2.0).ceil() as usize;
        let short = m.lengths.get(place).is_some_and(|upper| *upper <= f64::from(a.length));
        [
            (format!("White's score within {} of one half", a.margin), fair),
            ("every kind of piece is worth having".to_owned(), worth),
            (format!("the median game takes at most {} moves", a.length), short),
        ]
    }

    /// The report as text.
    ///
    /// # Errors
    /// The output.
    pub fn text(&self, out: &mut dyn Write) -> Result<()> {
        let mut rows = vec![
            vec!["White's score".to_owned(), plain(&self.before.white), plain(&self.after.white)],
            vec![
                "median length, moves".to_owned(),
                format!("{:.0}", self.before.median()),
                format!("{:.0}", self.after.median()),
            ],
        ];
        for (kind, name) in KINDS.iter().enumerate() {
            let cell = |m: &Measure| m.worth.get(kind).map(worth).unwrap_or_default();
            rows.push(vec![format!("a {name} is worth"), cell(&self.before), cell(&self.after)]);
        }
        rows.push(vec![
            "unfinished (count half)".to_owned(),
            self.before.unfinished.to_string(),
            self.after.unfinished.to_string(),
        ]);
        writeln!(
            out,
            "fresh games, the same starts for both sets: {} games at {} nodes a move",
            self.games(),
            self.args.nodes
        )?;
        table::write(out, &["", "numbers at the start", "numbers found"], &rows)?;
        writeln!(out, "worth: score of the side that has the piece against one that lacks it, less 50 %")?;
        writeln!(out, "\nstart {}\nfound {}\n", self.start, self.best)?;
        for (aim, met) in self.aims() {
            writeln!(out, "{}  {aim} (level {LEVEL})", if met { "shown    " } else { "not shown" })?;
        }
        Ok(())
    }

    fn games(&self) -> usize {
        self.after.lengths.len() + self.after.worth.iter().map(|w| 2 * w.n as usize).sum::<usize>()
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let sample = |s: &Sample| json!({"value": s.mean, "interval": s.mean_interval(CONFIDENCE).map(|i| [i.lower, i.upper]), "units": s.n});
        let measure = |m: &Measure, numbers: &Numbers| {
            let worth: serde_json::Map<String, Value> =
                KINDS.iter().zip(&m.worth).map(|(name, w)| ((*name).to_owned(), sample(w))).collect();
            json!({
                "numbers": numbers.to_string(), "white_score": sample(&m.white), "median_moves": m.median(),
                "worth": worth, "unfinished": m.unfinished,
            })
        };
        json!({
            "game": self.args.game.game,
            "options": self.given.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>(),
            "nodes": self.args.nodes,
            "seed": self.args.seed,
            "games": self.games(),
            "start": measure(&self.before, self.start),
            "found": measure(&self.after, self.best),
            "aims": self.aims().map(|(aim, met)| json!({"aim": aim, "shown": met})),
        })
    }

    /// The numbers as a data file, with where they come from.
    pub fn file(&self) -> String {
        let a = self.args;
        let options: String = self.given.iter().map(|(n, v)| format!(" --set {n}={v}")).collect();
        let comment =
            "MChess numbers found by `equipoise tune health`; play by them with --set numbers=@FILE.";
        let aims: Vec<String> = self
            .aims()
            .iter()
            .map(|(aim, met)| format!("\"{}: {aim}\"", if *met { "shown" } else { "not shown" }))
            .collect();
        let settings: String =
            a.settings().iter().map(|(name, value)| format!(" --{name} {value}")).collect();
        let provenance = format!(
            "program = \"equipoise {}\"\ncommand = \"equipoise tune health {}{options}{settings}\"\n\
             start = \"{}\"\nwhite_score = \"{}\"\nmedian_moves = {}\naims = [{}]\n",
            env!("CARGO_PKG_VERSION"),
            a.game.game,
            self.start,
            plain(&self.after.white),
            self.after.median(),
            aims.join(", ")
        );
        self.best.to_toml(comment, &provenance)
    }
}
