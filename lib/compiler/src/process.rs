//! Runs programs with their input and output in memory.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};

use crate::environment;
use crate::error::CompileError;

/// The result of running a program.
pub(crate) struct Ran {
    /// `None` if other code of the process waits for all children and took this one's status. The output then decides.
    status: Option<ExitStatus>,
    pub(crate) output: Vec<u8>,
    /// Its standard error.
    pub(crate) log: String,
}

/// The exit code of a program that does not start, used by the system's loader if a library is missing, and by shells.
const NOT_STARTED: i32 = 127;

impl Ran {
    /// Returns whether it reports success.
    pub(crate) fn success(&self) -> bool {
        self.status.is_none_or(|status| status.success())
    }

    /// Returns the reason if it failed to start or was interrupted.
    pub(crate) fn failure(&self) -> Option<String> {
        let status = self.status?;
        match status.code() {
            None => Some(status.to_string()),
            Some(NOT_STARTED) => Some(self.log.clone()),
            Some(_) => None,
        }
    }
}

/// How often a program with a time limit is polled.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs a program to its end, or kills it at the limit. With files in memory, no thread is needed that feeds one pipe
/// while another is read.
pub(crate) fn run(
    program: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    input: &[u8],
    limit: Option<Duration>,
) -> Result<Ran, CompileError> {
    try_run(program, arguments, input, limit).map_err(|error| CompileError::NotRun {
        program: program.display().to_string(),
        problem: error.to_string(),
    })
}

fn try_run(
    program: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    input: &[u8],
    limit: Option<Duration>,
) -> io::Result<Ran> {
    let [mut given, mut output, mut errors] = [memory()?, memory()?, memory()?];
    given.write_all(input)?;
    given.rewind()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(given).stdout(output.try_clone()?).stderr(errors.try_clone()?);
    command.env_clear().envs(environment::variables()).current_dir(environment::FOLDER);
    let status = wait(&mut command.spawn()?, limit)?;
    let output = content(&mut output)?;
    let log = String::from_utf8_lossy(&content(&mut errors)?).trim().to_owned();
    Ok(Ran { status, output, log })
}

/// Returns how the program ended, if that can be known.
fn wait(child: &mut Child, limit: Option<Duration>) -> io::Result<Option<ExitStatus>> {
    let ended = match limit {
        None => child.wait().map(Some),
        Some(limit) => wait_until(child, Instant::now() + limit),
    };
    match ended {
        Ok(Some(status)) => Ok(Some(status)),
        Ok(None) => {
            child.kill()?;
            child.wait()?;
            let limit = limit.unwrap_or_default();
            Err(io::Error::other(format!("it did not end within {limit:?}")))
        }
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::CHILD.raw_os_error()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns how the program ended, or `None` if it is still running at the deadline.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        let ended = child.try_wait()?;
        if ended.is_some() || Instant::now() >= deadline {
            return Ok(ended);
        }
        thread::sleep(PAUSE);
    }
}

fn memory() -> io::Result<File> {
    let file = memfd_create(c"pi-compiler", MemfdFlags::CLOEXEC).map_err(io::Error::from);
    Ok(File::from(file.map_err(|error| {
        io::Error::new(error.kind(), format!("a file in memory for it cannot be created: {error}"))
    })?))
}

fn content(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
