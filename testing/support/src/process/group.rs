//! A running child process.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use wait_timeout::ChildExt;

use super::End;

/// How often progress is checked. The end of a process is noticed at once.
const STEP: Duration = Duration::from_millis(50);

/// A running child process that leads a new process group. The group is killed on drop.
#[derive(Debug)]
pub struct Process {
    child: Child,
}

impl Process {
    /// Starts `command` with the streams that the caller chose for it.
    ///
    /// # Errors
    /// Fails if the program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        Ok(Self { child: command.process_group(0).spawn()? })
    }

    /// Returns the pipe to its standard input, once, if the command requested one.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Returns the pipe from its standard output, once, if the command requested one.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Returns the pipe from its standard error, once, if the command requested one.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits for its end, and kills the group after `limit`.
    ///
    /// # Errors
    /// Fails if the system cannot wait for it or kill it.
    pub fn wait(&mut self, limit: Duration) -> io::Result<End> {
        self.wait_while(limit, || 0)
    }

    /// Like [`wait`](Self::wait), but the time limit restarts whenever the number that `progress` returns changes.
    ///
    /// # Errors
    /// Fails if the system cannot wait for it or kill it.
    pub fn wait_while(&mut self, limit: Duration, mut progress: impl FnMut() -> u64) -> io::Result<End> {
        let (mut last, mut since) = (progress(), Instant::now());
        loop {
            let left = limit.saturating_sub(since.elapsed());
            if let Some(status) = self.child.wait_timeout(left.min(STEP))? {
                return Ok(status.into());
            }
            let now = progress();
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() >= limit {
                self.kill()?;
                return Ok(End::TimedOut(limit));
            }
        }
    }

    /// Kills the process and every process in its group, and returns how the process ended.
    ///
    /// # Errors
    /// Fails if the system cannot kill it or wait for it.
    pub fn kill(&mut self) -> io::Result<End> {
        self.kill_group()?;
        Ok(self.child.wait()?.into())
    }

    pub(crate) fn kill_group(&self) -> io::Result<()> {
        match killpg(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGKILL) {
            // Everything in the group has ended.
            Err(Errno::ESRCH) => Ok(()),
            result => Ok(result?),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Do not kill after the process was waited for, because another group may already have its number.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.kill();
        }
    }
}
