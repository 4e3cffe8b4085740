//! Runs a command from its start to its end.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::{End, Process};

/// The time limit for the rest of an output after everything in the group was killed.
const REST: Duration = Duration::from_secs(1);

/// How a command ended, and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

impl Finished {
    /// Returns its standard output as text.
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Returns its standard error as text.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Returns how it ended, and the last `lines` lines of each output.
    pub fn summary(&self, lines: usize) -> String {
        let last = |text: String| {
            let all: Vec<&str> = text.lines().collect();
            all[all.len().saturating_sub(lines)..].join("\n")
        };
        format!("{}\n{}\n{}", self.end, last(self.stdout_text()), last(self.stderr_text()))
    }
}

/// Runs `command` without standard input, captures both outputs, and kills its process group after `limit`.
///
/// # Errors
/// Fails if the program cannot be started, waited for or killed. Any end of the program is a success here.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    run_while(command.stdout(Stdio::piped()).stderr(Stdio::piped()), limit, || 0)
}

/// Runs `command` without standard input. Its outputs go where the caller chose, and those that are pipes are captured.
/// The group is killed when the number that `progress` returns has not changed for `limit`.
///
/// # Errors
/// Fails if the program cannot be started, waited for or killed. Any end of the program is a success here.
pub fn run_while(
    command: &mut Command,
    limit: Duration,
    progress: impl FnMut() -> u64,
) -> io::Result<Finished> {
    let mut process = Process::start(command.stdin(Stdio::null()))?;
    let stdout = process.take_stdout().map(collect);
    let stderr = process.take_stderr().map(collect);
    let start = Instant::now();
    let mut end = process.wait_while(limit, progress)?;
    let mut rest = |output: Option<Receiver<Vec<u8>>>| -> io::Result<Vec<u8>> {
        let Some(output) = output else { return Ok(Vec::new()) };
        let left = if end.is_timeout() { REST } else { limit.saturating_sub(start.elapsed()).max(REST) };
        if let Ok(bytes) = output.recv_timeout(left) {
            return Ok(bytes);
        }
        // The program has ended, but a process that it started still holds the pipe.
        if !end.is_timeout() {
            end = End::TimedOut(limit);
            process.kill_group()?;
        }
        Ok(output.recv_timeout(REST).unwrap_or_default())
    };
    let (stdout, stderr) = (rest(stdout)?, rest(stderr)?);
    Ok(Finished { end, stdout, stderr })
}

/// Reads to the end on a separate thread, so that a full pipe never blocks the child.
fn collect(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // After an error, the bytes read so far are the output. There may no longer be a receiver.
        let _ = from.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}
