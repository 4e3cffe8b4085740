//! One entry, which is in progress until its outcome is set, once.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};

/// How a build ended.
#[derive(Debug)]
pub(super) enum BuildOutcome<V, E> {
    /// The value.
    Done(Arc<V>),
    /// An error that a second build would return again. The entry stays.
    Failed(Arc<E>),
    /// A temporary error, for all waiting threads. The entry is removed, and the next request builds.
    Passed(Arc<E>),
    /// A possibly accidental error, or a panic. The entry is removed, and the waiting threads build for themselves.
    Again,
}

/// The reason why waiting for a build would never end.
#[derive(Debug)]
pub(super) enum NoOutcome {
    /// The current thread is the builder, and would wait for itself.
    Recursive,
    /// The building thread belongs to the process from which this one was forked.
    Abandoned,
}

#[derive(Debug)]
pub(super) struct Slot<V, E> {
    outcome: OnceLock<BuildOutcome<V, E>>,
    builder: (u32, ThreadId),
    /// The cache's clock when the value was last requested.
    used: AtomicU64,
    size: AtomicU64,
}

impl<V, E> Slot<V, E> {
    /// Creates an entry that this thread is to build.
    pub(super) fn new(now: u64) -> Self {
        Self {
            outcome: OnceLock::new(),
            builder: this_thread(),
            used: AtomicU64::new(now),
            size: AtomicU64::new(0),
        }
    }

    /// Ends the build and wakes the waiting threads.
    pub(super) fn finish(&self, outcome: BuildOutcome<V, E>, size: u64) {
        self.size.store(size, Relaxed);
        // Only the builder sets it, and only once, because that consumes the builder.
        let _ = self.outcome.set(outcome);
    }

    /// Returns the outcome if the build has ended.
    pub(super) fn outcome(&self) -> Option<&BuildOutcome<V, E>> {
        self.outcome.get()
    }

    /// Returns the value, if there is one.
    pub(super) fn value(&self) -> Option<&Arc<V>> {
        match self.outcome.get()? {
            BuildOutcome::Done(value) => Some(value),
            _ => None,
        }
    }

    /// Waits for the end of the build.
    pub(super) fn wait(&self) -> Result<&BuildOutcome<V, E>, NoOutcome> {
        if let Some(outcome) = self.outcome.get() {
            return Ok(outcome);
        }
        let here = this_thread();
        if self.builder.0 != here.0 {
            return Err(NoOutcome::Abandoned);
        }
        if self.builder == here {
            return Err(NoOutcome::Recursive);
        }
        Ok(self.outcome.wait())
    }

    /// Marks the value as used. The clock advances only on builds, so that hits of many threads write nothing and do
    /// not contend.
    pub(super) fn touch(&self, now: u64) {
        if self.used.load(Relaxed) != now {
            self.used.store(now, Relaxed);
        }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    pub(super) fn size(&self) -> u64 {
        self.size.load(Relaxed)
    }
}

/// Returns the ids of the current process and thread.
fn this_thread() -> (u32, ThreadId) {
    (process::id(), thread::current().id())
}
