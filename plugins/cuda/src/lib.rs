//! The CUDA backend of sycl-pi: SYCL's device layer on NVIDIA's driver.
//!
//! Handles are counted objects of the backend itself. There is one file per object family, and only `sys` calls the
//! driver. Work that may never be needed is deferred. An event is recorded only if a caller holds it, and then only
//! when the next command follows or the caller queries it. A context is made current only if another one is current.
#![allow(non_snake_case)]
#![allow(missing_debug_implementations, reason = "objects are handles to everybody else")]

mod backend;
mod bindless;
mod command_buffer;
mod context;
mod copy;
mod device;
mod device_info;
mod enqueue;
mod enqueue_image;
mod event;
mod fill;
mod image;
mod ipc;
mod kernel;
mod launch;
mod mem;
mod memory;
mod memory_export;
pub mod native_stream;
mod opencl;
mod peer;
mod platform;
mod plugin;
mod program;
mod queue;
mod sampler;
mod submit;
mod symbol;
mod sys;
mod usm;
mod virtual_mem;

pub use backend::Cuda;

use sycl_pi_backend::Counted;

impl sycl_pi_backend::Backend for Cuda {}

impl sycl_pi_backend::api::Objects for Cuda {
    const BACKEND: &'static str = "CUDA";
    const INTERFACE: sycl_pi_backend::types::PlatformBackend = sycl_pi_backend::types::PlatformBackend::CUDA;

    fn interface() -> sycl_pi_backend::types::PlatformBackend {
        opencl::interface()
    }

    /// PTX is text.
    const BINARIES_MAY_BE_TEXTS: bool = true;
    type Platform = Counted<platform::Platform>;
    type Device = Counted<device::device_object::Device>;
    type Context = Counted<context::Context>;
    type Queue = Counted<queue::Queue>;
    type Mem = Counted<mem::Mem>;
    type Program = Counted<program::Program>;
    type Kernel = Counted<kernel::Kernel>;
    type Event = Counted<event::event_object::Event>;
    type Sampler = Counted<sampler::Sampler>;
    type CommandBuffer = Counted<command_buffer::CommandBuffer>;
}
