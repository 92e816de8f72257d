//! The findings for people and as JSON.

use super::findings::{Figure, Findings};
use crate::cli::table;
use crate::decimals::signed;
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;

/// Shares below this are not worth a line.
const SEEN: f64 = 0.005;

fn percent(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

/// `54.2 ±6.1`, or the interval where it is not symmetric.
fn with_error(figure: &Figure) -> String {
    match figure.interval {
        Some(i) => format!("{} ±{:.1}", percent(figure.value), 50.0 * i.width()),
        None => percent(figure.value),
    }
}

fn with_interval(figure: &Figure) -> String {
    match figure.interval {
        Some(i) => format!("{} % ({} to {})", percent(figure.value), percent(i.lower), percent(i.upper)),
        None => format!("{} %", percent(figure.value)),
    }
}

/// The findings as text.
///
/// # Errors
/// The output.
pub fn text(f: &Findings, out: &mut dyn Write) -> Result<()> {
    let options: String = f.options.iter().map(|(n, v)| format!(" {n}={v}")).collect();
    writeln!(
        out,
        "{}{options}: {} games at {} nodes a move, {} random plies, seed {}; unfinished {} (count half)",
        f.game, f.games, f.nodes, f.plies, f.seed, f.unfinished
    )?;
    writeln!(out, "White's score over all games played: {}", with_interval(&f.white))?;
    let sequential = f.population.sequential;
    let (what, corner) = if sequential {
        ("White's score in % by White's set-up (rows) and Black's (columns)", "White \\ Black")
    } else {
        ("score in % of the row's set-up against the column's, colours exchanged", "")
    };
    writeln!(out, "\n{what}, 95 % intervals")?;
    let mut header = vec![corner];
    header.extend(f.population.names.iter().map(String::as_str));
    let mut rows = Vec::new();
    for (i, row) in f.cells.iter().enumerate() {
        let mut line = vec![f.population.names[i].clone()];
        for (j, (figure, _)) in row.iter().enumerate() {
            let mark = if f.population.allowed[i][j] { "" } else { "*" };
            line.push(format!("{}{mark}", with_error(figure)));
        }
        rows.push(line);
    }
    table::write(out, &header, &rows)?;
    if f.population.allowed.iter().flatten().any(|a| !a) {
        writeln!(out, "* barred by the rules, played for the comparison; not part of the verdicts")?;
    }
    writeln!(out, "\nEquilibrium when both set up without knowing the other's")?;
    for side in &f.sides {
        let mut rows = Vec::new();
        let score =
            if side.title == "Black" { "White's score against it" } else { "score against the mixture" };
        for share in &side.shares {
            let interval = share.share.interval.map_or(share.share.value, |i| i.upper);
            if interval >= SEEN {
                rows.push(vec![
                    share.name.clone(),
                    with_interval(&share.share),
                    with_interval(&share.against),
                ]);
            }
        }
        table::write(out, &[side.title, "share", score], &rows)?;
    }
    if sequential {
        writeln!(
            out,
            "value to White: {}; mixtures chosen on one half of the games, valued on the other: {}",
            with_interval(&f.value),
            with_interval(&f.valued)
        )?;
    }
    writeln!(
        out,
        "Shares: bootstrap over units, 95 %. Scores: mixture chosen on one half, valued on the other."
    )?;
    for (name, text) in f.population.names.iter().zip(&f.population.texts).filter(|(n, t)| n != t) {
        writeln!(out, "{name}: {text}")?;
    }
    verdicts(f, out)
}

fn verdicts(f: &Findings, out: &mut dyn Write) -> Result<()> {
    let names = &f.population.names;
    if !f.population.sequential {
        return Ok(());
    }
    writeln!(out, "\nVerdicts, each wrong with probability {} at most", f.level)?;
    let half = if f.even { "all games" } else { "the valuing half of the games" };
    match &f.choice {
        Some(c) => {
            let r = &c.found;
            writeln!(
                out,
                "choice   {}: setting up second with knowledge is worth {} % ({} to {}; p {:.2}) to White",
                c.verdict,
                signed(100.0 * r.gain, 1),
                signed(100.0 * c.gain.lower, 1),
                signed(100.0 * c.gain.upper, 1),
                c.p
            )?;
            writeln!(
                out,
                "         Black sets up {}, White answers {}: {} %, against {} % when both set up at random",
                names[r.column],
                names[r.answers[r.column]],
                percent(r.value),
                percent(r.random)
            )?;
            writeln!(
                out,
                "         (if Black alone sets up at random: {} %, {} ± {:.1})",
                percent(r.answering_random),
                signed(100.0 * r.answering_gain, 1),
                196.0 * r.answering_error
            )?;
        }
        None => writeln!(out, "choice   UNDECIDED: too few games of some start")?,
    }
    match &f.balance {
        Some(b) => {
            writeln!(
                out,
                "balance  {}: of {} starts {} are within {:.0} % of their mean ({} %), {} outside, by {half}",
                b.verdict,
                b.starts,
                b.within,
                100.0 * f.margin,
                percent(b.mean),
                b.outside
            )?;
            writeln!(
                out,
                "         farthest: {} against {}, {} % ({} to {}){}",
                names[b.farthest.0],
                names[b.farthest.1],
                signed(100.0 * b.difference, 1),
                signed(100.0 * b.interval.lower, 1),
                signed(100.0 * b.interval.upper, 1),
                if b.verdict == crate::stats::Verdict::Undecided {
                    format!("; {} games a start would probably show like starts to be within", b.games_needed)
                } else {
                    String::new()
                }
            )?;
        }
        None => writeln!(out, "balance  UNDECIDED: too few games of some start")?,
    }
    Ok(())
}

fn figure(f: &Figure) -> Value {
    json!({"value": f.value, "interval": f.interval.map(|i| [i.lower, i.upper])})
}

/// The findings as JSON.
pub fn json(f: &Findings) -> Value {
    let names = &f.population.names;
    let pairs: Vec<Value> = f
        .cells
        .iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, cell)| (i, j, cell)))
        .map(|(i, j, (score, units))| {
            json!({
                "row": names[i], "column": names[j], "score": figure(score), "units": units,
                "allowed": f.population.allowed[i][j],
            })
        })
        .collect();
    let sides: Vec<Value> = f
        .sides
        .iter()
        .map(|side| {
            let shares: Vec<Value> = side
                .shares
                .iter()
                .map(|s| json!({"setup": s.name, "share": figure(&s.share), "against": figure(&s.against)}))
                .collect();
            json!({"side": side.title, "mixture": shares})
        })
        .collect();
    let setups: Vec<Value> =
        names.iter().zip(&f.population.texts).map(|(n, t)| json!({"name": n, "setup": t})).collect();
    json!({
        "game": f.game,
        "options": f.options.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>(),
        "program": format!("equipoise {}", env!("CARGO_PKG_VERSION")),
        "nodes": f.nodes,
        "plies": f.plies,
        "seed": f.seed,
        "sampling": if f.even { "even" } else { "adaptive" },
        "games": f.games,
        "unfinished": f.unfinished,
        "unit": if f.population.sequential { "a game" } else { "two games, colours exchanged" },
        "white_score": figure(&f.white),
        "setups": setups,
        "pairs": pairs,
        "equilibrium": {"value": figure(&f.value), "valued_on_other_half": figure(&f.valued), "sides": sides},
        "level": f.level,
        "choice": f.choice.as_ref().map(|c| json!({
            "verdict": c.verdict.to_string(),
            "gain": {"value": c.found.gain, "interval": [c.gain.lower, c.gain.upper], "p": c.p},
            "second_with_knowledge": c.found.value,
            "both_at_random": c.found.random,
            "first_at_random": c.found.answering_random,
            "first_sets_up": names[c.found.column],
            "answers": names.iter().zip(&c.found.answers)
                .map(|(first, answer)| json!({"first": first, "second": names[*answer]})).collect::<Vec<_>>(),
        })),
        "balance": f.balance.as_ref().map(|b| json!({
            "verdict": b.verdict.to_string(),
            "margin": f.margin,
            "starts": b.starts,
            "within": b.within,
            "outside": b.outside,
            "mean": b.mean,
            "farthest": {
                "white": names[b.farthest.0], "black": names[b.farthest.1],
                "difference": b.difference, "interval": [b.interval.lower, b.interval.upper],
            },
            "games_a_start_needed": b.games_needed,
        })),
    })
}
