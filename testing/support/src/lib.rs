//! Shared code of tests: child processes with a time limit ([`process`]), the day of a sample ([`day`]) and, with the feature `plugins`, what tests of a
//! built plugin call and run.

pub mod day;
#[cfg(feature = "plugins")]
mod plugin;
pub mod process;

#[cfg(feature = "plugins")]
pub use plugin::*;
