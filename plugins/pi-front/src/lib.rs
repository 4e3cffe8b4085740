//! The front of the Plugin Interface (PI), which implements its C functions on top of any backend.
//!
//! [`export_plugin!`] makes a plugin from a backend: the exported symbols, and the tables of all PI versions. Each call
//! runs through a stub, which decodes the caller's arguments, calls one method of the backend's traits inside the panic
//! fence, and converts the result to PI's number. PI's numbers are those of `sycl_pi_backend::types`, which a test
//! verifies. The exceptions are in [`convert`].
//!
//! ```
//! # use sycl_pi_backend::types::ErrorCode;
//! assert_eq!(sycl_pi_front::convert::result(ErrorCode::INVALID_VALUE), sycl_pi_core::PI_ERROR_INVALID_VALUE);
//! ```
#![allow(non_snake_case, reason = "C functions keep their names")]

pub mod convert;
mod entry;
mod export;
#[doc(hidden)]
pub mod init;
mod parameters;
#[doc(hidden)]
pub mod stubs;
mod view;

#[doc(hidden)]
pub use sycl_pi_backend as __backend;
#[doc(hidden)]
pub use sycl_pi_core as __core;
