//! The SPIR-V of a source on disk, with the state of the files on which it depends.

use std::fmt::Write;
use std::path::Path;

use sycl_pi_cache::Digest;
use sycl_pi_compiler::{Reads, is_readable};
use sycl_pi_host_process::read_file;

/// Precedes a path where no file may exist. A file is preceded by its digest instead.
const NONE: &str = "none";

/// The end of the list of files.
const END: &[u8] = b"\n\n";

/// The longest header that is read.
const LIMIT: u64 = 1 << 30;

/// A stored file that was read back.
pub(super) struct Kept<'b> {
    files: &'b str,
    pub(super) code: &'b [u8],
}

impl<'b> Kept<'b> {
    /// Parses the bytes; `None` if they have another format.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let end = bytes.windows(END.len()).position(|two| two == END)?;
        let files = std::str::from_utf8(bytes.get(..end)?).ok()?;
        Some(Self { files, code: bytes.get(end + END.len()..)? })
    }

    /// Returns whether a compilation would read the same files now.
    pub(super) fn holds(&self) -> bool {
        self.files.lines().all(|line| match line.split_once(' ') {
            Some((NONE, place)) => !is_readable(Path::new(place)),
            Some((digest, file)) => digest_of(Path::new(file)).is_some_and(|now| now == digest),
            None => false,
        })
    }
}

/// Returns the bytes to store, or `None` if a file has changed since or its path cannot be written.
pub(super) fn to_bytes(reads: &Reads, code: &[u8]) -> Option<Vec<u8>> {
    let mut text = String::new();
    for file in reads.files() {
        writeln!(text, "{} {}", digest_of(file)?, file.to_str()?).ok()?;
    }
    for place in reads.absent() {
        writeln!(text, "{NONE} {}", place.to_str()?).ok()?;
    }
    let text = text.trim_end_matches('\n');
    reads.hold().then(|| [text.as_bytes(), END, code].concat())
}

fn digest_of(file: &Path) -> Option<String> {
    // Reading a pipe would block.
    let is_file = file.metadata().is_ok_and(|data| data.is_file());
    let bytes = is_file.then(|| read_file(file, LIMIT).ok()).flatten()?;
    Some(Digest::of(&bytes).to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn code_is_read_back_and_holds_while_every_file_is_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (file, none) = (folder.path().join("a b.h"), folder.path().join("none"));
        std::fs::write(&file, "x").unwrap();
        let digest = digest_of(&file).unwrap();
        let bytes = format!("{digest} {}\nnone {}\n\n\n\ncode", file.display(), none.display());
        let kept = Kept::read(bytes.as_bytes()).unwrap();
        assert_eq!(kept.code, b"\n\ncode");
        assert!(kept.holds());
        std::fs::create_dir(&none).unwrap();
        assert!(kept.holds(), "a folder is no header");
        std::fs::remove_dir(&none).unwrap();
        std::fs::write(&none, "").unwrap();
        assert!(!kept.holds());
        std::fs::remove_file(&none).unwrap();
        std::fs::write(&file, "y").unwrap();
        assert!(!kept.holds());
        std::fs::remove_file(&file).unwrap();
        assert!(!kept.holds());
        assert!(Kept::read(b"\n\ncode").unwrap().holds());
        assert!(Kept::read(b"code").is_none() && !Kept::read(b"a\n\ncode").unwrap().holds());
    }
}
