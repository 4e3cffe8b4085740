//! The state of an open store.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The statistics of a store since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Programs loaded from disk.
    pub hits: u64,
    /// Programs that were built.
    pub builds: u64,
    /// The hits on programs that another process built while this one waited.
    pub awaited: u64,
    /// Waits that ended without a program because the time limit passed.
    pub timeouts: u64,
    /// Binaries on disk that the driver refused.
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
    /// Bytes written that are not yet included in the store's record.
    pub(super) uncounted: AtomicU64,
    /// Whether nothing can be written here: full, read-only, or another user's.
    pub(super) read_only: AtomicBool,
    /// Whether another user may have filled a folder. If so, nothing is read or written.
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

    /// Returns whether the disk is not used at all.
    pub(super) fn is_untrusted(&self) -> bool {
        self.untrusted.load(Relaxed)
    }

    /// Stops using the disk. Returns whether it was used before.
    pub(super) fn distrust(&self) -> bool {
        !self.untrusted.swap(true, Relaxed)
    }

    pub(super) fn first_complaint(&self) -> bool {
        !self.complained.swap(true, Relaxed)
    }
}

/// Increments a counter.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}
