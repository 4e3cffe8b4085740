//! Atomic file operations. Files in a folder of libraries may be mapped, linked from elsewhere, or in the middle of a
//! package manager's update, so nothing is ever written in place.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::tree;
use crate::{regular, shell};

/// The prefix of the names of unfinished files.
const UNFINISHED: &str = ".sycl-pi-unfinished-";

/// The suffix of the names of kept vendor files.
const VENDOR: &str = ".vendor";

/// Returns the name under which a vendor's file is kept.
pub fn vendor_name(name: &str) -> String {
    format!("{name}{VENDOR}")
}

/// Returns the name of a vendor's file before it was kept. Other names are returned unchanged.
pub fn unkept_name(name: &str) -> &str {
    name.strip_suffix(VENDOR).unwrap_or(name)
}

/// Returns whether something with that name exists, including a dangling link.
pub fn exists(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok()
}

/// Returns the SHA-256 of a file, in hex.
///
/// # Errors
/// Fails if it cannot be read.
pub fn sha256(file: &Path) -> Result<String> {
    let hash = || -> io::Result<String> {
        let mut hasher = Sha256::new();
        io::copy(&mut regular::open(file)?, &mut hasher)?;
        Ok(hex(&hasher.finalize()))
    };
    hash().with_context(|| format!("{} cannot be read", file.display()))
}

/// Returns the SHA-256 of bytes, in hex.
pub fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns whether the file contains these bytes.
pub fn has(file: &Path, bytes: &[u8]) -> bool {
    regular::read(file).is_ok_and(|content| memchr::memmem::find(&content, bytes).is_some())
}

/// A complete file that has no name yet. If it is dropped, nothing remains.
pub struct NewFile {
    unfinished: NamedTempFile,
    file: PathBuf,
}

impl NewFile {
    /// Writes the bytes of the future `file`. Everything that needs disk space happens here.
    ///
    /// # Errors
    /// Fails if the folder cannot be written, or has no space left.
    pub fn prepare(file: &Path, bytes: &[u8], mode: u32) -> Result<Self> {
        let folder = file.parent().context("a file without a folder")?;
        let write = || -> io::Result<NamedTempFile> {
            let mut new = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
            new.write_all(bytes)?;
            new.as_file().set_permissions(Permissions::from_mode(mode))?;
            new.as_file().sync_all()?;
            Ok(new)
        };
        let unfinished = write().map_err(|error| failed(error, "written", file))?;
        Ok(Self { unfinished, file: file.into() })
    }

    /// Renames it to its name, atomically. Open handles and other links keep the old file.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub fn put(self) -> Result<()> {
        let Self { unfinished, file } = self;
        unfinished.persist(&file).map(drop).map_err(|error| failed(error.error, "written", &file))
    }
}

/// Replaces `file` with a new file with these bytes, atomically. Open handles and other links keep the old file.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn write_anew(file: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    NewFile::prepare(file, bytes, mode)?.put()
}

/// Gives the file `from` the additional name `to`, so that one of them always exists. The file is renamed if the
/// file system does not support hard links. A link is kept as a link.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn keep_as(from: &Path, to: &Path) -> Result<()> {
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    rename(from, to)
}

/// Renames a file over another.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| failed(error, &format!("renamed to {}", to.display()), from))
}

/// Removes a file. A missing file is no error.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(error, "removed", file)),
        _ => Ok(()),
    }
}

/// Returns whether two names belong to one file (or link).
pub fn same(one: &Path, other: &Path) -> bool {
    let id = |file| fs::symlink_metadata(file).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some() && id(one) == id(other)
}

/// Replaces `file` with a new file with these bytes, unless it already has them. Returns whether it is (or would
/// be) changed.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn update(file: &Path, bytes: &[u8], mode: u32, dry_run: bool) -> Result<bool> {
    if regular::read(file).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    if !dry_run {
        write_anew(file, bytes, mode)?;
    }
    Ok(true)
}

/// Returns the permissions of a new file in a folder. Every user who can enter the folder can read it, regardless
/// of the umask.
pub fn mode_in(folder: &Path, mode: u32) -> u32 {
    let folder = fs::metadata(folder).map_or(0o755, |data| data.permissions().mode());
    folder & mode & 0o755 | 0o600
}

/// Lists the files that an interrupted run left in a libsycl's folder and in its folders of Python packages.
pub fn unfinished(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let folders = std::iter::once(folder.to_path_buf()).chain(tree::own_site_packages(folder));
    let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let left = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(UNFINISHED);
    entries.filter(left).map(|entry| entry.path())
}

/// Lists the vendors' files that were kept aside and then replaced by newer ones: `NAME.vendor.` with eight digits
/// of their hash.
pub fn set_aside(folder: &Path) -> Vec<PathBuf> {
    let is_meant = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let digits =
            name.to_str().and_then(|name| name.rsplit_once(&format!("{VENDOR}."))).map(|(_, digits)| digits);
        digits
            .is_some_and(|digits| digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.filter(is_meant).map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Removes the files that an interrupted run left. The caller must hold the folder's lock. Otherwise they may
/// belong to another process.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn clean(folder: &Path) -> Result<()> {
    unfinished(folder).collect::<Vec<_>>().iter().try_for_each(|file| remove(file))
}

/// Describes a file error, and what to do about it.
pub fn failed(error: io::Error, step: &str, file: &Path) -> anyhow::Error {
    let folder = file.parent().unwrap_or(file).display();
    let hint = match error.kind() {
        ErrorKind::PermissionDenied if rustix::process::geteuid().is_root() => {
            let file = shell::path(file);
            format!(" (root may not either: is it immutable? See lsattr -d {file} and lsattr -d {folder})")
        }
        ErrorKind::PermissionDenied => format!(" ({folder} is not yours to write: try sudo)"),
        ErrorKind::ReadOnlyFilesystem => format!(" ({folder} is on a file system that is read-only)"),
        // EOPNOTSUPP and ENOSYS (e.g. Lustre without the option flock), or ENOLCK.
        ErrorKind::Unsupported => {
            format!(" (the file system of {folder} has no locks: is an option of its mount missing?)")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!(" (make space on the file system of {folder}, then try again)")
        }
        _ => String::new(),
    };
    anyhow::Error::new(error).context(format!("{} cannot be {step}{hint}", file.display()))
}
