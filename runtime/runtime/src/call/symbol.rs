//! Variables in programs: piextEnqueueDeviceGlobalVariableWrite and -Read, the design's piextEnqueueDeviceVariable*.

use std::ffi::c_char;

use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Table};

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
        self.note_copy();
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
        self.note_copy();
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
        let from = std::ptr::with_exposed_provenance(from);
        self.enqueue(queue, name, after, |table, queue, VariableCommand { name, count, list, event }| {
            // SAFETY: so many bytes are there: host memory until the call is over, which waits then, USM until the queue is done.
            unsafe {
                table.piextEnqueueDeviceGlobalVariableWrite(
                    queue,
                    self.raw(),
                    name,
                    blocking.into(),
                    bytes,
                    offset,
                    from,
                    count,
                    list,
                    event,
                )
            }
        })
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
        let to = std::ptr::with_exposed_provenance_mut(to);
        self.enqueue(queue, name, after, |table, queue, VariableCommand { name, count, list, event }| {
            // SAFETY: as for a write; nobody else uses the bytes.
            unsafe {
                table.piextEnqueueDeviceGlobalVariableRead(
                    queue,
                    self.raw(),
                    name,
                    blocking.into(),
                    bytes,
                    offset,
                    to,
                    count,
                    list,
                    event,
                )
            }
        })
    }

    /// Enqueues a command on the variable of this unique id. An error names the variable and the image.
    fn enqueue(
        &self,
        queue: &Queue,
        name: &str,
        after: &[Event],
        call: impl FnOnce(&'static Table, pi_queue, VariableCommand) -> std::result::Result<(), CallError>,
    ) -> Result<Event> {
        let (text, events) = (c_text(name)?, wait_list(queue, after)?);
        let list = if events.is_empty() { std::ptr::null() } else { events.as_ptr() };
        let mut event = std::ptr::null_mut();
        let command = VariableCommand {
            name: text.as_ptr(),
            count: events.len() as pi_uint32,
            list,
            event: &mut event,
        };
        let done = queue.submit(|table, raw| call(table, raw, command));
        done.with_object(|| format!("device global {name} in image {}", self.name()))?;
        Ok(Event::new(event, queue))
    }
}

/// What the calls for variables have in common: the variable's name, the events to wait for, and the place of the new event.
struct VariableCommand {
    name: *const c_char,
    count: pi_uint32,
    list: *const pi_event,
    event: *mut pi_event,
}
