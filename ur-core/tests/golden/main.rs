//! Compares the tables, the scalar types and the callbacks with data extracted from every release.
//!
//! The facts are in `golden/*.json`. They name eight layouts, because 2026.1.0 has the tables of 2026.0 but more
//! constants.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod callbacks;
mod data;
mod device_queries;
mod functions;
mod layouts;
mod scalars;
mod signatures;
mod tables;
