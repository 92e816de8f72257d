//! What a report shows, as plain data.
//!
//! Whoever reads a run's folder fills these structures; nothing here knows a game, a file or a statistic. All
//! texts are plain text: the page escapes them.

/// One page: a run, or several side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportInput {
    /// Heading of the page.
    pub title: String,
    /// Name and version of the program, for the foot of the page.
    pub program: String,
    /// The runs, in the order they are shown.
    pub runs: Vec<Run>,
}

/// One run's folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Short name, unique on the page: the folder's or the experiment's.
    pub name: String,
    /// A sentence on what the run was for; may be empty.
    pub purpose: String,
    /// What stands beside every figure.
    pub setup: Setup,
    /// What a reader must know before the figures: an unfinished run, faults, duplicate games. May be empty.
    pub warnings: Vec<String>,
    /// Claims and what became of them; empty if none were checked.
    pub verdicts: Vec<Verdict>,
    /// Rules the results rest on that are choices or reconstructions.
    pub reliance: Vec<Reliance>,
    /// Headline figures. Several runs are aligned by [`Figure::name`].
    pub figures: Vec<Figure>,
    /// Lengths of the games; `None` hides the histogram.
    pub lengths: Option<Lengths>,
    /// How the games ended, most frequent first. Shares are taken of the sum.
    pub terminations: Vec<TerminationCount>,
    /// One game to step through.
    pub game: Option<GameView>,
    /// Field and value: engine fingerprint, rules, value table, versions, seeds. Several runs are aligned by field.
    pub provenance: Vec<(String, String)>,
}

/// Under which conditions the figures hold; every figure changes with strength.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// The game, with options that differ from the default.
    pub game: String,
    /// Engine and version, or both players.
    pub engine: String,
    /// Effort a move: `2,000 nodes a move`.
    pub budget: String,
    /// Seed of the experiment, as text.
    pub seed: String,
    /// What one piece of evidence is: `one opening, one game`.
    pub unit: String,
    /// Games in the log.
    pub games: u64,
    /// Games that differ from all earlier ones, where counted.
    pub unique_games: Option<u64>,
}

/// How a figure is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// A share from 0 to 1, written in per cent.
    Share,
    /// A difference of shares from -1 to 1, written in percentage points with its sign.
    ShareDifference,
    /// Any other number, with the decimals to show and the unit's name (may be empty).
    Plain {
        /// Digits after the point.
        decimals: usize,
        /// `moves`, `pawns`, `points`, or empty.
        name: String,
    },
}

/// A figure and what is known of its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The figure, in its unit.
    pub value: f64,
    /// Both ends of the interval, in the same unit. An end that is not finite is shown as open.
    pub interval: Option<(f64, f64)>,
    /// How to write it.
    pub unit: Unit,
    /// Where value and interval come from: `95 % Wilson`, `confidence sequence, alpha 0.05`,
    /// `nominal, biased after stopping`.
    pub method: String,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The evidence supports the claim at the stated level.
    Supported,
    /// It speaks against it at the stated level.
    Refuted,
    /// Neither.
    Undecided,
}

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The claim's id.
    pub claim: String,
    /// The claim in words.
    pub statement: String,
    /// Metric and threshold as fixed before the run: `share of draws below 5 %`.
    pub criterion: String,
    /// SUPPORTED, REFUTED or UNDECIDED.
    pub outcome: Outcome,
    /// The metric; `None` if there is no figure (an exact claim).
    pub estimate: Option<Estimate>,
    /// What else there is to say of it, a line each.
    pub beside: Vec<String>,
    /// The threshold, in the estimate's unit, for the drawing.
    pub threshold: Option<f64>,
    /// Games the verdict rests on.
    pub games: u64,
    /// Unique games among them, where counted.
    pub unique_games: Option<u64>,
    /// What deciding would take: `about 800 more games`; empty once decided.
    pub to_decide: String,
    /// Choices and reconstructions among the rules that the verdict depends on.
    pub rests_on: Vec<Reliance>,
}

/// Standing of a rule that the inventor's text does not settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The text can be read in several ways; one was chosen.
    Choice,
    /// The text lost something; it was rebuilt.
    Reconstructed,
}

/// A rule that is a choice or a reconstruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reliance {
    /// Rule and value: `checkmate_unoffered = full`.
    pub rule: String,
    /// Choice or reconstruction.
    pub standing: Standing,
    /// What was chosen or rebuilt, in words; may be empty.
    pub note: String,
}

/// A headline figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it measures: `White's expected score`.
    pub name: String,
    /// Value and interval.
    pub estimate: Estimate,
    /// Games it rests on.
    pub games: u64,
}

/// Lengths of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// `moves` or `plies`.
    pub unit: String,
    /// One entry a game, in any order.
    pub values: Vec<u32>,
    /// Lengths to mark, with a short label: a move rule, a harness limit.
    pub marks: Vec<(u32, String)>,
}

/// Games that ended in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminationCount {
    /// The termination's name in the log.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Interval of its share, from 0 to 1.
    pub interval: Option<(f64, f64)>,
}

/// A game to step through. `positions` is one longer than `plies`; what is over on either side is not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameView {
    /// Game id in the log.
    pub id: String,
    /// Why this game, and how it ended: `Longest decisive game: 0-1, checkmate at move 131`.
    pub caption: String,
    /// Whether a1 is a dark square.
    pub a1_dark: bool,
    /// Boards, from before the first ply to after the last.
    pub positions: Vec<Position>,
    /// What was played between them.
    pub plies: Vec<Ply>,
}

/// A board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Rows from the highest rank down, each from file a on. A cell is empty or the piece's text, whose first
    /// letter is upper-case for White and lower-case for Black: `K`, `p`, `+r`, `K5`.
    pub rows: Vec<Vec<String>>,
    /// What the board does not show: hands, stash, health. May be empty.
    pub note: String,
}

/// What was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Move number as it is to be shown: `12.` or `12…`; empty to show none.
    pub label: String,
    /// The move.
    pub text: String,
    /// Evaluation as in the log: centipawns from White's view, `#5`, `#-5`, or `-` for none.
    pub eval: String,
}
