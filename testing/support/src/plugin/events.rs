//! Events: waits, queries, and an event that the host opens.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::{Fixture, code, ok, under_test};

/// Returns an event's status.
pub fn status(pi: &Table, event: pi_event) -> pi_event_status {
    let mut status: pi_event_status = -1;
    let (name, room) = (PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, (&raw mut status).cast());
    ok!(pi, piEventGetInfo(event, name, size_of_val(&status), room, null_mut()));
    status
}

/// Waits for events and releases them.
pub fn wait(pi: &Table, events: &[pi_event]) {
    ok!(pi, piEventsWait(events.len() as u32, events.as_ptr()));
    for event in events {
        ok!(pi, piEventRelease(*event));
    }
}

/// An event that blocks everything waiting for it until it is opened. PI supports these until 9.11.
pub struct Gate(pub pi_event);

impl Gate {
    pub fn new(fixture: &Fixture) -> Self {
        Self::in_context(fixture.context)
    }

    pub fn in_context(context: pi_context) -> Self {
        let mut event = null_mut();
        ok!(under_test(Version::V9_11), piEventCreate_until_9_11(context, &mut event));
        Self(event)
    }

    pub fn open(self) {
        ok!(under_test(Version::V9_11), piEventSetStatus(self.0, PI_EVENT_COMPLETE));
        ok!(under_test(Version::V9_11), piEventRelease(self.0));
    }
}

impl Drop for Gate {
    /// A test that fails lets everything go on, because the tests behind it would wait for it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = code!(under_test(Version::V9_11), piEventSetStatus(self.0, PI_EVENT_COMPLETE));
        }
    }
}
