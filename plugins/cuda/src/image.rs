//! Images: CUDA arrays with a surface.

use core::ffi::c_void;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use crate::copy::{BoxCopy, CopyEnd};
use crate::device_object::Device;
use crate::pixel::{PixelFormat, array_descriptor};
use crate::sys::{self, CUarray, CUsurfObject, DriverHandle, cuda};

/// An image: an array, and the surface that kernels are given. It is on the context's first device.
pub(crate) struct ArrayImage {
    pub(crate) array: DriverHandle<CUarray>,
    pub(crate) surface: CUsurfObject,
    pub(crate) pixel: PixelFormat,
    format: ImageFormat,
    /// At least 1 each.
    sizes: [usize; 3],
    depth: usize,
    height: usize,
}

/// Surfaces can be made of the array.
pub(crate) const SURFACE: u32 = 2;

impl ArrayImage {
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
                "images have one to three dimensions, no mipmap levels, and pitches only with memory of the host",
            ));
        }
        let pixel = PixelFormat::new(format)?;
        let shape = array_descriptor(device, &pixel, desc, SURFACE)?;
        let (cuda, mut array, mut surface) = (cuda()?, std::ptr::null_mut(), 0);
        cuda.cuArray3DCreate_v2(&mut array, &shape)?;
        let sizes = [shape.Width, shape.Height.max(1), shape.Depth.max(1)];
        let mut fill = || -> Result<()> {
            if !host_ptr.is_null() {
                let region = [sizes[0] * pixel.bytes(), sizes[1], sizes[2]];
                let src = CopyEnd::Host { start: host_ptr, row: desc.row_pitch, slice: desc.slice_pitch };
                let copy = BoxCopy {
                    src,
                    src_origin: [0; 3],
                    dst: CopyEnd::Array(array),
                    dst_origin: [0; 3],
                    region,
                };
                cuda.cuMemcpy3D_v2(&copy.descriptor()?)?;
                sys::wait_for_copies()?;
            }
            cuda.cuSurfObjectCreate(&mut surface, &sys::of_array(array))
        };
        if let Err(error) = fill() {
            // The first error is told.
            let _ = cuda.cuArrayDestroy(array);
            return Err(error);
        }
        let array = DriverHandle::new(array);
        Ok(Self { array, surface, pixel, format: *format, sizes, depth: shape.Depth, height: shape.Height })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sizes.iter().product::<usize>() * self.pixel.bytes()
    }

    pub(crate) fn info(&self, name: ImageInfo, info: Info<'_>) -> Result<()> {
        let row = self.sizes[0] * self.pixel.bytes();
        match name {
            ImageInfo::FORMAT => info.value([self.format.channel_order.0, self.format.channel_type.0]),
            ImageInfo::ELEMENT_SIZE => info.value(self.pixel.bytes()),
            ImageInfo::ROW_PITCH => info.value(row),
            ImageInfo::SLICE_PITCH => info.value(if self.depth > 0 { row * self.sizes[1] } else { 0 }),
            ImageInfo::WIDTH => info.value(self.sizes[0]),
            ImageInfo::HEIGHT => info.value(self.height),
            ImageInfo::DEPTH => info.value(self.depth),
            ImageInfo::ARRAY_SIZE => info.value(0_usize),
            ImageInfo::NUM_MIP_LEVELS | ImageInfo::NUM_SAMPLES => info.value(0_u32),
            _ => Err(Error::unknown_query("image", name)),
        }
    }

    pub(crate) fn destroy(&self) -> Result<()> {
        let surface = cuda()?.cuSurfObjectDestroy(self.surface);
        surface.and(cuda()?.cuArrayDestroy(self.array.get()))
    }

    /// Corner and size in bytes, rows, slices. An error where they leave the image.
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
        let bytes = self.pixel.bytes();
        Ok(([origin[0] * bytes, origin[1], origin[2]], [region[0] * bytes, region[1], region[2]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sycl_pi_backend::types::{ImageChannelOrder, ImageChannelType};

    fn image(sizes: [usize; 3], height: usize, depth: usize) -> ArrayImage {
        let format = ImageFormat {
            channel_order: ImageChannelOrder::RG,
            channel_type: ImageChannelType::UNSIGNED_INT16,
        };
        let array = DriverHandle::new(std::ptr::null_mut());
        let pixel = PixelFormat::new(&format).unwrap();
        ArrayImage { array, surface: 0, pixel, format, sizes, depth, height }
    }

    /// An answer of one number.
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
        let solid = image([16, 8, 3], 8, 3);
        assert_eq!(names.map(|name| number(&solid, name)), [4, 64, 512, 16, 8, 3, 0, 0, 0]);
        assert_eq!(solid.bytes(), 16 * 8 * 3 * 4);
        let line = image([16, 1, 1], 0, 0);
        assert_eq!(names.map(|name| number(&line, name)), [4, 64, 0, 16, 0, 0, 0, 0, 0]);
        let (mut format, mut size) = ([0_u32; 2], 0);
        solid.info(ImageInfo::FORMAT, Info::over(&mut format, &mut size)).unwrap();
        let expected = (ImageChannelOrder::RG.0, ImageChannelType::UNSIGNED_INT16.0);
        assert_eq!(((format[0], format[1]), size), (expected, 8));
    }

    #[test]
    fn a_region_ends_where_the_image_ends() {
        let image = image([16, 8, 3], 8, 3);
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
