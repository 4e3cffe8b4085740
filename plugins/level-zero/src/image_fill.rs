//! Fills of images. Level Zero does not have them, so an element is encoded in the image's format and copied from host
//! memory that contains a slice of it.

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Result};

use crate::driver::{AllocationRequest, MemoryLocation, UsmBlock};
use crate::objects::{CommandResources, EventHandle, Image, MemHandle, QueueHandle};
use crate::submission::EngineKind;
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{self, Address, HostBytes};

/// Returns the caller's color: four numbers for red, green, blue and alpha, whose type depends on the format.
fn components(color: Address) -> [u32; 4] {
    let mut words = [0_u32; 4];
    sys::copy_in(Address::new(words.as_mut_ptr()), color, size_of_val(&words));
    words
}

/// Returns which of red, green, blue and alpha an element contains, in memory order.
fn places(order: ImageChannelOrder) -> Option<&'static [usize]> {
    Some(match order {
        ImageChannelOrder::R => &[0],
        ImageChannelOrder::A => &[3],
        ImageChannelOrder::RG => &[0, 1],
        ImageChannelOrder::RGBA => &[0, 1, 2, 3],
        ImageChannelOrder::BGRA => &[2, 1, 0, 3],
        ImageChannelOrder::ARGB => &[3, 0, 1, 2],
        ImageChannelOrder::ABGR => &[3, 2, 1, 0],
        _ => return None,
    })
}

/// Converts a float to 16 bits, rounding to nearest, ties to even.
fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // From this value on, it is closer to infinity.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    let exponent = (magnitude >> 23) as i32 - 127 + 15;
    let (kept, lost) = if exponent <= 0 {
        // Below the smallest normal number, the exponent is fixed and the leading 1 is explicit.
        let shift = (14 - exponent) as u32;
        if shift > 24 {
            return sign;
        }
        let mantissa = (magnitude & 0x7f_ffff) | 0x80_0000;
        (mantissa >> shift, (mantissa << (32 - shift)))
    } else {
        let rebiased = magnitude - ((127 - 15) << 23);
        (rebiased >> 13, rebiased << 19)
    };
    let up = lost > 0x8000_0000 || (lost == 0x8000_0000 && kept & 1 == 1);
    sign | (kept + u32::from(up)) as u16
}

/// Returns one component as stored in memory.
fn component(channel: ImageChannelType, word: u32) -> Option<Vec<u8>> {
    let (float, signed) = (f32::from_bits(word), word as i32);
    let scaled = |low: f32, most: f32| (float.clamp(low, 1.0) * most).round_ties_even();
    Some(match channel {
        ImageChannelType::UNORM_INT8 => vec![scaled(0.0, 255.0) as u8],
        ImageChannelType::UNORM_INT16 => (scaled(0.0, 65535.0) as u16).to_le_bytes().to_vec(),
        ImageChannelType::SNORM_INT8 => (scaled(-1.0, 127.0) as i8).to_le_bytes().to_vec(),
        ImageChannelType::SNORM_INT16 => (scaled(-1.0, 32767.0) as i16).to_le_bytes().to_vec(),
        ImageChannelType::SIGNED_INT8 => (signed.clamp(-0x80, 0x7f) as i8).to_le_bytes().to_vec(),
        ImageChannelType::SIGNED_INT16 => (signed.clamp(-0x8000, 0x7fff) as i16).to_le_bytes().to_vec(),
        ImageChannelType::UNSIGNED_INT8 => vec![word.min(0xff) as u8],
        ImageChannelType::UNSIGNED_INT16 => (word.min(0xffff) as u16).to_le_bytes().to_vec(),
        ImageChannelType::HALF_FLOAT => half(float).to_le_bytes().to_vec(),
        ImageChannelType::SIGNED_INT32 | ImageChannelType::UNSIGNED_INT32 | ImageChannelType::FLOAT => {
            word.to_le_bytes().to_vec()
        }
        _ => return None,
    })
}

/// Returns an element of the given color.
fn element(format: &ImageFormat, color: [u32; 4]) -> Option<Vec<u8>> {
    let places = places(format.channel_order)?;
    let parts: Option<Vec<Vec<u8>>> =
        places.iter().map(|place| component(format.channel_type, color[*place])).collect();
    Some(parts?.concat())
}

/// Fills a box of an image.
pub(crate) fn fill(
    queue: &QueueHandle,
    mem: &MemHandle,
    color: Address,
    (origin, region): ([usize; 3], [usize; 3]),
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    let image: &Image = mem.image()?;
    image.region(origin, region)?;
    let element = element(&image.format, components(color))
        .ok_or_else(|| Error::new(ErrorCode::IMAGE_FORMAT_NOT_SUPPORTED, "no fill of this format"))?;
    let [width, height, depth] = region;
    let size = element.len() * width * height;
    let block = UsmBlock::new(&queue.context.usm, AllocationRequest::new(MemoryLocation::Host, size))?;
    HostBytes::new(block.address, size).fill(&element);
    let start = block.address;
    let resources = CommandResources::mems([mem]).and(block);
    let request =
        CommandRequest::new(CommandType::FILL_IMAGE, EngineKind::Compute).holding(resources).in_parts();
    enqueue(queue, request, dependencies, |target| {
        for slice in 0..depth {
            let origin = [origin[0], origin[1], origin[2] + slice];
            let part = image.part(origin, [width, height, 1], (0, 0))?;
            image.append_write(target.without_signal(), start, &part)?;
        }
        target.end()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_to_the_nearest() {
        let pairs = [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.1, 0x2e66),
            (65504.0, 0x7bff),
            (65519.9, 0x7bff),
            (65520.0, 0x7c00),
            (f32::INFINITY, 0x7c00),
            (6.103_515_6e-5, 0x0400),
            (5.960_464_5e-8, 0x0001),
            (2.0e-8, 0x0000),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
        ];
        for (value, bits) in pairs {
            assert_eq!(half(value), bits, "{value}");
        }
        assert!(half(f32::NAN) & 0x7fff > 0x7c00);
    }

    #[test]
    fn elements_have_their_components_in_the_format_s_order() {
        let format = |order, channel| ImageFormat { channel_order: order, channel_type: channel };
        let color = [0.0_f32, 0.5, 1.0, 2.0].map(f32::to_bits);
        let bgra = format(ImageChannelOrder::BGRA, ImageChannelType::UNORM_INT8);
        assert_eq!(element(&bgra, color), Some(vec![255, 128, 0, 255]));
        let integers = format(ImageChannelOrder::RG, ImageChannelType::SIGNED_INT16);
        let color = [-40_000_i32 as u32, 5, 0, 0];
        assert_eq!(element(&integers, color), Some(vec![0x00, 0x80, 5, 0]));
    }

    #[test]
    fn every_order_has_its_places() {
        for (order, expected) in [
            (ImageChannelOrder::R, vec![1]),
            (ImageChannelOrder::A, vec![4]),
            (ImageChannelOrder::RG, vec![1, 2]),
            (ImageChannelOrder::RGBA, vec![1, 2, 3, 4]),
            (ImageChannelOrder::BGRA, vec![3, 2, 1, 4]),
            (ImageChannelOrder::ARGB, vec![4, 1, 2, 3]),
            (ImageChannelOrder::ABGR, vec![4, 3, 2, 1]),
        ] {
            let format = ImageFormat { channel_order: order, channel_type: ImageChannelType::UNSIGNED_INT8 };
            assert_eq!(element(&format, [1, 2, 3, 4]), Some(expected));
        }
    }

    /// OpenCL rounds to the nearest even number and saturates.
    #[test]
    fn every_type_has_its_own_bytes() {
        let float = f32::to_bits;
        let signed = i32::cast_unsigned;
        for (channel, word, expected) in [
            (ImageChannelType::UNORM_INT8, float(0.5), &[128][..]),
            (ImageChannelType::UNORM_INT8, float(-0.5), &[0]),
            (ImageChannelType::UNORM_INT16, float(0.5), &[0x00, 0x80]),
            (ImageChannelType::UNORM_INT16, float(7.0), &[0xff, 0xff]),
            (ImageChannelType::SNORM_INT8, float(-0.5), &[0xc0]),
            (ImageChannelType::SNORM_INT8, float(-7.0), &[0x81]),
            (ImageChannelType::SNORM_INT16, float(-0.5), &[0x00, 0xc0]),
            (ImageChannelType::SNORM_INT16, float(-7.0), &[0x01, 0x80]),
            (ImageChannelType::SIGNED_INT8, signed(-200), &[0x80]),
            (ImageChannelType::SIGNED_INT8, signed(200), &[0x7f]),
            (ImageChannelType::SIGNED_INT16, signed(-70_000), &[0x00, 0x80]),
            (ImageChannelType::SIGNED_INT16, signed(70_000), &[0xff, 0x7f]),
            (ImageChannelType::SIGNED_INT32, signed(-2), &[0xfe, 0xff, 0xff, 0xff]),
            (ImageChannelType::UNSIGNED_INT8, 300, &[0xff]),
            (ImageChannelType::UNSIGNED_INT16, 70_000, &[0xff, 0xff]),
            (ImageChannelType::UNSIGNED_INT32, 70_000, &[0x70, 0x11, 0x01, 0x00]),
            (ImageChannelType::HALF_FLOAT, float(1.0), &[0x00, 0x3c]),
            (ImageChannelType::FLOAT, float(1.0), &[0x00, 0x00, 0x80, 0x3f]),
        ] {
            assert_eq!(component(channel, word).as_deref(), Some(expected), "{channel:?}");
        }
    }
}
