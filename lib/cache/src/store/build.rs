//! Loads a program from disk, or builds it once, in this process or in another.

use std::fmt::Display;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Instant, SystemTime};

use super::background::Job;
use super::format::Notes;
use super::lock::{Lock, Waited};
use super::read::{Found, Used};
use super::state::count;
use super::{Store, StoreInner, StoreKey};
use crate::Digest;

/// The result of a build.
#[derive(Clone, Debug)]
pub struct Built<T> {
    /// The program.
    pub value: T,
    /// Its binary, or `None` if the driver provides none; then nothing is stored.
    pub binary: Option<Vec<u8>>,
    /// The names of its kernels, for listings of the cache.
    pub kernels: Vec<String>,
}

/// The source of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramSource {
    /// From an item on disk.
    Disk,
    /// A build.
    Build,
}

impl Store {
    /// Returns the program with this key: `open` creates it from the binary on disk if there is one, else it is built.
    ///
    /// The checksum of the binary that `open` receives is verified. If `open` fails nevertheless, the item is removed
    /// and the program is built. While another process or thread builds the same key, this one waits for at most
    /// [`crate::Config::wait`].
    ///
    /// # Errors
    /// Returns the errors of `build`. No failure on the disk is an error.
    pub fn load_or_build<T, E: Display>(
        &self,
        key: &StoreKey,
        mut open: impl FnMut(&[u8]) -> Result<T, E>,
        build: impl FnOnce() -> Result<Built<T>, E>,
    ) -> Result<(T, ProgramSource), E> {
        if !self.keeps(key) {
            return self.build(key, None, None, build);
        }
        let inner = &*self.inner;
        let mut refused = None;
        if let Some(found) = inner.find(key) {
            match open(&found.binary) {
                Ok(value) => return Ok((self.hit(key, found, value), ProgramSource::Disk)),
                Err(error) => refused = Some(inner.refuse(key, &found, &error)),
            }
        }
        let Some(folder) = self.folder_to_lock(key) else { return self.build(key, None, refused, build) };
        // A refused binary is still on disk; a replacement by another process is worth trying.
        let other = |refused: Option<Digest>| {
            inner.find(key).filter(|found| refused.is_none_or(|digest| digest != Digest::of(&found.binary)))
        };
        let mut held = None;
        let found = match Lock::wait(&inner.fs, &folder, inner.config.wait, || other(refused)) {
            Waited::Found(found) => Some(found),
            Waited::Locked { lock, failed } => {
                // After a failed build in another process, others must not wait for the same failure here.
                held = (!failed).then_some(lock);
                // Another process may have finished before the lock was taken.
                other(refused)
            }
            Waited::TimedOut => {
                count(&inner.state.timeouts);
                let seconds = inner.config.wait.as_secs_f32();
                inner.trace(format_args!("{}: waited {seconds} s for a build elsewhere", folder.display()));
                None
            }
            Waited::Unlockable(error) if inner.refuse_untrusted(&error) => None,
            Waited::Unlockable(error) => {
                inner.trace(format_args!("{}: no lock: {error}", folder.display()));
                None
            }
        };
        if let Some(found) = found {
            match open(&found.binary) {
                Ok(value) => {
                    drop(held);
                    count(&inner.state.awaited);
                    return Ok((self.hit(key, found, value), ProgramSource::Disk));
                }
                Err(error) => refused = Some(inner.refuse(key, &found, &error)),
            }
        }
        self.build(key, held, refused, build)
    }

    /// Builds and stores the result. The lock is held until that is done.
    fn build<T, E>(
        &self,
        key: &StoreKey,
        lock: Option<Lock>,
        refused: Option<Digest>,
        build: impl FnOnce() -> Result<Built<T>, E>,
    ) -> Result<(T, ProgramSource), E> {
        let inner = &*self.inner;
        if let Some(lock) = &lock {
            lock.clear();
        }
        count(&inner.state.builds);
        let started = Instant::now();
        let built = build().inspect_err(|_| {
            if let Some(lock) = &lock {
                lock.mark_failed();
                if refused.is_some() {
                    inner.remove_key(key);
                }
            }
        })?;
        let build_time = started.elapsed();
        inner.trace(format_args!("{}: built in {:.3} s", key.digest(), build_time.as_secs_f64()));
        if let Some(binary) = built.binary
            && self.keeps(key)
        {
            let notes = Notes { kernels: built.kernels, build_time, built_at: Some(SystemTime::now()) };
            self.write_later(Job { key: key.clone(), notes, binary, lock });
        }
        Ok((built.value, ProgramSource::Build))
    }

    fn hit<T>(&self, key: &StoreKey, found: Found, value: T) -> T {
        let inner = &*self.inner;
        count(&inner.state.hits);
        inner.trace(format_args!("{}: found on disk, {} bytes", key.digest(), found.binary.len()));
        if !inner.state.read_only.load(Relaxed) {
            self.note_use_soon(Used { folder: found.folder, number: found.number }, found.noted);
        }
        value
    }

    /// Returns the item's folder, and creates it if it is missing. Returns `None` if nothing can be written, because
    /// then there is no build to wait for.
    fn folder_to_lock(&self, key: &StoreKey) -> Option<std::path::PathBuf> {
        let inner = &*self.inner;
        if inner.state.read_only.load(Relaxed) || inner.state.is_untrusted() {
            return None;
        }
        let folder = key.folder(inner.root.as_deref()?);
        match inner.make_folders(&folder) {
            Ok(()) => Some(folder),
            Err(error) => {
                inner.write_failed(&error);
                None
            }
        }
    }
}

impl StoreInner {
    /// Records a binary that the driver refuses. The new build replaces it; it is not removed here, since other
    /// processes may be using the item.
    fn refuse(&self, key: &StoreKey, found: &Found, error: &dyn Display) -> Digest {
        count(&self.state.refused);
        self.trace(format_args!(
            "{}: the binary cannot be used ({error}); the program is built again",
            key.digest()
        ));
        Digest::of(&found.binary)
    }
}
