//! Commands: kernel launch, waits, buffers.

use core::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::{Error, NdRange, Dependencies, Rect, Result, cold_case, cold_error};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::check::{check_extent, check_fill, check_local, check_range, check_rect};
use crate::mem;
use crate::sys::{self, Event, Kernel, Mem, Queue, Rooted, cl};

/// Wait list and event as OpenCL takes them.
macro_rules! raw {
    ($dependencies:ident) => {{
        let (count, list, event) = $dependencies.raw_parts();
        (count, list.cast(), event.cast())
    }};
}
pub(crate) use raw;

/// Runs a marker or barrier with a place for its event, wanted or not, if it has a wait list: without one Intel's CPU
/// runtime ends the process over an event of another context, on an out-of-order queue.
#[inline(always)]
fn with_event(
    waits: u32,
    event: *mut sys::cl_event,
    enqueue: impl FnOnce(*mut sys::cl_event) -> Result<()>,
) -> Result<()> {
    if waits == 0 || !event.is_null() {
        return enqueue(event);
    }
    let mut unwanted = null_mut();
    enqueue(&mut unwanted)?;
    if unwanted.is_null() { Ok(()) } else { cl().clReleaseEvent(unwanted) }
}

/// A launch whose work-group size is the driver's choice; apart, as it keeps its arguments for a second try.
#[inline(never)]
#[allow(improper_ctypes_definitions, clippy::too_many_arguments, reason = "called from this file only")]
extern "C" fn launch_any_size(
    queue: &Queue,
    kernel: &Kernel,
    dims: u32,
    offset: *const usize,
    global: *const usize,
    n: u32,
    waits: *const sys::cl_event,
    event: *mut sys::cl_event,
) -> Result<()> {
    let launch = |local| {
        cl().clEnqueueNDRangeKernel(queue.cl(), kernel.cl(), dims, offset, global, local, n, waits, event)
    };
    match launch(null()) {
        Err(error) if error.code() == ErrorCode::INVALID_WORK_GROUP_SIZE => cold_case(|| {
            // Drivers want the size that a kernel was compiled for spelled out.
            match required_size(queue, kernel) {
                Some(size) => launch(size.as_ptr()),
                None => Err(error),
            }
        }),
        result => result,
    }
}

/// The work-group size that the kernel was compiled for, if for any.
fn required_size(queue: &Queue, kernel: &Kernel) -> Option<[usize; 3]> {
    let (cl, mut device, mut size): (_, sys::cl_device_id, _) = (cl(), null_mut(), [0_usize; 3]);
    let (name, room) = (sys::CL_QUEUE_DEVICE, (&raw mut device).cast());
    cl.clGetCommandQueueInfo(queue.cl(), name, size_of::<sys::cl_device_id>(), room, null_mut()).ok()?;
    let (name, room) = (KernelGroupInfo::COMPILE_WORK_GROUP_SIZE, (&raw mut size).cast());
    cl.clGetKernelWorkGroupInfo(kernel.cl(), device, name, size_of_val(&size), room, null_mut()).ok()?;
    Some(size).filter(|size| size[0] != 0)
}

impl EnqueueApi for OpenCl {
    #[inline(always)]
    fn enqueue_kernel_launch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (n, waits, event) = raw!(dependencies);
        let pointer = |list: Option<&[usize]>| list.map_or(null(), <[usize]>::as_ptr);
        check_local(range.local)?;
        let (dims, offset, global) = (range.dims(), pointer(range.offset), range.global.as_ptr());
        let Some(local) = range.local else {
            return launch_any_size(queue, kernel, dims, offset, global, n, waits, event);
        };
        let (queue, kernel, local) = (queue.cl(), kernel.cl(), local.as_ptr());
        cl().clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, n, waits, event)
    }

    fn enqueue_cooperative_kernel_launch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let groups = match range.local {
            Some(local) => range
                .global
                .iter()
                .zip(local)
                .map(|(global, local)| global.div_ceil((*local).max(1)))
                .product(),
            None => 1_usize,
        };
        if groups > 1 {
            return Err(Error::unsupported(format!(
                "OpenCL cannot promise that {groups} work-groups run at once; one does"
            )));
        }
        Self::enqueue_kernel_launch(queue, kernel, range, dependencies)
    }

    fn enqueue_native_kernel(
        queue: &Queue,
        function: unsafe extern "C" fn(*mut c_void),
        args: &mut [u8],
        mems: &[&Mem],
        locations: &[*const c_void],
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let context = queue.context()?.cl();
        for wait in dependencies.waits {
            if wait.context()?.cl() != context {
                // Intel's CPU runtime of 2023 ends the process over it, in every kind of queue.
                let text = "event_wait_list has an event of another context";
                return Err(Error::new(ErrorCode::INVALID_CONTEXT, text));
            }
        }
        let (n, waits, event) = raw!(dependencies);
        let args_ptr = if args.is_empty() { std::ptr::null_mut() } else { args.as_mut_ptr().cast() };
        let (list, places) =
            if mems.is_empty() { (null(), null()) } else { (mems.as_ptr().cast(), locations.as_ptr()) };
        cl().clEnqueueNativeKernel(
            queue.cl(),
            Some(function),
            args_ptr,
            args.len(),
            mems.len() as u32,
            list,
            places,
            n,
            waits,
            event,
        )
    }

    #[inline(always)]
    fn enqueue_events_wait(queue: &Queue, mut dependencies: Dependencies<'_, Event>) -> Result<()> {
        let (n, waits, event) = raw!(dependencies);
        with_event(n, event, |event| cl().clEnqueueMarkerWithWaitList(queue.cl(), n, waits, event))
    }

    #[inline(always)]
    fn enqueue_events_wait_with_barrier(queue: &Queue, mut dependencies: Dependencies<'_, Event>) -> Result<()> {
        let (n, waits, event) = raw!(dependencies);
        with_event(n, event, |event| cl().clEnqueueBarrierWithWaitList(queue.cl(), n, waits, event))
    }

    #[inline(always)]
    fn enqueue_mem_buffer_read(
        queue: &Queue,
        buffer: &Mem,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, size)?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueReadBuffer(queue.cl(), buffer.cl(), blocking.into(), offset, size, ptr, n, waits, event)
    }

    fn enqueue_mem_buffer_read_rect(
        queue: &Queue,
        buffer: &Mem,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *mut c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_rect(&rect)?;
        // Intel's CPU runtime 2023 writes past the end of buffers here.
        check_extent(buffer, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueReadBufferRect(
            queue.cl(),
            buffer.cl(),
            blocking.into(),
            rect.first_origin.as_ptr(),
            rect.second_origin.as_ptr(),
            rect.region.as_ptr(),
            rect.first_row_pitch,
            rect.first_slice_pitch,
            rect.second_row_pitch,
            rect.second_slice_pitch,
            ptr,
            n,
            waits,
            event,
        )
    }

    #[inline(always)]
    fn enqueue_mem_buffer_write(
        queue: &Queue,
        buffer: &Mem,
        blocking: bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, size)?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueWriteBuffer(
            queue.cl(),
            buffer.cl(),
            blocking.into(),
            offset,
            size,
            ptr,
            n,
            waits,
            event,
        )
    }

    fn enqueue_mem_buffer_write_rect(
        queue: &Queue,
        buffer: &Mem,
        blocking: bool,
        rect: Rect<'_>,
        ptr: *const c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_rect(&rect)?;
        // Intel's CPU runtime 2023 writes past the end of buffers here.
        check_extent(buffer, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueWriteBufferRect(
            queue.cl(),
            buffer.cl(),
            blocking.into(),
            rect.first_origin.as_ptr(),
            rect.second_origin.as_ptr(),
            rect.region.as_ptr(),
            rect.first_row_pitch,
            rect.first_slice_pitch,
            rect.second_row_pitch,
            rect.second_slice_pitch,
            ptr,
            n,
            waits,
            event,
        )
    }

    #[inline(always)]
    fn enqueue_mem_buffer_copy(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(src_offset, size)?;
        check_range(dst_offset, size)?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueCopyBuffer(
            queue.cl(),
            src.cl(),
            dst.cl(),
            src_offset,
            dst_offset,
            size,
            n,
            waits,
            event,
        )
    }

    fn enqueue_mem_buffer_copy_rect(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        rect: Rect<'_>,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_rect(&rect)?;
        check_extent(src, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
        check_extent(dst, rect.second_origin, &rect, (rect.second_row_pitch, rect.second_slice_pitch))?;
        let mut places = [(src.cl(), *rect.first_origin), (dst.cl(), *rect.second_origin)];
        if queue.driver()?.is_pocl {
            places = [mem::whole(src, rect.first_origin)?, mem::whole(dst, rect.second_origin)?];
        }
        let [(src, first_origin), (dst, second_origin)] = places;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueCopyBufferRect(
            queue.cl(),
            src,
            dst,
            first_origin.as_ptr(),
            second_origin.as_ptr(),
            rect.region.as_ptr(),
            rect.first_row_pitch,
            rect.first_slice_pitch,
            rect.second_row_pitch,
            rect.second_slice_pitch,
            n,
            waits,
            event,
        )
    }

    #[inline(always)]
    fn enqueue_mem_buffer_fill(
        queue: &Queue,
        buffer: &Mem,
        pattern: &[u8],
        offset: usize,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, size)?;
        check_fill(pattern.len(), offset, size)?;
        let (n, waits, event) = raw!(dependencies);
        let (start, len) = (pattern.as_ptr().cast(), pattern.len());
        cl().clEnqueueFillBuffer(queue.cl(), buffer.cl(), start, len, offset, size, n, waits, event)
    }

    #[inline(always)]
    fn enqueue_mem_buffer_map(
        queue: &Queue,
        buffer: &Mem,
        blocking: bool,
        flags: MapFlags,
        offset: usize,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<*mut c_void> {
        check_range(offset, size)?;
        let unknown = flags & !(MapFlags::READ | MapFlags::WRITE | MapFlags::WRITE_INVALIDATE_REGION);
        if unknown != 0 {
            return Err(cold_error(move || {
                Error::invalid_value(format!("map_flags has unknown flags {unknown:#x}"))
            }));
        }
        let (n, waits, event) = raw!(dependencies);
        let (queue, buffer) = (queue.cl(), buffer.cl());
        sys::blocking(queue, blocking.into(), event, move |blocking, event| {
            cl().clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, n, waits, event)
        })
    }

    #[inline(always)]
    fn enqueue_mem_unmap(
        queue: &Queue,
        mem: &Mem,
        mapped: *mut c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueUnmapMemObject(queue.cl(), mem.cl(), mapped, n, waits, event)
    }
}
