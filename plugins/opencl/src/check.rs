//! Arguments that the backend itself refuses: drivers get some of them wrong, and a recorded command would fail at a later run
//! only.

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Rect, Result};

use crate::sys::{self, Mem, Queried};

/// Refuses a range whose end is not representable: the driver's own sum might wrap.
pub(crate) fn check_range(offset: usize, size: usize) -> Result<()> {
    if offset.checked_add(size).is_some() {
        return Ok(());
    }
    Err(Error::invalid_value(format!("offset {offset:#x} plus size {size:#x} is past the end of memory")))
}

/// Refuses a work-group size with a 0, which not every driver sees. Without a size the driver chooses.
pub(crate) fn check_local(local: Option<&[usize]>) -> Result<()> {
    if local.is_none_or(|local| !local.contains(&0)) {
        return Ok(());
    }
    Err(Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "local_work_size has a 0"))
}

fn size_of_buffer(mem: &Mem) -> Result<usize> {
    mem.value(sys::CL_MEM_SIZE, 0)
}

/// Refuses an empty range, and a range that leaves the buffer.
pub(crate) fn check_span(mem: &Mem, offset: usize, size: usize, name: &str) -> Result<()> {
    let total = size_of_buffer(mem)?;
    if size == 0 || offset.checked_add(size).is_none_or(|end| end > total) {
        return Err(Error::outside(name, offset, size, total));
    }
    Ok(())
}

/// Refuses boxes whose far corner is not representable, as the driver's own sums might wrap, and pitches that OpenCL
/// does not allow and drivers take.
pub(crate) fn check_rect(rect: &Rect<'_>) -> Result<()> {
    for (row, slice) in
        [(rect.first_row_pitch, rect.first_slice_pitch), (rect.second_row_pitch, rect.second_slice_pitch)]
    {
        let [width, height, _] = *rect.region;
        let row = if row == 0 { width } else { row };
        let rows = row.saturating_mul(height);
        if row < width || (slice != 0 && (slice < rows || row == 0 || !slice.is_multiple_of(row))) {
            return Err(Error::invalid_value(format!(
                "row_pitch {row} and slice_pitch {slice} do not suit region {:?}",
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

/// Refuses a box that is empty, leaves the buffer, or has overlapping rows. Sums do not wrap after [`check_rect`].
pub(crate) fn check_extent(
    mem: &Mem,
    origin: &[usize; 3],
    rect: &Rect<'_>,
    (row, slice): (usize, usize),
) -> Result<()> {
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
    let total = size_of_buffer(mem)?;
    if end > total {
        return Err(Error::invalid_value(format!(
            "region: the box {:?} at {origin:?} ends at byte {end} of a buffer that has {total}",
            rect.region
        )));
    }
    Ok(())
}
