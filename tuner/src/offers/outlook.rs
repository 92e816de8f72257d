//! What games come to when both players follow a solution.

use super::chain::{BoardEnd, Chain};
use super::game::{Book, Decision, OPEN, Solution, Tariff, Terms};
use super::move_number;
use engine::payoff::OfferKind;

/// What is expected of games from the chain's starts on, when both players follow a solution. Shares are of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    /// Points to White and to Black.
    pub points: [f64; 2],
    /// Games in which an offer is made.
    pub offered: f64,
    /// Games that end by an accepted resignation.
    pub resigned: f64,
    /// Games that end by an agreed draw.
    pub agreed: f64,
    /// Games that a side wins, by resignation too.
    pub decisive: f64,
    /// Games still running when the move rule (or the log) ends.
    pub unfinished: f64,
    /// Full moves.
    pub moves: f64,
    /// Entropy of the pair of points, in bits.
    pub entropy: f64,
}

/// Mass by pair of points, in milli-points.
struct Payments(Vec<([u64; 2], f64)>);

impl Payments {
    fn pay(&mut self, points: [f64; 2], mass: f64) {
        let key = points.map(|p| libm::round(p * 1000.0) as u64);
        match self.0.iter_mut().find(|(k, _)| *k == key) {
            Some((_, sum)) => *sum += mass,
            None => self.0.push((key, mass)),
        }
    }

    fn entropy(&self) -> f64 {
        let bits = self.0.iter().filter(|(_, p)| *p > 0.0).map(|&(_, p)| -p * libm::log2(p));
        bits.sum::<f64>().max(0.0)
    }
}

impl Outlook {
    /// Follows `solution`, which solves `terms` on `chain`; without one nobody offers anything.
    pub fn of(chain: &Chain, terms: Terms<'_>, solution: Option<&Solution>) -> Outlook {
        let tariff = Tariff::new(terms.matrix, chain);
        let bins = chain.bins().count();
        let mut here = vec![0.0; bins * Book::COUNT];
        let mut outlook = Outlook::default();
        let mut payments = Payments(Vec::new());
        for ply in chain.first().min(tariff.end)..tariff.end {
            for &(_, bin, share) in chain.starts().iter().filter(|s| s.0 == ply) {
                here[bin * Book::COUNT + OPEN.index()] += share;
            }
            let prices = tariff.prices(tariff.band(ply));
            let mut next = vec![0.0; here.len()];
            for bin in 0..bins {
                for book in Book::all() {
                    let mass = here[bin * Book::COUNT + book.index()];
                    if mass == 0.0 {
                        continue;
                    }
                    let decision = solution.map_or(Decision::default(), |s| s.decision(ply, bin, book));
                    let kind =
                        [OfferKind::Draw, OfferKind::Resignation].into_iter().find(|&k| decision.offers(k));
                    let mut played = book;
                    if let Some(kind) = kind {
                        outlook.offered += if book == OPEN { mass } else { 0.0 };
                        if decision.accepts(kind) {
                            // The move itself is not made any more.
                            outlook.moves += mass * f64::from(ply.checked_sub(1).map_or(0, move_number));
                            match kind {
                                OfferKind::Draw => outlook.agreed += mass,
                                OfferKind::Resignation => outlook.resigned += mass,
                            }
                            payments.pay(tariff.accepted(kind, prices, ply), mass);
                            continue;
                        }
                        played = book.refused(kind);
                    }
                    let (to_bins, to_ends) = chain.next(ply, bin);
                    for (end, &p) in BoardEnd::ALL.into_iter().zip(to_ends) {
                        let part = mass * p;
                        outlook.decisive += if matches!(end, BoardEnd::Win(_)) { part } else { 0.0 };
                        outlook.moves += part * f64::from(move_number(ply));
                        payments.pay(tariff.board(end, prices, played, ply), part);
                    }
                    let then = tariff.next(played, ply).index();
                    for (to, &p) in to_bins.iter().enumerate() {
                        next[to * Book::COUNT + then] += mass * p;
                    }
                }
            }
            here = next;
        }
        // Openings longer than the move rule never start on the board that is priced.
        let late: f64 = chain.starts().iter().filter(|s| s.0 >= tariff.end).map(|s| s.2).sum();
        outlook.unfinished = here.iter().sum::<f64>() + late;
        outlook.moves += outlook.unfinished * f64::from(move_number(tariff.end.saturating_sub(1)));
        payments.pay(tariff.unfinished(), outlook.unfinished);
        outlook.decisive += outlook.resigned;
        outlook.entropy = payments.entropy();
        for (key, mass) in &payments.0 {
            outlook.points[0] += key[0] as f64 / 1000.0 * mass;
            outlook.points[1] += key[1] as f64 / 1000.0 * mass;
        }
        outlook
    }

    /// Points to White less points to Black.
    pub fn edge(&self) -> f64 {
        self.points[0] - self.points[1]
    }
}
