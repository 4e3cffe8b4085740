//! Command buffers: CUDA graphs, created node by node while commands are recorded.
//!
//! - A launch captures the kernel's arguments at the time of recording.
//! - Host memory of copies is read and written at each run.
//! - Buffers, kernels and the context are held until the command buffer is destroyed. The memory that a kernel's
//!   arguments point to must live until the last run, as for any launch.
//! - Prefetches and advice are hints; they only keep their place in the order.

mod graph;
mod launch;
mod record;

use sycl_pi_backend::api::{Command, CommandBufferApi, LaunchUpdate};
use sycl_pi_backend::types::NativeHandle;
use sycl_pi_backend::{Counted, Dependencies, New, Result, SyncPointDependencies};

use crate::Cuda;
use crate::context::Context;
use crate::device::device_object::Device;
use crate::event::event_object::Event;
use crate::opencl;
use crate::queue::Queue;

pub(crate) use graph::CommandBuffer;

sycl_pi_backend::counted_kinds!(CommandBuffer: RawCommandBuffer, INVALID_COMMAND_BUFFER_KHR, "command buffer";);

impl CommandBufferApi for Cuda {
    fn command_buffer_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
    ) -> Result<New<Counted<CommandBuffer>>> {
        CommandBuffer::new(context, device).map(Counted::create)
    }

    fn command_buffer_record(
        buffer: &Counted<CommandBuffer>,
        command: Command<'_, Self>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        record::record(buffer, command, dependencies)
    }

    fn command_buffer_finalize(buffer: &Counted<CommandBuffer>) -> Result<()> {
        buffer.finalize()
    }

    fn command_buffer_update(
        buffer: &Counted<CommandBuffer>,
        updates: &[LaunchUpdate<'_, Self>],
    ) -> Result<()> {
        updates.iter().try_for_each(|update| buffer.update(update))
    }

    fn command_buffer_native_handle(buffer: &Counted<CommandBuffer>, runs: bool) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        buffer.native_handle(runs)
    }

    fn enqueue_command_buffer(
        buffer: &Counted<CommandBuffer>,
        queue: &Counted<Queue>,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        buffer.enqueue(queue, dependencies)
    }
}
