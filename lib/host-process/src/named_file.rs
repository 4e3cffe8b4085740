//! Files named by the user of a program. A path can lead to an endless device or to a pipe.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The maximum number of bytes that are read from a pipe, whose length is unknown in advance.
const LIMIT_OF_PIPE: u64 = 1 << 30;

/// Returns the bytes of a file of at most `limit` bytes, or of a pipe with at most that many and at most a gibibyte.
/// Devices and folders are not even opened.
///
/// # Errors
/// The system's error, or the file is too long, or is neither a file nor a pipe.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_at_most(path, limit, limit.min(LIMIT_OF_PIPE))
}

fn read_at_most(path: &Path, limit: u64, limit_of_pipe: u64) -> io::Result<Vec<u8>> {
    let limit_of = |about: Metadata| match about.file_type() {
        kind if kind.is_file() => Ok((limit, about.len())),
        kind if kind.is_fifo() => Ok((limit_of_pipe, 0)),
        kind if kind.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        _ => Err(io::Error::other("it is not a file or pipe")),
    };
    limit_of(std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let (limit, length) = limit_of(file.metadata()?)?;
    let too_large = || io::Error::other(format!("it has more than {limit} bytes"));
    if length > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_pipe_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, [7; 100]).unwrap();
        assert_eq!(read_at_most(&file, 100, 0).unwrap(), [7; 100]);
        assert_eq!(read_at_most(&file, 99, 0).unwrap_err().to_string(), "it has more than 99 bytes");

        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (limit, fits) in [(100, true), (99, false)] {
            let (pipe, into) = (pipe.clone(), pipe.clone());
            let writer = std::thread::spawn(move || std::fs::write(into, [7; 100]));
            assert_eq!(read_at_most(&pipe, 0, limit).is_ok(), fits);
            writer.join().unwrap().unwrap();
        }
    }

    #[test]
    fn devices_and_folders_are_not_read() {
        let problem = |path: &str| read_file(Path::new(path), 4 << 30).unwrap_err().to_string();
        assert_eq!(problem("/dev/zero"), "it is not a file or pipe");
        assert_eq!(problem("/"), "is a directory");
        assert!(problem("/no/such/file").contains("No such file"));
        // This is a sparse file that is larger than memory.
        let hole = tempfile::NamedTempFile::new().unwrap();
        hole.as_file().set_len((4 << 30) + 1).unwrap();
        let problem = read_file(hole.path(), 4 << 30).unwrap_err().to_string();
        assert_eq!(problem, "it has more than 4294967296 bytes");
    }
}
