//! The OpenCL backend of sycl-pi.
//!
//! Every handle is the OpenCL object itself. Nothing is wrapped, and the driver counts references. Each object family
//! has one file. Only `sys` calls the driver.
#![allow(missing_debug_implementations, reason = "objects are handles to everybody else")]

mod backend;
mod bindless;
mod check;
mod command_buffer;
mod context;
mod device;
mod device_info;
mod enqueue;
mod enqueue_image;
mod event;
mod fill;
mod ipc;
mod kernel;
mod legal;
mod local_args;
mod mem;
mod memory_export;
mod of_programs;
mod peer;
mod platform;
mod plugin;
mod pocl;
mod program;
mod program_info;
mod queue;
mod refused;
mod required_sizes;
#[doc(hidden)]
pub mod retain;
mod sampler;
mod select;
mod sub_groups;
mod svm;
mod symbol;
mod sys;
mod usm;
mod virtual_mem;

pub use backend::OpenCl;
#[doc(hidden)]
pub use sys::{ProcessLocks, own_locks};

impl sycl_pi_backend::Backend for OpenCl {}

impl sycl_pi_backend::api::Objects for OpenCl {
    const BACKEND: &'static str = "OpenCL";
    const INTERFACE: sycl_pi_backend::types::PlatformBackend =
        sycl_pi_backend::types::PlatformBackend::OPENCL;
    const HANDLES_ARE_NATIVE: bool = true;
    type Platform = sys::Platform;
    type Device = sys::Device;
    type Context = sys::Context;
    type Queue = sys::Queue;
    type Mem = sys::Mem;
    type Program = sys::Program;
    type Kernel = sys::Kernel;
    type Event = sys::Event;
    type Sampler = sys::Sampler;
    type CommandBuffer = command_buffer::CommandBuffer;
}
