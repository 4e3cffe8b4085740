//! A line on a terminal that shows the progress of the run.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::interface::Interface;

pub(crate) struct Progress {
    interface: Interface,
    all: usize,
    begun: AtomicUsize,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(interface: Interface, all: usize) -> Self {
        Self { interface, all, begun: AtomicUsize::new(0), shown: stderr().is_terminal() }
    }

    /// Reports the start of a case.
    pub(crate) fn case(&self, id: &str) {
        let begun = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        if self.shown {
            // A closed terminal is no reason to end the run.
            let _ = write!(stderr(), "\r\x1b[K{}: {begun}/{} {id}", self.interface, self.all);
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
