//! Checks of arguments that the backend makes itself. Drivers get some of them wrong, and a recorded command would
//! otherwise fail only at a later run.

use std::ffi::c_void;

use sycl_pi_backend::api::UsmApi;
use sycl_pi_backend::types::{ErrorCode, UsmAllocInfo};
use sycl_pi_backend::{Error, Info, Rect, Result};

use crate::OpenCl;
use crate::sys::{self, Mem, Queried, Queue};

/// Refuses a range whose end is not representable, because the driver's own sum might overflow.
pub(crate) fn check_range(offset: usize, size: usize) -> Result<()> {
    if offset.checked_add(size).is_some() {
        return Ok(());
    }
    Err(Error::invalid_value(format!("offset {offset:#x} plus size {size:#x} is past the end of memory")))
}

/// Refuses a work-group size with a 0, which not every driver detects, and one that no device has: dpctl's sort asks
/// for 2^63 work-items where the largest sub-group has fewer than 16, and PoCL 7.1 ends the process over it. Without a
/// size, the driver chooses one.
pub(crate) fn check_local(local: Option<&[usize]>) -> Result<()> {
    const MOST: usize = u32::MAX as usize;
    match local.and_then(|local| local.iter().find(|size| !(1..=MOST).contains(*size))) {
        None => Ok(()),
        Some(size) => {
            let text = format!("the work-group size has a {size}");
            Err(Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, text))
        }
    }
}

fn size_of_buffer(mem: &Mem) -> Result<usize> {
    mem.value(sys::CL_MEM_SIZE, 0)
}

/// Refuses an empty range, and a range that exceeds the buffer.
pub(crate) fn check_span(mem: &Mem, offset: usize, size: usize, name: &str) -> Result<()> {
    let total = size_of_buffer(mem)?;
    if size == 0 || offset.checked_add(size).is_none_or(|end| end > total) {
        return Err(Error::outside(name, offset, size, total));
    }
    Ok(())
}

/// Refuses boxes whose far corner is not representable, because the driver's own sums might overflow, and pitches that
/// OpenCL does not allow but drivers accept.
pub(crate) fn check_rect(rect: &Rect<'_>) -> Result<()> {
    for (row, slice) in
        [(rect.first_row_pitch, rect.first_slice_pitch), (rect.second_row_pitch, rect.second_slice_pitch)]
    {
        let [width, height, _] = *rect.region;
        let row = if row == 0 { width } else { row };
        let rows = row.saturating_mul(height);
        if row < width || (slice != 0 && (slice < rows || row == 0 || !slice.is_multiple_of(row))) {
            return Err(Error::invalid_value(format!(
                "row pitch {row} and slice pitch {slice} do not suit region {:?}",
                rect.region
            )));
        }
    }
    let side = |origin: &[usize; 3], row_pitch: usize, slice_pitch: usize| {
        let [width, height, depth] = *rect.region;
        let row = if row_pitch == 0 { width } else { row_pitch };
        let slice = if slice_pitch == 0 { row.checked_mul(height)? } else { slice_pitch };
        let x = origin[0].checked_add(width)?;
        let y = origin[1].checked_add(height)?.checked_mul(row)?;
        let z = origin[2].checked_add(depth)?.checked_mul(slice)?;
        x.checked_add(y)?.checked_add(z)
    };
    let fits = side(rect.first_origin, rect.first_row_pitch, rect.first_slice_pitch).and(side(
        rect.second_origin,
        rect.second_row_pitch,
        rect.second_slice_pitch,
    ));
    match fits {
        Some(_) => Ok(()),
        None => Err(Error::invalid_value(format!("region {:?} is past the end of memory", rect.region))),
    }
}

/// Refuses a box that is empty, exceeds the buffer, or has overlapping rows. Sums cannot overflow after [`check_rect`].
pub(crate) fn check_extent(
    mem: &Mem,
    origin: &[usize; 3],
    rect: &Rect<'_>,
    pitches: (usize, usize),
) -> Result<()> {
    check_box(size_of_buffer(mem)?, origin, rect, pitches)
}

fn check_box(total: usize, origin: &[usize; 3], rect: &Rect<'_>, (row, slice): (usize, usize)) -> Result<()> {
    let [width, height, depth] = *rect.region;
    if width == 0 || height == 0 || depth == 0 {
        return Err(Error::invalid_value(format!("region: the box {:?} is empty", rect.region)));
    }
    let row = if row == 0 { width } else { row };
    let slice = if slice == 0 { height * row } else { slice };
    if row < width || slice < height * row {
        return Err(Error::invalid_value(format!(
            "region: pitches {row} and {slice} are too small for the box {:?}",
            rect.region
        )));
    }
    let end = origin[0] + width + (origin[1] + height - 1) * row + (origin[2] + depth - 1) * slice;
    if end > total {
        return Err(Error::invalid_value(format!(
            "region: the box {:?} at {origin:?} ends at byte {end} of a buffer that has {total}",
            rect.region
        )));
    }
    Ok(())
}

/// Refuses a range that leaves the allocation it begins in. Memory that is no allocation may have any length.
pub(crate) fn check_in_allocation(queue: &Queue, ptr: *const c_void, size: usize) -> Result<()> {
    let context = queue.context()?;
    let ask = |name, value: &mut usize| {
        let mut len = 0;
        OpenCl::usm_mem_alloc_info(context, ptr, name, Info::over(std::slice::from_mut(value), &mut len))
    };
    let (mut base, mut total) = (0, 0);
    if ask(UsmAllocInfo::BASE_PTR, &mut base).is_err()
        || ask(UsmAllocInfo::SIZE, &mut total).is_err()
        || base == 0
    {
        return Ok(());
    }
    let left = total.saturating_sub(ptr.addr() - base);
    if size > left {
        return Err(Error::invalid_value(format!(
            "{size} bytes from {ptr:p} on, but the allocation ends after {left}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sycl_pi_backend::Rect;

    use super::{check_box, check_local, check_range, check_rect};

    /// Returns a box with an origin and the pitches of rows and slices on each side.
    fn rect<'r>(
        [first_origin, second_origin]: [&'r [usize; 3]; 2],
        region: &'r [usize; 3],
        [(first_row_pitch, first_slice_pitch), (second_row_pitch, second_slice_pitch)]: [(usize, usize); 2],
    ) -> Rect<'r> {
        Rect {
            first_origin,
            second_origin,
            region,
            first_row_pitch,
            first_slice_pitch,
            second_row_pitch,
            second_slice_pitch,
        }
    }

    #[test]
    fn a_range_ends_at_the_last_address_at_most() {
        assert!(check_range(usize::MAX - 8, 8).is_ok());
        assert!(check_range(usize::MAX - 8, 9).is_err());
    }

    #[test]
    fn a_local_size_has_no_zero_and_is_one_that_a_device_may_have() {
        assert!(check_local(None).is_ok() && check_local(Some(&[1, 2, 1 << 20])).is_ok());
        assert!(check_local(Some(&[1, 0, 3])).is_err());
        assert!(check_local(Some(&[1 << 63])).is_err());
    }

    /// OpenCL 3.0, `clEnqueueCopyBufferRect`: a row pitch is 0 or at least the width; a slice pitch is 0 or at least
    /// height times row pitch, and a multiple of the row pitch.
    #[test]
    fn pitches_suit_the_box_or_are_refused() {
        let region = [4, 3, 2];
        for (row, slice, good) in [
            (0, 0, true),
            (4, 0, true),
            (5, 0, true),
            (3, 0, false),
            (0, 12, true),
            (0, 16, true),
            (0, 11, false),
            (0, 13, false),
            (4, 12, true),
            (5, 15, true),
            (5, 20, true),
            (5, 12, false),
            (5, 16, false),
            (5, 10, false),
            (3, 9, false),
        ] {
            let mut rect = rect([&[0; 3]; 2], &region, [(row, slice), (0, 0)]);
            assert_eq!(check_rect(&rect).is_ok(), good, "first: row pitch {row}, slice pitch {slice}");
            (rect.first_row_pitch, rect.first_slice_pitch) = (0, 0);
            (rect.second_row_pitch, rect.second_slice_pitch) = (row, slice);
            assert_eq!(check_rect(&rect).is_ok(), good, "second: row pitch {row}, slice pitch {slice}");
        }
    }

    #[test]
    fn a_far_corner_is_an_address() {
        let (near, region) = ([0; 3], [2, 1, 1]);
        for (far, row, slice, good) in [
            ([0, 0, 0], 0, 0, true),
            ([usize::MAX - 6, 0, 0], 0, 0, true),
            ([usize::MAX - 1, 0, 0], 0, 0, false),
            ([0, usize::MAX, 0], 0, 0, false),
            ([0, usize::MAX / 2, 0], 0, 0, false),
            ([0, usize::MAX / 2, 0], 4, 0, false),
            ([0, 0, usize::MAX], 0, 0, false),
            ([0, 0, usize::MAX / 4], 0, 8, false),
        ] {
            for (first, second) in [(&far, &near), (&near, &far)] {
                let rect = rect([first, second], &region, [(row, slice); 2]);
                assert_eq!(check_rect(&rect).is_ok(), good, "{rect:?}");
            }
        }
    }

    #[test]
    fn a_box_ends_in_the_buffer() {
        // `size` is the smallest buffer that contains the box, which is given by origin, region and pitches.
        for (origin, region, pitches, size) in [
            ([0, 0, 0], [4, 1, 1], (0, 0), 4),
            ([3, 0, 0], [4, 1, 1], (0, 0), 7),
            ([0, 2, 0], [4, 3, 1], (0, 0), 20),
            ([0, 0, 2], [4, 3, 2], (0, 0), 48),
            ([1, 2, 3], [4, 3, 2], (10, 70), 325),
            ([0, 0, 0], [4, 3, 2], (4, 12), 24),
        ] {
            assert!(fits(size, origin, region, pitches), "{origin:?} {region:?} {pitches:?}");
            assert!(!fits(size - 1, origin, region, pitches), "{origin:?} {region:?} {pitches:?}");
        }
        for (region, pitches) in [
            ([0, 1, 1], (0, 0)),
            ([1, 0, 1], (0, 0)),
            ([1, 1, 0], (0, 0)),
            ([4, 3, 2], (3, 12)),
            ([4, 3, 2], (3, 0)),
            ([4, 3, 2], (4, 11)),
            ([4, 3, 2], (5, 12)),
        ] {
            assert!(!fits(1000, [1; 3], region, pitches), "{region:?} {pitches:?}");
        }
    }

    fn fits(total: usize, origin: [usize; 3], region: [usize; 3], pitches: (usize, usize)) -> bool {
        let rect = rect([&origin, &[0; 3]], &region, [pitches, (0, 0)]);
        check_box(total, &origin, &rect, pitches).is_ok()
    }
}
