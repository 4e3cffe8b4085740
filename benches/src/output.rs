//! What the program prints.

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// Which call is meant.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    /// "context retain + release".
    pub(crate) name: String,
    /// The entry points, by C name.
    pub(crate) entry_points: Vec<String>,
    /// Whether commands go into a queue, so that worker threads run beside.
    pub(crate) queued: bool,
}

/// One number of each side.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Sides<T> {
    pub(crate) ours: T,
    pub(crate) vendor: T,
    pub(crate) bare: T,
}

/// Rounds of one call.
#[derive(Serialize)]
pub(crate) struct Timed {
    #[serde(flatten)]
    pub(crate) call: Call,
    /// Operations in a round.
    pub(crate) batch: usize,
    /// Nanoseconds per operation, round by round.
    pub(crate) rounds: Sides<Vec<f64>>,
    /// The same through a second copy of the vendor's plugin: what equal code differs by.
    pub(crate) again: Vec<f64>,
}

/// Where the calling thread spent its instructions during one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// All but the measuring program's own.
    pub(crate) total: u64,
    /// In the plugin's file.
    pub(crate) plugin: u64,
    /// In the driver that does nothing.
    pub(crate) driver: u64,
    /// Times the driver was entered.
    pub(crate) driver_calls: u64,
}

/// Counts of one call.
#[derive(Serialize)]
pub(crate) struct Counted {
    #[serde(flatten)]
    pub(crate) call: Call,
    pub(crate) counts: Sides<Counts>,
}

/// A whole run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Run<T> {
    /// The PI version that both plugins were loaded for.
    pub(crate) pi: String,
    /// Device and driver.
    pub(crate) device: String,
    /// The calls, in order.
    pub(crate) calls: Vec<T>,
}

pub(crate) fn print<T: Serialize>(run: &Run<T>) -> Result<()> {
    println!("{}", serde_json::to_string(run)?);
    Ok(())
}
