//! Runs pi as a child: a plugin or driver that crashes ends the child only.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

/// How long a plugin and its driver may take: a first start of a driver takes seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// Where the system looks for libraries first.
pub const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// Runs `pi` with `arguments`, with `library_folder` first in the system's search, and reads the JSON that it prints.
///
/// # Errors
/// The process crashed, hung, or printed something else; the text says which.
pub fn ask<T: DeserializeOwned>(arguments: &[&OsStr], library_folder: Option<&Path>) -> Result<T> {
    let program = std::env::current_exe().context("pi cannot find its own file")?;
    let mut command = Command::new(program);
    command.arg("--json").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(folder) = library_folder {
        command.env(LIBRARIES, library_path(folder, std::env::var_os(LIBRARIES))?);
    }
    let mut child = command.spawn().context("pi cannot start itself")?;
    let mut pipe = child.stdout.take().context("the child has no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        pipe.read_to_end(&mut text).map(|_| text)
    });
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("it did not answer within {} seconds", LIMIT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if let Some(signal) = status.signal() {
        bail!("it crashed ({})", signal_name(signal));
    }
    let text = reader.join().ok().context("the output could not be read")??;
    serde_json::from_slice(&text).with_context(|| {
        let code = status.code().unwrap_or_default();
        format!("it ended with code {code} and no answer that could be read")
    })
}

/// The value of LD_LIBRARY_PATH with `folder` first. No part of it is empty: an empty part means the current directory, whose
/// libraries would run.
///
/// # Errors
/// The folder cannot stand in such a list.
pub fn library_path(folder: &Path, before: Option<OsString>) -> Result<OsString> {
    let folder = std::path::absolute(folder)?;
    let before = before.unwrap_or_default();
    let separates = |byte: &u8| matches!(byte, b':' | b';');
    let own = folder.as_os_str().as_bytes();
    if own.iter().any(separates) {
        bail!("{}: a folder of libraries cannot have a colon or semicolon in its name", folder.display());
    }
    let parts = before.as_bytes().split(separates).filter(|part| !part.is_empty());
    let parts: Vec<&[u8]> = std::iter::once(own).chain(parts).collect();
    Ok(OsStr::from_bytes(&parts.join(&b':')).to_os_string())
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
