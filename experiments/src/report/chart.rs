//! Drawings as inline SVG. Horizontal positions are per cent of the width and type keeps its size, so that one
//! drawing serves a desk and a phone.

use super::html::{Esc, counted, grouped, in_unit, interval_text};
use super::input::{Estimate, Lengths};

/// Height of the histogram's bars, in CSS pixels.
const PLOT: f64 = 168.0;
/// Room above them for the topmost label and the marks.
const TOP: f64 = 22.0;

/// Part of the number line that a drawing shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Domain {
    low: f64,
    high: f64,
}

impl Domain {
    /// From `low` to `high`; `None` unless both are finite and in this order.
    pub(super) fn new(low: f64, high: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite() && low < high).then_some(Self { low, high })
    }

    /// Wide enough for all finite values, with a margin, so that no mark sits on the edge.
    pub(super) fn around(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let margin = ((high - low) * 0.12).max(high.abs().max(low.abs()) * 1e-3).max(1e-9);
        Self::new(low - margin, high + margin)
    }

    /// Position of a value, in per cent of the width, held inside the drawing.
    fn percent(self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low) * 100.0).clamp(0.0, 100.0)
    }
}

/// An estimate with its interval and, if there is one, the threshold it is held against.
pub(super) fn interval(estimate: &Estimate, threshold: Option<f64>, domain: Option<Domain>) -> String {
    let bounds = estimate.interval.map_or([f64::NAN; 2], |(low, high)| [low, high]);
    let values = [estimate.value, bounds[0], bounds[1], threshold.unwrap_or(f64::NAN)];
    let Some(domain) = domain.or_else(|| Domain::around(values)) else { return String::new() };
    let mut label = in_unit(estimate.value, &estimate.unit);
    if let Some(text) = interval_text(estimate) {
        label += &format!(", interval {text}");
    }
    let mut marks = String::new();
    if let Some((low, high)) = estimate.interval.filter(|(low, high)| !low.is_nan() && !high.is_nan()) {
        let (low, high) = (domain.percent(low), domain.percent(high));
        marks += &format!(
            r#"<rect class="band" x="{low:.2}%" y="6" width="{:.2}%" height="10" rx="2"/>"#,
            (high - low).max(0.0)
        );
    }
    if estimate.value.is_finite() {
        let x = domain.percent(estimate.value);
        marks += &format!(r#"<line class="value" x1="{x:.2}%" x2="{x:.2}%" y1="3" y2="19"/>"#);
    }
    let mut height = 22;
    if let Some(at) = threshold.filter(|at| at.is_finite()) {
        let (x, text) = (domain.percent(at), in_unit(at, &estimate.unit));
        label += &format!(", threshold {text}");
        marks += &format!(
            r#"<line class="threshold" x1="{x:.2}%" x2="{x:.2}%" y1="1" y2="24"/><text x="{x:.2}%" y="36" text-anchor="{}">{}</text>"#,
            anchor(x),
            Esc(&text)
        );
        height = 40;
    }
    format!(
        r#"<svg class="interval" role="img" aria-label="{}" width="100%" height="{height}"><line class="axis" x1="0" x2="100%" y1="11" y2="11"/>{marks}</svg>"#,
        Esc(&label)
    )
}

/// Keeps a label inside the drawing: at the ends it starts or ends at its mark.
fn anchor(percent: f64) -> &'static str {
    match percent {
        ..15.0 => "start",
        85.0.. => "end",
        _ => "middle",
    }
}

/// A bar for a share from 0 to 1 on a scale that ends at `full`, with the share's interval.
pub(super) fn bar(share: f64, bounds: Option<(f64, f64)>, full: f64) -> String {
    let Some(domain) = Domain::new(0.0, full) else { return String::new() };
    let width = domain.percent(share);
    let whisker = bounds.filter(|(low, high)| low.is_finite() && high.is_finite()).map(|(low, high)| {
        let (low, high) = (domain.percent(low), domain.percent(high));
        format!(r#"<line class="whisker" x1="{low:.2}%" x2="{high:.2}%" y1="9" y2="9"/>"#)
    });
    format!(
        r#"<svg class="bar" aria-hidden="true" width="100%" height="18"><rect x="0" y="2" width="{width:.2}%" height="14" rx="1.5"/>{}</svg>"#,
        whisker.unwrap_or_default()
    )
}

/// Steps that read well on an axis, up to the largest `u32`.
fn steps() -> impl Iterator<Item = u64> {
    (0..10).flat_map(|power| [1, 2, 5].map(|step| step * 10_u64.pow(power)))
}

/// The smallest good step of which at most `most` fit into `length`.
fn step_for(length: u64, most: u64) -> u64 {
    steps().find(|step| length.div_ceil(*step) <= most).unwrap_or(u64::from(u32::MAX))
}

/// Bins that all histograms of a page share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bins {
    /// Lengths in a bin.
    width: u64,
    /// Number of bins, from length 0 on.
    count: u64,
}

impl Bins {
    /// Bins from 0 to the longest game or mark of all runs, at most thirty.
    pub(super) fn over<'a>(all: impl IntoIterator<Item = &'a Lengths>) -> Self {
        let longest = all
            .into_iter()
            .flat_map(|lengths| lengths.values.iter().chain(lengths.marks.iter().map(|(at, _)| at)))
            .max();
        let room = longest.map_or(1, |longest| u64::from(*longest) + 1);
        let width = step_for(room, 30);
        Self { width, count: room.div_ceil(width) }
    }

    /// Games in each bin.
    pub(super) fn counts(self, lengths: &Lengths) -> Vec<u64> {
        (0..self.count)
            .map(|bin| lengths.values.iter().filter(|&&v| u64::from(v) / self.width == bin).count() as u64)
            .collect()
    }

    /// The lengths of a bin in words: `40–49`.
    pub(super) fn label(self, bin: usize) -> String {
        let from = bin as u64 * self.width;
        if self.width == 1 { from.to_string() } else { format!("{from}–{}", from + self.width - 1) }
    }

    fn percent(self, length: u64) -> f64 {
        length as f64 / (self.width * self.count) as f64 * 100.0
    }
}

/// A histogram of lengths. `tallest` is the fullest bin of all runs on the page, so that heights compare.
pub(super) fn histogram(lengths: &Lengths, bins: Bins, tallest: u64, label: &str) -> String {
    let rise = step_for(tallest.max(1), 4);
    let top = tallest.max(1).div_ceil(rise) * rise;
    let y = |count: u64| TOP + PLOT * (1.0 - count as f64 / top as f64);
    let mut body = String::new();
    for count in (0..=top / rise).map(|line| line * rise) {
        let at = y(count);
        body += &format!(
            r#"<line class="grid" x1="0" x2="100%" y1="{at:.1}" y2="{at:.1}"/><text class="y" x="0" y="{:.1}">{}</text>"#,
            at - 4.0,
            match count {
                0 => String::new(),
                _ if count == top => counted(count, "game", "games"),
                _ => grouped(count),
            },
        );
    }
    for (bin, games) in bins.counts(lengths).into_iter().enumerate().filter(|&(_, games)| games > 0) {
        let (x, width) = (bins.percent(bin as u64 * bins.width), bins.percent(bins.width));
        let title = format!("{} {}: {}", bins.label(bin), lengths.unit, counted(games, "game", "games"));
        let at = y(games);
        body += &format!(
            r#"<rect class="bin" x="{x:.3}%" y="{at:.1}" width="{width:.3}%" height="{:.1}"><title>{}</title></rect>"#,
            TOP + PLOT - at,
            Esc(&title)
        );
    }
    let axis = bins.width * bins.count;
    let step = step_for(axis, 6).max(bins.width);
    for tick in (0..=axis / step).map(|tick| tick * step) {
        let anchor = if tick == 0 {
            "start"
        } else if tick == axis {
            "end"
        } else {
            "middle"
        };
        body += &format!(
            r#"<text class="x" x="{:.3}%" y="{:.1}" text-anchor="{anchor}">{}</text>"#,
            bins.percent(tick),
            TOP + PLOT + 17.0,
            grouped(tick)
        );
    }
    for (at, name) in &lengths.marks {
        let x = bins.percent(u64::from(*at));
        let anchor = if x > 60.0 { "end" } else { "start" };
        body += &format!(
            r#"<line class="mark" x1="{x:.3}%" x2="{x:.3}%" y1="{TOP}" y2="{}"/><text class="mark" x="{x:.3}%" y="{}" text-anchor="{anchor}">{}</text>"#,
            TOP + PLOT,
            TOP - 9.0,
            Esc(name)
        );
    }
    let height = TOP + PLOT + 24.0;
    format!(
        r#"<svg class="histogram" role="img" aria-label="{}" width="100%" height="{height}">{body}</svg>"#,
        Esc(label)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(values: &[u32]) -> Lengths {
        Lengths { unit: "moves".to_owned(), values: values.to_vec(), marks: Vec::new() }
    }

    #[test]
    fn every_game_is_in_exactly_one_bin() {
        for values in [&[0, 1, 2, 3][..], &[150, 20, 149, 300], &[u32::MAX, 0], &[7], &[29], &[30], &[59, 60]]
        {
            let lengths = lengths(values);
            let bins = Bins::over([&lengths]);
            assert_eq!(bins.counts(&lengths).iter().sum::<u64>(), values.len() as u64, "{values:?}");
            assert!(bins.count <= 30, "{values:?}: {bins:?}");
        }
    }

    #[test]
    fn bins_are_shared_and_labelled() {
        let (short, long) = (lengths(&[12]), lengths(&[149]));
        let bins = Bins::over([&short, &long]);
        assert_eq!(bins, Bins { width: 5, count: 30 });
        assert_eq!((bins.label(0), bins.label(2)), ("0–4".to_owned(), "10–14".to_owned()));
        assert_eq!(bins.counts(&short).iter().position(|&n| n == 1), Some(2));
        assert_eq!(Bins::over([&lengths(&[7])]).label(7), "7");
    }

    #[test]
    fn an_empty_log_draws_an_empty_axis() {
        let none = lengths(&[]);
        let svg = histogram(&none, Bins::over([&none]), 0, "no games");
        assert!(!svg.contains("<rect") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn intervals_are_drawn_in_order_and_inside() {
        let share = |value, interval| Estimate {
            value,
            interval: Some(interval),
            unit: super::super::input::Unit::Share,
            method: String::new(),
        };
        let domain = Domain::new(0.0, 1.0);
        let svg = interval(&share(0.5, (0.25, 0.75)), Some(0.05), domain);
        assert!(
            svg.contains(r#"x="25.00%" y="6" width="50.00%""#) && svg.contains(r#"x1="50.00%""#),
            "{svg}"
        );
        assert!(svg.contains(r#"class="threshold" x1="5.00%""#), "{svg}");
        let open = interval(&share(0.5, (f64::NEG_INFINITY, 0.75)), None, domain);
        assert!(open.contains(r#"x="0.00%" y="6" width="75.00%""#), "{open}");
        for broken in [share(f64::NAN, (f64::NAN, f64::NAN)), share(0.1, (f64::NAN, 0.2))] {
            for domain in [None, domain] {
                assert!(!interval(&broken, None, domain).contains("NaN"));
            }
        }
    }
}
