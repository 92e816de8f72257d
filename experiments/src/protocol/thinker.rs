//! One search at a time on its own thread.

use super::clock::Clock;
use super::session::Session;
use std::sync::Arc;
use std::thread::JoinHandle;

/// What the searching thread does with the session it is lent.
pub type Job = Box<dyn FnOnce(&mut dyn Session, &Arc<Clock>) + Send>;

/// A search under way.
struct Running {
    /// Gives the session back.
    thread: JoinHandle<Box<dyn Session>>,
    clock: Arc<Clock>,
}

/// A session that is lent to a thread while it searches.
#[derive(Default)]
pub struct Thinker {
    session: Option<Box<dyn Session>>,
    running: Option<Running>,
}

impl Thinker {
    /// Takes a session in place of the one before; a search is stopped.
    pub fn install(&mut self, session: Box<dyn Session>) {
        self.stop();
        self.session = Some(session);
    }

    /// The session; a search is stopped. `None` if there is none, or its search crashed.
    pub fn session(&mut self) -> Option<&mut Box<dyn Session>> {
        self.stop();
        self.session.as_mut()
    }

    /// Whether a search is running (or holds its result back).
    pub fn is_busy(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// The clock of the search that is running.
    pub fn clock(&self) -> Option<&Arc<Clock>> {
        self.running.as_ref().map(|running| &running.clock)
    }

    /// Starts a search. False if there is no session.
    pub fn start(&mut self, clock: Clock, job: Job) -> bool {
        self.stop();
        let Some(mut session) = self.session.take() else { return false };
        let clock = Arc::new(clock);
        let shared = clock.clone();
        let thread = std::thread::spawn(move || {
            job(session.as_mut(), &shared);
            session
        });
        self.running = Some(Running { thread, clock });
        true
    }

    /// Stops the search and waits for its thread.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.clock.stop();
        }
        self.finish();
    }

    /// Waits for the search to end by itself.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            // A search that panicked has told so on standard error; its session is gone.
            self.session = running.thread.join().ok();
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}
