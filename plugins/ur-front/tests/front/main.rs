//! The front before a backend that notes what reaches it.
#![expect(unsafe_code, reason = "the tests call C functions")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod buffer_commands;
mod captures;
mod commands;
mod events;
mod fake;
mod fake_commands;
mod fake_memory;
mod fake_objects;
mod fake_sharing;
mod images;
mod imports;
mod kernels;
mod memory;
mod natives;
mod objects;
mod pools;
mod programs;
mod queries;
mod sharing;
