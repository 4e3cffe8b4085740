//! The counts of an event for several processes: a page of a memory file that all of them map.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::{Code, OUT_OF_MEMORY};

/// The content of the page: how often the event was recorded, and the last recording that was reached.
#[repr(C)]
struct Counts {
    recorded: AtomicU64,
    reached: AtomicU64,
}

/// The page and its file.
pub(crate) struct Page {
    counts: &'static Counts,
    pub(crate) file: OwnedFd,
}

impl Page {
    /// Creates the page of a new event.
    pub(crate) fn new() -> Result<Arc<Self>, Code> {
        // SAFETY: a new file owned by this function, which is as large as its page.
        unsafe {
            let file = libc::memfd_create(c"software-cuda".as_ptr(), 0);
            if file < 0 {
                return Err(OUT_OF_MEMORY);
            }
            let file = OwnedFd::from_raw_fd(file);
            match libc::ftruncate(file.as_raw_fd(), size_of::<Counts>() as i64) {
                0 => Self::map(file),
                _ => Err(OUT_OF_MEMORY),
            }
        }
    }

    /// Maps the page of an existing file.
    pub(crate) fn map(file: OwnedFd) -> Result<Arc<Self>, Code> {
        let (size, access) = (size_of::<Counts>(), libc::PROT_READ | libc::PROT_WRITE);
        let start =
            // SAFETY: a new mapping of a file.
            unsafe { libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            return Err(OUT_OF_MEMORY);
        }
        // SAFETY: a page of zeros or of other processes' counts, which is never unmapped.
        Ok(Arc::new(Self { counts: unsafe { &*start.cast() }, file }))
    }

    /// Counts a recording, and returns its number.
    pub(crate) fn record(&self) -> u64 {
        self.counts.recorded.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Returns the number of the newest recording, or 0 if there is none.
    pub(crate) fn newest(&self) -> u64 {
        self.counts.recorded.load(Ordering::Acquire)
    }

    pub(crate) fn reach(&self, number: u64) {
        self.counts.reached.fetch_max(number, Ordering::AcqRel);
    }

    pub(crate) fn is_reached(&self, number: u64) -> bool {
        self.counts.reached.load(Ordering::Acquire) >= number
    }

    pub(crate) fn wait(&self, number: u64) {
        while !self.is_reached(number) {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}
