//! Commands: kernel launches, waits, buffer commands.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, Fill, LaunchProperties, NdRange, Rect, Result, copy_of};

use crate::Cuda;
use crate::copy::device_address;
use crate::copy::enqueue_copy::enqueue_box_copy;
use crate::copy::pageable_copy::copy_async;
use crate::copy::rect::{first_end, first_to_second, host_end, second_end, second_to_first};
use crate::event::event_object::Event;
use crate::fill;
use crate::kernel::Kernel;
use crate::launch::launch_properties::launch_with_properties;
use crate::launch::{CheckedLaunch, launch};
use crate::mem::Mem;
use crate::memory::buffer_use::{BufferUse, with_buffers};
use crate::memory::map::{map, unmap};
use crate::native_stream;
use crate::queue::{Queue, StreamKind};
use crate::submit::{CommandRequest, barrier, marker, submit, timestamp};
use crate::sys::{self, DriverHandle, cuda};

type Waits<'a> = Dependencies<'a, Counted<Event>>;

/// Refuses a buffer of another context.
fn check_context(queue: &Counted<Queue>, mem: &Counted<Mem>) -> Result<()> {
    if std::ptr::eq(&*mem.context, &*queue.context) {
        return Ok(());
    }
    Err(Error::other_context("the memory object", "the queue"))
}

/// Refuses a copy inside one buffer whose ranges overlap.
fn check_overlap(src: &Mem, dst: &Mem, src_offset: usize, dst_offset: usize, size: usize) -> Result<()> {
    let (one, other) = (src.buffer()?, dst.buffer()?);
    let (from, to) = (one.origin.saturating_add(src_offset), other.origin.saturating_add(dst_offset));
    let overlaps = from < to.saturating_add(size) && to < from.saturating_add(size);
    if std::ptr::eq(one.buffer, other.buffer) && overlaps {
        return Err(Error::overlapping_copy());
    }
    Ok(())
}

impl EnqueueApi for Cuda {
    #[inline]
    fn enqueue_kernel_launch(
        queue: &Counted<Queue>,
        kernel: &Counted<Kernel>,
        range: NdRange<'_>,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        launch(queue, kernel, range, dependencies, CheckedLaunch::enqueue)
    }

    fn enqueue_cooperative_kernel_launch(
        queue: &Counted<Queue>,
        kernel: &Counted<Kernel>,
        range: NdRange<'_>,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        launch(queue, kernel, range, dependencies, CheckedLaunch::enqueue_cooperative)
    }

    fn enqueue_kernel_launch_with_properties(
        queue: &Counted<Queue>,
        kernel: &Counted<Kernel>,
        range: NdRange<'_>,
        properties: &LaunchProperties,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        launch_with_properties(queue, kernel, range, properties, dependencies)
    }

    fn enqueue_native_kernel(
        queue: &Counted<Queue>,
        function: unsafe extern "C" fn(*mut c_void),
        args: &mut [u8],
        mems: &[&Counted<Mem>],
        _: &[*const c_void],
        dependencies: Waits<'_>,
    ) -> Result<()> {
        if !mems.is_empty() {
            return Err(Error::unsupported("a native kernel cannot reach buffers in a GPU's memory"));
        }
        let mut args = copy_of(args)?;
        let request = CommandRequest::new(CommandType::NATIVE_KERNEL, StreamKind::Compute);
        submit(queue, request, dependencies, |stream| {
            let work = Box::new(move || sys::call_native(function, &mut args));
            sys::call_after(DriverHandle::new(stream), work)
        })
    }

    fn enqueue_native_command(
        queue: &Counted<Queue>,
        run: &mut dyn FnMut(),
        dependencies: Waits<'_>,
    ) -> Result<()> {
        native_stream::submit(queue, run, dependencies)
    }

    fn enqueue_timestamp(queue: &Counted<Queue>, blocking: bool, dependencies: Waits<'_>) -> Result<()> {
        timestamp(queue, blocking, dependencies)
    }

    fn enqueue_events_wait(queue: &Counted<Queue>, dependencies: Waits<'_>) -> Result<()> {
        marker(queue, dependencies)
    }

    fn enqueue_events_wait_with_barrier(queue: &Counted<Queue>, dependencies: Waits<'_>) -> Result<()> {
        barrier(queue, dependencies)
    }

    fn enqueue_mem_buffer_read(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, buffer)?;
        let from = buffer.range(queue.index, offset, size)?;
        let request = CommandRequest::new(CommandType::MEM_BUFFER_READ, StreamKind::Copy).blocking(blocking);
        submit(queue, request, dependencies, |stream| {
            with_buffers(queue, stream, &[BufferUse::read(buffer)], || {
                copy_async(queue.device_context(), device_address(ptr), from, size, stream)
            })
        })
    }

    fn enqueue_mem_buffer_read_rect(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, buffer)?;
        let src = first_end(buffer, queue.index, &rect)?;
        let copy = first_to_second(src, host_end(ptr, &rect), &rect);
        let request =
            CommandRequest::new(CommandType::MEM_BUFFER_READ_RECT, StreamKind::Copy).blocking(blocking);
        enqueue_box_copy(queue, request, &copy, &[BufferUse::read(buffer)], dependencies)
    }

    fn enqueue_mem_buffer_write(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, buffer)?;
        let to = buffer.range(queue.index, offset, size)?;
        let request = CommandRequest::new(CommandType::MEM_BUFFER_WRITE, StreamKind::Copy).blocking(blocking);
        submit(queue, request, dependencies, |stream| {
            with_buffers(queue, stream, &[BufferUse::write(buffer)], || {
                copy_async(queue.device_context(), to, device_address(ptr), size, stream)
            })
        })
    }

    fn enqueue_mem_buffer_write_rect(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, buffer)?;
        let dst = first_end(buffer, queue.index, &rect)?;
        let copy = second_to_first(host_end(ptr.cast_mut(), &rect), dst, &rect);
        let request =
            CommandRequest::new(CommandType::MEM_BUFFER_WRITE_RECT, StreamKind::Copy).blocking(blocking);
        enqueue_box_copy(queue, request, &copy, &[BufferUse::write(buffer)], dependencies)
    }

    fn enqueue_mem_buffer_copy(
        queue: &Counted<Queue>,
        src: &Counted<Mem>,
        dst: &Counted<Mem>,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        check_overlap(src, dst, src_offset, dst_offset, size)?;
        let from = src.range(queue.index, src_offset, size)?;
        let to = dst.range(queue.index, dst_offset, size)?;
        let request = CommandRequest::new(CommandType::MEM_BUFFER_COPY, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            with_buffers(queue, stream, &[BufferUse::read(src), BufferUse::write(dst)], || {
                if size == 0 { Ok(()) } else { cuda()?.cuMemcpyDtoDAsync_v2(to, from, size, stream) }
            })
        })
    }

    fn enqueue_mem_buffer_copy_rect(
        queue: &Counted<Queue>,
        src: &Counted<Mem>,
        dst: &Counted<Mem>,
        rect: Rect<'_>,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let from = first_end(src, queue.index, &rect)?;
        let to = second_end(dst, queue.index, &rect)?;
        let copy = first_to_second(from, to, &rect);
        let uses = [BufferUse::read(src), BufferUse::write(dst)];
        let request = CommandRequest::new(CommandType::MEM_BUFFER_COPY_RECT, StreamKind::Copy);
        enqueue_box_copy(queue, request, &copy, &uses, dependencies)
    }

    fn enqueue_mem_buffer_fill(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        offset: usize,
        fill: Fill<'_>,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, buffer)?;
        let (pattern, size) = (fill.pattern(), fill.width());
        let start = buffer.range(queue.index, offset, size)?;
        let memsets = fill::memsets(start, pattern, size)?;
        let request = CommandRequest::new(CommandType::MEM_BUFFER_FILL, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            with_buffers(queue, stream, &[BufferUse::write(buffer)], || {
                memsets.iter().try_for_each(|memset| memset.enqueue(stream))
            })
        })
    }

    fn enqueue_mem_buffer_map(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        blocking: bool,
        flags: MapFlags,
        offset: usize,
        size: usize,
        dependencies: Waits<'_>,
    ) -> Result<*mut c_void> {
        check_context(queue, buffer)?;
        map(queue, buffer, blocking, flags, (offset, size), dependencies)
    }

    fn enqueue_mem_unmap(
        queue: &Counted<Queue>,
        mem: &Counted<Mem>,
        mapped: *mut c_void,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        unmap(queue, mem, mapped, dependencies)
    }
}
