//! Points, kept exactly.

use std::fmt;

/// The most points a matrix can name. Sums of two stay far inside `u32` milli-points.
const MAX_POINTS: u32 = 1_000_000;

/// Thousandths of a point.
///
/// Integers, so that half points and odd stakes split exactly and a log has the same bytes on every machine.
/// `Display` writes points: `12`, `7.5`, `0.125`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MilliPoints(u32);

impl MilliPoints {
    /// No points.
    pub const ZERO: Self = Self(0);

    /// Whole points; `None` above a million.
    pub const fn from_points(points: u32) -> Option<Self> {
        if points <= MAX_POINTS { Some(Self(points * 1000)) } else { None }
    }

    /// Thousandths of a point; `None` above a million points.
    pub const fn from_milli(milli: u32) -> Option<Self> {
        if milli <= MAX_POINTS * 1000 { Some(Self(milli)) } else { None }
    }

    /// Thousandths of a point.
    pub const fn milli(self) -> u32 {
        self.0
    }

    /// Points, for estimates; sums that have to be exact use [`MilliPoints::milli`].
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// Reads `12`, `7.5` or `0.125`: digits with up to three decimals, from 0 to a million points.
    /// `None` for anything else, a sign or an exponent included.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        // Zeros beyond the third decimal change nothing.
        let kept = decimals.get(..3).unwrap_or(decimals);
        let rest = decimals.get(3..).unwrap_or("");
        if !digits(whole) || !digits(decimals) || rest.bytes().any(|b| b != b'0') {
            return None;
        }
        let whole = Self::from_points(whole.parse().ok()?)?;
        let thousandths = format!("{kept:0<3}").parse::<u32>().ok()?;
        Self::from_milli(whole.0 + thousandths)
    }
}

impl fmt::Display for MilliPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, milli) = (self.0 / 1000, self.0 % 1000);
        if milli == 0 {
            return write!(f, "{whole}");
        }
        write!(f, "{whole}.{}", format!("{milli:03}").trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly_and_written_back() {
        for (text, milli, written) in [
            ("12", 12_000, "12"),
            ("7.5", 7_500, "7.5"),
            ("0.125", 125, "0.125"),
            ("0.001", 1, "0.001"),
            ("3.50", 3_500, "3.5"),
            ("3.5000", 3_500, "3.5"),
            ("1000000", 1_000_000_000, "1000000"),
        ] {
            let points = MilliPoints::parse(text);
            assert_eq!(points.map(MilliPoints::milli), Some(milli), "{text}");
            assert_eq!(points.map(|p| p.to_string()).as_deref(), Some(written));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "-1",
            "+1",
            "1e3",
            "1.",
            ".5",
            "1.0001",
            "1000000.001",
            "1000001",
            "nan",
            "inf",
            "1 ",
            "1,5",
            "4294968",
            "99999999999",
            "1.5.5",
            "1.00ä",
        ] {
            assert_eq!(MilliPoints::parse(text), None, "{text}");
        }
    }
}
