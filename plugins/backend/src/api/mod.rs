//! The traits that a backend implements: one per object family, one method per operation.
//!
//! Methods receive decoded arguments (references, slices, dependencies, info requests) and return
//! [`Result`](crate::Result). A method that a backend does not implement returns
//! [`UNSUPPORTED_FEATURE`](crate::types::ErrorCode::UNSUPPORTED_FEATURE). The `doc(alias)` of a method lists the C
//! functions of PI and Unified Runtime that call it.

use crate::raw::*;
use crate::types::PlatformBackend;
use crate::{Error, Object};

/// Declares the trait of a family. By default, each method returns the error that this backend does not support it.
macro_rules! api {
    ($(#[$doc:meta])* trait $api:ident {
        $($(#[$method_doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;)*
    }) => {
        $(#[$doc])*
        #[allow(unused_variables, clippy::too_many_arguments)]
        pub trait $api: $crate::api::Objects {
            $(
                $(#[$method_doc])*
                #[allow(unused_parens)]
                fn $name($($arg: $ty),*) -> $crate::Result<($($ret)?)> {
                    Err($crate::api::unsupported::<Self>())
                }
            )*
        }
    };
}

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
pub use peer::PeerApi;
pub use platform::PlatformApi;
pub use plugin::PluginApi;
pub use program::{BuildTarget, ProgramApi, ProgramCallback, ProgramMetadata, ProgramNotify};
pub use queue::{QueueApi, QueueProperties, no_queue_on_device};
pub use sampler::{SamplerApi, SamplerProperties};
pub use symbol::SymbolApi;
pub use usm::{UsmApi, UsmRequest, check_2d, check_advice, check_migration};
pub use virtual_mem::VirtualMemApi;

/// The object types of a backend.
pub trait Objects: Sized + 'static {
    /// The backend's name in error messages, for example "OpenCL".
    const BACKEND: &'static str;
    /// The driver interface of its platforms.
    const INTERFACE: PlatformBackend;
    /// Returns the driver interface that its platforms report. The user may request one that differs from their own.
    fn interface() -> PlatformBackend {
        Self::INTERFACE
    }
    /// Whether handles are the driver's own objects, whose references the driver counts.
    const HANDLES_ARE_NATIVE: bool = false;
    /// Whether binaries may lack lengths, because they are NUL-terminated text.
    const BINARIES_MAY_BE_TEXTS: bool = false;
    /// A platform.
    type Platform: Object<Raw = RawPlatform>;
    /// A device.
    type Device: Object<Raw = RawDevice>;
    /// A context.
    type Context: Object<Raw = RawContext>;
    /// A queue.
    type Queue: Object<Raw = RawQueue>;
    /// A buffer or an image.
    type Mem: Object<Raw = RawMem>;
    /// A program.
    type Program: Object<Raw = RawProgram>;
    /// A kernel.
    type Kernel: Object<Raw = RawKernel>;
    /// An event.
    type Event: Object<Raw = RawEvent>;
    /// A sampler.
    type Sampler: Object<Raw = RawSampler>;
    /// A command buffer.
    type CommandBuffer: Object<Raw = RawCommandBuffer>;
}

/// A backend: one type that implements all traits.
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

/// Returns the error of a method that a backend does not implement.
#[cold]
fn unsupported<B: Objects>() -> Error {
    Error::unsupported(format!("not supported by the {} backend", B::BACKEND))
}
