//! Anytime-valid inference by betting on the mean of units in [0, 1].
//!
//! For every candidate mean `m` two gamblers bet against it, one that the true mean is larger and one that it
//! is smaller. Each one's capital is a nonnegative supermartingale if the candidate is right, so by Ville's
//! inequality it ever reaches `2 / alpha` with probability at most `alpha / 2`: candidates that lose that much
//! are rejected, and looking after every unit costs nothing. This is the hedged-capital confidence sequence of
//! Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting", JRSS B 86:1
//! (theorem 3), with their bets that maximise a lower bound on the wealth (LBOW, appendix B) from the plug-in
//! mean and variance of the units before (their equation 15).
//!
//! Units must come in a fixed order that does not depend on their outcomes (the contiguous prefix of a run).
//! All arithmetic on the way to a verdict is +, -, *, / and comparisons of f64, in unit order, so verdicts and
//! stopping units are the same on every machine.

use super::{Direction, Interval, StatsError, Verdict, in_range, probability};

/// Plug-in estimates from the units so far, with one half-successful unit as prior (Waudby-Smith and Ramdas,
/// equation 15). Never a zero variance, so bets are always defined.
#[derive(Debug, Clone)]
struct PlugIn {
    count: u64,
    sum: f64,
    squares: f64,
}

impl PlugIn {
    fn new() -> Self {
        Self { count: 0, sum: 0.0, squares: 0.0 }
    }

    fn mean(&self) -> f64 {
        (0.5 + self.sum) / (self.count as f64 + 1.0)
    }

    fn variance(&self) -> f64 {
        (0.25 + self.squares) / (self.count as f64 + 1.0)
    }

    fn push(&mut self, x: f64) {
        self.count += 1;
        self.sum += x;
        let deviation = x - self.mean();
        self.squares += deviation * deviation;
    }
}

/// The fraction to bet on an edge of `edge` a unit, when a unit can lose at most `room`: the maximiser of the
/// lower bound on the expected log growth (LBOW). Zero without an edge; always below `1 / room`, so the
/// capital stays positive.
fn bet(edge: f64, variance: f64, room: f64) -> f64 {
    if edge > 0.0 { edge / (variance + edge * edge + room * edge) } else { 0.0 }
}

/// A gambler against one candidate mean who bets that the true mean is on one side of it.
#[derive(Debug, Clone)]
struct Gambler {
    candidate: f64,
    /// The side the gambler bets on: `Above` rejects "the mean is at most the candidate".
    side: Direction,
    capital: f64,
}

impl Gambler {
    fn new(candidate: f64, side: Direction) -> Self {
        Self { candidate, side, capital: 1.0 }
    }

    fn edge(&self, mean: f64) -> f64 {
        match self.side {
            Direction::Above => mean - self.candidate,
            Direction::Below => self.candidate - mean,
        }
    }

    /// The most a unit can lose.
    fn room(&self) -> f64 {
        match self.side {
            Direction::Above => self.candidate,
            Direction::Below => 1.0 - self.candidate,
        }
    }

    /// Bets on `x` with the estimates from the units before it.
    fn play(&mut self, before: &PlugIn, x: f64) {
        let fraction = bet(self.edge(before.mean()), before.variance(), self.room());
        self.capital *= 1.0 + fraction * self.edge(x);
    }
}

/// A confidence sequence for the mean of units in [0, 1]: an interval after every unit such that all of them
/// together contain the mean with probability at least `1 - alpha`.
///
/// The mean may be that of a changing law as long as each unit's conditional mean is the same.
#[derive(Debug, Clone)]
pub struct ConfidenceSequence {
    plug_in: PlugIn,
    /// Capital at which a candidate is rejected.
    target: f64,
    /// Candidates 0, 1/steps, ..., 1, with the gamblers that the mean is above and below each.
    above: Vec<Gambler>,
    below: Vec<Gambler>,
    /// The candidates before this one are rejected as too small.
    first: usize,
    /// The candidates from this one on are rejected as too large.
    end: usize,
}

impl ConfidenceSequence {
    /// Steps of the default grid: ends are multiples of 0.001.
    pub const STEPS: usize = 1000;

    /// A sequence with error probability `alpha`, half on each side.
    ///
    /// # Errors
    /// `alpha` not strictly between 0 and 1.
    pub fn new(alpha: f64) -> Result<Self, StatsError> {
        Self::with_steps(alpha, Self::STEPS)
    }

    /// As [`new`](Self::new), with another number of steps between 0 and 1 (at least one).
    ///
    /// # Errors
    /// `alpha` not strictly between 0 and 1.
    pub fn with_steps(alpha: f64, steps: usize) -> Result<Self, StatsError> {
        let alpha = probability("alpha", alpha)?;
        let steps = steps.max(1);
        let gamblers = |side| (0..=steps).map(|i| Gambler::new(i as f64 / steps as f64, side)).collect();
        Ok(Self {
            plug_in: PlugIn::new(),
            target: 2.0 / alpha,
            above: gamblers(Direction::Above),
            below: gamblers(Direction::Below),
            first: 0,
            end: steps + 1,
        })
    }

    /// Takes the next unit.
    ///
    /// # Errors
    /// `x` not in [0, 1]; the sequence is then as before.
    pub fn push(&mut self, x: f64) -> Result<(), StatsError> {
        let x = in_range("unit", x, 0.0, 1.0)?;
        for gambler in &mut self.above[self.first..] {
            if gambler.capital < self.target {
                gambler.play(&self.plug_in, x);
            }
        }
        for gambler in &mut self.below[..self.end] {
            if gambler.capital < self.target {
                gambler.play(&self.plug_in, x);
            }
        }
        self.plug_in.push(x);
        // Only a run of rejections that reaches the edge of the grid counts. The true mean lies between two
        // candidates; a miss then means that one fixed candidate, its neighbour, was wrongly rejected.
        while self.first < self.above.len() && self.above[self.first].capital >= self.target {
            self.first += 1;
        }
        while self.end > 0 && self.below[self.end - 1].capital >= self.target {
            self.end -= 1;
        }
        Ok(())
    }

    /// Units so far.
    pub fn count(&self) -> u64 {
        self.plug_in.count
    }

    /// Mean of the units so far; nothing before the first.
    pub fn mean(&self) -> Option<f64> {
        (self.plug_in.count > 0).then(|| self.plug_in.sum / self.plug_in.count as f64)
    }

    /// The interval now: the intersection of all so far, [0, 1] before any unit. The true mean is strictly
    /// inside, save at 0 and 1.
    ///
    /// Should every candidate be rejected, which units with one common mean do with probability at most alpha,
    /// the two ends cross; the interval is then the gap between them, and
    /// [`is_contradicted`](Self::is_contradicted) says so.
    pub fn interval(&self) -> Interval {
        let (lower, upper) = self.ends();
        Interval { lower: lower.min(upper), upper: lower.max(upper) }
    }

    /// Whether no single mean is compatible with the units, as when the mean drifts in the course of a run.
    pub fn is_contradicted(&self) -> bool {
        let (lower, upper) = self.ends();
        lower > upper
    }

    fn ends(&self) -> (f64, f64) {
        let lower = if self.first == 0 { 0.0 } else { self.above[self.first - 1].candidate };
        let upper = self.below.get(self.end).map_or(1.0, |g| g.candidate);
        (lower, upper)
    }
}

/// When a test decided, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// [`Verdict::Supported`] or [`Verdict::Refuted`].
    pub verdict: Verdict,
    /// Number of units read when it crossed, so 1 for the first unit.
    pub units: u64,
}

/// The sequential test of one claim, "the mean is below (above) the threshold", on units in [0, 1].
///
/// Supported once the confidence sequence's gambler against the other side of the threshold reaches
/// `2 / alpha`, refuted once the one against the claimed side does. The first crossing is final: later units
/// are ignored. Either wrong verdict comes with probability at most `alpha / 2`, however often one looks.
#[derive(Debug, Clone)]
pub struct BettingTest {
    plug_in: PlugIn,
    target: f64,
    supporter: Gambler,
    opponent: Gambler,
    decision: Option<Decision>,
}

impl BettingTest {
    /// A test of the claim that the mean is on the given side of `threshold`.
    ///
    /// # Errors
    /// `threshold` not in [0, 1], `alpha` not strictly between 0 and 1.
    pub fn new(threshold: f64, alpha: f64, direction: Direction) -> Result<Self, StatsError> {
        let threshold = in_range("threshold", threshold, 0.0, 1.0)?;
        let alpha = probability("alpha", alpha)?;
        let other = match direction {
            Direction::Below => Direction::Above,
            Direction::Above => Direction::Below,
        };
        Ok(Self {
            plug_in: PlugIn::new(),
            target: 2.0 / alpha,
            supporter: Gambler::new(threshold, direction),
            opponent: Gambler::new(threshold, other),
            decision: None,
        })
    }

    /// Takes the next unit and says what is decided after it. Once decided, units are ignored.
    ///
    /// # Errors
    /// `x` not in [0, 1]; the test is then as before.
    pub fn push(&mut self, x: f64) -> Result<Verdict, StatsError> {
        let x = in_range("unit", x, 0.0, 1.0)?;
        if self.decision.is_none() {
            self.supporter.play(&self.plug_in, x);
            self.opponent.play(&self.plug_in, x);
            self.plug_in.push(x);
            let units = self.plug_in.count;
            if self.supporter.capital >= self.target {
                self.decision = Some(Decision { verdict: Verdict::Supported, units });
            } else if self.opponent.capital >= self.target {
                self.decision = Some(Decision { verdict: Verdict::Refuted, units });
            }
        }
        Ok(self.verdict())
    }

    /// The verdict so far.
    pub fn verdict(&self) -> Verdict {
        self.decision.map_or(Verdict::Undecided, |d| d.verdict)
    }

    /// The decision, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Units read, up to the decision.
    pub fn count(&self) -> u64 {
        self.plug_in.count
    }

    /// How many more units would decide with a chance of about 80 %, if the units to come are like those so
    /// far: 0 once decided; nothing while the mean so far is the threshold, or the answer is above 10^12.
    ///
    /// The log capital of the gambler on the side of the mean is taken as a Brownian motion with the plug-in
    /// growth rate (LBOW) and variance; the answer is the time by which it is past the target in four cases
    /// of five. It leaves out that the mean so far is itself uncertain. For display, not for decisions.
    pub fn units_to_go(&self) -> Option<u64> {
        if self.decision.is_some() {
            return Some(0);
        }
        let (mean, variance) = (self.plug_in.mean(), self.plug_in.variance());
        let gambler = if self.supporter.edge(mean) > 0.0 { &self.supporter } else { &self.opponent };
        let (edge, room) = (gambler.edge(mean), gambler.room());
        let fraction = bet(edge, variance, room);
        let second = variance + edge * edge;
        // Fan, Grama and Liu 2015: log(1 + f y) >= f y + (y/room)^2 (log(1 - f room) + f room), y >= -room.
        let curvature = if room > 0.0 {
            (libm::log1p(-fraction * room) + fraction * room) / (room * room)
        } else {
            -fraction * fraction / 2.0
        };
        let growth = fraction * edge + second * curvature;
        let deviation = fraction * variance.sqrt();
        let missing = libm::log(self.target) - libm::log(gambler.capital);
        if growth <= 0.0 || missing <= 0.0 || !missing.is_finite() {
            return None;
        }
        const Z80: f64 = 0.841_621_233_572_914_2;
        let spread = Z80 * deviation;
        let root = (spread + (spread * spread + 4.0 * growth * missing).sqrt()) / (2.0 * growth);
        let units = (root * root).ceil();
        (units <= 1e12).then_some(units as u64)
    }
}

/// The sequential test of equivalence, "the mean lies strictly between `low` and `high`": two confidence
/// sequences, one against each margin. Supported once both margins are rejected, refuted once the mean is
/// shown to be beyond one. A difference that is merely not significant stays undecided.
#[derive(Debug, Clone)]
pub struct EquivalenceTest {
    above_low: BettingTest,
    below_high: BettingTest,
}

impl EquivalenceTest {
    /// A test with error probability at most `alpha` in all.
    ///
    /// # Errors
    /// Margins not in [0, 1] or not in order, `alpha` not strictly between 0 and 1.
    pub fn new(low: f64, high: f64, alpha: f64) -> Result<Self, StatsError> {
        let high = in_range("upper margin", high, low, 1.0)?;
        Ok(Self {
            above_low: BettingTest::new(low, alpha, Direction::Above)?,
            below_high: BettingTest::new(high, alpha, Direction::Below)?,
        })
    }

    /// Takes the next unit and says what is decided after it. Once decided, units are ignored.
    ///
    /// # Errors
    /// `x` not in [0, 1]; the test is then as before.
    pub fn push(&mut self, x: f64) -> Result<Verdict, StatsError> {
        if self.verdict() == Verdict::Undecided {
            self.above_low.push(x)?;
            self.below_high.push(x)?;
        } else {
            in_range("unit", x, 0.0, 1.0)?;
        }
        Ok(self.verdict())
    }

    /// The verdict so far.
    pub fn verdict(&self) -> Verdict {
        match (self.above_low.verdict(), self.below_high.verdict()) {
            (Verdict::Supported, Verdict::Supported) => Verdict::Supported,
            (Verdict::Refuted, _) | (_, Verdict::Refuted) => Verdict::Refuted,
            _ => Verdict::Undecided,
        }
    }

    /// The decision, if there is one.
    pub fn decision(&self) -> Option<Decision> {
        let (low, high) = (self.above_low.decision(), self.below_high.decision());
        match self.verdict() {
            Verdict::Undecided => None,
            Verdict::Supported => [low, high].into_iter().flatten().max_by_key(|d| d.units),
            Verdict::Refuted => [low, high].into_iter().flatten().find(|d| d.verdict == Verdict::Refuted),
        }
    }

    /// How many more units would probably decide, as [`BettingTest::units_to_go`].
    pub fn units_to_go(&self) -> Option<u64> {
        if self.verdict() != Verdict::Undecided {
            return Some(0);
        }
        // Inside the margins both must fall; beyond one of them, that one's refutation is enough.
        let mean = self.above_low.plug_in.mean();
        if mean <= self.above_low.supporter.candidate {
            self.above_low.units_to_go()
        } else if mean >= self.below_high.supporter.candidate {
            self.below_high.units_to_go()
        } else {
            Some(self.above_low.units_to_go()?.max(self.below_high.units_to_go()?))
        }
    }
}

/// An affine map of a quantity with known bounds to [0, 1] and back, for means of other things than shares:
/// a paired difference of shares is `Scale::new(-1.0, 1.0)`, and a difference of 0 is then tested at 0.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// The map for a quantity that can only take values from `low` to `high`. The bounds must be known before
    /// the data.
    ///
    /// # Errors
    /// Bounds that are not finite or not in order.
    pub fn new(low: f64, high: f64) -> Result<Self, StatsError> {
        in_range("lower bound", low, f64::MIN, f64::MAX)?;
        in_range("upper bound", high, low, f64::MAX)?;
        if high > low {
            Ok(Self { low, high })
        } else {
            Err(StatsError::NotAbove { what: "upper bound", value: high, bound: low })
        }
    }

    /// The value on the unit scale.
    ///
    /// # Errors
    /// A value outside the bounds.
    pub fn to_unit(self, value: f64) -> Result<f64, StatsError> {
        let value = in_range("value", value, self.low, self.high)?;
        Ok(((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }

    /// The quantity at a place of the unit scale.
    pub fn from_unit(self, unit: f64) -> f64 {
        self.low + unit * (self.high - self.low)
    }

    /// An interval of the unit scale as one of the quantity.
    pub fn interval(self, unit: Interval) -> Interval {
        Interval { lower: self.from_unit(unit.lower), upper: self.from_unit(unit.upper) }
    }
}

/// The unit for a claim about a ratio of means ("of all promotions, the share to queens"), so that the ratio
/// exceeds `threshold` exactly when the unit's mean does: the numerator minus the threshold times the
/// denominator, moved and scaled from its range to [0, 1].
///
/// `numerator` is part of `denominator` (0 to `denominator`), which is at most `most` in any unit; `most` must
/// be known before the data. Test the unit's mean against the same `threshold`.
///
/// # Errors
/// Arguments outside these ranges.
pub fn ratio_unit(numerator: f64, denominator: f64, threshold: f64, most: f64) -> Result<f64, StatsError> {
    let most = in_range("greatest denominator", most, f64::MIN_POSITIVE, f64::MAX)?;
    let threshold = in_range("threshold", threshold, 0.0, 1.0)?;
    let denominator = in_range("denominator", denominator, 0.0, most)?;
    let numerator = in_range("numerator", numerator, 0.0, denominator)?;
    Ok((threshold + (numerator - threshold * denominator) / most).clamp(0.0, 1.0))
}

#[cfg(test)]
#[path = "betting_tests.rs"]
mod tests;
