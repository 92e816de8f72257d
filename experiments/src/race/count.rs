//! How many lanes of a group are within the margin of its best: bounds that hold together, and the verdict.

use super::{Field, Group, error_of_gap};
use crate::claims::Relation;
use crate::stats::{Interval, Verdict, normal_quantile};

/// Chance with which the number of games that a [`Count`] asks for shows a lane as good as the best to be so.
const POWER: f64 = 0.8;
/// Games that a lane's mean has to rest on for a normal interval to say anything.
const LEAST: u64 = 30;

/// Where a lane is, seen from the best of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is the best, fixed on the choosing half.
    Best,
    /// Within the margin.
    Within,
    /// Worse by more than the margin.
    Outside,
    /// Neither is shown.
    Open,
}

/// What the valuing half says of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The lane.
    pub lane: usize,
    /// Where it is, whatever unfinished games count.
    pub place: Place,
    /// Its mean score on the valuing half.
    pub score: f64,
    /// The best's mean score less its own.
    pub gap: f64,
    /// The gap's interval, all of a group's together at the level.
    pub interval: Option<Interval>,
}

/// How many lanes of a group are within the margin of the best, the best itself among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// As the means have it.
    pub estimate: u64,
    /// Shown to be.
    pub least: u64,
    /// Not shown not to be.
    pub most: u64,
    /// The members, the best first, then by gap.
    pub findings: Vec<Finding>,
    /// Games of the whole group that would probably show lanes as good as the best to be so.
    pub games_needed: u64,
}

/// Counts a group at `level`: each lane's gap to the best by a normal interval with the lanes' pooled variance, at
/// `level` shared among the other lanes (Bonferroni). Nothing without games.
pub fn count(field: &Field, group: &Group, level: f64) -> Option<Count> {
    let readings: &[f64] = match group.members.iter().any(|&m| field.lanes[m].unfinished() > 0) {
        true => &[0.5, 0.0, 1.0],
        false => &[0.5],
    };
    let mut counts = readings.iter().map(|unknown| reading(field, group, level, *unknown));
    let mut all = counts.next()??;
    for other in counts {
        let other = other?;
        all.least = all.least.min(other.least);
        all.most = all.most.max(other.most);
        for finding in &mut all.findings {
            let same = other.findings.iter().find(|f| f.lane == finding.lane).map(|f| f.place);
            if same != Some(finding.place) && finding.place != Place::Best {
                finding.place = Place::Open;
            }
        }
    }
    Some(all)
}

fn reading(field: &Field, group: &Group, level: f64, unknown: f64) -> Option<Count> {
    let best = group.best_with(field, unknown)?;
    let of_best = field.lanes[best].sample(1, unknown);
    let others = group.members.len().saturating_sub(1).max(1) as f64;
    let pooled = group.pooled(field, 1, unknown);
    let z = normal_quantile(1.0 - level / (2.0 * others));
    let finding = |&member: &usize| {
        let sample = field.lanes[member].sample(1, unknown);
        let gap = of_best.mean - sample.mean;
        let half = z * error_of_gap(pooled, &of_best, &sample);
        // Scores that are all alike say nothing of their error.
        let known = member != best && half > 0.0 && sample.n.min(of_best.n) >= LEAST;
        let interval = known.then_some(Interval { lower: gap - half, upper: gap + half });
        let place = match interval {
            _ if member == best => Place::Best,
            Some(i) if i.upper <= group.of_best => Place::Within,
            Some(i) if i.lower > group.of_best => Place::Outside,
            _ => Place::Open,
        };
        Finding { lane: member, place, score: sample.mean, gap, interval }
    };
    let mut findings: Vec<Finding> = group.members.iter().map(finding).collect();
    findings.sort_by(|a, b| {
        (b.place == Place::Best).cmp(&(a.place == Place::Best)).then(a.gap.total_cmp(&b.gap))
    });
    let with = |place: Place| findings.iter().filter(|f| f.place == place).count() as u64;
    let near = findings.iter().filter(|f| f.place == Place::Best || f.gap <= group.of_best).count();
    let reach = z + normal_quantile(POWER);
    let a_lane = (2.0 * pooled * (reach / group.of_best).powi(2)).ceil();
    Some(Count {
        estimate: near as u64,
        least: with(Place::Best) + with(Place::Within),
        most: group.members.len() as u64 - with(Place::Outside),
        // Half of a lane's games are for choosing.
        games_needed: 2 * (a_lane as u64).saturating_mul(group.members.len() as u64),
        findings,
    })
}

/// The verdict of bounds on a whole number. A claim of "above" is refuted by a number that is at most the threshold,
/// one of "below" by one that is at least that.
pub fn judge(bounds: (i64, i64), relation: Relation, threshold: f64) -> Verdict {
    let holds = |n: i64| match relation {
        Relation::Above => n as f64 > threshold,
        Relation::Below => (n as f64) < threshold,
        Relation::Within(margin) => (n as f64 - threshold).abs() < margin,
    };
    // "Within" holds in the middle: all the numbers between the bounds count.
    let mut all = (bounds.0..=bounds.1).map(holds);
    match all.next() {
        Some(true) if all.all(|h| h) => Verdict::Supported,
        Some(false) if !all.any(|h| h) => Verdict::Refuted,
        _ => Verdict::Undecided,
    }
}
