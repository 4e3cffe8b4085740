//! The limit of a request: the time that this process computes, and not the time that passes. A process that is stopped, or that others
//! leave no processor, is no worse than one that is not.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::sys;

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(250);
/// A tick in which the process computes less than this is one without progress: looking at the clock takes less.
const PROGRESS: Duration = Duration::from_micros(250);

/// A thread that ends this process when a request takes too long.
pub(crate) struct TimeLimit(Arc<Shared>);

#[derive(Default)]
struct Shared {
    running: Mutex<Option<Running>>,
    changed: Condvar,
}

/// A request that is being answered.
#[derive(Clone, Copy)]
struct Running {
    limit: Duration,
    /// How much time the process had used at its start, and at the last tick.
    start: Duration,
    last: Duration,
    /// How long there has been no progress, in ticks.
    idle: u32,
}

impl TimeLimit {
    pub(crate) fn new() -> Self {
        let shared = Arc::new(Shared::default());
        let watched = Arc::clone(&shared);
        thread::spawn(move || watched.watch());
        Self(shared)
    }

    /// Ends this process after so much time, unless [`stop`](Self::stop) comes before.
    pub(crate) fn start(&self, limit: Duration) {
        let used = sys::processor_time();
        self.set(Some(Running { limit, start: used, last: used, idle: 0 }));
    }

    pub(crate) fn stop(&self) {
        self.set(None);
    }

    fn set(&self, running: Option<Running>) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
        self.0.changed.notify_one();
    }
}

impl Shared {
    fn watch(&self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            running = match &mut *running {
                None => self.changed.wait(running).unwrap_or_else(PoisonError::into_inner),
                Some(_) => {
                    let waited = self.changed.wait_timeout(running, TICK);
                    let (mut running, waited) = waited.unwrap_or_else(PoisonError::into_inner);
                    if let Some(request) = running.as_mut().filter(|_| waited.timed_out())
                        && request.is_over(sys::processor_time())
                    {
                        sys::end_now();
                    }
                    running
                }
            };
        }
    }
}

impl Running {
    /// Whether the request has taken too long, at a tick at which the process has used so much time.
    fn is_over(&mut self, used: Duration) -> bool {
        let idle = used.saturating_sub(self.last) < PROGRESS;
        self.idle = if idle { self.idle + 1 } else { 0 };
        self.last = used;
        used.saturating_sub(self.start) >= self.limit || TICK * self.idle >= self.limit
    }
}
