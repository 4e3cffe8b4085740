//! All file operations, behind a trait, so that tests can make each of them fail in turn.

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_NOW, flock,
    fsync, mkdirat, openat, renameat, statat, unlinkat, utimensat,
};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Resource, getrlimit};
use sycl_pi_host_process::{check_folders_above, open_own_folder, room};

/// The file system operations that the cache needs. Folders and files are created for the user alone (0700, 0600). A
/// path below the store's root is refused if one of its folders is a link, belongs to another user or may be written by
/// others.
pub trait Fs: Debug + Send + Sync {
    /// Opens a file for reading. Does not follow a link in the last part, and does not wait for the other end of a
    /// pipe.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Creates a new file for writing; fails if it exists.
    fn create(&self, path: &Path) -> io::Result<File>;
    /// Opens a file for appending, and creates it if necessary.
    fn open_append(&self, path: &Path) -> io::Result<File>;
    /// Opens a file for locking, reading and writing, and creates it if necessary.
    fn open_lock(&self, path: &Path) -> io::Result<File>;
    /// Returns information about an open file.
    fn info(&self, file: &File) -> io::Result<FileInfo>;
    /// Returns information about a path, without following a link.
    fn info_at(&self, path: &Path) -> io::Result<FileInfo>;
    /// Reads `length` bytes from the file's position. Fewer bytes are an error.
    fn read(&self, file: &File, length: u64) -> io::Result<Vec<u8>>;
    /// Writes all bytes after those written before.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()>;
    /// Writes all bytes at the file's start, over the existing contents.
    fn overwrite(&self, file: &File, bytes: &[u8]) -> io::Result<()>;
    /// Sets a file's modification time to now.
    fn touch(&self, path: &Path) -> io::Result<()>;
    /// Truncates an open file to zero bytes.
    fn clear(&self, file: &File) -> io::Result<()>;
    /// Waits until a file's contents are on disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Waits until a folder's entries are on disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Renames a file, replacing any file with the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
    /// Creates one folder; an existing one is not an error.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Returns the names in a folder, in any order.
    fn list(&self, path: &Path) -> io::Result<Vec<OsString>>;
    /// Takes the advisory lock of an open file if it is free. The kernel releases it when the process ends.
    fn try_lock(&self, file: &File) -> io::Result<bool>;
    /// Releases the lock, even if a forked child has copies of the handle.
    fn unlock(&self, file: &File) -> io::Result<()>;
}

/// Information about a file that is available without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// Whether it is a regular file.
    pub is_file: bool,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Its size in bytes.
    pub size: u64,
    /// The owner's user id.
    pub owner: u32,
    /// Permission bits.
    pub mode: u32,
    /// Device and inode, which are equal only for two handles of the same file.
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

    fn of(stat: &Stat) -> Self {
        let kind = FileType::from_raw_mode(stat.st_mode);
        let since = u64::try_from(stat.st_mtime).ok().zip(u32::try_from(stat.st_mtime_nsec).ok());
        Self {
            is_file: kind == FileType::RegularFile,
            is_folder: kind == FileType::Directory,
            size: stat.st_size.unsigned_abs(),
            owner: stat.st_uid,
            mode: stat.st_mode & 0o7777,
            identity: (stat.st_dev, stat.st_ino),
            modified: since.and_then(|(seconds, nanos)| {
                SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
            }),
        }
    }
}

/// The operating system's files below a store's root.
///
/// Each operation opens the folders one by one, starting at the root, and checks each through its descriptor, so that a
/// folder that another user substitutes in the meantime is not followed.
#[derive(Debug)]
pub struct OsFs {
    root: PathBuf,
    /// The folders above the root are checked only once, because only root and the user can change them afterwards.
    checked: OnceLock<()>,
}

/// Refuses to extend a file beyond the process's file size limit, because the system would send a signal that ends the
/// program.
fn check_limit(file: &File, more: usize) -> io::Result<()> {
    let Some(limit) = getrlimit(Resource::Fsize).current else { return Ok(()) };
    let end = file.metadata()?.len().saturating_add(more as u64);
    if end > limit { Err(Errno::FBIG.into()) } else { Ok(()) }
}

impl OsFs {
    /// Creates the files of a store with this root.
    pub fn new(root: &Path) -> Self {
        Self { root: root.into(), checked: OnceLock::new() }
    }

    /// Opens the root.
    fn open_root(&self) -> io::Result<OwnedFd> {
        if self.checked.get().is_none() {
            check_folders_above(&self.root)?;
            self.checked.get_or_init(|| ());
        }
        open_own_folder(CWD, self.root.as_os_str(), &self.root)
    }

    /// Opens a folder: the root, or one below it.
    fn open_folder(&self, path: &Path) -> io::Result<OwnedFd> {
        let below = path.strip_prefix(&self.root).map_err(|_| io::ErrorKind::InvalidInput)?;
        let (mut folder, mut place) = (self.open_root()?, self.root.clone());
        for name in below {
            place.push(name);
            folder = open_own_folder(&folder, name, &place)?;
        }
        Ok(folder)
    }

    /// Returns the descriptor of the folder that contains a path below the root, and the path's last name.
    fn place<'p>(&self, path: &'p Path) -> io::Result<(OwnedFd, &'p OsStr)> {
        let (folder, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.open_folder(folder)?, name))
    }

    fn open_file(&self, path: &Path, flags: OFlags) -> io::Result<File> {
        let (folder, name) = self.place(path)?;
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let open = || openat(&folder, name, flags, Mode::RUSR | Mode::WUSR);
        Ok(retry_on_intr(open)?.into())
    }

    /// Opens a folder so that its entries can be read.
    fn open_names(&self, path: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(openat(self.open_folder(path)?, ".", flags, Mode::empty())?)
    }
}

impl Fs for OsFs {
    fn open(&self, path: &Path) -> io::Result<File> {
        self.open_file(path, OFlags::RDONLY)
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        self.open_file(path, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL)
    }

    fn open_append(&self, path: &Path) -> io::Result<File> {
        self.open_file(path, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)
    }

    fn open_lock(&self, path: &Path) -> io::Result<File> {
        self.open_file(path, OFlags::RDWR | OFlags::CREATE)
    }

    fn info(&self, file: &File) -> io::Result<FileInfo> {
        Ok(FileInfo::new(&file.metadata()?))
    }

    fn info_at(&self, path: &Path) -> io::Result<FileInfo> {
        if path == self.root {
            return Ok(FileInfo::new(&path.symlink_metadata()?));
        }
        let (folder, name) = self.place(path)?;
        Ok(FileInfo::of(&statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    fn read(&self, file: &File, length: u64) -> io::Result<Vec<u8>> {
        let size = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = room(size).map_err(|_| io::ErrorKind::OutOfMemory)?;
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
        let (folder, name) = self.place(path)?;
        Ok(utimensat(folder, name, &times, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    fn clear(&self, file: &File) -> io::Result<()> {
        file.set_len(0)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        Ok(fsync(self.open_names(path)?)?)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (old, new) = (self.place(from)?, self.place(to)?);
        Ok(renameat(old.0, old.1, new.0, new.1)?)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        Ok(unlinkat(folder, name, AtFlags::empty())?)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        if !path.starts_with(&self.root) {
            return match DirBuilder::new().mode(0o700).create(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
                done => done,
            };
        }
        if path == self.root {
            check_folders_above(path)?;
        }
        let made = if path == self.root {
            mkdirat(CWD, path, Mode::RWXU)
        } else {
            let (folder, name) = self.place(path)?;
            mkdirat(folder, name, Mode::RWXU)
        };
        match made {
            Err(Errno::EXIST) => self.open_folder(path).map(drop),
            done => Ok(done?),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::new(self.open_names(path)?)? {
            let name = OsString::from_vec(entry?.file_name().to_bytes().to_vec());
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        Ok(names)
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
