//! Time: how much of it a move gets, and when a search has to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is left on a player's clock, milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Remaining {
    /// Time left.
    pub time: u64,
    /// Added after each move.
    pub increment: u64,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u64>,
}

/// Time for one move, milliseconds since its search began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration is begun after this.
    pub soft: u64,
    /// The search is broken off at this.
    pub hard: u64,
}

impl Budget {
    /// No limit.
    pub const NONE: Budget = Budget { soft: u64::MAX, hard: u64::MAX };

    /// Exactly `time` for this move, less `overhead` (but at least half of it).
    pub fn exact(time: u64, overhead: u64) -> Budget {
        let hard = time.saturating_sub(overhead).max(time / 2).max(1);
        Budget { soft: hard, hard }
    }

    /// A share of what is left. Three overheads are kept in reserve, an increment counts for what exceeds
    /// the overhead that each move costs, and no move takes more than half of what is there: a machine that
    /// stalls for a moment does not lose on time, and the clock does not creep down to nothing.
    pub fn share(left: Remaining, overhead: u64) -> Budget {
        let usable = left.time.saturating_sub(overhead.saturating_mul(3)).max(left.time / 16).max(1);
        let moves = left.moves_to_go.unwrap_or(30).clamp(1, 30);
        let gained = left.increment.saturating_sub(overhead);
        let base = usable / moves + gained.saturating_mul(3) / 4;
        let most = match moves {
            1 => usable * 3 / 4,
            _ => usable / 2,
        };
        let hard = base.saturating_mul(3).min(most).max(1);
        Budget { soft: (base * 6 / 10).clamp(1, hard), hard }
    }
}

/// A search's clock, shared by the thread that searches and the one that may stop it.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    /// Milliseconds after `start` at which the present move's time began.
    begun: AtomicU64,
    stop: AtomicBool,
    soft: AtomicU64,
    hard: AtomicU64,
    /// Whether the result must wait for `stop` or `ponderhit`.
    held: Mutex<bool>,
    released: Condvar,
}

impl Clock {
    /// A clock that starts now. With `held`, [`Clock::wait`] waits for [`Clock::stop`] or
    /// [`Clock::release`].
    pub fn start(budget: Budget, held: bool) -> Clock {
        Clock {
            start: Instant::now(),
            begun: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            soft: AtomicU64::new(budget.soft),
            hard: AtomicU64::new(budget.hard),
            held: Mutex::new(held),
            released: Condvar::new(),
        }
    }

    /// Milliseconds since the start.
    pub fn elapsed(&self) -> u64 {
        let since = self.start.elapsed().as_millis() as u64;
        since.saturating_sub(self.begun.load(Ordering::Relaxed))
    }

    /// Starts again for one more move of the same side.
    pub fn again(&self, budget: Budget) {
        self.begun.store(self.start.elapsed().as_millis() as u64, Ordering::Relaxed);
        self.soft.store(budget.soft, Ordering::Relaxed);
        self.hard.store(budget.hard, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.free();
    }

    /// The move pondered about was played: from now on `budget` counts.
    pub fn release(&self, budget: Budget) {
        let now = self.elapsed();
        self.hard.store(budget.hard.saturating_add(now), Ordering::Relaxed);
        // What was found while pondering counts as thought: the soft limit runs from the start.
        self.soft.store(budget.soft, Ordering::Relaxed);
        self.free();
    }

    fn free(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    /// Whether the search has to stop here and now.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.elapsed() >= self.hard.load(Ordering::Relaxed)
    }

    /// An iteration is finished: stops the search if there is no time for another one.
    pub fn iteration_done(&self) {
        if self.elapsed() >= self.soft.load(Ordering::Relaxed) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until the result may be given.
    pub fn wait(&self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while *held {
            let (guard, _) = self
                .released
                .wait_timeout(held, Duration::from_millis(100))
                .unwrap_or_else(PoisonError::into_inner);
            held = guard;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(time: u64, increment: u64, moves_to_go: Option<u64>) -> Budget {
        Budget::share(Remaining { time, increment, moves_to_go }, 30)
    }

    #[test]
    fn a_share_never_takes_all_and_never_nothing() {
        for time in [0, 1, 5, 29, 31, 60, 100, 1_000, 60_000, 10_000_000, u64::MAX / 8] {
            for increment in [0, 10, 5_000, 1 << 40] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u64::MAX)] {
                    let budget = share(time, increment, moves);
                    assert!(budget.hard >= 1 && budget.soft >= 1 && budget.soft <= budget.hard);
                    assert!(budget.hard <= (time * 3 / 4).max(1), "{time} {increment} {moves:?} {budget:?}");
                }
            }
        }
    }

    #[test]
    fn a_minute_is_spread_over_the_game() {
        assert_eq!(share(60_090, 0, None), Budget { soft: 1_200, hard: 6_000 });
        assert_eq!(share(60_090, 1_030, None), Budget { soft: 1_650, hard: 8_250 });
        assert_eq!(share(4_090, 0, Some(2)), Budget { soft: 1_200, hard: 2_000 });
    }

    #[test]
    fn a_small_increment_is_not_spent_before_it_is_gained() {
        let mut left = 1_000;
        for _ in 0..300 {
            // Every move takes 8 ms besides its search.
            let spent = share(left, 10, None).soft + 8;
            assert!(spent < left, "{spent} of {left}");
            left = left - spent + 10;
            assert!(left >= 90, "{left}");
        }
    }

    #[test]
    fn sixty_moves_at_the_hard_limit_leave_time() {
        let mut left = 10_000;
        for _ in 0..60 {
            // Every move takes 20 ms longer than it should.
            let spent = share(left, 100, None).hard + 20;
            assert!(spent < left, "{spent} of {left}");
            left = left - spent + 100;
        }
    }

    #[test]
    fn the_time_of_a_move_is_kept_short_of() {
        assert_eq!(Budget::exact(1_000, 30).hard, 970);
        assert_eq!(Budget::exact(10, 30).hard, 5);
        assert_eq!(Budget::exact(0, 30).hard, 1);
    }

    #[test]
    fn a_held_clock_waits_until_it_is_stopped() {
        let clock = std::sync::Arc::new(Clock::start(Budget::NONE, true));
        let other = clock.clone();
        let waiter = std::thread::spawn(move || other.wait());
        std::thread::sleep(Duration::from_millis(20));
        assert!(!waiter.is_finished());
        clock.stop();
        waiter.join().unwrap();
        assert!(clock.is_over());
    }
}
