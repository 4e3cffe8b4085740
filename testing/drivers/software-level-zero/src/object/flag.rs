//! The base of events and fences: a flag that threads can wait for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::poll::{WAIT, poll};

/// A flag.
pub(crate) struct Flag {
    set: AtomicBool,
    lock: Mutex<()>,
    wake: Condvar,
}

/// The result of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    Set,
    TimedOut,
    GaveUp,
}

/// How often a waiting thread checks whether to give up.
const LOOK: Duration = Duration::from_millis(20);

impl Flag {
    pub(crate) const fn new(set: bool) -> Self {
        Self { set: AtomicBool::new(set), lock: Mutex::new(()), wake: Condvar::new() }
    }

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    /// Sets the flag. Returns whether it was already set.
    pub(crate) fn set(&self) -> bool {
        let guard = self.lock.lock();
        let before = self.set.swap(true, Ordering::AcqRel);
        drop(guard);
        self.wake.notify_all();
        before
    }

    pub(crate) fn reset(&self) {
        self.set.store(false, Ordering::Release);
    }

    /// Waits until the flag is set, the deadline has passed, or `give_up` returns true.
    pub(crate) fn wait(&self, deadline: Option<Instant>, give_up: impl Fn() -> bool) -> Waited {
        poll(WAIT, deadline, || self.is_set() || give_up());
        if self.is_set() {
            return Waited::Set;
        }
        let mut guard = self.lock.lock();
        loop {
            if self.is_set() {
                return Waited::Set;
            }
            if give_up() {
                return Waited::GaveUp;
            }
            let now = Instant::now();
            let look = now + LOOK;
            let until = match deadline {
                Some(deadline) if deadline <= now => return Waited::TimedOut,
                Some(deadline) => deadline.min(look),
                None => look,
            };
            self.wake.wait_until(&mut guard, until);
        }
    }
}
