//! What a backend implements: one trait per object family, one method per entry point, named by its C name.
//!
//! Methods see decoded arguments (references, slices, wait lists, info requests) and return [`Result`]. A method that a
//! backend leaves out answers "not supported by this backend". Beside each trait stand the stubs that decode the C
//! arguments for it; [`export_plugin!`](crate::export_plugin) puts them into the tables.

use std::ffi::c_void;

use sycl_pi_core::*;

use crate::init::StandIn;
use crate::{Error, Object};

#[macro_use]
mod stub;

mod bindless;
mod command_buffer;
mod context;
mod device;
mod enqueue;
mod enqueue_image;
mod event;
mod jump;
mod kernel;
mod mem;
mod peer;
mod platform;
mod plugin;
mod program;
mod queue;
mod sampler;
mod symbol;
mod usm;

pub use bindless::{BindlessApi, ImageCopy};
pub use command_buffer::CommandBufferApi;
pub use context::{ContextApi, ContextNotify};
pub use device::DeviceApi;
pub use enqueue::EnqueueApi;
pub use enqueue_image::EnqueueImageApi;
pub use event::{EventApi, EventNotify};
pub use jump::{Jump, Way};
pub use kernel::{Arg, KernelApi};
pub use mem::{HostPtr, MemApi};
pub use peer::PeerApi;
pub use platform::PlatformApi;
pub use plugin::PluginApi;
pub use program::{BuildTarget, ProgramApi, ProgramNotify};
pub use queue::{QueueApi, QueueProperties};
pub use sampler::{SamplerApi, SamplerProperties};
pub use symbol::SymbolApi;
pub use usm::{UsmApi, UsmRequest};

/// The object types of a backend.
pub trait Objects: Sized + 'static {
    /// The backend's name in error texts: "OpenCL".
    const BACKEND: &'static str;
    /// True for a backend whose own way to its driver ends at tear-down and asks [`is_torn_down`] before it opens
    /// again: the fence then need not look at each call. Calls that ask no driver are answered as ever.
    ///
    /// [`is_torn_down`]: crate::fence::is_torn_down
    const REFUSES_AFTER_TEAR_DOWN: bool = false;
    /// Whether binaries may come without their lengths: texts that end with a NUL.
    const BINARIES_MAY_BE_TEXTS: bool = false;
    /// Entry points that are a jump to the driver; `()` for none.
    type Jump: Jump;
    /// Behind `pi_platform`.
    type Platform: Object<Raw = _pi_platform>;
    /// Behind `pi_device`.
    type Device: Object<Raw = _pi_device>;
    /// Behind `pi_context`.
    type Context: Object<Raw = _pi_context>;
    /// Behind `pi_queue`.
    type Queue: Object<Raw = _pi_queue>;
    /// Behind `pi_mem`.
    type Mem: Object<Raw = _pi_mem>;
    /// Behind `pi_program`.
    type Program: Object<Raw = _pi_program>;
    /// Behind `pi_kernel`.
    type Kernel: Object<Raw = _pi_kernel>;
    /// Behind `pi_event`.
    type Event: Object<Raw = _pi_event>;
    /// Behind `pi_sampler`.
    type Sampler: Object<Raw = _pi_sampler>;
    /// Behind `pi_ext_command_buffer`.
    type CommandBuffer: Object<Raw = _pi_ext_command_buffer>;
}

/// Everything that a plugin answers.
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
{
}

impl<B> Backend for B where
    B: Objects
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
{
}

/// The answer of a method that a backend leaves out.
#[cold]
fn unsupported<B: Objects>() -> Error {
    Error::unsupported(format!("not supported by the {} backend", B::BACKEND))
}

/// The functions of older tables that hosts know under the same name and signature.
#[doc(hidden)]
pub fn stand_ins<B: Backend>() -> [StandIn; 1] {
    let function = stubs::piEventGetInfo_until_12_27::<B>;
    [StandIn { name: "piEventGetInfo", until: Version::V12_27, function: function as *const c_void }]
}

/// The C functions of the tables, generic over the backend.
#[doc(hidden)]
pub mod stubs {
    pub use super::bindless::stubs::*;
    pub use super::command_buffer::stubs::*;
    pub use super::context::stubs::*;
    pub use super::device::stubs::*;
    pub use super::enqueue::stubs::*;
    pub use super::enqueue_image::stubs::*;
    pub use super::event::stubs::*;
    pub use super::kernel::stubs::*;
    pub use super::mem::stubs::*;
    pub use super::peer::stubs::*;
    pub use super::platform::stubs::*;
    pub use super::plugin::last_error_stub::*;
    pub use super::plugin::stubs::*;
    pub use super::program::stubs::*;
    pub use super::queue::stubs::*;
    pub use super::sampler::stubs::*;
    pub use super::symbol::stubs::*;
    pub use super::usm::stubs::*;
}
