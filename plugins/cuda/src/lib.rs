//! The CUDA backend of sycl-pi: SYCL's device layer on NVIDIA's driver.
//!
//! Handles are counted objects of the backend itself. There is one file per object family, and only `sys` calls the
//! driver. Work that may never be needed is deferred. An event is recorded only if a caller holds it, and then only
//! when the next command follows or the caller queries it. A context is made current only if another one is current.
#![allow(non_snake_case)]
#![allow(missing_debug_implementations, reason = "objects are handles to everybody else")]

mod bindless;
mod buffer;
mod clock;
mod command_buffer;
mod context;
mod copy;
mod device;
mod device_context;
mod device_image;
mod device_info;
mod device_kernel;
mod device_object;
mod device_program;
mod driver_handle;
mod enqueue;
mod enqueue_copy;
mod enqueue_image;
mod event;
mod event_callback;
mod event_ipc;
mod event_object;
mod event_pool;
mod fill;
mod freed_memory;
mod host_event;
mod host_registration;
mod image;
mod ipc;
mod kernel;
mod kernel_args;
mod kernel_modules;
mod kernel_parameters;
mod kernel_variant;
mod launch;
mod launch_properties;
mod map;
mod mem;
mod mem_advice;
mod memory_export;
mod metadata;
pub mod native_stream;
mod opencl;
mod pageable_copy;
mod peer;
mod physical_mem_ipc;
mod pixel;
mod platform;
mod plugin;
mod pointer;
mod pooled_event;
mod program;
mod program_binary;
mod queue;
mod rect;
mod sampler;
mod spirv;
mod staging;
mod stream;
mod stream_events;
mod stream_pool;
mod submit;
mod symbol;
mod sys;
mod usm;
mod usm_memory;
mod virtual_mem;
mod work_group;

use sycl_pi_backend::Counted;

/// The CUDA backend.
#[derive(Debug)]
pub struct Cuda;

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
    type Device = Counted<device_object::Device>;
    type Context = Counted<context::Context>;
    type Queue = Counted<queue::Queue>;
    type Mem = Counted<mem::Mem>;
    type Program = Counted<program::Program>;
    type Kernel = Counted<kernel::Kernel>;
    type Event = Counted<event_object::Event>;
    type Sampler = Counted<sampler::Sampler>;
    type CommandBuffer = Counted<command_buffer::CommandBuffer>;
}
