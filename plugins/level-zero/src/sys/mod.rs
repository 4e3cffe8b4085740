//! The driver's calls as safe functions that return `Result`, and all other access to foreign memory.
//!
//! This is the only module with `unsafe`. Handles that are passed to the calls come from live objects of the backend.
//! Addresses of callers' memory come from a front, which has checked everything that can be checked. Apart from that,
//! callers guarantee that addresses match their parameters, as in Level Zero itself.
#![expect(unsafe_code, reason = "the driver's functions, and the memory that they take")]

mod callback;
mod calls;
mod descriptor;
mod error;
mod memory;

pub(crate) use callback::{Across, call_event_notify, call_program_notify};
pub(crate) use calls::{Ze, ze};
pub(crate) use descriptor::descriptor_of;
pub(crate) use error::{error_of, know_drivers, log_failure, named, narrow};
pub(crate) use level_zero_sys::*;
pub(crate) use memory::{Address, HostBytes, copy_in, driver_text, list_of, page_size, text_of};
