//! Prints a program that hangs, and ends the process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The current step, or the largest number afterwards.
static STEP: AtomicUsize = AtomicUsize::new(0);

/// Marks the start of another step.
pub(crate) fn at_step(step: usize) {
    STEP.store(step, Ordering::Relaxed);
}

/// A thread that checks the time while programs run.
pub(crate) struct Watchdog {
    /// The time at which the current program counts as hung, and its text.
    program: Arc<Mutex<Option<(Instant, String)>>>,
    limit: Duration,
}

impl Watchdog {
    pub(crate) fn new(limit: Duration) -> Self {
        let program: Arc<Mutex<Option<(Instant, String)>>> = Arc::default();
        let watched = program.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(200));
                let watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((until, text)) = &*watched
                    && Instant::now() > *until
                {
                    let step = match STEP.load(Ordering::Relaxed) {
                        usize::MAX => "in the wait for all queues".to_owned(),
                        step => format!("in step {step}"),
                    };
                    println!("{text}\nhung {step}: the program did not end within {} s", limit.as_secs());
                    std::process::exit(1);
                }
            }
        });
        Self { program, limit }
    }

    /// Marks the start of another program.
    pub(crate) fn begin(&self, text: String) {
        let until = Instant::now() + self.limit;
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = Some((until, text));
    }

    /// Marks that nothing runs.
    pub(crate) fn end(&self) {
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
