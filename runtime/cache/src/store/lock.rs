//! The advisory lock of one item's folder. A builder holds it; the kernel drops it with the process.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::fs::Fs;

/// The lock's file in an item's folder.
pub(super) const LOCK_FILE: &str = "lock";

/// What a builder leaves in the lock's file when its build failed.
const FAILED: &[u8] = b"F";

const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// A lock that is held. Dropping it unlocks.
#[derive(Debug)]
pub(super) struct Lock {
    fs: Arc<dyn Fs>,
    path: PathBuf,
    file: File,
}

/// How waiting for a lock ended.
#[derive(Debug)]
pub(super) enum Waited<T> {
    /// The lock is ours. `failed`: its former holder reported that its build failed.
    Locked { lock: Lock, failed: bool },
    /// The item that the lock's holder made.
    Found(T),
    /// The time is over.
    TimedOut,
    /// There are no locks here: a read-only folder, or a file system without them.
    Unlockable(io::Error),
}

impl Lock {
    /// Takes the lock if it is free.
    ///
    /// # Errors
    /// The folder is gone, the file cannot be made, or the file system has no locks.
    pub(super) fn try_take(fs: &Arc<dyn Fs>, folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(LOCK_FILE);
        // Removing an item removes its lock's file too. A lock on a removed file is void, so try again.
        for _ in 0..16 {
            let file = fs.open_lock(&path)?;
            if !fs.try_lock(&file)? {
                return Ok(None);
            }
            let lock = Self { fs: fs.clone(), path: path.clone(), file };
            match fs.info_at(&path) {
                Ok(there) if there.identity == fs.info(&lock.file)?.identity => return Ok(Some(lock)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Waits until the lock is free, `found` finds something, or the time is over.
    pub(super) fn wait<T>(
        fs: &Arc<dyn Fs>,
        folder: &Path,
        limit: Duration,
        mut found: impl FnMut() -> Option<T>,
    ) -> Waited<T> {
        let end = Instant::now().checked_add(limit);
        let mut nap = SHORTEST_NAP;
        let mut waited = false;
        loop {
            match Self::try_take(fs, folder) {
                Ok(Some(lock)) => {
                    let failed = waited && lock.says_failed();
                    return Waited::Locked { lock, failed };
                }
                Ok(None) => {}
                Err(error) => return Waited::Unlockable(error),
            }
            if waited && let Some(thing) = found() {
                return Waited::Found(thing);
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                return Waited::TimedOut;
            }
            waited = true;
            std::thread::sleep(nap);
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }

    /// Tells waiting processes that the build failed, so that they need not build one after the other.
    pub(super) fn mark_failed(&self) {
        // Without the mark the others build one after the other: slower, but correct.
        if let Err(error) = self.fs.write(&self.file, FAILED) {
            log::debug!(target: super::LOG, "{}: {error}", self.path.display());
        }
    }

    fn says_failed(&self) -> bool {
        self.fs.info(&self.file).is_ok_and(|info| info.size > 0)
    }

    /// Clears the mark of an earlier builder.
    pub(super) fn clear(&self) {
        if self.says_failed()
            && let Err(error) = self.fs.clear(&self.file)
        {
            log::debug!(target: super::LOG, "{}: {error}", self.path.display());
        }
    }

    /// Removes the lock's file; the folder can go afterwards.
    pub(super) fn remove(self) -> io::Result<()> {
        self.fs.remove_file(&self.path)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file would do, unless a forked child has a copy of the handle.
        if let Err(error) = self.fs.unlock(&self.file) {
            log::debug!(target: super::LOG, "{}: {error}", self.path.display());
        }
    }
}
