//! Commands on images.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueImageApi;
use sycl_pi_backend::{Error, Dependencies, Result};

use crate::OpenCl;
use crate::check::check_range;
use crate::enqueue::raw;
use crate::pocl::check_image;
use crate::sys::{Event, Mem, Queue, cl};

/// Refuses boxes that are empty, or whose far corner is not representable: the driver's own sums might wrap.
fn check_box(origin: &[usize; 3], region: &[usize; 3]) -> Result<()> {
    if region.contains(&0) {
        return Err(Error::invalid_value(format!("region {region:?} is empty")));
    }
    origin
        .iter()
        .zip(region)
        .try_for_each(|(origin, size)| check_range(*origin, *size))
        .map_err(|error| error.context("origin and region"))
}

impl EnqueueImageApi for OpenCl {
    fn enqueue_mem_image_read(
        queue: &Queue,
        image: &Mem,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        (row_pitch, slice_pitch): (usize, usize),
        ptr: *mut c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_box(origin, region)?;
        check_image(queue, image, origin, region)?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueReadImage(
            queue.cl(),
            image.cl(),
            blocking.into(),
            origin.as_ptr(),
            region.as_ptr(),
            row_pitch,
            slice_pitch,
            ptr,
            n,
            waits,
            event,
        )
    }

    fn enqueue_mem_image_write(
        queue: &Queue,
        image: &Mem,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        (row_pitch, slice_pitch): (usize, usize),
        ptr: *const c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_box(origin, region)?;
        check_image(queue, image, origin, region)?;
        let (n, waits, event) = raw!(dependencies);
        cl().clEnqueueWriteImage(
            queue.cl(),
            image.cl(),
            blocking.into(),
            origin.as_ptr(),
            region.as_ptr(),
            row_pitch,
            slice_pitch,
            ptr,
            n,
            waits,
            event,
        )
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
        check_box(src_origin, region)?;
        check_box(dst_origin, region)?;
        check_image(queue, src, src_origin, region)?;
        check_image(queue, dst, dst_origin, region)?;
        let (n, waits, event) = raw!(dependencies);
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
        check_box(origin, region)?;
        check_image(queue, image, origin, region)?;
        let (n, waits, event) = raw!(dependencies);
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
