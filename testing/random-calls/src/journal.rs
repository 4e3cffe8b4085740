//! The current call of a worker process, and its counts per entry point, in memory that outlives it.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use sycl_pi_core::table::ENTRY_POINTS;

/// The size of the text of the current call.
const TEXT: usize = 4096;
/// The number of words before the counts: calls made, length of the text, and the worker's stage.
const HEAD: usize = 3;
/// The number of counts per entry point.
pub(crate) const COUNTS: usize = 4;

/// The index of a count.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    Succeeded,
    Refused,
    /// Refused, with a text that has the required content.
    WithMessage,
    /// Refused, with a text that lacks it.
    WithoutMessage,
}

/// The stage of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Starting,
    Calling,
    TornDown,
    Done,
}

/// A file in memory, shared by a worker and the process that started it.
pub(crate) struct Journal {
    start: *mut u8,
    _file: File,
}

const SIZE: usize = (HEAD + COUNTS * ENTRY_POINTS.len()) * 8 + TEXT;

impl Journal {
    /// Opens the file and sets its size.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.with_context(|| path.display().to_string())?;
        file.set_len(SIZE as u64)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let start =
            // SAFETY: a new mapping of a file with this size.
            unsafe { libc::mmap(std::ptr::null_mut(), SIZE, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            bail!("the journal cannot be mapped: {}", std::io::Error::last_os_error());
        }
        Ok(Self { start: start.cast(), _file: file })
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        // SAFETY: within the mapping, which is aligned to pages. These words are only accessed as atomics.
        unsafe { &*self.start.cast::<AtomicU64>().add(index) }
    }

    /// Resets the journal.
    pub(crate) fn clear(&self) {
        (0..HEAD + COUNTS * ENTRY_POINTS.len())
            .for_each(|index| self.word(index).store(0, Ordering::Relaxed));
    }

    /// Records the call that is made next.
    pub(crate) fn begin(&self, text: &str) {
        let bytes = text.as_bytes();
        let length = bytes.len().min(TEXT);
        // SAFETY: the mapping has room for the text after the counts, and the other side reads it when this one ended.
        unsafe { self.start.add(SIZE - TEXT).copy_from_nonoverlapping(bytes.as_ptr(), length) };
        self.word(1).store(length as u64, Ordering::Release);
        self.word(0).fetch_add(1, Ordering::Release);
    }

    /// Returns the text of the last call that began.
    pub(crate) fn last(&self) -> String {
        let length = (self.word(1).load(Ordering::Acquire) as usize).min(TEXT);
        // SAFETY: within the mapping, and the writer has ended.
        let bytes = unsafe { std::slice::from_raw_parts(self.start.add(SIZE - TEXT), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Returns how many calls began.
    pub(crate) fn calls(&self) -> u64 {
        self.word(0).load(Ordering::Acquire)
    }

    /// Records the worker's stage.
    pub(crate) fn enter(&self, stage: Stage) {
        self.word(2).store(stage as u64, Ordering::Release);
    }

    /// Returns the current or last stage of the worker.
    pub(crate) fn stage(&self) -> Stage {
        let stages = [Stage::Starting, Stage::Calling, Stage::TornDown];
        stages.get(self.word(2).load(Ordering::Acquire) as usize).copied().unwrap_or(Stage::Done)
    }

    /// Counts an outcome of the entry point with that number in the list.
    pub(crate) fn count(&self, entry: usize, what: Count) {
        self.word(HEAD + COUNTS * entry + what as usize).fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the four counts of an entry point.
    pub(crate) fn counts(&self, entry: usize) -> [u64; COUNTS] {
        std::array::from_fn(|what| self.word(HEAD + COUNTS * entry + what).load(Ordering::Relaxed))
    }
}
