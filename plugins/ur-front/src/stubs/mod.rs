//! The C functions of the tables, generic over the backend. Each decodes raw arguments and makes one call to the
//! backend.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]
#![allow(
    clippy::too_many_arguments,
    unused_imports,
    reason = "the signatures are UR's, and families use different parts of the prelude"
)]

/// Imports for the stubs of all families.
mod prelude {
    pub(super) use std::ffi::*;

    pub(super) use sycl_pi_backend::types::*;
    pub(super) use sycl_pi_backend::{Backend, Error, Fill, New, Properties, Result};
    pub(super) use sycl_ur_core::*;

    pub(super) use crate::adapter::adapter;
    pub(super) use crate::capture::check_runs;
    pub(super) use crate::convert::{self, error};
    pub(super) use crate::encode::Encode;
    pub(super) use crate::enqueue::{enqueue, enqueue_or_record};
    pub(super) use crate::entry::{entry, no_such_function};
    pub(super) use crate::handle::{ByCaller, adopt, adopt_child, known_or_adopted, origin, permanent};
    pub(super) use crate::info::{Answer, unknown_query};
    pub(super) use crate::query;
    pub(super) use crate::queue_command::QueueCommand;
    pub(super) use crate::view::*;
}

mod adapter;
mod bindless;
mod command_buffer;
mod command_buffer_kernel;
mod command_buffer_mem;
mod command_buffer_update;
mod command_buffer_usm;
mod context;
mod device;
mod enqueue;
mod enqueue_host;
mod event;
mod graph;
mod image;
mod interop;
mod ipc;
mod ipc_event;
mod ipc_physical_mem;
mod kernel;
mod kernel_suggest;
mod mem;
mod memory_export;
mod peer;
mod physical_mem;
mod platform;
mod program;
mod queue;
mod sampler;
mod symbol;
mod tensor_map;
mod usm;
mod usm_async;
mod usm_pool;
mod virtual_mem;

pub use adapter::*;
pub use bindless::*;
pub use command_buffer::*;
pub use command_buffer_kernel::*;
pub use command_buffer_mem::*;
pub use command_buffer_update::*;
pub use command_buffer_usm::*;
pub use context::*;
pub use device::*;
pub use enqueue::*;
pub use enqueue_host::*;
pub use event::*;
pub use graph::*;
pub use image::*;
pub use interop::*;
pub use ipc::*;
pub use ipc_event::*;
pub use ipc_physical_mem::*;
pub use kernel::*;
pub use kernel_suggest::*;
pub use mem::*;
pub use memory_export::*;
pub use peer::*;
pub use physical_mem::*;
pub use platform::*;
pub use program::*;
pub use queue::*;
pub use sampler::*;
pub use symbol::*;
pub use tensor_map::*;
pub use usm::*;
pub use usm_async::*;
pub use usm_pool::*;
pub use virtual_mem::*;
