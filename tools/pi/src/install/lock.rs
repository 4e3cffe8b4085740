//! A lock that lets only one `pi` at a time change a folder. Other processes wait before they read it.
//!
//! The lock is an flock on a separate file. It belongs to the open file: unlike a lock of fcntl, it is not released
//! when the process closes the same file elsewhere. The kernel releases it when the process ends. On NFS it is a lock
//! of the server, which excludes other machines. That requires a file that is open for writing, so the folder itself
//! cannot be locked. The file exists as long as the manifest.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use rustix::fs::OFlags;

use super::{files, manifest};
use crate::output;

/// The name of the lock file.
const NAME: &str = ".sycl-pi-install.lock";

/// The time limit for another process. It starts a process for each file that it installs.
const LIMIT: Duration = Duration::from_secs(300);

/// After this time, `pi` tells the user what it is waiting for.
const PATIENCE: Duration = Duration::from_secs(2);
const NAP: Duration = Duration::from_millis(10);

/// Two changes within this time may give a folder the same modification time.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// The right to change a folder.
struct FolderLock {
    folder: PathBuf,
    _file: File,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Look,
    Change,
}

/// Performs `act`, which returns whether it changes anything and appends what it did to the list. It is first
/// called with `true`, and only reports what it would do, which needs no write access. If there is something to do, it
/// inspects the folder again and does it under the lock (`false`).
///
/// # Errors
/// Fails if `act` fails, another process does not finish, the folder cannot be written, or its file system has no
/// locks.
pub fn change<T>(
    folder: &Path,
    dry_run: bool,
    done: &mut Vec<T>,
    act: impl Fn(bool, &mut Vec<T>) -> Result<bool>,
) -> Result<()> {
    let (would_change, mut seen) = look(folder, || {
        let mut seen = Vec::new();
        Ok((act(true, &mut seen)?, seen))
    })?;
    if dry_run || !would_change && !has_leftovers(folder) {
        done.append(&mut seen);
        return Ok(());
    }
    let _lock = FolderLock::take(folder)?;
    files::clean(folder)?;
    act(false, done).map(drop)
}

/// Calls `look` while no other process changes the folder. Nothing is written.
///
/// # Errors
/// Fails if `look` fails, another process does not finish, or the folder cannot be opened.
pub fn look<T>(folder: &Path, look: impl Fn() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    loop {
        let before = Moment::read(folder)?;
        let lock = wait(folder, Purpose::Look)?;
        let seen = look();
        // Without a lock file there is no other process, unless one has started in the meantime.
        if lock.is_some() || before.is_settled() && Moment::read(folder)? == before {
            return seen;
        }
        if started.elapsed() > LIMIT {
            bail!("{} is changed by other programs all the time", folder.display());
        }
        std::thread::sleep(NAP);
    }
}

/// Returns whether a killed process left files in the folder.
pub fn has_leftovers(folder: &Path) -> bool {
    let locked = files::exists(&folder.join(NAME)) && !files::exists(&folder.join(manifest::NAME));
    locked || files::unfinished(folder).next().is_some()
}

impl FolderLock {
    fn take(folder: &Path) -> Result<Self> {
        let file = wait(folder, Purpose::Change)?.context("the lock's file is gone")?;
        Ok(Self { folder: folder.into(), _file: file })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if !files::exists(&self.folder.join(manifest::NAME)) {
            // Processes that wait for it notice that it is gone. If it remains, the next uninstall removes it.
            let _ = fs::remove_file(self.folder.join(NAME));
        }
    }
}

/// The state of a folder that changes whenever a `pi` changes the folder.
#[derive(PartialEq)]
struct Moment {
    modified: SystemTime,
    locked: bool,
}

impl Moment {
    fn read(folder: &Path) -> Result<Self> {
        // Opening a folder of another machine refreshes its cached attributes.
        let modified = || File::open(folder)?.metadata()?.modified();
        let modified = modified().with_context(|| format!("{} cannot be opened", folder.display()))?;
        Ok(Self { modified, locked: files::exists(&folder.join(NAME)) })
    }

    /// Returns whether a further change would give the folder another modification time. A time in the future comes
    /// from another machine.
    fn is_settled(&self) -> bool {
        self.modified.elapsed().is_ok_and(|age| age > CLOCK_STEP)
            || self.modified > SystemTime::now() + CLOCK_STEP
    }
}

/// Waits for the lock, which readers share. For readers, returns `None` without a file, access or locks.
fn wait(folder: &Path, purpose: Purpose) -> Result<Option<File>> {
    let path = folder.join(NAME);
    let started = Instant::now();
    let mut told = false;
    loop {
        let locked = match open(&path, purpose) {
            Ok(None) => return Ok(None),
            Ok(Some(file)) => lock(file, &path, purpose),
            Err(error) => Err(error),
        };
        match locked {
            Ok(Some(file)) => return Ok(Some(file)),
            Ok(None) => {}
            // The file was removed by another machine.
            Err(error) if error.kind() == ErrorKind::StaleNetworkFileHandle => {}
            Err(_) if purpose == Purpose::Look => return Ok(None),
            Err(error) => return Err(files::failed(error, "locked", &path)),
        }
        if started.elapsed() > LIMIT {
            bail!("another pi has been at work in {} for {} seconds", folder.display(), LIMIT.as_secs());
        }
        if !told && started.elapsed() > PATIENCE {
            output::tell(&format!("waiting for another pi, which has locked {}", path.display()));
            told = true;
        }
        std::thread::sleep(NAP);
    }
}

/// Opens the lock file. For readers, returns `None` if it does not exist.
fn open(path: &Path, purpose: Purpose) -> io::Result<Option<File>> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let reading = || File::options().read(true).custom_flags(flags).open(path);
    let file = match purpose {
        Purpose::Look => reading(),
        Purpose::Change => {
            let mut writing = File::options();
            writing.read(true).write(true).create(true).truncate(false).mode(0o666).custom_flags(flags);
            // Another user's file is locked as well, if the file system does not require write access.
            writing.open(path).or_else(|error| match error.kind() {
                ErrorKind::PermissionDenied => reading().map_err(|_| error),
                _ => Err(error),
            })
        }
    };
    let file = match file {
        Err(error) if error.kind() == ErrorKind::NotFound && purpose == Purpose::Look => return Ok(None),
        other => other?,
    };
    let data = file.metadata()?;
    if !data.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mode = files::mode_in(path.parent().unwrap_or(path), 0o644);
    if purpose == Purpose::Change && data.mode() & 0o777 != mode {
        // The next user must be able to open it, regardless of the umask. Another user's file is left unchanged.
        let _ = file.set_permissions(Permissions::from_mode(mode));
    }
    Ok(Some(file))
}

/// Returns the file if it is locked now, or `None` if another process has the lock, or had it and removed the file.
fn lock(file: File, path: &Path, purpose: Purpose) -> io::Result<Option<File>> {
    let locked = match purpose {
        Purpose::Look => file.try_lock_shared(),
        Purpose::Change => file.try_lock(),
    };
    match locked {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let here = file.metadata()?;
    let there =
        fs::symlink_metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (here.dev(), here.ino()));
    Ok(there.then_some(file))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let lock = FolderLock::take(folder.path()).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_look_never_sees_a_change_half_done() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for _ in 0..60 {
                    let _lock = FolderLock::take(folder.path()).unwrap();
                    for file in [&one, &two] {
                        fs::write(file, "").unwrap();
                        std::thread::sleep(Duration::from_micros(200));
                    }
                    fs::remove_file(&one).unwrap();
                    fs::remove_file(&two).unwrap();
                }
            });
            while !writer.is_finished() {
                let seen = look(folder.path(), || {
                    let first = files::exists(&one);
                    std::thread::sleep(Duration::from_micros(300));
                    Ok((first, files::exists(&two)))
                });
                assert_eq!(seen.unwrap(), (false, false));
            }
        });
    }

    #[test]
    fn a_look_is_repeated_if_another_process_changed_the_folder_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::sleep(2 * CLOCK_STEP);
        let (file, looks) = (folder.path().join("new"), AtomicUsize::new(0));
        let seen = look(folder.path(), || {
            let seen = files::exists(&file);
            if looks.fetch_add(1, Ordering::SeqCst) == 0 {
                fs::write(&file, "")?;
            }
            Ok(seen)
        });
        assert!(seen.unwrap(), "{} looks", looks.into_inner());
    }

    #[test]
    fn a_look_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        look(folder.path(), || Ok(())).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_pipe_or_link_in_the_locks_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(FolderLock::take(folder.path()).is_err());
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("elsewhere", &path).unwrap();
        assert!(FolderLock::take(folder.path()).is_err());
        assert!(!folder.path().join("elsewhere").exists());
    }
}
