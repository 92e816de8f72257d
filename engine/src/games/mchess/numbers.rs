//! MChess's numbers as data: health, attack and percentages, and the proof that they divide evenly.

mod text;

pub(super) use text::FREE;

use super::{BISHOP, KINDS, KING, KNIGHT, NAMES, PAWN, QUEEN, ROOK};
use crate::eval::ONE;
use crate::moves::Kind;

/// Milli-points of one point. All of the game's arithmetic is in whole milli-points.
pub(super) const MILLI: u32 = 1000;
/// Most health or attack of a piece, in points: with it no sum of a turn's damage leaves an `i32`.
const MOST_POINTS: u32 = 1000;
/// Most own bishops a piece can stand on the diagonals of: a side has 16 pieces.
const MOST_BISHOPS: usize = 15;
/// Longest distance of a queen's attack.
const MOST_STEPS: usize = 7;

const FIRST: &str = include_str!("../../../../data/mchess/first.toml");
const HOT: &str = include_str!("../../../../data/mchess/hot.toml");

/// A set of numbers: what the inventor left open, in whole points and percent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Maximum (and first) health by kind, in points.
    pub health: [u32; KINDS],
    /// Attack by kind, in points; for the queen at distance 1. Bishop and king have 0: the one has no
    /// attack, the other's is a percentage.
    pub attack: [u32; KINDS],
    /// A king's attack and healing, in percent of a maximum health.
    pub king_percent: u32,
    /// What pawning costs the displaced piece, in percent of its maximum health.
    pub pawning_percent: u32,
    /// What each bishop adds to attack and healing, in percent.
    pub buff_percent: u32,
    /// What each rook takes over of the damage to a piece it shields, in percent.
    pub absorb_percent: u32,
}

/// Why a set of numbers is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumbersError {
    /// The text is no TOML of the expected form, or no set of numbers on one line.
    #[error("cannot read MChess numbers: {0}")]
    Text(String),
    /// A name that no number has.
    #[error("MChess numbers: `{name}` in {place} is unknown{}; expected {}", .nearest.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default(), .known.join(", "))]
    UnknownName {
        /// The table it stands in.
        place: String,
        /// What was read.
        name: String,
        /// The nearest known name, if one is near.
        nearest: Option<String>,
        /// All names the table has.
        known: Vec<&'static str>,
    },
    /// A maximum health is no multiple of 5 points.
    #[error(
        "health of the {piece} is {points}: a multiple of 5 points was expected, else damage cannot be exact"
    )]
    NotFive {
        /// The piece.
        piece: &'static str,
        /// Its health.
        points: u32,
    },
    /// A number is out of range.
    #[error("{what} is {value}: a whole number from {low} to {high} was expected")]
    Range {
        /// What the number is.
        what: String,
        /// Its value.
        value: u32,
        /// The least allowed.
        low: u32,
        /// The most allowed.
        high: u32,
    },
    /// A product is no whole number of milli-points.
    #[error("the numbers of the {piece} do not divide evenly: {what} is not a whole number of milli-points")]
    Inexact {
        /// The piece whose number is to blame.
        piece: &'static str,
        /// The product.
        what: String,
    },
}

impl Numbers {
    /// The default set, reconstructed.
    pub fn first() -> Numbers {
        embedded(FIRST)
    }

    /// The set with stronger attacks.
    pub fn hot() -> Numbers {
        embedded(HOT)
    }

    /// The named set that option `numbers` knows as `name`.
    fn named(name: &str) -> Option<Numbers> {
        match name {
            "first" => Some(Numbers::first()),
            "hot" => Some(Numbers::hot()),
            _ => None,
        }
    }

    fn check_ranges(&self) -> Result<(), NumbersError> {
        let range = |what: String, value, low, high| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(NumbersError::Range { what, value, low, high })
            }
        };
        for (kind, piece) in NAMES.into_iter().enumerate() {
            range(format!("health of the {piece}"), self.health[kind], 5, MOST_POINTS)?;
            if !self.health[kind].is_multiple_of(5) {
                return Err(NumbersError::NotFive { piece, points: self.health[kind] });
            }
            let most = if matches!(kind as u8, BISHOP | KING) { 0 } else { MOST_POINTS };
            range(format!("attack of the {piece}"), self.attack[kind], 0, most)?;
        }
        for (name, value) in [
            ("king", self.king_percent),
            ("pawning", self.pawning_percent),
            ("buff", self.buff_percent),
            ("absorb", self.absorb_percent),
        ] {
            range(format!("percent `{name}`"), value, 0, 100)?;
        }
        Ok(())
    }
}

/// The embedded sets are part of the program; a test reads both under every option.
fn embedded(text: &str) -> Numbers {
    Numbers::parse(text).expect("an embedded set of numbers is read by a test")
}

/// The readings of the rules that the products depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Readings {
    /// Several bishops multiply; at most two count, the inventor speaks of no more.
    pub multiplicative: bool,
    /// A queen's attack loses a tenth a step, not an eighth.
    pub tenths: bool,
    /// A king's attack is a percentage of his own maximum health.
    pub king_own: bool,
    /// Pawning hurts as an attack does, buffed and absorbed.
    pub pawning_attack: bool,
}

/// What each action does, in milli-points, by the number of own bishops that buff it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tables {
    /// Maximum health by kind.
    pub health: [i32; KINDS],
    /// Attack of pawn, knight and rook.
    pub attack: [[i32; KINDS]; MOST_BISHOPS + 1],
    /// Attack of the queen by distance.
    pub queen: [[i32; MOST_STEPS + 1]; MOST_BISHOPS + 1],
    /// Attack of the king by the victim's kind.
    pub king: [[i32; KINDS]; MOST_BISHOPS + 1],
    /// Healing by the healed piece's kind.
    pub heal: [[i32; KINDS]; MOST_BISHOPS + 1],
    /// Cost of being pawned by kind; the same in every row where no bishop buffs it.
    pub pawning: [[i32; KINDS]; MOST_BISHOPS + 1],
    /// What a rook takes over, in percent.
    pub absorb: i64,
    /// 2^32 x [`ONE`] over the maximum health, rounded up: turns health into shares without dividing.
    shares: [u64; KINDS],
}

impl Tables {
    /// Works all products out, and proves each exact.
    pub fn new(numbers: &Numbers, readings: Readings) -> Result<Tables, NumbersError> {
        numbers.check_ranges()?;
        let mut t = Tables {
            health: numbers.health.map(|h| (h * MILLI) as i32),
            attack: [[0; KINDS]; MOST_BISHOPS + 1],
            queen: [[0; MOST_STEPS + 1]; MOST_BISHOPS + 1],
            king: [[0; KINDS]; MOST_BISHOPS + 1],
            heal: [[0; KINDS]; MOST_BISHOPS + 1],
            pawning: [[0; KINDS]; MOST_BISHOPS + 1],
            absorb: numbers.absorb_percent.into(),
            shares: numbers.health.map(|h| ((ONE as u64) << 32).div_ceil(u64::from(h * MILLI))),
        };
        let absorb = u64::from(numbers.absorb_percent);
        for bishops in 0..=MOST_BISHOPS {
            let buff = buff(numbers, readings, bishops);
            let product = |kind: usize, what: &str, base: u64, part: (u64, u64), absorbed: bool| {
                let by = if bishops > 0 { format!(", buffed by {bishops},") } else { String::new() };
                exact(base * part.0 * buff.0, part.1 * buff.1)
                    // A share goes to each rook and the rest stays: exact if the share is.
                    .filter(|&d| !absorbed || d * absorb % 100 == 0)
                    .and_then(|d| i32::try_from(d).ok())
                    .ok_or_else(|| NumbersError::Inexact {
                        piece: NAMES[kind],
                        what: format!(
                            "{what} of {base} milli-points{by}{}",
                            if absorbed { " or a rook's share of it" } else { "" }
                        ),
                    })
            };
            for kind in [PAWN, KNIGHT, ROOK].map(usize::from) {
                let base = u64::from(numbers.attack[kind] * MILLI);
                t.attack[bishops][kind] = product(kind, "attack", base, (1, 1), true)?;
            }
            for steps in 1..=MOST_STEPS {
                let queen = usize::from(QUEEN);
                let base = u64::from(numbers.attack[queen] * MILLI);
                let (part, what) = if readings.tenths {
                    ((11 - steps as u64, 10), format!("attack at distance {steps} (tenths)"))
                } else {
                    ((9 - steps as u64, 8), format!("attack at distance {steps}"))
                };
                t.queen[bishops][steps] = product(queen, &what, base, part, true)?;
            }
            for kind in 0..KINDS {
                let health = u64::from(numbers.health[kind] * MILLI);
                let king = (u64::from(numbers.king_percent), 100);
                let pawning = (u64::from(numbers.pawning_percent), 100);
                let (whose, base) = if readings.king_own {
                    let king = usize::from(KING);
                    (king, u64::from(numbers.health[king] * MILLI))
                } else {
                    (kind, health)
                };
                t.king[bishops][kind] = product(whose, "king's attack by the health", base, king, true)?;
                t.heal[bishops][kind] = product(kind, "king's healing by the health", health, king, false)?;
                t.pawning[bishops][kind] = if bishops == 0 || readings.pawning_attack {
                    product(kind, "pawning by the health", health, pawning, readings.pawning_attack)?
                } else {
                    t.pawning[0][kind]
                };
            }
        }
        Ok(t)
    }

    /// Health of a kind as a share of its maximum, in parts of [`ONE`], rounded down. Not negative.
    #[inline(always)]
    pub fn share(&self, kind: Kind, health: i32) -> i32 {
        ((health as u64 * self.shares[usize::from(kind)]) >> 32) as i32
    }
}

/// The factor (numerator, denominator) of `bishops` own bishops.
fn buff(numbers: &Numbers, readings: Readings, bishops: usize) -> (u64, u64) {
    let percent = u64::from(numbers.buff_percent);
    if readings.multiplicative {
        let factors = bishops.min(2) as u32;
        ((100 + percent).pow(factors), 100_u64.pow(factors))
    } else {
        (100 + percent * bishops as u64, 100)
    }
}

fn exact(numerator: u64, denominator: u64) -> Option<u64> {
    numerator.is_multiple_of(denominator).then_some(numerator / denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Readings =
        Readings { multiplicative: false, tenths: false, king_own: false, pawning_attack: false };

    fn all_readings() -> impl Iterator<Item = Readings> {
        (0..16).map(|i| Readings {
            multiplicative: i & 1 > 0,
            tenths: i & 2 > 0,
            king_own: i & 4 > 0,
            pawning_attack: i & 8 > 0,
        })
    }

    #[test]
    fn embedded_sets_are_exact_under_every_reading() {
        for readings in all_readings() {
            for numbers in [Numbers::first(), Numbers::hot()] {
                assert!(Tables::new(&numbers, readings).is_ok(), "{numbers:?} {readings:?}");
            }
        }
    }

    #[test]
    fn the_sets_are_those_of_the_rules() {
        let first = Numbers::first();
        assert_eq!(first.health, [100, 150, 125, 200, 175, 250]);
        assert_eq!(first.attack, [15, 20, 0, 10, 20, 0]);
        let percents = (first.king_percent, first.pawning_percent, first.buff_percent, first.absorb_percent);
        assert_eq!(percents, (8, 40, 60, 40));
        let hot = Numbers::hot();
        assert_eq!(hot, Numbers { attack: [20, 35, 0, 25, 40, 0], ..first });
    }

    /// With the inventor's percentages every multiple of 5 points and every whole attack is exact.
    #[test]
    fn multiples_of_five_points_are_exact_by_default() {
        let mut numbers = Numbers::first();
        for points in 0..=MOST_POINTS {
            numbers.attack = [points, points, 0, points, points, 0];
            numbers.health = [points.max(1).next_multiple_of(5); KINDS];
            assert!(Tables::new(&numbers, DEFAULT).is_ok(), "{points}");
        }
    }

    #[test]
    fn other_health_is_refused_naming_the_piece() {
        for (kind, piece) in NAMES.into_iter().enumerate() {
            for points in [101, 102, 103, 104] {
                let mut numbers = Numbers::first();
                numbers.health[kind] = points;
                assert_eq!(
                    Tables::new(&numbers, DEFAULT),
                    Err(NumbersError::NotFive { piece, points }),
                    "{piece} {points}"
                );
            }
        }
    }

    #[test]
    fn inexact_products_are_refused_naming_the_piece() {
        let piece = |numbers: &Numbers, readings| match Tables::new(numbers, readings) {
            Err(NumbersError::Inexact { piece, .. }) => piece,
            other => panic!("{other:?}"),
        };
        let first = Numbers::first();
        // Seven eighths of 1,000 milli-points x 1.33 = 1,163.75.
        let odd = Numbers { buff_percent: 33, attack: [0, 0, 0, 0, 1, 0], ..first.clone() };
        assert_eq!(piece(&odd, DEFAULT), "queen");
        // 105 points: 8,400 x 2.56 x 0.4 = 8,601.6.
        let mut health = first.clone();
        health.health[BISHOP as usize] = 105;
        let multiplicative = Readings { multiplicative: true, ..DEFAULT };
        assert_eq!(piece(&health, multiplicative), "bishop");
        assert!(Tables::new(&health, DEFAULT).is_ok());
    }

    #[test]
    fn ranges_are_refused_naming_the_number() {
        let message = |change: fn(&mut Numbers)| {
            let mut numbers = Numbers::first();
            change(&mut numbers);
            Tables::new(&numbers, DEFAULT).unwrap_err().to_string()
        };
        assert_eq!(
            message(|n| n.health[ROOK as usize] = 0),
            "health of the rook is 0: a whole number from 5 to 1000 was expected"
        );
        assert_eq!(
            message(|n| n.attack[BISHOP as usize] = 3),
            "attack of the bishop is 3: a whole number from 0 to 0 was expected"
        );
        assert_eq!(
            message(|n| n.absorb_percent = 101),
            "percent `absorb` is 101: a whole number from 0 to 100 was expected"
        );
    }

    #[test]
    fn shares_are_exact_at_full_health_and_never_off_by_more_than_one_part() {
        let tables = Tables::new(&Numbers::first(), DEFAULT).unwrap();
        for kind in 0..KINDS as u8 {
            let full = tables.health[usize::from(kind)];
            for pieces in 0..=16 {
                assert_eq!(tables.share(kind, pieces * full), pieces * ONE);
            }
            for health in (0..full).step_by(97) {
                let exact = i64::from(health) * i64::from(ONE) / i64::from(full);
                assert!((i64::from(tables.share(kind, health)) - exact).abs() <= 1, "{kind} {health}");
            }
        }
    }
}
