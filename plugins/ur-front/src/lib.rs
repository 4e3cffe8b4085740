//! The front of Unified Runtime (UR), which implements its C functions on top of any backend.
//!
//! [`export_adapter!`] makes an adapter from a backend: the `urGet...ProcAddrTable` functions, which fill the tables of
//! every layout from 2025.0 to 2026.2. Each call runs through a stub, which decodes the caller's arguments, calls the
//! backend's traits inside the panic fence, and converts the result to UR's number. A stub serves all layouts unless
//! its signature differs.
//!
//! Handles are counted objects of this crate that wrap the backend's objects ([`handle`]). Numbers are UR's on the
//! outside and the neutral ones of `sycl_pi_backend::types` on the inside ([`convert`], [`encode`]).
//!
//! ```
//! # use sycl_pi_backend::types::ErrorCode;
//! assert_eq!(sycl_ur_front::convert::result(ErrorCode::INVALID_KERNEL), sycl_ur_core::UR_RESULT_ERROR_INVALID_KERNEL);
//! ```
#![allow(non_snake_case, reason = "C functions keep their names")]

mod adapter;
mod capture;
mod command_buffer;
mod connection;
mod context_ownership;
pub mod convert;
pub mod encode;
mod enqueue;
mod entry;
mod export;
pub mod handle;
mod handle_map;
pub mod image;
mod import;
mod info;
mod ipc_handles;
mod launch;
#[doc(hidden)]
pub mod logs;
mod own_queue;
mod parameters;
mod physical_mem;
mod pool;
mod query;
mod queue_command;
#[doc(hidden)]
pub mod stubs;
#[doc(hidden)]
pub mod tables;
mod v2_name;
mod view;

#[doc(hidden)]
pub use sycl_pi_backend as __backend;
#[doc(hidden)]
pub use sycl_ur_core as __core;
