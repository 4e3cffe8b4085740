//! Steps on files that either happen or do not: a file of libraries may be mapped, linked elsewhere, or half a
//! package manager's, so that nothing is ever written in place.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// What the names of files in the making begin with.
pub const UNFINISHED: &str = ".sycl-pi-unfinished-";

/// What the names of vendors' files that are kept end in.
const VENDOR: &str = ".vendor";

/// The name under which a vendor's file is kept.
pub fn vendor_name(name: &str) -> String {
    format!("{name}{VENDOR}")
}

/// The name that a vendor's file had before it was kept; other names stay as they are.
pub fn unkept_name(name: &str) -> &str {
    name.strip_suffix(VENDOR).unwrap_or(name)
}

/// Whether there is anything of that name, a link that leads nowhere too.
pub fn exists(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok()
}

/// The SHA-256 of the file's bytes, in hex.
///
/// # Errors
/// It cannot be read.
pub fn sha256(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(sha256_of(&bytes))
}

/// The SHA-256 of bytes, in hex.
pub fn sha256_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the file has these bytes somewhere.
pub fn has(file: &Path, bytes: &[u8]) -> bool {
    fs::read(file).is_ok_and(|content| memchr::memmem::find(&content, bytes).is_some())
}

/// Makes `file` a new file with these bytes, in one step. Open handles and other links keep the old file.
///
/// # Errors
/// The folder cannot be written.
pub fn write_anew(file: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let folder = file.parent().context("a file without a folder")?;
    let write = || -> Result<()> {
        let mut new = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        new.write_all(bytes)?;
        new.as_file().set_permissions(Permissions::from_mode(mode))?;
        new.as_file().sync_all()?;
        new.persist(file)?;
        Ok(())
    };
    write().with_context(|| format!("{} cannot be written{}", file.display(), hint(folder)))
}

/// Gives the file `from` the name `to` as well, so that there is no moment without either. Where the file system
/// has no second names, the file is renamed. A link is kept as a link.
///
/// # Errors
/// The folder cannot be written.
pub fn keep_as(from: &Path, to: &Path) -> Result<()> {
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    rename(from, to)
}

/// Renames a file over another.
///
/// # Errors
/// The folder cannot be written.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    fs::rename(from, to)
        .with_context(|| format!("{} cannot be renamed to {}{}", from.display(), to.display(), hint(folder)))
}

/// Removes a file; a missing file is no error.
///
/// # Errors
/// The folder cannot be written.
pub fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let folder = file.parent().unwrap_or(file);
            Err(error).with_context(|| format!("{} cannot be removed{}", file.display(), hint(folder)))
        }
        _ => Ok(()),
    }
}

/// Whether two names are names of one file (or link).
pub fn same(one: &Path, other: &Path) -> bool {
    let id = |file| fs::symlink_metadata(file).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some() && id(one) == id(other)
}

/// Removes files that an interrupted run left behind.
///
/// # Errors
/// The folder cannot be read or written.
pub fn clean(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn hint(folder: &Path) -> String {
    let writable = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder).is_ok();
    if writable { String::new() } else { format!(" ({} is not yours to write: try sudo)", folder.display()) }
}
