//! A program that hangs is shown, and the process ends.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The step that runs; the largest number afterwards.
static STEP: AtomicUsize = AtomicUsize::new(0);

/// Another step begins.
pub(crate) fn at_step(step: usize) {
    STEP.store(step, Ordering::Relaxed);
}

/// Looks at the clock while programs run.
pub(crate) struct Watchdog {
    /// When the program that runs counts as hung, and its text.
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

    /// Another program begins.
    pub(crate) fn begin(&self, text: String) {
        let until = Instant::now() + self.limit;
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = Some((until, text));
    }

    /// Nothing runs.
    pub(crate) fn end(&self) {
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
