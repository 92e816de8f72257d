//! How much of the regression is an echo: self-play again by players that believe in other values.

use super::regression::Regressions;
use super::{ValuesArgs, Worth, Z};
use crate::cli::tune::self_play::{Terms, player};
use crate::decimals::signed;
use crate::positions::Logs;
use crate::random::{Domain, below, generator};
use anyhow::Result;
use engine::eval::{Layout, Pair, Role, Weights};
use engine::search::Playable;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use tuner::echo::{Shift, echo};

/// By how much a belief is changed, in per cent, up or down.
const CHANGE: i32 = 20;

/// What the changed beliefs did to the estimates.
pub struct Echo {
    lines: Vec<Line>,
    /// Share of the change that came back.
    share: Option<Worth>,
    games: u64,
}

/// One kind: the change of its value, and the regression's answers before and after.
struct Line {
    name: String,
    change: i32,
    before: Option<Worth>,
    after: Option<Worth>,
}

/// Plays as many games as self-play has, or goes on with them, by players whose material weights are 20 % higher or
/// lower, the pawn's apart, drawn by the seed; and estimates the values again.
///
/// # Errors
/// The disk; [`Interrupted`](crate::failure::Interrupted).
pub fn play<G: Playable>(
    game: &G,
    args: &ValuesArgs,
    options: &[(String, String)],
    pawn: usize,
    before: &Regressions,
) -> Result<Echo> {
    let name = game.info().name;
    let source = &args.source;
    let default = || Path::new("results").join(format!("echo-{name}-{}", source.seed));
    let dir = args.echo_log.clone().unwrap_or_else(default);
    let changes = changes(game, pawn, source.seed);
    let set: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let terms = Terms { game: name, set: &set, seed: source.seed, games: source.games, plies: source.plies };
    let mut player = player("other-beliefs", source.nodes);
    player.insert("eval_text".into(), changed(game, &changes)?.into());
    let experiment = terms.experiment(&format!("echo-{name}"), vec![player])?;
    eprintln!("echo: self-play with changed values, into {}", dir.display());
    args.play(&experiment, &dir, &dir)?;
    let after = Regressions::run(game, &Logs::open(&[dir])?, args, pawn)?;
    let kinds = game.info().pieces.iter().enumerate().zip(&changes).filter(|(_, change)| **change != 0);
    let lines: Vec<Line> = kinds
        .map(|((kind, piece), change)| Line {
            name: piece.name.to_owned(),
            change: *change,
            before: before.whole(kind)[0],
            after: after.whole(kind)[0],
        })
        .collect();
    let shifts: Vec<Shift> = lines.iter().filter_map(Line::shift).collect();
    let share = echo(&shifts, Z).map(|(value, interval)| Worth { value, interval: Some(interval) });
    Ok(Echo { lines, share, games: after.tally.games })
}

/// The change of each kind's weights in per cent; none of the pawn's, which is the unit.
fn changes<G: Playable>(game: &G, pawn: usize, seed: u64) -> Vec<i32> {
    let mut rng = generator(seed, Domain::Beliefs, 0, 0);
    let one = |kind: usize| {
        let up = below(&mut rng, 2) == 1;
        match kind == pawn || game.role(kind as u8) == Role::Royal {
            true => 0,
            false if up => CHANGE,
            false => -CHANGE,
        }
    };
    (0..game.info().pieces.len()).map(one).collect()
}

/// The game's own weights with the material's changed, on the board and in hand.
fn changed<G: Playable>(game: &G, changes: &[i32]) -> Result<String> {
    let (layout, standard) = Layout::of(game);
    let mut weights: Vec<Pair> = Weights::default_of(game)?.pairs().to_vec();
    for (kind, change) in changes.iter().enumerate() {
        let hand = G::CAPS.drops.then_some(standard.hand + kind);
        for term in std::iter::once(standard.material + kind).chain(hand) {
            let Pair { mg, eg } = weights[term];
            let by = |value: i16| i32::from(value) * (100 + change) / 100;
            weights[term] = Pair::new(by(mg), by(eg));
        }
    }
    let weights = Weights::from_pairs(&layout, weights);
    let weights = weights.ok_or_else(|| anyhow::anyhow!("the weights do not fit their layout"))?;
    Ok(weights.to_toml(&layout, &[]))
}

impl Line {
    /// The shift of the estimate with its standard error, on the scale of logarithms.
    fn shift(&self) -> Option<Shift> {
        let log = |worth: Option<Worth>| {
            let Worth { value, interval } = worth?;
            let width = interval?.upper - interval?.lower;
            (value > 0.0).then(|| (libm::log(value), width / (2.0 * Z * value)))
        };
        let ((before, error), (after, other)) = (log(self.before)?, log(self.after)?);
        Some(Shift {
            put_in: libm::log(1.0 + f64::from(self.change) / 100.0),
            came_out: after - before,
            error: error.hypot(other),
        })
    }

    fn per_cent(&self) -> Option<f64> {
        self.shift().map(|shift| 100.0 * (libm::exp(shift.came_out) - 1.0))
    }
}

impl Echo {
    /// Prints the shifts side by side.
    ///
    /// # Errors
    /// The output.
    pub fn print(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(
            out,
            "\necho: the regression on {} games of players that believe in other values",
            self.games
        )?;
        let row = |line: &Line| {
            let shift = line.per_cent().map_or("-".to_owned(), |s| format!("{} %", signed(s, 0)));
            vec![
                line.name.clone(),
                format!("{:+} %", line.change),
                Worth::text(line.before),
                Worth::text(line.after),
                shift,
            ]
        };
        let rows: Vec<Vec<String>> = self.lines.iter().map(row).collect();
        crate::cli::table::write(out, &["piece", "belief changed by", "before", "after", "shift"], &rows)?;
        writeln!(
            out,
            "share of the change that came back (0: no echo, 1: only echo): {}",
            Worth::text(self.share)
        )?;
        Ok(())
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let line = |line: &Line| {
            json!({
                "piece": line.name,
                "belief_changed_by_percent": line.change,
                "before": Worth::json(line.before),
                "after": Worth::json(line.after),
                "shift_percent": line.per_cent(),
            })
        };
        let lines: Vec<Value> = self.lines.iter().map(line).collect();
        json!({ "games": self.games, "values": lines, "share": Worth::json(self.share) })
    }
}
