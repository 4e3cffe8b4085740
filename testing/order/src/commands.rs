//! Commands as calls of the plugin.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use crate::program::{Command, Way};
use crate::shape::{PITCH, PLACE, ROW};
use crate::world::{At, World};

/// The source or target of a copy.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Buffer(pi_mem),
    /// USM, or host memory.
    Address(*mut c_void),
}

/// The last arguments of a call, which are its wait list and room for its event.
#[derive(Clone, Copy)]
pub(crate) struct Sync<'a> {
    pub(crate) waits: &'a [pi_event],
    /// Null if no event is wanted.
    pub(crate) event: *mut pi_event,
}

pub(crate) const ROWS: pi_buff_rect_region_struct =
    pi_buff_rect_region_struct { width_bytes: ROW, height_scalar: PLACE / PITCH, depth_scalar: 1 };
const ORIGIN: pi_buff_rect_offset_struct =
    pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };

/// Start and extent of rows, which the calls take by address.
pub(crate) struct Rows {
    pub(crate) origin: pi_buff_rect_offset_struct,
    pub(crate) region: pi_buff_rect_region_struct,
}

impl Rows {
    pub(crate) fn new() -> Self {
        Self { origin: ORIGIN, region: ROWS }
    }
}

impl World {
    pub(crate) fn end(&self, place: usize) -> End {
        match self.places[place] {
            At::Buffer(mem) => End::Buffer(mem),
            At::Usm(start) => End::Address(start.cast()),
        }
    }

    /// Returns the target and source in a context of a command that moves bytes.
    pub(crate) fn ends(&self, context: usize, command: Command) -> Option<(End, End, Way)> {
        let host = |address| End::Address(address);
        Some(match command {
            Command::Write { to, value, way, pinned } => {
                (self.end(to), host(self.constant(context, value, pinned)), way)
            }
            Command::Read { from, log, way, pinned } => {
                (host(self.log(context, log, pinned)), self.end(from), way)
            }
            Command::Copy { from, to, way } => (self.end(to), self.end(from), way),
            _ => return None,
        })
    }

    /// Enqueues a command.
    pub(crate) fn enqueue(
        &self,
        number: usize,
        command: Command,
        blocking: bool,
        sync: Sync<'_>,
    ) -> Result<(), CallError> {
        let (pi, queue, of_queue) = (self.pi, self.queues[number], self.shape.queues[number]);
        let context = &self.contexts[of_queue.context];
        let (count, event) = (sync.waits.len() as u32, sync.event);
        let list = if sync.waits.is_empty() { null() } else { sync.waits.as_ptr() };
        let blocking = pi_bool::from(blocking);
        if let Some((to, from, way)) = self.ends(of_queue.context, command) {
            return self.copy(number, (to, from, way), blocking, sync);
        }
        // No call has overlapping memory.
        // SAFETY: live handles, memory that outlives the commands, and lists of that length.
        unsafe {
            match command {
                Command::Fill { to, value } => match self.end(to) {
                    End::Buffer(mem) => {
                        let pattern = [value; 4];
                        let start = pattern.as_ptr().cast();
                        pi.piEnqueueMemBufferFill(queue, mem, start, 4, 0, PLACE, count, list, event)
                    }
                    End::Address(to) => {
                        pi.piextUSMEnqueueMemset(queue, to, i32::from(value), PLACE, count, list, event)
                    }
                },
                Command::Slow { rounds } => {
                    let (kernel, size) = (context.slow, 1_usize);
                    self.set_end(kernel, 0, End::Address(context.scratch[of_queue.device].cast()))?;
                    pi.piKernelSetArg(kernel, 1, 4, (&raw const rounds).cast())?;
                    pi.piEnqueueKernelLaunch(queue, kernel, 1, &0, &size, null(), count, list, event)
                }
                Command::Marker => pi.piEnqueueEventsWait(queue, count, list, event),
                Command::Barrier => pi.piEnqueueEventsWaitWithBarrier(queue, count, list, event),
                Command::Prefetch { place } => match self.end(place) {
                    End::Address(start) => {
                        pi.piextUSMEnqueuePrefetch(queue, start, PLACE, 0, count, list, event)
                    }
                    End::Buffer(_) => pi.piEnqueueEventsWait(queue, count, list, event),
                },
                // The caller handles runs, and copies are handled above.
                _ => Ok(()),
            }
        }
    }

    /// Copies from one end to another.
    fn copy(
        &self,
        number: usize,
        (to, from, way): (End, End, Way),
        blocking: pi_bool,
        sync: Sync<'_>,
    ) -> Result<(), CallError> {
        let (pi, queue) = (self.pi, self.queues[number]);
        let (count, event) = (sync.waits.len() as u32, sync.event);
        let list = if sync.waits.is_empty() { null() } else { sync.waits.as_ptr() };
        let mut rows = Rows::new();
        let mut other = Rows::new();
        let (here, there, part) = (&raw mut rows.origin, &raw mut other.origin, &raw mut rows.region);
        // No call has overlapping memory.
        // SAFETY: live handles, memory that outlives the commands, and lists of that length.
        unsafe {
            match (to, from, way) {
                (to, from, Way::Kernel) => {
                    let (kernel, size) = (self.contexts[self.shape.queues[number].context].copy, PLACE);
                    self.set_end(kernel, 0, from)?;
                    self.set_end(kernel, 1, to)?;
                    pi.piEnqueueKernelLaunch(queue, kernel, 1, &0, &size, null(), count, list, event)
                }
                (End::Address(to), End::Address(from), Way::Whole) => {
                    pi.piextUSMEnqueueMemcpy(queue, blocking, to, from, PLACE, count, list, event)
                }
                (End::Address(to), End::Address(from), Way::Rows) => {
                    let height = PLACE / PITCH;
                    pi.piextUSMEnqueueMemcpy2D(
                        queue, blocking, to, PITCH, from, PITCH, ROW, height, count, list, event,
                    )
                }
                (End::Address(to), End::Buffer(from), Way::Whole) => {
                    pi.piEnqueueMemBufferRead(queue, from, blocking, 0, PLACE, to, count, list, event)
                }
                (End::Address(to), End::Buffer(from), Way::Rows) => pi.piEnqueueMemBufferReadRect(
                    queue, from, blocking, here, there, part, PITCH, 0, PITCH, 0, to, count, list, event,
                ),
                (End::Buffer(to), End::Address(from), Way::Whole) => {
                    pi.piEnqueueMemBufferWrite(queue, to, blocking, 0, PLACE, from, count, list, event)
                }
                (End::Buffer(to), End::Address(from), Way::Rows) => pi.piEnqueueMemBufferWriteRect(
                    queue, to, blocking, here, there, part, PITCH, 0, PITCH, 0, from, count, list, event,
                ),
                (End::Buffer(to), End::Buffer(from), Way::Whole) => {
                    pi.piEnqueueMemBufferCopy(queue, from, to, 0, 0, PLACE, count, list, event)
                }
                (End::Buffer(to), End::Buffer(from), Way::Rows) => pi.piEnqueueMemBufferCopyRect(
                    queue, from, to, here, there, part, PITCH, 0, PITCH, 0, count, list, event,
                ),
            }
        }
    }

    /// Sets a kernel's argument to a source or target.
    pub(crate) fn set_end(&self, kernel: pi_kernel, index: u32, end: End) -> Result<(), CallError> {
        let pi = self.pi;
        // SAFETY: live handles, and values that the call copies.
        unsafe {
            match end {
                End::Buffer(mem) if pi.piextKernelSetArgMemObj_until_12_27.is_some() => {
                    pi.piextKernelSetArgMemObj_until_12_27(kernel, index, &mem)
                }
                End::Buffer(mem) => pi.piextKernelSetArgMemObj(kernel, index, null(), &mem),
                End::Address(start) => {
                    pi.piextKernelSetArgPointer(kernel, index, size_of_val(&start), (&raw const start).cast())
                }
            }
        }
    }

    /// Returns the content of a place after all commands are complete.
    pub(crate) fn content(&self, place: usize) -> Result<Vec<u8>, CallError> {
        let own = self.shape.places[place];
        let reaches = |number: &usize| {
            let queue = self.shape.queues[*number];
            self.shape.reaches(queue.context, queue.device, place)
        };
        let number = (0..self.queues.len()).find(reaches).unwrap_or(0);
        let mut bytes = vec![0_u8; PLACE];
        let (to, sync) = (bytes.as_mut_ptr().cast(), Sync { waits: &[], event: null_mut() });
        debug_assert_eq!(self.shape.queues[number].context, own.context);
        self.copy(number, (End::Address(to), self.end(place), Way::Whole), PI_TRUE, sync)?;
        Ok(bytes)
    }
}
