//! The OpenCL driver: its library, its calls as `Result`s, its objects, and what is known of the driver behind one.
//!
//! The only room of this plugin that calls foreign code. Addresses of callers' memory come from pi-plugin's views, which
//! checked what can be checked; that they are what their parameters say is the caller's promise, as in OpenCL itself.

mod command_buffer;
mod dispatch;
mod driver;
mod error;
mod events;
mod functions;
mod handles;
mod interop;
mod jump;
mod jump_back;
mod library;
mod one_sided;
mod owned;
mod turns;
mod usm;
mod waits;

pub(crate) use command_buffer::{NativeBuffer, NativeOrder, command_buffer_version};
pub(crate) use driver::{Driver, Rooted, forget, parse_version};
pub(crate) use error::driver_error;
pub(crate) use events::{EventList, flush_queue_of};
pub(crate) use functions::{Cl, cl};
pub(crate) use handles::{Context, Device, Event, Kernel, Mem, Platform, Program, Queue, Sampler, Wrap};
pub(crate) use interop::{
    adopt, image_desc, image_format, is_for, is_spirv, opaque, program_callback, set_context_deleter,
    set_event_callback, target_spec,
};
pub(crate) use jump::{Jumps, TOO_MANY_ARGUMENTS, is_time};
pub(crate) use library::{exports as library, exports_at_hand as library_at_hand, why_missing};
pub(crate) use owned::Owned;
pub(crate) use usm::{as_owner as usm_as_owner, in_turn as usm_in_turn};
pub(crate) use waits::blocking;

pub(crate) use opencl_sys::*;
