//! Fills of memory with a pattern.

use std::sync::Arc;

use sycl_pi_backend::types::CommandType;
use sycl_pi_backend::{Dependencies, Error, Result};

use crate::copy;
use crate::driver::{AllocationRequest, MemoryLocation, UsmBlock};
use crate::objects::{CommandResources, Context, Device, EventHandle, QueueHandle};
use crate::submission::{AppendTarget, EngineKind};
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{Address, HostBytes};

/// The pattern that the driver is given: one byte where all are the same.
fn shortest(pattern: &[u8]) -> &[u8] {
    if pattern.iter().all(|byte| *byte == pattern[0]) { &pattern[..1] } else { pattern }
}

/// How a pattern is repeated: by the driver, or by copies of memory that holds it many times.
pub(crate) enum PatternFill {
    Driver(Box<[u8]>),
    Copies(UsmBlock, usize),
}

/// Memory that holds a pattern many times, at most.
const REPEATED: usize = 64 << 10;

impl PatternFill {
    /// For `size` bytes at a time.
    pub(crate) fn new(
        context: &Context,
        device: &Device,
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
        let block = UsmBlock::new(&context.usm, AllocationRequest::new(MemoryLocation::Host, bytes))?;
        HostBytes::new(block.address, bytes).fill(pattern);
        Ok(Self::Copies(block, bytes))
    }

    /// Appends fills of `rows` rows of `size` bytes, with one event behind all.
    pub(crate) fn append(
        &self,
        target: AppendTarget,
        start: Address,
        size: usize,
        (rows, pitch): (usize, usize),
    ) -> Result<()> {
        if let (Self::Driver(pattern), 1) = (self, rows) {
            return target.fill(start, pattern, size);
        }
        let part = target.without_signal();
        for row in 0..rows {
            let start = start.add(row * pitch);
            match self {
                Self::Driver(pattern) => part.fill(start, pattern, size)?,
                Self::Copies(block, bytes) => {
                    for done in (0..size).step_by(*bytes) {
                        part.copy(start.add(done), block.address, (*bytes).min(size - done))?;
                    }
                }
            }
        }
        target.end()
    }
}

/// Rows of bytes to be filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FillRows {
    pub(crate) start: Address,
    /// Bytes of a row.
    pub(crate) size: usize,
    pub(crate) count: usize,
    pub(crate) pitch: usize,
}

impl FillRows {
    /// One row.
    pub(crate) fn one(start: Address, size: usize) -> Self {
        Self { start, size, count: 1, pitch: 0 }
    }
}

/// Repeats a pattern over rows.
pub(crate) fn fill(
    queue: &QueueHandle,
    command: CommandType,
    resources: CommandResources,
    pattern: &[u8],
    rows: FillRows,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    let FillRows { start, size, count, pitch } = rows;
    if size == 0 || count == 0 {
        return copy::nothing(queue, CommandRequest::new(command, EngineKind::Compute), dependencies);
    }
    if !size.is_multiple_of(pattern.len().max(1)) {
        return Err(Error::invalid_value(format!(
            "pattern: {size} bytes are not a multiple of its {} bytes",
            pattern.len()
        )));
    }
    let fill = PatternFill::new(&queue.context, &queue.device, queue.engine.ordinal, pattern, size)?;
    let fill = Arc::new(fill);
    let request = CommandRequest::new(command, EngineKind::Compute);
    let request = match *fill {
        PatternFill::Driver(_) => request.holding(resources),
        PatternFill::Copies(..) => request.holding(resources.and(fill.clone())).in_parts(),
    };
    enqueue(queue, request, dependencies, |target| fill.append(target, start, size, (count, pitch)))
}
