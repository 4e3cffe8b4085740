//! Forks children while the threads work. A child creates and releases objects, and exits. No lock of the plugin may
//! block it. Its driver may, as it is not made for forks, and its threads are gone.

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{null, null_mut};

use anyhow::{Context, Result, bail};
use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::Shared;
use crate::host::call;

/// The number of seconds after which a child reports where it hangs.
const LIMIT: u32 = 5;
const FRAMES: usize = 48;
/// How a child ends: well, its calls are refused, it hangs, or a call failed.
const WELL: c_int = 0;
const REFUSED: c_int = 3;
const HUNG: c_int = 4;
const FAILED: c_int = 5;

unsafe extern "C" {
    fn backtrace(buffer: *mut *mut c_void, size: c_int) -> c_int;
    fn backtrace_symbols_fd(buffer: *const *mut c_void, size: c_int, fd: c_int);
}

/// How children ended.
#[derive(Debug, Default)]
pub(super) struct Children {
    pub(super) well: usize,
    /// Children whose calls were refused, because a thread was in a call for longer than a fork waits.
    pub(super) refused: usize,
    pub(super) in_driver: usize,
    /// Where the first of these hung.
    pub(super) driver: Option<String>,
    pub(super) bad: Vec<String>,
}

/// Loads what a backtrace needs while that is allowed.
pub(super) fn prepare() {
    let mut first = [null_mut(); 1];
    // SAFETY: room for one frame.
    unsafe { backtrace(first.as_mut_ptr(), 1) };
}

/// Forks a child, and waits for it.
pub(super) fn fork_one(shared: &Shared<'_>, children: &mut Children) -> Result<()> {
    let mut pipe = [0; 2];
    // SAFETY: room for two descriptors.
    anyhow::ensure!(unsafe { libc::pipe(pipe.as_mut_ptr()) } == 0, "no pipe");
    // SAFETY: new descriptors, which have no other owner.
    let (from, to) = unsafe { (OwnedFd::from_raw_fd(pipe[0]), OwnedFd::from_raw_fd(pipe[1])) };
    // SAFETY: the child calls the plugin under test, and ends without handlers.
    match unsafe { libc::fork() } {
        -1 => bail!("no fork: {}", std::io::Error::last_os_error()),
        0 => {
            // From here on, standard error is for the backtrace.
            // SAFETY: the handler has the required signature, and the process ends.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                libc::dup2(to.as_raw_fd(), libc::STDERR_FILENO);
                libc::signal(libc::SIGALRM, tell as *const () as usize);
                libc::alarm(LIMIT);
                libc::_exit(match work(shared) {
                    Ok(()) => WELL,
                    Err(error) if error.to_string().contains("was forked while another thread") => REFUSED,
                    Err(error) => {
                        eprintln!("{error}");
                        FAILED
                    }
                })
            }
        }
        child => {
            drop(to);
            let (mut text, mut status) = (String::new(), 0);
            File::from(from).read_to_string(&mut text).context("what a child says")?;
            // SAFETY: this process's child, and room for its status.
            anyhow::ensure!(unsafe { libc::waitpid(child, &mut status, 0) } == child, "no child");
            let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
            match code {
                Some(WELL) => children.well += 1,
                Some(REFUSED) => children.refused += 1,
                Some(HUNG) if !is_in_plugin(&text, shared) => {
                    children.in_driver += 1;
                    children.driver.get_or_insert(text);
                }
                _ => children.bad.push(format!("a child ended with status {status:#x}: {}", text.trim())),
            }
            Ok(())
        }
    }
}

/// Returns whether the innermost library in a backtrace, other than the system's and this program, is the plugin.
fn is_in_plugin(text: &str, shared: &Shared<'_>) -> bool {
    let own = shared.plugin.file_name().unwrap_or_default().to_string_lossy();
    let files = text.lines().filter_map(|line| line.split('(').next()?.rsplit('/').next());
    let mut libraries =
        files.filter(|file| file.contains(".so") && !file.starts_with("libc.so") && !file.starts_with("ld-"));
    libraries.next().is_some_and(|file| file.starts_with(&*own) || file.starts_with("libur_adapter"))
}

extern "C" fn tell(_: c_int) {
    let mut frames = [null_mut(); FRAMES];
    // SAFETY: room for the frames. The process then ends, whatever it was doing.
    unsafe {
        let count = backtrace(frames.as_mut_ptr(), FRAMES as c_int);
        backtrace_symbols_fd(frames.as_ptr(), count, libc::STDERR_FILENO);
        libc::_exit(HUNG);
    }
}

/// The work of a child, with its own objects and its parent's.
fn work(shared: &Shared<'_>) -> Result<(), CallError> {
    let host = &shared.host;
    let queue = host.new_queue(0)?;
    // Without a copy, which would be a command.
    let mut mem = null_mut();
    call!(host, piMemBufferCreate(host.context, PI_MEM_FLAGS_ACCESS_RW, 64, null_mut(), &mut mem, null()))?;
    let kernel = host.kernel(c"add_value")?;
    host.set_mem(kernel, 0, mem)?;
    if shared.has_usm {
        let mut usm = null_mut();
        call!(host, piextUSMSharedAlloc(&mut usm, host.context, host.device, null_mut(), 64, 0))?;
        call!(host, piextUSMFree(host.context, usm))?;
    }
    if shared.has_command_buffers {
        let buffer = shared.new_command_buffer()?;
        call!(host, piextCommandBufferRelease(buffer))?;
    }
    let mut context: pi_context = null_mut();
    let place = (&raw mut context).cast();
    call!(host, piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT, 8, place, null_mut()))?;
    call!(host, piQueueRetain(host.queue))?;
    call!(host, piQueueRelease(host.queue))?;
    let _ = call!(host, piQueueFinish(null_mut()));
    call!(host, piKernelRelease(kernel))?;
    call!(host, piMemRelease(mem))?;
    call!(host, piQueueRelease(queue))
}
