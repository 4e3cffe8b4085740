//! libpi_cuda.so: the SYCL Plugin Interface on NVIDIA's driver.
//!
//! Handles are counted objects of the plugin's own. One file per object family; `sys` is the only place that calls the
//! driver. What costs nothing stays undone: an event is recorded when somebody needs it or when the next command follows
//! it, and a context is made current only where another one is.
#![allow(non_snake_case)]

mod bindless;
mod clock;
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
mod kernel;
mod launch;
mod mark;
mod mem;
mod metadata;
mod peer;
mod pixel;
mod platform;
mod plugin;
mod program;
mod queue;
mod sampler;
mod select;
mod slots;
mod staging;
mod stream;
mod submit;
mod symbol;
mod sys;
mod usm;
mod watcher;
mod work_group;

use sycl_pi_backend::Counted;

/// The CUDA backend.
pub struct Cuda;

impl sycl_pi_backend::api::Objects for Cuda {
    const BACKEND: &'static str = "CUDA";
    /// PTX.
    const BINARIES_MAY_BE_TEXTS: bool = true;
    type Jump = ();
    type Platform = Counted<platform::Platform>;
    type Device = Counted<device::Device>;
    type Context = Counted<context::Context>;
    type Queue = Counted<queue::Queue>;
    type Mem = Counted<mem::Mem>;
    type Program = Counted<program::Program>;
    type Kernel = Counted<kernel::Kernel>;
    type Event = Counted<event::Event>;
    type Sampler = Counted<sampler::Sampler>;
    type CommandBuffer = Counted<command_buffer::Recorder>;
}

/// Gives a kind its raw type, its error code, its name and its blocks.
macro_rules! kind {
    ($kind:ty, $raw:ident, $invalid:ident, $name:literal) => {
        impl sycl_pi_backend::CountedKind for $kind {
            type Raw = sycl_pi_backend::types::$raw;
            const INVALID: sycl_pi_backend::types::ErrorCode = sycl_pi_backend::types::$invalid;
            const NAME: &'static str = $name;

            fn blocks() -> &'static sycl_pi_backend::Blocks {
                static BLOCKS: sycl_pi_backend::Blocks = sycl_pi_backend::Blocks::new();
                &BLOCKS
            }
        }
    };
}
pub(crate) use kind;

