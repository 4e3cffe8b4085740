//! The buffers that a command uses.

use sycl_pi_backend::{Counted, Result};

use crate::mem::Mem;
use crate::memory::buffer::Storage;
use crate::memory::copies::{DeviceCopies, InStream, LockedCopies};
use crate::queue::Queue;
use crate::sys::CUstream;

/// A memory object that a command uses.
#[derive(Clone, Copy)]
pub(crate) struct BufferUse<'a> {
    pub(crate) mem: &'a Counted<Mem>,
    pub(crate) writes: bool,
}

impl<'a> BufferUse<'a> {
    pub(crate) fn read(mem: &'a Counted<Mem>) -> Self {
        Self { mem, writes: false }
    }

    pub(crate) fn write(mem: &'a Counted<Mem>) -> Self {
        Self { mem, writes: true }
    }
}

/// Enqueues a command to a stream of `queue`, whose context must be current, with the newest bytes of the buffers that
/// it uses. The stream must wait for the command's dependencies already.
#[inline(always)]
pub(crate) fn with_buffers(
    queue: &Counted<Queue>,
    stream: CUstream,
    uses: &[BufferUse<'_>],
    enqueue: impl FnOnce() -> Result<()>,
) -> Result<()> {
    if queue.context.devices.len() == 1 || uses.is_empty() {
        return enqueue();
    }
    with_copies(queue, stream, uses, enqueue)
}

#[cold]
fn with_copies(
    queue: &Counted<Queue>,
    stream: CUstream,
    uses: &[BufferUse<'_>],
    enqueue: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let used = copies_of(uses);
    let mut locked: Vec<LockedCopies<'_>> = used.iter().map(|(copies, _)| copies.lock()).collect();
    for copies in &mut locked {
        copies.bring(&queue.context, queue.index, stream)?;
    }
    if !used.iter().any(|(_, writes)| *writes) {
        // A copy to pageable memory waits on the host, perhaps for a command that another thread enqueues only after it
        // got this lock. Commands that only read leave nothing to record, so the lock is not needed any longer.
        drop(locked);
        return enqueue();
    }
    // Another command must not see the copies as they are before the writes of this one are known. A write of 16 MiB or
    // more from pageable memory waits on the host for its stream, so that others that use the buffer wait, too.
    //
    // The event is acquired first, so that nothing needs memory once the command is enqueued.
    let end = InStream::acquire(queue.device_context(), stream)?;
    enqueue()?;
    end.record(stream)?;
    for (copies, _) in locked.iter_mut().zip(&used).filter(|(_, (_, writes))| *writes) {
        copies.written(&queue.context, queue.index, end.clone());
    }
    end.release(queue.device_context());
    Ok(())
}

/// Returns the copies of each buffer, once, with whether it is written. The order is the same for all commands, so that
/// no two lock them in different orders.
fn copies_of<'a>(uses: &[BufferUse<'a>]) -> Vec<(&'a DeviceCopies, bool)> {
    let mut found: Vec<(&DeviceCopies, bool)> = Vec::new();
    for BufferUse { mem, writes } in uses {
        // Images are on one device.
        let Ok(part) = mem.buffer() else { continue };
        let Storage::PerDevice { copies, .. } = &part.buffer.storage else { continue };
        match found.iter_mut().find(|(known, _)| std::ptr::eq(*known, copies)) {
            Some((_, known)) => *known |= writes,
            None => found.push((copies, *writes)),
        }
    }
    found.sort_by_key(|(copies, _)| std::ptr::from_ref(*copies).addr());
    found
}
