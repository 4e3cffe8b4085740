//! The file that log lines are appended to.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Resource, getrlimit};

/// A file, terminal or pipe that lines are appended to.
#[derive(Debug)]
pub struct LogFile {
    file: Mutex<File>,
    is_regular: bool,
}

impl LogFile {
    /// Opens the file that an environment variable names, creating it if it does not exist. Never waits: a named pipe
    /// is accepted only if it has a reader, such as the pipe behind `/dev/stderr`.
    ///
    /// # Errors
    /// Returns the system's error, or an error if lines cannot be written to the file. A set-user-ID program opens
    /// none, because it would write with privileges that the user who set the variable does not have.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::open_unless(sycl_pi_host_process::is_privileged(), path)
    }

    fn open_unless(is_privileged: bool, path: &Path) -> io::Result<Self> {
        if is_privileged {
            let problem = "the program has more rights than its caller, and follows no variable to a file";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem));
        }
        let flags = OFlags::NONBLOCK.bits() as i32;
        let file = OpenOptions::new().create(true).append(true).custom_flags(flags).open(path)?;
        let kind = file.metadata()?.file_type();
        if !(kind.is_file() || kind.is_char_device() || kind.is_fifo()) {
            return Err(io::Error::other("it is not a file, terminal or pipe"));
        }
        // A line that a terminal or a reader cannot accept immediately must not be lost.
        fcntl_setfl(&file, OFlags::APPEND)?;
        Ok(Self { file: Mutex::new(file), is_regular: kind.is_file() })
    }

    /// Appends a line with its terminator. It is written immediately, so that lines of several threads and processes
    /// are not mixed.
    ///
    /// # Errors
    /// Returns the system's error, or an error if the process may not write files of this size.
    pub fn write(&self, line: &str) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // Beyond the limit, the system would terminate the program (SIGXFSZ).
        if self.is_regular
            && let Some(limit) = getrlimit(Resource::Fsize).current
            && file.metadata()?.len().saturating_add(line.len() as u64) > limit
        {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        file.write_all(line.as_bytes())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::Read;
    use std::process::Command;

    use super::*;

    #[test]
    fn lines_are_appended_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for line in ["one\n", "two\n"] {
            LogFile::open(&path).unwrap().write(line).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        assert!(LogFile::open(folder.path()).is_err(), "a folder takes no lines");
        assert!(LogFile::open(Path::new("/dev/null")).unwrap().write("a line\n").is_ok());
    }

    #[test]
    fn a_privileged_program_writes_no_file_that_a_variable_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let error = LogFile::open_unless(true, &path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert!(!path.exists());
    }

    /// Otherwise, the program would hang at its start until there is a reader.
    #[test]
    fn a_pipe_that_nobody_reads_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(LogFile::open(&path).is_err());
        let flags = OFlags::NONBLOCK.bits() as i32;
        let mut reader = OpenOptions::new().read(true).custom_flags(flags).open(&path).unwrap();
        LogFile::open(&path).unwrap().write("a line\n").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "a line\n");
    }

    /// These are more lines than a pipe can hold. None is lost, because the writer waits for the reader.
    #[test]
    fn every_line_reaches_a_reader_that_is_slow() {
        let (mut reader, writer) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer));
        let log = LogFile::open(Path::new(&path)).unwrap();
        drop(writer);
        let line = format!("{}\n", "x".repeat(999));
        let writer = std::thread::spawn(move || (0..1000).all(|_| log.write(&line).is_ok()));
        std::thread::sleep(std::time::Duration::from_millis(50));
        let mut text = Vec::new();
        reader.read_to_end(&mut text).unwrap();
        assert!(writer.join().unwrap());
        assert_eq!(text.len(), 1_000_000);
    }
}
