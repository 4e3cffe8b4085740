//! libpi_level_zero.so: the SYCL Plugin Interface on oneAPI Level Zero drivers.
//!
//! Every PI handle is a counted object of the plugin's own over the driver's: children hold their parents. One file per
//! object family; `sys` is the only place that calls the driver. What a command needs until it is done is held by its
//! queue ([`lane`]); events are recycled ([`signal`], [`pool`]); small USM blocks come from slabs ([`usm_pool`]).
#![allow(non_snake_case)]

macro_rules! kind {
    ($body:ty, $raw:ident, $invalid:ident) => {
        impl sycl_pi_backend::CountedKind for $body {
            type Raw = sycl_pi_backend::types::$raw;
            const INVALID: sycl_pi_backend::types::ErrorCode = sycl_pi_backend::types::$invalid;
            // The type's name without its underscore.
            const NAME: &'static str = stringify!($raw).split_at(1).1;

            fn blocks() -> &'static sycl_pi_backend::Blocks {
                static BLOCKS: sycl_pi_backend::Blocks = sycl_pi_backend::Blocks::new();
                &BLOCKS
            }
        }
    };
}

mod arguments;
mod bindless;
mod buffer;
mod command_buffer;
mod context;
mod copy;
mod device;
mod device_info;
mod engine;
mod enqueue;
mod enqueue_image;
mod event;
mod event_callback;
mod group_size;
mod image;
mod image_fill;
mod kernel;
mod kernel_info;
mod lane;
mod launch;
mod mem;
mod module;
mod peer;
mod platform;
mod plugin;
mod pool;
mod program;
mod program_info;
mod queue;
mod sampler;
mod select;
mod signal;
mod symbol;
mod sys;
mod tracks;
mod usm;
mod usm_pool;

use sycl_pi_backend::{Counted, Kind};

/// The Level Zero backend.
pub struct LevelZero;

pub(crate) type Platform = Counted<platform::Body>;
pub(crate) type Device = Counted<device::Body>;
pub(crate) type Context = Counted<context::Body>;
pub(crate) type Queue = Counted<queue::Body>;
pub(crate) type Mem = Counted<mem::Body>;
pub(crate) type Program = Counted<program::Body>;
pub(crate) type Kernel = Counted<kernel::Body>;
pub(crate) type Event = Counted<event::Body>;
pub(crate) type Sampler = Counted<sampler::Body>;
pub(crate) type CommandBuffer = Counted<command_buffer::Body>;

/// The handle of a live object.
pub(crate) fn handle<T: Kind>(object: &Counted<T>) -> *mut T::Raw {
    std::ptr::from_ref(object).cast_mut().cast()
}

impl sycl_pi_backend::api::Objects for LevelZero {
    const BACKEND: &'static str = "Level Zero";
    type Jump = ();
    type Platform = Platform;
    type Device = Device;
    type Context = Context;
    type Queue = Queue;
    type Mem = Mem;
    type Program = Program;
    type Kernel = Kernel;
    type Event = Event;
    type Sampler = Sampler;
    type CommandBuffer = CommandBuffer;
}

