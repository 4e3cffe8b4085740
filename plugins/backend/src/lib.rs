//! The traits that a backend of sycl-pi implements, and the code that all backends and fronts share.
//!
//! A backend implements the traits of [`api`] for one type, in safe Rust. A front puts a C interface on top of them: it
//! converts callers' pointers into references and slices ([`view`]), runs each call inside the panic fence ([`fence`]),
//! and records the message of a failed call ([`last_error`]). This crate knows no C interface and no vendor.
//!
//! ```
//! use sycl_pi_backend::types::{DeviceInfo, QueueFlags};
//! use sycl_pi_backend::{NdRange, api::QueueProperties};
//!
//! let range = NdRange { offset: None, global: &[1024, 4], local: None };
//! assert_eq!(range.dims(), 2);
//! let properties = QueueProperties { flags: QueueFlags::PROFILING_ENABLE, compute_index: None };
//! assert!(properties.check().is_ok());
//! assert_eq!(format!("{:?}", DeviceInfo::MAX_COMPUTE_UNITS), "MAX_COMPUTE_UNITS");
//! ```

mod absent;
pub mod api;
mod call_kind;
mod counted;
#[cfg(test)]
mod counted_tests;
mod dependencies;
mod error;
mod faults;
pub mod fence;
mod fill;
mod info;
pub mod last_error;
mod launch_properties;
mod list;
mod native_command;
mod nd_range;
mod object;
mod plain;
mod process_file;
mod properties;
pub mod raw;
pub mod recording;
mod room;
pub mod spirv;
mod sync;
pub mod types;
pub mod view;

pub use absent::{NoObject, absent_feature};
pub use api::Backend;
pub use counted::{AnyShared, Blocks, Counted, CountedKind, Shared};
pub use dependencies::{Dependencies, EventOut, SyncPointDependencies};
pub use error::{Error, Result, cold_error};
pub use fill::{Fill, shortest_pattern};
pub use info::{Info, Output};
pub use launch_properties::LaunchProperties;
pub use list::ListOut;
pub use native_command::native_command_behind_barrier;
pub use nd_range::{NdRange, OwnedRange, Rect};
pub use object::{New, Object};
pub use plain::Plain;
pub use process_file::{can_take_files, take_file};
pub use properties::Properties;
pub use recording::Recording;
pub use room::{copy_of, room};
