//! The front before a backend that notes what reaches it.
#![expect(unsafe_code, reason = "the tests call C functions")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod commands;
mod fake;
mod images;
mod kernels;
mod memory;
mod objects;
mod queries;
