//! The Level Zero driver: its calls as `Result`s with the driver's words, and what else touches memory of others.
//!
//! The only room of this plugin with `unsafe`. Handles that reach the calls here come from live objects of the plugin;
//! addresses of callers' memory come from pi-plugin's views, which checked what can be checked. That they are what their
//! parameters say is the caller's promise, as in Level Zero itself.

mod callback;
mod calls;
mod error;
mod memory;

pub(crate) use callback::{Across, call_event_notify, call_program_notify};
pub(crate) use calls::ze;
pub(crate) use error::{error_of, know_drivers, log_failure, named, narrow};
pub(crate) use level_zero_sys::*;
pub(crate) use memory::{Address, HostBytes, binary_slots, copy_in, driver_text, put_size, text_of};
