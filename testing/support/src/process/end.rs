//! How a process ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use nix::sys::signal::Signal;

/// How a process ended. [`Display`](fmt::Display) puts it into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It exited with this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// It was killed because it exceeded this time limit.
    TimedOut(Duration),
}

impl End {
    /// Returns whether the process exited with code 0.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }

    /// Returns whether the process was killed at its time limit.
    pub fn is_timeout(self) -> bool {
        matches!(self, Self::TimedOut(_))
    }

    /// Returns the exit code, if the process exited by itself.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            _ => None,
        }
    }
}

impl From<ExitStatus> for End {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            // A process that was waited for has either a code or a signal.
            (None, signal) => Self::Signal(signal.unwrap_or_default()),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "ended with code {code}"),
            Self::Signal(number) => match Signal::try_from(*number) {
                Ok(signal) => write!(f, "ended by signal {number} ({signal})"),
                Err(_) => write!(f, "ended by signal {number}"),
            },
            Self::TimedOut(limit) => write!(f, "no end within {} s", limit.as_secs_f64()),
        }
    }
}
