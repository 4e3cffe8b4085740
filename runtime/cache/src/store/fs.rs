//! Every operation on files, behind a trait: tests make each of them fail in turn.

use std::ffi::OsString;
use std::fmt::Debug;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::SystemTime;

use rustix::fs::{AtFlags, CWD, FlockOperation, OFlags, Timespec, Timestamps, UTIME_NOW, flock, utimensat};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Resource, getrlimit};

/// What the cache asks of the file system. Folders and files are made for the user alone (0700, 0600).
pub trait Fs: Debug + Send + Sync {
    /// Opens a file to read it; neither follows a link in the last part nor waits for a pipe's other end.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Makes a new file to write it; fails if there is one.
    fn create(&self, path: &Path) -> io::Result<File>;
    /// Opens a file to append to it, and makes it if need be.
    fn open_append(&self, path: &Path) -> io::Result<File>;
    /// Opens a file to lock, read and write it, and makes it if need be.
    fn open_lock(&self, path: &Path) -> io::Result<File>;
    /// Information about an open file.
    fn info(&self, file: &File) -> io::Result<FileInfo>;
    /// Information about a path, without following a link.
    fn info_at(&self, path: &Path) -> io::Result<FileInfo>;
    /// Reads `length` bytes from the file's position; fewer are an error.
    fn read(&self, file: &File, length: u64) -> io::Result<Vec<u8>>;
    /// Writes all bytes at the end of what was written before.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()>;
    /// Writes all bytes at the file's start, over what is there.
    fn overwrite(&self, file: &File, bytes: &[u8]) -> io::Result<()>;
    /// Makes now the time at which a file was last written.
    fn touch(&self, path: &Path) -> io::Result<()>;
    /// Empties an open file.
    fn clear(&self, file: &File) -> io::Result<()>;
    /// Waits until a file's content is on the disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Waits until a folder's names are on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Gives a file another name, in place of what had that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
    /// Makes one folder; an existing one is no error.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder, in any order.
    fn list(&self, path: &Path) -> io::Result<Vec<OsString>>;
    /// Takes the advisory lock of an open file if it is free. The kernel drops it with the process.
    fn try_lock(&self, file: &File) -> io::Result<bool>;
    /// Drops the lock, also for copies of the handle that a forked child has.
    fn unlock(&self, file: &File) -> io::Result<()>;
}

/// Information about a file that needs no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// Whether it is a plain file.
    pub is_file: bool,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Its size in bytes.
    pub size: u64,
    /// The owner's number.
    pub owner: u32,
    /// Permission bits.
    pub mode: u32,
    /// Device and inode: the same for two handles of one file only.
    pub identity: (u64, u64),
    /// When it was last written, if the system records it.
    pub modified: Option<SystemTime>,
}

impl FileInfo {
    fn new(metadata: &std::fs::Metadata) -> Self {
        Self {
            is_file: metadata.is_file(),
            is_folder: metadata.is_dir(),
            size: metadata.len(),
            owner: metadata.uid(),
            mode: metadata.mode() & 0o7777,
            identity: (metadata.dev(), metadata.ino()),
            modified: metadata.modified().ok(),
        }
    }
}

/// The operating system's files.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsFs;

/// Refuses what would make a file longer than the process may: the system would send a signal, which ends the program.
fn check_limit(file: &File, more: usize) -> io::Result<()> {
    let Some(limit) = getrlimit(Resource::Fsize).current else { return Ok(()) };
    let end = file.metadata()?.len().saturating_add(more as u64);
    if end > limit { Err(Errno::FBIG.into()) } else { Ok(()) }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.mode(0o600).custom_flags(flags.bits() as i32);
    options
}

impl Fs for OsFs {
    fn open(&self, path: &Path) -> io::Result<File> {
        options().read(true).open(path)
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        options().write(true).create_new(true).open(path)
    }

    fn open_append(&self, path: &Path) -> io::Result<File> {
        options().append(true).create(true).open(path)
    }

    fn open_lock(&self, path: &Path) -> io::Result<File> {
        options().read(true).write(true).create(true).truncate(false).open(path)
    }

    fn info(&self, file: &File) -> io::Result<FileInfo> {
        Ok(FileInfo::new(&file.metadata()?))
    }

    fn info_at(&self, path: &Path) -> io::Result<FileInfo> {
        Ok(FileInfo::new(&path.symlink_metadata()?))
    }

    fn read(&self, file: &File, length: u64) -> io::Result<Vec<u8>> {
        let size = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut limited: io::Take<&File> = Read::take(file, length);
        limited.read_to_end(&mut bytes)?;
        if bytes.len() == size { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        check_limit(file, bytes.len())?;
        file.write_all(bytes)
    }

    fn overwrite(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        check_limit(file, bytes.len())?;
        file.write_all_at(bytes, 0)
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let times = Timestamps { last_access: now, last_modification: now };
        Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    fn clear(&self, file: &File) -> io::Result<()> {
        file.set_len(0)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            done => done,
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    fn try_lock(&self, file: &File) -> io::Result<bool> {
        match retry_on_intr(|| flock(file, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => Ok(true),
            Err(Errno::WOULDBLOCK) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn unlock(&self, file: &File) -> io::Result<()> {
        Ok(flock(file, FlockOperation::Unlock)?)
    }
}
