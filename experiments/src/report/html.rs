//! Text into HTML, numbers into text.

use super::input::{Estimate, Unit};
use crate::decimals::{fixed, signed};
use std::fmt;

/// Plain text, written with everything escaped that means something in HTML text or in a quoted attribute.
pub(super) struct Esc<'a>(pub &'a str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut plain_from = 0;
        for (at, byte) in self.0.bytes().enumerate() {
            let entity = match byte {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                b'\'' => "&#39;",
                _ => continue,
            };
            // The escaped bytes are ASCII, so both ends are character boundaries.
            f.write_str(&self.0[plain_from..at])?;
            f.write_str(entity)?;
            plain_from = at + 1;
        }
        f.write_str(&self.0[plain_from..])
    }
}

/// `1234567` as `1,234,567`.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 game`, `12 games`.
pub(super) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A value in its unit, with the unit's name.
pub(super) fn in_unit(value: f64, unit: &Unit) -> String {
    let number = bare(value, unit);
    match unit {
        Unit::Share => format!("{number}\u{a0}%"),
        Unit::ShareDifference => format!("{number}\u{a0}pp"),
        Unit::Plain { name, .. } if name.is_empty() => number,
        Unit::Plain { name, .. } => format!("{number}\u{a0}{name}"),
    }
}

/// An interval in its unit: `1.2 to 4.8 %`; an end that is not finite is open.
pub(super) fn interval_text(estimate: &Estimate) -> Option<String> {
    let (low, high) = estimate.interval?;
    let unit = &estimate.unit;
    Some(match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", bare(low, unit), in_unit(high, unit)),
        (true, false) => format!("{} or more", in_unit(low, unit)),
        (false, true) => format!("{} or less", in_unit(high, unit)),
        (false, false) => return None,
    })
}

fn bare(value: f64, unit: &Unit) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let (scaled, decimals, with_sign) = match unit {
        Unit::Share => (value * 100.0, 1, false),
        Unit::ShareDifference => (value * 100.0, 1, true),
        Unit::Plain { decimals, .. } => (value, *decimals, false),
    };
    let text = if with_sign { signed(scaled, decimals) } else { fixed(scaled, decimals) };
    let (sign, digits) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
        (Some(digits), _) => ("−", digits),
        (_, Some(digits)) => ("+", digits),
        _ => ("", text.as_str()),
    };
    let (whole, rest) = digits.split_once('.').map_or((digits, None), |(w, r)| (w, Some(r)));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    match rest {
        Some(rest) => format!("{sign}{whole}.{rest}"),
        None => format!("{sign}{whole}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_special_is_escaped() {
        assert_eq!(
            Esc("<a href=\"x\">'é' & so</a>").to_string(),
            "&lt;a href=&quot;x&quot;&gt;&#39;é&#39; &amp; so&lt;/a&gt;"
        );
        assert_eq!(Esc("").to_string(), "");
        assert_eq!(Esc("&").to_string(), "&amp;");
    }

    #[test]
    fn numbers_are_grouped() {
        for (n, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
        assert_eq!(
            (counted(1, "game", "games"), counted(2, "game", "games")),
            ("1 game".into(), "2 games".into())
        );
    }

    #[test]
    fn values_carry_sign_unit_and_decimals() {
        let pawns = Unit::Plain { decimals: 2, name: "pawns".to_owned() };
        let bare_count = Unit::Plain { decimals: 0, name: String::new() };
        assert_eq!(in_unit(0.0421, &Unit::Share), "4.2\u{a0}%");
        assert_eq!(in_unit(-0.0421, &Unit::ShareDifference), "−4.2\u{a0}pp");
        assert_eq!(in_unit(0.0421, &Unit::ShareDifference), "+4.2\u{a0}pp");
        assert_eq!(in_unit(-0.00001, &Unit::ShareDifference), "0.0\u{a0}pp");
        assert_eq!(in_unit(-1234.5, &pawns), "−1,234.50\u{a0}pawns");
        assert_eq!(in_unit(12.0, &bare_count), "12");
        assert_eq!(in_unit(f64::NAN, &bare_count), "–");
        assert_eq!(in_unit(1e300, &bare_count).len(), 301);
    }

    #[test]
    fn open_intervals_say_so() {
        let text = |low, high| {
            interval_text(&Estimate {
                value: 0.03,
                interval: Some((low, high)),
                unit: Unit::Share,
                method: String::new(),
            })
        };
        assert_eq!(text(0.012, 0.048).as_deref(), Some("1.2 to 4.8\u{a0}%"));
        assert_eq!(text(f64::NEG_INFINITY, 0.048).as_deref(), Some("4.8\u{a0}% or less"));
        assert_eq!(text(0.012, f64::INFINITY).as_deref(), Some("1.2\u{a0}% or more"));
        assert_eq!(text(f64::NAN, f64::NAN), None);
    }
}
