//! Events.

use std::ffi::c_void;

use sycl_pi_core::*;

use super::raw::Raw;
use super::{Backend, Queue};
use crate::error::{About, Error, Result};

/// A command that was put into a queue. Clones stand for the same command.
///
/// The plugin counts the references: an event that is dropped right after a launch, as most are, takes no memory of ours.
pub struct Event {
    /// Null for a clone that the plugin refused; see [`Event::raw`].
    raw: Raw<_pi_event>,
    queue: Queue,
}

/// When a command did what, in nanoseconds of the device's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Put into the queue.
    pub queued: u64,
    /// Handed to the device.
    pub submitted: u64,
    /// Started.
    pub started: u64,
    /// Ended.
    pub ended: u64,
}

impl Event {
    pub(super) fn new(raw: pi_event, queue: &Queue) -> Self {
        Self { raw: Raw::new(raw), queue: queue.clone() }
    }

    /// The handle; an error for a clone that the plugin did not give a reference.
    fn raw(&self) -> Result<pi_event> {
        match self.raw.get() {
            raw if raw.is_null() => Err(Error::invalid(format!(
                "{self:?}: the plugin refused piEventRetain when it was cloned; use the event itself"
            ))),
            raw => Ok(raw),
        }
    }

    /// Its queue.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    fn backend(&self) -> Backend {
        self.queue.context().backend()
    }

    /// Waits until the command is done.
    ///
    /// # Errors
    /// The command failed, or the plugin cannot wait.
    pub fn wait(&self) -> Result<()> {
        let raw = self.raw()?;
        // SAFETY: one event, which is alive.
        unsafe { self.backend().table().piEventsWait(1, &raw) }
            .about(|| format!("event of {:?}", self.queue()))
    }

    /// The times of the command; its queue was made with `profiling`, and the command is done.
    ///
    /// # Errors
    /// The queue keeps no times, or the plugin does not tell them.
    pub fn profile(&self) -> Result<Profile> {
        if !self.queue().options().profiling {
            return Err(Error::invalid("the event's queue was made without profiling: it has no times"));
        }
        let raw = self.raw()?;
        let time = |what: pi_profiling_info| {
            let mut value = 0_u64;
            let to = (&raw mut value).cast::<c_void>();
            let none = std::ptr::null_mut();
            let done =
                // SAFETY: `to` has 8 bytes, as many as are told.
                unsafe { self.backend().table().piEventGetProfilingInfo(raw, what, 8, to, none) };
            done.about(|| format!("event of {:?}", self.queue()))?;
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

/// The handles of events that a command of this queue waits for.
pub(super) fn wait_list(queue: &Queue, events: &[Event]) -> Result<Vec<pi_event>> {
    let mut handles = Vec::with_capacity(events.len());
    for event in events {
        if event.queue().context() != queue.context() {
            return Err(Error::invalid("an event to wait for is of another context than the queue"));
        }
        handles.push(event.raw()?);
    }
    Ok(handles)
}

impl Clone for Event {
    fn clone(&self) -> Self {
        let raw = self.raw.get();
        // SAFETY: a live event.
        let kept = !raw.is_null() && unsafe { self.backend().table().piEventRetain(raw) }.is_ok();
        Self::new(if kept { raw } else { std::ptr::null_mut() }, &self.queue)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if !self.raw.get().is_null() {
            // SAFETY: the reference is this object's own.
            let _ = unsafe { self.backend().table().piEventRelease(self.raw.get()) };
        }
    }
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event of {:?}", self.queue())
    }
}
