//! Progress of long steps: a live line on a terminal, plain lines elsewhere.

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A step in progress.
#[derive(Debug)]
pub(crate) struct Step {
    what: String,
    start: Clock,
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
        Step { what, start: Clock::start(), said: Cell::new(Instant::now()), bar }
    }

    /// Returns its title.
    pub(crate) fn what(&self) -> &str {
        &self.what
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
        eprintln!("{}{separator}{outcome} ({})", self.what, self.start);
    }
}

/// Measures the time of a step, and the processor time of programs that it started and that have ended. On a machine
/// with other work, only the latter is comparable between runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
    processors: Option<Duration>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Clock { start: Instant::now(), processors: time_of_children() }
    }
}

/// Whether steps run in parallel. The processor time then cannot be assigned to a step.
static ARE_SIDE_BY_SIDE: AtomicBool = AtomicBool::new(false);

/// Sets whether steps run in parallel from now on.
pub(crate) fn side_by_side(are: bool) {
    ARE_SIDE_BY_SIDE.store(are, Ordering::Relaxed);
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.start.elapsed().as_secs_f64())?;
        if ARE_SIDE_BY_SIDE.load(Ordering::Relaxed) {
            return Ok(());
        }
        match (self.processors, time_of_children()) {
            (Some(before), Some(now)) if now > before => {
                write!(f, ", processors {:.1} s", (now - before).as_secs_f64())
            }
            _ => Ok(()),
        }
    }
}

/// Returns the processor time of this process's children and theirs, as counted by Linux: `cutime` and `cstime` of
/// proc(5), in hundredths of a second.
fn time_of_children() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a program's name in parentheses, which may contain blanks.
    let fields = stat.rsplit_once(") ")?.1;
    let ticks: Option<u64> = fields.split(' ').skip(13).take(2).map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(ticks? * 10))
}

/// Prints a message that belongs to no step.
pub(crate) fn info(text: &str) {
    eprintln!("{text}");
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::time_of_children;

    #[test]
    fn the_time_of_a_child_that_has_ended_counts() {
        let before = time_of_children().unwrap();
        let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
        assert!(time_of_children().unwrap() > before);
    }
}
