//! Variables in programs: piextEnqueueDeviceGlobalVariableWrite and -Read, the design's piextEnqueueDeviceVariable*.

use sycl_pi_core::*;

use super::event::{Event, wait_list};
use super::program::RawProgram;
use super::queue::Queue;
use super::select::c_text;
use crate::error::{Result, WithObject};

impl RawProgram {
    /// Writes into a variable of this unique id, and waits.
    pub(crate) fn write_variable(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        bytes: &[u8],
    ) -> Result<()> {
        let from = bytes.as_ptr().expose_provenance();
        self.write(queue, name, offset, (from, bytes.len()), true, &[])?.wait()
    }

    /// Reads from a variable of this unique id, and waits.
    pub(crate) fn read_variable(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        bytes: &mut [u8],
    ) -> Result<()> {
        let to = bytes.as_mut_ptr().expose_provenance();
        self.read(queue, name, offset, (to, bytes.len()), true, &[])?.wait()
    }

    /// Enqueues a write of USM, an address with its bytes, into a variable. The USM is freed after the command, as all is.
    pub(crate) fn enqueue_write_variable(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        from: (usize, usize),
        after: &[Event],
    ) -> Result<Event> {
        self.write(queue, name, offset, from, false, after)
    }

    /// Enqueues a read of a variable to USM, as [`enqueue_write_variable`](Self::enqueue_write_variable).
    pub(crate) fn enqueue_read_variable(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        to: (usize, usize),
        after: &[Event],
    ) -> Result<Event> {
        self.read(queue, name, offset, to, false, after)
    }

    fn write(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        (from, bytes): (usize, usize),
        blocking: bool,
        after: &[Event],
    ) -> Result<Event> {
        let (text, list) = (c_text(name)?, wait_list(queue, after)?);
        let pointer = if list.is_empty() { std::ptr::null() } else { list.as_ptr() };
        let (count, mut event) = (list.len() as pi_uint32, std::ptr::null_mut());
        let from = std::ptr::with_exposed_provenance(from);
        // SAFETY: so many bytes are there: host memory until the call is over, which waits then, USM until the queue is done.
        let done = queue.submit(|table, raw| unsafe {
            table.piextEnqueueDeviceGlobalVariableWrite(
                raw,
                self.raw(),
                text.as_ptr(),
                blocking.into(),
                bytes,
                offset,
                from,
                count,
                pointer,
                &mut event,
            )
        });
        done.with_object(|| format!("device global {name} in image {}", self.name()))?;
        Ok(Event::new(event, queue))
    }

    fn read(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        (to, bytes): (usize, usize),
        blocking: bool,
        after: &[Event],
    ) -> Result<Event> {
        let (text, list) = (c_text(name)?, wait_list(queue, after)?);
        let pointer = if list.is_empty() { std::ptr::null() } else { list.as_ptr() };
        let (count, mut event) = (list.len() as pi_uint32, std::ptr::null_mut());
        let to = std::ptr::with_exposed_provenance_mut(to);
        // SAFETY: as for a write; nobody else uses the bytes.
        let done = queue.submit(|table, raw| unsafe {
            table.piextEnqueueDeviceGlobalVariableRead(
                raw,
                self.raw(),
                text.as_ptr(),
                blocking.into(),
                bytes,
                offset,
                to,
                count,
                pointer,
                &mut event,
            )
        });
        done.with_object(|| format!("device global {name} in image {}", self.name()))?;
        Ok(Event::new(event, queue))
    }
}
