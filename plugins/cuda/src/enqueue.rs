//! Commands: kernel launch, waits, buffers.

use core::ffi::c_void;
use std::sync::Arc;

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::{Counted, Error, NdRange, Dependencies, Rect, Result};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::copy::{BoxCopy, End, check_range};
use crate::event::Event;
use crate::fill;
use crate::kernel::Kernel;
use crate::launch::launch;
use crate::mem::{Map, Mem};
use crate::queue::Queue;
use crate::submit::{Lane, barrier, marker, submit};
use crate::sys::{self, CUdeviceptr, Raw, cuda};

/// Refuses a buffer of another context.
fn check_context(queue: &Counted<Queue>, mem: &Counted<Mem>) -> Result<()> {
    if std::ptr::eq(&*mem.context, &*queue.context) {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::INVALID_CONTEXT,
        "command_queue (or queue): the memory object is of another context than the queue",
    ))
}

/// Refuses a box that is empty or leaves the buffer.
pub(crate) fn check_box(
    mem: &Mem,
    origin: &[usize; 3],
    rect: &Rect<'_>,
    row: usize,
    slice: usize,
) -> Result<()> {
    let [width, height, depth] = *rect.region;
    let total = mem.buffer()?.3;
    let row = if row == 0 { width } else { row };
    let slice = if slice == 0 { row.saturating_mul(height) } else { slice };
    let end = || {
        let rows = origin[1].checked_add(height)?.checked_sub(1)?.checked_mul(row)?;
        let slices = origin[2].checked_add(depth)?.checked_sub(1)?.checked_mul(slice)?;
        origin[0].checked_add(width)?.checked_add(rows)?.checked_add(slices)
    };
    if width == 0 || height == 0 || depth == 0 || end().is_none_or(|end| end > total) {
        return Err(Error::invalid_value(format!(
            "region: the box {:?} at {origin:?} with pitches {row} and {slice} is empty or leaves a buffer of {total} bytes",
            rect.region
        )));
    }
    Ok(())
}

/// The two ends of a rectangle, each checked and given its pitches.
fn first_end(start: CUdeviceptr, rect: &Rect<'_>) -> End {
    End::Device { start, row: rect.first_row_pitch, slice: rect.first_slice_pitch }
}

fn host_end(start: *mut c_void, rect: &Rect<'_>) -> End {
    End::Host { start, row: rect.second_row_pitch, slice: rect.second_slice_pitch }
}

type Waits<'a> = Dependencies<'a, Counted<Event>>;

impl EnqueueApi for Cuda {
    #[inline(always)]
    fn enqueue_kernel_launch(
        queue: &Counted<Queue>,
        kernel: &Counted<Kernel>,
        range: NdRange<'_>,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        launch(queue, kernel, range, dependencies, false)
    }

    fn enqueue_cooperative_kernel_launch(
        queue: &Counted<Queue>,
        kernel: &Counted<Kernel>,
        range: NdRange<'_>,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        launch(queue, kernel, range, dependencies, true)
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
        let mut args = args.to_vec();
        submit(queue, Lane::Compute, CommandType::NATIVE_KERNEL, dependencies, false, |stream| {
            sys::call_after(Raw::new(stream), Box::new(move || sys::call_native(function, &mut args)))
        })
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
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_READ, dependencies, blocking, |stream| {
            let from = buffer.range(queue.index, offset, size, false)?;
            if size == 0 { Ok(()) } else { cuda()?.cuMemcpyDtoHAsync_v2(ptr, from, size, stream) }
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
        check_box(buffer, rect.first_origin, &rect, rect.first_row_pitch, rect.first_slice_pitch)?;
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_READ_RECT, dependencies, blocking, |stream| {
            let copy = BoxCopy {
                src: first_end(buffer.range(queue.index, 0, 0, false)?, &rect),
                src_origin: *rect.first_origin,
                dst: host_end(ptr, &rect),
                dst_origin: *rect.second_origin,
                region: *rect.region,
            };
            copy.enqueue(stream)
        })
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
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_WRITE, dependencies, blocking, |stream| {
            let to = buffer.range(queue.index, offset, size, true)?;
            if size == 0 { Ok(()) } else { cuda()?.cuMemcpyHtoDAsync_v2(to, ptr, size, stream) }
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
        check_box(buffer, rect.first_origin, &rect, rect.first_row_pitch, rect.first_slice_pitch)?;
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_WRITE_RECT, dependencies, blocking, |stream| {
            let copy = BoxCopy {
                src: host_end(ptr.cast_mut(), &rect),
                src_origin: *rect.second_origin,
                dst: first_end(buffer.range(queue.index, 0, 0, true)?, &rect),
                dst_origin: *rect.first_origin,
                region: *rect.region,
            };
            copy.enqueue(stream)
        })
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
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_COPY, dependencies, false, |stream| {
            let from = src.range(queue.index, src_offset, size, false)?;
            let to = dst.range(queue.index, dst_offset, size, true)?;
            if size == 0 { Ok(()) } else { cuda()?.cuMemcpyDtoDAsync_v2(to, from, size, stream) }
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
        check_box(src, rect.first_origin, &rect, rect.first_row_pitch, rect.first_slice_pitch)?;
        check_box(dst, rect.second_origin, &rect, rect.second_row_pitch, rect.second_slice_pitch)?;
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_COPY_RECT, dependencies, false, |stream| {
            let to = dst.range(queue.index, 0, 0, true)?;
            let copy = BoxCopy {
                src: first_end(src.range(queue.index, 0, 0, false)?, &rect),
                src_origin: *rect.first_origin,
                dst: End::Device { start: to, row: rect.second_row_pitch, slice: rect.second_slice_pitch },
                dst_origin: *rect.second_origin,
                region: *rect.region,
            };
            copy.enqueue(stream)
        })
    }

    fn enqueue_mem_buffer_fill(
        queue: &Counted<Queue>,
        buffer: &Counted<Mem>,
        pattern: &[u8],
        offset: usize,
        size: usize,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, buffer)?;
        if pattern.is_empty() || size == 0 || !size.is_multiple_of(pattern.len()) {
            return Err(Error::invalid_value(format!(
                "pattern_size {} must be positive and divide the {size} bytes to fill",
                pattern.len()
            )));
        }
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_FILL, dependencies, false, |stream| {
            fill::fill(buffer.range(queue.index, offset, size, true)?, pattern, size, stream)
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
        let known = MapFlags::READ | MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION;
        if flags == 0 || flags & !known != 0 {
            return Err(Error::invalid_value(format!("map_flags {flags:#x} are unknown or none")));
        }
        let (_, body, origin, total) = buffer.buffer()?;
        check_range(offset, size, total, "buffer")?;
        if size == 0 {
            return Err(Error::invalid_value("size is 0: nothing to map"));
        }
        let mut block = None;
        let start = match (body.home.host(), body.home.callers()) {
            (Some(host), _) | (None, Some(host)) => host.wrapping_byte_add(origin + offset),
            (None, None) => {
                let place = queue.place();
                let _current = place.enter()?;
                block.insert(place.staging.take(size)?).start()
            }
        };
        let copies = body.home.host().is_none() && flags & MapFlags::WRITE_INVALIDATE_REGION == 0;
        let mut started = None;
        let result = submit(queue, Lane::Copy, CommandType::MEM_BUFFER_MAP, dependencies, blocking, |stream| {
            if !copies {
                return Ok(());
            }
            let from = buffer.range(queue.index, offset, size, false)?;
            cuda()?.cuMemcpyDtoHAsync_v2(start, from, size, stream)?;
            started = Some(Raw::new(stream).addr());
            Ok(())
        });
        if let Err(error) = result {
            if let (Some(_), Some(block)) = (started, block) {
                queue.place().staging.retire(Arc::new(block));
            }
            return Err(error);
        }
        let copied_by =
            started.filter(|_| block.is_some() && !blocking).map(|stream| (queue.share(), stream));
        let address = start.expose_provenance();
        let map =
            Map { address, offset: origin + offset, size, flags, block: block.map(Arc::new), copied_by };
        body.maps.lock().push(map);
        Ok(start)
    }

    fn enqueue_mem_unmap(
        queue: &Counted<Queue>,
        mem: &Counted<Mem>,
        mapped: *mut c_void,
        dependencies: Waits<'_>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let (owner, body, ..) = mem.buffer()?;
        let address = mapped.expose_provenance();
        let (map, copied) = {
            let mut maps = body.maps.lock();
            let at = maps.iter().position(|map| map.address == address).ok_or_else(|| {
                Error::invalid_value(format!("{mapped:p} is no mapped part of the buffer (mapped_ptr)"))
            })?;
            let copied = maps[at].copied(queue)?;
            (maps.swap_remove(at), copied)
        };
        let writes =
            body.home.host().is_none() && map.flags & (MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION) != 0;
        let result = submit(queue, Lane::Copy, CommandType::MEM_BUFFER_UNMAP, dependencies, false, |stream| {
            if let Some(mark) = &copied {
                cuda()?.cuStreamWaitEvent(stream, mark.end.get(), 0)?;
            }
            if writes {
                let to = owner.range(queue.index, map.offset, map.size, true)?;
                cuda()?.cuMemcpyHtoDAsync_v2(to, mapped, map.size, stream)?;
            }
            match map.block.clone() {
                // The copy may still read it.
                Some(block) => sys::call_after(Raw::new(stream), Box::new(move || drop(block))),
                None => Ok(()),
            }
        });
        if result.is_err() {
            // Still mapped, as the caller was told; and copies may be on their way into the block and out of it.
            body.maps.lock().push(map);
        }
        result
    }
}

/// Refuses a copy inside one buffer whose ranges meet.
fn check_overlap(src: &Mem, dst: &Mem, src_offset: usize, dst_offset: usize, size: usize) -> Result<()> {
    let ((one, _, src_origin, _), (other, _, dst_origin, _)) = (src.buffer()?, dst.buffer()?);
    let (from, to) = (src_origin.saturating_add(src_offset), dst_origin.saturating_add(dst_offset));
    if std::ptr::eq(one, other) && from < to.saturating_add(size) && to < from.saturating_add(size) {
        return Err(Error::new(
            ErrorCode::MEM_COPY_OVERLAP,
            "src_buffer and dst_buffer are one, src_offset and dst_offset too close: the ranges overlap",
        ));
    }
    Ok(())
}
