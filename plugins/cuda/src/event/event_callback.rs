//! Event callbacks, which are called from a thread of the plugin because they may call the driver. The driver's own
//! threads must not do so.

use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sycl_pi_backend::Shared;
use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::raw::RawEvent;
use sycl_pi_backend::types::*;
use sycl_pi_host_process::inside;

use crate::event::event_object::Event;
use crate::sys;

/// A callback that has not been called yet.
struct PendingCallback {
    event: Shared<Event>,
    status: EventStatus,
    function: unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut core::ffi::c_void),
    user_data: usize,
}

impl PendingCallback {
    /// Returns the status to call with, once the event has reached it. A failure is past every status.
    fn reached(&self) -> Option<EventStatus> {
        let now = self.event.status();
        (now <= self.status).then_some(if now < EventStatus::COMPLETE { now } else { self.status })
    }

    fn call(self, status: EventStatus) {
        sys::call_event_notify(self.function, self.event.handle(), status, self.user_data);
        // This may be the plugin's own thread.
        inside(|| drop(self), || ());
    }
}

/// The time between two polls of incomplete events.
const INTERVAL: Duration = Duration::from_micros(50);

/// Calls the callback once, either now or later from the thread.
pub(crate) fn call_when_reached(event: Shared<Event>, status: EventStatus, notify: EventNotify) {
    let user_data = notify.user_data.expose_provenance();
    let callback = PendingCallback { event, status, function: notify.function, user_data };
    if let Some(status) = callback.reached() {
        callback.call(status);
        return;
    }
    static THREAD: OnceLock<Option<Sender<PendingCallback>>> = OnceLock::new();
    let sender = THREAD.get_or_init(|| {
        let (sender, receiver) = channel();
        let thread = sycl_pi_host_process::spawn("pi-cuda-events", move || run(&receiver));
        thread.ok().map(|_| sender)
    });
    let unsent = match sender {
        Some(sender) => sender.send(callback).err().map(|error| error.0),
        None => Some(callback),
    };
    if let Some(callback) = unsent {
        // There is no thread, so this one waits.
        let _ = callback.event.wait();
        let status = callback.reached().unwrap_or(EventStatus::COMPLETE);
        callback.call(status);
    }
}

fn run(receiver: &Receiver<PendingCallback>) {
    let mut pending: Vec<PendingCallback> = Vec::new();
    loop {
        let next = if pending.is_empty() {
            receiver.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            receiver.recv_timeout(INTERVAL)
        };
        match next {
            Ok(callback) => pending.push(callback),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let mut index = 0;
        while index < pending.len() {
            match inside(|| pending[index].reached(), || None) {
                Some(status) => pending.remove(index).call(status),
                None => index += 1,
            }
        }
    }
}
