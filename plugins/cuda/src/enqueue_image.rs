//! Commands on images.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueImageApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, Result};

use crate::Cuda;
use crate::copy::enqueue_copy::enqueue_box_copy;
use crate::copy::{BoxCopy, CopyEnd};
use crate::event::event_object::Event;
use crate::image::ArrayImage;
use crate::mem::Mem;
use crate::queue::{Queue, StreamKind};
use crate::submit::{CommandRequest, submit};
use crate::sys::{self, DriverHandle};

/// Returns the image behind a memory object, which must belong to the queue's context and device.
fn image_of<'a>(queue: &Counted<Queue>, mem: &'a Counted<Mem>) -> Result<&'a ArrayImage> {
    if !std::ptr::eq(&*mem.context, &*queue.context) {
        return Err(Error::other_context("the image", "the queue"));
    }
    if queue.index != 0 {
        return Err(Error::unsupported("an image is on its context's first device; the queue is on another"));
    }
    mem.image()
}

impl EnqueueImageApi for Cuda {
    fn enqueue_mem_image_read(
        queue: &Counted<Queue>,
        image: &Counted<Mem>,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        (row, slice): (usize, usize),
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let image = image_of(queue, image)?;
        let (src_origin, region) = image.region(origin, region)?;
        let (src, dst) = (CopyEnd::Array(image.array.get()), image.host_end(ptr, row, slice));
        let copy = BoxCopy { src, src_origin, dst, dst_origin: [0; 3], region };
        let request = CommandRequest::new(CommandType::IMAGE_READ, StreamKind::Copy).blocking(blocking);
        enqueue_box_copy(queue, request, &copy, &[], dependencies)
    }

    fn enqueue_mem_image_write(
        queue: &Counted<Queue>,
        image: &Counted<Mem>,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        (row, slice): (usize, usize),
        ptr: *const c_void,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let image = image_of(queue, image)?;
        let (dst_origin, region) = image.region(origin, region)?;
        let src = image.host_end(ptr.cast_mut(), row, slice);
        let dst = CopyEnd::Array(image.array.get());
        let copy = BoxCopy { src, src_origin: [0; 3], dst, dst_origin, region };
        let request = CommandRequest::new(CommandType::IMAGE_WRITE, StreamKind::Copy).blocking(blocking);
        enqueue_box_copy(queue, request, &copy, &[], dependencies)
    }

    fn enqueue_mem_image_copy(
        queue: &Counted<Queue>,
        src: &Counted<Mem>,
        dst: &Counted<Mem>,
        src_origin: &[usize; 3],
        dst_origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let (from, to) = (image_of(queue, src)?, image_of(queue, dst)?);
        // CUDA distinguishes neither normalized integers from others, nor orders of the same channels.
        if from.format != to.format {
            return Err(Error::different_image_formats());
        }
        let (src_origin, size) = from.region(src_origin, region)?;
        let (dst_origin, dst_size) = to.region(dst_origin, region)?;
        if size != dst_size {
            let text = "CUDA copies several images of an array of one dimension to another such array only";
            return Err(Error::unsupported(text));
        }
        let (src, dst) = (CopyEnd::Array(from.array.get()), CopyEnd::Array(to.array.get()));
        let copy = BoxCopy { src, src_origin, dst, dst_origin, region: size };
        let request = CommandRequest::new(CommandType::IMAGE_COPY, StreamKind::Copy);
        enqueue_box_copy(queue, request, &copy, &[], dependencies)
    }

    fn enqueue_mem_image_fill(
        queue: &Counted<Queue>,
        image: &Counted<Mem>,
        color: *const c_void,
        origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let image = image_of(queue, image)?;
        let (dst_origin, region) = image.region(origin, region)?;
        let pixel = image.pixel.color(sys::color_words(color));
        // The driver cannot fill arrays, so the pixels are generated on the host.
        let device_context = queue.device_context();
        let _current = device_context.enter()?;
        let size = region.iter().product();
        let mut block = device_context.staging.acquire(size)?;
        block.fill(&pixel, size);
        let src = CopyEnd::Host { start: block.start(), row: 0, slice: 0 };
        let dst = CopyEnd::Array(image.array.get());
        let copy = BoxCopy { src, src_origin: [0; 3], dst, dst_origin, region }.descriptor()?;
        let request = CommandRequest::new(CommandType::FILL_IMAGE, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            sys::cuda()?.cuMemcpy3DAsync_v2(&copy, stream)?;
            device_context.staging.release_after(DriverHandle::new(stream), block)
        })
    }
}
