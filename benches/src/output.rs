//! The program's output.

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// An operation.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The name, such as "context retain + release".
    pub(crate) name: String,
    /// The entry points, by C name.
    pub(crate) entry_points: Vec<String>,
    /// Whether the driver enters the system: the operation submits commands, waits for them, or creates a queue.
    pub(crate) enters_system: bool,
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
    /// The number of operations in a round.
    pub(crate) batch: usize,
    /// Nanoseconds per operation in each round.
    pub(crate) rounds: Sides<Vec<f64>>,
}

/// A whole run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Run<T> {
    /// The PI version that both plugins were loaded for, or the layout of both adapters.
    pub(crate) version: String,
    /// A description of the device and driver.
    pub(crate) device: String,
    /// The operations, in order.
    pub(crate) calls: Vec<T>,
}

pub(crate) fn print<T: Serialize>(run: &Run<T>) -> Result<()> {
    println!("{}", serde_json::to_string(run)?);
    Ok(())
}
