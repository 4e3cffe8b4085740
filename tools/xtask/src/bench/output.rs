//! The output of `pi-bench`.

use serde::{Deserialize, Serialize};

/// A whole run.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Run<T> {
    /// The PI version of both plugins, or the layout of both adapters.
    pub(crate) version: String,
    pub(crate) device: String,
    pub(crate) calls: Vec<T>,
}

/// One value for each side.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(crate) struct Sides<T> {
    pub(crate) ours: T,
    pub(crate) vendor: T,
    pub(crate) bare: T,
}

/// Nanoseconds per operation, round by round.
#[derive(Debug, Deserialize)]
pub(crate) struct Timed {
    pub(crate) name: String,
    pub(crate) entry_points: Vec<String>,
    /// Whether it submits commands or waits for them.
    pub(crate) queued: bool,
    pub(crate) rounds: Sides<Vec<f64>>,
}

/// System calls of one operation on the driver alone.
#[derive(Debug, Deserialize)]
pub(crate) struct SystemCalls {
    pub(crate) name: String,
    pub(crate) system_calls: f64,
}

/// Instructions of one operation.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Counted {
    pub(crate) name: String,
    pub(crate) counts: Sides<Counts>,
}

/// Instructions by the file that they are in, in front of an idle driver.
#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
pub(crate) struct Counts {
    pub(crate) total: u64,
    pub(crate) driver: u64,
    pub(crate) driver_calls: u64,
}

impl Counts {
    /// All on the way to the driver: the plugin's, the ICD loader's, the C library's.
    pub(crate) fn to_the_driver(self) -> u64 {
        self.total - self.driver
    }

    /// Whether anything was counted. Where the vendor's plugin cannot be counted, all numbers are 0.
    pub(crate) fn is_counted(self) -> bool {
        self.total > 0 || self.driver_calls > 0
    }
}
