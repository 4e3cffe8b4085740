//! Images, as the cases make them.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::env::{Env, Owned};
use crate::outcome::Verdict;

/// Four channels of a byte: every device with images has it.
pub(super) const FORMAT: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
};

/// A description with everything else 0.
pub(super) fn desc(image_type: pi_mem_type, width: usize, height: usize, depth: usize) -> pi_image_desc {
    pi_image_desc {
        image_type,
        image_width: width,
        image_height: height,
        image_depth: depth,
        image_array_size: 0,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

pub(super) fn create<'e>(
    f: &'e Env,
    format: &pi_image_format,
    desc: &pi_image_desc,
) -> Verdict<Owned<'e, pi_mem>> {
    create_in(f, f.context()?, format, desc)
}

pub(super) fn create_in<'e>(
    f: &'e Env,
    context: pi_context,
    format: &pi_image_format,
    desc: &pi_image_desc,
) -> Verdict<Owned<'e, pi_mem>> {
    let flags = PI_MEM_FLAGS_ACCESS_RW;
    Ok(f.own_mem(made!(f, |out| piMemImageCreate(context, flags, format, desc, null_mut(), out))))
}

/// A 2D image.
pub(in crate::cases) fn flat(f: &Env, width: usize, height: usize) -> Verdict<Owned<'_, pi_mem>> {
    create(f, &FORMAT, &desc(PI_MEM_TYPE_IMAGE2D, width, height, 0))
}
