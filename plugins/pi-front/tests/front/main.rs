//! Tests of the front that need no driver.

mod numbers;
mod own_plugin;
