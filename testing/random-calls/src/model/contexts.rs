//! Waits on the host for commands of two contexts.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use super::rooms::{SIZE, buffer, queue};
use super::{Episode, same};

/// Another context with its own queue and buffer.
pub(super) struct OtherContext {
    pi: &'static Table,
    queue: pi_queue,
    buffer: pi_mem,
}

impl OtherContext {
    pub(super) fn new(pi: &'static Table, device: pi_device) -> Option<Self> {
        let mut context = null_mut();
        // SAFETY: a live device and room for the result.
        unsafe { pi.piContextCreate(null(), 1, &device, None, null_mut(), &mut context).ok()? };
        Some(Self { pi, queue: queue(pi, context, device, 0)?, buffer: buffer(pi, context).ok()? })
    }

    /// Waits for a command of each context in one call. Afterwards both are complete.
    pub(super) fn check(&self, own: pi_queue, episode: &mut Episode<'_>) -> Result<(), String> {
        let byte = [episode.random.below(256) as u8];
        let (pi, pattern): (_, *const c_void) = (self.pi, byte.as_ptr().cast());
        let mut events = [null_mut(); 2];
        episode.begin("a fill in another context, and a wait for it and an event of the first".to_owned());
        // SAFETY: live handles, a pattern that outlives the call, and room for the events.
        unsafe {
            let filled = pi.piEnqueueMemBufferFill(
                self.queue,
                self.buffer,
                pattern,
                1,
                0,
                SIZE,
                0,
                null(),
                &mut events[0],
            );
            let marked = pi.piEnqueueEventsWait(own, 0, null(), &mut events[1]);
            if filled.is_err() || marked.is_err() {
                return Err("a fill or a marker without anything wrong is refused".to_owned());
            }
            let waited = pi.piEventsWait(2, events.as_ptr());
            if waited.is_err() {
                return Err(format!("a wait for events of two contexts: {waited:?}"));
            }
            episode.done("piEventsWait", waited);
            for event in events {
                let (mut status, size) = (PI_EVENT_QUEUED, size_of::<pi_event_status>());
                let (name, room) = (PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, (&raw mut status).cast());
                let asked = pi.piEventGetInfo(event, name, size, room, null_mut());
                if asked.is_err() || status != PI_EVENT_COMPLETE {
                    return Err(format!("status {status} behind a wait for events of two contexts"));
                }
                let _ = pi.piEventRelease(event);
            }
            let mut bytes = vec![0_u8; SIZE];
            let to = bytes.as_mut_ptr().cast();
            pi.piEnqueueMemBufferRead(self.queue, self.buffer, PI_TRUE, 0, SIZE, to, 0, null(), null_mut())
                .map_err(|error| format!("a read of the other context: {error}"))?;
            same("the other context's buffer", &bytes, &[byte[0]; SIZE])
        }
    }
}
