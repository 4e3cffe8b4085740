//! What can be known to be wrong when a command is recorded: better told there than at a later run.

use pi_plugin::{Error, Rect, Result, cold_error};

pub(super) use crate::enqueue::check_rect;
use crate::sys::{self, Mem, cl};

/// The longest pattern of OpenCL's fills: a `long16`.
const MAX_PATTERN: usize = 128;

fn size_of_buffer(mem: &Mem) -> Result<usize> {
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    cl().clGetMemObjectInfo(mem.cl(), sys::CL_MEM_SIZE, size_of_val(&size), room, std::ptr::null_mut())?;
    Ok(size)
}

/// Refuses bytes that a buffer has not, and none at all.
pub(crate) fn check_span(mem: &Mem, offset: usize, size: usize, name: &str) -> Result<()> {
    let total = size_of_buffer(mem)?;
    if size == 0 || offset.checked_add(size).is_none_or(|end| end > total) {
        return Err(Error::invalid_value(format!("{size} bytes at {offset} of {name}, which has {total}")));
    }
    Ok(())
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

/// Whether OpenCL takes a pattern of that many bytes.
#[inline(always)]
pub(crate) fn is_pattern(pattern: usize) -> bool {
    pattern.is_power_of_two() && pattern <= MAX_PATTERN
}

/// Whether such a pattern can be repeated over the range, which is not empty.
#[inline(always)]
pub(crate) fn tiles(pattern: usize, start: usize, size: usize) -> bool {
    // No remainders: divisions take longer than all the rest of the call.
    size != 0 && (size | start) & (pattern - 1) == 0
}

/// Refuses patterns that OpenCL cannot repeat over the range.
#[inline(always)]
pub(crate) fn check_fill(pattern: usize, start: usize, size: usize) -> Result<()> {
    if !is_pattern(pattern) {
        return Err(cold_error(move || {
            Error::invalid_value(format!("pattern_size is {pattern}; 1, 2, 4 ... {MAX_PATTERN} are possible"))
        }));
    }
    if !tiles(pattern, start, size) {
        return Err(cold_error(move || {
            Error::invalid_value(format!(
                "the {size} bytes from {start:#x} on do not start and end on multiples of pattern_size {pattern}"
            ))
        }));
    }
    Ok(())
}
