//! Images, which are CUDA arrays with a surface.

pub(crate) mod pixel;

use core::ffi::c_void;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use self::pixel::{PixelFormat, array_descriptor};
use crate::copy::{BoxCopy, CopyEnd};
use crate::device::device_object::Device;
use crate::sys::{self, CUDA_ARRAY3D_DESCRIPTOR, CUarray, CUsurfObject, DriverHandle, cuda};

/// An image: an array, and the surface that is passed to kernels. It is on the context's first device.
pub(crate) struct ArrayImage {
    pub(crate) array: DriverHandle<CUarray>,
    pub(crate) surface: CUsurfObject,
    pub(crate) pixel: PixelFormat,
    pub(crate) format: ImageFormat,
    image_type: MemType,
    /// The sizes as counted by the interface, at least 1 each. The images of a one-dimensional array are rows.
    sizes: [usize; 3],
    /// Whether the array is destroyed with the image.
    owned: bool,
}

/// The flags that state whether an array's slices are separate images, or the faces of a cube map.
const SHAPE_FLAGS: u32 = 1 | 4;

/// The flag that allows surfaces of the array.
pub(crate) const SURFACE: u32 = 2;

impl ArrayImage {
    /// Creates an image on the current device.
    pub(crate) fn new(
        device: &Device,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: *mut c_void,
    ) -> Result<Self> {
        const TYPES: [MemType; 5] = [
            MemType::IMAGE1D,
            MemType::IMAGE2D,
            MemType::IMAGE3D,
            MemType::IMAGE1D_ARRAY,
            MemType::IMAGE2D_ARRAY,
        ];
        if !TYPES.contains(&desc.image_type)
            || desc.num_mip_levels != 0
            || host_ptr.is_null() && (desc.row_pitch != 0 || desc.slice_pitch != 0)
        {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR,
                "images have one to three dimensions, no mipmap levels, and pitches only with memory of the host",
            ));
        }
        let pixel = PixelFormat::new(format)?;
        let shape = array_descriptor(device, &pixel, desc, SURFACE)?;
        let (cuda, mut array) = (cuda()?, std::ptr::null_mut());
        cuda.cuArray3DCreate_v2(&mut array, &shape)?;
        let filled = Self::over(array, &shape, pixel, format, desc.image_type, true).and_then(|image| {
            if !host_ptr.is_null() {
                let (dst_origin, region) = image.region(&[0; 3], &image.sizes)?;
                let src = image.host_end(host_ptr, desc.row_pitch, desc.slice_pitch);
                let dst = CopyEnd::Array(array);
                let copy = BoxCopy { src, src_origin: [0; 3], dst, dst_origin, region };
                cuda.cuMemcpy3D_v2(&copy.descriptor()?)?;
                sys::wait_for_copies()?;
            }
            image.with_surface()
        });
        filled.inspect_err(|_| {
            // The first error is returned.
            let _ = cuda.cuArrayDestroy(array);
        })
    }

    /// Creates the image from an array of the caller, which was created on the current device.
    pub(crate) fn native(
        device: &Device,
        array: CUarray,
        format: &ImageFormat,
        desc: &ImageDesc,
        owned: bool,
    ) -> Result<Self> {
        let (mut shape, pixel) = (sys::no_shape(), PixelFormat::new(format)?);
        cuda()?.cuArray3DGetDescriptor_v2(&mut shape, array).map_err(|error| {
            error
                .with_code(ErrorCode::INVALID_MEM_OBJECT)
                .context("the native handle is not an array of the device")
        })?;
        if shape.Flags & SURFACE == 0 {
            let text =
                "nativeHandle: an array that was made without CUDA_ARRAY3D_SURFACE_LDST cannot be an image";
            return Err(Error::new(ErrorCode::INVALID_MEM_OBJECT, text));
        }
        let described = array_descriptor(device, &pixel, desc, SURFACE)?;
        let facts = |of: &CUDA_ARRAY3D_DESCRIPTOR| {
            (of.Width, of.Height, of.Depth, of.Format as u32, of.NumChannels, of.Flags & SHAPE_FLAGS)
        };
        if facts(&described) != facts(&shape) {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR,
                format!(
                    "ImageDesc: the array of nativeHandle is another one: it has {} x {} x {} pixels of {} channels, format {:#x}, flags {:#x}",
                    shape.Width,
                    shape.Height,
                    shape.Depth,
                    shape.NumChannels,
                    shape.Format as u32,
                    shape.Flags
                ),
            ));
        }
        Self::over(array, &shape, pixel, format, desc.image_type, owned)?.with_surface()
    }

    /// Creates the image from an array, without a surface.
    fn over(
        array: CUarray,
        shape: &CUDA_ARRAY3D_DESCRIPTOR,
        pixel: PixelFormat,
        format: &ImageFormat,
        image_type: MemType,
        owned: bool,
    ) -> Result<Self> {
        let [width, height, depth] = [shape.Width, shape.Height.max(1), shape.Depth.max(1)];
        let sizes =
            if image_type == MemType::IMAGE1D_ARRAY { [width, depth, 1] } else { [width, height, depth] };
        let array = DriverHandle::new(array);
        Ok(Self { array, surface: 0, pixel, format: *format, image_type, sizes, owned })
    }

    fn with_surface(mut self) -> Result<Self> {
        cuda()?.cuSurfObjectCreate(&mut self.surface, &sys::of_array(self.array.get()))?;
        Ok(self)
    }

    /// Returns host memory as the end of a copy. The images of a one-dimensional array are rows, whose pitch is the
    /// slice pitch.
    pub(crate) fn host_end(&self, start: *mut c_void, row: usize, slice: usize) -> CopyEnd {
        if self.image_type == MemType::IMAGE1D_ARRAY {
            let pitch = if slice == 0 { row } else { slice };
            return CopyEnd::Host { start, row: pitch, slice: pitch };
        }
        CopyEnd::Host { start, row, slice }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sizes.iter().product::<usize>() * self.pixel.bytes()
    }

    pub(crate) fn info(&self, name: ImageInfo, info: Info<'_>) -> Result<()> {
        let [width, second, third] = self.sizes;
        let row = width * self.pixel.bytes();
        // Rows and slices of one image, and the number of images.
        let (height, depth, count) = match self.image_type {
            MemType::IMAGE1D => (0, 0, 0),
            MemType::IMAGE2D => (second, 0, 0),
            MemType::IMAGE1D_ARRAY => (0, 0, second),
            MemType::IMAGE2D_ARRAY => (second, 0, third),
            _ => (second, third, 0),
        };
        match name {
            ImageInfo::FORMAT => info.value([self.format.channel_order.0, self.format.channel_type.0]),
            ImageInfo::ELEMENT_SIZE => info.value(self.pixel.bytes()),
            ImageInfo::ROW_PITCH => info.value(row),
            ImageInfo::SLICE_PITCH => {
                info.value(if depth > 0 || count > 0 { row * height.max(1) } else { 0 })
            }
            ImageInfo::WIDTH => info.value(width),
            ImageInfo::HEIGHT => info.value(height),
            ImageInfo::DEPTH => info.value(depth),
            ImageInfo::ARRAY_SIZE => info.value(count),
            ImageInfo::NUM_MIP_LEVELS | ImageInfo::NUM_SAMPLES => info.value(0_u32),
            _ => Err(Error::unknown_query("image", name)),
        }
    }

    pub(crate) fn destroy(&self) -> Result<()> {
        let surface = cuda()?.cuSurfObjectDestroy(self.surface);
        if self.owned { surface.and(cuda()?.cuArrayDestroy(self.array.get())) } else { surface }
    }

    /// Returns the corner and the size in bytes, rows and slices, as counted by the driver, which treats the images of
    /// an array as slices. Refuses a region that exceeds the image.
    pub(crate) fn region(
        &self,
        origin: &[usize; 3],
        region: &[usize; 3],
    ) -> Result<([usize; 3], [usize; 3])> {
        let fits = (0..3).all(|dim| {
            let size = self.sizes[dim];
            region[dim] > 0 && origin[dim] <= size && region[dim] <= size - origin[dim]
        });
        if !fits {
            return Err(Error::invalid_value(format!(
                "region: {region:?} pixels at {origin:?} are empty or leave an image of {:?}",
                self.sizes
            )));
        }
        let in_driver = |[first, second, third]: [usize; 3]| {
            let first = first * self.pixel.bytes();
            if self.image_type == MemType::IMAGE1D_ARRAY {
                [first, third, second]
            } else {
                [first, second, third]
            }
        };
        Ok((in_driver(*origin), in_driver(*region)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sycl_pi_backend::types::{ImageChannelOrder, ImageChannelType};

    fn image(image_type: MemType, sizes: [usize; 3]) -> ArrayImage {
        let format = ImageFormat {
            channel_order: ImageChannelOrder::RG,
            channel_type: ImageChannelType::UNSIGNED_INT16,
        };
        let array = DriverHandle::new(std::ptr::null_mut());
        let pixel = PixelFormat::new(&format).unwrap();
        ArrayImage { array, surface: 0, pixel, format, image_type, sizes, owned: true }
    }

    /// Returns the answer to a query as one number.
    fn number(image: &ArrayImage, name: ImageInfo) -> usize {
        let (mut value, mut size) = ([0_u32; 2], 0);
        image.info(name, Info::over(&mut value, &mut size)).unwrap();
        assert!(size == 8 || size == 4, "{size} bytes");
        value[0] as usize
    }

    #[test]
    fn an_image_tells_its_shape() {
        let names = [
            ImageInfo::ELEMENT_SIZE,
            ImageInfo::ROW_PITCH,
            ImageInfo::SLICE_PITCH,
            ImageInfo::WIDTH,
            ImageInfo::HEIGHT,
            ImageInfo::DEPTH,
            ImageInfo::ARRAY_SIZE,
            ImageInfo::NUM_MIP_LEVELS,
            ImageInfo::NUM_SAMPLES,
        ];
        let solid = image(MemType::IMAGE3D, [16, 8, 3]);
        assert_eq!(names.map(|name| number(&solid, name)), [4, 64, 512, 16, 8, 3, 0, 0, 0]);
        assert_eq!(solid.bytes(), 16 * 8 * 3 * 4);
        let line = image(MemType::IMAGE1D, [16, 1, 1]);
        assert_eq!(names.map(|name| number(&line, name)), [4, 64, 0, 16, 0, 0, 0, 0, 0]);
        // According to OpenCL's table of image queries, an array has no depth, and its slices are its images.
        let lines = image(MemType::IMAGE1D_ARRAY, [16, 5, 1]);
        assert_eq!(names.map(|name| number(&lines, name)), [4, 64, 64, 16, 0, 0, 5, 0, 0]);
        let planes = image(MemType::IMAGE2D_ARRAY, [16, 8, 3]);
        assert_eq!(names.map(|name| number(&planes, name)), [4, 64, 512, 16, 8, 0, 3, 0, 0]);
        let (mut format, mut size) = ([0_u32; 2], 0);
        solid.info(ImageInfo::FORMAT, Info::over(&mut format, &mut size)).unwrap();
        let expected = (ImageChannelOrder::RG.0, ImageChannelType::UNSIGNED_INT16.0);
        assert_eq!(((format[0], format[1]), size), (expected, 8));
    }

    #[test]
    fn a_region_ends_where_the_image_ends() {
        let lines = image(MemType::IMAGE1D_ARRAY, [16, 5, 1]);
        assert_eq!(lines.region(&[2, 1, 0], &[14, 4, 1]).unwrap(), ([8, 0, 1], [56, 1, 4]));
        assert!(lines.region(&[0, 2, 0], &[16, 4, 1]).is_err());
        let image = image(MemType::IMAGE3D, [16, 8, 3]);
        assert_eq!(image.region(&[2, 3, 1], &[14, 5, 2]).unwrap(), ([8, 3, 1], [56, 5, 2]));
        for (origin, region) in [
            ([3, 0, 0], [14, 1, 1]),
            ([0, 4, 0], [1, 5, 1]),
            ([0, 0, 1], [1, 1, 3]),
            ([16, 0, 0], [1, 1, 1]),
            ([17, 0, 0], [1, 1, 1]),
            ([0, 0, 0], [1, 0, 1]),
            ([1, 0, 0], [usize::MAX, 1, 1]),
        ] {
            assert!(image.region(&origin, &region).is_err(), "{region:?} at {origin:?}");
        }
    }
}
