//! Boxes in buffers and in host memory, as ends of copies.

use core::ffi::c_void;

use sycl_pi_backend::{Error, Rect, Result};

use crate::copy::{BoxCopy, CopyEnd};
use crate::mem::Mem;

/// Returns the first box of `rect`, in a buffer on the context's device with the given index.
pub(crate) fn first_end(mem: &Mem, index: usize, rect: &Rect<'_>) -> Result<CopyEnd> {
    let (row, slice) = (rect.first_row_pitch, rect.first_slice_pitch);
    check_box(mem, rect.first_origin, rect, row, slice)?;
    Ok(CopyEnd::Device { start: mem.range(index, 0, 0)?, row, slice })
}

/// Returns the second box of `rect`, in a buffer on the context's device with the given index.
pub(crate) fn second_end(mem: &Mem, index: usize, rect: &Rect<'_>) -> Result<CopyEnd> {
    let (row, slice) = (rect.second_row_pitch, rect.second_slice_pitch);
    check_box(mem, rect.second_origin, rect, row, slice)?;
    Ok(CopyEnd::Device { start: mem.range(index, 0, 0)?, row, slice })
}

/// Returns the second box of `rect`, in host memory.
pub(crate) fn host_end(start: *mut c_void, rect: &Rect<'_>) -> CopyEnd {
    CopyEnd::Host { start, row: rect.second_row_pitch, slice: rect.second_slice_pitch }
}

/// Returns a copy from the first box to the second.
pub(crate) fn first_to_second(src: CopyEnd, dst: CopyEnd, rect: &Rect<'_>) -> BoxCopy {
    let (src_origin, dst_origin) = (*rect.first_origin, *rect.second_origin);
    BoxCopy { src, src_origin, dst, dst_origin, region: *rect.region }
}

/// Returns a copy from the second box to the first.
pub(crate) fn second_to_first(src: CopyEnd, dst: CopyEnd, rect: &Rect<'_>) -> BoxCopy {
    let (src_origin, dst_origin) = (*rect.second_origin, *rect.first_origin);
    BoxCopy { src, src_origin, dst, dst_origin, region: *rect.region }
}

/// Refuses a box that is empty or exceeds the buffer.
fn check_box(mem: &Mem, origin: &[usize; 3], rect: &Rect<'_>, row: usize, slice: usize) -> Result<()> {
    let [width, height, depth] = *rect.region;
    let total = mem.buffer()?.size;
    let row = if row == 0 { width } else { row };
    let slice = if slice == 0 { row.saturating_mul(height) } else { slice };
    let end = || {
        let rows = origin[1].checked_add(height)?.checked_sub(1)?.checked_mul(row)?;
        let slices = origin[2].checked_add(depth)?.checked_sub(1)?.checked_mul(slice)?;
        origin[0].checked_add(width)?.checked_add(rows)?.checked_add(slices)
    };
    if width == 0 || height == 0 || depth == 0 || end().is_none_or(|end| end > total) {
        return Err(Error::invalid_value(format!(
            "region: the box {:?} at {origin:?} with pitches {row} and {slice} is empty or leaves a buffer of {total} bytes",
            rect.region
        )));
    }
    Ok(())
}
