//! A progress bar while many items are read, if standard error is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewer items take too little time for a bar.
const MANY: usize = 50;

/// Clears itself when dropped.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A `total` of 0 means that the number of items is unknown.
    pub fn start(what: &'static str, total: usize) -> Self {
        let hidden = total > 0 && total < MANY;
        // indicatif draws nothing if standard error is not a terminal.
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = if total == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(total as u64) };
        bar.set_draw_target(target);
        let template = if total == 0 {
            "{spinner} {msg}: {pos} folders"
        } else {
            "{msg} {bar:30} {pos}/{len} items, {eta} left"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(150));
        Self { bar }
    }

    pub fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
