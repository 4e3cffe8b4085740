//! Command buffers: CUDA graphs, made node by node while commands are recorded.
//!
//! - A launch keeps the kernel's arguments as they are when it is recorded.
//! - Host memory of copies is read and written at each run.
//! - Buffers, kernels and the context stay until the command buffer goes. A kernel's own arguments must stay alive until
//!   the last run, as for any launch.
//! - Prefetches and advices are hints; they only keep their place in the order.

mod graph;

use core::ffi::c_void;

use sycl_pi_backend::api::CommandBufferApi;
use sycl_pi_backend::{Counted, Error, NdRange, New, Dependencies, SyncPointDependencies, Rect, Result};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::context::Context;
use crate::copy::{BoxCopy, End, device_address, end_at};
use crate::device::Device;
use crate::enqueue::check_box;
use crate::event::Event;
use crate::kernel::Kernel;
use crate::launch::offset_of;
use crate::mem::Mem;
use crate::queue::Queue;
use crate::sys::CUDA_KERNEL_NODE_PARAMS_v2;
use crate::work_group::grid;

pub(crate) use graph::Recorder;
use graph::{Adder, Kept};

crate::kind!(Recorder, RawCommandBuffer, ErrorCode::INVALID_COMMAND_BUFFER_KHR, "*mut RawCommandBuffer");

type Buffer = Counted<Recorder>;

/// The end of a copy: `size` bytes of a buffer.
fn bytes_of(buffer: &Recorder, mem: &Counted<Mem>, offset: usize, size: usize, writes: bool) -> Result<End> {
    buffer.check_context(&mem.context, "buffer (or src_buffer, dst_buffer)")?;
    if size == 0 {
        return Err(Error::invalid_value("size is 0: nothing to do"));
    }
    Ok(End::Device { start: mem.range(buffer.index, offset, size, writes)?, row: 0, slice: 0 })
}

/// The end of a copy: a box of a buffer.
fn box_of(buffer: &Recorder, mem: &Counted<Mem>, first: bool, rect: &Rect<'_>, writes: bool) -> Result<End> {
    buffer.check_context(&mem.context, "buffer (or src_buffer, dst_buffer)")?;
    let (origin, row, slice) = if first {
        (rect.first_origin, rect.first_row_pitch, rect.first_slice_pitch)
    } else {
        (rect.second_origin, rect.second_row_pitch, rect.second_slice_pitch)
    };
    check_box(mem, origin, rect, row, slice)?;
    Ok(End::Device { start: mem.range(buffer.index, 0, 0, writes)?, row, slice })
}

/// A copy of bytes side by side.
fn line(src: End, dst: End, size: usize) -> BoxCopy {
    BoxCopy { src, src_origin: [0; 3], dst, dst_origin: [0; 3], region: [size, 1, 1] }
}

fn host(start: *const c_void) -> End {
    End::Host { start: start.cast_mut(), row: 0, slice: 0 }
}

impl CommandBufferApi for Cuda {
    fn command_buffer_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        _: Option<&pi_ext_command_buffer_desc>,
    ) -> Result<New<Buffer>> {
        Recorder::new(context, device).map(Counted::create)
    }

    fn command_buffer_retain(buffer: &Buffer) -> Result<()> {
        buffer.retain();
        Ok(())
    }

    fn command_buffer_release(buffer: &Buffer) -> Result<()> {
        buffer.release();
        Ok(())
    }

    fn command_buffer_finalize(buffer: &Buffer) -> Result<()> {
        buffer.finalize()
    }

    fn command_buffer_nd_range_kernel(
        buffer: &Buffer,
        kernel: &Counted<Kernel>,
        range: NdRange<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.check_context(&kernel.program.context, "kernel")?;
        let function = kernel.function(buffer.index)?;
        buffer.record(dependencies, |to: &Adder<'_>| {
            let grid = grid(kernel, function, &to.place.device, &range)?;
            if grid.empty {
                return Ok((to.nothing()?, Vec::new()));
            }
            let mut args = kernel.args.lock();
            args.resolve(buffer.index)?;
            let mut offset = offset_of(&range)?;
            let raw = match function.with_offset {
                Some(variant) if offset != [0; 3] => variant,
                _ => function.raw,
            };
            function.allow(args.shared, &to.place.device)?;
            let node = to.kernel(CUDA_KERNEL_NODE_PARAMS_v2 {
                func: raw.get(),
                gridDimX: grid.groups[0],
                gridDimY: grid.groups[1],
                gridDimZ: grid.groups[2],
                blockDimX: grid.local[0],
                blockDimY: grid.local[1],
                blockDimZ: grid.local[2],
                sharedMemBytes: args.shared as u32,
                kernelParams: args.params.list(&mut offset),
                extra: std::ptr::null_mut(),
                kern: std::ptr::null_mut(),
                ctx: std::ptr::null_mut(),
            })?;
            Ok((node, vec![Kept::Kernel(kernel.share())]))
        })
    }

    fn command_buffer_memcpy_usm(
        buffer: &Buffer,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            if size == 0 {
                return Ok((to.nothing()?, Vec::new()));
            }
            Ok((to.copy(&line(end_at(src, 0)?, end_at(dst, 0)?, size))?, Vec::new()))
        })
    }

    fn command_buffer_mem_buffer_copy(
        buffer: &Buffer,
        src: &Counted<Mem>,
        dst: &Counted<Mem>,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            let from = bytes_of(buffer, src, src_offset, size, false)?;
            let into = bytes_of(buffer, dst, dst_offset, size, true)?;
            Ok((to.copy(&line(from, into, size))?, vec![Kept::Mem(src.share()), Kept::Mem(dst.share())]))
        })
    }

    fn command_buffer_mem_buffer_copy_rect(
        buffer: &Buffer,
        src: &Counted<Mem>,
        dst: &Counted<Mem>,
        rect: Rect<'_>,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            let copy = BoxCopy {
                src: box_of(buffer, src, true, &rect, false)?,
                src_origin: *rect.first_origin,
                dst: box_of(buffer, dst, false, &rect, true)?,
                dst_origin: *rect.second_origin,
                region: *rect.region,
            };
            Ok((to.copy(&copy)?, vec![Kept::Mem(src.share()), Kept::Mem(dst.share())]))
        })
    }

    fn command_buffer_mem_buffer_write(
        buffer: &Buffer,
        mem: &Counted<Mem>,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            let into = bytes_of(buffer, mem, offset, size, true)?;
            Ok((to.copy(&line(host(ptr), into, size))?, vec![Kept::Mem(mem.share())]))
        })
    }

    fn command_buffer_mem_buffer_write_rect(
        buffer: &Buffer,
        mem: &Counted<Mem>,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            let (row, slice) = (rect.second_row_pitch, rect.second_slice_pitch);
            let copy = BoxCopy {
                src: End::Host { start: ptr.cast_mut(), row, slice },
                src_origin: *rect.second_origin,
                dst: box_of(buffer, mem, true, &rect, true)?,
                dst_origin: *rect.first_origin,
                region: *rect.region,
            };
            Ok((to.copy(&copy)?, vec![Kept::Mem(mem.share())]))
        })
    }

    fn command_buffer_mem_buffer_read(
        buffer: &Buffer,
        mem: &Counted<Mem>,
        offset: usize,
        size: usize,
        dst: *mut c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            let from = bytes_of(buffer, mem, offset, size, false)?;
            Ok((to.copy(&line(from, host(dst), size))?, vec![Kept::Mem(mem.share())]))
        })
    }

    fn command_buffer_mem_buffer_read_rect(
        buffer: &Buffer,
        mem: &Counted<Mem>,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            let (row, slice) = (rect.second_row_pitch, rect.second_slice_pitch);
            let copy = BoxCopy {
                src: box_of(buffer, mem, true, &rect, false)?,
                src_origin: *rect.first_origin,
                dst: End::Host { start: ptr, row, slice },
                dst_origin: *rect.second_origin,
                region: *rect.region,
            };
            Ok((to.copy(&copy)?, vec![Kept::Mem(mem.share())]))
        })
    }

    fn command_buffer_mem_buffer_fill(
        buffer: &Buffer,
        mem: &Counted<Mem>,
        pattern: &[u8],
        offset: usize,
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| {
            bytes_of(buffer, mem, offset, size, true)?;
            let start = mem.range(buffer.index, offset, size, true)?;
            Ok((to.fill(start, pattern, size)?, vec![Kept::Mem(mem.share())]))
        })
    }

    fn command_buffer_fill_usm(
        buffer: &Buffer,
        ptr: *mut c_void,
        pattern: &[u8],
        size: usize,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| Ok((to.fill(device_address(ptr), pattern, size)?, Vec::new())))
    }

    fn command_buffer_prefetch_usm(
        buffer: &Buffer,
        _: *const c_void,
        _: usize,
        _: UsmMigrationFlags,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| Ok((to.nothing()?, Vec::new())))
    }

    fn command_buffer_advise_usm(
        buffer: &Buffer,
        _: *const c_void,
        _: usize,
        _: MemAdvice,
        dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        buffer.record(dependencies, |to| Ok((to.nothing()?, Vec::new())))
    }

    fn enqueue_command_buffer(
        buffer: &Buffer,
        queue: &Counted<Queue>,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        buffer.enqueue(queue, dependencies)
    }
}
