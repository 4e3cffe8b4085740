//! The backend of sycl-pi on oneAPI Level Zero drivers.
//!
//! From the bottom up:
//!
//! - `sys` calls the driver and is the only module with `unsafe`.
//! - `driver` contains the driver's objects, and the pools that reuse them: events, command lists, USM.
//! - `submission` submits a queue's commands to the driver in order, and holds what they need until they are complete.
//! - `objects` contains the objects behind callers' handles: counted objects that hold their parents.
//! - `submit`, `copy`, `fill`, `hint` and `launch` enqueue commands to queues.
//! - The other files implement the traits of the backend, one file per family of entry points.
#![allow(non_snake_case)]
#![allow(missing_debug_implementations, reason = "objects are handles to everybody else")]

mod argument_sizes;
mod backend;
mod bindless;
mod command_buffer;
mod context;
mod copy;
mod device;
mod device_info;
mod driver;
mod enqueue;
mod enqueue_image;
mod event;
mod event_callback;
mod fill;
mod group_size;
mod hint;
mod image_fill;
mod ipc;
mod kernel;
mod kernel_info;
mod launch;
mod mem;
mod memory_export;
mod objects;
mod peer;
mod platform;
mod plugin;
mod program;
mod program_info;
mod queue;
mod sampler;
mod select;
mod submission;
mod submit;
mod symbol;
mod sys;
mod usm;
mod virtual_mem;

pub use backend::LevelZero;

use crate::objects::*;

impl sycl_pi_backend::Backend for LevelZero {}

impl sycl_pi_backend::api::Objects for LevelZero {
    const BACKEND: &'static str = "Level Zero";
    const INTERFACE: sycl_pi_backend::types::PlatformBackend =
        sycl_pi_backend::types::PlatformBackend::LEVEL_ZERO;
    type Platform = PlatformHandle;
    type Device = DeviceHandle;
    type Context = ContextHandle;
    type Queue = QueueHandle;
    type Mem = MemHandle;
    type Program = ProgramHandle;
    type Kernel = KernelHandle;
    type Event = EventHandle;
    type Sampler = SamplerHandle;
    type CommandBuffer = CommandBufferHandle;
}
