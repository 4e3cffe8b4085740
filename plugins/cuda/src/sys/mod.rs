//! The CUDA driver: its library, its calls as `Result`s, its handles, and the context that is current.
//!
//! The only room of this plugin that calls foreign code. Addresses of callers' memory come from pi-plugin's views, which
//! checked what can be checked; that they are what their parameters say is the caller's promise, as in CUDA itself.

mod current;
mod error;
mod functions;
mod gate;
mod handles;
mod host;
mod interop;
mod jit;
mod library;
mod params;
mod resource;

pub(crate) use current::{Current, make_current, with_primary};
pub(crate) use error::{NOT_READY, SUCCESS, driver_error};
pub(crate) use functions::Code;
pub(crate) use gate::Gate;
pub(crate) use handles::{Raw, from_native};
pub(crate) use host::{Pinned, call_after, copy_bytes, wait_for_copies, write_now};
pub(crate) use interop::{
    call_context_deleter, call_event_notify, call_native, function_name, write_binaries,
};
pub(crate) use jit::{link, load_module};
pub(crate) use library::{Driver, cuda, why_missing};
pub(crate) use params::Params;
pub(crate) use resource::{
    color_words, memory_of_fd, no_shape, of_array, of_memory, of_mipmap, plain_signal, plain_wait,
    semaphore_of_fd, write_value,
};

pub(crate) use cudarc::driver::sys::*;
