//! The objects behind callers' handles. Children hold their parents.
//!
//! An object implements its creation and its state. The entry points that use it are in the file of the same name one
//! level up.

mod argument;
mod buffer;
mod command_buffer;
mod context;
mod device;
pub(crate) mod discovery;
mod event;
mod handle;
mod image;
mod kernel;
mod lazy_properties;
mod mem;
mod platform;
mod program;
mod queue;
mod recorded_command;
mod sampler;

pub(crate) use argument::ArgumentValue;
pub(crate) use buffer::{Buffer, MappedRegion};
pub(crate) use command_buffer::{CommandBuffer, CommandBufferHandle};
pub(crate) use context::{Context, ContextHandle};
pub(crate) use device::{Device, DeviceHandle};
pub(crate) use event::{Event, EventHandle, wait_list_failed};
pub(crate) use handle::raw_handle;
pub(crate) use image::Image;
pub(crate) use kernel::{DeviceKernel, Kernel, KernelArguments, KernelHandle, LaunchShape};
pub(crate) use mem::{Mem, MemContent, MemHandle};
pub(crate) use platform::PlatformHandle;
pub(crate) use program::{DeviceBuild, Program, ProgramHandle, ProgramOrigin, not_built};
pub(crate) use queue::{CommandResources, Queue, QueueHandle};
pub(crate) use recorded_command::{RecordedLaunch, RecordedWork};
pub(crate) use sampler::{Sampler, SamplerHandle};
