//! What every ending is worth, as checked data.

use super::points::MilliPoints;
use thiserror::Error;

/// Two amounts that belong together; which is whose, the field that holds them says.
pub type Split = (MilliPoints, MilliPoints);

/// A run of moves over which a win has one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// First move number of the band.
    pub from: u32,
    /// Last move number of the band, included. `None` only in the last band of a matrix without a move rule.
    pub to: Option<u32>,
    /// Points to the winner.
    pub winner: MilliPoints,
    /// Points to the loser.
    pub loser: MilliPoints,
}

impl Band {
    fn contains(&self, move_number: u32) -> bool {
        self.from <= move_number && self.to.is_none_or(|to| move_number <= to)
    }

    /// The band's moves in words: `moves 46-60`.
    fn moves(&self) -> String {
        match self.to {
            Some(to) => format!("moves {}-{to}", self.from),
            None => format!("moves {} and later", self.from),
        }
    }
}

/// What a checkmate pays when no refused offer came before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CheckmateUnoffered {
    /// The whole stake. The default: a choice, as the inventor's text can be read both ways.
    #[default]
    Full,
    /// The price of the band in which the mating move is made.
    Banded,
}

impl CheckmateUnoffered {
    /// The values as files write them.
    pub const NAMES: [&str; 2] = ["full", "banded"];

    /// The value as files write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Banded => "banded",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Full, Self::Banded].into_iter().find(|value| value.name() == name)
    }
}

/// A payoff matrix before it has been checked: what a file says or a tuner proposes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatrixSpec {
    /// Short name, as the log's `payoff` column shows it.
    pub name: String,
    /// Where the numbers come from, in words.
    pub provenance: String,
    /// Whether the numbers rebuild something lost; results that rest on them must say so.
    pub reconstructed: bool,
    /// Points a whole win pays.
    pub stake: MilliPoints,
    /// In order of moves.
    pub bands: Vec<Band>,
    /// To the side that gave stalemate, to the stalemated side.
    pub stalemate: Split,
    /// Any other draw: to White, to Black.
    pub draw: Split,
    /// A game still running after this move is complete pays nobody; `None` to play on.
    pub move_rule: Option<u32>,
    /// Price of a checkmate before which no offer was refused.
    pub checkmate_unoffered: CheckmateUnoffered,
    /// Whether a refused draw offer makes later checkmates pay by band, as a refused resignation does.
    pub refused_draw_starts_bands: bool,
}

/// A payoff matrix that has been checked.
///
/// Its bands cover every move from the first to the move rule exactly once, a win never becomes dearer with
/// time, and no ending pays the two players more than the stake together. It may pay them less: the move rule
/// pays nothing at all, and the game between the players is then no longer zero-sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix(MatrixSpec);

impl Matrix {
    /// Checks a matrix.
    ///
    /// # Errors
    /// [`MatrixError`], which names the band: none, not from move 1, overlapping, leaving a gap, rising again,
    /// paying more than the stake, paying the loser more than the winner, or not ending at the move rule.
    pub fn new(spec: MatrixSpec) -> Result<Self, MatrixError> {
        if spec.stake == MilliPoints::ZERO {
            return Err(MatrixError::NoStake);
        }
        if spec.move_rule == Some(0) {
            return Err(MatrixError::MoveRuleZero);
        }
        check_bands(&spec)?;
        for (ending, split) in [("stalemate", spec.stalemate), ("draw", spec.draw)] {
            if over_stake(split, spec.stake) {
                let stake = spec.stake;
                return Err(MatrixError::EndingOverStake { ending, first: split.0, second: split.1, stake });
            }
        }
        Ok(Self(spec))
    }

    /// The matrix as plain data, to read or to vary.
    pub fn spec(&self) -> &MatrixSpec {
        &self.0
    }

    /// The bands in order of moves; never empty.
    pub fn bands(&self) -> &[Band] {
        &self.0.bands
    }

    /// Index of the band that holds a move number; `None` before move 1 and after the move rule.
    pub fn band_at(&self, move_number: u32) -> Option<usize> {
        self.0.bands.iter().position(|band| band.contains(move_number))
    }

    /// The same matrix under another move rule, or under none.
    ///
    /// The inventor makes the rule optional and says nothing of the prices beyond it: bands past a shorter rule
    /// go, and the last band is stretched or cut to end where the rule does.
    ///
    /// # Errors
    /// [`MatrixError::MoveRuleZero`] for a rule that would end the game before its first move.
    pub fn with_move_rule(&self, move_rule: Option<u32>) -> Result<Self, MatrixError> {
        let mut spec = self.0.clone();
        spec.move_rule = move_rule;
        if let Some(limit) = move_rule {
            spec.bands.retain(|band| band.from <= limit);
        }
        if let Some(last) = spec.bands.last_mut() {
            last.to = move_rule;
        }
        Self::new(spec)
    }
}

fn over_stake((one, other): Split, stake: MilliPoints) -> bool {
    one.milli() + other.milli() > stake.milli()
}

fn check_bands(spec: &MatrixSpec) -> Result<(), MatrixError> {
    let Some((first, last)) = spec.bands.first().zip(spec.bands.last()) else {
        return Err(MatrixError::NoBands);
    };
    let stake = spec.stake;
    for (index, band) in spec.bands.iter().enumerate() {
        let at = BandRef::new(index, band);
        if let Some(to) = band.to.filter(|&to| to < band.from) {
            return Err(MatrixError::Backwards { band: at, to });
        }
        if over_stake((band.winner, band.loser), stake) {
            return Err(MatrixError::BandOverStake { band: at, stake });
        }
        if band.loser > band.winner {
            return Err(MatrixError::LoserAhead { band: at });
        }
    }
    if first.from != 1 {
        return Err(MatrixError::Start { band: BandRef::new(0, first) });
    }
    for (index, pair) in spec.bands.windows(2).enumerate() {
        let [before, band] = pair else { continue };
        let (at, previous) = (BandRef::new(index + 1, band), BandRef::new(index, before));
        match before.to {
            None => return Err(MatrixError::OpenEnd { band: previous }),
            Some(to) if band.from <= to => return Err(MatrixError::Overlap { band: at, previous }),
            Some(to) if band.from - to > 1 => {
                return Err(MatrixError::Gap { band: at, previous, missing: to + 1 });
            }
            Some(_) => {}
        }
        if band.winner > before.winner || band.loser < before.loser {
            return Err(MatrixError::Rises { band: at, previous });
        }
    }
    let at = BandRef::new(spec.bands.len() - 1, last);
    match (last.to, spec.move_rule) {
        (None, None) => Ok(()),
        (Some(to), Some(limit)) if to == limit => Ok(()),
        (Some(to), Some(limit)) if to < limit => Err(MatrixError::EndsEarly { band: at, limit }),
        (_, Some(limit)) => Err(MatrixError::EndsLate { band: at, limit }),
        (Some(to), None) => Err(MatrixError::EndsWithoutRule { band: at, to }),
    }
}

/// A band as messages show it: its place in the file, its moves and its prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandRef {
    /// Place in the list, from 1.
    pub number: usize,
    /// Its moves and prices.
    pub band: Band,
}

impl BandRef {
    fn new(index: usize, band: &Band) -> Self {
        Self { number: index + 1, band: *band }
    }
}

impl std::fmt::Display for BandRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Band { winner, loser, .. } = self.band;
        write!(f, "band {} ({}, {winner}-{loser})", self.number, self.band.moves())
    }
}

/// Why a payoff matrix is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatrixError {
    /// No bands at all.
    #[error("the matrix has no bands; expected at least one, from move 1 on")]
    NoBands,
    /// Nothing to play for.
    #[error("stake is 0; expected the points that a whole win pays")]
    NoStake,
    /// A game over before it starts.
    #[error("move_rule is 0; expected the number of the last move, or \"none\"")]
    MoveRuleZero,
    /// The first band starts late.
    #[error("{band} comes first but does not start at move 1")]
    Start {
        /// The first band.
        band: BandRef,
    },
    /// A band that ends before it starts.
    #[error("{band} ends before it starts: `to` is {to}, expected {from} or later", from = band.band.from)]
    Backwards {
        /// The band.
        band: BandRef,
        /// Its last move.
        to: u32,
    },
    /// Two bands claim a move.
    #[error("{band} overlaps {previous}")]
    Overlap {
        /// The later band.
        band: BandRef,
        /// The band before it.
        previous: BandRef,
    },
    /// A move without a price.
    #[error("{band} leaves a gap after {previous}: move {missing} has no price")]
    Gap {
        /// The later band.
        band: BandRef,
        /// The band before it.
        previous: BandRef,
        /// First move between them.
        missing: u32,
    },
    /// A win that becomes dearer with time.
    #[error(
        "{band} rises again after {previous}: a later win may pay the winner no more and the loser no less"
    )]
    Rises {
        /// The later band.
        band: BandRef,
        /// The band before it.
        previous: BandRef,
    },
    /// More paid out than there is.
    #[error("{band} pays more than the stake of {stake}")]
    BandOverStake {
        /// The band.
        band: BandRef,
        /// Points a whole win pays.
        stake: MilliPoints,
    },
    /// A win worth less than the loss.
    #[error("{band} pays the loser more than the winner")]
    LoserAhead {
        /// The band.
        band: BandRef,
    },
    /// More paid out than there is, outside the bands.
    #[error("{ending} = [{first}, {second}] pays more than the stake of {stake}")]
    EndingOverStake {
        /// `stalemate` or `draw`.
        ending: &'static str,
        /// First amount.
        first: MilliPoints,
        /// Second amount.
        second: MilliPoints,
        /// Points a whole win pays.
        stake: MilliPoints,
    },
    /// Only the last band can be open.
    #[error("{band} has no `to` although another band follows")]
    OpenEnd {
        /// The open band.
        band: BandRef,
    },
    /// Moves before the rule without a price.
    #[error("{band} comes last but ends before the move rule of {limit}")]
    EndsEarly {
        /// The last band.
        band: BandRef,
        /// Move after which a game pays nobody.
        limit: u32,
    },
    /// A price for moves that are never played.
    #[error("{band} goes on after the move rule of {limit}")]
    EndsLate {
        /// The last band.
        band: BandRef,
        /// Move after which a game pays nobody.
        limit: u32,
    },
    /// Without a move rule there is always a next move.
    #[error("{band} ends at move {to} although there is no move rule; leave its `to` out")]
    EndsWithoutRule {
        /// The last band.
        band: BandRef,
        /// Its last move.
        to: u32,
    },
}
