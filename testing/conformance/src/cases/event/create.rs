//! `piEventCreate`, `piEventSetStatus`, `piEventRetain`, `piEventRelease`.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::cases::plugin::{Table, together};
use crate::env::{Env, Owned};
use crate::outcome::{CONTEXT, EVENT, Failure, VALUE, Verdict, check, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("EVT-01", "piEventCreate", first_status),
    case("EVT-02", "piEventSetStatus", completed_by_another_thread),
    case("EVT-04", "piEventSetStatus", failed),
    case("EVT-14", "piEventsWait", wait_on_failed),
    case("EVT-16", "piEventRetain", counted),
    case("EVT-17", "piEventRelease", pending),
    case("EVT-18", "piEventRelease", twice),
    case("EVT-30", "piEnqueueEventsWait", marker_waits_for_user_event),
    case("ENQ-16", "piEnqueueEventsWait", dependents_of_a_failed_event),
];

fn create(f: &Env) -> Verdict<Owned<'_, pi_event>> {
    let context = f.context()?;
    Ok(f.own_event(if f.pi.piEventCreate_until_9_11.is_some() {
        made!(f, |out| piEventCreate_until_9_11(context, out))
    } else {
        made!(f, |out| piEventCreate(context, out))
    }))
}

/// Creates an event that its creator completes, which only the oldest version supports.
fn user_event(f: &Env) -> Verdict<Owned<'_, pi_event>> {
    if f.version > Version::V9_11 {
        return Err(Failure::skip(skip::NOT_IN_VERSION));
    }
    create(f)
}

fn first_status(f: &Env) -> Verdict {
    let event = create(f)?;
    if f.version > Version::V9_11 {
        ok!(f, piEventsWait(1, &*event));
        return same("status", PI_EVENT_COMPLETE, f.status(*event)?);
    }
    same("status", PI_EVENT_SUBMITTED, f.status(*event)?)?;
    if f.backend == Backend::OpenCl {
        let kind = get!(f, piEventGetInfo(*event, PI_EVENT_INFO_COMMAND_TYPE) as pi_command_type);
        same("command type", PI_COMMAND_TYPE_USER, kind)?;
    }
    ok!(f, piEventSetStatus(*event, PI_EVENT_COMPLETE));
    same("status after it was set", PI_EVENT_COMPLETE, f.status(*event)?)
}

fn completed_by_another_thread(f: &Env) -> Verdict {
    let event = user_event(f)?;
    let (pi, address, is_set) = (f.pi, *event as usize, AtomicBool::new(false));
    together(2, |index| {
        let f = Table { pi };
        let event = address as pi_event;
        if index == 1 {
            std::thread::sleep(Duration::from_millis(30));
            is_set.store(true, Ordering::SeqCst);
            return call!(f, piEventSetStatus(event, PI_EVENT_COMPLETE)).map_err(|error| error.to_string());
        }
        call!(f, piEventsWait(1, &event)).map_err(|error| error.to_string())?;
        if is_set.load(Ordering::SeqCst) { Ok(()) } else { Err("the wait returned before the event".into()) }
    })?;
    same("status", PI_EVENT_COMPLETE, f.status(*event)?)
}

fn failed(f: &Env) -> Verdict {
    let event = user_event(f)?;
    ok!(f, piEventSetStatus(*event, -5));
    let status = f.status(*event)?;
    check("status", status < 0, "less than 0", status)
}

fn wait_on_failed(f: &Env) -> Verdict {
    let event = user_event(f)?;
    ok!(f, piEventSetStatus(*event, -5));
    let codes = crate::outcome::codes(&[PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST], &[]);
    refused!(f, piEventsWait(1, &*event), codes);
    Ok(())
}

fn counted(f: &Env) -> Verdict {
    let event = create(f)?;
    let count =
        || -> Verdict<u32> { Ok(get!(f, piEventGetInfo(*event, PI_EVENT_INFO_REFERENCE_COUNT) as u32)) };
    let before = count()?;
    if f.backend == Backend::OpenCl && f.version == Version::V9_11 {
        same("reference count of a new event", 1, before)?;
    }
    ok!(f, piEventRetain(*event));
    same("reference count after retain", before + 1, count()?)?;
    ok!(f, piEventRelease(*event));
    same("reference count after release", before, count()?)?;
    if f.version == Version::V9_11 {
        ok!(f, piEventSetStatus(*event, PI_EVENT_COMPLETE));
    }
    refused!(f, piEventRetain(null_mut()), EVENT);
    refused!(f, piEventRelease(null_mut()), EVENT);
    let mut out = null_mut();
    if f.version > Version::V9_11 {
        refused!(f, piEventCreate(null_mut(), &mut out), CONTEXT);
        refused!(f, piEventCreate(f.context()?, null_mut()), VALUE);
    }
    Ok(())
}

fn pending(f: &Env) -> Verdict {
    let (queue, data) = (f.queue()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 20_000_000)?;
    let event = f.launch_on(queue, *kernel, 1)?;
    ok!(f, piEventRelease(event));
    same("runs of the kernel", vec![1], f.read::<i32>(*data, 1)?)
}

fn twice(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    let event = create(f)?.into_raw();
    ok!(f, piEventRelease(event));
    refused!(f, piEventRelease(event), EVENT);
    Ok(())
}

fn marker_waits_for_user_event(f: &Env) -> Verdict {
    let (event, queue) = (user_event(f)?, f.new_queue(0)?);
    let marker = f.own_event(made!(f, |out| piEnqueueEventsWait(*queue, 1, &*event, out)));
    ok!(f, piQueueFlush(*queue));
    std::thread::sleep(Duration::from_millis(10));
    let status = f.status(*marker)?;
    ok!(f, piEventSetStatus(*event, PI_EVENT_COMPLETE));
    ok!(f, piEventsWait(1, &*marker));
    check("status before the event was set", status != PI_EVENT_COMPLETE, "not PI_EVENT_COMPLETE", status)
}

fn dependents_of_a_failed_event(f: &Env) -> Verdict {
    let (event, queue, buffer) = (user_event(f)?, f.new_queue(0)?, f.buffer(&[1_i32; 4])?);
    ok!(f, piEventSetStatus(*event, -5));
    let mut room = [0_i32; 4];
    let to = room.as_mut_ptr().cast();
    let result =
        call!(f, piEnqueueMemBufferRead(*queue, *buffer, PI_TRUE, 0, 16, to, 1, &*event, null_mut()));
    let codes = crate::outcome::codes(
        &[PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, PI_ERROR_INVALID_EVENT_WAIT_LIST],
        &[],
    );
    crate::outcome::refusal("piEnqueueMemBufferRead", f.strict, result, codes)?;
    Ok(())
}
