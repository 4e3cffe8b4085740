//! Copies of all kinds: USM, buffers, device variables.

use sycl_pi_backend::{Dependencies, Error, Rect, Result};

use crate::objects::{Buffer, EventHandle, QueueHandle};
use crate::submission::{AppendTarget, EngineKind};
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{Address, narrow, ze, *};

/// Enqueues an empty command, which is complete when its wait list is.
pub(crate) fn nothing(
    queue: &QueueHandle,
    request: CommandRequest,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    enqueue(queue, request.on(EngineKind::Compute), dependencies, |target| target.nothing())
}

/// Copies bytes.
pub(crate) fn linear(
    queue: &QueueHandle,
    request: CommandRequest,
    dst: Address,
    src: Address,
    size: usize,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    if size == 0 {
        return nothing(queue, request, dependencies);
    }
    enqueue(queue, request, dependencies, |target| target.copy(dst, src, size))
}

/// The start address and the pitches of one side of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxSide {
    pub(crate) start: Address,
    pub(crate) row: usize,
    pub(crate) slice: usize,
}

/// Returns the start and the size of a box in a memory. Pitches of 0 are computed.
pub(crate) fn side(
    start: Address,
    origin: &[usize; 3],
    region: &[usize; 3],
    row: usize,
    slice: usize,
) -> Result<(BoxSide, usize)> {
    let [width, height, depth] = *region;
    let bad = |what: &str| Error::invalid_value(format!("region: the box {region:?} at {origin:?}: {what}"));
    if width == 0 || height == 0 || depth == 0 {
        return Err(bad("it is empty"));
    }
    let row = if row == 0 { width } else { row };
    let rows = height.checked_mul(row).ok_or_else(|| bad("past the end of memory"))?;
    let slice = if slice == 0 { rows } else { slice };
    if row < width || slice < rows || !slice.is_multiple_of(row) {
        return Err(bad(&format!("pitches {row} and {slice} are too small")));
    }
    let reach = || {
        let offset =
            origin[2].checked_mul(slice)?.checked_add(origin[1].checked_mul(row)?)?.checked_add(origin[0])?;
        let inside = (depth - 1)
            .checked_mul(slice)?
            .checked_add((height - 1).checked_mul(row)?)?
            .checked_add(width)?;
        Some((offset, offset.checked_add(inside)?))
    };
    let (offset, end) = reach().ok_or_else(|| bad("past the end of memory"))?;
    Ok((BoxSide { start: start.add(offset), row, slice }, end))
}

/// Returns both sides of a box, each with the minimum size in bytes of its memory.
fn sides(rect: &Rect<'_>, first: Address, second: Address) -> Result<[(BoxSide, usize); 2]> {
    Ok([
        side(first, rect.first_origin, rect.region, rect.first_row_pitch, rect.first_slice_pitch)?,
        side(second, rect.second_origin, rect.region, rect.second_row_pitch, rect.second_slice_pitch)?,
    ])
}

/// Returns a box of a buffer and its other side in host memory. Refuses bytes outside of the buffer.
pub(crate) fn host_box(
    buffer: &Buffer,
    rect: &Rect<'_>,
    host: Address,
    what: &str,
) -> Result<(BoxSide, BoxSide)> {
    let [(own, end), (host, _)] = sides(rect, buffer.address, host)?;
    buffer.check(0, end, what)?;
    Ok((own, host))
}

/// Returns the boxes of a copy between buffers. Refuses bytes outside of either buffer.
pub(crate) fn buffer_boxes(src: &Buffer, dst: &Buffer, rect: &Rect<'_>) -> Result<(BoxSide, BoxSide)> {
    let [(src_side, src_end), (dst_side, dst_end)] = sides(rect, src.address, dst.address)?;
    src.check(0, src_end, "the source of a copy of a box")?;
    dst.check(0, dst_end, "the destination of a copy of a box")?;
    Ok((src_side, dst_side))
}

/// Appends a copy of a box.
pub(crate) fn append_rect(
    target: AppendTarget,
    dst: BoxSide,
    src: BoxSide,
    region: &[usize; 3],
) -> Result<()> {
    let corner = ze_copy_region_t {
        originX: 0,
        originY: 0,
        originZ: 0,
        width: narrow(region[0])?,
        height: narrow(region[1])?,
        depth: narrow(region[2])?,
    };
    // For a single slice, the slice pitch does not matter, and it may be too large for the driver's type.
    let pitch = |side: BoxSide| if region[2] == 1 { Ok(0) } else { narrow(side.slice) };
    ze()?.zeCommandListAppendMemoryCopyRegion(
        target.list,
        dst.start.get(),
        &corner,
        narrow(dst.row)?,
        pitch(dst)?,
        src.start.get(),
        &corner,
        narrow(src.row)?,
        pitch(src)?,
        target.signal,
        target.count,
        target.waits,
    )
}

/// Copies a box.
pub(crate) fn rect(
    queue: &QueueHandle,
    request: CommandRequest,
    dst: BoxSide,
    src: BoxSide,
    region: &[usize; 3],
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    enqueue(queue, request, dependencies, |target| append_rect(target, dst, src, region))
}
