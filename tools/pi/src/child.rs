//! Runs pi as a child: a plugin or driver that crashes ends the child only.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

/// How long a plugin and its driver may take: a first start of a driver takes seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs `pi` with `arguments`, with `library_folder` first in the system's search, and reads the JSON that it prints.
///
/// # Errors
/// The process crashed, hung, or printed something else; the text says which.
pub fn ask<T: DeserializeOwned>(arguments: &[&OsStr], library_folder: Option<&Path>) -> Result<T> {
    let program = std::env::current_exe().context("pi cannot find its own file")?;
    let mut command = Command::new(program);
    command.arg("--json").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(folder) = library_folder {
        let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&before));
        command.env("LD_LIBRARY_PATH", std::env::join_paths(folders)?);
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
