//! Images.

use std::ptr::null_mut;

use sycl_pi_core::*;

/// Returns an image's description: kind, width, height, depth.
pub fn image_desc(kind: pi_mem_type, [width, height, depth]: [usize; 3]) -> pi_image_desc {
    pi_image_desc {
        image_type: kind,
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
