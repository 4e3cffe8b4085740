//! A worker process, as seen from the process that started it.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};
use sycl_pi_host_process::{OwnFile, library_path};

use crate::library::NvvmLibrary;
use crate::protocol::{IDLE_LIMIT, NvvmAnswer, NvvmRequest};

/// The parameters for starting a worker.
#[derive(Clone, Debug)]
pub(crate) struct WorkerSetup {
    /// The file of `pi-nvvm`.
    pub(crate) program: PathBuf,
    pub(crate) library: NvvmLibrary,
}

/// A worker. Dropping it ends the process.
pub(crate) struct Worker {
    socket: OwnFile<UnixStream>,
    /// The output of the process on its standard error.
    errors: OwnFile<File>,
    last_use: Instant,
}

/// The reason why a worker gave no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// It ended. The text is its output on standard error.
    Ended(String),
    /// It did not finish in time.
    TimedOut,
    /// It answered something else.
    Garbage(String),
}

/// The variable with the folders where the system searches for libraries first.
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// The maximum time for a program to become a worker. `pi-nvvm` takes a millisecond.
const START_LIMIT: Duration = Duration::from_secs(10);
/// The time that a worker has in addition to a request's limit to read it. From then on, it keeps the time itself.
const GRACE: Duration = Duration::from_secs(2);
/// The maximum length of standard error that a message quotes.
const QUOTED: usize = 2000;

impl Worker {
    /// Starts a process.
    pub(crate) fn start(setup: &WorkerSetup) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let errors = error_file()?;
        let input = OwnedFd::from(theirs);
        let mut command = Command::new(&setup.program);
        if let Some(list) = env::var_os(LIBRARIES) {
            command.env(LIBRARIES, library_path(&list));
        }
        let mut child = command
            .arg("--libnvvm")
            .arg(&setup.library.libnvvm)
            .arg("--libdevice")
            .arg(&setup.library.libdevice)
            .arg("--parent")
            .arg(std::process::id().to_string())
            .stdout(input.try_clone()?)
            .stdin(input)
            .stderr(errors.try_clone()?)
            // Libraries that a sanitizer or profiler preloads into this process are not meant for the worker.
            .env_remove("LD_PRELOAD")
            .spawn()?;
        wait_for_start(&mut child)?;
        Ok(Self { socket: OwnFile::new(ours)?, errors: OwnFile::new(errors)?, last_use: Instant::now() })
    }

    /// Returns whether the process should still be waiting for requests.
    pub(crate) fn is_fresh(&self) -> bool {
        self.last_use.elapsed() < IDLE_LIMIT / 2 && self.socket.get().is_ok()
    }

    /// Sends a request and waits for the answer. After an error, the worker can no longer be used.
    pub(crate) fn call(&mut self, request: &NvvmRequest) -> Result<NvvmAnswer, NoAnswer> {
        let start = Instant::now();
        let mut stream = Stream { socket: &self.socket, deadline: Some(start + request.limit + GRACE) };
        // A worker that exited has closed its side, which the read reports.
        let sent = request.write(&mut stream);
        let answer = match sent {
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(error),
            _ => NvvmAnswer::read(&mut stream),
        };
        self.last_use = Instant::now();
        match answer {
            Ok(Some(answer)) => Ok(answer),
            // It has used as much of the processor.
            Ok(None) if start.elapsed() >= request.limit => Err(NoAnswer::TimedOut),
            Ok(None) => Err(NoAnswer::Ended(self.said())),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::TimedOut => NoAnswer::TimedOut,
                io::ErrorKind::InvalidData => NoAnswer::Garbage(error.to_string()),
                _ => NoAnswer::Ended(self.said()),
            }),
        }
    }

    /// Returns the end of the process's output on standard error.
    fn said(&self) -> String {
        let mut bytes = vec![0; QUOTED];
        let size = self.errors.get().and_then(File::metadata).map_or(0, |data| data.len());
        let read =
            self.errors.get().and_then(|file| file.read_at(&mut bytes, size.saturating_sub(QUOTED as u64)));
        bytes.truncate(read.unwrap_or(0));
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if text.is_empty() { "it wrote nothing".to_owned() } else { format!("it wrote {text:?}") }
    }
}

/// Creates the file for a worker's standard error.
fn error_file() -> io::Result<File> {
    match memfd_create(c"pi-nvvm-errors", MemfdFlags::CLOEXEC) {
        // Linux before 3.17 lacks this call. The output of a worker before it ends is then lost.
        Err(Errno::NOSYS) => File::options().read(true).write(true).open("/dev/null"),
        created => Ok(File::from(created?)),
    }
}

/// Waits for the started process, which ends immediately because a worker detaches from its parent at once.
fn wait_for_start(child: &mut Child) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if start.elapsed() < START_LIMIT => thread::sleep(Duration::from_micros(300)),
            Ok(None) => {
                child.kill()?;
                child.wait()?;
                return Err(io::Error::other("it is not pi-nvvm: it stays in the foreground"));
            }
            Ok(Some(status)) if !status.success() => return Err(io::Error::other(format!("{status}"))),
            // An error means that other code of the process waits for all children and took the status of this one.
            Ok(Some(_)) | Err(_) => return Ok(()),
        }
    }
}

/// The socket. The deadline applies until the other side sends something.
struct Stream<'a> {
    socket: &'a OwnFile<UnixStream>,
    deadline: Option<Instant>,
}

impl Stream<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        let Some(deadline) = self.deadline else { return Ok(None) };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }

    /// Does an operation with the remaining time, and repeats it after each signal that the program handles.
    fn retry(
        &self,
        mut act: impl FnMut(&UnixStream, Option<Duration>) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match act(self.socket.get()?, self.left()?) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                done => return done,
            }
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let size = self.retry(|mut socket, left| {
            socket.set_read_timeout(left)?;
            socket.read(bytes)
        })?;
        self.deadline = None;
        Ok(size)
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(|socket, left| {
            socket.set_write_timeout(left)?;
            // No signal is raised if the other side is closed, because signals belong to the program.
            Ok(send(socket, bytes, SendFlags::NOSIGNAL)?)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
