//! Conversions between PI's types and those of the backends.

use sycl_pi_backend::types::*;
use sycl_pi_core::*;

/// Returns PI's number for an error code. Shipped plugins return "invalid operation" for unsupported features.
#[inline(always)]
pub fn result(code: ErrorCode) -> pi_result {
    if code == ErrorCode::UNSUPPORTED_FEATURE { PI_ERROR_INVALID_OPERATION } else { code.0 }
}

/// Converts the format of an image's elements.
pub fn image_format(format: &pi_image_format) -> ImageFormat {
    ImageFormat {
        channel_order: ImageChannelOrder(format.image_channel_order),
        channel_type: ImageChannelType(format.image_channel_data_type),
    }
}

/// Converts the shape of an image.
pub fn image_desc(desc: &pi_image_desc) -> ImageDesc {
    ImageDesc {
        image_type: MemType(desc.image_type),
        width: desc.image_width,
        height: desc.image_height,
        depth: desc.image_depth,
        array_size: desc.image_array_size,
        row_pitch: desc.image_row_pitch,
        slice_pitch: desc.image_slice_pitch,
        num_mip_levels: desc.num_mip_levels,
        num_samples: desc.num_samples,
        buffer: desc.buffer.cast(),
    }
}
