//! Callbacks of events, from one thread of the plugin's own: the driver's threads must not call the driver, and a callback
//! may.

use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sycl_pi_backend::Shared;
use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::raw::RawEvent;
use sycl_pi_backend::types::*;

use crate::event::Event;
use crate::handle::handle;
use crate::sys;

/// One callback that waits for its status.
struct Watch {
    event: Shared<Event>,
    status: EventStatus,
    function: unsafe extern "C" fn(*mut RawEvent, EventStatus, *mut core::ffi::c_void),
    user_data: usize,
}

impl Watch {
    /// Whether the event got there; a failure is past every status.
    fn is_due(&self) -> Option<EventStatus> {
        let now = self.event.status();
        (now <= self.status).then_some(if now < EventStatus::COMPLETE { now } else { self.status })
    }

    fn call(self, status: EventStatus) {
        sys::call_event_notify(self.function, handle::<Event>(&self.event), status, self.user_data);
    }
}

/// Between two looks at events that are pending.
const PAUSE: Duration = Duration::from_micros(50);

/// Calls back once, now or from the watching thread.
pub(crate) fn watch(event: Shared<Event>, status: EventStatus, notify: EventNotify) {
    let user_data = notify.user_data.expose_provenance();
    let watch = Watch { event, status, function: notify.function, user_data };
    if let Some(status) = watch.is_due() {
        watch.call(status);
        return;
    }
    static WATCHER: OnceLock<Option<Sender<Watch>>> = OnceLock::new();
    let sender = WATCHER.get_or_init(|| {
        let (sender, receiver) = channel();
        let thread = std::thread::Builder::new().name("pi-cuda-events".into());
        thread.spawn(move || run(&receiver)).ok().map(|_| sender)
    });
    let left = match sender {
        Some(sender) => sender.send(watch).err().map(|error| error.0),
        None => Some(watch),
    };
    if let Some(watch) = left {
        // No thread to be had: wait here.
        let _ = watch.event.wait();
        let status = watch.is_due().unwrap_or(EventStatus::COMPLETE);
        watch.call(status);
    }
}

fn run(receiver: &Receiver<Watch>) {
    let mut pending: Vec<Watch> = Vec::new();
    loop {
        let next = if pending.is_empty() {
            receiver.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            receiver.recv_timeout(PAUSE)
        };
        match next {
            Ok(watch) => pending.push(watch),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let mut index = 0;
        while index < pending.len() {
            match pending[index].is_due() {
                Some(status) => pending.remove(index).call(status),
                None => index += 1,
            }
        }
    }
}
