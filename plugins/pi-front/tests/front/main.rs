//! Tests of the front that need no driver.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod numbers;
mod own_plugin;
