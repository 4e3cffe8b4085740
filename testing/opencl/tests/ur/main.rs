//! Tests of the Unified Runtime adapter's functions that PI lacks, on the environment's OpenCL driver.
#![expect(unsafe_code, reason = "the tests call an adapter")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod command_buffer;
mod context;
mod device_info;
mod driver_calls;
mod host;
mod kernel;
mod log;
mod native_command;
mod pool;
mod timestamp;
