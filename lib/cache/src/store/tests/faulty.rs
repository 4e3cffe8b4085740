//! Failing files: the operation with a given number fails, or all operations from it on. Records the names that files
//! get.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use crate::store::{FileInfo, Fs, OsFs};

#[derive(Clone, Debug)]
pub(super) struct Faulty {
    os: Arc<OsFs>,
    count: Arc<AtomicUsize>,
    /// The first operation that fails.
    from: usize,
    /// The number of operations that fail from there on.
    many: usize,
    error: i32,
    /// Whether new files belong to another user.
    foreign: bool,
    done: Arc<Mutex<Vec<OsString>>>,
}

impl Faulty {
    pub(super) fn new(root: &Path, from: usize, many: usize, error: i32) -> Self {
        let os = Arc::new(OsFs::new(root));
        Self { os, count: Arc::default(), from, many, error, foreign: false, done: Arc::default() }
    }

    /// Returns a file system that gives every file to another user, as some servers do.
    pub(super) fn of_another_user(root: &Path) -> Self {
        Self { foreign: true, ..Self::new(root, usize::MAX, 0, 0) }
    }

    /// Returns the number of operations so far.
    pub(super) fn count(&self) -> usize {
        self.count.load(SeqCst)
    }

    /// Returns the names that files got, and "sync" and "sync folder" for what had to reach the disk, in order.
    pub(super) fn done(&self) -> Vec<OsString> {
        self.done.lock().unwrap().clone()
    }

    fn turn(&self) -> io::Result<()> {
        let number = self.count.fetch_add(1, SeqCst);
        if number >= self.from && number - self.from < self.many {
            return Err(io::Error::from_raw_os_error(self.error));
        }
        Ok(())
    }
}

macro_rules! fail_in_turn {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(fn $name(&self, $($argument: $kind),*) -> io::Result<$result> {
            self.turn()?;
            self.os.$name($($argument),*)
        })*
    };
}

impl Fs for Faulty {
    fail_in_turn! {
        open(path: &Path) -> File;
        create(path: &Path) -> File;
        open_append(path: &Path) -> File;
        open_lock(path: &Path) -> File;
        info_at(path: &Path) -> FileInfo;
        read(file: &File, length: u64) -> Vec<u8>;
        overwrite(file: &File, bytes: &[u8]) -> ();
        touch(path: &Path) -> ();
        clear(file: &File) -> ();
        remove_file(path: &Path) -> ();
        remove_folder(path: &Path) -> ();
        create_folder(path: &Path) -> ();
        list(path: &Path) -> Vec<OsString>;
        try_lock(file: &File) -> bool;
        unlock(file: &File) -> ();
    }

    fn info(&self, file: &File) -> io::Result<FileInfo> {
        self.turn()?;
        let info = self.os.info(file)?;
        Ok(FileInfo { owner: info.owner.wrapping_add(self.foreign.into()), ..info })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.turn()?;
        self.os.rename(from, to)?;
        self.done.lock().unwrap().extend(to.file_name().map(OsString::from));
        Ok(())
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.turn()?;
        self.done.lock().unwrap().push("sync".into());
        self.os.sync(file)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.turn()?;
        self.done.lock().unwrap().push("sync folder".into());
        self.os.sync_folder(path)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        let done = self.turn();
        // A disk that becomes full accepts a part.
        let part = if done.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
        self.os.write(file, part)?;
        done
    }
}
