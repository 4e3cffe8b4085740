//! Command buffers.
//!
//! The plugin records commands itself ([`record`]) and replays them as calls on a queue ([`replay`]), so that every
//! command works on every driver. `cl_khr_command_buffer` is not used, because it has no reads, writes and USM
//! commands.
//!
//! Guarantees to callers:
//!
//! - A launch captures the kernel's arguments and USM settings at the time of recording, because the kernel is cloned.
//!   Drivers older than OpenCL 2.1 cannot clone kernels and therefore do not support command buffers.
//! - Buffers used by copies and fills, kernels, the context and the device are held until the command buffer is
//!   destroyed. OpenCL cannot query a kernel's arguments, so buffers that a kernel uses must live until its last run,
//!   as for any launch.
//! - Runs are independent of each other except for the queue's order and the wait lists. A command buffer may run many
//!   times concurrently, from many threads. It may be released right after it was enqueued.
//! - Errors are detected during recording if possible. An error while enqueueing names the command; the commands before
//!   it still run.

mod command;
mod record;
mod replay;

use sycl_pi_backend::api::{Command, CommandBufferApi, LaunchUpdate};
use sycl_pi_backend::{Counted, Dependencies, New, Result, SyncPointDependencies, copy_of};

use crate::OpenCl;
use crate::check::{check_extent, check_rect, check_span};
use crate::sys::{Context, Device, Event, Queue};

use command::{CallerAddress, OwnedCommand, OwnedLaunch, OwnedRect};
use record::CommandRecorder;

/// Most OpenCL drivers have no object for it, so it is an object of the backend.
pub(crate) type CommandBuffer = Counted<CommandRecorder>;

sycl_pi_backend::counted_kinds!(CommandRecorder: RawCommandBuffer, INVALID_COMMAND_BUFFER_KHR, "command buffer";);

impl CommandBufferApi for OpenCl {
    fn command_buffer_create(context: &Context, device: &Device) -> Result<New<CommandBuffer>> {
        CommandRecorder::new(context, device).map(Counted::create)
    }

    fn command_buffer_record(
        buffer: &CommandBuffer,
        command: Command<'_, Self>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, || owned(buffer, command))
    }

    fn command_buffer_finalize(buffer: &CommandBuffer) -> Result<()> {
        buffer.finalize()
    }

    fn command_buffer_update(buffer: &CommandBuffer, updates: &[LaunchUpdate<'_, Self>]) -> Result<()> {
        buffer.update(updates)
    }

    fn enqueue_command_buffer(
        buffer: &CommandBuffer,
        queue: &Queue,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        buffer.enqueue(queue, dependencies)
    }
}

/// Checks a command and captures everything that it needs to run later.
fn owned(recorder: &CommandRecorder, command: Command<'_, OpenCl>) -> Result<OwnedCommand> {
    Ok(match command {
        Command::KernelLaunch { kernel, range } => {
            recorder.check_context(kernel.context()?, "kernel")?;
            OwnedCommand::KernelLaunch(OwnedLaunch::new(kernel, range)?)
        }
        Command::UsmMemcpy { dst, src, size } => {
            OwnedCommand::UsmMemcpy { dst: CallerAddress::new(dst), src: CallerAddress::new(src), size }
        }
        Command::UsmFill { ptr, fill } => {
            let (pattern, size) = (copy_of(fill.pattern())?.into(), fill.width());
            OwnedCommand::UsmFill { ptr: CallerAddress::new(ptr), pattern, size }
        }
        Command::UsmPrefetch { ptr, size, flags } => {
            OwnedCommand::UsmPrefetch { ptr: CallerAddress::new(ptr), size, flags }
        }
        Command::UsmAdvise { ptr, length, advice } => {
            OwnedCommand::UsmAdvise { ptr: CallerAddress::new(ptr), length, advice }
        }
        Command::BufferCopy { src, dst, src_offset, dst_offset, size } => {
            check_span(src, src_offset, size, "the source")?;
            check_span(dst, dst_offset, size, "the destination")?;
            let (src, dst) = (recorder.keep(src, "the source")?, recorder.keep(dst, "the destination")?);
            OwnedCommand::BufferCopy { src, dst, src_offset, dst_offset, size }
        }
        Command::BufferCopyRect { src, dst, rect } => {
            check_rect(&rect)?;
            check_extent(src, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
            check_extent(dst, rect.second_origin, &rect, (rect.second_row_pitch, rect.second_slice_pitch))?;
            let (src, dst) = (recorder.keep(src, "the source")?, recorder.keep(dst, "the destination")?);
            OwnedCommand::BufferCopyRect { src, dst, rect: OwnedRect::new(rect) }
        }
        Command::BufferRead { buffer, offset, size, dst } => {
            check_span(buffer, offset, size, "the buffer")?;
            let (buffer, dst) = (recorder.keep(buffer, "the buffer")?, CallerAddress::new(dst));
            OwnedCommand::BufferRead { buffer, offset, size, dst }
        }
        Command::BufferReadRect { buffer, rect, dst } => {
            check_rect(&rect)?;
            check_extent(buffer, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
            let (buffer, dst) = (recorder.keep(buffer, "the buffer")?, CallerAddress::new(dst));
            OwnedCommand::BufferReadRect { buffer, rect: OwnedRect::new(rect), dst }
        }
        Command::BufferWrite { buffer, offset, size, src } => {
            check_span(buffer, offset, size, "the buffer")?;
            let (buffer, src) = (recorder.keep(buffer, "the buffer")?, CallerAddress::new(src));
            OwnedCommand::BufferWrite { buffer, offset, size, src }
        }
        Command::BufferWriteRect { buffer, rect, src } => {
            check_rect(&rect)?;
            check_extent(buffer, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
            let (buffer, src) = (recorder.keep(buffer, "the buffer")?, CallerAddress::new(src));
            OwnedCommand::BufferWriteRect { buffer, rect: OwnedRect::new(rect), src }
        }
        Command::BufferFill { buffer, offset, fill } => {
            let (pattern, size) = (fill.pattern(), fill.width());
            check_span(buffer, offset, size, "the buffer")?;
            let buffer = recorder.keep(buffer, "the buffer")?;
            OwnedCommand::BufferFill { buffer, pattern: copy_of(pattern)?.into(), offset, size }
        }
    })
}
