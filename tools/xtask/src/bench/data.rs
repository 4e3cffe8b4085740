//! What `pi-bench` prints.

use serde::Deserialize;

/// A whole run.
#[derive(Debug, Deserialize)]
pub(super) struct Run<T> {
    pub(super) pi: String,
    pub(super) device: String,
    pub(super) calls: Vec<T>,
}

/// One value of each side.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Sides<T> {
    pub(super) ours: T,
    pub(super) vendor: T,
    pub(super) bare: T,
}

/// Nanoseconds per operation, round by round.
#[derive(Debug, Deserialize)]
pub(super) struct Timed {
    pub(super) name: String,
    pub(super) rounds: Sides<Vec<f64>>,
    /// The same through a second copy of the vendor's plugin.
    pub(super) again: Vec<f64>,
}

/// Instructions of one operation.
#[derive(Debug, Deserialize)]
pub(super) struct Counted {
    pub(super) name: String,
    pub(super) entry_points: Vec<String>,
    pub(super) queued: bool,
    pub(super) counts: Sides<Counts>,
}

/// Instructions by the file that they are in, in front of a driver that does nothing.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Counts {
    pub(super) total: u64,
    pub(super) driver: u64,
    pub(super) driver_calls: u64,
}

impl Counts {
    /// All on the way to the driver: the plugin's, the ICD loader's, the C library's.
    pub(super) fn way(self) -> u64 {
        self.total - self.driver
    }
}
