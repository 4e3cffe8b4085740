//! Events.

use std::ffi::c_void;
use std::sync::Arc;

use pi_core::*;

use super::raw::Raw;
use super::{Backend, Queue};
use crate::error::{About, Error, Result};

/// A command that was put into a queue.
#[derive(Clone)]
pub struct Event(Arc<Inner>);

struct Inner {
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
        Self(Arc::new(Inner { raw: Raw::new(raw), queue: queue.clone() }))
    }

    pub(super) fn raw(&self) -> pi_event {
        self.0.raw.get()
    }

    /// Its queue.
    pub fn queue(&self) -> &Queue {
        &self.0.queue
    }

    fn backend(&self) -> Backend {
        self.0.queue.context().backend()
    }

    /// Waits until the command is done.
    ///
    /// # Errors
    /// The command failed, or the plugin cannot wait.
    pub fn wait(&self) -> Result<()> {
        let raw = self.raw();
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
        let time = |what: pi_profiling_info| {
            let mut value = 0_u64;
            let to = (&raw mut value).cast::<c_void>();
            let none = std::ptr::null_mut();
            let done =
                // SAFETY: `to` has 8 bytes, as many as are told.
                unsafe { self.backend().table().piEventGetProfilingInfo(self.raw(), what, 8, to, none) };
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
        handles.push(event.raw());
    }
    Ok(handles)
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: the handle is this object's own.
        let _ = unsafe { self.queue.context().backend().table().piEventRelease(self.raw.get()) };
    }
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event of {:?}", self.queue())
    }
}
