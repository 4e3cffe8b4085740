//! Open files of other processes, duplicated by number with `pidfd_getfd` of Linux 5.6.
#![expect(unsafe_code, reason = "calls of the system")]

use std::ffi::{c_int, c_long};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use crate::error::{Error, Result};
use crate::types::ErrorCode;

/// Returns whether the system can duplicate files of other processes: older kernels cannot, and sandboxes may forbid
/// it. Tries it with this process.
pub fn can_take_files() -> bool {
    process(std::process::id()).and_then(|this| file(&this, this.as_raw_fd())).is_ok()
}

/// Duplicates the file that another process has open under `number`. Both processes must have the same user, and unless
/// `kernel.yama.ptrace_scope` is 0, the other one must allow it.
pub fn take_file(of: u32, number: c_int) -> Result<OwnedFd> {
    process(of).and_then(|process| file(&process, number)).map_err(|error| {
        let code = match error.raw_os_error() {
            Some(libc::EPERM) => ErrorCode::INVALID_OPERATION,
            Some(libc::ENOSYS) => ErrorCode::UNSUPPORTED_FEATURE,
            Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM) => ErrorCode::OUT_OF_RESOURCES,
            _ => ErrorCode::INVALID_VALUE,
        };
        let hint = match code {
            ErrorCode::INVALID_OPERATION => {
                ": both processes need one user; where kernel.yama.ptrace_scope is not 0, the other one has to allow it with \
                 prctl(PR_SET_PTRACER)"
            }
            ErrorCode::INVALID_VALUE => ": that process has ended, or the handle was put back",
            ErrorCode::UNSUPPORTED_FEATURE => ": Linux has it from 5.6 on",
            _ => "",
        };
        Error::new(code, format!("pidfd_getfd of file {number} of process {of}: {error}{hint}"))
    })
}

fn process(number: u32) -> io::Result<OwnedFd> {
    // SAFETY: pidfd_open takes a process number and flags, and accesses none of our memory.
    let answer = unsafe { libc::syscall(libc::SYS_pidfd_open, number, 0) };
    owned(answer)
}

fn file(process: &OwnedFd, number: c_int) -> io::Result<OwnedFd> {
    // SAFETY: pidfd_getfd takes an open process, a number and flags, and accesses none of our memory.
    let answer = unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), number, 0) };
    owned(answer)
}

/// Converts the result of a system call to the file that it opened, or to its error.
fn owned(answer: c_long) -> io::Result<OwnedFd> {
    match c_int::try_from(answer) {
        // SAFETY: the system has just opened it for this call, and no other code knows the number.
        Ok(file) if file >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(file) }),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_is_taken_by_its_number() {
        let (mut end, other_end) = std::io::pipe().unwrap();
        let taken = take_file(std::process::id(), other_end.as_raw_fd()).unwrap();
        drop(other_end);
        io::Write::write_all(&mut std::fs::File::from(taken), b"same").unwrap();
        let mut text = String::new();
        end.read_to_string(&mut text).unwrap();
        assert_eq!(text, "same");
    }

    #[test]
    fn a_file_that_is_not_open_is_an_error_with_the_numbers() {
        let this = std::process::id();
        let error = take_file(this, 1 << 20).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_VALUE);
        assert!(error.to_string().contains(&format!("file 1048576 of process {this}")), "{error}");
    }
}
