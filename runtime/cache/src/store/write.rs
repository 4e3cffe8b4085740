//! Keeping an item: complete and on the disk before it has a name.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::format::{self, Notes};
use super::layout::{self, ItemFile};
use super::lock::Lock;
use super::read::Problem;
use super::state::count;
use super::{Store, StoreInner, StoreKey};

/// What became of an item that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Saved {
    /// It is on the disk.
    Saved,
    /// It is not kept: the store is off, the images are too small or too large, or nothing can be written here.
    Skipped,
    /// It could not be written. The first such failure is logged as a warning.
    Failed,
}

/// How often a folder that another process removes meanwhile is made again.
const ATTEMPTS: usize = 4;
/// The longest wait for a lock that is not required.
const SHORT_WAIT: Duration = Duration::from_millis(100);

impl Store {
    /// Keeps a binary under a key, replacing an older one. Other processes load the old item or the new one, never a
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
        // Eviction is short, and another builder writes the same item: after a short wait the lock is not needed.
        let lock = Lock::wait(&inner.fs, &folder, SHORT_WAIT, || None::<()>);
        let saved = self.write(key, notes, binary);
        drop(lock);
        saved
    }

    /// The same for a caller that holds the lock or does not need it.
    pub(super) fn write(&self, key: &StoreKey, notes: &Notes, binary: &[u8]) -> Saved {
        let inner = &self.inner;
        if inner.state.read_only.load(Relaxed) {
            return Saved::Skipped;
        }
        match inner.write_item(key, notes, binary) {
            Ok(bytes) => {
                count(&inner.state.saved);
                inner.state.saved_bytes.fetch_add(bytes, Relaxed);
                inner.state.unkept.fetch_add(bytes, Relaxed);
                Saved::Saved
            }
            Err(error) => {
                inner.write_failed(&error);
                Saved::Failed
            }
        }
    }

    /// Removes the item of a key, unless another process works on it.
    pub fn discard(&self, key: &StoreKey) {
        let inner = &self.inner;
        let Some(folder) = inner.root.as_deref().map(|root| key.folder(root)) else { return };
        if let Ok(Some(lock)) = Lock::try_take(&inner.fs, &folder) {
            inner.remove_key(key);
            inner.remove_if_empty(&folder, lock);
        }
    }
}

impl StoreInner {
    /// Writes both files and gives their size in bytes.
    fn write_item(&self, key: &StoreKey, notes: &Notes, binary: &[u8]) -> io::Result<u64> {
        let root = self.root.as_deref().ok_or(io::ErrorKind::NotFound)?;
        let folder = key.folder(root);
        let head = format::encode_bin_head(key.digest(), binary);
        let src = format::encode_src(key.bytes(), notes);
        let mut attempt = 1;
        loop {
            match self.write_files(&folder, key, &[&head, binary], &src) {
                // Someone tidied up and took the empty folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS => attempt += 1,
                done => break done?,
            }
        }
        Ok((head.len() + binary.len() + src.len()) as u64)
    }

    fn write_files(&self, folder: &Path, key: &StoreKey, bin: &[&[u8]], src: &[u8]) -> io::Result<()> {
        self.make_folders(folder)?;
        let number = self.number_for(folder, key);
        // The .src comes last: from then on the item can be found, and it is complete.
        self.write_file(&layout::file(folder, number, ItemFile::Bin), bin)?;
        self.write_file(&layout::file(folder, number, ItemFile::Src), &[src])?;
        self.fs().sync_folder(folder)
    }

    /// The number of this key's item if there is one; else the first that no other key's item has.
    fn number_for(&self, folder: &Path, key: &StoreKey) -> u64 {
        let mut free = None;
        let mut next = 0;
        for number in self.numbers(folder) {
            if number > next {
                free = free.or(Some(next));
            }
            next = number.saturating_add(1);
            match self.read_src(&layout::file(folder, number, ItemFile::Src)) {
                Ok((stored, _, _)) if stored == key.bytes() => return number,
                Ok(_) => {}
                // It may be another key's good item that cannot be read just now.
                Err(Problem::Io(_)) => {}
                Err(_) => free = free.or(Some(number)),
            }
        }
        free.unwrap_or(next)
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

    fn write_file(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let temporary = temporary(path);
        let written = self.fs().create(&temporary).and_then(|file| {
            let info = self.fs().info(&file)?;
            if info.owner != self.owner {
                // Some network file systems give all files to one user; none of them would ever be loaded.
                return Err(io::Error::other("files made here belong to another user"));
            }
            parts.iter().try_for_each(|part| self.fs().write(&file, part))?;
            self.fs().sync(&file)?;
            self.fs().rename(&temporary, path)
        });
        if written.is_err() {
            // It may never have been made; the folder's upkeep takes what stays behind.
            let _ = self.fs().remove_file(&temporary);
        }
        written
    }

    /// Removes the items of a key. To be called with the lock held: files of an item that is just being written would
    /// not all be found.
    pub(super) fn remove_key(&self, key: &StoreKey) {
        let Some(folder) = self.root.as_deref().map(|root| key.folder(root)) else { return };
        for number in self.numbers(&folder) {
            let src = self.read_src(&layout::file(&folder, number, ItemFile::Src));
            if src.is_ok_and(|(stored, _, _)| stored == key.bytes())
                && let Err(error) = self.remove_files(&folder, number)
            {
                self.write_failed(&error);
            }
        }
    }

    /// Removes an item's files. The `.src` goes first, so that no reader finds half an item.
    pub(super) fn remove_files(&self, folder: &Path, number: u64) -> io::Result<()> {
        for kind in ItemFile::ALL {
            match self.fs().remove_file(&layout::file(folder, number, kind)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells the user once, and stops trying where trying again would fail again.
    pub(super) fn write_failed(&self, error: &io::Error) {
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

/// A name that no other writer has: neither of this process nor of another, on this machine or on another one.
fn temporary(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Relaxed);
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let name = format!("{}{}-{count}-{nanos:x}", layout::TEMPORARY, std::process::id());
    path.with_file_name(name)
}
