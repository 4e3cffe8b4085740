//! Formats and descriptions of images.

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::answer::{number, paired, paired_back};

macro_rules! pairs {
    ($name:ident: $($ur:ident $pi:ident),* $(,)?) => { const $name: &[(u32, u32)] = &[$(($ur, $pi)),*]; };
}

pairs! { ORDERS:
    UR_IMAGE_CHANNEL_ORDER_A PI_IMAGE_CHANNEL_ORDER_A,
    UR_IMAGE_CHANNEL_ORDER_R PI_IMAGE_CHANNEL_ORDER_R,
    UR_IMAGE_CHANNEL_ORDER_RG PI_IMAGE_CHANNEL_ORDER_RG,
    UR_IMAGE_CHANNEL_ORDER_RA PI_IMAGE_CHANNEL_ORDER_RA,
    UR_IMAGE_CHANNEL_ORDER_RGB PI_IMAGE_CHANNEL_ORDER_RGB,
    UR_IMAGE_CHANNEL_ORDER_RGBA PI_IMAGE_CHANNEL_ORDER_RGBA,
    UR_IMAGE_CHANNEL_ORDER_BGRA PI_IMAGE_CHANNEL_ORDER_BGRA,
    UR_IMAGE_CHANNEL_ORDER_ARGB PI_IMAGE_CHANNEL_ORDER_ARGB,
    UR_IMAGE_CHANNEL_ORDER_ABGR PI_IMAGE_CHANNEL_ORDER_ABGR,
    UR_IMAGE_CHANNEL_ORDER_INTENSITY PI_IMAGE_CHANNEL_ORDER_INTENSITY,
    UR_IMAGE_CHANNEL_ORDER_LUMINANCE PI_IMAGE_CHANNEL_ORDER_LUMINANCE,
    UR_IMAGE_CHANNEL_ORDER_RX PI_IMAGE_CHANNEL_ORDER_Rx,
    UR_IMAGE_CHANNEL_ORDER_RGX PI_IMAGE_CHANNEL_ORDER_RGx,
    UR_IMAGE_CHANNEL_ORDER_RGBX PI_IMAGE_CHANNEL_ORDER_RGBx,
    UR_IMAGE_CHANNEL_ORDER_SRGBA PI_IMAGE_CHANNEL_ORDER_sRGBA,
}

pairs! { TYPES:
    UR_IMAGE_CHANNEL_TYPE_SNORM_INT8 PI_IMAGE_CHANNEL_TYPE_SNORM_INT8,
    UR_IMAGE_CHANNEL_TYPE_SNORM_INT16 PI_IMAGE_CHANNEL_TYPE_SNORM_INT16,
    UR_IMAGE_CHANNEL_TYPE_UNORM_INT8 PI_IMAGE_CHANNEL_TYPE_UNORM_INT8,
    UR_IMAGE_CHANNEL_TYPE_UNORM_INT16 PI_IMAGE_CHANNEL_TYPE_UNORM_INT16,
    UR_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565 PI_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565,
    UR_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555 PI_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555,
    UR_IMAGE_CHANNEL_TYPE_INT_101010 PI_IMAGE_CHANNEL_TYPE_UNORM_INT_101010,
    UR_IMAGE_CHANNEL_TYPE_SIGNED_INT8 PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8,
    UR_IMAGE_CHANNEL_TYPE_SIGNED_INT16 PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16,
    UR_IMAGE_CHANNEL_TYPE_SIGNED_INT32 PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32,
    UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8 PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16 PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16,
    UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32 PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
    UR_IMAGE_CHANNEL_TYPE_HALF_FLOAT PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT,
    UR_IMAGE_CHANNEL_TYPE_FLOAT PI_IMAGE_CHANNEL_TYPE_FLOAT,
}

pairs! { KINDS:
    UR_MEM_TYPE_IMAGE2D PI_MEM_TYPE_IMAGE2D,
    UR_MEM_TYPE_IMAGE3D PI_MEM_TYPE_IMAGE3D,
    UR_MEM_TYPE_IMAGE2D_ARRAY PI_MEM_TYPE_IMAGE2D_ARRAY,
    UR_MEM_TYPE_IMAGE1D PI_MEM_TYPE_IMAGE1D,
    UR_MEM_TYPE_IMAGE1D_ARRAY PI_MEM_TYPE_IMAGE1D_ARRAY,
}

/// Converts a format to UR's numbers.
pub(super) fn format(pi: &pi_image_format) -> ur_image_format_t {
    ur_image_format_t {
        channelOrder: paired_back(ORDERS, pi.image_channel_order),
        channelType: paired_back(TYPES, pi.image_channel_data_type),
    }
}

/// Converts a descriptor to UR's form. UR has no kind for an image created from a buffer.
pub(super) fn description(pi: &pi_image_desc) -> ur_image_desc_t {
    ur_image_desc_t {
        stype: UR_STRUCTURE_TYPE_IMAGE_DESC,
        pNext: std::ptr::null(),
        type_: paired_back(KINDS, pi.image_type),
        width: pi.image_width,
        height: pi.image_height,
        depth: pi.image_depth,
        arraySize: pi.image_array_size,
        rowPitch: pi.image_row_pitch,
        slicePitch: pi.image_slice_pitch,
        numMipLevel: pi.num_mip_levels,
        numSamples: pi.num_samples,
    }
}

/// Converts `ur_image_format_t` to `pi_image_format`.
pub(super) fn format_answer(bytes: &[u8]) -> Vec<u8> {
    let (order, kind) = bytes.split_at(bytes.len().min(4));
    let mut all = paired(ORDERS, number(order)).to_ne_bytes().to_vec();
    all.extend(paired(TYPES, number(kind)).to_ne_bytes());
    all
}
