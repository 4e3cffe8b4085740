//! Reports a crash of the worker: writes the backtrace with libraries to standard error before the process ends
//! with the original signal.

use std::ffi::{c_int, c_void};

const FRAMES: usize = 48;
const STACK: usize = 1 << 16;

unsafe extern "C" {
    fn backtrace(buffer: *mut *mut c_void, size: c_int) -> c_int;
    fn backtrace_symbols_fd(buffer: *const *mut c_void, size: c_int, fd: c_int);
}

extern "C" fn tell(signal: c_int) {
    let mut frames = [std::ptr::null_mut(); FRAMES];
    // SAFETY: `install` loaded the library of glibc's functions, and the buffer has room for the frames.
    unsafe {
        let count = backtrace(frames.as_mut_ptr(), FRAMES as c_int);
        backtrace_symbols_fd(frames.as_ptr(), count, libc::STDERR_FILENO);
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Installs the crash handler on a separate stack, because drivers overflow theirs.
pub(crate) fn install() {
    let stack = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
    let mut first = [std::ptr::null_mut(); 1];
    // A first backtrace loads its libraries while that is still allowed.
    // SAFETY: the stack is never freed, and the handler has the required signature.
    unsafe {
        backtrace(first.as_mut_ptr(), 1);
        libc::sigaltstack(&stack, std::ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = tell as *const () as usize;
        action.sa_flags = libc::SA_ONSTACK;
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}
