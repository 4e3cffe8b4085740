//! Origins and regions: PI passes pointers for buffers, UR takes values.

use sycl_pi_core::*;
use sycl_ur_core::*;

/// Converts an origin. `None` for a null pointer, which UR cannot express.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn origin(pi: pi_buff_rect_offset) -> Option<ur_rect_offset_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_offset_t { x: pi.x_bytes as u64, y: pi.y_scalar as u64, z: pi.z_scalar as u64 })
}

/// Converts a region. `None` for a null pointer, which UR cannot express.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn region(pi: pi_buff_rect_region) -> Option<ur_rect_region_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_region_t {
        width: pi.width_bytes as u64,
        height: pi.height_scalar as u64,
        depth: pi.depth_scalar as u64,
    })
}

/// Converts an origin in an image.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn image_origin(pi: pi_image_offset) -> Option<ur_rect_offset_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_offset_t { x: pi.x as u64, y: pi.y as u64, z: pi.z as u64 })
}

/// Converts a region of an image.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn image_region(pi: pi_image_region) -> Option<ur_rect_region_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_region_t { width: pi.width as u64, height: pi.height as u64, depth: pi.depth as u64 })
}

/// Unwraps several values, or returns from the call with the code for values that UR cannot express.
macro_rules! there {
    ($($value:expr),* $(,)?) => {
        ($(match $value {
            Some(value) => value,
            None => return $crate::bridge::result::refuse(sycl_pi_core::PI_ERROR_INVALID_VALUE),
        }),*)
    };
}

pub(super) use there;
