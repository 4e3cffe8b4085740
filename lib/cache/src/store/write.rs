//! Stores an item, which is complete and on disk before it gets its name.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sycl_pi_host_process::OwnFile;

use super::format::{self, Notes};
use super::fs::Fs;
use super::layout::{self, ItemFile};
use super::lock::Lock;
use super::read::{MOST_BYTES, Problem};
use super::state::count;
use super::{Store, StoreInner, StoreKey};

/// The result of storing an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Saved {
    /// It is on disk.
    Saved,
    /// It is not stored: the store is off, the images are too small or too large, or nothing can be written here.
    Skipped,
    /// It could not be written. The first such failure is logged as a warning.
    Failed,
}

/// How often a folder that another process removes in the meantime is created again.
const ATTEMPTS: usize = 4;
/// The longest wait for a lock that is not essential.
const SHORT_WAIT: Duration = Duration::from_millis(100);

impl Store {
    /// Stores a binary under a key, replacing an older one. Other processes load the old item or the new one, never a
    /// mixture.
    pub fn save(&self, key: &StoreKey, notes: &Notes, binary: &[u8]) -> Saved {
        let inner = &self.inner;
        let Some(folder) = inner.root.as_deref().map(|root| key.folder(root)).filter(|_| self.keeps(key))
        else {
            return Saved::Skipped;
        };
        if inner.state.read_only.load(Relaxed) {
            return Saved::Skipped;
        }
        if let Err(error) = inner.make_folders(&folder) {
            inner.write_failed(&error);
            return Saved::Failed;
        }
        // Eviction is short, and another builder writes the same item, so after a short wait the lock is not needed.
        let lock = Lock::wait(&inner.fs, &folder, SHORT_WAIT, || None::<()>);
        let saved = self.write(key, notes, binary);
        drop(lock);
        saved
    }

    /// Works like `save` for a caller that holds the lock or does not need it. An item that alone exceeds the limit is
    /// not stored.
    pub(super) fn write(&self, key: &StoreKey, notes: &Notes, binary: &[u8]) -> Saved {
        let inner = &self.inner;
        if inner.state.read_only.load(Relaxed) || inner.state.is_untrusted() {
            return Saved::Skipped;
        }
        let head = format::encode_bin_head(key.digest(), binary);
        let (src_head, notes) = format::encode_src(key.bytes(), notes);
        let src_size = src_head.len() + key.bytes().len() + notes.len();
        let bytes = (head.len() + binary.len() + src_size) as u64;
        let most = self.limits().max_size.unwrap_or(u64::MAX);
        if bytes > most || src_size as u64 > MOST_BYTES || (head.len() + binary.len()) as u64 > MOST_BYTES {
            inner.trace(format_args!("{}: {bytes} bytes are too many to keep", key.digest()));
            return Saved::Skipped;
        }
        match self.write_item(key, &[&head, binary], &[&src_head, key.bytes(), &notes]) {
            Ok(()) => {
                count(&inner.state.saved);
                inner.state.saved_bytes.fetch_add(bytes, Relaxed);
                Saved::Saved
            }
            Err(error) => {
                inner.write_failed(&error);
                Saved::Failed
            }
        }
    }

    /// Removes the item of a key, unless another process is using it.
    pub fn discard(&self, key: &StoreKey) {
        let inner = &self.inner;
        let Some(folder) = inner.root.as_deref().map(|root| key.folder(root)) else { return };
        if let Ok(Some(lock)) = Lock::try_take(&inner.fs, &folder) {
            inner.remove_key(key);
            inner.remove_if_empty(&folder, lock);
        }
    }

    /// Writes both files.
    fn write_item(&self, key: &StoreKey, bin: &[&[u8]], src: &[&[u8]]) -> io::Result<()> {
        let root = self.root().ok_or(io::ErrorKind::NotFound)?;
        let folder = key.folder(root);
        let mut attempt = 1;
        loop {
            match self.write_files(&folder, key, bin, src) {
                // Another process removed the empty folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS => attempt += 1,
                done => return done,
            }
        }
    }

    fn write_files(&self, folder: &Path, key: &StoreKey, bin: &[&[u8]], src: &[&[u8]]) -> io::Result<()> {
        let inner = &*self.inner;
        inner.make_folders(folder)?;
        let number = inner.number_for(folder, key)?;
        let parts = [(ItemFile::Bin, bin), (ItemFile::Src, src)];
        let [bin, src] =
            parts.map(|(kind, parts)| inner.write_file(layout::file(folder, number, kind), parts));
        let (bin, src) = (bin?, src?);
        // No other process counts while the item's files are renamed, so the limit holds at every moment.
        let room = self.make_room(bin.size + src.size, inner.config.wait);
        // The .src is renamed last, because from then on the item can be found and must be complete.
        bin.finish()?;
        src.finish()?;
        drop(room);
        inner.fs().sync_folder(folder)
    }
}

impl StoreInner {
    /// Returns the number of this key's item if there is one, else the first number that no other key's item uses.
    fn number_for(&self, folder: &Path, key: &StoreKey) -> io::Result<u64> {
        let mut free = None;
        let mut next = 0;
        for number in self.numbers(folder)? {
            if number > next {
                free = free.or(Some(next));
            }
            next = number.saturating_add(1);
            match self.read_src(&layout::file(folder, number, ItemFile::Src)) {
                Ok((stored, _, _)) if stored == key.bytes() => return Ok(number),
                Ok(_) => {}
                // It may be another key's valid item that is temporarily unreadable.
                Err(Problem::Io(_)) => {}
                Err(_) => free = free.or(Some(number)),
            }
        }
        Ok(free.unwrap_or(next))
    }

    pub(super) fn make_folders(&self, folder: &Path) -> io::Result<()> {
        match self.fs().create_folder(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let Some(parent) = folder.parent() else { return Err(error) };
                self.make_folders(parent)?;
                self.fs().create_folder(folder)
            }
            done => done,
        }
    }

    /// Writes the file that will have this name.
    fn write_file(&self, path: PathBuf, parts: &[&[u8]]) -> io::Result<Unfinished<'_>> {
        let size = parts.iter().map(|part| part.len() as u64).sum();
        let unfinished = Unfinished { fs: self.fs(), temporary: temporary(&path), path, size };
        let file = OwnFile::new(self.fs().create(&unfinished.temporary)?)?;
        let info = self.fs().info(file.get()?)?;
        if info.owner != self.owner {
            // Some network file systems assign all files to one user, and none of these would ever be loaded.
            return Err(io::Error::other("files made here belong to another user"));
        }
        parts.iter().try_for_each(|part| self.fs().write(file.get()?, part))?;
        self.fs().sync(file.get()?)?;
        Ok(unfinished)
    }

    /// Removes the items of a key. Must be called with the lock held, because not all files of an item that is being
    /// written would be found.
    pub(super) fn remove_key(&self, key: &StoreKey) {
        let Some(folder) = self.root.as_deref().map(|root| key.folder(root)) else { return };
        let numbers = match self.numbers(&folder) {
            Ok(numbers) => numbers,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.write_failed(&error),
        };
        for number in numbers {
            let src = self.read_src(&layout::file(&folder, number, ItemFile::Src));
            if src.is_ok_and(|(stored, _, _)| stored == key.bytes())
                && let Err(error) = self.remove_files(&folder, number)
            {
                self.write_failed(&error);
            }
        }
    }

    /// Removes an item's files. The `.src` is removed first, so that no reader finds half an item.
    pub(super) fn remove_files(&self, folder: &Path, number: u64) -> io::Result<()> {
        for kind in ItemFile::ALL {
            match self.fs().remove_file(&layout::file(folder, number, kind)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Warns the user once, and stops trying if another attempt would fail too.
    pub(super) fn write_failed(&self, error: &io::Error) {
        if self.refuse_untrusted(error) {
            return;
        }
        use io::ErrorKind::{
            NotADirectory, Other, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let lasting =
            [NotADirectory, Other, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull];
        if lasting.contains(&error.kind()) {
            self.state.read_only.store(true, Relaxed);
        }
        let root = self.root.as_deref().unwrap_or(Path::new(""));
        self.complain(format_args!(
            "the program cache in {} cannot be written: {error}; programs that are not in it are built anew in each \
             run (SYCL_CACHE_DIR names another folder, SYCL_CACHE_PERSISTENT=0 does without)",
            root.display()
        ));
    }
}

/// A file that is written to disk under a temporary name. Dropping it removes it.
struct Unfinished<'a> {
    fs: &'a dyn Fs,
    temporary: PathBuf,
    path: PathBuf,
    size: u64,
}

impl Unfinished<'_> {
    /// Renames the file to its final name.
    fn finish(self) -> io::Result<()> {
        self.fs.rename(&self.temporary, &self.path)
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        // After `finish` there is no such file; maintenance removes anything left behind.
        let _ = self.fs.remove_file(&self.temporary);
    }
}

/// Returns a name that no other writer uses, neither in this process nor in another, on this machine or elsewhere.
fn temporary(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Relaxed);
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let name = format!("{}{}-{count}-{nanos:x}", layout::TEMPORARY, std::process::id());
    path.with_file_name(name)
}
