//! Fills of memory with a pattern.

use std::sync::Arc;

use sycl_pi_backend::types::CommandType;
use sycl_pi_backend::{Dependencies, Result, shortest_pattern};

use crate::copy;
use crate::driver::{AllocationRequest, MemoryLocation, UsmBlock};
use crate::objects::{CommandResources, Context, Device, EventHandle, QueueHandle};
use crate::submission::{AppendTarget, EngineKind};
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{Address, HostBytes};

/// How a pattern is repeated: by the driver, or by copies from memory that contains it many times.
pub(crate) enum PatternFill {
    Driver(Box<[u8]>),
    Copies(UsmBlock, usize),
}

/// The maximum size of memory that contains a pattern many times.
const REPEATED: usize = 64 << 10;

impl PatternFill {
    /// Chooses the fill for rows that the pattern fits into a whole number of times.
    pub(crate) fn new(
        context: &Context,
        device: &Device,
        ordinal: u32,
        pattern: &[u8],
        rows: FillRows,
    ) -> Result<Self> {
        let pattern = shortest_pattern(pattern);
        let group = device.groups.get(ordinal as usize);
        let longest = group.map_or(1, |group| group.maxMemoryFillPatternSize);
        // Drivers store the pattern as a number, which must be aligned.
        let fits = pattern.len().is_power_of_two() && pattern.len() <= longest;
        if pattern.len() == 1 || (fits && rows.are_aligned_to(pattern.len())) {
            return Ok(Self::Driver(pattern.into()));
        }
        let times = (REPEATED / pattern.len()).max(1).min(rows.size / pattern.len());
        let bytes = times * pattern.len();
        let block = UsmBlock::new(&context.usm, AllocationRequest::new(MemoryLocation::Host, bytes))?;
        HostBytes::new(block.address, bytes).fill(pattern);
        Ok(Self::Copies(block, bytes))
    }

    /// Returns whether a fill of the given number of rows takes several driver calls.
    fn is_in_parts(&self, rows: usize) -> bool {
        rows > 1 || matches!(self, Self::Copies(..))
    }

    /// Appends fills of the rows, with one event after all of them.
    pub(crate) fn append(&self, target: AppendTarget, rows: FillRows) -> Result<()> {
        let FillRows { start, size, count, pitch } = rows;
        if let (Self::Driver(pattern), 1) = (self, count) {
            return target.fill(start, pattern, size);
        }
        let part = target.without_signal();
        for row in 0..count {
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
    /// Bytes per row.
    pub(crate) size: usize,
    pub(crate) count: usize,
    pub(crate) pitch: usize,
}

impl FillRows {
    /// One row.
    pub(crate) fn one(start: Address, size: usize) -> Self {
        Self { start, size, count: 1, pitch: 0 }
    }

    /// Returns whether each row starts at a multiple of `bytes`.
    fn are_aligned_to(&self, bytes: usize) -> bool {
        self.start.number().is_multiple_of(bytes) && (self.count == 1 || self.pitch.is_multiple_of(bytes))
    }
}

/// Enqueues a fill of rows with a repeated pattern.
pub(crate) fn fill(
    queue: &QueueHandle,
    command: CommandType,
    resources: CommandResources,
    pattern: &[u8],
    rows: FillRows,
    dependencies: Dependencies<'_, EventHandle>,
) -> Result<()> {
    if rows.size == 0 || rows.count == 0 {
        return copy::nothing(queue, CommandRequest::new(command, EngineKind::Compute), dependencies);
    }
    let fill = PatternFill::new(&queue.context, &queue.device, queue.engine.ordinal, pattern, rows)?;
    let fill = Arc::new(fill);
    let request = CommandRequest::new(command, EngineKind::Compute);
    let request = match *fill {
        PatternFill::Driver(_) => request.holding(resources),
        PatternFill::Copies(..) => request.holding(resources.and(fill.clone())),
    };
    let request = if fill.is_in_parts(rows.count) { request.in_parts() } else { request };
    enqueue(queue, request, dependencies, |target| fill.append(target, rows))
}
