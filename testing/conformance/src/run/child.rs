//! A worker process, seen from outside.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use sycl_pi_loader::Version;

use crate::case::Case;
use crate::cli::Arguments;
use crate::worker::{Hello, Reply};

/// Time for a plugin and its driver to load.
const START: Duration = Duration::from_secs(60);
/// How many lines of what a process said last are kept.
const KEPT: usize = 8;

/// A worker process that said hello.
pub(crate) struct Child {
    process: std::process::Child,
    input: Option<ChildStdin>,
    replies: Receiver<String>,
    said: Arc<Mutex<VecDeque<String>>>,
    listener: Option<JoinHandle<()>>,
    timeout: Duration,
    /// What it said of itself.
    pub(crate) hello: Hello,
}

/// A process that ended where it should not have.
pub(crate) struct Ended {
    /// It was ended because it took too long.
    pub(crate) hung: bool,
    /// How it ended, and what it said last.
    pub(crate) how: String,
}

/// The versions that the plugin serves.
pub(crate) fn versions(arguments: &Arguments) -> Result<Vec<Version>> {
    let mut command = command(arguments)?;
    let output = command.arg("--questions").stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(anyhow!("{}", text.trim().trim_start_matches("error: ")));
    }
    let texts: Vec<String> = serde_json::from_slice(&output.stdout).context("the plugin's versions")?;
    Ok(texts.iter().filter_map(|text| Version::from_text(text.as_bytes())).collect())
}

fn command(arguments: &Arguments) -> Result<Command> {
    let this = std::env::current_exe()?;
    let mut words = arguments.under.split_whitespace();
    let mut command = match words.next() {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(words).arg(this);
            command
        }
        None => Command::new(this),
    };
    command.arg(&arguments.plugin).arg("--device").arg(arguments.device.to_string());
    command.arg("--timeout").arg(arguments.timeout.to_string());
    if arguments.strict {
        command.arg("--strict");
    }
    if arguments.no_texts {
        command.arg("--no-texts");
    }
    if let Some(ledger) = &arguments.ledger {
        command.arg("--ledger").arg(ledger);
    }
    Ok(command)
}

impl Child {
    /// Starts a process and waits for its hello.
    pub(crate) fn start(arguments: &Arguments, version: Version) -> Result<Self> {
        let mut command = command(arguments)?;
        command.arg("--worker").arg(version.text());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().context("a worker process cannot be started")?;
        let (sender, replies) = channel();
        let output = process.stdout.take().context("no pipe")?;
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let errors = process.stderr.take().context("no pipe")?;
        let lines = Arc::clone(&said);
        let listener = std::thread::spawn(move || {
            for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
                let mut lines = lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                lines.push_back(String::from_utf8_lossy(&line).into_owned());
                if lines.len() > KEPT {
                    lines.pop_front();
                }
            }
        });
        let (input, timeout) = (process.stdin.take(), Duration::from_secs(arguments.timeout));
        let (hello, listener) = (Hello::default(), Some(listener));
        let mut child = Self { process, input, replies, said, listener, timeout, hello };
        match child.line(START.max(timeout)) {
            Ok(line) => child.hello = serde_json::from_str(&line)?,
            Err(ended) => return Err(anyhow!("{}", ended.how)),
        }
        Ok(child)
    }

    /// Runs one case.
    pub(crate) fn run(&mut self, case: &Case) -> Result<Reply, Ended> {
        if let Some(input) = &mut self.input {
            // If it is gone already, the missing reply says so.
            let _ = writeln!(input, "{}", case.id).and_then(|()| input.flush());
        }
        let line = self.line(self.timeout)?;
        serde_json::from_str(&line).map_err(|error| Ended { hung: false, how: format!("{error}: {line}") })
    }

    /// Waits for the process's own end.
    pub(crate) fn end(mut self) -> Result<(), Ended> {
        self.input = None;
        let start = Instant::now();
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(self.ended(status)),
                _ if start.elapsed() > self.timeout => return Err(self.stop()),
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Ends the process, whatever it is at.
    pub(crate) fn discard(mut self) {
        self.stop();
    }

    fn line(&mut self, timeout: Duration) -> Result<String, Ended> {
        match self.replies.recv_timeout(timeout) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(self.stop()),
            Err(RecvTimeoutError::Disconnected) => match self.process.wait() {
                Ok(status) => Err(self.ended(status)),
                Err(error) => Err(Ended { hung: false, how: error.to_string() }),
            },
        }
    }

    fn stop(&mut self) -> Ended {
        // It may just have ended by itself.
        let _ = self.process.kill().and_then(|()| self.process.wait());
        Ended { hung: true, how: self.described(format!("no end within {} s", self.timeout.as_secs())) }
    }

    fn ended(&mut self, status: ExitStatus) -> Ended {
        let how = match (status.signal(), status.code()) {
            (Some(signal), _) => {
                format!("the process was ended by signal {signal} ({})", signal_name(signal))
            }
            (_, code) => format!("the process ended with code {}", code.unwrap_or(-1)),
        };
        Ended { hung: false, how: self.described(how) }
    }

    /// With what the process said last.
    fn described(&mut self, how: String) -> String {
        if let Some(listener) = self.listener.take() {
            // All that it said is there once the thread is done.
            let _ = listener.join();
        }
        let said = self.said.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let said = said.iter().map(String::as_str).collect::<Vec<_>>().join(" / ");
        let said = said.trim().trim_start_matches("error: ").to_owned();
        if said.is_empty() { how } else { format!("{how}: {said}") }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        drop(self.input.take());
        let start = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) {
            if start.elapsed() > Duration::from_secs(10) {
                let _ = self.process.kill().and_then(|()| self.process.wait());
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => "segmentation fault",
        libc::SIGABRT => "abort",
        libc::SIGFPE => "arithmetic fault",
        libc::SIGILL => "illegal instruction",
        libc::SIGBUS => "bus error",
        libc::SIGKILL => "killed",
        _ => "signal",
    }
}
