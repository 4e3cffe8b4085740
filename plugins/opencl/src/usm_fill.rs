//! Fills of unified shared memory. SYCL fills with any type; OpenCL only with patterns of 1, 2, 4 ... 128 bytes.

use core::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::api::{EnqueueApi, UsmApi};
use sycl_pi_backend::{Dependencies, EventOut, Result};

use crate::OpenCl;
use crate::check::{MAX_PATTERN, is_pattern};
use crate::sys::{Event, HasPlatform, Owned, Queue, cl, raw_dependencies};

/// Repeats a pattern over a range that is not empty and holds it a whole number of times.
pub(crate) fn fill(
    queue: &Queue,
    ptr: *mut c_void,
    pattern: &[u8],
    size: usize,
    dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    if is_pattern(pattern.len()) {
        return fill_at_once(queue, ptr, pattern, size, dependencies);
    }
    let mut last = first_repetition(queue, ptr, pattern, dependencies.waits)?;
    let mut full = pattern.len();
    while full < size {
        let more = full.min(size - full);
        let end = ptr.wrapping_byte_add(full);
        let waits: Vec<&Event> = last.iter().map(|event| &**event).collect();
        let copied = with_event(&waits, |dependencies| {
            OpenCl::enqueue_usm_memcpy(queue, false, end, ptr, more, dependencies)
        })?;
        last = vec![copied];
        full += more;
    }
    let waits: Vec<&Event> = last.iter().map(|event| &**event).collect();
    OpenCl::enqueue_events_wait(queue, Dependencies { waits: &waits, event: dependencies.event })
}

/// Writes a pattern once, in pieces that the driver fills at once.
fn first_repetition(
    queue: &Queue,
    ptr: *mut c_void,
    pattern: &[u8],
    waits: &[&Event],
) -> Result<Vec<Owned<Event>>> {
    let mut events = Vec::new();
    let (mut at, mut rest) = (ptr, pattern);
    while !rest.is_empty() {
        // The largest one that is aligned at its place.
        let aligned = 1 << at.addr().trailing_zeros().min(MAX_PATTERN.ilog2());
        let (piece, later) = rest.split_at(aligned.min(1 << rest.len().ilog2()));
        events.push(with_event(waits, |dependencies| {
            fill_at_once(queue, at, piece, piece.len(), dependencies)
        })?);
        (at, rest) = (at.wrapping_byte_add(piece.len()), later);
    }
    Ok(events)
}

/// The event of a command that waits for others.
fn with_event(
    waits: &[&Event],
    enqueue: impl FnOnce(Dependencies<'_, Event>) -> Result<()>,
) -> Result<Owned<Event>> {
    let mut event = null_mut();
    enqueue(Dependencies { waits, event: EventOut::into(&mut event) })?;
    Owned::adopt(event.cast())
}

/// Repeats a pattern that the driver takes.
fn fill_at_once(
    queue: &Queue,
    ptr: *mut c_void,
    pattern: &[u8],
    size: usize,
    mut dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    let driver = queue.driver()?;
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    let (of, start, len) = (queue.cl(), pattern.as_ptr().cast(), pattern.len());
    if driver.has_usm {
        driver.extensions.clEnqueueMemFillINTEL(of, ptr, start, len, size, n, waits, event)
    } else {
        driver.require_svm()?;
        cl().clEnqueueSVMMemFill(of, ptr, start, len, size, n, waits, event)
    }
}
