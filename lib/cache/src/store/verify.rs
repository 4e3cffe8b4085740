//! Checks items in full, and removes useless files.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::catalog::{Folder, Item};
use super::format::{self, Form};
use super::layout::{self, ItemFile};
use super::lock::Lock;
use super::read::Problem;
use super::{Store, StoreInner};

/// An unfinished file older than this was left by a killed process.
pub(super) const STRAY_AGE: Duration = Duration::from_secs(10 * 60);

/// A file that belongs to no item, left by a killed process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
}

impl Store {
    /// Reads both files of an item and checks every byte, as a load does.
    ///
    /// # Errors
    /// Returns the problem that a load would encounter.
    pub fn check(&self, item: &Item) -> Result<(), Problem> {
        let file = |kind| layout::file(&item.folder, item.number, kind);
        let (key, _, digest) = self.inner.read_src(&file(ItemFile::Src))?;
        super::StoreKey::decode(&key).ok_or(format::Damage::Fields)?;
        let bin = match self.inner.read(&file(ItemFile::Bin), Form::Bin) {
            Err(problem) if problem.is_absent() => return Err(Problem::Half),
            read => read?.0,
        };
        format::decode_bin(bin, digest)?;
        Ok(())
    }

    /// Removes an item unless another process is building in its folder. Returns whether it was removed.
    ///
    /// # Errors
    /// Fails if a file cannot be removed.
    pub fn remove(&self, item: &Item) -> io::Result<bool> {
        let inner = &*self.inner;
        let Some(lock) = Lock::try_take(&inner.fs, &item.folder)? else { return Ok(false) };
        inner.remove_files(&item.folder, item.number)?;
        inner.remove_if_empty(&item.folder, lock);
        Ok(true)
    }

    /// Returns the files that belong to no item and that have not changed for ten minutes.
    ///
    /// # Errors
    /// Fails if the root cannot be read.
    pub fn leftovers(&self) -> io::Result<Vec<Leftover>> {
        let mut leftovers = Vec::new();
        self.inner.walk(0, &mut |folder| {
            leftovers.extend(old_strays(&folder));
            true
        })?;
        Ok(leftovers)
    }

    /// Removes a file that [`Store::leftovers`] returned.
    ///
    /// # Errors
    /// Fails if the file cannot be removed.
    pub fn remove_leftover(&self, leftover: &Leftover) -> io::Result<()> {
        match self.inner.fs().remove_file(&leftover.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

pub(super) fn old_strays(folder: &Folder) -> Vec<Leftover> {
    let old = |(path, info): &(PathBuf, super::FileInfo)| {
        let age = info.modified.and_then(|at| at.elapsed().ok());
        age.is_some_and(|age| age > STRAY_AGE).then(|| Leftover { path: path.clone(), size: info.size })
    };
    folder.strays.iter().filter_map(old).collect()
}

impl StoreInner {
    /// Removes the lock file if nothing else is in the folder, and the folders above that are then empty.
    pub(super) fn remove_if_empty(&self, folder: &std::path::Path, lock: Lock) {
        let others = self.fs().list(folder).unwrap_or_default();
        if others.len() != 1 {
            return;
        }
        if lock.remove().is_err() {
            return;
        }
        // Removing a nonempty folder fails, which ends the loop.
        for path in folder.ancestors().take(layout::LEVELS) {
            if self.fs().remove_folder(path).is_err() {
                break;
            }
        }
    }
}
