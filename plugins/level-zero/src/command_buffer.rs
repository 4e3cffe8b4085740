//! Recording and running of command buffers.

use sycl_pi_backend::api::{Command, CommandBufferApi, LaunchUpdate};
use sycl_pi_backend::types::CommandType;
use sycl_pi_backend::{Counted, Dependencies, New, Rect, Result, SyncPointDependencies};

use crate::copy::{self, BoxSide, append_rect};
use crate::fill::{FillRows, PatternFill};
use crate::objects::{
    CommandBuffer, CommandBufferHandle, CommandResources, ContextHandle, DeviceHandle, EventHandle,
    MemHandle, QueueHandle, RecordedLaunch, RecordedWork,
};
use crate::submission::AppendTarget;
use crate::submit::{hand_out_event, pending_events};
use crate::sys::{Address, ze};
use crate::{LevelZero, hint};

impl CommandBufferApi for LevelZero {
    fn command_buffer_create(
        context: &ContextHandle,
        device: &DeviceHandle,
    ) -> Result<New<CommandBufferHandle>> {
        Ok(Counted::create(CommandBuffer::new(context, device)?))
    }

    fn command_buffer_finalize(buffer: &CommandBufferHandle) -> Result<()> {
        buffer.finalize()
    }

    fn command_buffer_record(
        buffer: &CommandBufferHandle,
        command: Command<'_, Self>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        use Command::*;
        match command {
            KernelLaunch { kernel, range } => {
                buffer.check(&kernel.program.context, "the kernel")?;
                buffer.record(dependencies, RecordedWork::Launch(RecordedLaunch::new(kernel, range)?))
            }
            UsmMemcpy { dst, src, size } => record_copy(
                buffer,
                Address::new(dst),
                Address::new(src),
                size,
                CommandResources::default(),
                dependencies,
            ),
            UsmFill { ptr, fill } => record_fill(
                buffer,
                Address::new(ptr),
                fill.pattern(),
                fill.width(),
                CommandResources::default(),
                dependencies,
            ),
            UsmPrefetch { ptr, size, flags: _ } => {
                let (ze, ptr) = (ze()?, Address::new(ptr));
                let work = RecordedWork::fixed(CommandResources::default(), move |target| {
                    hint::append_hint(target, || {
                        ze.zeCommandListAppendMemoryPrefetch(target.list, ptr.get(), size)
                    })
                });
                buffer.record(dependencies, work)
            }
            UsmAdvise { ptr, length, advice } => {
                let (device, ptr) = (buffer.device.clone(), Address::new(ptr));
                let work = RecordedWork::fixed(CommandResources::default(), move |target| {
                    hint::append_hint(target, || hint::advise(target.list, &device, ptr, length, advice))
                });
                buffer.record(dependencies, work)
            }
            BufferCopy { src, dst, src_offset, dst_offset, size } => {
                let from = bytes_of(buffer, src, "the source", src_offset, size, "the source of a copy")?;
                let to =
                    bytes_of(buffer, dst, "the destination", dst_offset, size, "the destination of a copy")?;
                record_copy(buffer, to, from, size, CommandResources::mems([src, dst]), dependencies)
            }
            BufferCopyRect { src, dst, rect } => {
                buffer.check(&src.context, "the source")?;
                buffer.check(&dst.context, "the destination")?;
                let (from, to) = copy::buffer_boxes(src.buffer()?, dst.buffer()?, &rect)?;
                record_rect(buffer, to, from, &rect, CommandResources::mems([src, dst]), dependencies)
            }
            BufferRead { buffer: mem, offset, size, dst } => {
                let src = bytes_of(buffer, mem, "the buffer", offset, size, "a read")?;
                record_copy(buffer, Address::new(dst), src, size, CommandResources::mems([mem]), dependencies)
            }
            BufferReadRect { buffer: mem, rect, dst } => {
                let (own, host) = box_of(buffer, mem, &rect, Address::new(dst), "a read of a box")?;
                record_rect(buffer, host, own, &rect, CommandResources::mems([mem]), dependencies)
            }
            BufferWrite { buffer: mem, offset, size, src } => {
                let dst = bytes_of(buffer, mem, "the buffer", offset, size, "a write")?;
                record_copy(buffer, dst, Address::new(src), size, CommandResources::mems([mem]), dependencies)
            }
            BufferWriteRect { buffer: mem, rect, src } => {
                let (own, host) = box_of(buffer, mem, &rect, Address::new(src), "a write of a box")?;
                record_rect(buffer, own, host, &rect, CommandResources::mems([mem]), dependencies)
            }
            BufferFill { buffer: mem, offset, fill } => {
                let (pattern, size) = (fill.pattern(), fill.width());
                let start = bytes_of(buffer, mem, "the buffer", offset, size, "a fill")?;
                record_fill(buffer, start, pattern, size, CommandResources::mems([mem]), dependencies)
            }
        }
    }

    fn command_buffer_update(buffer: &CommandBufferHandle, updates: &[LaunchUpdate<'_, Self>]) -> Result<()> {
        updates.iter().try_for_each(|update| buffer.update(update))
    }

    fn enqueue_command_buffer(
        buffer: &CommandBufferHandle,
        queue: &QueueHandle,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let run = CommandBuffer::enqueue(buffer, queue, || pending_events(queue, dependencies.waits))?;
        hand_out_event(queue, CommandType::EXT_COMMAND_BUFFER, run, dependencies);
        Ok(())
    }
}

fn record_copy(
    buffer: &CommandBuffer,
    dst: Address,
    src: Address,
    size: usize,
    resources: CommandResources,
    dependencies: SyncPointDependencies<'_>,
) -> Result<()> {
    let append =
        move |target: AppendTarget| if size == 0 { target.barrier() } else { target.copy(dst, src, size) };
    buffer.record(dependencies, RecordedWork::fixed(resources, append))
}

fn record_rect(
    buffer: &CommandBuffer,
    dst: BoxSide,
    src: BoxSide,
    rect: &Rect<'_>,
    resources: CommandResources,
    dependencies: SyncPointDependencies<'_>,
) -> Result<()> {
    let region = *rect.region;
    let work = RecordedWork::fixed(resources, move |target| append_rect(target, dst, src, &region));
    buffer.record(dependencies, work)
}

fn record_fill(
    buffer: &CommandBuffer,
    start: Address,
    pattern: &[u8],
    size: usize,
    resources: CommandResources,
    dependencies: SyncPointDependencies<'_>,
) -> Result<()> {
    let work = if size == 0 {
        RecordedWork::fixed(resources, AppendTarget::barrier)
    } else {
        let (ordinal, rows) = (buffer.engine.ordinal, FillRows::one(start, size));
        let fill = PatternFill::new(&buffer.context, &buffer.device, ordinal, pattern, rows)?;
        RecordedWork::fixed(resources, move |target| fill.append(target, rows))
    };
    buffer.record(dependencies, work)
}

/// Returns the address of a buffer's bytes. Refuses bytes outside of the buffer.
fn bytes_of(
    buffer: &CommandBuffer,
    mem: &MemHandle,
    name: &str,
    offset: usize,
    size: usize,
    what: &str,
) -> Result<Address> {
    buffer.check(&mem.context, name)?;
    mem.buffer()?.bytes(offset, size, what)
}

/// Returns both sides of a box that is copied between a buffer and the host.
fn box_of(
    buffer: &CommandBuffer,
    mem: &MemHandle,
    rect: &Rect<'_>,
    host: Address,
    what: &str,
) -> Result<(BoxSide, BoxSide)> {
    buffer.check(&mem.context, "the buffer")?;
    copy::host_box(mem.buffer()?, rect, host, what)
}
