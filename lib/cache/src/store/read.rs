//! Finds items without a lock. Keys are compared in full, and every byte is checked.

use super::format::{self, Damage, FileParts, Form, Notes};
use super::fs::FileInfo;
use super::layout::{self, ItemFile};
use super::{Store, StoreInner, StoreKey};
use crate::Digest;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The reason why a file of an item is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Its contents are invalid.
    #[error(transparent)]
    Damage(#[from] Damage),
    /// No other user may have been able to write it, because a cached binary is code.
    #[error("it is not loaded: {0}")]
    Untrusted(&'static str),
    /// The other file of the item is missing.
    #[error("the other file of the item is missing")]
    Half,
}

impl Problem {
    /// Returns whether the file does not exist.
    pub fn is_absent(&self) -> bool {
        matches!(self, Problem::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// An item that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) folder: PathBuf,
    pub(super) number: u64,
    pub(super) binary: Vec<u8>,
    /// The time at which its use was last recorded, or at which it was written.
    pub(super) noted: Option<SystemTime>,
}

/// A binary, and the time at which its item's use was last recorded.
type Noted = (Vec<u8>, Option<SystemTime>);

/// An item that was loaded.
#[derive(Debug)]
pub(super) struct Used {
    pub(super) folder: PathBuf,
    pub(super) number: u64,
}

/// The longest file that is read or written. A file that claims more is damaged.
pub(super) const MOST_BYTES: u64 = 2 << 30;

/// Files of at most this many bytes are read in one operation.
const SMALL: u64 = 64 << 10;

impl Store {
    /// Returns the binary that was built for this key, if there is one. Takes no lock and never waits.
    pub fn load(&self, key: &StoreKey) -> Option<Vec<u8>> {
        if !self.keeps(key) {
            return None;
        }
        self.inner.find(key).map(|found| found.binary)
    }
}

impl StoreInner {
    pub(super) fn find(&self, key: &StoreKey) -> Option<Found> {
        let folder = key.folder(self.root.as_deref()?);
        // The number is nearly always 0; there are others only if hashes collide.
        if let Some((binary, noted)) = self.read_item(&folder, 0, key) {
            return Some(Found { folder, number: 0, binary, noted });
        }
        if self.state.is_untrusted() {
            return None;
        }
        let numbers = self.numbers(&folder).unwrap_or_default();
        numbers.into_iter().filter(|number| *number > 0).find_map(|number| {
            let (binary, noted) = self.read_item(&folder, number, key)?;
            Some(Found { folder: folder.clone(), number, binary, noted })
        })
    }

    /// Returns the numbers of the items in a folder, in order. Removed items leave gaps.
    pub(super) fn numbers(&self, folder: &Path) -> io::Result<Vec<u64>> {
        Ok(layout::numbers(&self.fs().list(folder)?))
    }

    fn read_item(&self, folder: &Path, number: u64, key: &StoreKey) -> Option<Noted> {
        match self.try_item(folder, number, key) {
            Ok(found) => found,
            Err(Problem::Io(error)) if self.refuse_untrusted(&error) => None,
            Err(problem) => {
                if !problem.is_absent() {
                    self.trace(format_args!("{}: item {number} is passed over: {problem}", folder.display()));
                }
                None
            }
        }
    }

    /// Returns the item's binary and the time at which its use was last recorded, or `None` if the item belongs to
    /// another key.
    fn try_item(&self, folder: &Path, number: u64, key: &StoreKey) -> Result<Option<Noted>, Problem> {
        let (src, info) = self.read(&layout::file(folder, number, ItemFile::Src), Form::Src)?;
        let (stored, _) = format::split_src(&src)?;
        if stored != key.bytes() {
            return Ok(None);
        }
        let (bin, _) = self.read(&layout::file(folder, number, ItemFile::Bin), Form::Bin)?;
        Ok(Some((format::decode_bin(bin, key.digest())?, info.modified)))
    }

    /// Returns the key and the notes of an item, and the key's digest.
    pub(super) fn read_src(&self, path: &Path) -> Result<(Vec<u8>, Notes, Digest), Problem> {
        let (file, _) = self.read(path, Form::Src)?;
        let (key, notes) = format::decode_src(&file)?;
        let (digest, length) = (Digest::of(key), key.len());
        let mut key = file.body;
        key.truncate(length);
        Ok((key, notes, digest))
    }

    /// Reads a complete file, provided that only this user could have written it and that its length matches its
    /// header. Also returns information about it.
    pub(super) fn read(&self, path: &Path, form: Form) -> Result<(FileParts, FileInfo), Problem> {
        let file = self.fs().open(path)?;
        let info = self.fs().info(&file)?;
        self.trust(&info)?;
        let head_size = form.head_size() as u64;
        let body_size = info.size.checked_sub(head_size).ok_or(Damage::Length)?;
        if info.size > MOST_BYTES {
            return Err(Damage::Length.into());
        }
        // The body of a large file is not read before the header is checked; a small file is read in one operation.
        let first = if info.size <= SMALL { info.size } else { head_size };
        let mut head = self.fs().read(&file, first)?;
        let mut body = head.split_off(form.head_size());
        if form.body_size(&head)? != body_size {
            return Err(Damage::Length.into());
        }
        if first == head_size {
            body = self.fs().read(&file, body_size)?;
        }
        Ok((FileParts { head, body }, info))
    }

    /// Checks that a file belongs to the user and that no other user may write it.
    pub(super) fn trust(&self, info: &FileInfo) -> Result<(), Problem> {
        if !info.is_file {
            return Err(Problem::Untrusted("it is not a plain file"));
        }
        if info.owner != self.owner {
            return Err(Problem::Untrusted("it belongs to another user"));
        }
        if info.mode & 0o022 != 0 {
            return Err(Problem::Untrusted("others may write it"));
        }
        Ok(())
    }

    /// Records that an item was used: appends a byte, which also updates the time, and updates the time of the `.src`
    /// too, which the next load sees without an extra call.
    pub(super) fn note_use(&self, used: &Used) {
        let file = |kind| layout::file(&used.folder, used.number, kind);
        let append = |path: &Path| self.fs().write(&self.fs().open_append(path)?, b".");
        let noted = append(&file(ItemFile::Use)).and_then(|()| self.fs().touch(&file(ItemFile::Src)));
        if let Err(error) = noted {
            self.trace(format_args!("{}: {error}", used.folder.display()));
        }
    }
}
