//! What every PI plugin needs at the C boundary, once.
//!
//! A backend implements the traits of [`api`] for one type, in safe Rust, and calls [`export_plugin!`]. The macro makes
//! the exported symbols and the tables of all PI versions. Each call then runs through a stub here, which checks and
//! decodes the caller's pointers ([`view`]), keeps panics in ([`fence`]), and turns a [`Result`] into a `pi_result`
//! with a text for `piPluginGetLastError` ([`last_error`]).
//!
//! This crate is the one home of `unsafe` about callers' memory. It knows no vendor and no object's meaning.
#![allow(non_snake_case)]

pub mod api;
mod counted;
#[cfg(test)]
mod counted_tests;
mod error;
mod exclusive;
mod export;
pub mod fence;
pub mod info;
pub mod init;
pub mod last_error;
mod list;
pub mod logger;
mod object;
mod order;
mod range;
pub mod recording;
pub mod spirv;
mod sync;
pub mod view;

pub use api::Backend;
pub use counted::{Blocks, Counted, Kind, Shared};
pub use error::{Error, Result, cold_case, cold_error};
pub use exclusive::{Exclusive, Guard};
pub use info::{Info, Room};
pub use list::ListOut;
pub use object::{New, Object};
pub use order::{EventOut, Order, PointOrder};
pub use range::{NdRange, Rect};
pub use recording::Recording;
pub use view::Properties;

#[doc(hidden)]
pub use sycl_pi_core as __pi_core;
