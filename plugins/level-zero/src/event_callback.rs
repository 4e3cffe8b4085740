//! Event callbacks. Level Zero does not have them, so a thread waits for the event. No lock is held while the callback
//! runs.

use sycl_pi_backend::api::EventNotify;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result, Shared};
use sycl_pi_host_process::inside;

use crate::objects::{Event, EventHandle, raw_handle};
use crate::sys::{self, Address};

/// The duration of each wait of the thread.
const SLICE: u64 = 100_000_000;

/// The caller's function and data, which are passed to another thread.
struct Notice {
    notify: EventNotify,
    data: Address,
}

impl Notice {
    fn call(&self, event: &EventHandle, status: EventStatus) {
        let notify = EventNotify { function: self.notify.function, user_data: self.data.get() };
        sys::call_event_notify(notify, raw_handle(event), status);
    }
}

/// Registers a function that is called once when the event reaches the status. If it already has, the function is
/// called at once.
pub(crate) fn set(event: &EventHandle, status: EventStatus, notify: EventNotify) -> Result<()> {
    if ![EventStatus::SUBMITTED, EventStatus::RUNNING, EventStatus::COMPLETE].contains(&status) {
        return Err(Error::bad_callback_status(status));
    }
    let notice = Notice { data: Address::new(notify.user_data), notify };
    let now = event.status()?;
    if now <= EventStatus::COMPLETE {
        notice.call(event, if now < EventStatus::COMPLETE { now } else { status });
        return Ok(());
    }
    if status != EventStatus::COMPLETE {
        // Whether a command is already running cannot be queried, so it counts as running once it is submitted.
        notice.call(event, status);
        return Ok(());
    }
    let event = event.share();
    let notice = sys::Across::new(notice);
    sycl_pi_host_process::spawn("pi-event", move || wait(event, notice.into_inner())).map_err(|error| {
        Error::new(ErrorCode::OUT_OF_RESOURCES, format!("no thread to wait for the event: {error}"))
    })?;
    Ok(())
}

fn wait(event: Shared<Event>, notice: Notice) {
    let status = loop {
        match event.wait_for(SLICE) {
            Ok(true) => {
                let status = || event.status().unwrap_or(EventStatus(ErrorCode::UNKNOWN.0));
                // A forked child does not have this thread.
                break inside(status, || EventStatus::COMPLETE);
            }
            Ok(false) => {}
            Err(error) => break EventStatus(error.code().0),
        }
    };
    notice.call(&event, status);
    inside(|| drop(event), || ());
}
