//! `piEventGetInfo`.

use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{EVENT, Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("EVT-03", "piEventGetInfo", downwards),
    case("EVT-05", "piEventGetInfo", status_size),
    case("EVT-06", "piEventGetInfo", complete_status),
    case("EVT-07", "piEventGetInfo", facts),
    case("EVT-08", "piEventGetInfo", queue_of_a_native_event),
    case("EVT-09", "piEventGetInfo", polled_to_completion),
    case("EVT-10", "piEventGetInfo", bad_questions),
];

/// The time between two checks of an event. A driver's threads need the processor too. Tools that run one thread at
/// a time would not run them next to a caller that never sleeps.
const BETWEEN_LOOKS: Duration = Duration::from_micros(50);

fn downwards(f: &Env) -> Verdict {
    let (queue, data) = (f.queue()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 20_000_000)?;
    let event = f.own_event(f.launch_on(queue, *kernel, 1)?);
    ok!(f, piQueueFlush(queue));
    let (mut last, start) = (PI_EVENT_QUEUED, Instant::now());
    while last > PI_EVENT_COMPLETE {
        let status = f.status(*event)?;
        check("status", status <= last && status >= 0, format!("0 to {last}"), status)?;
        last = status;
        check("", start.elapsed() < f.patience, "PI_EVENT_COMPLETE in the end", last)?;
        std::thread::sleep(BETWEEN_LOOKS);
    }
    Ok(())
}

fn status_size(f: &Env) -> Verdict {
    let queue = f.queue()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*event));
    let (mut room, mut size) = ([-1_i32; 2], 0);
    let value = room.as_mut_ptr().cast();
    ok!(f, piEventGetInfo(*event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, 8, value, &mut size));
    same("size of the answer", 4, size)?;
    same("the status, and nothing past it", [PI_EVENT_COMPLETE, -1], room)
}

/// Whatever size a driver reports, the status of a finished command is available.
fn complete_status(f: &Env) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.buffer(&ramp(64))?);
    let mut bytes = [0_u8; 64];
    let to = bytes.as_mut_ptr().cast();
    let event = made!(f, |out| piEnqueueMemBufferRead(queue, *buffer, PI_TRUE, 0, 64, to, 0, null(), out));
    let event = f.own_event(event);
    let (mut status, mut size) = (-77, 0);
    let value = (&raw mut status).cast();
    ok!(f, piEventGetInfo(*event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, 4, value, &mut size));
    same("status", PI_EVENT_COMPLETE, status)
}

fn facts(f: &Env) -> Verdict {
    let (queue, buffer) = (f.new_queue(0)?, f.buffer(&ramp(64))?);
    let mut bytes = [0_u8; 64];
    let to = bytes.as_mut_ptr().cast();
    let event = made!(f, |out| piEnqueueMemBufferRead(*queue, *buffer, PI_TRUE, 0, 64, to, 0, null(), out));
    let event = f.own_event(event);
    same("queue", *queue, get!(f, piEventGetInfo(*event, PI_EVENT_INFO_COMMAND_QUEUE) as pi_queue))?;
    same("context", f.context()?, get!(f, piEventGetInfo(*event, PI_EVENT_INFO_CONTEXT) as pi_context))?;
    let kind = get!(f, piEventGetInfo(*event, PI_EVENT_INFO_COMMAND_TYPE) as pi_command_type);
    same("command type", PI_COMMAND_TYPE_MEM_BUFFER_READ, kind)?;
    let count = get!(f, piEventGetInfo(*event, PI_EVENT_INFO_REFERENCE_COUNT) as u32);
    check("reference count", count >= 1, "at least 1", count)
}

fn queue_of_a_native_event(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    let (queue, context) = (f.queue()?, f.context()?);
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    let native: pi_native_handle = made!(f, |out| piextEventGetNativeHandle(*event, out));
    let other = f.own_event(made!(f, |out| piextEventCreateWithNativeHandle(native, context, 0, out)));
    let (codes, mut reported): (_, pi_queue) = (codes(&[PI_ERROR_PLUGIN_SPECIFIC_ERROR], &[]), null_mut());
    let room = (&raw mut reported).cast();
    refused!(f, piEventGetInfo(*other, PI_EVENT_INFO_COMMAND_QUEUE, 8, room, null_mut()), codes);
    Ok(())
}

fn polled_to_completion(f: &Env) -> Verdict {
    let (queue, data) = (f.new_queue(0)?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 1_000_000)?;
    let event = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    let start = Instant::now();
    while f.status(*event)? != PI_EVENT_COMPLETE {
        std::thread::sleep(BETWEEN_LOOKS);
        check("", start.elapsed() < f.patience, "PI_EVENT_COMPLETE without a wait", "never")?;
    }
    Ok(())
}

fn bad_questions(f: &Env) -> Verdict {
    let queue = f.queue()?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    ok!(f, piEventsWait(1, &*event));
    bad_questions!(f, piEventGetInfo(*event), PI_EVENT_INFO_CONTEXT);
    bad_questions!(f, piEventGetInfo(*event), PI_EVENT_INFO_COMMAND_EXECUTION_STATUS);
    refused!(f, piEventGetInfo(null_mut(), PI_EVENT_INFO_CONTEXT, 0, null_mut(), &mut 0), EVENT);
    Ok(())
}
