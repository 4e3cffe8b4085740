//! The ABI of Unified Runtime (UR) adapters as data.
//!
//! DPC++ 2025.0 to 2026.2 talks to devices through UR: its loader opens an adapter such as `libur_adapter_opencl.so.0`
//! and requests tables of functions from it. Seven [layouts](Layout) of these tables were shipped, under three version
//! numbers. This crate defines types, constants and structures under their C names, [the single
//! list](for_each_function) of functions with their slots in each layout, and the [tables](TABLES). It runs no code: it
//! does no I/O, reads no environment variables and knows no vendor.
//!
//! ```
//! use sycl_ur_core::{Layout, table};
//!
//! // The distance between the first two tables identifies the layout, which the loader does not name.
//! assert_eq!(Layout::from_distance(272), Some(Layout::V2025_0));
//!
//! let launch = table::function("urEnqueueKernelLaunch").unwrap();
//! assert_eq!((launch.table, launch.slot(Layout::V2025_3)), ("Enqueue", Some(0)));
//! assert_eq!(launch.slot(Layout::V2026_2), None);
//! ```
#![no_std]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

mod callbacks;
pub mod consts;
mod device_queries;
mod layout;
mod structs;
pub mod table;
mod types;

pub use callbacks::*;
pub use consts::*;
pub use device_queries::device_query_layouts;
pub use layout::Layout;
pub use structs::*;
pub use table::{FUNCTIONS, Family, Function, TABLES, Table};
pub use types::*;
