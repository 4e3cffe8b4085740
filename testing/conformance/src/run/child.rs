//! A worker process, from the parent's side.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use testing_support::process::{End, Process};

use crate::case::Case;
use crate::cli::Arguments;
use crate::interface::Interface;
use crate::worker::{Hello, Reply};

/// Time for a plugin and its driver to load.
const START: Duration = Duration::from_secs(60);
/// How many of the last lines of standard error are kept.
const KEPT: usize = 8;

/// A worker process that has printed its hello.
pub(crate) struct Child {
    process: Process,
    input: Option<ChildStdin>,
    replies: Receiver<String>,
    /// The last lines of its standard error.
    errors: Arc<Mutex<VecDeque<String>>>,
    listener: Option<JoinHandle<()>>,
    timeout: Duration,
    /// Its first reply.
    pub(crate) hello: Hello,
}

/// A process that ended unexpectedly.
pub(crate) struct Ended {
    /// Whether it was killed because it took too long.
    pub(crate) hung: bool,
    /// How it ended, and the last lines of its standard error.
    pub(crate) how: String,
    /// Why it refused to work, if it ended with an error of its own.
    own_error: Option<String>,
}

impl Ended {
    fn other(how: String) -> Self {
        Self { hung: false, how, own_error: None }
    }
}

/// Returns the versions that the plugin supports, or the layouts that the adapter supports.
pub(crate) fn interfaces(arguments: &Arguments) -> Result<Vec<Interface>> {
    let mut command = command(arguments)?;
    let output = testing_support::process::run(command.arg("--questions"), START)?;
    if !output.end.is_success() {
        let errors = output.stderr_text();
        let errors = errors.trim().trim_start_matches("error: ");
        return Err(if errors.is_empty() {
            anyhow!("the process: {}", output.end)
        } else {
            anyhow!("{errors}")
        });
    }
    let texts: Vec<String> = serde_json::from_slice(&output.stdout).context("the plugin's versions")?;
    Ok(texts.iter().filter_map(|text| Interface::of_name(text)).collect())
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
    command.arg(arguments.plugin()).arg("--device").arg(arguments.device.to_string());
    command.arg("--timeout").arg(arguments.timeout.to_string());
    if let Some(backend) = arguments.backend {
        command.arg("--backend").arg(backend.name());
    }
    if arguments.strict {
        command.arg("--strict");
    }
    if let Some(object_counter) = &arguments.object_counter {
        command.arg("--object-counter").arg(object_counter);
    }
    Ok(command)
}

impl Child {
    /// Starts a process and waits for its hello.
    pub(crate) fn start(arguments: &Arguments, interface: Interface) -> Result<Self> {
        let mut command = command(arguments)?;
        command.arg("--worker").arg(interface.name());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process::start(&mut command).context("a worker process cannot be started")?;
        let (sender, replies) = channel();
        let output = process.take_stdout().context("no pipe")?;
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let errors = process.take_stderr().context("no pipe")?;
        let lines = Arc::clone(&last);
        let listener = std::thread::spawn(move || {
            for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
                let mut lines = lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                lines.push_back(String::from_utf8_lossy(&line).into_owned());
                if lines.len() > KEPT {
                    lines.pop_front();
                }
            }
        });
        let (input, timeout) = (process.take_stdin(), Duration::from_secs(arguments.timeout));
        let (hello, listener) = (Hello::default(), Some(listener));
        let mut child = Self { process, input, replies, errors: last, listener, timeout, hello };
        match child.line(START.max(timeout)) {
            Ok(line) => child.hello = serde_json::from_str(&line)?,
            Err(Ended { own_error: Some(error), .. }) => return Err(anyhow!("{}", interface.names(&error))),
            Err(ended) => return Err(anyhow!("{}", ended.how)),
        }
        Ok(child)
    }

    /// Runs one case.
    pub(crate) fn run(&mut self, case: &Case) -> Result<Reply, Ended> {
        if let Some(input) = &mut self.input {
            // If it has already ended, the missing reply shows it.
            let _ = writeln!(input, "{}", case.id).and_then(|()| input.flush());
        }
        let line = self.line(self.timeout)?;
        serde_json::from_str(&line).map_err(|error| Ended::other(format!("{error}: {line}")))
    }

    /// Waits for the process to end by itself.
    pub(crate) fn end(mut self) -> Result<(), Ended> {
        self.input = None;
        match self.process.wait(self.timeout) {
            Ok(end) if end.is_success() => Ok(()),
            Ok(end) => Err(self.ended(end)),
            Err(error) => Err(Ended::other(error.to_string())),
        }
    }

    /// Kills the process.
    pub(crate) fn discard(mut self) {
        // It may just have ended by itself.
        let _ = self.process.kill();
    }

    fn line(&mut self, timeout: Duration) -> Result<String, Ended> {
        match self.replies.recv_timeout(timeout) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                // It may just have ended by itself.
                let _ = self.process.kill();
                Err(self.ended(End::TimedOut(timeout)))
            }
            Err(RecvTimeoutError::Disconnected) => match self.process.wait(timeout) {
                Ok(end) => Err(self.ended(end)),
                Err(error) => Err(Ended::other(error.to_string())),
            },
        }
    }

    /// Describes how the process ended, with the last lines of its standard error.
    fn ended(&mut self, end: End) -> Ended {
        if let Some(listener) = self.listener.take() {
            // The lines are complete once the thread is done.
            let _ = listener.join();
        }
        let errors = self.errors.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A worker prints its own error last. Drivers may print before it.
        let own_error = errors.back().filter(|_| end == End::Code(2));
        let own_error = own_error.and_then(|line| line.strip_prefix("error: ")).map(str::to_owned);
        let errors = errors.iter().map(String::as_str).collect::<Vec<_>>().join(" / ");
        let errors = errors.trim().trim_start_matches("error: ");
        let mut how = format!("the process: {end}");
        if !errors.is_empty() {
            how = format!("{how}: {errors}");
        }
        Ended { hung: end.is_timeout(), how, own_error }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        drop(self.input.take());
        // The process ends at the end of its input. One that does not is killed.
        let _ = self.process.wait(Duration::from_secs(10));
    }
}
