//! Origins and regions: PI hands over pointers for buffers, UR takes values.

use sycl_pi_core::*;
use sycl_ur_core::*;

/// An origin. `None` for a null pointer, which UR cannot be told.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn origin(pi: pi_buff_rect_offset) -> Option<ur_rect_offset_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_offset_t { x: pi.x_bytes as u64, y: pi.y_scalar as u64, z: pi.z_scalar as u64 })
}

/// A region. `None` for a null pointer, which UR cannot be told.
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

/// An origin in an image.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn image_origin(pi: pi_image_offset) -> Option<ur_rect_offset_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_offset_t { x: pi.x as u64, y: pi.y as u64, z: pi.z as u64 })
}

/// A region of an image.
///
/// # Safety
/// The pointer is null or valid.
pub(super) unsafe fn image_region(pi: pi_image_region) -> Option<ur_rect_region_t> {
    // SAFETY: the caller's pointer is null or valid.
    let pi = unsafe { pi.as_ref() }?;
    Some(ur_rect_region_t { width: pi.width as u64, height: pi.height as u64, depth: pi.depth as u64 })
}

/// Each of several values, or the end of the call with the code for what UR cannot be told.
macro_rules! there {
    ($($value:expr),* $(,)?) => {
        ($(match $value {
            Some(value) => value,
            None => return $crate::bridge::result::refuse(sycl_pi_core::PI_ERROR_INVALID_VALUE),
        }),*)
    };
}

pub(super) use there;
