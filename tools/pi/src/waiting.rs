//! A line that shows what takes time, if standard error is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Output;

/// Clears itself when dropped.
pub struct Waiting {
    bar: ProgressBar,
}

impl Waiting {
    /// Shows nothing with --quiet.
    pub fn start(output: &Output) -> Self {
        let bar = ProgressBar::new_spinner();
        // indicatif draws nothing if standard error is not a terminal.
        let quiet = output.is_quiet();
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed:>4}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(150));
        Self { bar }
    }

    /// Shows what is being done now.
    pub fn on(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
