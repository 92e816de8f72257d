//! Values by regression on logged positions.

use super::{ValuesArgs, Worth, Z};
use crate::positions::{Choice, Logs, Tally};
use anyhow::{Result, bail};
use engine::eval::{Evaluator, ONE};
use engine::search::Playable;
use engine::side::Side;
use tuner::logistic::{Data, Fit, percentile};

/// Phases of the game that are looked at apart.
pub const PHASES: usize = 3;
/// Units in which a column must differ from zero to be estimated.
const FEWEST: usize = 20;
/// Columns before the kinds: White's edge, the side to move.
const BEFORE: usize = 2;

/// A position: its unit, differences of counts (kinds on the board, in hand, then what is gone of kinds that have
/// health), side to move, phase, result.
struct Row {
    unit: u64,
    counts: Vec<f64>,
    tempo: f64,
    phase: usize,
    result: f64,
}

/// One regression: which kinds have a column, and what came out.
struct Regression {
    columns: Vec<usize>,
    pawn: usize,
    fit: Option<Fit>,
    replicates: Vec<Vec<f64>>,
    units: usize,
}

/// The regressions on all positions and by phase.
pub struct Regressions {
    /// What was read.
    pub tally: Tally,
    /// Units of evidence.
    pub units: usize,
    /// White's edge in log-odds and its standard error.
    pub first_move: Option<(f64, f64)>,
    whole: Regression,
    /// With what is gone of each kind beside the counts; for games with health.
    wounded: Option<Regression>,
    /// Numbers of a row that are counts of pieces.
    counts: usize,
    phases: Vec<Regression>,
}

impl Regressions {
    pub fn run<G: Playable>(game: &G, logs: &Logs, args: &ValuesArgs, pawn: usize) -> Result<Regressions> {
        let evaluator = Evaluator::with_defaults(game.clone())?;
        let kinds = game.info().pieces.len();
        let width = if G::CAPS.drops { 2 * kinds } else { kinds };
        let mut rows: Vec<Row> = Vec::new();
        let choice = Choice { per_game: args.positions.into(), seed: args.source.seed };
        let tally = logs.each(game, choice, &mut |quiet| {
            let mut counts = vec![0.0; width + kinds];
            game.pieces(quiet.state, &mut |side, kind, square| {
                let missing = f64::from(game.missing(quiet.state, square)) / f64::from(ONE);
                counts[kind as usize] += f64::from(side.sign());
                counts[width + kind as usize] += f64::from(side.sign()) * missing;
            });
            if G::CAPS.drops {
                for side in Side::BOTH {
                    for kind in 0..kinds {
                        let n = f64::from(game.in_hand(quiet.state, side, kind as u8));
                        counts[kinds + kind] += f64::from(side.sign()) * n;
                    }
                }
            }
            // 0 above two thirds of the pieces, 1, 2 below one third.
            let phase = evaluator.phase(&evaluator.sum(quiet.state));
            let phase = usize::from(phase * 3 < 2 * ONE) + usize::from(phase * 3 < ONE);
            let tempo = f64::from(game.side_to_move(quiet.state).sign());
            rows.push(Row { unit: quiet.unit, counts, tempo, phase, result: quiet.result });
            Ok(())
        })?;
        if rows.is_empty() {
            bail!("no quiet position in {} games with a result", tally.games);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.source.threads.count()).build()?;
        let (resamples, seed) = (args.resamples, args.source.seed);
        let all: Vec<&Row> = rows.iter().collect();
        let whole = pool.install(|| Regression::of(&all, width, pawn, resamples, seed));
        let has_health = rows.iter().any(|row| row.counts[width..].iter().any(|n| *n != 0.0));
        let wounded = has_health.then(|| Regression::of(&all, width + kinds, pawn, 0, seed));
        let phases = (0..PHASES).map(|phase| {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.phase == phase).collect();
            Regression::of(&rows, width, pawn, 0, seed)
        });
        let first_move = whole.fit.as_ref().map(|f| (f.coefficients[0], f.covariance[0].sqrt()));
        Ok(Regressions {
            tally,
            units: whole.units,
            first_move,
            phases: phases.collect(),
            whole,
            wounded,
            counts: width,
        })
    }

    /// A kind's value from all positions: with the robust interval, and with the bootstrap's.
    pub fn whole(&self, kind: usize) -> [Option<Worth>; 2] {
        [self.whole.worth(kind), self.whole.bootstrap(kind)]
    }

    /// A kind's value with a share of its health left, 0 to 1; nothing in a game without health.
    pub fn at_health(&self, kind: usize, left: f64) -> Option<Worth> {
        let wounded = self.wounded.as_ref()?;
        let (column, pawn) = wounded.pair(kind)?;
        let (wound, _) = wounded.pair(self.counts + kind)?;
        let (value, interval) =
            wounded.fit.as_ref()?.ratio_of(&[(column, 1.0), (wound, 1.0 - left)], pawn, Z);
        Some(Worth { value, interval })
    }

    /// What a piece of kind `from` gains by becoming one of kind `to`, both on the board.
    pub fn gain(&self, from: usize, to: usize) -> Option<Worth> {
        let (before, pawn) = self.whole.pair(from)?;
        let (after, _) = self.whole.pair(to)?;
        let (value, interval) = self.whole.fit.as_ref()?.ratio_of(&[(after, 1.0), (before, -1.0)], pawn, Z);
        Some(Worth { value, interval })
    }

    /// A kind's value by phase, from the opening on.
    pub fn phases(&self, kind: usize) -> [Option<Worth>; PHASES] {
        std::array::from_fn(|phase| self.phases.get(phase).and_then(|r| r.worth(kind)))
    }
}

impl Regression {
    /// The regression on the first `width` numbers of each row.
    fn of(rows: &[&Row], width: usize, pawn: usize, resamples: u64, seed: u64) -> Regression {
        let often = |kind: &usize| {
            let mut units: Vec<u64> =
                rows.iter().filter(|r| r.counts[*kind] != 0.0).map(|r| r.unit).collect();
            units.dedup();
            units.len() >= FEWEST
        };
        let columns: Vec<usize> = (0..width).filter(often).collect();
        let mut data = Data::new(BEFORE + columns.len());
        for row in rows {
            let counts = columns.iter().map(|&kind| row.counts[kind]);
            let x: Vec<f64> = [1.0, row.tempo].into_iter().chain(counts).collect();
            data.push(row.unit, &x, row.result);
        }
        let fit = data.fit();
        let replicates = fit.as_ref().map(|fit| data.bootstrap(fit, resamples, seed)).unwrap_or_default();
        Regression { columns, pawn, fit, replicates, units: data.units() }
    }

    /// The columns of a kind and of the pawn.
    fn pair(&self, kind: usize) -> Option<(usize, usize)> {
        let at = |kind| self.columns.iter().position(|&k| k == kind).map(|i| BEFORE + i);
        Some((at(kind)?, at(self.pawn)?))
    }

    fn worth(&self, kind: usize) -> Option<Worth> {
        let (column, pawn) = self.pair(kind)?;
        let (value, interval) = self.fit.as_ref()?.ratio(column, pawn, Z);
        Some(Worth { value, interval })
    }

    fn bootstrap(&self, kind: usize) -> Option<Worth> {
        let (column, pawn) = self.pair(kind)?;
        let value = self.worth(kind)?.value;
        let interval = percentile(self.replicates.iter().map(|b| b[column] / b[pawn]).collect(), 0.95);
        Some(Worth { value, interval })
    }
}
