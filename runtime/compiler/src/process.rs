//! Programs that are run with their input and output in memory.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::Command;

use rustix::fs::{MemfdFlags, memfd_create};
use sycl_pi_host_process::is_privileged;

use crate::error::CompileError;

/// What a program did.
pub(crate) struct Ran {
    /// Whether it says that it succeeded.
    pub(crate) success: bool,
    pub(crate) output: Vec<u8>,
    /// What it wrote to its standard error.
    pub(crate) log: String,
}

/// Runs a program to its end. Files in memory need no thread that feeds one pipe while another is read.
pub(crate) fn run(
    program: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    input: &[u8],
) -> Result<Ran, CompileError> {
    try_run(program, arguments, input).map_err(|error| CompileError::NotRun {
        program: program.display().to_string(),
        problem: error.to_string(),
    })
}

fn try_run(
    program: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    input: &[u8],
) -> io::Result<Ran> {
    let [mut given, mut output, mut errors] = [memory()?, memory()?, memory()?];
    given.write_all(input)?;
    given.rewind()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(given).stdout(output.try_clone()?).stderr(errors.try_clone()?);
    // What a sanitizer or profiler loads into this process is not for that one. The messages are to be in English.
    command.env_remove("LD_PRELOAD").env("LC_ALL", "C");
    if is_privileged() {
        command.env_clear();
    }
    let mut child = command.spawn()?;
    let success = match child.wait() {
        Ok(status) => status.success(),
        // Other code of the process waits for all children, and took this one's status: the output tells.
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::CHILD.raw_os_error()) => true,
        Err(error) => return Err(error),
    };
    let output = content(&mut output)?;
    let log = String::from_utf8_lossy(&content(&mut errors)?).trim().to_owned();
    Ok(Ran { success, output, log })
}

fn memory() -> io::Result<File> {
    Ok(File::from(memfd_create(c"pi-compiler", MemfdFlags::CLOEXEC)?))
}

fn content(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
