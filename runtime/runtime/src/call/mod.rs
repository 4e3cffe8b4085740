//! Safe wrappers for calls through a loaded plugin's table. They contain most of the crate's unsafe code.
//!
//! Objects own their handles and keep alive everything that these need, so they may be dropped in any order, from any
//! thread. A plugin is never unloaded and its table never freed, so objects in static variables are safe too.
#![expect(unsafe_code, reason = "the functions of a plugin")]

mod binary;
mod buffer;
mod context;
mod device;
mod discover;
mod event;
mod handle;
mod kernel;
mod platform;
mod plugin;
mod program;
mod queue;
mod queue_commands;
mod select;
mod sub_device;
mod symbol;
mod usm;

pub use buffer::Buffer;
pub use context::Context;
pub use device::Device;
pub use discover::Discovery;
pub use event::{Event, Profile};
pub use platform::Platform;
pub use plugin::Plugin;
pub use queue::{Queue, QueueOptions};
pub use usm::{Element, Usm, UsmKind};

pub(crate) use handle::next_id;
pub(crate) use kernel::{BufferHandle, RawKernel, Setting};
pub(crate) use program::RawProgram;
pub(crate) use select::select_binary;
pub(crate) use usm::{bytes_of, bytes_of_mut};
