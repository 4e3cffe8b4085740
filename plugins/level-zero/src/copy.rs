//! Copies and fills, whatever they are asked for: USM, buffers, device variables.

use std::ptr::null;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Dependencies, Rect, Result, Shared};
use sycl_pi_backend::types::*;

use crate::lane::{Ask, At, Held, Work, enqueue, give};
use crate::pool::log_failure;
use crate::sys::{Address, HostBytes, ze, *};
use crate::usm_pool::{Block, Place, Request};
use crate::{Event, Queue, context, device};

/// Copies that are done when they return, for contents of new buffers.
#[derive(Default)]
pub(crate) struct Stage {
    lists: Mutex<Vec<(ze_device_handle_t, ze_command_list_handle_t)>>,
}

impl Stage {
    /// A list of the device whose commands are done when their call returns.
    pub(crate) fn list(
        &self,
        context: &context::Body,
        device: &device::Body,
    ) -> Result<ze_command_list_handle_t> {
        let mut lists = self.lists.lock();
        if let Some((_, list)) = lists.iter().find(|(of, _)| *of == device.ze) {
            return Ok(*list);
        }
        let desc = ze_command_queue_desc_t {
            ordinal: device.compute_group().unwrap_or_default(),
            mode: ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
            pNext: null(),
            ..Default::default()
        };
        let mut list = ze_command_list_handle_t::NULL;
        ze()?.zeCommandListCreateImmediate(context.ze, device.ze, &desc, &mut list)?;
        lists.push((device.ze, list));
        Ok(list)
    }

    pub(crate) fn copy(
        &self,
        context: &context::Body,
        device: &device::Body,
        dst: Address,
        src: Address,
        size: usize,
    ) -> Result<()> {
        let list = self.list(context, device)?;
        let none = std::ptr::null_mut();
        ze()?.zeCommandListAppendMemoryCopy(
            list,
            dst.get(),
            src.get(),
            size,
            ze_event_handle_t::NULL,
            0,
            none,
        )
    }

    pub(crate) fn destroy(&self) {
        for (_, list) in self.lists.lock().drain(..) {
            log_failure(ze().and_then(|ze| ze.zeCommandListDestroy(list)));
        }
    }
}

/// A command that has nothing to do: it is done when its wait list is.
pub(crate) fn nothing(queue: &Queue, ask: Ask, dependencies: Dependencies<'_, Event>) -> Result<()> {
    let ze = ze()?;
    enqueue(queue, Ask { work: Work::Compute, ..ask }, dependencies, |at| match at.count {
        0 => ze.zeCommandListAppendSignalEvent(at.list, at.signal),
        _ => ze.zeCommandListAppendBarrier(at.list, at.signal, at.count, at.waits),
    })
}

/// Copies bytes.
#[inline]
pub(crate) fn linear(
    queue: &Queue,
    ask: Ask,
    dst: Address,
    src: Address,
    size: usize,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    if size == 0 {
        return nothing(queue, ask, dependencies);
    }
    let ze = ze()?;
    enqueue(queue, ask, dependencies, |at| {
        ze.zeCommandListAppendMemoryCopy(at.list, dst.get(), src.get(), size, at.signal, at.count, at.waits)
    })
}

/// Appends a linear copy, for commands that are more than one.
fn append_copy(at: &At, dst: Address, src: Address, size: usize) -> Result<()> {
    let none = ze_event_handle_t::NULL;
    ze()?.zeCommandListAppendMemoryCopy(at.list, dst.get(), src.get(), size, none, at.count, at.waits)
}

/// Appends a barrier that signals: behind several appends of one command.
fn append_end(at: &At) -> Result<()> {
    ze()?.zeCommandListAppendBarrier(at.list, at.signal, 0, std::ptr::null_mut())
}

/// One side of a box: where it starts, and its pitches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) start: Address,
    pub(crate) row: usize,
    pub(crate) slice: usize,
}

/// Where a box starts and how far it reaches in a memory; pitches of 0 are computed.
pub(crate) fn side(
    start: Address,
    origin: &[usize; 3],
    region: &[usize; 3],
    row: usize,
    slice: usize,
) -> Result<(Side, usize)> {
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
    Ok((Side { start: start.add(offset), row, slice }, end))
}

/// Both sides of a PI box; the first and second reach are what the two memories must have at least.
pub(crate) fn sides(rect: &Rect<'_>, first: Address, second: Address) -> Result<[(Side, usize); 2]> {
    Ok([
        side(first, rect.first_origin, rect.region, rect.first_row_pitch, rect.first_slice_pitch)?,
        side(second, rect.second_origin, rect.region, rect.second_row_pitch, rect.second_slice_pitch)?,
    ])
}

/// The driver's numbers of a box are 32 bits wide.
pub(crate) fn narrow(number: usize) -> Result<u32> {
    u32::try_from(number).map_err(|_| {
        Error::invalid_value(format!("region: {number} is more than Level Zero's boxes can have"))
    })
}

/// Appends a copy of a box.
pub(crate) fn append_rect(at: &At, dst: Side, src: Side, region: &[usize; 3]) -> Result<()> {
    let corner = ze_copy_region_t {
        originX: 0,
        originY: 0,
        originZ: 0,
        width: narrow(region[0])?,
        height: narrow(region[1])?,
        depth: narrow(region[2])?,
    };
    // One slice has no pitch from slice to slice that matters, and it may be too large for the driver's number.
    let pitch = |side: Side| if region[2] == 1 { Ok(0) } else { narrow(side.slice) };
    ze()?.zeCommandListAppendMemoryCopyRegion(
        at.list,
        dst.start.get(),
        &corner,
        narrow(dst.row)?,
        pitch(dst)?,
        src.start.get(),
        &corner,
        narrow(src.row)?,
        pitch(src)?,
        at.signal,
        at.count,
        at.waits,
    )
}

/// Copies a box.
pub(crate) fn rect(
    queue: &Queue,
    ask: Ask,
    dst: Side,
    src: Side,
    region: &[usize; 3],
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    enqueue(queue, ask, dependencies, |at| append_rect(at, dst, src, region))
}

/// The pattern that the driver is given: one byte where all are the same.
fn shortest(pattern: &[u8]) -> &[u8] {
    if pattern.iter().all(|byte| *byte == pattern[0]) { &pattern[..1] } else { pattern }
}

/// How a pattern is repeated: by the driver, or by copies of memory that holds it many times.
pub(crate) enum Fill {
    Driver(Box<[u8]>),
    Copies(Block, usize),
}

/// Memory that holds a pattern many times, at most.
const REPEATED: usize = 64 << 10;

impl Fill {
    /// For `size` bytes at a time.
    pub(crate) fn new(
        context: &Shared<context::Body>,
        device: &device::Body,
        ordinal: u32,
        pattern: &[u8],
        size: usize,
    ) -> Result<Self> {
        if pattern.is_empty() {
            return Err(Error::invalid_value("the pattern is empty"));
        }
        let pattern = shortest(pattern);
        let group = device.groups.get(ordinal as usize);
        let longest = group.map_or(1, |group| group.maxMemoryFillPatternSize);
        if pattern.len() == 1 || (pattern.len().is_power_of_two() && pattern.len() <= longest) {
            return Ok(Self::Driver(pattern.into()));
        }
        let times = (REPEATED / pattern.len()).max(1).min((size / pattern.len()).max(1));
        let bytes = times * pattern.len();
        let block = Block::new(context, Request::new(Place::Host, bytes))?;
        HostBytes::new(block.address, bytes).fill(pattern);
        Ok(Self::Copies(block, bytes))
    }

    /// Appends fills of `rows` rows of `size` bytes, with one signal behind all.
    pub(crate) fn append(
        &self,
        at: &At,
        start: Address,
        size: usize,
        (rows, pitch): (usize, usize),
    ) -> Result<()> {
        let ze = ze()?;
        if let (Self::Driver(pattern), 1) = (self, rows) {
            let (bytes, len) = (pattern.as_ptr().cast(), pattern.len());
            return ze.zeCommandListAppendMemoryFill(
                at.list,
                start.get(),
                bytes,
                len,
                size,
                at.signal,
                at.count,
                at.waits,
            );
        }
        for row in 0..rows {
            let start = start.add(row * pitch);
            match self {
                Self::Driver(pattern) => ze.zeCommandListAppendMemoryFill(
                    at.list,
                    start.get(),
                    pattern.as_ptr().cast(),
                    pattern.len(),
                    size,
                    ze_event_handle_t::NULL,
                    at.count,
                    at.waits,
                )?,
                Self::Copies(block, bytes) => {
                    let mut done = 0;
                    while done < size {
                        let part = (*bytes).min(size - done);
                        append_copy(at, start.add(done), block.address, part)?;
                        done += part;
                    }
                }
            }
        }
        append_end(at)
    }
}

/// Rows of bytes to be filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) start: Address,
    /// Bytes of a row.
    pub(crate) size: usize,
    pub(crate) count: usize,
    pub(crate) pitch: usize,
}

impl Rows {
    /// One row.
    pub(crate) fn one(start: Address, size: usize) -> Self {
        Self { start, size, count: 1, pitch: 0 }
    }
}

/// Repeats a pattern over rows.
pub(crate) fn fill(
    queue: &Queue,
    command: CommandType,
    mut held: Held,
    pattern: &[u8],
    rows: Rows,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    let Rows { start, size, count, pitch } = rows;
    if size == 0 || count == 0 {
        return nothing(queue, Ask::new(command, Work::Compute), dependencies);
    }
    if !size.is_multiple_of(pattern.len().max(1)) {
        return Err(Error::invalid_value(format!(
            "pattern: {size} bytes are no multiple of its {}",
            pattern.len()
        )));
    }
    let lane = &queue.lane;
    let fill = Arc::new(Fill::new(&lane.context, &lane.device, queue.place.ordinal, pattern, size)?);
    let wanted = dependencies.event.is_wanted();
    if matches!(*fill, Fill::Copies(..)) {
        held.other = Some(Box::new(fill.clone()));
    }
    let signal = lane.append(Work::Compute, dependencies.waits, Vec::new(), wanted, held, |at| {
        fill.append(at, start, size, (count, pitch))
    })?;
    give(queue, command, signal, false, dependencies)
}
