//! Commands on images.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueImageApi;
use sycl_pi_backend::{Dependencies, Error, Result};

use crate::OpenCl;
use crate::check::check_range;
use crate::pocl;
use crate::sys::{self, Event, Mem, OpenClFunctions, Queue, blocking, cl, raw_dependencies};

/// Refuses boxes that are empty, or whose far corner is not representable, because the driver's own sums might
/// overflow. Also refuses boxes that PoCL cannot handle.
fn check_box(queue: &Queue, image: &Mem, origin: &[usize; 3], region: &[usize; 3]) -> Result<()> {
    if region.contains(&0) {
        return Err(Error::invalid_value(format!("region {region:?} is empty")));
    }
    origin
        .iter()
        .zip(region)
        .try_for_each(|(origin, size)| check_range(*origin, *size))
        .map_err(|error| error.context("origin and region"))?;
    pocl::check_image(queue, image, origin, region)
}

/// `clEnqueueReadImage` or `clEnqueueWriteImage`.
type ImageCommand = fn(
    &OpenClFunctions,
    sys::cl_command_queue,
    sys::cl_mem,
    sys::cl_bool,
    *const usize,
    *const usize,
    usize,
    usize,
    *mut c_void,
    u32,
    *const sys::cl_event,
    *mut sys::cl_event,
) -> Result<()>;

/// Enqueues a transfer of a box between an image and host memory.
#[allow(clippy::too_many_arguments)]
fn enqueue_transfer(
    command: ImageCommand,
    (queue, image): (&Queue, &Mem),
    is_blocking: bool,
    origin: &[usize; 3],
    region: &[usize; 3],
    (row_pitch, slice_pitch): (usize, usize),
    ptr: *mut c_void,
    mut dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    check_box(queue, image, origin, region)?;
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    let (cl_queue, mem, origin, region) = (queue.cl(), image.cl(), origin.as_ptr(), region.as_ptr());
    blocking(queue, is_blocking, event, |blocking, event| {
        command(cl(), cl_queue, mem, blocking, origin, region, row_pitch, slice_pitch, ptr, n, waits, event)
    })
}

impl EnqueueImageApi for OpenCl {
    fn enqueue_mem_image_read(
        queue: &Queue,
        image: &Mem,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        pitches: (usize, usize),
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let command = OpenClFunctions::clEnqueueReadImage;
        enqueue_transfer(command, (queue, image), blocking, origin, region, pitches, ptr, dependencies)
    }

    fn enqueue_mem_image_write(
        queue: &Queue,
        image: &Mem,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        pitches: (usize, usize),
        ptr: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (command, ptr) = (OpenClFunctions::clEnqueueWriteImage, ptr.cast_mut());
        enqueue_transfer(command, (queue, image), blocking, origin, region, pitches, ptr, dependencies)
    }

    fn enqueue_mem_image_copy(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        src_origin: &[usize; 3],
        dst_origin: &[usize; 3],
        region: &[usize; 3],
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_box(queue, src, src_origin, region)?;
        check_box(queue, dst, dst_origin, region)?;
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        let (from, to) = (src_origin.as_ptr(), dst_origin.as_ptr());
        cl().clEnqueueCopyImage(queue.cl(), src.cl(), dst.cl(), from, to, region.as_ptr(), n, waits, event)
    }

    fn enqueue_mem_image_fill(
        queue: &Queue,
        image: &Mem,
        color: *const c_void,
        origin: &[usize; 3],
        region: &[usize; 3],
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_box(queue, image, origin, region)?;
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        cl().clEnqueueFillImage(
            queue.cl(),
            image.cl(),
            color,
            origin.as_ptr(),
            region.as_ptr(),
            n,
            waits,
            event,
        )
    }
}
