//! The OpenCL driver, with its library, its functions as functions that return `Result`, its objects, and the
//! workarounds for single drivers.
//!
//! Only this module calls foreign code. The front has checked addresses of callers' memory as far as that is possible.
//! As in OpenCL itself, the caller guarantees that they point to what their parameters name.
//!
//! From the bottom up:
//!
//! - function tables: [`functions`], [`extensions`];
//! - codes and handles: [`error`], [`handles`];
//! - the library and its platforms: [`places`], [`library`], [`platforms`](mod@platforms);
//! - queries, and data about single drivers: [`query`], [`driver`];
//! - serialized calls, and the end of queues, of threads and of the process: [`serialize`], [`released_queues`],
//!   [`queue_list`], [`held_queues`], [`process_end`], [`thread_end`];
//! - memory that is freed after the commands that use it: [`late_free`].
#![expect(unsafe_code, reason = "the driver's functions, and the memory that they take")]

mod driver;
mod error;
mod events;
mod extensions;
mod functions;
mod handles;
mod held_queues;
mod interop;
mod late_free;
mod library;
mod objects;
mod owned;
mod places;
mod platforms;
mod process_end;
mod process_locks;
mod query;
mod queue_list;
mod released_queues;
mod serialize;
mod thread_end;
mod turn;
mod usm;

pub(crate) use driver::{Driver, HasPlatform, parse_version};
pub(crate) use error::{create, create_raw, new_reference};
pub(crate) use extensions::ExtensionFunctions;
pub(crate) use functions::OpenClFunctions;
pub(crate) use handles::{Context, Device, Event, Kernel, Mem, Platform, Program, Queue, Sampler, opaque};
pub(crate) use held_queues::{note_process, note_queue};
pub(crate) use interop::{image_desc, image_format, link, raw_dependencies, set_context_deleter};
pub(crate) use late_free::{free_complete, free_late, note_block, watch_queue};
pub(crate) use library::{cl, why_missing};
pub(crate) use owned::{Owned, from_native, native_handle};
pub(crate) use platforms::{driver_failures, platforms};
pub(crate) use process_end::prepare_end;
pub use process_locks::{ProcessLocks, own_locks};
pub(crate) use query::{Queried, has_word};
pub(crate) use released_queues::release_complete;
pub(crate) use serialize::{blocking, finish, wait_for_events};
pub(crate) use thread_end::note_thread;

pub(crate) use opencl_sys::*;
