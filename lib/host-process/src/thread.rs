//! Threads of a library in the process of its program.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use nix::sys::signal::{SigSet, SigmaskHow, Signal};

/// The signals that a fault raises in the faulting thread. If they were blocked, a fault would terminate the process
/// without calling the program's handler.
const FAULTS: [Signal; 6] =
    [Signal::SIGSEGV, Signal::SIGBUS, Signal::SIGFPE, Signal::SIGILL, Signal::SIGTRAP, Signal::SIGSYS];

/// Starts a thread that receives none of the program's signals. Handlers run in threads that the program knows, and
/// signals that the thread's own calls would raise, such as SIGXFSZ, become plain errors of these calls.
///
/// # Errors
///
/// The system cannot start a thread.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    without_signals(|| Builder::new().name(name.to_owned()).spawn(work))
}

/// Starts a thread like [`spawn`] does, which ends within a scope.
///
/// # Errors
///
/// The system cannot start a thread.
pub fn spawn_scoped<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    without_signals(|| Builder::new().name(name.to_owned()).spawn_scoped(scope, work))
}

/// Starts a thread while signals are blocked, because it inherits the signal mask of the thread that starts it.
fn without_signals<T>(start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut signals = SigSet::all();
    FAULTS.into_iter().for_each(|fault| signals.remove(fault));
    let before = signals.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let thread = start();
    if let Ok(before) = before {
        before.thread_set_mask()?;
    }
    thread
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_thread_blocks_signals_and_its_starter_does_not() {
        let (send, receive) = channel();
        let thread = spawn("test", move || send.send(SigSet::thread_get_mask().unwrap()).unwrap()).unwrap();
        thread.join().unwrap();
        let (there, here) = (receive.recv().unwrap(), SigSet::thread_get_mask().unwrap());
        for signal in [Signal::SIGXFSZ, Signal::SIGALRM, Signal::SIGPROF, Signal::SIGCHLD, Signal::SIGTERM] {
            assert!(there.contains(signal) && !here.contains(signal), "{signal}");
        }
        assert!(!there.contains(Signal::SIGSEGV) && !there.contains(Signal::SIGBUS));
    }
}
