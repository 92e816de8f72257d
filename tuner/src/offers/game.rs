//! The offer game, solved from its last ply backwards.

use super::chain::{BoardEnd, Chain};
use super::{move_number, mover};
use engine::payoff::{Matrix, OfferKind, OfferState, Split};
use engine::side::Side;

/// What a player maximises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Utility {
    /// His own expected points.
    #[default]
    Own,
    /// His expected points less the other's.
    Difference,
}

impl Utility {
    /// Names on the command line and in files.
    pub const NAMES: [&str; 2] = ["own", "difference"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The utility of this name.
    pub fn from_name(name: &str) -> Option<Utility> {
        [Utility::Own, Utility::Difference].into_iter().find(|u| u.name() == name)
    }

    fn of(self, points: [f64; 2], side: Side) -> f64 {
        let (own, other) = (points[side.index()], points[side.other().index()]);
        match self {
            Utility::Own => own,
            Utility::Difference => own - other,
        }
    }
}

/// Under which rules the offer game is solved.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// What endings are worth.
    pub matrix: &'a Matrix,
    /// What players maximise.
    pub utility: Utility,
}

/// Utilities closer than this are ties, as sums of rounded probabilities are never quite equal. In points.
const TIE: f64 = 1e-9;

/// What has become of one kind of offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Not made yet.
    Open,
    /// Refused in the band of the present move.
    InBand,
    /// Refused in an earlier band: in which one makes no difference any more.
    Earlier,
}

const FATES: [Fate; 3] = [Fate::Open, Fate::InBand, Fate::Earlier];

/// The book on offers, as far as it can matter: what became of the draw offer and of the resignation offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Book(u8);

/// No offer yet.
pub const OPEN: Book = Book(0);

impl Book {
    /// How many there are.
    pub const COUNT: usize = 9;

    /// The book of a game at a move, or nothing before move 1 and after the move rule.
    pub fn of(matrix: &Matrix, offers: &OfferState, move_number: u32) -> Option<Book> {
        let band = matrix.band_at(move_number)?;
        let fate = |kind| match offers.refused(kind) {
            None => Fate::Open,
            Some(offer) if offer.band == band => Fate::InBand,
            Some(_) => Fate::Earlier,
        };
        Some(Book::from_fates(fate(OfferKind::Draw), fate(OfferKind::Resignation)))
    }

    /// Its number below [`Book::COUNT`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn all() -> impl Iterator<Item = Book> {
        (0..Self::COUNT as u8).map(Book)
    }

    fn from_fates(draw: Fate, resignation: Fate) -> Book {
        Book(draw as u8 * 3 + resignation as u8)
    }

    fn draw(self) -> Fate {
        FATES[self.index() / 3]
    }

    fn resignation(self) -> Fate {
        FATES[self.index() % 3]
    }

    /// Whether an offer of this kind can still be made.
    pub(super) fn is_open(self, kind: OfferKind) -> bool {
        Fate::Open
            == match kind {
                OfferKind::Draw => self.draw(),
                OfferKind::Resignation => self.resignation(),
            }
    }

    /// After an offer of this kind was refused at the present move.
    pub(super) fn refused(self, kind: OfferKind) -> Book {
        match kind {
            OfferKind::Draw => Book::from_fates(Fate::InBand, self.resignation()),
            OfferKind::Resignation => Book::from_fates(self.draw(), Fate::InBand),
        }
    }

    /// When a new band has begun.
    fn aged(self) -> Book {
        let age = |fate| if fate == Fate::Open { Fate::Open } else { Fate::Earlier };
        Book::from_fates(age(self.draw()), age(self.resignation()))
    }
}

/// What the two players do in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decision(u8);

impl Decision {
    const OFFER: [u8; 2] = [1, 4];
    const ACCEPT: [u8; 2] = [2, 8];

    /// From its number below 16; nothing for a larger one.
    pub fn from_bits(bits: u8) -> Option<Decision> {
        (bits < 16).then_some(Decision(bits))
    }

    /// Its number below 16: 1 draw offered, 2 draw accepted, 4 resignation offered, 8 resignation accepted.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether the side to move makes the offer (a resignation: if it made no draw offer before this move).
    pub fn offers(self, kind: OfferKind) -> bool {
        self.0 & Self::OFFER[kind as usize] != 0
    }

    /// Whether the other side accepts it.
    pub fn accepts(self, kind: OfferKind) -> bool {
        self.0 & Self::ACCEPT[kind as usize] != 0
    }

    fn set(&mut self, bits: [u8; 2], kind: OfferKind) {
        self.0 |= bits[kind as usize];
    }
}

/// Prices within one band: an accepted resignation, and a checkmate for each book; to the winner, to the loser.
pub(super) struct Prices {
    pub resignation: Split,
    pub checkmate: [Split; Book::COUNT],
}

impl Prices {
    /// Prices at a move, as the engine pays them; nothing outside the bands.
    fn at(matrix: &Matrix, number: u32) -> Option<Prices> {
        let band = matrix.band_at(number)?;
        let resignation = matrix.band_price(number).ok()?;
        let mut checkmate = [resignation; Book::COUNT];
        for book in Book::all() {
            let mut offers = OfferState::new();
            for (kind, fate) in [(OfferKind::Draw, book.draw()), (OfferKind::Resignation, book.resignation())]
            {
                let made_at = match fate {
                    Fate::Open => continue,
                    Fate::InBand => number,
                    // In the first band there is no earlier one, and no game gets into such a book.
                    Fate::Earlier => matrix.bands().get(band.wrapping_sub(1)).map_or(number, |b| b.from),
                };
                let by = Side::White;
                match kind {
                    OfferKind::Draw => offers.offer_draw(matrix, by, made_at).ok()?,
                    OfferKind::Resignation => offers.offer_resignation(matrix, by, made_at).ok()?,
                }
                offers.refuse(by.other()).ok()?;
            }
            checkmate[book.index()] = matrix.checkmate_price(number, &offers).ok()?;
        }
        Some(Prices { resignation, checkmate })
    }
}

/// A split as points to White and Black.
fn points((to_first, to_other): Split, first: Side) -> [f64; 2] {
    let mut points = [to_other.to_f64(); 2];
    points[first.index()] = to_first.to_f64();
    points
}

/// The rules of payment along the plies of a chain.
pub(super) struct Tariff<'a> {
    pub matrix: &'a Matrix,
    /// The ply at which no move is made any more.
    pub end: u32,
    bands: Vec<Prices>,
}

impl<'a> Tariff<'a> {
    pub(super) fn new(matrix: &'a Matrix, chain: &Chain) -> Tariff<'a> {
        let end = matrix.spec().move_rule.map_or_else(|| chain.end(), |rule| rule.saturating_mul(2));
        let bands = matrix.bands().iter().filter_map(|band| Prices::at(matrix, band.from)).collect();
        Tariff { matrix, end, bands }
    }

    /// The band of a ply. Every move before the end has one: a checked matrix leaves no gap.
    pub(super) fn band(&self, ply: u32) -> usize {
        self.matrix.band_at(move_number(ply)).unwrap_or(self.bands.len() - 1)
    }

    pub(super) fn prices(&self, band: usize) -> &Prices {
        &self.bands[band]
    }

    /// The book at the next ply.
    pub(super) fn next(&self, book: Book, ply: u32) -> Book {
        let same = ply + 1 >= self.end || self.band(ply) == self.band(ply + 1);
        if same { book } else { book.aged() }
    }

    /// Points for an ending on the board by the move at `ply`.
    pub(super) fn board(&self, end: BoardEnd, prices: &Prices, book: Book, ply: u32) -> [f64; 2] {
        match end {
            BoardEnd::Win(winner) => points(prices.checkmate[book.index()], winner),
            BoardEnd::Stalemate => points(self.matrix.spec().stalemate, mover(ply)),
            BoardEnd::Draw => points(self.matrix.spec().draw, Side::White),
        }
    }

    /// Points for an accepted offer of the side to move.
    pub(super) fn accepted(&self, kind: OfferKind, prices: &Prices, ply: u32) -> [f64; 2] {
        match kind {
            OfferKind::Draw => points(self.matrix.spec().draw, Side::White),
            OfferKind::Resignation => points(prices.resignation, mover(ply).other()),
        }
    }

    /// Points of a game that is still running at the end: nothing by the move rule; without one, where the log
    /// knows no more, a draw.
    pub(super) fn unfinished(&self) -> [f64; 2] {
        match self.matrix.spec().move_rule {
            Some(_) => [0.0; 2],
            None => points(self.matrix.spec().draw, Side::White),
        }
    }
}

/// Values and decisions in all states.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    first: u32,
    end: u32,
    bins: usize,
    /// Points to White and Black with best offers, `[ply][bin][book]`.
    values: Vec<[f64; 2]>,
    decisions: Vec<Decision>,
}

impl Solution {
    fn at(&self, ply: u32, bin: usize, book: Book) -> usize {
        ((ply - self.first) as usize * self.bins + bin) * Book::COUNT + book.index()
    }

    /// Points to White and Black from a state on, before its side to move decides about offers; nothing for a
    /// ply that the game does not have.
    pub fn value(&self, ply: u32, bin: usize, book: Book) -> Option<[f64; 2]> {
        (ply >= self.first && bin < self.bins)
            .then(|| self.at(ply, bin, book))
            .and_then(|i| self.values.get(i).copied())
    }

    /// What the players do in a state; nothing is offered or accepted where the game has no such ply.
    pub fn decision(&self, ply: u32, bin: usize, book: Book) -> Decision {
        let known = (self.first..self.end).contains(&ply) && bin < self.bins;
        if known { self.decisions[self.at(ply, bin, book)] } else { Decision::default() }
    }

    /// First ply with a decision.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The ply after the last one with a decision.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Points to White and Black from the chain's starts on.
    pub fn start_value(&self, chain: &Chain) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for &(ply, bin, share) in chain.starts() {
            if let Some(value) = self.value(ply, bin, OPEN) {
                add(&mut sum, value, share);
            }
        }
        sum
    }
}

fn add(sum: &mut [f64; 2], value: [f64; 2], weight: f64) {
    sum[0] += value[0] * weight;
    sum[1] += value[1] * weight;
}

/// Solves the offer game on a chain: subgame-perfect values and decisions.
///
/// The side to move decides about a draw offer, then, if it makes none, about a resignation; the other side
/// answers at once. On ties no offer is made, and an offer is accepted.
pub fn solve(chain: &Chain, terms: Terms<'_>) -> Solution {
    let tariff = Tariff::new(terms.matrix, chain);
    let (first, bins) = (chain.first().min(tariff.end), chain.bins().count());
    let block = bins * Book::COUNT;
    let plies = (tariff.end - first) as usize;
    let mut solution = Solution {
        first,
        end: tariff.end,
        bins,
        values: vec![tariff.unfinished(); (plies + 1) * block],
        decisions: vec![Decision::default(); plies * block],
    };
    for ply in (first..tariff.end).rev() {
        let prices = tariff.prices(tariff.band(ply));
        for bin in 0..bins {
            let moved = continuation(chain, &tariff, prices, &solution, ply, bin);
            for book in Book::all() {
                let (value, decision) = decide(terms.utility, &tariff, prices, &moved, ply, book);
                let at = solution.at(ply, bin, book);
                solution.values[at] = value;
                solution.decisions[at] = decision;
            }
        }
    }
    solution
}

/// Points after the move at `ply` is made with each book.
fn continuation(
    chain: &Chain,
    tariff: &Tariff<'_>,
    prices: &Prices,
    solution: &Solution,
    ply: u32,
    bin: usize,
) -> [[f64; 2]; Book::COUNT] {
    let (bins, ends) = chain.next(ply, bin);
    let mut moved = [[0.0; 2]; Book::COUNT];
    for (book, sum) in Book::all().zip(&mut moved) {
        for (end, &p) in BoardEnd::ALL.into_iter().zip(ends) {
            add(sum, tariff.board(end, prices, book, ply), p);
        }
        let at = solution.at(ply + 1, 0, tariff.next(book, ply));
        for (value, &p) in solution.values[at..].iter().step_by(Book::COUNT).zip(bins) {
            add(sum, *value, p);
        }
    }
    moved
}

fn decide(
    utility: Utility,
    tariff: &Tariff<'_>,
    prices: &Prices,
    moved: &[[f64; 2]; Book::COUNT],
    ply: u32,
    book: Book,
) -> ([f64; 2], Decision) {
    let (side, answerer) = (mover(ply), mover(ply).other());
    let mut value = moved[book.index()];
    let mut decision = Decision::default();
    // The later decision first: what it comes to is what making no draw offer is worth.
    for kind in [OfferKind::Resignation, OfferKind::Draw] {
        if !book.is_open(kind) {
            continue;
        }
        let accepted = tariff.accepted(kind, prices, ply);
        let refused = moved[book.refused(kind).index()];
        let accepts = utility.of(accepted, answerer) >= utility.of(refused, answerer) - TIE;
        let offered = if accepts { accepted } else { refused };
        if accepts {
            decision.set(Decision::ACCEPT, kind);
        }
        if utility.of(offered, side) > utility.of(value, side) + TIE {
            decision.set(Decision::OFFER, kind);
            value = offered;
        }
    }
    (value, decision)
}

/// Points of the move made at once, without a decision about offers: what tests hold decisions against.
#[cfg(test)]
pub(super) fn moved_value(
    chain: &Chain,
    terms: Terms<'_>,
    solution: &Solution,
    ply: u32,
    bin: usize,
    book: Book,
) -> [f64; 2] {
    let tariff = Tariff::new(terms.matrix, chain);
    continuation(chain, &tariff, tariff.prices(tariff.band(ply)), solution, ply, bin)[book.index()]
}
