//! Commands: kernel launches, waits, buffer commands.

use core::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Fill, NdRange, Rect, Result, native_command_behind_barrier};

use crate::OpenCl;
use crate::check::{check_extent, check_local, check_range, check_rect};
use crate::device_info;
use crate::fill::{FillStart, fill};
use crate::mem;
use crate::svm::{self, MemoryUse, borrow, lend};
use crate::sys::{
    self, Event, HasPlatform, Kernel, Mem, OpenClFunctions, Owned, Queue, blocking, cl, raw_dependencies,
};

/// Enqueues a marker or barrier. If there is a wait list, it always requests an event, because otherwise Intel's CPU
/// runtime terminates the process on an event of another context in an out-of-order queue.
fn with_event(
    mut dependencies: Dependencies<'_, Event>,
    enqueue: impl FnOnce(u32, *const sys::cl_event, *mut sys::cl_event) -> Result<()>,
) -> Result<()> {
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    if n == 0 || !event.is_null() {
        return enqueue(n, waits, event);
    }
    let mut unwanted = null_mut();
    enqueue(n, waits, &mut unwanted)?;
    // If the driver returned no event, there is nothing to release.
    drop(Owned::<Event>::adopt(unwanted));
    Ok(())
}

/// Returns the work-group size that the kernel was compiled for, if any.
pub(crate) fn required_size(queue: &Queue, kernel: &Kernel) -> Option<[usize; 3]> {
    let device = queue.device().ok()?;
    let mut size = [0_usize; 3];
    let (name, room) = (KernelGroupInfo::COMPILE_WORK_GROUP_SIZE.0, (&raw mut size).cast());
    cl().clGetKernelWorkGroupInfo(kernel.cl(), device.cl(), name, size_of_val(&size), room, null_mut())
        .ok()?;
    Some(size).filter(|size| size[0] != 0)
}

/// `clEnqueueReadBufferRect` or `clEnqueueWriteBufferRect`.
type RectCommand = fn(
    &OpenClFunctions,
    sys::cl_command_queue,
    sys::cl_mem,
    sys::cl_bool,
    *const usize,
    *const usize,
    *const usize,
    usize,
    usize,
    usize,
    usize,
    *mut c_void,
    u32,
    *const sys::cl_event,
    *mut sys::cl_event,
) -> Result<()>;

/// Enqueues a transfer of a box between a buffer and host memory.
fn enqueue_rect(
    command: RectCommand,
    (queue, buffer): (&Queue, &Mem),
    is_blocking: bool,
    rect: Rect<'_>,
    ptr: *mut c_void,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    check_rect(&rect)?;
    // Intel's CPU runtime of 2023 writes past the end of buffers here.
    check_extent(buffer, rect.first_origin, &rect, (rect.first_row_pitch, rect.first_slice_pitch))?;
    borrow(queue, ptr, is_blocking, dependencies, |is_blocking, mut dependencies| {
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        blocking(queue, is_blocking, event, |blocking, event| {
            command(
                cl(),
                queue.cl(),
                buffer.cl(),
                blocking,
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
        })
    })
}

fn launch(
    queue: &Queue,
    kernel: &Kernel,
    range: NdRange<'_>,
    mut dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    let pointer = |list: Option<&[usize]>| list.map_or(null(), <[usize]>::as_ptr);
    let (dims, offset, global) = (range.dims(), pointer(range.offset), range.global.as_ptr());
    let launch = |local| {
        cl().clEnqueueNDRangeKernel(queue.cl(), kernel.cl(), dims, offset, global, local, n, waits, event)
    };
    match launch(pointer(range.local)) {
        Err(error) if range.local.is_none() && error.code() == ErrorCode::INVALID_WORK_GROUP_SIZE => {
            // Drivers require the size that a kernel was compiled for to be passed explicitly.
            required_size(queue, kernel).map_or(Err(error), |size| launch(size.as_ptr()))
        }
        result => result,
    }
}

impl EnqueueApi for OpenCl {
    fn enqueue_kernel_launch(
        queue: &Queue,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_local(range.local)?;
        svm::tell(kernel)?;
        lend(queue, MemoryUse::All, false, dependencies, |_, dependencies| {
            launch(queue, kernel, range, dependencies)
        })
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
        if !device_info::runs_native_kernels(queue.device()?)? {
            // rusticl 25.0 terminates the process. The code is OpenCL's for this.
            let text = "the device runs no native kernels: its CL_DEVICE_EXECUTION_CAPABILITIES lack CL_EXEC_NATIVE_KERNEL";
            return Err(Error::new(ErrorCode::INVALID_OPERATION, text));
        }
        let context = queue.context()?.cl();
        for wait in dependencies.waits {
            if wait.context()?.cl() != context {
                // Intel's CPU runtime of 2023 terminates the process on this in every kind of queue.
                return Err(Error::event_of_another_context());
            }
        }
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        let args_ptr = if args.is_empty() { null_mut() } else { args.as_mut_ptr().cast() };
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

    fn enqueue_native_command(
        queue: &Queue,
        run: &mut dyn FnMut(),
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        native_command_behind_barrier::<Self>(queue, run, dependencies)
    }

    fn enqueue_timestamp(queue: &Queue, blocking: bool, dependencies: Dependencies<'_, Event>) -> Result<()> {
        if !queue.flags()?.contains(QueueFlags::PROFILING_ENABLE) {
            return Err(Error::unsupported("OpenCL has times in queues with profiling only"));
        }
        Self::enqueue_events_wait(queue, dependencies)?;
        if blocking { sys::finish(queue) } else { Ok(()) }
    }

    #[inline]
    fn enqueue_events_wait(queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        with_event(dependencies, |n, waits, event| {
            cl().clEnqueueMarkerWithWaitList(queue.cl(), n, waits, event)
        })
    }

    #[inline]
    fn enqueue_events_wait_with_barrier(queue: &Queue, dependencies: Dependencies<'_, Event>) -> Result<()> {
        with_event(dependencies, |n, waits, event| {
            cl().clEnqueueBarrierWithWaitList(queue.cl(), n, waits, event)
        })
    }

    #[inline]
    fn enqueue_mem_buffer_read(
        queue: &Queue,
        buffer: &Mem,
        is_blocking: bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, size)?;
        let (cl_queue, mem) = (queue.cl(), buffer.cl());
        borrow(queue, ptr, is_blocking, dependencies, |is_blocking, mut dependencies| {
            let (n, waits, event) = raw_dependencies(&mut dependencies);
            blocking(queue, is_blocking, event, |blocking, event| {
                cl().clEnqueueReadBuffer(cl_queue, mem, blocking, offset, size, ptr, n, waits, event)
            })
        })
    }

    fn enqueue_mem_buffer_read_rect(
        queue: &Queue,
        buffer: &Mem,
        is_blocking: bool,
        rect: Rect<'_>,
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let command = OpenClFunctions::clEnqueueReadBufferRect;
        enqueue_rect(command, (queue, buffer), is_blocking, rect, ptr, dependencies)
    }

    #[inline]
    fn enqueue_mem_buffer_write(
        queue: &Queue,
        buffer: &Mem,
        is_blocking: bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, size)?;
        let (cl_queue, mem) = (queue.cl(), buffer.cl());
        borrow(queue, ptr, is_blocking, dependencies, |is_blocking, mut dependencies| {
            let (n, waits, event) = raw_dependencies(&mut dependencies);
            blocking(queue, is_blocking, event, |blocking, event| {
                cl().clEnqueueWriteBuffer(cl_queue, mem, blocking, offset, size, ptr, n, waits, event)
            })
        })
    }

    fn enqueue_mem_buffer_write_rect(
        queue: &Queue,
        buffer: &Mem,
        is_blocking: bool,
        rect: Rect<'_>,
        ptr: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let command = OpenClFunctions::clEnqueueWriteBufferRect;
        enqueue_rect(command, (queue, buffer), is_blocking, rect, ptr.cast_mut(), dependencies)
    }

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
        let (n, waits, event) = raw_dependencies(&mut dependencies);
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
        let (n, waits, event) = raw_dependencies(&mut dependencies);
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

    fn enqueue_mem_buffer_fill(
        queue: &Queue,
        buffer: &Mem,
        offset: usize,
        range: Fill<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, range.width())?;
        fill(queue, FillStart::Buffer(buffer, offset), range.pattern(), range.width(), dependencies)
    }

    #[inline]
    fn enqueue_mem_buffer_map(
        queue: &Queue,
        buffer: &Mem,
        is_blocking: bool,
        flags: MapFlags,
        offset: usize,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<*mut c_void> {
        check_range(offset, size)?;
        if !MapFlags::all().contains(flags) {
            return Err(Error::bad_map_flags(flags));
        }
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        let (cl_queue, mem, flags) = (queue.cl(), buffer.cl(), flags.bits());
        blocking(queue, is_blocking, event, |blocking, event| {
            sys::create_raw(|code| {
                cl().clEnqueueMapBuffer(cl_queue, mem, blocking, flags, offset, size, n, waits, event, code)
            })
        })
    }

    fn enqueue_mem_unmap(
        queue: &Queue,
        mem: &Mem,
        mapped: *mut c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        cl().clEnqueueUnmapMemObject(queue.cl(), mem.cl(), mapped, n, waits, event)
    }
}
