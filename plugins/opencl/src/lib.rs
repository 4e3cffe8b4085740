//! libpi_opencl.so: the SYCL Plugin Interface on OpenCL drivers.
//!
//! Every PI handle is the OpenCL object itself: nothing is wrapped, and reference counts are the driver's. One file per
//! object family; `sys` is the only place that calls the driver.
#![allow(non_snake_case)]

mod bindless;
mod check;
mod command_buffer;
mod context;
mod device;
mod device_info;
mod enqueue;
mod enqueue_image;
mod event;
mod kernel;
mod mem;
mod peer;
mod platform;
mod plugin;
mod pocl;
mod program;
mod queue;
mod sampler;
mod select;
mod svm;
mod symbol;
mod sys;
mod usm;

/// The OpenCL backend.
pub struct OpenCl;

impl sycl_pi_backend::api::Objects for OpenCl {
    const BACKEND: &'static str = "OpenCL";
    const REFUSES_AFTER_TEAR_DOWN: bool = true;
    type Jump = sys::Jumps;
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

