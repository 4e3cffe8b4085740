//! The advisory lock of one item's folder. A builder holds it; the kernel releases it when the process ends.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sycl_pi_host_process::{OwnFile, Untrusted};

use super::fs::{FileInfo, Fs};

/// The name of the lock file in an item's folder.
pub(super) const LOCK_FILE: &str = "lock";

/// The contents of the lock file after a failed build.
const FAILED: &[u8] = b"F";

const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// Refuses a lock file that other users created or may lock, because they could make every process wait.
fn check_owner(info: &FileInfo, path: &Path) -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    let why = match info {
        info if !info.is_file => "is not a plain file".into(),
        info if info.owner != user => format!("belongs to user {}, not to user {user}", info.owner),
        info if info.mode & 0o066 != 0 => format!("may be locked by others (chmod 600 {})", path.display()),
        _ => return Ok(()),
    };
    Err(Untrusted::error(path, why))
}

/// A held lock. Dropping it unlocks.
#[derive(Debug)]
pub(super) struct Lock {
    fs: Arc<dyn Fs>,
    path: PathBuf,
    file: OwnFile<File>,
    /// The process that took it. A forked child has a copy of the descriptor, but does not own the lock.
    owner: u32,
}

/// The result of waiting for a lock.
#[derive(Debug)]
pub(super) enum Waited<T> {
    /// The lock is ours. `failed` is whether its previous holder reported a failed build.
    Locked { lock: Lock, failed: bool },
    /// The item that the lock's holder made.
    Found(T),
    /// The time limit has passed.
    TimedOut,
    /// Locking is impossible: the folder is read-only, or the file system has no locks.
    Unlockable(io::Error),
}

impl Lock {
    /// Takes the lock if it is free.
    ///
    /// # Errors
    /// Fails if the folder no longer exists, if the file cannot be created, or if the file system has no locks.
    pub(super) fn try_take(fs: &Arc<dyn Fs>, folder: &Path) -> io::Result<Option<Self>> {
        Self::try_take_file(fs, &folder.join(LOCK_FILE))
    }

    fn try_take_file(fs: &Arc<dyn Fs>, path: &Path) -> io::Result<Option<Self>> {
        // Removing an item also removes its lock file. A lock on a removed file is void, so this tries again.
        for _ in 0..16 {
            let file = fs.open_lock(path)?;
            check_owner(&fs.info(&file)?, path)?;
            if !fs.try_lock(&file)? {
                return Ok(None);
            }
            let file = OwnFile::new(file)?;
            let lock = Self { fs: fs.clone(), path: path.to_owned(), file, owner: process::id() };
            match fs.info_at(path) {
                Ok(there) if there.identity == fs.info(lock.file.get()?)?.identity => return Ok(Some(lock)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Waits until the lock of this file is free; returns `None` if the time limit passes.
    ///
    /// # Errors
    /// Returns the errors of [`Lock::try_take`].
    pub(super) fn wait_for_file(fs: &Arc<dyn Fs>, path: &Path, limit: Duration) -> io::Result<Option<Self>> {
        let end = Instant::now().checked_add(limit);
        let mut nap = SHORTEST_NAP;
        loop {
            if let Some(lock) = Self::try_take_file(fs, path)? {
                return Ok(Some(lock));
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                return Ok(None);
            }
            std::thread::sleep(nap);
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }

    /// Waits until the lock is free, until `found` finds something, or until the time limit passes.
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

    /// Reports to waiting processes that the build failed, so that they do not build one after the other.
    pub(super) fn mark_failed(&self) {
        // Without the mark the others build one after the other, which is slower but correct.
        if let Err(error) = self.file.get().and_then(|file| self.fs.write(file, FAILED)) {
            log::debug!(target: super::LOG, "{}: {error}", self.path.display());
        }
    }

    fn says_failed(&self) -> bool {
        self.file.get().and_then(|file| self.fs.info(file)).is_ok_and(|info| info.size > 0)
    }

    /// Clears the mark of an earlier builder.
    pub(super) fn clear(&self) {
        if self.says_failed()
            && let Err(error) = self.file.get().and_then(|file| self.fs.clear(file))
        {
            log::debug!(target: super::LOG, "{}: {error}", self.path.display());
        }
    }

    /// Returns the file's contents, if it has at least one of these sizes.
    pub(super) fn content(&self, sizes: &[u64]) -> Option<Vec<u8>> {
        let file = self.file.get().ok()?;
        let size = self.fs.info(file).ok()?.size;
        let size = sizes.iter().find(|known| size >= **known)?;
        self.fs.read(file, *size).ok()
    }

    /// Writes bytes at the start of the file.
    pub(super) fn overwrite(&self, bytes: &[u8]) -> io::Result<()> {
        self.fs.overwrite(self.file.get()?, bytes)
    }

    /// Removes the lock file, so that the folder can be removed afterwards.
    pub(super) fn remove(self) -> io::Result<()> {
        self.fs.remove_file(&self.path)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A copy in a forked child must not unlock, because the parent owns the lock.
        if self.owner != process::id() {
            return;
        }
        // Closing the file would suffice unless a forked child has a copy of the handle.
        if let Err(error) = self.file.get().and_then(|file| self.fs.unlock(file)) {
            log::debug!(target: super::LOG, "{}: {error}", self.path.display());
        }
    }
}
