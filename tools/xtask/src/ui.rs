//! Progress of long steps: a live line on a terminal, plain lines elsewhere.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// One step in progress.
#[derive(Debug)]
pub(crate) struct Step {
    what: String,
    start: Instant,
    said: Cell<Instant>,
    bar: Option<ProgressBar>,
}

impl Step {
    /// Announces a step.
    pub(crate) fn start(what: impl Into<String>) -> Self {
        let what = what.into();
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
                bar.set_style(style);
            }
            bar.set_message(what.clone());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        if bar.is_none() {
            eprintln!("{what} ...");
        }
        Step { what, start: Instant::now(), said: Cell::new(Instant::now()), bar }
    }

    /// Shows what the step is doing. Without a terminal it prints at most four times a minute.
    pub(crate) fn note(&self, detail: &str) {
        let text = format!("{}: {detail}", self.what);
        if let Some(bar) = &self.bar {
            bar.set_message(text);
        } else if self.said.get().elapsed() > Duration::from_secs(15) {
            self.said.set(Instant::now());
            eprintln!("{text}");
        }
    }

    /// Ends the step and reports it with its time.
    pub(crate) fn done(self, outcome: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let separator = if outcome.is_empty() { "" } else { ": " };
        eprintln!("{}{separator}{outcome} ({:.1} s)", self.what, self.start.elapsed().as_secs_f64());
    }
}

/// Prints a message that belongs to no step.
pub(crate) fn info(text: &str) {
    eprintln!("{text}");
}
