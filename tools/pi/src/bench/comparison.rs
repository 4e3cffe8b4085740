//! The result of the measuring program.

use serde::{Deserialize, Serialize};

/// A result, as the measuring program prints it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The PI version of both plugins, or the layout of both adapters.
    pub version: String,
    /// Device and driver, in words.
    pub device: String,
    pub calls: Vec<MeasuredCall>,
}

/// Nanoseconds of one operation.
#[derive(Debug, Serialize, Deserialize)]
pub struct MeasuredCall {
    pub name: String,
    pub ours: f64,
    pub vendor: f64,
    /// With the driver alone.
    pub bare: f64,
}
