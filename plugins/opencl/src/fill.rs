//! Fills of memory with a pattern of any length at any address. OpenCL supports only patterns of 1, 2, 4 ... 128 bytes,
//! each at a multiple of its length.

use core::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::api::{EnqueueApi, UsmApi};
use sycl_pi_backend::{Dependencies, EventOut, Result, shortest_pattern};

use crate::OpenCl;
use crate::check::check_span;
use crate::pocl;
use crate::svm::{MemoryUse, lend};
use crate::sys::{Event, HasPlatform, Mem, Owned, Queue, cl, raw_dependencies};

/// The longest pattern of OpenCL's fills: a `long16`.
const LONGEST: usize = 128;

/// The start of a fill.
#[derive(Clone, Copy)]
pub(crate) enum FillStart<'a> {
    /// At an address of unified shared memory.
    Usm(*mut c_void),
    /// At an offset in a buffer.
    Buffer(&'a Mem, usize),
}

impl FillStart<'_> {
    /// Returns the largest power of two up to [`LONGEST`] that the start is a multiple of.
    fn alignment(self) -> usize {
        let number = match self {
            Self::Usm(address) => address.addr(),
            Self::Buffer(_, offset) => offset,
        };
        1 << number.trailing_zeros().min(LONGEST.ilog2())
    }

    fn add(self, bytes: usize) -> Self {
        match self {
            Self::Usm(address) => Self::Usm(address.wrapping_byte_add(bytes)),
            Self::Buffer(buffer, offset) => Self::Buffer(buffer, offset + bytes),
        }
    }

    /// Returns whether the driver accepts this pattern at this start.
    fn takes(self, pattern: &[u8]) -> bool {
        pattern.len().is_power_of_two() && pattern.len() <= self.alignment()
    }

    /// Enqueues a fill with a pattern that the driver accepts.
    fn fill(
        self,
        queue: &Queue,
        pattern: &[u8],
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        let (cl_queue, start, len) = (queue.cl(), pattern.as_ptr().cast(), pattern.len());
        match self {
            Self::Buffer(buffer, offset) => {
                cl().clEnqueueFillBuffer(cl_queue, buffer.cl(), start, len, offset, size, n, waits, event)
            }
            Self::Usm(ptr) => {
                let driver = queue.driver()?;
                if driver.has_usm {
                    pocl::check_fill(queue, ptr)?;
                    return driver
                        .extensions
                        .clEnqueueMemFillINTEL(cl_queue, ptr, start, len, size, n, waits, event);
                }
                driver.require_svm()?;
                lend(queue, MemoryUse::From([ptr.addr(); 2]), false, dependencies, |_, mut dependencies| {
                    let (n, waits, event) = raw_dependencies(&mut dependencies);
                    cl().clEnqueueSVMMemFill(cl_queue, ptr, start, len, size, n, waits, event)
                })
            }
        }
    }

    /// Enqueues a copy of the bytes that start here to the bytes after them.
    fn copy_behind(
        self,
        queue: &Queue,
        distance: usize,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        match self {
            Self::Usm(ptr) => {
                let to = ptr.wrapping_byte_add(distance);
                OpenCl::enqueue_usm_memcpy(queue, false, to, ptr, size, dependencies)
            }
            Self::Buffer(buffer, offset) => OpenCl::enqueue_mem_buffer_copy(
                queue,
                buffer,
                buffer,
                offset,
                offset + distance,
                size,
                dependencies,
            ),
        }
    }
}

/// Enqueues a fill of a range, which is not empty and which the pattern fits into a whole number of times.
pub(crate) fn fill(
    queue: &Queue,
    start: FillStart<'_>,
    pattern: &[u8],
    size: usize,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    if start.takes(pattern) {
        return start.fill(queue, pattern, size, dependencies);
    }
    let pattern = shortest_pattern(pattern);
    if start.takes(pattern) {
        return start.fill(queue, pattern, size, dependencies);
    }
    if let FillStart::Buffer(buffer, offset) = start {
        check_span(buffer, offset, size, "the buffer")?;
    }
    let mut last = first_repetition(queue, start, pattern, dependencies.waits)?;
    let mut full = pattern.len();
    while full < size {
        let more = full.min(size - full);
        let waits: Vec<&Event> = last.iter().map(|event| &**event).collect();
        let copied = with_event(&waits, |dependencies| start.copy_behind(queue, full, more, dependencies))?;
        last = vec![copied];
        full += more;
    }
    let waits: Vec<&Event> = last.iter().map(|event| &**event).collect();
    OpenCl::enqueue_events_wait(queue, Dependencies { waits: &waits, event: dependencies.event })
}

/// Writes a pattern once, in pieces that the driver can fill directly.
fn first_repetition(
    queue: &Queue,
    start: FillStart<'_>,
    pattern: &[u8],
    waits: &[&Event],
) -> Result<Vec<Owned<Event>>> {
    let mut events = Vec::new();
    let (mut at, mut rest) = (start, pattern);
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(at.alignment().min(1 << rest.len().ilog2()));
        events.push(with_event(waits, |dependencies| at.fill(queue, piece, piece.len(), dependencies))?);
        (at, rest) = (at.add(piece.len()), later);
    }
    Ok(events)
}

/// Returns the event of a command that waits for others.
fn with_event(
    waits: &[&Event],
    enqueue: impl FnOnce(Dependencies<'_, Event>) -> Result<()>,
) -> Result<Owned<Event>> {
    let mut event = null_mut();
    enqueue(Dependencies { waits, event: EventOut::into(&mut event) })?;
    Owned::adopt(event.cast())
}

#[cfg(test)]
mod tests {
    use std::ptr::without_provenance_mut;

    use super::FillStart;

    /// OpenCL requires that a pattern has 1, 2, 4 ... 128 bytes, and starts at a multiple of its length.
    #[test]
    fn a_driver_takes_patterns_of_powers_of_two_at_their_multiples() {
        for (start, length, taken) in [
            (0, 128, true),
            (0, 256, false),
            (0, 3, false),
            (64, 64, true),
            (64, 128, false),
            (4, 4, true),
            (4, 8, false),
            (4, 3, false),
            (1, 1, true),
            (1, 2, false),
        ] {
            let start_at = FillStart::Usm(without_provenance_mut(start));
            assert_eq!(start_at.takes(&vec![0; length]), taken, "{length} bytes at {start}");
        }
    }
}
