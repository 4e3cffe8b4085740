//! What a store remembers while it is open.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What a store did since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Programs that came from the disk.
    pub hits: u64,
    /// Programs that were built.
    pub builds: u64,
    /// Of the hits, those that another process had just built while this one waited.
    pub awaited: u64,
    /// Waits that ended without a program, because the time was over.
    pub timeouts: u64,
    /// Binaries on disk that the driver did not take.
    pub refused: u64,
    /// Items that were written.
    pub saved: u64,
    /// Bytes that were written.
    pub saved_bytes: u64,
}

#[derive(Debug, Default)]
pub(super) struct StoreState {
    pub(super) hits: AtomicU64,
    pub(super) builds: AtomicU64,
    pub(super) awaited: AtomicU64,
    pub(super) timeouts: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) saved: AtomicU64,
    pub(super) saved_bytes: AtomicU64,
    /// Bytes written that the store's record does not have yet.
    pub(super) uncounted: AtomicU64,
    /// Nothing can be written here: full, read-only, or another user's.
    pub(super) read_only: AtomicBool,
    /// Another user may have filled a folder: nothing is read or written.
    untrusted: AtomicBool,
    complained: AtomicBool,
}

impl StoreState {
    pub(super) fn stats(&self) -> Stats {
        Stats {
            hits: self.hits.load(Relaxed),
            builds: self.builds.load(Relaxed),
            awaited: self.awaited.load(Relaxed),
            timeouts: self.timeouts.load(Relaxed),
            refused: self.refused.load(Relaxed),
            saved: self.saved.load(Relaxed),
            saved_bytes: self.saved_bytes.load(Relaxed),
        }
    }

    /// Whether nothing of the disk is used.
    pub(super) fn is_untrusted(&self) -> bool {
        self.untrusted.load(Relaxed)
    }

    /// Uses nothing of the disk from now on. Answers whether it did before.
    pub(super) fn distrust(&self) -> bool {
        !self.untrusted.swap(true, Relaxed)
    }

    pub(super) fn first_complaint(&self) -> bool {
        !self.complained.swap(true, Relaxed)
    }
}

/// Counts one more.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}
