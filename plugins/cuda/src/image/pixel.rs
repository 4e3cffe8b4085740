//! Pixel formats and shapes of images.

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use crate::device::device_object::Device;
use crate::sys::{CUDA_ARRAY3D_DESCRIPTOR, CUarray_format, CUdevice_attribute};

/// A pixel format in the driver's representation.
#[derive(Clone, Copy)]
pub(crate) struct PixelFormat {
    pub(crate) format: CUarray_format,
    pub(crate) channels: u32,
    /// Bytes per channel.
    pub(crate) unit: usize,
    /// Whether integers represent 0 to 1, or -1 to 1.
    pub(crate) normalized: bool,
}

impl PixelFormat {
    pub(crate) fn new(format: &ImageFormat) -> Result<Self> {
        use CUarray_format::*;
        let unsupported = |what: &str| {
            let text = format!(
                "image format: {what}; order {:#x} with type {:#x}",
                format.channel_order, format.channel_type
            );
            Error::new(ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, text)
        };
        let channels = match format.channel_order {
            ImageChannelOrder::R | ImageChannelOrder::A => 1,
            ImageChannelOrder::RG | ImageChannelOrder::RA => 2,
            ImageChannelOrder::RGBA | ImageChannelOrder::BGRA | ImageChannelOrder::ARGB => 4,
            _ => return Err(unsupported("CUDA has images of 1, 2 and 4 channels")),
        };
        let (format, unit, normalized) = match format.channel_type {
            ImageChannelType::UNSIGNED_INT8 => (CU_AD_FORMAT_UNSIGNED_INT8, 1, false),
            ImageChannelType::UNORM_INT8 => (CU_AD_FORMAT_UNSIGNED_INT8, 1, true),
            ImageChannelType::SIGNED_INT8 => (CU_AD_FORMAT_SIGNED_INT8, 1, false),
            ImageChannelType::SNORM_INT8 => (CU_AD_FORMAT_SIGNED_INT8, 1, true),
            ImageChannelType::UNSIGNED_INT16 => (CU_AD_FORMAT_UNSIGNED_INT16, 2, false),
            ImageChannelType::UNORM_INT16 => (CU_AD_FORMAT_UNSIGNED_INT16, 2, true),
            ImageChannelType::SIGNED_INT16 => (CU_AD_FORMAT_SIGNED_INT16, 2, false),
            ImageChannelType::SNORM_INT16 => (CU_AD_FORMAT_SIGNED_INT16, 2, true),
            ImageChannelType::UNSIGNED_INT32 => (CU_AD_FORMAT_UNSIGNED_INT32, 4, false),
            ImageChannelType::SIGNED_INT32 => (CU_AD_FORMAT_SIGNED_INT32, 4, false),
            ImageChannelType::HALF_FLOAT => (CU_AD_FORMAT_HALF, 2, false),
            ImageChannelType::FLOAT => (CU_AD_FORMAT_FLOAT, 4, false),
            _ => return Err(unsupported("CUDA has no such channel type")),
        };
        Ok(Self { format, channels, unit, normalized })
    }

    /// Returns the bytes per pixel.
    pub(crate) fn bytes(&self) -> usize {
        self.unit * self.channels as usize
    }

    /// Returns a pixel of the given color: floats for float and normalized channels, integers for the others.
    pub(crate) fn color(&self, words: [u32; 4]) -> Vec<u8> {
        let channel = |word: u32| -> Vec<u8> {
            let float = f32::from_bits(word);
            let scaled = |most: f32, least: f32| (float.clamp(least, 1.0) * most).round();
            let number = match (self.format, self.normalized, self.unit) {
                (CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8, true, _) => scaled(255.0, 0.0) as u32,
                (CUarray_format::CU_AD_FORMAT_SIGNED_INT8, true, _) => scaled(127.0, -1.0) as i32 as u32,
                (CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16, true, _) => scaled(65535.0, 0.0) as u32,
                (CUarray_format::CU_AD_FORMAT_SIGNED_INT16, true, _) => scaled(32767.0, -1.0) as i32 as u32,
                (CUarray_format::CU_AD_FORMAT_HALF, ..) => u32::from(half_of(float)),
                _ => word,
            };
            number.to_le_bytes()[..self.unit].to_vec()
        };
        words[..self.channels as usize].iter().flat_map(|word| channel(*word)).collect()
    }
}

/// Returns the nearest 16-bit float, ties to even.
fn half_of(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    let fraction = bits & 0x7f_ffff;
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    if exponent >= 31 {
        return sign | 0x7c00;
    }
    let (whole, shift) = if exponent <= 0 {
        if exponent < -10 {
            return sign;
        }
        (fraction | 0x80_0000, (14 - exponent) as u32)
    } else {
        ((exponent as u32) << 23 | fraction, 13)
    };
    let (kept, rest, tie) = (whole >> shift, whole & ((1 << shift) - 1), 1 << (shift - 1));
    let up = rest > tie || rest == tie && kept & 1 == 1;
    sign | (kept + u32::from(up)) as u16
}

/// Returns an array's shape. Refuses sizes past the device's limits.
pub(crate) fn array_descriptor(
    device: &Device,
    pixel: &PixelFormat,
    desc: &ImageDesc,
    flags: u32,
) -> Result<CUDA_ARRAY3D_DESCRIPTOR> {
    use CUdevice_attribute::*;
    const LAYERED: u32 = 1;
    const CUBEMAP: u32 = 4;
    let bad = |what: &str| {
        Error::new(ErrorCode::INVALID_IMAGE_FORMAT_DESCRIPTOR, format!("image descriptor: {what}"))
    };
    let (width, height, depth) = (desc.width, desc.height, desc.depth);
    let (sizes, more, limits) = match desc.image_type {
        MemType::IMAGE1D => ([width, 0, 0], 0, [CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH; 3]),
        MemType::IMAGE2D => (
            [width, height, 0],
            0,
            [
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT,
            ],
        ),
        MemType::IMAGE3D => (
            [width, height, depth],
            0,
            [
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH,
            ],
        ),
        MemType::IMAGE1D_ARRAY => {
            let width_limit = CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH;
            let limits = [width_limit, width_limit, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS];
            ([width, 0, desc.array_size], LAYERED, limits)
        }
        MemType::IMAGE2D_ARRAY => (
            [width, height, desc.array_size],
            LAYERED,
            [
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS,
            ],
        ),
        MemType::IMAGE_CUBEMAP => {
            ([width, height, 6], CUBEMAP, [CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH; 3])
        }
        other => return Err(bad(&format!("CUDA has no images of type {other:#x}"))),
    };
    // A one-dimensional array has no height. The height of others, and each depth and number of images, is at least 1.
    let is_flat = matches!(desc.image_type, MemType::IMAGE1D | MemType::IMAGE1D_ARRAY);
    let is_deep = !matches!(desc.image_type, MemType::IMAGE1D | MemType::IMAGE2D);
    if width == 0 || !is_flat && sizes[1] == 0 || is_deep && sizes[2] == 0 || desc.num_samples != 0 {
        return Err(bad("a size is 0, or samples are asked for"));
    }
    for (size, limit) in sizes.iter().zip(limits) {
        if *size > device.attribute(limit)?.max(0) as usize {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_SIZE,
                format!("the device has no images of {sizes:?}"),
            ));
        }
    }
    Ok(CUDA_ARRAY3D_DESCRIPTOR {
        Width: sizes[0],
        Height: sizes[1],
        Depth: sizes[2],
        Format: pixel.format,
        NumChannels: pixel.channels,
        Flags: flags | more,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use CUarray_format::*;

    /// A channel type, its format in memory, whether it is normalized, and the bytes of a color of 0.4, -1, 2 and 1.
    type Row = (ImageChannelType, CUarray_format, bool, &'static [u8]);

    /// From the tables of image formats and conversions in the OpenCL C specification.
    const FORMATS: [Row; 6] = [
        (ImageChannelType::UNORM_INT8, CU_AD_FORMAT_UNSIGNED_INT8, true, &[102, 0, 255, 255]),
        (ImageChannelType::SNORM_INT8, CU_AD_FORMAT_SIGNED_INT8, true, &[51, 0x81, 127, 127]),
        (
            ImageChannelType::UNORM_INT16,
            CU_AD_FORMAT_UNSIGNED_INT16,
            true,
            &[0x66, 0x66, 0, 0, 0xff, 0xff, 0xff, 0xff],
        ),
        (
            ImageChannelType::SNORM_INT16,
            CU_AD_FORMAT_SIGNED_INT16,
            true,
            &[0x33, 0x33, 0x01, 0x80, 0xff, 0x7f, 0xff, 0x7f],
        ),
        (
            ImageChannelType::HALF_FLOAT,
            CU_AD_FORMAT_HALF,
            false,
            &[0x66, 0x36, 0x00, 0xbc, 0x00, 0x40, 0x00, 0x3c],
        ),
        (
            ImageChannelType::FLOAT,
            CU_AD_FORMAT_FLOAT,
            false,
            &[0xcd, 0xcc, 0xcc, 0x3e, 0, 0, 0x80, 0xbf, 0, 0, 0, 0x40, 0, 0, 0x80, 0x3f],
        ),
    ];

    /// Integer types and their sizes in bytes.
    const INTEGERS: [(ImageChannelType, CUarray_format, usize); 6] = [
        (ImageChannelType::UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT8, 1),
        (ImageChannelType::SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT8, 1),
        (ImageChannelType::UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT16, 2),
        (ImageChannelType::SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16, 2),
        (ImageChannelType::UNSIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT32, 4),
        (ImageChannelType::SIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32, 4),
    ];

    fn pixel(channel_order: ImageChannelOrder, channel_type: ImageChannelType) -> Result<PixelFormat> {
        PixelFormat::new(&ImageFormat { channel_order, channel_type })
    }

    #[test]
    fn colors_have_the_bytes_of_the_format() {
        for (channel_type, format, normalized, bytes) in FORMATS {
            let pixel = pixel(ImageChannelOrder::RGBA, channel_type).unwrap();
            assert_eq!((pixel.format, pixel.normalized), (format, normalized), "{channel_type:?}");
            assert_eq!((pixel.bytes(), pixel.unit), (bytes.len(), bytes.len() / 4));
            assert_eq!(pixel.color([0.4_f32, -1.0, 2.0, 1.0].map(f32::to_bits)), bytes, "{channel_type:?}");
        }
        for (channel_type, format, unit) in INTEGERS {
            let pixel = pixel(ImageChannelOrder::RG, channel_type).unwrap();
            assert_eq!((pixel.format, pixel.normalized, pixel.bytes()), (format, false, 2 * unit));
            let words = [0x0403_0201, 0x8403_0281, 5, 6_u32];
            let expected = [&words[0].to_le_bytes()[..unit], &words[1].to_le_bytes()[..unit]].concat();
            assert_eq!(pixel.color(words), expected, "{channel_type:?}");
        }
    }

    #[test]
    fn orders_have_one_two_or_four_channels() {
        use ImageChannelOrder as Order;
        for (order, channels) in
            [(Order::R, 1), (Order::A, 1), (Order::RG, 2), (Order::RA, 2), (Order::BGRA, 4), (Order::ARGB, 4)]
        {
            let pixel = pixel(order, ImageChannelType::FLOAT).unwrap();
            assert_eq!((pixel.channels, pixel.bytes()), (channels, 4 * channels as usize));
        }
        for (order, channel_type) in
            [(Order::RGB, ImageChannelType::FLOAT), (Order::RGBA, ImageChannelType::UNORM_SHORT_565)]
        {
            let error = pixel(order, channel_type).err().unwrap();
            assert_eq!(error.code(), ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED);
        }
    }

    /// Returns the value of a 16-bit float by the definition of the format.
    fn value_of(half: u16) -> f64 {
        let (exponent, fraction) = (i32::from(half >> 10), f64::from(half & 0x3ff));
        if exponent == 0 { fraction / 16_777_216.0 } else { (1024.0 + fraction) * 2_f64.powi(exponent - 25) }
    }

    #[test]
    fn each_float_becomes_the_nearest_half() {
        // The number after the last finite one is infinity, which rounds like 65536.
        for half in 0..0x7c00_u16 {
            let (value, next) = (value_of(half), value_of(half + 1));
            let middle = ((value + next) / 2.0) as f32;
            let even = if half % 2 == 0 { half } else { half + 1 };
            for (float, expected) in [
                (value as f32, half),
                (middle.next_down(), half),
                (middle, even),
                (middle.next_up(), half + 1),
            ] {
                assert_eq!(half_of(float), expected, "{float}");
                assert_eq!(half_of(-float), expected | 0x8000, "-{float}");
            }
        }
        for (float, expected) in [
            (1e-10, 0),
            (65536.0, 0x7c00),
            (f32::MAX, 0x7c00),
            (f32::INFINITY, 0x7c00),
            (f32::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(half_of(float), expected, "{float}");
        }
        for nan in [0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff] {
            assert_eq!(half_of(f32::from_bits(nan)), 0x7e00);
            assert_eq!(half_of(f32::from_bits(nan | 0x8000_0000)), 0xfe00);
        }
    }
}
