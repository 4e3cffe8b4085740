//! The lifetime of this process: how it detaches from its parent, and when it ends.

use std::ffi::c_int;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::ptr::null_mut;
use std::thread;
use std::time::{Duration, Instant};

use super::close::close_all_but_standard;

/// Leaves the parent and its terminal by forking. Returns false in the process that was started, which then ends,
/// and true in its copy, which does the work.
///
/// The signals are those of a new process, and only the three standard files are open.
pub(crate) fn detach() -> bool {
    // SAFETY: the process has one thread, so that its copy is complete.
    let copy = unsafe { libc::fork() };
    if copy > 0 {
        return false;
    }
    // SAFETY: these calls take numbers and a local set of signals. The process does not use any other file yet.
    unsafe {
        // Keys of the terminal are meant for the program, not for its workers.
        libc::setsid();
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, null_mut());
        // libnvvm's output goes to a file. If it exceeds the program's limit for file sizes, the worker should not
        // be killed.
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        // A crash is expected, and should not write a core file.
        let size = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const size);
    }
    close_all_but_standard();
    // The program's working directory may be unmounted or removed.
    let _ = std::env::set_current_dir("/");
    true
}

/// Returns standard input and output for this program alone. libnvvm's output goes to standard error.
pub(crate) fn take_streams() -> io::Result<(File, OwnedFd)> {
    Ok((File::from(moved(libc::STDIN_FILENO)?), moved(libc::STDOUT_FILENO)?))
}

/// Returns a copy of a standard stream, which is redirected to standard error.
fn moved(stream: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: the numbers of open files.
    let copy = unsafe { libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, 3) };
    // SAFETY: the same as above.
    if copy < 0 || unsafe { libc::dup2(libc::STDERR_FILENO, stream) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a new file.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

/// How often to check for the parent if the system does not report its end.
const LOOK: Duration = Duration::from_secs(1);

/// Ends this process as soon as the other end of `input` is closed, or the parent ends, whatever libnvvm does at
/// that time.
pub(crate) fn end_with(input: &File, parent: Option<i32>) {
    let input = input.as_raw_fd();
    thread::spawn(move || {
        let process = parent.map_or(-1, |parent| {
            // Linux before 5.3 lacks the call. The result is then -1, which the wait below ignores.
            // SAFETY: the call takes two numbers and no memory.
            unsafe { libc::syscall(libc::SYS_pidfd_open, parent, 0) as RawFd }
        });
        let pause = if process < 0 { LOOK.as_millis() as c_int } else { -1 };
        // The end of the input is reported without being requested.
        let mut files = [poll_of(input, 0), poll_of(process, libc::POLLIN)];
        // SAFETY: two entries, whose files stay open.
        while unsafe { libc::poll(files.as_mut_ptr(), 2, pause) } <= 0 {
            if parent.is_some_and(is_gone) {
                break;
            }
        }
        // SAFETY: ends the process without running any of its code.
        unsafe { libc::_exit(0) };
    });
}

/// Returns whether the process of that number has ended.
fn is_gone(process: i32) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        // It has ended, but its own parent has not asked for its status yet.
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])),
        Err(error) => error.kind() == io::ErrorKind::NotFound && Path::new("/proc/self").exists(),
    }
}

/// Waits for a request. Returns false if there is none in that time.
pub(crate) fn wait_for_input(input: &File, limit: Duration) -> bool {
    let mut file = poll_of(input.as_raw_fd(), libc::POLLIN);
    let start = Instant::now();
    loop {
        let left = limit.saturating_sub(start.elapsed());
        let milliseconds = c_int::try_from(left.as_millis()).unwrap_or(c_int::MAX);
        // SAFETY: one entry of an open file.
        match unsafe { libc::poll(&raw mut file, 1, milliseconds) } {
            0 => return false,
            // A signal, e.g. after a stop.
            -1 => {}
            _ => return true,
        }
    }
}

fn poll_of(fd: RawFd, events: i16) -> libc::pollfd {
    libc::pollfd { fd, events, revents: 0 }
}

/// Ends this process without running anything of it.
pub(crate) fn end_now() -> ! {
    // SAFETY: takes a number.
    unsafe { libc::_exit(1) }
}

/// How much of the processor this process has used.
pub(crate) fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: room for a time.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
