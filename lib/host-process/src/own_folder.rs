//! Folders for code or data that only the process's user may write.
//!
//! A path is not reliable: between two accesses, anyone with write access to one of its folders can replace it with a
//! link or another folder. Therefore, a folder is first opened without following a link, and then checked by its
//! descriptor.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat};
use rustix::io::Errno;

/// The mode bits that allow others to write.
const BY_GROUP_OR_OTHERS: u32 = 0o022;
const BY_OTHERS: u32 = 0o002;
/// The mode bit by which only the owner may rename or remove the entries of a folder.
const STICKY: u32 = 0o1000;

/// The number of links that Linux follows.
const MOST_LINKS: usize = 40;

/// A folder that others may have filled, or that they may replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    path: PathBuf,
    why: String,
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path.display(), self.why)
    }
}

impl std::error::Error for Untrusted {}

impl Untrusted {
    /// Creates an error that contains this.
    pub fn error(path: &Path, why: impl Into<String>) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, Self { path: path.into(), why: why.into() })
    }

    /// Returns whether an error means that a folder is untrusted, rather than that a call failed.
    pub fn is_in(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Self>())
    }
}

/// Opens the folder `name` in the folder `at` if it belongs to the user, others cannot write to it, and it is not a
/// link. `path` is its name in errors. The descriptor can only be used as the `at` of further calls.
///
/// # Errors
/// The system's error, or [`Untrusted`].
pub fn open_own_folder(at: impl AsFd, name: &OsStr, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(at, name, flags, Mode::empty()) {
        Err(Errno::NOTDIR | Errno::LOOP) => {
            return Err(Untrusted::error(path, "is a link or not a folder"));
        }
        other => other?,
    };
    let info = fstat(&folder)?;
    if info.st_uid != user() {
        return Err(Untrusted::error(
            path,
            format!("belongs to user {}, not to user {}", info.st_uid, user()),
        ));
    }
    if info.st_mode & BY_GROUP_OR_OTHERS != 0 {
        return Err(Untrusted::error(
            path,
            format!("may be written by others (chmod go-w {})", path.display()),
        ));
    }
    Ok(folder)
}

/// Checks the folders that lead to `path`, and the links among them. Each must belong to root or to the user, and
/// others must not be able to replace its entries. A folder such as `/tmp`, in which all users may write their own
/// entries, is accepted.
///
/// # Errors
/// The system's error, or [`Untrusted`].
pub fn check_folders_above(path: &Path) -> io::Result<()> {
    let path = std::path::absolute(path)?;
    let root = || openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
    let mut folder = root()?;
    let trusted = [0, user(), fstat(&folder)?.st_uid];
    let mut seen = PathBuf::from("/");
    let mut rest = names(path.parent().unwrap_or(&path));
    let mut links = 0;
    while let Some(name) = rest.pop() {
        let next = openat(&folder, &name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
        let info = fstat(&next)?;
        let place = seen.join(&name);
        if !trusted.contains(&info.st_uid) {
            return Err(Untrusted::error(
                &place,
                format!("belongs to user {}, not to user {}", info.st_uid, user()),
            ));
        }
        if FileType::from_raw_mode(info.st_mode) == FileType::Symlink {
            links += 1;
            if links > MOST_LINKS {
                return Err(Errno::LOOP.into());
            }
            let target = PathBuf::from(OsString::from_vec(readlinkat(&next, "", Vec::new())?.into_bytes()));
            if target.is_absolute() {
                (folder, seen) = (root()?, PathBuf::from("/"));
            }
            rest.extend(names(&target));
            continue;
        }
        if FileType::from_raw_mode(info.st_mode) != FileType::Directory {
            return Err(Errno::NOTDIR.into());
        }
        if others_may_exchange(&info) {
            return Err(Untrusted::error(&place, "may be written by all users"));
        }
        (folder, seen) = (next, place);
    }
    Ok(())
}

fn others_may_exchange(folder: &Stat) -> bool {
    folder.st_mode & BY_OTHERS != 0 && folder.st_mode & STICKY == 0
}

/// Returns the components of a path, last one first.
fn names(path: &Path) -> Vec<OsString> {
    let mut names: Vec<OsString> = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| part.as_os_str().to_owned())
        .collect();
    names.reverse();
    names
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

    const ANOTHER: u32 = 12_345;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn open(path: &Path) -> Result<(), String> {
        let name = path.file_name().unwrap();
        let parent = fs::File::open(path.parent().unwrap()).unwrap();
        open_own_folder(&parent, name, path).map(drop).map_err(|error| {
            assert!(Untrusted::is_in(&error), "{error}");
            error.to_string()
        })
    }

    /// Returns whether this process may change the owner of files.
    fn is_root() -> bool {
        let is_root = user() == 0;
        if !is_root {
            eprintln!("skipped: only root can give files to another user");
        }
        is_root
    }

    #[test]
    fn a_folder_is_opened_if_only_its_user_may_write_it_and_it_is_no_link() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("folder");
        fs::create_dir(&folder).unwrap();
        for (mode, trusted) in [(0o700, true), (0o755, true), (0o720, false), (0o702, false), (0o1777, false)]
        {
            set_mode(&folder, mode);
            assert_eq!(open(&folder).is_ok(), trusted, "{mode:o}");
        }
        set_mode(&folder, 0o700);
        let link = home.path().join("link");
        symlink(&folder, &link).unwrap();
        assert!(open(&link).unwrap_err().ends_with("is a link or not a folder"));
        fs::write(home.path().join("file"), "").unwrap();
        assert!(open(&home.path().join("file")).is_err());
    }

    #[test]
    fn another_users_folder_is_not_opened() {
        if !is_root() {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        chown(home.path(), Some(ANOTHER), None).unwrap();
        assert!(open(home.path()).unwrap_err().contains("belongs to user 12345, not to user 0"));
    }

    #[test]
    fn the_folders_above_may_be_those_of_all_where_each_keeps_its_own() {
        let home = tempfile::tempdir().unwrap();
        let shared = home.path().join("shared");
        fs::create_dir(&shared).unwrap();
        let own = shared.join("own");
        for (mode, trusted) in [(0o1777, true), (0o755, true), (0o775, true), (0o777, false), (0o757, false)]
        {
            set_mode(&shared, mode);
            assert_eq!(check_folders_above(&own).is_ok(), trusted, "{mode:o}");
        }
        set_mode(&shared, 0o700);
        // The user's own link is followed, and its target is checked.
        symlink(&shared, home.path().join("link")).unwrap();
        let through = home.path().join("link/own");
        check_folders_above(&through).unwrap();
        set_mode(&shared, 0o777);
        let error = check_folders_above(&through).unwrap_err();
        assert!(error.to_string().ends_with("shared may be written by all users"), "{error}");
        fs::write(home.path().join("file"), "").unwrap();
        let error = check_folders_above(&home.path().join("file/own")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        symlink("loop", home.path().join("loop")).unwrap();
        assert!(check_folders_above(&home.path().join("loop/own")).is_err());
        // Nothing exists yet.
        let error = check_folders_above(&home.path().join("none/own")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn another_users_folder_or_link_above_is_not_passed() {
        if !is_root() {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let theirs = home.path().join("theirs");
        fs::create_dir(&theirs).unwrap();
        fs::create_dir(home.path().join("ours")).unwrap();
        symlink("ours", home.path().join("link")).unwrap();
        check_folders_above(&home.path().join("link/own")).unwrap();
        lchown(home.path().join("link"), Some(ANOTHER), None).unwrap();
        chown(&theirs, Some(ANOTHER), None).unwrap();
        for above in ["link", "theirs", "theirs/deep/.."] {
            fs::create_dir_all(theirs.join("deep")).unwrap();
            let error = check_folders_above(&home.path().join(above).join("own")).unwrap_err();
            assert!(
                Untrusted::is_in(&error) && error.to_string().contains("belongs to user 12345"),
                "{error}"
            );
        }
    }
}
