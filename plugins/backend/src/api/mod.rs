//! The traits that a backend implements. There is one trait per object family, and one method per operation.
//!
//! Methods receive decoded arguments (references, slices, dependencies, info requests) and return
//! [`Result`](crate::Result). A method that a backend does not implement returns
//! [`UNSUPPORTED_FEATURE`](crate::types::ErrorCode::UNSUPPORTED_FEATURE). The `doc(alias)` of a method lists the C
//! functions of PI and Unified Runtime that call it.

#[macro_use]
mod objects;

mod bindless;
mod command;
mod command_buffer;
mod context;
mod device;
mod enqueue;
mod enqueue_image;
mod event;
mod ipc;
mod kernel;
mod mem;
mod memory_export;
mod peer;
mod platform;
mod plugin;
mod program;
mod queue;
mod sampler;
mod symbol;
mod usm;
mod virtual_mem;

pub use bindless::{BindlessApi, BindlessUse, ImageCopy};
pub use command::Command;
pub use command_buffer::{CommandBufferApi, LaunchUpdate, NewArg};
pub use context::{ContextApi, ContextCallback, ContextNotify};
pub use device::DeviceApi;
pub use enqueue::EnqueueApi;
pub use enqueue_image::EnqueueImageApi;
pub use event::{EventApi, EventNotify};
pub use ipc::IpcApi;
pub use kernel::{Arg, KernelApi};
pub use mem::{HostPtr, MemApi, check_host_ptr, check_size};
pub use memory_export::MemoryExportApi;
pub use objects::Objects;
pub use peer::PeerApi;
pub use platform::PlatformApi;
pub use plugin::PluginApi;
pub use program::{BuildTarget, ProgramApi, ProgramCallback, ProgramMetadata, ProgramNotify};
pub use queue::{QueueApi, QueueProperties, no_queue_on_device};
pub use sampler::{SamplerApi, SamplerProperties};
pub use symbol::SymbolApi;
pub use usm::{UsmApi, UsmRequest, check_2d, check_advice, check_migration};
pub use virtual_mem::VirtualMemApi;

/// A backend is one type that implements all traits.
pub trait Backend:
    Objects
    + PlatformApi
    + DeviceApi
    + ContextApi
    + QueueApi
    + MemApi
    + ProgramApi
    + KernelApi
    + EventApi
    + SamplerApi
    + EnqueueApi
    + EnqueueImageApi
    + UsmApi
    + SymbolApi
    + PluginApi
    + PeerApi
    + CommandBufferApi
    + BindlessApi
    + VirtualMemApi
    + IpcApi
    + MemoryExportApi
{
}
