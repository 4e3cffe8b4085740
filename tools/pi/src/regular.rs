//! Reads regular files. Other files are refused immediately, because reading a pipe or a device may block or never
//! end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result};
use rustix::fs::OFlags;

/// Larger than any library.
const LARGEST: u64 = 4 << 30;

/// Opens a regular file.
///
/// # Errors
/// Fails if it cannot be opened, or is something else.
pub fn open(file: &Path) -> io::Result<File> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
    // Opening a device may have side effects. A pipe that replaces the file after this check does not block.
    if !fs::metadata(file)?.is_file() {
        return Err(refused());
    }
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(file)?;
    if !opened.metadata()?.is_file() {
        return Err(refused());
    }
    Ok(opened)
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// Fails if it cannot be read, is something else, or is larger.
pub fn read_at_most(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = open(file)?;
    if opened.metadata()?.len() <= limit {
        opened.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|count| count <= limit) {
            return Ok(bytes);
        }
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")))
}

/// Reads a library or program.
///
/// # Errors
/// Fails if it cannot be read, or is not a regular file.
pub fn read(file: &Path) -> Result<Vec<u8>> {
    read_at_most(file, LARGEST).with_context(|| format!("{} cannot be read", file.display()))
}

/// Reads a text of at most a megabyte.
///
/// # Errors
/// Fails if it cannot be read, or is not a regular file with such a text.
pub fn text(file: &Path) -> io::Result<String> {
    String::from_utf8(read_at_most(file, 1 << 20)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_is_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        for file in [fifo.as_path(), Path::new("/dev/zero"), folder.path()] {
            let error = format!("{:#}", read(file).unwrap_err());
            assert_eq!(error, format!("{} cannot be read: it is not a regular file", file.display()));
        }
        std::fs::write(folder.path().join("file"), "text").unwrap();
        assert_eq!(text(&folder.path().join("file")).unwrap(), "text");
        assert!(read_at_most(&folder.path().join("file"), 3).is_err());
    }
}
