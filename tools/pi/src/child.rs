//! Runs pi as a child process. If a plugin or driver crashes, it only ends the child.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;
use sycl_pi_loader::Environment;
use sycl_pi_logger::{FILE_VARIABLE, LOG_VARIABLE, TRACE_VARIABLE};

use crate::install::tree::LibsyclFolder;
use crate::opencl;
use crate::output::escaped;

/// The time limit for a plugin and its driver. The first start of a driver takes seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// The variable with the folders that the system searches for libraries first.
pub const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// The environment of a child, in addition to pi's own variables.
#[derive(Clone, Debug, Default)]
pub struct ChildEnvironment {
    /// Searched first by the system for libraries.
    pub folder: Option<PathBuf>,
    pub variables: Vec<(&'static str, OsString)>,
    /// Variables that are not inherited from pi, unless they are in `variables`.
    pub without: Vec<&'static str>,
}

impl ChildEnvironment {
    /// Returns a place with the folder of a file.
    pub fn beside(file: &Path) -> Self {
        Self { folder: file.parent().map(Path::to_path_buf), ..Self::default() }
    }

    /// Returns the place of programs that use a libsycl: without a folder if libsycl finds its own.
    pub fn of_programs(libsycl: &LibsyclFolder) -> Self {
        let folder = (!libsycl.speaks_ur()).then(|| libsycl.folder.clone());
        Self { folder, ..Self::default() }
    }

    /// Returns the place where the parts and drivers of a libsycl are found.
    pub fn of_libsycl(folder: &Path) -> Self {
        let variables = opencl::variables(folder, &Environment::from_env());
        Self { folder: Some(folder.to_path_buf()), variables, ..Self::default() }
    }
}

/// Runs `pi` with `arguments` in an environment, and reads the JSON that it prints.
///
/// # Errors
/// Fails if the process crashes, hangs, or prints something else. The message says which.
pub fn ask<T: DeserializeOwned>(arguments: &[&OsStr], environment: &ChildEnvironment) -> Result<T> {
    let program = std::env::current_exe().context("pi cannot find its own file")?;
    let mut command = Command::new(program);
    command.arg("--json").args(arguments);
    answer(command, environment, LIMIT)
}

/// Runs a program in an environment for at most `limit`, and reads the JSON in the last line that it prints, or in all
/// of them.
///
/// # Errors
/// Fails if the process crashes, hangs, or prints something else. The message says which.
pub fn answer<T: DeserializeOwned>(
    command: Command,
    environment: &ChildEnvironment,
    limit: Duration,
) -> Result<T> {
    let Ended { text, status, last } = output(command, environment, limit)?;
    // Libraries print lines of their own.
    let line = text.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice(&text).or_else(|_| serde_json::from_slice(line)).map_err(|_| {
        let code = status.code().unwrap_or_default();
        anyhow!("it ended with code {code} and no answer that could be read{last}")
    })
}

/// A program that has ended, with its output.
struct Ended {
    text: Vec<u8>,
    status: ExitStatus,
    /// The last line of its standard error, after a colon, or nothing.
    last: String,
}

fn output(mut command: Command, environment: &ChildEnvironment, limit: Duration) -> Result<Ended> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let before = std::env::var_os(LIBRARIES);
    match (&environment.folder, &before) {
        (Some(folder), _) => command.env(LIBRARIES, library_path(folder, before)?),
        (None, Some(before)) => command.env(LIBRARIES, sycl_pi_host_process::library_path(before)),
        (None, None) => &mut command,
    };
    environment.without.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(environment.variables.iter().map(|(name, value)| (name, value)));
    let mut child =
        command.spawn().with_context(|| format!("{} cannot be started", command.get_program().display()))?;
    let reader = reader_of(child.stdout.take());
    let errors = reader_of(child.stderr.take());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("it did not answer within {} seconds", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = String::from_utf8_lossy(&errors.join().unwrap_or_default()).into_owned();
    pass_log_on(&said);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
    let last = last.map(|line| format!(": {line}")).unwrap_or_default();
    if let Some(signal) = status.signal() {
        bail!("it crashed ({}){last}", signal_name(signal));
    }
    let text = reader.join().ok().context("the output could not be read")?;
    Ok(Ended { text, status, last })
}

fn reader_of(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut pipe) = pipe {
            // The output that was read before a failure is used.
            let _ = pipe.read_to_end(&mut text);
        }
        text
    })
}

/// Prints the child's log if the user asked for one. Drivers write to standard error too. Mistakes in the log
/// variables have already been reported by pi itself.
fn pass_log_on(said: &str) {
    let asked = [LOG_VARIABLE, TRACE_VARIABLE].into_iter().any(|name| std::env::var_os(name).is_some());
    let is_mistake = |line: &&str| {
        [LOG_VARIABLE, FILE_VARIABLE].into_iter().any(|name| line.contains(&format!("ERROR] {name}: ")))
    };
    for line in said.lines().filter(|line| asked && !is_mistake(line)) {
        // A failure to print cannot be reported.
        let _ = writeln!(std::io::stderr().lock(), "{}", escaped(line));
    }
}

/// Returns the value of LD_LIBRARY_PATH with `folder` first. It has no empty entry, because the system would load
/// libraries from the current directory for it.
///
/// # Errors
/// Fails if the folder's name cannot be part of such a list.
pub fn library_path(folder: &Path, before: Option<OsString>) -> Result<OsString> {
    let folder = std::path::absolute(folder)?;
    if folder.as_os_str().as_bytes().iter().any(|byte| matches!(byte, b':' | b';')) {
        bail!("{}: a folder of libraries cannot have a colon or semicolon in its name", folder.display());
    }
    let all: OsString = [folder.into(), before.unwrap_or_default()].join(OsStr::new(":"));
    Ok(sycl_pi_host_process::library_path(&all))
}

/// Starts pi again if the system also looks for libraries in the current directory, as after `export
/// LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH` if the variable was unset. Neither pi nor its children may load libraries from
/// there. Libraries that the system has loaded before this call stay loaded.
pub fn leave_current_folder_out() {
    let Some(given) = std::env::var_os(LIBRARIES).filter(|given| !given.is_empty()) else { return };
    let clean = sycl_pi_host_process::library_path(&given);
    if clean != given
        && let Ok(program) = std::env::current_exe()
    {
        // Returns only if it fails. Then pi continues as it is.
        let _ = Command::new(program).args(std::env::args_os().skip(1)).env(LIBRARIES, clean).exec();
    }
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        4 => "illegal instruction",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic error",
        9 => "killed",
        11 => "segmentation fault",
        _ => return format!("signal {signal}"),
    };
    format!("{name}, signal {signal}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_library_path_has_the_current_directory_in_it() {
        let value =
            |before: Option<&str>| library_path(Path::new("/new"), before.map(OsString::from)).unwrap();
        assert_eq!(value(None), "/new");
        assert_eq!(value(Some("")), "/new");
        assert_eq!(value(Some("/a::/b;;/c:")), "/new:/a:/b:/c");
        let here = std::env::current_dir().unwrap();
        assert_eq!(library_path(Path::new("sub"), None).unwrap(), here.join("sub"));
        assert!(
            library_path(Path::new("/a:b"), None).is_err() && library_path(Path::new("/a;"), None).is_err()
        );
    }
}
