//! Images, and commands on them.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueImageApi;
use sycl_pi_backend::{Counted, Error, Info, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::copy::{BoxCopy, End};
use crate::device::Device;
use crate::event::Event;
use crate::mem::{Body, Mem};
use crate::pixel::{Pixel, array_of};
use crate::queue::Queue;
use crate::submit::{Lane, submit};
use crate::sys::{self, CUarray, CUsurfObject, Raw, cuda};

/// An image: an array, and the surface that kernels are given. It is on the context's first device.
pub(crate) struct Picture {
    pub(crate) array: Raw<CUarray>,
    pub(crate) surface: CUsurfObject,
    pixel: Pixel,
    format: ImageFormat,
    /// At least 1 each.
    sizes: [usize; 3],
    depth: usize,
    height: usize,
}

/// Surfaces can be made of the array.
pub(crate) const SURFACE: u32 = 2;

impl Picture {
    /// A new image on the current device.
    pub(crate) fn new(
        device: &Device,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: *mut c_void,
    ) -> Result<Self> {
        if ![MemType::IMAGE1D, MemType::IMAGE2D, MemType::IMAGE3D].contains(&desc.image_type)
            || desc.num_mip_levels != 0
            || host_ptr.is_null() && (desc.row_pitch != 0 || desc.slice_pitch != 0)
        {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR,
                "images have one to three dimensions, no mipmap levels, and pitches only with host_ptr",
            ));
        }
        let pixel = Pixel::new(format)?;
        let shape = array_of(device, &pixel, desc, SURFACE)?;
        let (cuda, mut array, mut surface) = (cuda()?, std::ptr::null_mut(), 0);
        cuda.cuArray3DCreate_v2(&mut array, &shape)?;
        let sizes = [shape.Width, shape.Height.max(1), shape.Depth.max(1)];
        let mut fill = || -> Result<()> {
            if !host_ptr.is_null() {
                let region = [sizes[0] * pixel.bytes(), sizes[1], sizes[2]];
                let src =
                    End::Host { start: host_ptr, row: desc.row_pitch, slice: desc.slice_pitch };
                let copy =
                    BoxCopy { src, src_origin: [0; 3], dst: End::Array(array), dst_origin: [0; 3], region };
                cuda.cuMemcpy3D_v2(&copy.descriptor()?)?;
                sys::wait_for_copies()?;
            }
            cuda.cuSurfObjectCreate(&mut surface, &sys::of_array(array))
        };
        if let Err(error) = fill() {
            cuda.cuArrayDestroy(array)?;
            return Err(error);
        }
        let array = Raw::new(array);
        Ok(Self { array, surface, pixel, format: *format, sizes, depth: shape.Depth, height: shape.Height })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sizes.iter().product::<usize>() * self.pixel.bytes()
    }

    pub(crate) fn info(&self, name: ImageInfo, info: Info<'_>) -> Result<()> {
        let row = self.sizes[0] * self.pixel.bytes();
        match name {
            ImageInfo::FORMAT => {
                info.value([self.format.channel_order, self.format.channel_type])
            }
            ImageInfo::ELEMENT_SIZE => info.value(self.pixel.bytes()),
            ImageInfo::ROW_PITCH => info.value(row),
            ImageInfo::SLICE_PITCH => info.value(if self.depth > 0 { row * self.sizes[1] } else { 0 }),
            ImageInfo::WIDTH => info.value(self.sizes[0]),
            ImageInfo::HEIGHT => info.value(self.height),
            ImageInfo::DEPTH => info.value(self.depth),
            _ => Err(Error::invalid_value(format!("param_name: unknown image query {name:#x}"))),
        }
    }

    pub(crate) fn destroy(&self) -> Result<()> {
        let surface = cuda()?.cuSurfObjectDestroy(self.surface);
        surface.and(cuda()?.cuArrayDestroy(self.array.get()))
    }

    /// Corner and size in bytes, rows, slices; refused where they leave the image.
    fn part(&self, origin: &[usize; 3], region: &[usize; 3]) -> Result<([usize; 3], [usize; 3])> {
        let fits = (0..3).all(|dim| {
            let size = self.sizes[dim];
            region[dim] > 0 && origin[dim] <= size && region[dim] <= size - origin[dim]
        });
        if !fits {
            return Err(Error::invalid_value(format!(
                "region: {region:?} pixels at {origin:?} are none or leave an image of {:?}",
                self.sizes
            )));
        }
        let bytes = self.pixel.bytes();
        Ok(([origin[0] * bytes, origin[1], origin[2]], [region[0] * bytes, region[1], region[2]]))
    }
}

/// The image behind a memory object, which must be of the queue's context.
fn picture<'a>(queue: &Counted<Queue>, mem: &'a Counted<Mem>) -> Result<&'a Picture> {
    if !std::ptr::eq(&*mem.context, &*queue.context) {
        return Err(Error::new(
            ErrorCode::INVALID_CONTEXT,
            "image (or src_image, dst_image) is of another context than the queue",
        ));
    }
    if queue.index != 0 {
        return Err(Error::unsupported("an image is on its context's first device; the queue is on another"));
    }
    match &mem.body {
        Body::Image(picture) => Ok(picture),
        _ => Err(Error::new(
            ErrorCode::INVALID_MEM_OBJECT,
            "image (or src_image, dst_image): a buffer where an image is needed",
        )),
    }
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
        let picture = picture(queue, image)?;
        let (src_origin, region) = picture.part(origin, region)?;
        submit(queue, Lane::Copy, CommandType::IMAGE_READ, dependencies, blocking, |stream| {
            let dst = End::Host { start: ptr, row, slice };
            BoxCopy { src: End::Array(picture.array.get()), src_origin, dst, dst_origin: [0; 3], region }
                .enqueue(stream)
        })
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
        let picture = picture(queue, image)?;
        let (dst_origin, region) = picture.part(origin, region)?;
        submit(queue, Lane::Copy, CommandType::IMAGE_WRITE, dependencies, blocking, |stream| {
            let src = End::Host { start: ptr.cast_mut(), row, slice };
            BoxCopy { src, src_origin: [0; 3], dst: End::Array(picture.array.get()), dst_origin, region }
                .enqueue(stream)
        })
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
        let (from, to) = (picture(queue, src)?, picture(queue, dst)?);
        if (from.pixel.format, from.pixel.channels) != (to.pixel.format, to.pixel.channels) {
            return Err(Error::new(
                ErrorCode::IMAGE_FORMAT_MISMATCH,
                "src_image and dst_image have different formats",
            ));
        }
        let (src_origin, size) = from.part(src_origin, region)?;
        let (dst_origin, _) = to.part(dst_origin, region)?;
        submit(queue, Lane::Copy, CommandType::IMAGE_COPY, dependencies, false, |stream| {
            let (src, dst) = (End::Array(from.array.get()), End::Array(to.array.get()));
            BoxCopy { src, src_origin, dst, dst_origin, region: size }.enqueue(stream)
        })
    }

    fn enqueue_mem_image_fill(
        queue: &Counted<Queue>,
        image: &Counted<Mem>,
        color: *const c_void,
        origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let picture = picture(queue, image)?;
        let (dst_origin, region) = picture.part(origin, region)?;
        let pixel = picture.pixel.color(sys::color_words(color));
        // The driver fills no arrays: the pixels are made on the host.
        let place = queue.place();
        let _current = place.enter()?;
        let size = region.iter().product();
        let mut block = place.staging.take(size)?;
        block.fill(&pixel, size);
        submit(queue, Lane::Copy, CommandType::FILL_IMAGE, dependencies, false, |stream| {
            let src = End::Host { start: block.start(), row: 0, slice: 0 };
            let dst = End::Array(picture.array.get());
            BoxCopy { src, src_origin: [0; 3], dst, dst_origin, region }.enqueue(stream)?;
            place.staging.let_go_after(Raw::new(stream), block)
        })
    }
}
