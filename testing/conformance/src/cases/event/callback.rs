//! `piEventSetCallback`.

use std::ffi::c_void;
use std::ptr::null;
use std::sync::Mutex;
use std::time::Duration;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Failure, VALUE, Verdict, check, same};
use crate::skip;
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("EVT-19", "piEventSetCallback", each_status),
    case("EVT-20", "piEventSetCallback", after_completion),
    case("EVT-21", "piEventSetCallback", for_queued),
    case("EVT-22", "piEventSetCallback", event_released_first),
];

type Seen = Mutex<Vec<pi_int32>>;

/// # Safety
/// `data` points to a list of [`seen`].
unsafe extern "C" fn note(_event: pi_event, status: pi_int32, data: *mut c_void) {
    // SAFETY: the case passes a list that is never freed.
    let seen = unsafe { &*data.cast::<Seen>() };
    seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(status);
}

/// Returns a list for callbacks, and its address.
fn seen() -> (&'static Seen, *mut c_void) {
    let seen: &'static Seen = Box::leak(Box::default());
    (seen, std::ptr::from_ref(seen).cast_mut().cast())
}

/// Returns the recorded statuses, once there are as many as expected or the time is over.
fn noted(seen: &Seen, wanted: usize) -> Vec<pi_int32> {
    for _ in 0..1000 {
        if seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len() >= wanted {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // An additional call would come immediately.
    std::thread::sleep(Duration::from_millis(5));
    let mut list = seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    list.sort_unstable();
    list
}

fn opencl(f: &Env) -> Verdict {
    if f.backend == Backend::OpenCl { Ok(()) } else { Err(Failure::skip(skip::OTHER_BACKEND)) }
}

fn each_status(f: &Env) -> Verdict {
    opencl(f)?;
    let (queue, data) = (f.queue()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 10_000_000)?;
    let event = f.own_event(f.launch_on(queue, *kernel, 1)?);
    let mut lists = Vec::new();
    for status in [PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE] {
        let (list, place) = seen();
        ok!(f, piEventSetCallback(*event, status, Some(note), place));
        lists.push((status, list));
    }
    let (_, of_completion) = lists[2];
    let early = !of_completion.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).is_empty();
    let complete = f.status(*event)? == PI_EVENT_COMPLETE;
    check("callback for completion", complete || !early, "no call before completion", "one")?;
    ok!(f, piQueueFinish(queue));
    for (status, list) in lists {
        let noted = noted(list, 1);
        // A driver may pass a later status to a callback for an earlier one.
        let good = matches!(noted[..], [seen] if seen <= status);
        check(&format!("calls for {status}"), good, "one, of that status or a later one", noted.in_words())?;
    }
    Ok(())
}

fn after_completion(f: &Env) -> Verdict {
    opencl(f)?;
    let queue = f.queue()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    ok!(f, piQueueFinish(queue));
    let (list, place) = seen();
    ok!(f, piEventSetCallback(*event, PI_EVENT_COMPLETE, Some(note), place));
    same("calls", vec![PI_EVENT_COMPLETE], noted(list, 1))
}

fn for_queued(f: &Env) -> Verdict {
    opencl(f)?;
    let queue = f.queue()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    let (_, place) = seen();
    for status in [PI_EVENT_QUEUED, 77, -1] {
        refused!(f, piEventSetCallback(*event, status, Some(note), place), VALUE);
    }
    refused!(f, piEventSetCallback(*event, PI_EVENT_COMPLETE, None, place), VALUE);
    Ok(())
}

fn event_released_first(f: &Env) -> Verdict {
    opencl(f)?;
    let (queue, data) = (f.queue()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 10_000_000)?;
    let event = f.own_event(f.launch_on(queue, *kernel, 1)?);
    let (list, place) = seen();
    ok!(f, piEventSetCallback(*event, PI_EVENT_COMPLETE, Some(note), place));
    drop(event);
    ok!(f, piQueueFinish(queue));
    same("calls", vec![PI_EVENT_COMPLETE], noted(list, 1))
}
