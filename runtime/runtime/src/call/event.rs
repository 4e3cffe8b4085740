//! Events.

use std::ffi::c_void;

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use super::Queue;
use super::handle::Handle;
use crate::error::{Error, Result, WithObject};

/// A command that was submitted to a queue. Clones refer to the same event.
///
/// The plugin counts the references. Most events are dropped right after their launch, and a separate allocation for
/// each would take a third of the time that the runtime adds to a launch.
pub struct Event {
    /// Null in a clone for which the plugin refused a reference.
    raw: Handle<_pi_event>,
    queue: Queue,
}

/// The times of a command, in nanoseconds of the device's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// When it was put into the queue.
    pub queued: u64,
    /// When it was submitted to the device.
    pub submitted: u64,
    /// When it started.
    pub started: u64,
    /// When it ended.
    pub ended: u64,
}

impl Event {
    pub(super) fn new(raw: pi_event, queue: &Queue) -> Self {
        Self { raw: Handle::new(raw), queue: queue.clone() }
    }

    /// Creates an event of the queue that follows these events.
    pub(crate) fn after(queue: &Queue, events: &[Event]) -> Result<Self> {
        let list = wait_list(queue, events)?;
        let pointer = if list.is_empty() { std::ptr::null() } else { list.as_ptr() };
        let (count, mut event) = (list.len() as pi_uint32, std::ptr::null_mut());
        let done =
            // SAFETY: the events are alive, and `event` is valid.
            queue.submit(|table, raw| unsafe { table.piEnqueueEventsWait(raw, count, pointer, &mut event) });
        done.with_object(|| format!("{queue:?}"))?;
        Ok(Self::new(event, queue))
    }

    fn raw(&self) -> Result<pi_event> {
        let raw = self.raw.get();
        if raw.is_null() {
            return Err(Error::invalid(format!(
                "{self:?} is a clone for which the plugin refused piEventRetain: use the event that was cloned"
            )));
        }
        Ok(raw)
    }

    /// Returns its queue.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    fn table(&self) -> &'static Table {
        self.queue().context().plugin().table()
    }

    /// Waits until the command is complete.
    ///
    /// # Errors
    /// Fails if the command failed, or if the plugin cannot wait.
    pub fn wait(&self) -> Result<()> {
        let raw = self.raw()?;
        // SAFETY: one event, which is alive.
        unsafe { self.table().piEventsWait(1, &raw) }.with_object(|| format!("event of {:?}", self.queue()))
    }

    /// Returns the times of the command, which must be complete and whose queue must have been created with
    /// `profiling`.
    ///
    /// # Errors
    /// Fails if the queue was created without profiling, or if the plugin has no times.
    pub fn profile(&self) -> Result<Profile> {
        if !self.queue().options().has_profiling() {
            return Err(Error::invalid("the event has no times: its queue was made without profiling"));
        }
        let raw = self.raw()?;
        let time = |what: pi_profiling_info| {
            let mut value = 0_u64;
            let to = (&raw mut value).cast::<c_void>();
            let none = std::ptr::null_mut();
            let done =
                // SAFETY: `to` has 8 bytes.
                unsafe { self.table().piEventGetProfilingInfo(raw, what, 8, to, none) };
            done.with_object(|| format!("event of {:?}", self.queue()))?;
            Ok::<u64, Error>(value)
        };
        Ok(Profile {
            queued: time(PI_PROFILING_INFO_COMMAND_QUEUED)?,
            submitted: time(PI_PROFILING_INFO_COMMAND_SUBMIT)?,
            started: time(PI_PROFILING_INFO_COMMAND_START)?,
            ended: time(PI_PROFILING_INFO_COMMAND_END)?,
        })
    }
}

/// Returns the handles of events for which a command of this queue waits.
pub(super) fn wait_list(queue: &Queue, events: &[Event]) -> Result<Vec<pi_event>> {
    let mut handles = Vec::with_capacity(events.len());
    for event in events {
        if event.queue().context() != queue.context() {
            return Err(Error::invalid("an event to wait for belongs to another context than the queue"));
        }
        handles.push(event.raw()?);
    }
    Ok(handles)
}

impl Clone for Event {
    fn clone(&self) -> Self {
        let raw = self.raw.get();
        // SAFETY: the event is alive, since this object has a reference.
        let is_counted = !raw.is_null() && unsafe { self.table().piEventRetain(raw) }.is_ok();
        Self::new(if is_counted { raw } else { std::ptr::null_mut() }, &self.queue)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if !self.raw.get().is_null() {
            // SAFETY: the reference is this object's own.
            let _ = unsafe { self.table().piEventRelease(self.raw.get()) };
        }
    }
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event of {:?}", self.queue())
    }
}
