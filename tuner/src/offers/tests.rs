use super::*;
use engine::payoff::{Band, Matrix, MatrixSpec, MilliPoints, OfferKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn milli(points: f64) -> MilliPoints {
    MilliPoints::from_milli((points * 1000.0) as u32).unwrap()
}

/// A matrix with bands of one move each at these prices to the winner, and a rule after the last.
fn matrix(prices: &[f64], draws_start_bands: bool) -> Matrix {
    let bands = prices.iter().zip(1..).map(|(&winner, number)| Band {
        from: number,
        to: Some(number),
        winner: milli(winner),
        loser: milli(12.0 - winner),
    });
    Matrix::new(MatrixSpec {
        name: "test".into(),
        provenance: String::new(),
        reconstructed: false,
        stake: milli(12.0),
        bands: bands.collect(),
        stalemate: (milli(7.0), milli(5.0)),
        draw: (milli(6.0), milli(6.0)),
        move_rule: Some(prices.len() as u32),
        checkmate_unoffered: engine::payoff::CheckmateUnoffered::Full,
        refused_draw_starts_bands: draws_start_bands,
    })
    .unwrap()
}

/// No edges: forced loss, undecided, forced win.
fn bins() -> Bins {
    Bins::new(Vec::new()).unwrap()
}

/// No smoothing and a bucket a move: the chain is exactly the frequencies.
fn exact() -> ChainSpec {
    ChainSpec { bins: bins(), bucket_moves: 1, prior: 0.0 }
}

fn trace(bins: &[u8], end: BoardEnd) -> Trace {
    Trace { first: 0, bins: bins.to_vec(), end: Some(end) }
}

fn random_traces(seed: u64, games: usize, plies: u32) -> Vec<Trace> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = || {
        let length = rng.random_range(1..=plies);
        let bins = (0..length).map(|_| rng.random_range(0..3u8)).collect::<Vec<_>>();
        let end = BoardEnd::ALL[rng.random_range(0..4usize)];
        Trace { first: 0, bins, end: rng.random_bool(0.9).then_some(end) }
    };
    (0..games).map(|_| game()).collect()
}

const WHITE: BoardEnd = BoardEnd::Win(Side::White);
const BLACK: BoardEnd = BoardEnd::Win(Side::Black);

#[test]
fn bins_treat_both_sides_alike() {
    let bins = Bins::new(vec![-200, -50, 50, 200]).unwrap();
    let cases = [(0, 3), (49, 3), (50, 4), (-49, 3), (-50, 2), (199, 4), (200, 5), (-200, 1), (-199, 2)];
    for (cp, bin) in cases {
        assert_eq!(bins.of(Score::centipawns(cp)), bin, "{cp}");
        assert_eq!(bins.of(Score::centipawns(-cp)), bins.count() - 1 - bin, "{cp}");
    }
    assert_eq!(bins.of(Score::win_in(9)), 6);
    assert_eq!(bins.of(Score::loss_in(9)), 0);
    assert_eq!(bins.of(Score::loss_in(0)), 0);
    assert_eq!(bins.of(Score::win_in(0)), 6);
    assert_eq!(Bins::new(vec![3, 3]), Err(OffersError::Edges { edge: 3, before: 3 }));
    let default = Bins::default();
    let mirrored: Vec<i32> = default.edges().iter().rev().map(|e| -e).collect();
    assert_eq!(default.edges(), mirrored);
}

#[test]
fn the_chain_is_the_frequencies_and_borrows_from_the_bucket_before() {
    let traces = [trace(&[1, 1, 2, 2], WHITE), trace(&[1, 0, 2, 1], BLACK), trace(&[1, 1], BoardEnd::Draw)];
    let chain = Chain::fit(&exact(), &traces).unwrap();
    assert_eq!(chain.starts(), [(0, 1, 1.0)]);
    assert_eq!(chain.end(), 4);
    let (bins, ends) = chain.next(0, 1);
    assert_eq!((bins, ends), (&[1.0 / 3.0, 2.0 / 3.0, 0.0][..], &[0.0; 4][..]));
    assert_eq!(chain.next(1, 1), (&[0.0, 0.0, 0.5][..], &[0.0, 0.0, 0.0, 0.5][..]));
    assert_eq!(chain.next(2, 2).0, [0.0, 0.5, 0.5]);
    // Move 2, Black to move, undecided: seen once there (Black wins); three observations of the bucket before.
    let borrowing = ChainSpec { prior: 3.0, ..exact() };
    let chain = Chain::fit(&borrowing, &traces).unwrap();
    let (bins, ends) = chain.next(3, 1);
    // All plies together: to 2 once, Black wins once, a draw once. Move 1: (counts + 3 of these) / 5.
    let first = [(1.0 + 1.0) / 5.0, (0.0 + 1.0) / 5.0, (1.0 + 1.0) / 5.0];
    let expected = [3.0 * first[0] / 4.0, (1.0 + 3.0 * first[1]) / 4.0, 3.0 * first[2] / 4.0];
    assert!((bins[2] - expected[0]).abs() < 1e-12, "{bins:?}");
    assert!((ends[1] - expected[1]).abs() < 1e-12 && (ends[3] - expected[2]).abs() < 1e-12, "{ends:?}");
    assert_eq!(Chain::fit(&exact(), &[] as &[Trace]), Err(OffersError::NoTraces));
}

#[test]
fn every_row_of_a_chain_sums_to_one() {
    for seed in 0..20 {
        let traces = random_traces(seed, 6, 9);
        let chain = Chain::fit(&ChainSpec { prior: seed as f64 / 4.0, ..exact() }, &traces).unwrap();
        for ply in 0..14 {
            for bin in 0..3 {
                let (bins, ends) = chain.next(ply, bin);
                let sum: f64 = bins.iter().chain(ends).sum();
                assert!((sum - 1.0).abs() < 1e-12, "seed {seed} ply {ply} bin {bin}: {sum}");
            }
        }
    }
}

/// By hand: White is about to be mated by Black's second move. Bands: 12, then 8.
///
/// If nobody offers, Black gets 12. White's resignation at move 1 would pay 12-0; refused, the mate at move 2 pays
/// 8-4, so Black accepts and White gains nothing: no offer. Before move 2 the band is 8-4: White offers, refused the
/// mate would pay 12-0 (same band), so Black would like to refuse. White's draw offers Black refuses.
#[test]
fn a_lost_side_without_hope_offers_nothing_that_helps() {
    let chain = Chain::fit(&exact(), &[trace(&[0, 0, 0, 0], BLACK)]).unwrap();
    let m = matrix(&[12.0, 8.0], false);
    let solution = solve(&chain, Terms { matrix: &m, utility: Utility::Own });
    assert_eq!(solution.start_value(&chain), [0.0, 12.0]);
    let before_move_2 = solution.decision(2, 0, OPEN);
    assert!(!before_move_2.accepts(OfferKind::Resignation) && !before_move_2.offers(OfferKind::Resignation));
    assert!(solution.decision(0, 0, OPEN).accepts(OfferKind::Resignation));
}

/// By hand: from move 2 on White is lost, but Black mates at move 3 only half of the time; else it is a draw.
/// Bands: 12, 10, 9. Playing on: Black gets (12 + 6) / 2 = 9, White 3.
///
/// White, before move 1: resigning accepted pays 12-0, refused a mate pays 9: White (3 + 6) / 2 = 4.5, Black 7.5:
/// Black accepts, White gets 0 and does not offer. Before move 2: accepted 10-2, refused again 7.5 for Black: he
/// accepts; White would get 2, less than 3. Before move 3: refused pays 12 in the band, so 9 to Black; accepted
/// pays him 9 too: a tie, he accepts, and White gets 3 either way: no offer. A draw offer Black refuses.
/// Black, to move: his own draw offer White would take, but 6 is less than 9.
#[test]
fn a_small_game_solved_by_hand() {
    let traces = [trace(&[1, 0, 0, 0, 0, 0], BLACK), trace(&[1, 0, 0, 0, 0, 0], BoardEnd::Draw)];
    let chain = Chain::fit(&exact(), &traces).unwrap();
    let m = matrix(&[12.0, 10.0, 9.0], false);
    let solution = solve(&chain, Terms { matrix: &m, utility: Utility::Own });
    assert_eq!(solution.start_value(&chain), [3.0, 9.0]);
    for ply in [0, 2, 4] {
        let decision = solution.decision(ply, usize::from(ply == 0), OPEN);
        assert!(decision.accepts(OfferKind::Resignation), "ply {ply}");
        assert!(!decision.offers(OfferKind::Resignation), "ply {ply}");
        assert!(!decision.accepts(OfferKind::Draw), "ply {ply}");
    }
    // With dearer late wins for the loser the resignation before move 2 pays: 7-5 against 3 points.
    let kind = matrix(&[12.0, 7.0, 7.0], false);
    let solution = solve(&chain, Terms { matrix: &kind, utility: Utility::Own });
    assert!(solution.decision(2, 0, OPEN).offers(OfferKind::Resignation));
    // Refused, Black gets (7 + 6) / 2 = 6.5 < 7, so he accepts: 5-7. Black would rather have drawn offers out of
    // the way, but has none that pays: 6 < 7.
    assert_eq!(solution.start_value(&chain), [5.0, 7.0]);
    let outlook = Outlook::of(&chain, Terms { matrix: &kind, utility: Utility::Own }, Some(&solution));
    assert_eq!((outlook.offered, outlook.resigned, outlook.decisive), (1.0, 1.0, 1.0));
    assert_eq!((outlook.points, outlook.moves, outlook.entropy), ([5.0, 7.0], 1.0, 0.0));
}

/// The move rule makes the game general-sum: both prefer a draw to 0-0.
#[test]
fn before_the_move_rule_both_want_the_draw() {
    let endless = Trace { first: 0, bins: vec![1; 6], end: None };
    let chain = Chain::fit(&exact(), &[endless]).unwrap();
    let m = matrix(&[12.0, 12.0], false);
    let terms = Terms { matrix: &m, utility: Utility::Own };
    let solution = solve(&chain, terms);
    // The last mover is Black; whoever can, offers, but resigning gives the other more than a draw does: refusing
    // Black's draw offer gets White nothing, so he takes it. White to move before him knows that too, and waits
    // no longer: equal, so the earlier mover does not offer (a tie), and Black's last offer ends it.
    assert_eq!(solution.start_value(&chain), [6.0, 6.0]);
    let outlook = Outlook::of(&chain, terms, Some(&solution));
    assert_eq!((outlook.agreed, outlook.unfinished, outlook.moves), (1.0, 0.0, 2.0));
    // Who counts differences sees a tie everywhere and plays on into nothing.
    let spite = Terms { matrix: &m, utility: Utility::Difference };
    assert_eq!(solve(&chain, spite).start_value(&chain), [0.0, 0.0]);
}

/// Every pure strategy profile of the offer game as a tree: the value by plain recursion over histories, written
/// from the rules and without tables, books or prices of the solver.
struct Brute<'a> {
    chain: &'a Chain,
    matrix: &'a Matrix,
    utility: Utility,
}

#[derive(Clone, Copy)]
struct History {
    /// Band (move number) in which the draw offer was refused.
    draw: Option<u32>,
    resignation: Option<u32>,
}

impl Brute<'_> {
    fn gain(&self, points: [f64; 2], side: usize) -> f64 {
        match self.utility {
            Utility::Own => points[side],
            Utility::Difference => points[side] - points[1 - side],
        }
    }

    fn winner(&self, side: usize, to_winner: f64) -> [f64; 2] {
        if side == 0 { [to_winner, 12.0 - to_winner] } else { [12.0 - to_winner, to_winner] }
    }

    fn band(&self, number: u32) -> f64 {
        self.matrix.bands()[number as usize - 1].winner.to_f64()
    }

    fn mate(&self, side: usize, number: u32, history: History) -> [f64; 2] {
        let by_draw = if self.matrix.spec().refused_draw_starts_bands { history.draw } else { None };
        match history.resignation.or(by_draw) {
            Some(at) if at != number => self.winner(side, self.band(number)),
            _ => self.winner(side, 12.0),
        }
    }

    fn play_on(&self, ply: u32, bin: usize, history: History) -> [f64; 2] {
        let (number, side) = (ply / 2 + 1, (ply % 2) as usize);
        let (bins, ends) = self.chain.next(ply, bin);
        let mut sum = [0.0; 2];
        let stalemate = if side == 0 { [7.0, 5.0] } else { [5.0, 7.0] };
        let over = [self.mate(0, number, history), self.mate(1, number, history), stalemate, [6.0, 6.0]];
        for (value, p) in over.into_iter().zip(ends) {
            sum = [sum[0] + p * value[0], sum[1] + p * value[1]];
        }
        for (to, p) in bins.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let value = self.value(ply + 1, to, history);
            sum = [sum[0] + p * value[0], sum[1] + p * value[1]];
        }
        sum
    }

    fn answer(&self, accept: [f64; 2], refuse: [f64; 2], side: usize) -> [f64; 2] {
        if self.gain(accept, side) >= self.gain(refuse, side) - 1e-9 { accept } else { refuse }
    }

    fn value(&self, ply: u32, bin: usize, history: History) -> [f64; 2] {
        let (number, side) = (ply / 2 + 1, (ply % 2) as usize);
        if number > self.matrix.bands().len() as u32 {
            return [0.0, 0.0];
        }
        let mut best = self.play_on(ply, bin, history);
        if history.resignation.is_none() {
            let refused = self.play_on(ply, bin, History { resignation: Some(number), ..history });
            let offered = self.answer(self.winner(1 - side, self.band(number)), refused, 1 - side);
            if self.gain(offered, side) > self.gain(best, side) + 1e-9 {
                best = offered;
            }
        }
        if history.draw.is_none() {
            let refused = self.play_on(ply, bin, History { draw: Some(number), ..history });
            let offered = self.answer([6.0, 6.0], refused, 1 - side);
            if self.gain(offered, side) > self.gain(best, side) + 1e-9 {
                best = offered;
            }
        }
        best
    }
}

#[test]
fn the_solver_agrees_with_enumeration_of_histories() {
    let mut offered = 0;
    for seed in 0..60 {
        let traces = random_traces(seed, 5, 6);
        let chain = Chain::fit(&ChainSpec { prior: 0.5, ..exact() }, &traces).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut price = 12.0;
        let mut prices = Vec::new();
        for _ in 0..3 {
            price = f64::max(6.0, price - f64::from(rng.random_range(0..5u8)) / 2.0);
            prices.push(price);
        }
        let m = matrix(&prices, seed % 2 == 1);
        for utility in [Utility::Own, Utility::Difference] {
            let terms = Terms { matrix: &m, utility };
            let solution = solve(&chain, terms);
            let brute = Brute { chain: &chain, matrix: &m, utility };
            let none = History { draw: None, resignation: None };
            for bin in 0..3 {
                let (ours, theirs) = (solution.value(0, bin, OPEN).unwrap(), brute.value(0, bin, none));
                let apart = (ours[0] - theirs[0]).abs() + (ours[1] - theirs[1]).abs();
                assert!(apart < 1e-9, "seed {seed}, {utility:?}, bin {bin}: {ours:?}, {theirs:?}");
            }
            // Following the decisions forwards comes to the values that were found backwards.
            let outlook = Outlook::of(&chain, terms, Some(&solution));
            let value = solution.start_value(&chain);
            let apart = (outlook.points[0] - value[0]).abs() + (outlook.points[1] - value[1]).abs();
            assert!(apart < 1e-9, "seed {seed}, {utility:?}: {outlook:?}, {value:?}");
            offered += u32::from(outlook.offered > 0.0);
        }
    }
    assert!(offered > 40, "offers in {offered} of 120 games: too few to have tested anything");
}

/// No decider can gain by changing one decision alone, all later play being as solved: what subgame perfection
/// is. And nobody is paid more than the stake.
#[test]
fn no_decision_can_be_bettered_and_points_stay_within_the_stake() {
    for seed in 0..10 {
        let chain = Chain::fit(&exact(), &random_traces(seed, 30, 12)).unwrap();
        let m = matrix(&[12.0, 11.0, 9.5, 9.5, 8.0, 7.0], seed % 2 == 0);
        let terms = Terms { matrix: &m, utility: Utility::Own };
        let solution = solve(&chain, terms);
        for ply in solution.first()..solution.end() {
            for bin in 0..3 {
                for book in Book::all() {
                    let value = solution.value(ply, bin, book).unwrap();
                    assert!(value[0] >= 0.0 && value[1] >= 0.0 && value[0] + value[1] <= 12.0 + 1e-9);
                    let decision = solution.decision(ply, bin, book);
                    for kind in [OfferKind::Draw, OfferKind::Resignation] {
                        assert!(book.is_open(kind) || !decision.offers(kind), "a second offer");
                    }
                }
                // With no offer left there is nothing to decide, and offers open are worth having to their owner
                // only: the side to move is never worse off for being allowed to offer here and now.
                let open = solution.value(ply, bin, OPEN).unwrap();
                let moved = super::game::moved_value(&chain, terms, &solution, ply, bin, OPEN);
                let side = mover(ply).index();
                assert!(open[side] >= moved[side] - 1e-9, "seed {seed} ply {ply} bin {bin}");
            }
        }
    }
}

#[test]
fn a_policy_says_what_the_solution_says() {
    let chain = Chain::fit(&exact(), &random_traces(4, 40, 12)).unwrap();
    let m = matrix(&[12.0, 11.0, 9.5, 9.5, 8.0, 7.0], false);
    let solution = solve(&chain, Terms { matrix: &m, utility: Utility::Own });
    let policy = Policy::of(&solution, chain.bins());
    let mut offers = 0;
    for ply in 0..20 {
        for bin in 0..3 {
            for book in Book::all() {
                let found = policy.decision(move_number(ply), mover(ply), bin, book);
                assert_eq!(found, solution.decision(ply, bin, book), "ply {ply} bin {bin} {book:?}");
                offers += u32::from(found.offers(OfferKind::Draw) || found.offers(OfferKind::Resignation));
            }
        }
    }
    assert!(offers > 0);
}

#[test]
fn a_forecast_is_the_expected_score() {
    let traces = [trace(&[1, 2, 2], WHITE), trace(&[1, 0, 0], BLACK), trace(&[1, 2, 2], BoardEnd::Draw)];
    let chain = Chain::fit(&exact(), &traces).unwrap();
    let forecast = Forecast::of(&chain, 10);
    let close = |ply, bin, expected: f64| {
        let found = forecast.score(ply, bin).unwrap();
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    };
    close(0, 1, 0.5);
    close(1, 2, 0.75);
    close(1, 0, 0.0);
    assert_eq!(forecast.score(11, 0), None);
    assert_eq!(forecast.score(0, 3), None);
}

/// The whole of Magi's length in milliseconds: an order of magnitude of slack for a busy machine.
#[test]
fn a_matrix_is_solved_quickly() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let spec = ChainSpec::default();
    let bins = spec.bins.count();
    let mut game = || Trace {
        first: 8,
        bins: (0..292).map(|_| rng.random_range(0..bins) as u8).collect(),
        end: Some(WHITE),
    };
    let traces: Vec<Trace> = (0..50).map(|_| game()).collect();
    let chain = Chain::fit(&spec, &traces).unwrap();
    let sample = engine::payoff::sample().unwrap();
    let clock = std::time::Instant::now();
    let solution = solve(&chain, Terms { matrix: &sample, utility: Utility::Own });
    assert!(clock.elapsed().as_millis() < 300, "{:?}", clock.elapsed());
    assert_eq!((solution.first(), solution.end()), (8, 300));
}
