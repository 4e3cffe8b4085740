//! Compares this crate with the golden data, which was extracted from shipped binaries and headers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod advice;
mod data;
mod functions;
mod layouts;
mod structs;
