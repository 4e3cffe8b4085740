//! The CUDA driver, with its library, its calls as functions that return `Result`, its handles, and the current
//! context.
//!
//! This is the only part of the backend that calls foreign code. Addresses of callers' memory come from the front's
//! views, which check them as far as possible. As in CUDA itself, the caller guarantees that they point to what their
//! parameters name.
#![expect(unsafe_code, reason = "the driver's functions, and the memory that they take")]

mod argument_list;
mod code;
mod current;
mod descriptor;
mod error;
mod functions;
mod handles;
mod host;
mod host_flag;
mod interop;
mod jit;
mod library;
mod resource;

pub(crate) use argument_list::ArgumentList;
pub(crate) use code::{Code, NOT_READY, SUCCESS};
pub(crate) use current::{CurrentContext, make_current, with_primary};
pub(crate) use descriptor::{descriptor_of, memory_behind};
pub(crate) use error::driver_error;
pub(crate) use handles::{DriverHandle, from_native};
pub(crate) use host::{
    PORTABLE_AND_MAPPED, PinnedMemory, call_after, copy_bytes, wait_for_copies, write_now,
};
pub(crate) use host_flag::HostFlag;
pub(crate) use interop::{
    call_context_deleter, call_event_notify, call_native, function_name, mem_argument, write_binaries,
};
pub(crate) use jit::{JitFailure, link, load_module};
pub(crate) use library::{cuda, why_missing};
pub(crate) use resource::{
    color_words, event_name, event_name_bytes, ipc_bytes, ipc_handle, memory_of_fd, no_event_name,
    no_ipc_handle, no_shape, of_array, of_memory, of_mipmap, physical_memory, plain_signal, plain_wait,
    semaphore_of_fd, write_value,
};

pub(crate) use cudarc::driver::sys::*;
