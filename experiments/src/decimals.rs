//! Numbers as people read them: so many decimals, and nothing below zero that rounds to it.

/// `value` with so many decimals; what rounds to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// The same with its sign, `+` too: a difference. What rounds to zero has none.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let above = value > 0.0 && text.bytes().any(|b| matches!(b, b'1'..=b'9' | b'i'));
    if above { format!("+{text}") } else { text }
}

/// A share in per cent, with one decimal.
pub fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(fixed(-0.004, 2), "0.00");
        assert_eq!(fixed(-0.006, 2), "-0.01");
        assert_eq!(fixed(-0.4, 0), "0");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "-inf");
        assert_eq!((signed(0.26, 1), signed(-0.26, 1)), ("+0.3".to_owned(), "-0.3".to_owned()));
        assert_eq!((signed(0.04, 1), signed(-0.04, 1)), ("0.0".to_owned(), "0.0".to_owned()));
        assert_eq!(signed(f64::INFINITY, 1), "+inf");
        assert_eq!(percent(-0.0004), "0.0 %");
        assert_eq!(percent(0.1234), "12.3 %");
    }
}
