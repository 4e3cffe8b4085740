//! The ABI of Unified Runtime (UR) adapters as data.
//!
//! DPC++ 2025.0 to 2026.2 talks to devices through UR: its loader opens an adapter such as `libur_adapter_opencl.so.0`
//! and asks it for tables of functions. Seven [layouts](Layout) of these tables were shipped, under three version
//! numbers. This crate has types, constants and structures under their C names; [the one list](for_each_function) of
//! functions with their slots in each layout; the [tables](TABLES). Nothing here runs: no I/O, no environment, no
//! vendor.
//!
//! ```
//! use sycl_ur_core::{Layout, table};
//!
//! // The distance of the first two tables tells the layout, which the loader does not name.
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
mod layout;
mod structs;
pub mod table;
mod types;

pub use callbacks::*;
pub use consts::*;
pub use layout::Layout;
pub use structs::*;
pub use table::{FUNCTIONS, Family, Function, TABLES, Table};
pub use types::*;
