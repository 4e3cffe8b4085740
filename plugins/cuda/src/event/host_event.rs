//! Host events, which the caller completes. They exist in interfaces up to PI 9.11.

use parking_lot::{Condvar, Mutex};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use crate::queue::stream::Stream;
use crate::sys::HostFlag;

/// A status, and the flag that streams wait for.
pub(crate) struct HostEvent {
    status: Mutex<EventStatus>,
    changed: Condvar,
    flag: HostFlag,
}

impl HostEvent {
    /// Creates an event whose status is not set. The context must be current.
    pub(crate) fn new() -> Result<Self> {
        let flag = HostFlag::new()?;
        Ok(Self { status: Mutex::new(EventStatus::SUBMITTED), changed: Condvar::new(), flag })
    }

    pub(crate) fn status(&self) -> EventStatus {
        *self.status.lock()
    }

    /// Makes a stream wait until the status is set.
    pub(crate) fn enqueue_wait(&self, stream: &Stream) -> Result<()> {
        match self.status() {
            EventStatus::COMPLETE => Ok(()),
            failure if failure < EventStatus::COMPLETE => {
                Err(failed(failure).with_code(ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
            }
            _ => self.flag.enqueue_wait(stream.raw),
        }
    }

    /// Waits until the status is set.
    pub(crate) fn wait(&self) -> Result<()> {
        let mut status = self.status.lock();
        while *status > EventStatus::COMPLETE {
            self.changed.wait(&mut status);
        }
        match *status {
            EventStatus::COMPLETE => Ok(()),
            failure => Err(failed(failure)),
        }
    }

    /// Sets the status, either complete or a failure. It can be set only once.
    pub(crate) fn set_status(&self, status: EventStatus) -> Result<()> {
        let mut slot = self.status.lock();
        if *slot <= EventStatus::COMPLETE {
            return Err(Error::new(ErrorCode::INVALID_OPERATION, "the status of the event was set before"));
        }
        *slot = status;
        drop(slot);
        self.flag.set();
        self.changed.notify_all();
        Ok(())
    }

    /// Frees the flag. The event must not be used afterwards. The context must be current.
    pub(crate) fn free(&self) -> Result<()> {
        self.flag.free()
    }

    /// Lets streams that wait for the event continue, because its status can no longer be set.
    pub(crate) fn abandon(&self) {
        self.flag.set();
    }
}

#[cold]
fn failed(status: EventStatus) -> Error {
    Error::new(ErrorCode(status.0), format!("the user event was set to {status}"))
}
