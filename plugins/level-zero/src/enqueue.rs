//! Commands: kernel launches, waits, buffer commands.

use core::ffi::c_void;
use std::sync::Arc;

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Fill, NdRange, Rect, Result, native_command_behind_barrier};
use sycl_pi_host_process::outside;

use crate::driver::{AllocationRequest, EventKind, EventRef, MemoryLocation, UsmBlock};
use crate::fill::{self, FillRows};
use crate::objects::{CommandResources, EventHandle, KernelHandle, MappedRegion, MemHandle, QueueHandle};
use crate::submission::{AppendTarget, BarrierAfter, BarrierKind, EngineKind};
use crate::submit::{CommandRequest, hand_out_event, pending_events};
use crate::sys::Address;
use crate::{LevelZero, copy, launch};

fn request(command: CommandType, mem: &MemHandle) -> CommandRequest {
    CommandRequest::new(command, EngineKind::Copy).holding(CommandResources::mems([mem]))
}

/// Refuses a memory object that belongs to another context than the queue.
pub(crate) fn check_context(queue: &QueueHandle, mem: &MemHandle) -> Result<()> {
    if mem.context.ze == queue.context.ze {
        return Ok(());
    }
    Err(Error::other_context("the memory object", "the queue"))
}

/// Enqueues a barrier after the wait list, or after all earlier commands if there is none.
fn barrier(
    queue: &QueueHandle,
    kind: BarrierKind,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    let event = EventKind::of_command(dependencies.event.is_wanted());
    barrier_with_event(queue, kind, event, dependencies).map(drop)
}

/// Enqueues a barrier like [`barrier`] does, and returns its event, which has the given kind.
fn barrier_with_event(
    queue: &QueueHandle,
    kind: BarrierKind,
    event: EventKind,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<EventRef> {
    let after = match dependencies.waits {
        [] => BarrierAfter::AllEarlier,
        waits => BarrierAfter::Waits(pending_events(queue, waits)?),
    };
    let command = match kind {
        BarrierKind::Marker => CommandType::MARKER,
        BarrierKind::Barrier => CommandType::BARRIER,
    };
    let driver_event = queue.commands.barrier(kind, after, event)?;
    hand_out_event(queue, command, driver_event.clone(), dependencies);
    Ok(driver_event)
}

impl EnqueueApi for LevelZero {
    fn enqueue_kernel_launch(
        queue: &QueueHandle,
        kernel: &KernelHandle,
        range: NdRange<'_>,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        launch::launch(queue, kernel, range, dependencies, AppendTarget::launch)
    }

    fn enqueue_cooperative_kernel_launch(
        queue: &QueueHandle,
        kernel: &KernelHandle,
        range: NdRange<'_>,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        launch::launch(queue, kernel, range, dependencies, AppendTarget::launch_cooperative)
    }

    fn enqueue_timestamp(
        queue: &QueueHandle,
        blocking: bool,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let driver_event =
            barrier_with_event(queue, BarrierKind::Marker, EventKind::Timestamped, dependencies)?;
        if blocking { outside(|| driver_event.wait()) } else { Ok(()) }
    }

    fn enqueue_events_wait(queue: &QueueHandle, dependencies: Dependencies<'_, EventHandle>) -> Result<()> {
        barrier(queue, BarrierKind::Marker, dependencies)
    }

    fn enqueue_events_wait_with_barrier(
        queue: &QueueHandle,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        barrier(queue, BarrierKind::Barrier, dependencies)
    }

    fn enqueue_native_command(
        queue: &QueueHandle,
        run: &mut dyn FnMut(),
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        native_command_behind_barrier::<Self>(queue, run, dependencies)
    }

    fn enqueue_mem_buffer_read(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let src = mem.buffer()?.bytes(offset, size, "a read")?;
        let request = request(CommandType::MEM_BUFFER_READ, mem).blocking(blocking);
        copy::linear(queue, request, Address::new(ptr), src, size, dependencies)
    }

    fn enqueue_mem_buffer_read_rect(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let (src, dst) = copy::host_box(mem.buffer()?, &rect, Address::new(ptr), "a read of a box")?;
        let request = request(CommandType::MEM_BUFFER_READ_RECT, mem).blocking(blocking);
        copy::rect(queue, request, dst, src, rect.region, dependencies)
    }

    fn enqueue_mem_buffer_write(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let dst = mem.buffer()?.bytes(offset, size, "a write")?;
        let request = request(CommandType::MEM_BUFFER_WRITE, mem).blocking(blocking);
        copy::linear(queue, request, dst, Address::new(ptr), size, dependencies)
    }

    fn enqueue_mem_buffer_write_rect(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let (dst, src) = copy::host_box(mem.buffer()?, &rect, Address::new(ptr), "a write of a box")?;
        let request = request(CommandType::MEM_BUFFER_WRITE_RECT, mem).blocking(blocking);
        copy::rect(queue, request, dst, src, rect.region, dependencies)
    }

    fn enqueue_mem_buffer_copy(
        queue: &QueueHandle,
        src: &MemHandle,
        dst: &MemHandle,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let from = src.buffer()?.bytes(src_offset, size, "the source of a copy")?;
        let to = dst.buffer()?.bytes(dst_offset, size, "the destination of a copy")?;
        if from.number().abs_diff(to.number()) < size {
            return Err(Error::overlapping_copy());
        }
        let resources = CommandResources::mems([src, dst]);
        let request = CommandRequest::new(CommandType::MEM_BUFFER_COPY, EngineKind::Copy).holding(resources);
        copy::linear(queue, request, to, from, size, dependencies)
    }

    fn enqueue_mem_buffer_copy_rect(
        queue: &QueueHandle,
        src: &MemHandle,
        dst: &MemHandle,
        rect: Rect<'_>,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let (src_side, dst_side) = copy::buffer_boxes(src.buffer()?, dst.buffer()?, &rect)?;
        let resources = CommandResources::mems([src, dst]);
        let request =
            CommandRequest::new(CommandType::MEM_BUFFER_COPY_RECT, EngineKind::Copy).holding(resources);
        copy::rect(queue, request, dst_side, src_side, rect.region, dependencies)
    }

    fn enqueue_mem_buffer_fill(
        queue: &QueueHandle,
        mem: &MemHandle,
        offset: usize,
        fill: Fill<'_>,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let start = mem.buffer()?.bytes(offset, fill.width(), "a fill")?;
        let rows = FillRows::one(start, fill.width());
        fill::fill(
            queue,
            CommandType::MEM_BUFFER_FILL,
            CommandResources::mems([mem]),
            fill.pattern(),
            rows,
            dependencies,
        )
    }

    fn enqueue_mem_buffer_map(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        flags: MapFlags,
        offset: usize,
        size: usize,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<*mut c_void> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        buffer.check(offset, size, "a map")?;
        if size == 0 {
            return Err(Error::empty_command("a map"));
        }
        if !MapFlags::all().contains(flags) {
            return Err(Error::bad_map_flags(flags));
        }
        let command = CommandType::MEM_BUFFER_MAP;
        let write = flags.intersects(MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION);
        let direct = buffer.on_host && buffer.lent.is_null();
        let (at, staging) = if direct {
            (buffer.address.add(offset), None)
        } else if !buffer.lent.is_null() {
            (buffer.lent.add(offset), None)
        } else {
            let block =
                UsmBlock::new(&queue.context.usm, AllocationRequest::new(MemoryLocation::Host, size))?;
            (block.address, Some(block))
        };
        if direct || flags.contains(MapFlags::WRITE_INVALIDATE_REGION) {
            copy::nothing(queue, request(command, mem).blocking(blocking), dependencies)?;
        } else {
            let request = request(command, mem).blocking(blocking);
            copy::linear(queue, request, at, buffer.address.add(offset), size, dependencies)?;
        }
        let staging = staging.map(Arc::new);
        buffer.add_mapped(at, MappedRegion { offset, size, write, staging, direct });
        Ok(at.get())
    }

    fn enqueue_mem_unmap(
        queue: &QueueHandle,
        mem: &MemHandle,
        mapped: *mut c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let buffer = mem.buffer()?;
        let at = Address::new(mapped);
        let region = buffer.unmap(at)?;
        let command = CommandType::MEM_BUFFER_UNMAP;
        let resources = CommandResources::mems([mem]);
        let resources = match &region.staging {
            Some(block) => resources.and(block.clone()),
            None => resources,
        };
        let request = CommandRequest::new(command, EngineKind::Copy).holding(resources);
        let result = if region.direct || !region.write {
            copy::nothing(queue, request, dependencies)
        } else {
            let to = buffer.address.add(region.offset);
            copy::linear(queue, request, to, at, region.size, dependencies)
        };
        if result.is_err() {
            // The caller gets an error, so the region is still mapped.
            buffer.add_mapped(at, region);
        }
        result
    }
}
