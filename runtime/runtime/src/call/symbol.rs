//! Variables in programs: piextEnqueueDeviceGlobalVariableWrite and -Read, called piextEnqueueDeviceVariable* in the
//! design.

use std::ffi::c_char;

use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Table};

use super::event::{Event, wait_list};
use super::program::RawProgram;
use super::queue::Queue;
use super::select::c_text;
use crate::error::{Result, WithObject};

impl RawProgram {
    /// Writes to the variable with this unique id, and waits.
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

    /// Reads from the variable with this unique id, and waits.
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

    /// Enqueues a write from USM, given by its address and size in bytes, to a variable. Like all USM, it is freed only
    /// after the command.
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

    /// Enqueues a read of a variable to USM, like [`enqueue_write_variable`](Self::enqueue_write_variable).
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
            // SAFETY: the bytes are valid: host memory while the call blocks, and USM until the queue is finished.
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
            // SAFETY: the same as for a write; nothing else uses the bytes.
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

    /// Enqueues a command on the variable with this unique id. An error names the variable and the image.
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

/// The common arguments of the calls for variables: the variable's name, the events to wait for, and the address of the
/// new event.
struct VariableCommand {
    name: *const c_char,
    count: pi_uint32,
    list: *const pi_event,
    event: *mut pi_event,
}
