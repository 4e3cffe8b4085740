//! The program's output.

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// An operation.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    /// Such as "context retain + release".
    pub(crate) name: String,
    /// The entry points, by C name.
    pub(crate) entry_points: Vec<String>,
    /// Whether it submits commands or waits for them, so that the driver's threads run at the same time.
    pub(crate) queued: bool,
}

/// One number of each side.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Sides<T> {
    pub(crate) ours: T,
    pub(crate) vendor: T,
    pub(crate) bare: T,
}

/// Times of one operation.
#[derive(Serialize)]
pub(crate) struct Timed {
    #[serde(flatten)]
    pub(crate) call: Call,
    /// Operations in a round.
    pub(crate) batch: usize,
    /// Nanoseconds per operation, round by round.
    pub(crate) rounds: Sides<Vec<f64>>,
}

/// Instructions of the calling thread during one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// All except the measuring program's own.
    pub(crate) total: u64,
    /// In the plugin's file.
    pub(crate) plugin: u64,
    /// In the idle driver.
    pub(crate) driver: u64,
    /// Times the driver was entered.
    pub(crate) driver_calls: u64,
}

/// Instructions of one operation, on each side.
#[derive(Serialize)]
pub(crate) struct Counted {
    #[serde(flatten)]
    pub(crate) call: Call,
    pub(crate) counts: Sides<Counts>,
}

/// System calls of one operation on the driver alone.
#[derive(Serialize)]
pub(crate) struct SystemCalls {
    #[serde(flatten)]
    pub(crate) call: Call,
    /// On average: fewer than one where only some of the operations enter the system.
    pub(crate) system_calls: f64,
}

/// A whole run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Run<T> {
    /// The PI version that both plugins were loaded for, or the layout of both adapters.
    pub(crate) version: String,
    /// Device and driver, in words.
    pub(crate) device: String,
    /// The operations, in order.
    pub(crate) calls: Vec<T>,
}

pub(crate) fn print<T: Serialize>(run: &Run<T>) -> Result<()> {
    println!("{}", serde_json::to_string(run)?);
    Ok(())
}
