//! Whether the thread that exits the process is at work, or waits for another thread.

use std::fs;

/// The thread that exits the process, as other threads see it.
pub(crate) struct ExitingThread {
    /// Its processor-time clock.
    clock: libc::clockid_t,
    /// The file with its state.
    state: String,
}

#[expect(unsafe_code, reason = "the clock of another thread")]
impl ExitingThread {
    /// The calling thread.
    pub(crate) fn current() -> Self {
        let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
        // SAFETY: the thread is this one, and `clock` is writable.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        Self { clock, state: format!("/proc/self/task/{}/stat", rustix::thread::gettid().as_raw_nonzero()) }
    }

    /// Returns whether the thread has something to do, even if it gets no processor.
    pub(crate) fn is_runnable(&self) -> bool {
        // The state follows the name, which is in parentheses and may contain any characters.
        let is_running =
            |line: String| line.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('R'));
        fs::read_to_string(&self.state).is_ok_and(is_running)
    }

    /// Returns the processor time that the thread has used. Returns the same number again if that is unknown.
    pub(crate) fn used(&self) -> (libc::time_t, libc::c_long) {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is writable. The clock of a thread that is gone is an error.
        unsafe { libc::clock_gettime(self.clock, &mut time) };
        (time.tv_sec, time.tv_nsec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;
    use std::thread::{sleep, spawn};
    use std::time::{Duration, Instant};

    #[test]
    fn the_time_that_the_ending_thread_uses_is_seen() {
        let end = ExitingThread::current();
        let before = end.used();
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(5) {}
        assert!(spawn(move || end.used() > before).join().unwrap());
    }

    #[test]
    fn an_ending_thread_without_a_processor_is_not_taken_for_a_blocked_one() {
        let (started, has_started) = channel();
        let (stop, stops) = (Arc::new(AtomicBool::new(false)), channel::<()>());
        let is_over = stop.clone();
        let busy = spawn(move || {
            started.send(ExitingThread::current()).unwrap();
            while !is_over.load(Ordering::Relaxed) {}
        });
        let end = has_started.recv().unwrap();
        assert!((0..20).all(|_| end.is_runnable()), "a thread that computes");
        stop.store(true, Ordering::Relaxed);
        busy.join().unwrap();
        assert!(!end.is_runnable(), "a thread that is gone");
        let (started, has_started) = channel();
        let blocked = spawn(move || {
            started.send(ExitingThread::current()).unwrap();
            let _ = stops.1.recv();
        });
        let end = has_started.recv().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        while end.is_runnable() && Instant::now() < until {
            sleep(Duration::from_millis(1));
        }
        assert!(!end.is_runnable(), "a thread that waits");
        drop(stops.0);
        blocked.join().unwrap();
    }
}
