//! Tests of the front that need no driver.
#![expect(unsafe_code, reason = "the tests open a plugin")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod declared;
mod numbers;
mod own_plugin;
