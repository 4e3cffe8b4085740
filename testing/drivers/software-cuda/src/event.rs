//! Events.

use std::ffi::c_uint;
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::Instant;

use cudarc::driver::sys::{CUevent, CUstream};

use crate::{Code, INVALID_HANDLE, NOT_READY, context, entries, faults, lock, put, stream};

/// An event: its newest recording. Whoever waits for an older one goes on waiting for that.
struct Event {
    newest: Mutex<Option<Arc<Recording>>>,
}

#[derive(Default)]
struct Recording {
    at: Mutex<Option<Instant>>,
    changed: Condvar,
}

static EVENTS: LazyLock<Mutex<Vec<Arc<Event>>>> = LazyLock::new(Mutex::default);

fn find(raw: CUevent) -> Result<Arc<Event>, Code> {
    let list = lock(&EVENTS);
    list.iter().find(|event| Arc::as_ptr(event).cast_mut().cast() == raw).cloned().ok_or(INVALID_HANDLE)
}

impl Recording {
    fn reach(&self) {
        *lock(&self.at) = Some(Instant::now());
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut at = lock(&self.at);
        while at.is_none() {
            at = self.changed.wait(at).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

impl Event {
    fn newest(&self) -> Option<Arc<Recording>> {
        lock(&self.newest).clone()
    }

    /// When it was reached; an error where it was not.
    fn time(&self) -> Result<Instant, Code> {
        lock(&self.newest().ok_or(INVALID_HANDLE)?.at).ok_or(NOT_READY)
    }
}

entries! {
    cuEventCreate(event: *mut CUevent, _flags: c_uint) {
        context::current()?;
        let fresh = Arc::new(Event { newest: Mutex::default() });
        let raw = Arc::as_ptr(&fresh).cast_mut().cast();
        lock(&EVENTS).push(fresh);
        faults::live(1);
        put(event, raw)
    };
    cuEventDestroy_v2(event: CUevent) {
        let found = find(event)?;
        lock(&EVENTS).retain(|other| !Arc::ptr_eq(other, &found));
        faults::live(-1);
        Ok(())
    };
    cuEventRecord(event: CUevent, stream: CUstream) {
        let recording = Arc::new(Recording::default());
        *lock(&find(event)?.newest) = Some(recording.clone());
        stream::push(stream, Box::new(move || recording.reach()))
    };
    cuEventQuery(event: CUevent) {
        match find(event)?.newest() {
            Some(recording) if lock(&recording.at).is_none() => Err(NOT_READY),
            _ => stream::after(),
        }
    };
    cuEventSynchronize(event: CUevent) {
        if let Some(recording) = find(event)?.newest() {
            recording.wait();
        }
        stream::after()
    };
    cuStreamWaitEvent(stream: CUstream, event: CUevent, _flags: c_uint) {
        match find(event)?.newest() {
            Some(recording) => stream::push(stream, Box::new(move || recording.wait())),
            None => Ok(()),
        }
    };
    cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent) {
        let (start, end) = (find(start)?.time()?, find(end)?.time()?);
        let forth = end.saturating_duration_since(start).as_secs_f64();
        let back = start.saturating_duration_since(end).as_secs_f64();
        put(milliseconds, ((forth - back) * 1e3) as f32)
    };
}
