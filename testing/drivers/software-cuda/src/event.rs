//! Events.

use std::ffi::c_uint;
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::Instant;

use cudarc::driver::sys::{CUevent, CUstream};

use crate::attributes::{CLOCK_BEHIND, attribute};
use crate::event_page::Page;
use crate::{Code, INVALID_HANDLE, INVALID_VALUE, NOT_READY, context, entries, faults, lock, put, stream};

/// Flags of events.
const DISABLE_TIMING: c_uint = 2;
const INTERPROCESS: c_uint = 4;

/// An event with its newest recording. A wait for an older recording still waits for that one.
struct Event {
    newest: Mutex<Option<Arc<Recording>>>,
    /// The recordings of an event that other processes use too.
    page: Option<Arc<Page>>,
}

#[derive(Default)]
struct Recording {
    at: Mutex<Option<Instant>>,
    changed: Condvar,
}

/// A recording that may be waited for.
#[derive(Clone)]
enum Moment {
    Here(Arc<Recording>),
    Anywhere(Arc<Page>, u64),
}

static EVENTS: LazyLock<Mutex<Vec<Arc<Event>>>> = LazyLock::new(Mutex::default);

fn find(raw: CUevent) -> Result<Arc<Event>, Code> {
    let list = lock(&EVENTS);
    list.iter().find(|event| Arc::as_ptr(event).cast_mut().cast() == raw).cloned().ok_or(INVALID_HANDLE)
}

/// Returns the page of an event that other processes use too.
pub(crate) fn page(raw: CUevent) -> Result<Option<Arc<Page>>, Code> {
    Ok(find(raw)?.page.clone())
}

/// Creates an event.
pub(crate) fn add(page: Option<Arc<Page>>) -> CUevent {
    let fresh = Arc::new(Event { newest: Mutex::default(), page });
    let raw = Arc::as_ptr(&fresh).cast_mut().cast();
    lock(&EVENTS).push(fresh);
    faults::live(1);
    raw
}

impl Moment {
    fn reach(&self) {
        match self {
            Self::Here(recording) => {
                *lock(&recording.at) = Some(Instant::now());
                recording.changed.notify_all();
            }
            Self::Anywhere(page, number) => page.reach(*number),
        }
    }

    fn is_reached(&self) -> bool {
        match self {
            Self::Here(recording) => lock(&recording.at).is_some(),
            Self::Anywhere(page, number) => page.is_reached(*number),
        }
    }

    fn wait(&self) {
        match self {
            Self::Here(recording) => {
                let mut at = lock(&recording.at);
                while at.is_none() {
                    at = recording.changed.wait(at).unwrap_or_else(std::sync::PoisonError::into_inner);
                }
            }
            Self::Anywhere(page, number) => page.wait(*number),
        }
    }
}

impl Event {
    fn newest(&self) -> Option<Moment> {
        match &self.page {
            Some(page) => Some(Moment::Anywhere(page.clone(), page.newest())),
            None => lock(&self.newest).clone().map(Moment::Here),
        }
    }

    fn record(&self) -> Moment {
        if let Some(page) = &self.page {
            return Moment::Anywhere(page.clone(), page.record());
        }
        let recording = Arc::new(Recording::default());
        *lock(&self.newest) = Some(recording.clone());
        Moment::Here(recording)
    }

    /// Returns when it was reached, or an error if it was not.
    fn time(&self) -> Result<Instant, Code> {
        let recording = lock(&self.newest).clone().ok_or(INVALID_HANDLE)?;
        let at = *lock(&recording.at);
        at.ok_or(NOT_READY)
    }
}

entries! {
    cuEventCreate(event: *mut CUevent, flags: c_uint) {
        context::current()?;
        let page = match flags & (INTERPROCESS | DISABLE_TIMING) {
            INTERPROCESS => return Err(INVALID_VALUE),
            both if both & INTERPROCESS != 0 => Some(Page::new()?),
            _ => None,
        };
        put(event, add(page))
    };
    cuEventDestroy_v2(event: CUevent) {
        let found = find(event)?;
        lock(&EVENTS).retain(|other| !Arc::ptr_eq(other, &found));
        faults::live(-1);
        Ok(())
    };
    cuEventRecord(event: CUevent, stream: CUstream) {
        let moment = find(event)?.record();
        stream::push_event(stream, Box::new(move || moment.reach()))
    };
    cuEventQuery(event: CUevent) {
        match find(event)?.newest() {
            Some(moment) if !moment.is_reached() => Err(NOT_READY),
            _ => stream::after(),
        }
    };
    cuEventSynchronize(event: CUevent) {
        if let Some(moment) = find(event)?.newest() {
            moment.wait();
        }
        stream::after()
    };
    cuStreamWaitEvent(stream: CUstream, event: CUevent, _flags: c_uint) {
        match find(event)?.newest() {
            Some(moment) => stream::push(stream, Box::new(move || moment.wait())),
            None => Ok(()),
        }
    };
    cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent) {
        let (start, end) = (find(start)?.time()?, find(end)?.time()?);
        let forth = end.saturating_duration_since(start).as_secs_f64();
        let back = start.saturating_duration_since(end).as_secs_f64();
        put(milliseconds, ((forth - back) * 1e3) as f32 - attribute(CLOCK_BEHIND) as f32)
    };
}
